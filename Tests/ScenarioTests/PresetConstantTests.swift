import ExactText
import Foundation
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import Testing

/// Every constant of every player's preset against what was written down about that player.
///
/// A row names where it was written down: a section of the notes on real players, §17 of them for
/// what was measured, or that it is an assumption of ours. It is in the units of those notes.
@Suite struct PresetConstantTests {
  private struct Row {
    var section: String
    var players: [String]
    /// Without the places of lists, whose values stand in a row.
    var path: String
    var values: [Double]
  }

  /// A preset with no row for one of its constants fails, and so does a row for no constant.
  private static let players = PolicyPreset.all.filter { preset in
    !["Sabre", "BOLA", "DYNAMIC", "Pensieve", "RobustMPC"].contains {
      preset.name.hasPrefix($0)
    }
  }

  // MARK: Reading the table

  private static let units: [String: Double] = [
    "": 1, "s": 1, "ms": 1e-3, "B": 1, "kB": 1e3, "KiB": 1_024, "MB": 1e6, "MiB": 1_048_576,
    "bit/s": 1, "kb/s": 1e3, "Mb/s": 1e6, "%": 0.01,
  ]

  private static func number(_ text: Substring) -> Double? {
    let parts = text.split(separator: " ")
    guard let first = parts.first, let number = Double(first), parts.count <= 2,
      let unit = units[parts.count == 2 ? String(parts[1]) : ""]
    else { return nil }
    return number * unit
  }

  private static func rows() throws -> [Row] {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "PresetConstants.txt")
    var rows: [Row] = []
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    where !line.hasPrefix("#") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 4, "\(line)")
      let values = cells[3].split(separator: ",").map { number($0) }
      rows.append(
        Row(
          section: cells[0],
          players: cells[1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) },
          path: cells[2], values: try values.map { try #require($0, "\(line)") }))
    }
    return rows
  }

  // MARK: Reading a preset

  /// Its constants, by their path; what no player would say of itself is left out.
  private static func constants(
    of preset: PolicyPreset
  ) throws -> [(path: String, values: [Double])] {
    var writer = JSONWriter()
    writer.tree(preset.description.written)
    let value = try JSONSerialization.jsonObject(with: Data(writer.text.utf8))
    var found: [(path: String, values: [Double])] = []
    walk(value, "") { path, number in
      if let index = found.firstIndex(where: { $0.path == path }) {
        found[index].values.append(number)
      } else {
        found.append((path, [number]))
      }
    }
    return found.filter { path, values in
      let name = path.split(separator: ".").last ?? ""
      let isPlain = (plain[String(name)] ?? []).contains { abs($0 - values[0]) < 1e-12 }
      return !isPlain && values.contains { $0 != 0 }
    }
  }

  /// What a key says where nothing is asked for: all of it, in its own time, without a limit.
  private static let plain: [String: [Double]] = [
    "safety": [1], "weight": [1_000], "refill": [0.75], "downBelow": [1e6], "media": [1e6],
    "sideBySide": [1],
  ]

  private static func walk(_ value: Any, _ path: String, _ take: (String, Double) -> Void) {
    if let object = value as? [String: Any] {
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        walk(value, path.isEmpty ? key : "\(path).\(key)", take)
      }
    } else if let list = value as? [Any] {
      for value in list { walk(value, path, take) }
    } else if let text = value as? String {
      if let number = number(text[...]) { take(path, number) }
    } else if let number = value as? NSNumber, String(cString: number.objCType) != "c" {
      // A truth value has the type of a character.
      take(path, number.doubleValue)
    }
  }

  // MARK: Switches

  private static let firefox = ["Firefox 153", "Firefox 4"].flatMap { name in
    ["\(name) autoplay", "\(name) play"]
  }

  /// The players of which a switch stands as for no other.
  @Test(
    arguments: [
      ("streamFetch.looksAheadOnce", true, ["mpv 0.35", "mpv 0.35 cache-pause-initial"]),
      ("stall.countsArriving", true, ["mpv 0.35", "mpv 0.35 cache-pause-initial"]),
      ("stall.unlessPlayThrough", true, firefox), ("exits.whenIdle", false, ["avfoundation"]),
      ("resume.any.every.rule.playThrough.whenEndUnknown", true, Array(firefox[2...])),
      ("resume.any.every.rule.all.playThrough.whenEndUnknown", true, Array(firefox[..<2])),
      ("resume.escalating.seekResets", true, marked),
      ("streamFetch.countsNext", true, ["dash.js 5.1"] + literature),
      ("streamEstimator.samples.countsCancelled", true, exoPlayers),
      ("fileEstimator.samples.countsCancelled", true, exoPlayers),
      ("nextVariant.throughput.keepsSustained", true, ["avfoundation"]),
      ("nextVariant.throughput.upFromShareLive", true, exoPlayers),
      ("nextVariant.throughput.countsRoundTrips", true, ["avfoundation"]),
      (
        "nextVariant.throughput.heedsRate", false,
        ["VHS 3.17", "VLC 3.0 predictive", "Pensieve RB"]
      ),
      ("resume.every.rule.escalating.seekResets", true, ["ijkplayer 0.8"]),
    ])
  func `a switch is on for those players of which that is known`(
    path: String, isOn: Bool, players: [String]
  ) throws {
    let found = try PolicyPreset.all.filter { preset in
      var writer = JSONWriter()
      writer.tree(preset.description.written)
      var value: Any? = try JSONSerialization.jsonObject(with: Data(writer.text.utf8))
      for key in path.split(separator: ".") {
        let lists = (value as? [Any])?.compactMap { ($0 as? [String: Any])?[String(key)] }
        value = (value as? [String: Any])?[String(key)] ?? lists?.first
      }
      return value as? Bool == isOn
    }
    #expect(Set(found.map { $0.name }) == Set(players))
  }

  private static let marked = [
    "Chromium 156 autoplay", "Chromium 156 play", "Chromium 156 MSE", "hls.js 1.6", "Shaka 5.2",
    "dash.js 5.1", "VHS 3.17",
  ]
  private static let literature = [
    "Sabre throughput", "BOLA", "BOLA-O", "BOLA-E", "DYNAMIC",
  ].flatMap { $0 == "BOLA-O" ? [$0] : [$0, "\($0) without abandonment"] }
  private static let exoPlayers = ["Media3 1.6", "ExoPlayer 1.5", "Media3 1.9 local"]

  // MARK: Holding one against the other

  @Test func `every constant of a player is one that was written down`() throws {
    let rows = try Self.rows()
    var held = 0
    for preset in Self.players {
      for (path, values) in try Self.constants(of: preset) {
        // What holds of files and of streams alike is written down once.
        let shared = path.replacing(/^(file|stream)(?=Estimator|Fetch)/, with: "")
        let row = rows.firstIndex {
          $0.players.contains(preset.name) && ($0.path == path || $0.path == shared)
        }
        guard let row else {
          Issue.record("\(preset.name): nothing was written down of \(path) \(values)")
          continue
        }
        held += 1
        let isSame =
          values.count == rows[row].values.count
          && zip(values, rows[row].values).allSatisfy { abs($0 - $1) <= 1e-9 * max(1, abs($1)) }
        #expect(isSame, "\(preset.name), \(rows[row].section): \(path) is \(values)")
      }
    }
    #expect(held > 300)
    // A row that speaks of a player has a constant of it.
    for index in rows.indices {
      for player in rows[index].players {
        let preset = try #require(PolicyPreset.named(player), "\(player)")
        let paths = try Self.constants(of: preset).map { $0.path }
        let path = rows[index].path
        #expect(
          paths.contains { $0 == path || $0 == "file" + path || $0 == "stream" + path },
          "\(player): \(path)")
      }
    }
  }
}

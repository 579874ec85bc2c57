import Foundation
import TestSupport

/// A session of another simulator: the scenario that says the same, and its log.
struct PublishedSession: Sendable {
  struct Row: Sendable {
    var bytes: Int64
    /// From the request to the last byte, and what had stalled by then, in nanoseconds.
    var took: Int64
    var stalled: Int64
  }

  var name: String
  var scenario: [UInt8]
  /// What the scenario names.
  var trace: [UInt8]
  var rows: [Row]
}

/// The sessions that lie beside the checkout, or one folder further up.
enum PublishedLogs {
  private static let folder: URL? = {
    let parent = Checkout.root.deletingLastPathComponent()
    return [parent, parent.deletingLastPathComponent()]
      .map { $0.appending(path: "shared/validation") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static var areThere: Bool { folder != nil }

  private static func data(_ path: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appending(path: path))
  }

  private static func logs(_ path: String) throws -> [[String: Any]] {
    try data(path).split(separator: 10).compactMap {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any]
    }
  }

  private static func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }

  private static func nanoseconds(_ value: Any?, _ perUnit: Double) -> Int64 {
    Int64((number(value) * perUnit).rounded())
  }

  /// What every one of the scenarios has.
  private static func scenario(
    link: [String: Any], ladder: [[String: Any]], segment: String, duration: String,
    player: [String: Any]
  ) throws -> [UInt8] {
    let stream: [String: Any] = [
      "ladder": ladder, "segmentDuration": segment, "duration": duration,
      "playlistsAreThere": true,
    ]
    let document: [String: Any] = [
      "scenario": "a", "about": "b", "link": link, "media": ["hls": stream],
      "player": player.merging(["mediaTimeout": NSNull()]) { $1 }, "horizon": "10 h",
      "script": [["at": "0 s", "do": "play"]],
    ]
    return try [UInt8](JSONSerialization.data(withJSONObject: document, options: .sortedKeys))
  }

  // MARK: Sabre

  /// All that were kept, but for rules that are not Sabre's own. A debug build, which takes long to
  /// read them, reads the shortest.
  static func sabre() throws -> [PublishedSession] {
    var sessions: [PublishedSession] = []
    for file in Seeds.areMany ? ["3G", "4G", "example", "fcc_sd"] : ["fcc_sd"] {
      for log in try logs("sabre/expected/\(file).jsonl") {
        if let session = try sabre(log) { sessions.append(session) }
      }
    }
    return sessions
  }

  private static func sabre(_ log: [String: Any]) throws -> PublishedSession? {
    guard let arguments = log["args"] as? [String], let rows = log["segments"] as? [[Any]],
      let policy = policy(arguments),
      let movie = try JSONSerialization.jsonObject(with: data("sabre/" + arguments[3]))
        as? [String: Any], let all = movie["segment_sizes_bits"] as? [[Any]]
    else { return nil }
    let segment = Int(number(movie["segment_duration_ms"]))
    var count = all.count
    if let place = arguments.firstIndex(of: "-ml"), let length = Double(arguments[place + 1]) {
      count = Int((length * 1_000 / Double(segment)).rounded(.up))
    }
    let bitrates = movie["bitrates_kbps"] as? [Any] ?? []
    let ladder = bitrates.indices.map { quality -> [String: Any] in
      let bytes = (0..<count).map { "\(Int64(number(all[$0 % all.count][quality])) / 8) B" }
      return ["bitrate": "\(Int64(number(bitrates[quality]))) kbit/s", "segmentBytes": bytes]
    }
    return PublishedSession(
      name: arguments.joined(separator: " "),
      scenario: try scenario(
        link: ["trace": ["file": "trace", "format": "sabre"]], ladder: ladder,
        segment: "\(segment) ms", duration: "\(segment * count) ms", player: ["policy": policy]),
      trace: [UInt8](try data("sabre/" + arguments[1])),
      rows: rows.filter { $0[6] is NSNull }.map {
        PublishedSession.Row(
          bytes: Int64(number($0[2])) / 8, took: nanoseconds($0[4], 1e6),
          stalled: nanoseconds($0[11], 1e6))
      })
  }

  private static func policy(_ arguments: [String]) -> [String: Any]? {
    if let quality = arguments.last, quality.hasPrefix("<fixed quality ") {
      let place = Int(quality.dropFirst("<fixed quality ".count).dropLast()) ?? 0
      return [
        "like": "Sabre throughput", "firstVariant": ["place": place], "nextVariant": "fixed",
      ]
    }
    guard let place = arguments.firstIndex(of: "-a") else { return nil }
    let rules = ["bola": "BOLA", "bolae": "BOLA-E", "throughput": "Sabre throughput"]
    let (rule, isCalm) = (arguments[place + 1], arguments.contains("-ao"))
    guard let name = rule == "dynamic" ? "DYNAMIC" : rules[rule] else { return nil }
    let isAgain = arguments.contains("-r")
    var policy: [String: Any] = ["like": name]
    if arguments.contains("-noa") { policy["abandon"] = "never" }
    if isCalm, let block = ["bola": "bola", "bolae": "enhancedBola", "dynamic": "dynamic"][rule] {
      policy["nextVariant"] = [block: ["avoidsOscillation": true]]
    }
    policy["choice"] = ["at": "request", "again": isAgain ? "soonest" : "never"]
    return policy
  }

  // MARK: Pensieve

  static func pensieve() throws -> [PublishedSession] {
    var sessions: [PublishedSession] = []
    let policies = ["bb": "Pensieve BB", "rb": "Pensieve RB", "robustmpc": "RobustMPC"]
    let ladder = try [300, 750, 1_200, 1_850, 2_850, 4_300].enumerated().map { quality, bitrate in
      let text = String(decoding: try data("pensieve/sizes/video_size_\(quality)"), as: UTF8.self)
      let bytes = text.split(separator: "\n").map { "\($0) B" }
      return ["bitrate": "\(bitrate) kbit/s", "segmentBytes": bytes] as [String: Any]
    }
    for (file, policy) in policies.sorted(by: { $0.key < $1.key }) {
      for log in try logs("pensieve/expected/\(file).jsonl") {
        guard let trace = log["trace"] as? String, let rows = log["rows"] as? [[Any]] else {
          continue
        }
        var stalled: Int64 = 0
        sessions.append(
          PublishedSession(
            name: "\(file) \(trace)",
            scenario: try scenario(
              link: [
                "trace": ["file": "trace", "format": "pensieve", "payload": "95 %"],
                "downlink": ["delay": "80 ms"],
              ], ladder: ladder, segment: "4 s", duration: "196 s",
              player: ["policy": policy, "forwardPlaybackEndTime": "192 s"]),
            trace: [UInt8](try data("pensieve/traces/" + trace)),
            rows: rows.enumerated().map { index, row in
              // Its first wait is booked as stalled; here it is the startup.
              if index > 0 { stalled += nanoseconds(row[6], 1e9) }
              return PublishedSession.Row(
                bytes: Int64(number(row[2])), took: nanoseconds(row[3], 1e6), stalled: stalled)
            }))
      }
    }
    return sessions
  }
}

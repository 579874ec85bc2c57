import Foundation

/// How the traces of one scenario from two binaries compare.
enum TraceComparison: Equatable {
  case same
  /// The header differs, and so the digest, and nothing else: the run is the same.
  case header
  /// What happened differs from this line on, counted from 1.
  case body(line: Int, one: String, two: String)
  /// The two are written in different formats: the figures of the summary differ that are named, of
  /// those that both have. None is a run that is the same as far as both tell.
  case figures([String])

  init(_ one: Data, _ two: Data) {
    if one == two {
      self = .same
      return
    }
    let (first, second) = (TraceLines(one), TraceLines(two))
    for place in 1..<max(first.count, second.count, 1) {
      let (a, b) = (first.line(place), second.line(place))
      if a == b { continue }
      if let old = first.format, let new = second.format, old != new {
        self = .figures(TraceFigures.differences(first.summary, second.summary))
      } else {
        self = .body(line: place + 1, one: a, two: b)
      }
      return
    }
    self = .header
  }
}

/// The lines of a trace; the summary stands without its digest, which is a hash of the rest.
struct TraceLines {
  private let lines: [Substring]

  init(_ trace: Data) {
    lines = String(decoding: trace, as: UTF8.self).split(separator: "\n")
  }

  var count: Int { lines.count }

  /// The version of the format; nil where the header does not say.
  var format: Int? { lines.first.flatMap(members)?["trace"] as? Int }

  /// The last line; empty where that is no object.
  var summary: [String: Any] { lines.last.flatMap(members) ?? [:] }

  private func members(of line: Substring) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
  }

  /// A line from zero on; past the end there is a remark that it ends.
  func line(_ place: Int) -> String {
    guard lines.indices.contains(place) else { return "(no more lines)" }
    let line = lines[place]
    guard place == count - 1, let digest = line.range(of: #","digest":""#) else {
      return String(line)
    }
    return line[..<digest.lowerBound] + "}"
  }
}

/// The figures of summaries that are written in different formats.
enum TraceFigures {
  /// A hash of the format too, and what a player is called.
  private static let none: Set<String> = ["digest", "player", "event"]

  /// The figures that both have and that differ, each as `name: one, two`, in the order of names.
  static func differences(_ one: [String: Any], _ two: [String: Any], of player: String = "")
    -> [String]
  {
    var found: [String] = []
    for (name, value) in one where !none.contains(name) && name != "players" {
      guard let other = two[name], "\(value)" != "\(other)" else { continue }
      found.append("\(player)\(name): \(value), \(other)")
    }
    found.sort()
    let others = two["players"] as? [[String: Any]] ?? []
    for first in one["players"] as? [[String: Any]] ?? [] {
      guard let name = first["player"] as? String,
        let second = others.first(where: { $0["player"] as? String == name })
      else { continue }
      found += differences(first, second, of: name + " ")
    }
    return found
  }
}

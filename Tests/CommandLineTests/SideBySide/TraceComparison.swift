import Foundation

/// How the traces of one scenario from two binaries compare.
enum TraceComparison: Equatable {
  case same
  /// The header differs, and so the digest, and nothing else: the run is the same.
  case header
  /// What happened differs from this line on, counted from 1.
  case body(line: Int, one: String, two: String)

  init(_ one: Data, _ two: Data) {
    if one == two {
      self = .same
      return
    }
    let (first, second) = (TraceLines(one), TraceLines(two))
    for place in 1..<max(first.count, second.count, 1) {
      let (a, b) = (first.line(place), second.line(place))
      if a != b {
        self = .body(line: place + 1, one: a, two: b)
        return
      }
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

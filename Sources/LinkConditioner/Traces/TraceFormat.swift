/// The formats of recorded links, in the words of options and messages.
package enum TraceFormat: String, Hashable, Sendable, CaseIterable {
  /// JSON: `[{"duration_ms": 30000, "bandwidth_kbps": 5000, "latency_ms": 75}, …]`.
  case sabre
  /// Two columns: seconds and Mbit/s.
  case pensieve
  /// One column: the millisecond of each packet of 1,500 bytes.
  case mahimahi
  /// Six columns: epoch, milliseconds, latitude, longitude, bytes, milliseconds they took.
  case hsdpa
  /// JSON: `[{"duration": 10, "clientIngress": 7170, …}, …]`; older ones have `availableBandwidth`.
  case cadvise
  /// A table whose header names the columns and their units, or `seconds,bits per second`, the
  /// second with `k`, `M` or `G` if one likes.
  case commaSeparated = "csv"
  /// A property list, as XML or in the old style.
  case networkLinkConditioner = "nlc"

  package static func detected(in text: SourceText) throws(ImportError) -> TraceFormat {
    let bytes = text.bytes
    if bytes.starts(with: "bplist00".utf8) { throw ImportError(line: 1, .binaryPropertyList) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ImportError(line: 1, .table("UTF-16 text; expected UTF-8"))
    }
    guard let line = text.dataLines(most: 1).first else { throw ImportError(line: 1, .empty) }
    switch bytes[line.place.lowerBound] {
    case UInt8(ascii: "["):
      if text.contains("\"duration_ms\"") { return .sabre }
      if text.contains("\"duration\"") { return .cadvise }
      throw ImportError(line: 1, .unknownFormat)
    case UInt8(ascii: "{") where text.beginsJSONObject:
      throw ImportError(
        line: line.number, .unexpected(found: "a JSON object", expected: "a list of objects"))
    // A list in the old style may begin with a comment.
    case UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: "/"): return .networkLinkConditioner
    default: break
    }
    if TraceTable.begins(text) { return .commaSeparated }
    switch text.fields(line, separatedBy: .blanks).count {
    case 1: return .mahimahi
    case 2: return .pensieve
    case 6: return .hsdpa
    default: throw ImportError(line: line.number, .unknownFormat)
    }
  }
}

extension SourceText {
  /// Whether a first name stands before a colon; in a property list it is an equals sign.
  fileprivate var beginsJSONObject: Bool {
    var scanner = ByteScanner(bytes)
    scanner.skipBlanks()
    guard scanner.takes("{") else { return false }
    scanner.skipBlanks()
    guard scanner.takes("\""), (try? scanner.take(past: "\"")) != nil else { return false }
    scanner.skipBlanks()
    return scanner.takes(":")
  }
}

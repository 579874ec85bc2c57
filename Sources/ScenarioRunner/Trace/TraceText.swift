import ExactText
import ScenarioFormat

/// A trace cut into its lines, without reading them yet.
struct TraceText {
  private(set) var lines: [ArraySlice<UInt8>] = []

  init(_ bytes: [UInt8]) {
    var start = bytes.startIndex
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      lines.append(bytes[start..<index])
      start = index + 1
    }
    if start < bytes.endIndex { lines.append(bytes[start...]) }
  }

  func text(_ line: Int) -> String {
    String(decoding: lines[line], as: UTF8.self)
  }
}

/// The reason why a text is not a trace.
package struct TraceError: Error, Hashable, Sendable {
  /// The line, from 1.
  package var line: Int
  package var message: String

  package var text: String { "line \(line): \(message)" }
}

extension TraceText {
  /// The formats that are read: of an older trace what it holds.
  static let readable = TraceWriter.version - 1...TraceWriter.version

  /// The version of the format; nil where the header names none.
  var version: Int64? {
    lines.first.flatMap { try? JSONValue(parsing: $0) }?["trace"]?.units(places: 0)
  }

  /// The header's members.
  ///
  /// - Parameter versions: Of the format; nil for the present one alone.
  func header(_ versions: ClosedRange<Int64>? = nil) throws(TraceError) -> JSONValue {
    guard let first = lines.first else {
      throw TraceError(line: 1, message: "the file is empty; a trace begins with its header")
    }
    let header = try value(first, line: 1)
    guard case .number(let version)? = header["trace"]?.content else {
      throw TraceError(line: 1, message: "this is no trace: its first line has no “trace” version")
    }
    let present = TraceWriter.version
    let number = header["trace"]?.units(places: 0) ?? 0
    if !(versions ?? present...present).contains(number) {
      // A run that is made again is recorded in the present format.
      let remedy =
        (1..<present).contains(number)
        ? "; record it again with “goldilocks run … --trace FILE”" : ""
      throw TraceError(
        line: 1,
        message: "the trace has format \(version); this tool reads format \(present)" + remedy)
    }
    return header
  }

  func value(_ bytes: ArraySlice<UInt8>, line: Int) throws(TraceError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw TraceError(
        line: line,
        message: (line == 1 ? "this is no trace: " : "this line is broken: ") + error.message)
    }
  }
}

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

/// Why something is not a trace.
package struct TraceError: Error, Hashable, Sendable {
  /// The line, from 1.
  package var line: Int
  package var message: String

  package var text: String { "line \(line): \(message)" }
}

extension TraceText {
  /// The header's members.
  func header() throws(TraceError) -> JSONValue {
    guard let first = lines.first else {
      throw TraceError(line: 1, message: "the file is empty; a trace begins with its header")
    }
    let header = try value(first, line: 1)
    guard case .number(let version)? = header["trace"]?.content else {
      throw TraceError(line: 1, message: "this is no trace: its first line has no “trace” version")
    }
    if version != "\(TraceWriter.version)" {
      // An older one tells less: whoever compared the two would find a difference in every line
      // with a decision.
      let remedy = version == "1" ? "; record it again with “goldilocks run … --trace FILE”" : ""
      throw TraceError(
        line: 1,
        message: "the trace has format \(version); this tool reads format \(TraceWriter.version)"
          + remedy)
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

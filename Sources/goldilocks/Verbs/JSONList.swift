import ScenarioRunner

/// A list in JSON whose elements are written as they come, or one element without a list.
final class JSONList {
  private let console: Console
  private let isSingle: Bool
  private var isEmpty = true

  init(_ console: Console, isSingle: Bool) {
    self.console = console
    self.isSingle = isSingle
  }

  func begin() throws(Failure) {
    if !isSingle { try console.write("[") }
  }

  func add(_ write: (inout JSONWriter) -> Void) throws(Failure) {
    if !isSingle { try console.write(isEmpty ? "\n" : ",\n") }
    isEmpty = false
    var writer = JSONWriter(.indented)
    write(&writer)
    try console.write(writer.bytes)
    if isSingle { try console.write("\n") }
  }

  func end() throws(Failure) {
    if !isSingle { try console.write(isEmpty ? "]\n" : "\n]\n") }
  }
}

extension Console {
  /// Writes one document.
  func writeDocument(_ write: (inout JSONWriter) -> Void) throws(Failure) {
    var writer = JSONWriter(.indented)
    write(&writer)
    writer.endLine()
    try self.write(writer.bytes)
  }
}

import ExactText
import RunReports
import ScenarioRunner

/// Answer of a verb to `--format json`, one object for all verbs: the verb and its arguments, then
/// the results as they arrive, and at the end the messages.
final class Envelope {
  /// Rises when a name goes or means something else; a new name does not raise it.
  static let version: Int64 = 1

  private let console: Console
  private var writer = JSONWriter(.indented)
  var warnings: [String] = []

  init(_ invocation: Invocation) {
    console = invocation.console
    writer.beginObject()
    writer.members([
      "goldilocks": .string(Tool.version), "version": .whole(Envelope.version),
      "command": .string(invocation.verb.title),
    ])
  }

  /// Adds members, or elements of the list that is open.
  func add(_ write: (inout JSONWriter) -> Void) throws(Failure) {
    write(&writer)
    try console.takeBytes(of: &writer)
  }

  func add(_ element: JSONTree) throws(Failure) { try add { $0.tree(element) } }

  /// Opens a list, whose elements are added as they come.
  func open(_ list: String) throws(Failure) {
    try add { writer in
      writer.key(list)
      writer.beginArray()
    }
  }

  func closeList() throws(Failure) { try add { $0.endArray() } }

  func end() throws(Failure) {
    try add { writer in
      writer.members(["warnings": .strings(warnings)])
      writer.endObject()
      writer.endLine()
    }
  }
}

extension Invocation {
  /// Answers a program with a document, and a person with a text.
  func answer(
    _ document: @autoclosure () -> JSONTree, orText text: @autoclosure () -> String,
    warning words: [String] = []
  ) throws(Failure) {
    if wantsJSON { return try answer(warning: words) { $0.members(document()) } }
    try console.write(text())
  }

  /// Answers with members that are all there at once.
  func answer(warning words: [String] = [], _ write: (inout JSONWriter) -> Void) throws(Failure) {
    let envelope = Envelope(self)
    envelope.warnings = words
    try envelope.add(write)
    try envelope.end()
  }
}

extension Console {
  /// Writes a document that stands for itself, such as what is imported.
  func writeDocument(_ write: (inout JSONWriter) -> Void) throws(Failure) {
    var writer = JSONWriter(.indented)
    write(&writer)
    writer.endLine()
    try takeBytes(of: &writer)
  }

  func takeBytes(of writer: inout JSONWriter) throws(Failure) {
    try write(writer.bytes)
    writer.bytes.removeAll(keepingCapacity: true)
  }
}

extension JSONTree {
  /// A file that could not be used, with the reason, in place of its results.
  static func unreadable(_ file: String, _ verdict: String?, _ failure: Failure) -> JSONTree {
    .members([
      ("file", .string(file)), (verdict ?? "", verdict == nil ? nil : false),
      ("error", .string(failure.message ?? "")),
      ("diagnostics", .diagnostics(failure.diagnostics)),
    ])
  }
}

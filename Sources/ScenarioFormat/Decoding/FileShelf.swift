import ExactText

/// The files that a scenario names, read as they are asked for, each once.
///
/// A class for the reason that the log is one: the parts of a document that name files know nothing
/// of each other.
final class FileShelf {
  private let read: (String) -> [UInt8]?
  /// What was read, in the order in which it was named.
  private(set) var files: [ScenarioFile] = []
  /// What other documents have read before; nil where nobody keeps it.
  let kept: ReadingCache?

  init(keeping cache: ReadingCache? = nil, _ read: @escaping (String) -> [UInt8]?) {
    self.read = read
    kept = cache
  }

  /// The file that a node names by its path; nil where it cannot be had, which is reported.
  func file(_ node: DocumentNode) -> ScenarioFile? {
    guard let path = Decode.nonEmptyText(node) else { return nil }
    if let file = files.first(where: { isSameText($0.path, path) }) { return file }
    if let file = kept?.file(path) {
      files.append(file)
      return file
    }
    guard let bytes = read(path) else {
      node.refuse(
        "the file \(quotation(of: path)) cannot be read",
        expected: "a path that begins where the scenario lies")
      return nil
    }
    guard isUTF8(bytes) else {
      node.refuse("the file \(quotation(of: path)) is no text", expected: "a file in UTF-8")
      return nil
    }
    let file = ScenarioFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    files.append(file)
    kept?.keep(file)
    return file
  }

  /// The file at a path; nil where it cannot be had or is no text, which nobody is told.
  func open(_ path: String) -> ScenarioFile? {
    if let file = files.first(where: { isSameText($0.path, path) }) { return file }
    guard let bytes = read(path), isUTF8(bytes) else { return nil }
    let file = ScenarioFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    files.append(file)
    return file
  }

  /// The first line of a file that begins so; the first of all where none does.
  func line(of start: String, in path: String) -> Int {
    let lines = open(path)?.text.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines?.firstIndex { $0.starts(with: start.utf8) } ?? 0) + 1
  }

  /// Whether there is a file at a path, be it text or not.
  func has(_ path: String) -> Bool { read(path) != nil }

  private func isUTF8(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      let length = lengthOfUTF8Sequence(in: bytes, at: index)
      if length == 0 { return false }
      index += length
    }
    return true
  }
}

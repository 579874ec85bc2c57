import ExactText

/// The files that a scenario names, read as they are asked for, each once; a class, because the
/// parts of a document that name files know nothing of each other.
package final class FileShelf {
  private let read: (String) -> [UInt8]?
  /// The files read, in the order in which they were named.
  var files: [ScenarioFile] = []
  /// Remarks on files, each once for a file and with its first place.
  var notes: [(place: String, message: String)] = []
  let kept: ReadingCache

  package init(
    keeping cache: ReadingCache = ReadingCache(), _ read: @escaping (String) -> [UInt8]?
  ) {
    self.read = read
    kept = cache
  }

  /// The file that a node names by its path; nil where it cannot be had, which is reported.
  func file(_ node: DocumentNode) -> ScenarioFile? {
    guard let path = Decode.nonEmptyText(node) else { return nil }
    if let file = files.first(where: { isSameText($0.path, path) }) { return file }
    if let file = kept.file(path) {
      files.append(file)
      return file
    }
    guard let bytes = read(path) else {
      return node.refuse(
        "the file \(quotation(of: path)) cannot be read",
        expected: "a path that begins where the scenario lies")
    }
    guard let file = ScenarioFile(path: path, bytes, node, expected: "a file in UTF-8") else {
      return nil
    }
    files.append(file)
    kept.keep(file)
    return file
  }

  /// The playlist at a path; nil if it cannot be had (silently) or is no text (reported at a node).
  func open(_ path: String, _ node: DocumentNode? = nil) -> ScenarioFile? {
    if let file = files.first(where: { isSameText($0.path, path) }) { return file }
    guard let bytes = read(path),
      let file = ScenarioFile(path: path, bytes, node, expected: "a playlist in UTF-8")
    else { return nil }
    files.append(file)
    return file
  }

  func note(_ message: String, of path: String, at place: String) {
    let known = notes.filter { $0.place.utf8.starts(with: path.utf8) }.map { $0.message }
    if !known.contains(where: { isSameText($0, message) }) { notes.append((place, message)) }
  }

  /// The first line of a file that begins so; the first of all where none does.
  func line(of start: String, in path: String) -> Int {
    let lines = open(path)?.text.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines?.firstIndex { $0.starts(with: start.utf8) } ?? 0) + 1
  }

  func has(_ path: String) -> Bool { read(path) != nil }
}

extension ScenarioFile {
  /// Reads a file of text; nil where it is none, which is reported with its first line that is not.
  fileprivate init?(path: String, _ bytes: [UInt8], _ node: DocumentNode?, expected: String) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self.init(path: path, text: text)
      return
    }
    var (index, line, start) = (0, 1, 0)
    while index < bytes.count {
      let length = lengthOfUTF8Sequence(in: bytes, at: index)
      if length == 0 { break }
      if bytes[index] == UInt8(ascii: "\n") { (line, start) = (line + 1, index + 1) }
      index += length
    }
    node?.refuse(
      file: path, line: line, column: index - start + 1, "the line is not UTF-8",
      expected: expected)
    return nil
  }
}

/// What is left behind while working, and belongs nowhere.
enum Leftovers {
  private static let notes = ["TODO", "FIXME", "XXX", "HACK"]
  private static let folders = ["work", "root", "tmp", "home"]

  static func notes(in file: SourceFile) -> [Finding] {
    guard notes.contains(where: { file.mentions($0) }) else { return [] }
    let texts =
      file.path.hasSuffix(".swift")
      ? file.comments.map { (Array($0.text.utf8)[...], $0.line) }
      : file.lines.enumerated().map { ($1, $0 + 1) }
    return texts.flatMap { text, line in
      words(in: text).filter(notes.contains).map {
        Finding(
          path: file.path, line: line, what: "`\($0)`",
          instead: "Do it, or open an issue that says what is missing",
          because: "a note in the code is read by nobody who plans the work")
      }
    }
  }

  /// Folders of one machine, anywhere in what is shipped.
  static func folders(in file: SourceFile) -> [Finding] {
    guard file.isUnder(["Sources/", "Scenarios/", "README.md", ".ci/", "Package.swift"]) else {
      return []
    }
    guard folders.contains(where: { file.mentions("/" + $0) }) else { return [] }
    return file.lines.enumerated().flatMap { index, line in
      absoluteFolders(in: line).filter(folders.contains).map {
        Finding(
          path: file.path, line: index + 1, what: "`/\($0)` is a folder of one machine",
          instead: "Write a path from the root of the checkout, or ask for a temporary folder",
          because: "the checkout is used on other machines")
      }
    }
  }

  private static func words(in text: ArraySlice<UInt8>) -> [String] {
    text.split(whereSeparator: { !isWord($0) }).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first part of every path in a line that begins at the root.
  private static func absoluteFolders(in line: ArraySlice<UInt8>) -> [String] {
    line.indices.compactMap { index in
      guard line[index] == UInt8(ascii: "/") else { return nil }
      if index > line.startIndex, continuesPath(line[index - 1]) { return nil }
      return String(decoding: line[(index + 1)...].prefix(while: isWord), as: UTF8.self)
    }
  }

  private static func continuesPath(_ byte: UInt8) -> Bool {
    isWord(byte) || [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "}")].contains(byte)
  }
}

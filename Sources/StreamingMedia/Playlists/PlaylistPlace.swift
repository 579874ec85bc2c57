package struct PlaylistPlace: Hashable, Sendable {
  /// The line, counted from 1; nil where the whole file is meant.
  package var line: Int32?
  package var tag: PlaylistTag?

  package init(line: Int32?, tag: PlaylistTag? = nil) {
    self.line = line
    self.tag = tag
  }

  /// The file and the line, as compilers write them: `file:line`, or the file alone.
  package func title(in file: String) -> String { line.map { "\(file):\($0)" } ?? file }
}

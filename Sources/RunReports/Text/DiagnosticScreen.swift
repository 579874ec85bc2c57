package import ExactText
package import ScenarioFormat

/// The mistakes of a file as a person reads them: a line for each, and below it the line of the
/// file with a caret under what is wrong.
///
/// A mistake that repeats itself is said three times; the text is never much longer than the file.
package struct DiagnosticScreen {
  private let diagnostics: [Diagnostic]
  private let file: String
  private let text: [UInt8]
  /// The text of another file.
  private let others: (String) -> [UInt8]?
  private let style: TextStyle

  package init(
    _ diagnostics: [Diagnostic], of file: String, _ text: [UInt8],
    others: @escaping (String) -> [UInt8]?, style: TextStyle
  ) {
    self.others = others
    self.diagnostics = diagnostics
    self.file = file
    self.text = text
    self.style = style
  }

  private static let mostAlike = 3
  /// Of those that differ only in what they quote.
  private static let mostSimilar = 20
  private static let mostExcerpts = 12

  package var lines: [String] {
    let most = 2 * text.count + 2_000
    var lines: [String] = []
    var kinds: [(form: String, count: Int, said: [(words: String, count: Int)])] = []
    var (length, excerpts, leftOut) = (0, 0, 0)
    for diagnostic in diagnostics {
      let said = diagnostic.message + (diagnostic.expected ?? "") + (diagnostic.suggestion ?? "")
      let form = Self.form(of: said)
      let kind = kinds.firstIndex { $0.form == form } ?? kinds.count
      if kind == kinds.count { kinds.append((form, 0, [])) }
      let place = kinds[kind].said.firstIndex { $0.words == said } ?? kinds[kind].said.count
      let isNew = place == kinds[kind].said.count
      if length > most || kinds[kind].count == Self.mostSimilar
        || !isNew && kinds[kind].said[place].count == Self.mostAlike
      {
        leftOut += 1
        continue
      }
      if isNew { kinds[kind].said.append((said, 0)) }
      kinds[kind].said[place].count += 1
      kinds[kind].count += 1
      let start = TestPlace(file: shown(diagnostic.file), diagnostic.position).text + ":"
      var block = [style.paint(start, .title) + " " + diagnostic.words]
      if excerpts < Self.mostExcerpts {
        let excerpt = excerpt(diagnostic)
        excerpts += excerpt.isEmpty ? 0 : 1
        block += excerpt
      }
      length += block.reduce(0) { $0 + $1.utf8.count }
      lines += block
    }
    if leftOut > 0 {
      let more = counted(Int64(leftOut), "more mistake")
      lines.append("and \(more); 'validate --format json' has all of a scenario")
    }
    return lines
  }

  /// The message without the text that it quotes.
  private static func form(of words: String) -> String {
    var form = String.UnicodeScalarView()
    var isQuoted = false
    for scalar in words.unicodeScalars {
      if scalar == "”" { isQuoted = false }
      if !isQuoted { form.append(scalar) }
      if scalar == "“" { isQuoted = true }
    }
    return String(form)
  }

  /// The line of the file, as much of it as is needed, with a caret below.
  private func excerpt(_ diagnostic: Diagnostic) -> [String] {
    guard let position = diagnostic.position,
      let text = isSameText(diagnostic.file, file) ? text : others(diagnostic.file),
      let line = line(position.line, of: text)
    else { return [] }
    let scalars = String(decoding: line, as: UTF8.self).unicodeScalars.map {
      isUnprintable($0) ? " " : $0
    }
    let column = min(position.column - 1, scalars.count)
    let first = scalars.count <= Self.excerptWidth ? 0 : max(0, column - Self.excerptWidth / 2)
    let end = min(scalars.count, first + Self.excerptWidth)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[first..<end])
    let margin = indented("\(position.line)", to: 5) + " | "
    let cutStart = first > 0 ? "…" : ""
    let cutEnd = end < scalars.count ? "…" : ""
    return [
      style.paint(margin, .faint) + cutStart + String(part) + cutEnd,
      style.paint(blank(5) + " | ", .faint)
        + blank(column - first + columns(of: cutStart)) + style.paint("^", .bad),
    ]
  }

  private static let excerptWidth = 80

  private func line(_ number: Int, of text: [UInt8]) -> ArraySlice<UInt8>? {
    text.withoutByteOrderMark
      .split(separator: 0x0A, maxSplits: number, omittingEmptySubsequences: false)
      .dropFirst(number - 1).first?.prefix { $0 != 0x0D }
  }
}

extension JSONTree {
  package static func diagnostics(_ diagnostics: [Diagnostic]) -> JSONTree {
    .list(diagnostics) { diagnostic in
      [
        "line": .whole(diagnostic.position?.line),
        "column": .whole(diagnostic.position?.column),
        "path": .string(diagnostic.path.text),
        "message": .string(diagnostic.message),
        "expected": .text(diagnostic.expected),
        "suggestion": .text(diagnostic.suggestion),
      ]
    }
  }
}

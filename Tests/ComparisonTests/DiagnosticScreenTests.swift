import ExactText
import RunReports
import ScenarioFormat
import Testing

/// Mistakes of a file as a person reads them, line by line and column by column.
@Suite struct DiagnosticScreenTests {
  private func mistake(
    _ message: String, in file: String = "a", at position: (Int, Int)? = nil
  ) -> Diagnostic {
    Diagnostic(
      file: file, position: position.map { TextPosition(line: $0.0, column: $0.1) },
      message: message)
  }

  private func lines(
    _ diagnostics: [Diagnostic], _ text: String, isColoured: Bool = false
  ) -> [String] {
    DiagnosticScreen(
      diagnostics, of: "a", Array(text.utf8),
      others: { $0 == "b" ? Array("of another\n  file".utf8) : nil },
      style: TextStyle(width: 80, isColoured: isColoured)
    ).lines
  }

  /// 80 columns of a longer line are shown: those around the place, or the last ones.
  @Test(
    arguments: [
      (80, 1, 0..<80, 0), (80, 80, 0..<80, 79), (80, 81, 0..<80, 80), (80, 99, 0..<80, 80),
      (81, 1, 0..<80, 0), (81, 41, 0..<80, 40), (81, 42, 1..<81, 41), (81, 81, 40..<81, 41),
      (200, 42, 1..<81, 41), (200, 160, 119..<199, 41), (200, 161, 120..<200, 41),
      (200, 162, 121..<200, 41), (200, 900, 160..<200, 41),
    ] as [(Int, Int, Range<Int>, Int)])
  func `a long line is cut around the place of the mistake`(
    length: Int, column: Int, part: Range<Int>, caret: Int
  ) {
    let letters = (0..<length).map { Array("abcdefghijklmnopqrstuvwxyz")[$0 % 26] }
    let cut = (part.lowerBound > 0, part.upperBound < length)
    #expect(
      lines([mistake("wrong", at: (2, column))], "one\n\(String(letters))\r\nthree") == [
        "a:2:\(column): wrong",
        "    2 | " + (cut.0 ? "…" : "") + String(letters[part]) + (cut.1 ? "…" : ""),
        "      | " + String(repeating: " ", count: caret) + "^",
      ])
  }

  @Test func `the line is that of the file that is meant, without a byte order mark`() {
    let text = "\u{FEFF}first\r\n\tsecond\n"
    #expect(
      lines([mistake("x", at: (1, 2)), mistake("y", at: (2, 1)), mistake("z", at: (3, 1))], text)
        == [
          "a:1:2: x", "    1 | first", "      |  ^", "a:2:1: y", "    2 |  second", "      | ^",
          "a:3:1: z", "    3 | ", "      | ^",
        ])
    #expect(lines([mistake("x", at: (4, 1)), mistake("y")], text) == ["a:4:1: x", "a: y"])
    #expect(
      lines([mistake("x", in: "b", at: (2, 3)), mistake("y", in: "c", at: (1, 1))], text)
        == ["b:2:3: x", "    2 |   file", "      |   ^", "c:1:1: y"])
    #expect(
      lines([mistake("x", at: (1, 1))], "text", isColoured: true) == [
        "\u{1B}[1ma:1:1:\u{1B}[0m x", "\u{1B}[2m    1 | \u{1B}[0mtext",
        "\u{1B}[2m      | \u{1B}[0m\u{1B}[31m^\u{1B}[0m",
      ])
  }

  private static let more = "; 'validate --format json' has all of a scenario"

  @Test(arguments: [(1, 0), (3, 0), (4, 1), (5, 2), (1_003, 1_000)])
  func `the same mistake is said three times`(count: Int, leftOut: Int) {
    let said = lines(Array(repeating: mistake("the same"), count: count), "")
    let words = leftOut == 1 ? "1 more mistake" : "\(leftOut == 2 ? "2" : "1,000") more mistakes"
    #expect(
      said == Array(repeating: "a: the same", count: count - leftOut)
        + (leftOut > 0 ? ["and \(words)\(Self.more)"] : []))
  }

  @Test(arguments: [(20, 0), (21, 1), (25, 5)])
  func `mistakes that differ in what they quote are said twenty times`(count: Int, leftOut: Int) {
    let said = lines(
      (0..<count).map { mistake("no “\($0)” in “\($0 * 7)” here") } + [mistake("another")], "")
    let rest = leftOut == 1 ? "1 more mistake" : "\(leftOut) more mistakes"
    #expect(
      said.dropFirst(count - leftOut)
        == ["a: another"] + (leftOut > 0 ? ["and \(rest)\(Self.more)"] : []))
    #expect(lines((0..<30).map { mistake("no \($0) here") }, "").count == 30)
  }

  @Test func `hints make a mistake another one`() {
    var (expected, suggested) = (mistake("wrong"), mistake("wrong"))
    (expected.expected, suggested.suggestion) = ("a number", "right")
    let all = Array(repeating: mistake("wrong"), count: 4) + [expected, suggested]
    #expect(
      lines(all, "") == [
        "a: wrong", "a: wrong", "a: wrong", "a: wrong (expected a number)",
        "a: wrong (did you mean “right”?)", "and 1 more mistake\(Self.more)",
      ])
  }

  @Test func `twelve mistakes have their line, and a mistake without one is not counted`() {
    let mistakes = (0..<15).map { mistake("wrong \($0)", at: ($0 < 2 ? 9 : 1, 1)) }
    let said = lines(mistakes, "{}")
    #expect(said.count == 15 + 2 * 12)
    #expect(
      said.suffix(4) == ["a:1:1: wrong 13", "    1 | {}", "      | ^", "a:1:1: wrong 14"])
  }

  /// Twice the length of the file and 2,000 bytes may be said before the last mistake: `a: ` and
  /// its words are counted.
  @Test(
    arguments: [
      (0, 664, 3), (0, 997, 3), (0, 998, 2), (1, 998, 3), (1, 999, 2), (500, 997, 4), (500, 998, 3),
    ])
  func `what is said is not much longer than the file`(text: Int, words: Int, said: Int) {
    let letters = "abcdefgh"
    let mistakes = letters.map { mistake(String(repeating: String($0), count: words)) }
    #expect(
      lines(mistakes, String(repeating: "x", count: text)).dropFirst(said)
        == ["and \(8 - said) more mistakes\(Self.more)"])
  }
}

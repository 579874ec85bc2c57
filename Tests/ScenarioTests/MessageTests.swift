import ExactText
import Testing

/// Text of somebody's file in a message: none of it reaches a terminal as it is.
@Suite struct MessageTests {
  /// Spelled out are controls, tags, and characters that turn or part a line or have no width.
  private static let unprintable: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
    0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F, 0x10FF80...0x10FFFF,
  ]

  @Test func `of all scalars those are spelled out that a terminal obeys or a reader does not see`()
  {
    for value in (0...0x10FFFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if value > 0x3000, value < 0xFE00 || value > 0x1_0100 && value < 0xD_FF00 { continue }
      let isUnprintable = Self.unprintable.contains { $0.contains(value) }
      #expect(ExactText.isUnprintable(scalar) == isUnprintable, "\(value)")
      if !isUnprintable { continue }
      let digits = String(value, radix: 16).uppercased()
      let spelling =
        switch value {
        case 9: "\\t"
        case 10: "\\n"
        case 13: "\\r"
        // The bytes 0x80 to 0xFF.
        case 0x10FF80...: "\\x\(digits.suffix(2))"
        default: "\\u{\(digits)}"
        }
      #expect(ExactText.spelling(of: scalar) == spelling, "\(value)")
    }
  }

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("größer — “ja”", "größer — “ja”"),
    ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("\t", "\\t"), ("one\r\ntwo\n", "one\\r\\ntwo\\n"),
    ("\u{202E}abc", "\\u{202E}abc"), ("\u{10FFE4}", "\\xE4"), ("\u{0}\u{7F}", "\\u{0}\\u{7F}"),
  ])
  func `a line shows what it may and spells the rest out`(text: String, shown: String) {
    #expect(ExactText.shown(text) == shown)
    #expect(harmless(text) == shown)
    #expect(quotation(of: text) == "“\(shown)”")
  }

  @Test(arguments: [0, 1, 59, 60, 61, 62, 1_000])
  func `sixty characters of a text are shown`(count: Int) {
    let text = String(repeating: "x", count: count)
    #expect(harmless(text) == (count > 60 ? String(repeating: "x", count: 60) + "…" : text))
    let wide = String(repeating: "\n", count: count)
    #expect(harmless(wide).count == 2 * min(60, count) + (count > 60 ? 1 : 0))
  }

  @Test func `parts of a sentence have commas, and a word before the last`() {
    #expect(enumeration([]) == "")
    #expect(enumeration(["a"]) == "a")
    #expect(enumeration(["a", "b"]) == "a and b")
    #expect(enumeration(["a", "b", "c"], by: "or") == "a, b or c")
    #expect(enumeration(["a", "b", "c", "d"]) == "a, b, c and d")
    #expect(alternatives(["a\n", "b"]) == "“a\\n” or “b”")
  }

  @Test func `what is replaced is replaced wherever it stands`() {
    #expect(replacing("aXbXX") { $0 == "X" ? "…" : nil } == "a…b……")
    #expect(replacing("") { _ in "y" } == "")
    #expect(replacing("né") { _ in nil } == "né")
  }
}

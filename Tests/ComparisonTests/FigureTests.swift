import RunReports
import Testing

/// Numbers as a person reads them, and the layout of text.
@Suite struct FigureTests {
  @Test(arguments: [
    (0, "0.0 s"), (49_999_999, "0.0 s"), (50_000_000, "0.1 s"), (6_104_895_105, "6.1 s"),
    (39_000_000_000, "39.0 s"), (-50_000_000, "0.0 s"), (-50_000_001, "-0.1 s"),
    (Int64.max, "9223372036.9 s"), (Int64.min, "-9223372036.9 s"),
  ])
  func `seconds on a screen have one decimal, half up`(nanoseconds: Int64, text: String) {
    #expect(shownSeconds(nanoseconds) == text)
  }

  @Test func `seconds that are compared have three`() {
    #expect(exactSeconds(6_104_895_105) == "6.105 s")
    #expect(bareSeconds(999_500) == "0.001")
    #expect(bareSeconds(499_999) == "0.000")
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 kB"), (9_750_000, "9.75 MB"),
    (9_999_999, "10 MB"), (1_234_567_890, "1.235 GB"),
  ])
  func `bytes have the unit that suits them`(count: Int64, text: String) {
    #expect(shownBytes(count) == text)
  }

  @Test func `spans have milliseconds below a second`() {
    #expect(shownSpan(0) == "0 ms")
    #expect(shownSpan(40_000_000) == "40 ms")
    #expect(shownSpan(1_500_000) == "1.5 ms")
    #expect(shownSpan(39_000_000_000) == "39 s")
  }

  @Test func `large counts are grouped`() {
    #expect(grouped(0) == "0")
    #expect(grouped(999) == "999")
    #expect(grouped(1_000) == "1,000")
    #expect(grouped(-1_234_567) == "-1,234,567")
    #expect(counted(1, "stall") == "1 stall")
    #expect(counted(2_000, "stall") == "2,000 stalls")
  }

  @Test func `text is broken at spaces, and a word that is too long stands alone`() {
    #expect(wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(wrapped("a extraordinarily b", width: 5) == ["a", "extraordinarily", "b"])
    #expect(wrapped("", width: 10).isEmpty)
  }

  @Test func `paint is put on where there are colours, and never on nothing`() {
    #expect(TextStyle.plain.paint("x", .bad) == "x")
    let style = TextStyle(width: 80, isColoured: true)
    #expect(style.paint("x", .bad) == "\u{1B}[31mx\u{1B}[0m")
    #expect(style.paint("", .bad).isEmpty)
  }
}

import ExactText
import RunReports
import Testing
import VirtualTime

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
    (9_999_999, "10 MB"), (1_234_567_890, "1.235 GB"), (999_999, "999.999 kB"),
    (1_000_000, "1 MB"), (999_999_999, "1000 MB"), (1_000_000_000, "1 GB"), (1_005, "1.005 kB"),
    (-1, "-1 bytes"), (-999, "-999 bytes"), (-1_000, "-1 kB"), (1_000_500, "1.001 MB"),
  ])
  func `bytes have the unit that suits them`(count: Int64, text: String) {
    #expect(shownBytes(count) == text)
  }

  @Test(arguments: [
    (0, "0 bit/s"), (999, "999 bit/s"), (1_000, "1 kbit/s"), (999_999, "999.999 kbit/s"),
    (1_000_000, "1 Mbit/s"), (1_715_500, "1.716 Mbit/s"), (999_999_999, "1000 Mbit/s"),
    (1_000_000_000, "1 Gbit/s"), (12_345_000_000, "12.345 Gbit/s"),
  ])
  func `rates have the unit that suits them`(bits: Int64, text: String) {
    #expect(shownRate(.bitsPerSecond(bits)) == text)
  }

  @Test func `spans have milliseconds below a second`() {
    #expect(shownSpan(999_999_999) == "1000 ms")
    #expect(shownSpan(1_000_000_000) == "1 s")
    #expect(shownSpan(-999_000_000) == "-999 ms")
    #expect(shownSpan(-1_000_000_000) == "-1 s")
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
    #expect(grouped(100_000) == "100,000")
    #expect(grouped(-999) == "-999")
    #expect(counted(1, "stall") == "1 stall")
    #expect(counted(2_000, "stall") == "2,000 stalls")
    #expect(counted(1, "entry", "entries") == "1 entry")
    #expect(counted(1_000, "entry", "entries") == "1,000 entries")
  }

  @Test func `text is broken at spaces, and a word that is too long stands alone`() {
    #expect(wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(wrapped("a extraordinarily b", width: 5) == ["a", "extraordinarily", "b"])
    #expect(wrapped("", width: 10).isEmpty)
  }

  @Test(arguments: [(0, 40), (39, 40), (40, 40), (41, 41), (99, 99), (100, 100), (101, 100)])
  func `a text has 40 columns at least, and 100 at most`(width: Int, columns: Int) {
    #expect(TextStyle(width: width, isColoured: false).width == columns)
    #expect(TextStyle(width: width, isColoured: false, atMost: 99).width == min(columns, 99))
    #expect(TextStyle(width: 141, isColoured: false, atMost: 140).width == 140)
  }

  @Test func `each tint is a colour of the terminal`() {
    let style = TextStyle(width: 80, isColoured: true)
    let tints: [Tint] = [.title, .faint, .paused, .good, .playing, .bad, .waiting]
    #expect(
      tints.map { style.paint("x", $0) }
        == ["1", "2", "2", "32", "32", "31", "33"].map { "\u{1B}[\($0)mx\u{1B}[0m" })
    #expect(style.paint("x", nil) == "x")
  }

  @Test func `paint is put on where there are colours, and never on nothing`() {
    #expect(TextStyle.plain.paint("x", .bad) == "x")
    let style = TextStyle(width: 80, isColoured: true)
    #expect(style.paint("x", .bad) == "\u{1B}[31mx\u{1B}[0m")
    #expect(style.paint("", .bad).isEmpty)
  }
}

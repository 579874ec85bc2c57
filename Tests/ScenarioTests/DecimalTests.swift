import ScenarioFormat
import Testing
import VirtualTime

@Suite struct DecimalTests {
  @Test(
    arguments: [
      (0, 9, 1, "0.0"), (49_999_999, 9, 1, "0.0"), (50_000_000, 9, 1, "0.1"),
      (149_999_999, 9, 1, "0.1"), (150_000_000, 9, 1, "0.2"), (949_999_999, 9, 1, "0.9"),
      (950_000_000, 9, 1, "1.0"), (-50_000_000, 9, 1, "0.0"), (-50_000_001, 9, 1, "-0.1"),
      (-150_000_000, 9, 1, "-0.1"), (-150_000_001, 9, 1, "-0.2"), (1_234_567, 3, 3, "1234.567"),
      (1_234_567, 3, 5, "1234.567"), (1_005, 3, 2, "1.01"), (-1_005, 3, 2, "-1.00"),
      (1_004, 3, 2, "1.00"), (7, 3, 3, "0.007"), (70, 3, 3, "0.070"), (500, 3, 0, "1"),
      (499, 3, 0, "0"), (-500, 3, 0, "0"), (-501, 3, 0, "-1"), (5, 0, 0, "5"), (-5, 0, 3, "-5"),
      (.max, 9, 9, "9223372036.854775807"), (.min, 9, 9, "-9223372036.854775808"),
    ] as [(Int64, Int, Int, String)])
  func `a decimal is rounded to its places, halves up`(
    units: Int64, given: Int, places: Int, text: String
  ) {
    #expect(decimal(units, of: given, places: places) == text)
  }

  @Test(
    arguments: [
      (-50_000_000, "-0.1"), (50_000_000, "0.1"), (-49_999_999, "0.0"), (49_999_999, "0.0"),
      (-150_000_000, "-0.2"), (0, "0.0"),
    ] as [(Int64, String)])
  func `halves go away from zero where that is asked`(units: Int64, text: String) {
    #expect(decimal(units, of: 9, places: 1, awayFromZero: true) == text)
  }

  @Test func `times, ranges and rates are shown to a tenth`() {
    #expect(shown(MediaTime.milliseconds(1_250)) == "1.3s")
    #expect(
      shown([.zero ..< .seconds(2), .seconds(3) ..< .milliseconds(4_040)])
        == "[[0.0s, 2.0s], [3.0s, 4.0s]]")
    #expect(shown([Range<MediaTime>]()) == "[]")
    #expect(shown(PlaybackRate(3, over: 2)) == "1.5" && shown(PlaybackRate.normal) == "1.0")
  }

  @Test(
    arguments: [
      (.distance(.count(2)), .count(12), .count(10), true),
      (.distance(.count(2)), .count(8), .count(10), true),
      (.distance(.count(2)), .count(13), .count(10), false),
      (.distance(.count(2)), .count(7), .count(10), false),
      (.distance(.count(0)), .count(10), .count(10), true),
      (.distance(.null), .count(10), .count(10), true),
      (.distance(.null), .count(11), .count(10), false),
      (.distance(.time(1)), .time(-4), .time(-5), true),
      (.share(100_000), .count(110), .count(100), true),
      (.share(100_000), .count(90), .count(100), true),
      (.share(100_000), .count(111), .count(100), false),
      (.share(100_000), .count(89), .count(100), false),
      (.share(0), .count(100), .count(100), true), (.share(0), .count(101), .count(100), false),
      (.share(1), .count(1), .count(0), false), (.share(1), .count(0), .count(0), true),
      (.share(500_000), .count(-5), .count(-10), true),
      (.share(500_000), .rate(PlaybackRate(3, over: 2)), .rate(.normal), true),
      (.share(499_999), .rate(PlaybackRate(3, over: 2)), .rate(.normal), false),
      (.share(1), .text("a"), .text("a"), true), (.share(1), .text("a"), .text("b"), false),
      (.share(1), .null, .count(1), false), (.share(1), .count(1), .null, false),
      (.distance(.count(1)), .null, .null, true),
    ] as [(FigureTolerance, PropertyValue, PropertyValue, Bool)])
  func `a tolerance accepts what is near enough, and nothing else`(
    tolerance: FigureTolerance, value: PropertyValue, recorded: PropertyValue, isAccepted: Bool
  ) {
    #expect(tolerance.accepts(value, recorded: recorded) == isAccepted)
  }
}

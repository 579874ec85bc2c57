import Testing
import VirtualTime

@Suite struct CalendarTests {
  private static let second: Int64 = 1_000_000_000
  private static let day = 86_400 * second

  private func instant(_ text: String) -> Int64? {
    calendarInstant(Array(text.utf8)[...])
  }

  /// Days since 1970 as `date -u +%s` counts them, divided by 86,400.
  @Test(arguments: [
    ("1970-01-01", 0), ("1970-01-02", 1), ("1969-12-31", -1), ("1970-12-31", 364),
    ("1971-01-01", 365), ("1972-02-28", 788), ("1972-02-29", 789), ("1972-03-01", 790),
    ("1999-12-31", 10_956), ("2000-01-01", 10_957), ("2000-02-29", 11_016),
    ("2000-03-01", 11_017), ("2001-02-28", 11_381), ("2001-03-01", 11_382),
    ("2021-06-07", 18_785), ("2024-12-31", 20_088), ("2100-02-28", 47_540),
    ("2100-03-01", 47_541), ("1900-02-28", -25_509), ("1900-03-01", -25_508),
    ("1700-01-01", -98_615), ("2255-12-31", 104_458),
  ])
  func `a date is so many days after the first of 1970`(date: String, days: Int64) {
    #expect(instant(date + "T00:00:00Z") == days * Self.day)
  }

  @Test func `every month has its last day, and no later one`() {
    for (year, february) in [(1999, 28), (1972, 29), (1900, 28), (2000, 29), (2200, 28)] {
      let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        for day in 0...32 {
          let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
          #expect((instant(text + "T00:00:00Z") != nil) == (1...length).contains(day), "\(text)")
        }
      }
    }
    #expect(instant("1999-00-10T00:00:00Z") == nil && instant("1999-13-10T00:00:00Z") == nil)
  }

  @Test(arguments: [
    ("00:00:00", 0), ("00:00:01", 1), ("00:01:00", 60), ("01:00:00", 3_600),
    ("23:59:59", 86_399), ("24:00:00", 86_400), ("23:59:60", 86_400), ("12:34:56", 45_296),
    ("09:08:07", 32_887), ("00:00:00Z", 0), ("00:00:00+00:00", 0), ("02:30:00+02:30", 0),
    ("02:30:00+0230", 0), ("02:00:00+02", 0), ("00:00:00-01:15", 4_500), ("00:00:00-0100", 3_600),
    ("23:59:00+23:59", 0), ("00:00:00-23:59", 86_340),
  ])
  func `a time of the day counts its seconds, less the offset`(time: String, seconds: Int64) {
    #expect(instant("1970-01-01T" + time) == seconds * Self.second)
  }

  @Test(arguments: [
    (".0", 0), (".1", 100_000_000), (",25", 250_000_000), (".000001", 1_000),
    (".123456789", 123_456_789), (".1234567891", 123_456_789), (".12345678", 123_456_780),
    (".999999999999", 999_999_999), (".0000000009", 0), (".5Z", 500_000_000),
    (".5+00:00", 500_000_000),
  ])
  func `digits of a second count to the ninth`(fraction: String, nanoseconds: Int64) {
    #expect(instant("1970-01-01T00:00:00" + fraction) == nanoseconds)
    #expect(instant("1969-12-31T23:59:59" + fraction) == nanoseconds - Self.second)
  }

  @Test(arguments: [
    "", "1970", "1970-01-01", "1970-01-01T", "1970-01-01T00:00", "1970-01-01T00:00:0",
    "197-01-01T00:00:00", "19700-01-01T00:00:00", "1970-1-01T00:00:00", "1970-01-1T00:00:00",
    "1970-001-01T00:00:00", "1970-01-001T00:00:00", "1970-01-01T0:00:00", "1970-01-01T000:00:00",
    "1970-01-01T00:0:00", "1970-01-01T00:000:00", "1970-01-01T00:00:000", "1970/01-01T00:00:00",
    "1970-01/01T00:00:00", "1970-01-01 00:00:00", "1970-01-01t00:00:00", "1970-01-01T00-00:00",
    "1970-01-01T00:00-00", "1970-01-01T25:00:00", "1970-01-01T00:60:00", "1970-01-01T00:00:61",
    "1970-01-01T00:00:00.", "1970-01-01T00:00:00,", "1970-01-01T00:00:00.Z",
    "1970-01-01T00:00:00.5x", "1970-01-01T00:00:00ZZ", "1970-01-01T00:00:00z",
    "1970-01-01T00:00:00+", "1970-01-01T00:00:00+1", "1970-01-01T00:00:00+24:00",
    "1970-01-01T00:00:00+00:60", "1970-01-01T00:00:00+00:0", "1970-01-01T00:00:00+00:000",
    "1970-01-01T00:00:00+:00", "1970-01-01T00:00:00*00:00", "-970-01-01T00:00:00",
    "197:-01-01T00:00:00", "197/-01-01T00:00:00",
  ])
  func `anything else is no date`(text: String) {
    #expect(instant(text) == nil)
  }

  @Test func `the years that nanoseconds can count are read, and others are none`() {
    // 2⁶³ nanoseconds end on 11 April 2262, at 23:47:16.854775807.
    #expect(instant("2262-04-11T23:47:16.854775807Z") == .max)
    #expect(instant("2262-04-11T23:47:16.854775808Z") == nil)
    #expect(instant("1677-09-21T00:12:43.145224192Z") == .min)
    #expect(instant("1677-09-21T00:12:43.145224191Z") == nil)
    #expect(instant("0000-03-01T00:00:00Z") == nil && instant("9999-12-31T00:00:00Z") == nil)
  }

  @Test func `digits are bytes from 0 to 9`() {
    for byte in UInt8.min...UInt8.max {
      let expected: Int64? = (48...57).contains(byte) ? Int64(byte) - 48 : nil
      #expect(decimalDigit(byte) == expected)
    }
  }
}

import ExactText
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

@Suite struct QuantityProblemTests {
  static let times = "ns, us, µs, ms, s, min, h, days, years"
  static let sizes = "B, byte, bytes, KB, kB, MB, GB, KiB, MiB, GiB"

  @Test(
    arguments: [
      (
        "300 years",
        "“300 years” is too large, expected at most 9223372036.854775807 s, about 292 years"
      ),
      ("9223372036.854775808 s", nil),
      ("1" + String(repeating: "0", count: 50) + " s", nil),
      ("0.5 ns", "“0.5 ns” is finer than a nanosecond, expected fewer decimals"),
      ("0.0000000001 s", nil),
      ("0." + String(repeating: "0", count: 200) + "1 s", nil),
      ("-5 s", "“-5 s” is negative, expected a time from zero up"),
      ("100", "“100” has no unit, expected one of \(times), as in “100 ms”"),
      ("", "“” is no time, expected a number and a unit (\(times)), such as “100 ms”"),
      (".5 s", nil), ("5. s", nil), ("+5 s", nil), (" 5 s", nil), ("- 5 s", nil), ("s", nil),
      (
        "100 mss",
        "“100 mss” has the unknown unit “mss”, expected one of \(times); did you mean “ms”?"
      ),
      (
        "3 seconds",
        "“3 seconds” has the unknown unit “seconds”, expected one of \(times); did you mean “s”?"
      ),
      (
        "1 day",
        "“1 day” has the unknown unit “day”, expected one of \(times); did you mean “days”?"
      ),
      ("3,5 s", "“3,5 s” has a comma in its number, expected a decimal point and nothing else"),
      ("1e3 s", "“1e3 s” has the unknown unit “e3 s”, expected one of \(times)"),
      ("5 s ", nil), ("5 MB", nil),
    ] as [(text: String, problem: String?)])
  func `a time that cannot be says why`(text: String, problem: String?) {
    check(problem) { () throws(QuantityProblem) in _ = try Quantity.timeSpan(text.bytes) }
  }

  @Test(
    arguments: [
      ("0.3 bytes", "“0.3 bytes” is finer than a byte, expected fewer decimals"),
      (
        "10000000000 GB",
        "“10000000000 GB” is too large, expected at most 9223372036854775807 bytes"
      ),
      (
        "64 kb",
        "“64 kb” has the unknown unit “kb”, expected one of \(sizes); did you mean “KB”?"
      ),
      ("-1 B", "“-1 B” is negative, expected a size from zero up"),
    ] as [(text: String, problem: String?)])
  func `a size that cannot be says why`(text: String, problem: String?) {
    check(problem) { () throws(QuantityProblem) in _ = try Quantity.bytes(text.bytes) }
  }

  @Test(
    arguments: [
      (
        "2 Mbps",
        "“2 Mbps” has the unknown unit “Mbps”, expected one of bit/s, kbit/s, Mbit/s, Gbit/s; "
          + "did you mean “Mbit/s”?"
      ),
      (
        "2 mbit/s",
        "“2 mbit/s” has the unknown unit “mbit/s”, expected one of bit/s, kbit/s, Mbit/s, Gbit/s; "
          + "did you mean “Mbit/s”?"
      ),
      (
        "10000000000 Gbit/s",
        "“10000000000 Gbit/s” is too large, expected at most 9223372036854775807 bit/s"
      ),
      (
        "0.0000000001 bit/s",
        "“0.0000000001 bit/s” is finer than a billionth of a bit per second, "
          + "expected fewer decimals"
      ),
      ("100000000000.123456789 bit/s", nil),
      ("-2 Mbit/s", "“-2 Mbit/s” is negative, expected a bit rate from zero up"),
      (
        "unlimitted",
        "“unlimitted” is no bit rate, expected a number and a unit (bit/s, kbit/s, Mbit/s, "
          + "Gbit/s), such as “780 kbit/s”; did you mean “unlimited”?"
      ),
    ] as [(text: String, problem: String?)])
  func `a bandwidth that cannot be says why`(text: String, problem: String?) {
    check(problem) { () throws(QuantityProblem) in _ = try Quantity.bandwidth(text.bytes) }
  }

  @Test(
    arguments: [
      ("101 %", "“101 %” exceeds 100 %, expected 0 % to 100 %"),
      ("-1 %", "“-1 %” is negative, expected a percentage from zero up"),
      (
        "10 percent",
        "“10 percent” has the unknown unit “percent”, expected one of %; did you mean “%”?"
      ),
      (
        "0.0000000001 %",
        "“0.0000000001 %” is finer than a billionth of a percent, expected fewer decimals"
      ),
    ] as [(text: String, problem: String?)])
  func `a probability that cannot be says why`(text: String, problem: String?) {
    check(problem) { () throws(QuantityProblem) in _ = try Quantity.lossRatio(text.bytes) }
  }

  @Test(
    arguments: [
      (
        "-1",
        "the playback rate “-1” is negative, expected a rate from zero up; media is not played "
          + "backwards here"
      ),
      ("2147483648", "the playback rate “2147483648” is too large, expected at most 2147483647"),
      (
        "1e99999999999",
        "the playback rate “1e99999999999” is too large, expected at most 2147483647"
      ),
      ("1e-99999999999", nil),
      (
        "3.000000001",
        "the playback rate “3.000000001” has too many digits, expected at most nine digits in all"
      ),
      ("fast", "“fast” is no playback rate, expected a number such as 1.5"),
    ] as [(text: String, problem: String?)])
  func `a playback rate that cannot be says why`(text: String, problem: String?) {
    check(problem) { () throws(QuantityProblem) in _ = try Quantity.playbackRate(text.bytes) }
  }

  @Test func `a message is short and moves no cursor`() {
    let text = "1 \u{1B}[2J\n" + String(repeating: "x", count: 1_000)
    do throws(QuantityProblem) {
      _ = try Quantity.timeSpan(text.bytes)
      Issue.record("that is no time")
    } catch {
      #expect(error.message.unicodeScalars.count < 200)
      #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
  }

  @Test func `odd texts are quantities or are refused`() {
    let pieces = [
      "0", "9", "10", "000", "999999999999", ".", "-", "e", "+", " ", "ns", "s", "years", "MB",
      "GiB",
      "Gbit/s", "bit/s", "%", "unlimited", "é", "\0", ",",
    ]
    var damage = Damage(state: 2)
    var accepted = 0
    let count = Seeds.count(1_500, inRelease: 10_000)
    for _ in 0..<count {
      var text = ""
      for _ in 0...damage.below(6) { text += pieces[damage.below(pieces.count)] }
      if (try? Quantity.nanoseconds(text.bytes, signed: true)) != nil { accepted += 1 }
      if (try? Quantity.bytes(text.bytes)) != nil { accepted += 1 }
      if (try? Quantity.bandwidth(text.bytes)) != nil { accepted += 1 }
      if (try? Quantity.lossRatio(text.bytes)) != nil { accepted += 1 }
      if (try? Quantity.playbackRate(text.bytes)) != nil { accepted += 1 }
    }
    #expect(accepted * 20 > count)
  }

  private func check(_ problem: String?, _ read: () throws(QuantityProblem) -> Void) {
    do throws(QuantityProblem) {
      try read()
      Issue.record("that should have been refused")
    } catch {
      if let problem { #expect(error.text == problem) }
    }
  }
}

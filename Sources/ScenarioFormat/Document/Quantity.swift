import ExactText
package import LinkConditioner
package import VirtualTime

/// Quantities as people write them, read without a binary fraction in between: a value that is not
/// a whole number of the smallest unit is refused rather than rounded.
package enum Quantity {
  /// Reads a time, in nanoseconds: "3.5 s", "2 min"; a day has 24 hours and a year 365 days.
  package static func nanoseconds(
    _ text: ArraySlice<UInt8>, signed: Bool = false
  ) throws(QuantityProblem) -> Int64 {
    try whole(
      text, of: .time, signed: signed,
      QuantityLimits(step: "a nanosecond", largest: "9223372036.854775807 s, about 292 years"))
  }

  package static func timeSpan(_ text: ArraySlice<UInt8>) throws(QuantityProblem) -> TimeSpan {
    TimeSpan(nanoseconds: try nanoseconds(text))
  }

  package static func mediaTime(
    _ text: ArraySlice<UInt8>, signed: Bool = false
  ) throws(QuantityProblem) -> MediaTime {
    MediaTime(nanoseconds: try nanoseconds(text, signed: signed))
  }

  /// Reads a size, in bytes: "1.5 MB", "64 KB", "200 bytes", "2 MiB".
  package static func bytes(_ text: ArraySlice<UInt8>) throws(QuantityProblem) -> Int64 {
    try whole(
      text, of: .size, signed: false,
      QuantityLimits(step: "a byte", largest: "9223372036854775807 bytes"))
  }

  /// Reads a bit rate: "780 kbit/s", "0.826531177829 Mbit/s".
  package static func bitRate(_ text: ArraySlice<UInt8>) throws(QuantityProblem) -> BitRate {
    // With a larger denominator the bytes of a long flow would not fit 128 bits.
    let ratio = try QuantityText(text, of: .bitRate).ratio(
      denominatorsUpTo: 1_000_000_000,
      QuantityLimits(step: "a billionth of a bit per second", largest: "9223372036854775807 bit/s"))
    return BitRate(bitsPerSecond: ratio.numerator, over: ratio.denominator)
  }

  /// Reads a bit rate or "unlimited".
  package static func bandwidth(_ text: ArraySlice<UInt8>) throws(QuantityProblem) -> Bandwidth {
    if text.elementsEqual("unlimited".utf8) { return .unlimited }
    do throws(QuantityProblem) {
      return .limited(try bitRate(text))
    } catch {
      var problem = error
      let word = String(decoding: text, as: UTF8.self)
      if nearestWord(to: word, among: ["unlimited"]) != nil { problem.suggestion = "unlimited" }
      throw problem
    }
  }

  /// Reads a percentage as a ratio: "10 %" is 1 over 10.
  package static func percentage(_ text: ArraySlice<UInt8>) throws(QuantityProblem) -> Ratio {
    try QuantityText(text, of: .percentage).ratio(
      denominatorsUpTo: 1_000_000_000, over: 100,
      QuantityLimits(step: "a billionth of a percent", largest: "9223372036854775807 %"))
  }

  /// Reads a probability: "0 %" to "100 %".
  package static func lossRatio(_ text: ArraySlice<UInt8>) throws(QuantityProblem) -> LossRatio {
    let ratio = try percentage(text)
    guard ratio.numerator <= ratio.denominator else {
      throw QuantityProblem("\(quotation(of: text)) exceeds 100 %", expected: "0 % to 100 %")
    }
    return LossRatio(ratio.numerator, over: ratio.denominator)
  }

  private static func whole(
    _ text: ArraySlice<UInt8>, of system: UnitSystem, signed: Bool, _ limits: QuantityLimits
  ) throws(QuantityProblem) -> Int64 {
    try QuantityText(text, of: system).ratio(signed: signed, denominatorsUpTo: 1, limits).numerator
  }
}

package struct Ratio: Hashable, Sendable {
  package let numerator: Int64
  package let denominator: Int64

  /// - Precondition: the denominator is positive.
  package init(_ numerator: Int64, over denominator: Int64 = 1) {
    precondition(denominator > 0, "a ratio needs a positive denominator")
    let divisor =
      denominator == 1
      ? 1 : max(1, Int64(clamping: greatestCommonDivisor(numerator, denominator).magnitude))
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }
}

extension Quantity {
  /// Reads a playback rate from zero up: 1.5, or 2e0 as JSON may write it.
  package static func playbackRate(_ text: ArraySlice<UInt8>) throws(QuantityProblem)
    -> PlaybackRate
  {
    let ratio = try rethrowing(try ExactDecimal(json: text).ratio(times: 1)) {
      problem($0, with: text)
    }
    guard ratio.numerator >= 0 else {
      throw QuantityProblem(
        "the playback rate \(quotation(of: text)) is negative",
        expected: "a rate from zero up; media is not played backwards here")
    }
    guard let denominator = Int32(exactly: ratio.denominator),
      let numerator = Int32(exactly: ratio.numerator)
    else {
      let isLarge = ratio.numerator / ratio.denominator > Int128(Int32.max)
      throw problem(isLarge ? .tooLarge : .tooFine, with: text)
    }
    return PlaybackRate(numerator, over: denominator)
  }

  private static func problem(
    _ failure: ExactDecimal.Failure, with text: ArraySlice<UInt8>
  ) -> QuantityProblem {
    let shown = quotation(of: text)
    switch failure {
    case .noNumber:
      return QuantityProblem("\(shown) is no playback rate", expected: "a number such as 1.5")
    case .tooLarge:
      return QuantityProblem(
        "the playback rate \(shown) is too large", expected: "at most \(Int32.max)")
    case .tooFine:
      return QuantityProblem(
        "the playback rate \(shown) has too many digits", expected: "at most nine digits in all")
    }
  }
}

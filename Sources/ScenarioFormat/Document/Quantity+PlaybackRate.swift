import ExactText
package import VirtualTime

extension Quantity {
  /// Reads a playback rate from zero up: 1.5, or 2e0 as JSON may write it.
  package static func playbackRate(_ text: ArraySlice<UInt8>) throws(QuantityProblem)
    -> PlaybackRate
  {
    let ratio: (numerator: Int128, denominator: Int128)
    do throws(ExactDecimal.Failure) {
      ratio = try ExactDecimal(json: text).ratio(times: 1)
    } catch {
      throw problem(error, with: text)
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

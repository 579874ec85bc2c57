import ExactText

struct QuantityText {
  private let text: ArraySlice<UInt8>
  private let system: UnitSystem
  private let number: Result
  private let scale: Int64

  /// The number, or why it has no exact value; said only once the unit is known to be right.
  private typealias Result = Swift.Result<ExactDecimal, ExactDecimal.Failure>

  /// Takes "3.5 s" apart; the spaces between may be missing.
  init(_ text: ArraySlice<UInt8>, of system: UnitSystem) throws(QuantityProblem) {
    self.text = text
    self.system = system
    var index = text.startIndex
    number = QuantityText.number(text, &index)
    if case .failure(.noNumber) = number {
      throw QuantityProblem(
        "\(quotation(of: text)) is no \(system.quantity)", expected: system.form)
    }
    while index < text.endIndex, text[index] == UInt8(ascii: " ") { index += 1 }
    scale = try QuantityText.scale(text[index...], in: text, of: system, after: try? number.get())
  }

  /// The value in smallest units as an exact ratio.
  func ratio(
    signed: Bool = false, denominatorsUpTo limit: Int64, over divisor: Int64 = 1,
    _ limits: QuantityLimits
  ) throws(QuantityProblem) -> Ratio {
    let exact = try rethrowing(try number.get().ratio(times: scale)) { problem($0, limits) }
    guard signed || exact.numerator >= 0 else {
      throw QuantityProblem(
        "\(quotation(of: text)) is negative", expected: "a \(system.quantity) from zero up")
    }
    guard exact.denominator <= Int128(limit) else { throw problem(.tooFine, limits) }
    guard let numerator = Int64(exactly: exact.numerator) else {
      // The value itself may fit where its numerator does not.
      let isLarge = Int64(exactly: exact.numerator / exact.denominator) == nil
      throw problem(isLarge ? .tooLarge : .tooFine, limits)
    }
    return Ratio(numerator, over: Int64(exact.denominator) * divisor)
  }

  private func problem(
    _ failure: ExactDecimal.Failure, _ limits: QuantityLimits
  ) -> QuantityProblem {
    let shown = quotation(of: text)
    switch failure {
    case .noNumber:
      return QuantityProblem(
        "\(shown) is no \(system.quantity)",
        expected: system.form)
    case .tooLarge:
      return QuantityProblem("\(shown) is too large", expected: "at most \(limits.largest)")
    case .tooFine:
      return QuantityProblem("\(shown) is finer than \(limits.step)", expected: "fewer decimals")
    }
  }

  private static func number(_ text: ArraySlice<UInt8>, _ index: inout Int) -> Result {
    do throws(ExactDecimal.Failure) {
      return .success(try ExactDecimal(text, from: &index))
    } catch {
      // The unit stands after all digits, whatever they are worth.
      index = text.drop { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }.startIndex
      return .failure(error)
    }
  }

  private static func scale(
    _ name: ArraySlice<UInt8>, in text: ArraySlice<UInt8>, of system: UnitSystem,
    after number: ExactDecimal?
  ) throws(QuantityProblem) -> Int64 {
    if let scale = system.scale(of: name) { return scale }
    let shown = quotation(of: text)
    let word = String(decoding: name, as: UTF8.self)
    if let time = Hints.clockTime(String(decoding: text, as: UTF8.self)) {
      throw QuantityProblem(
        "\(shown) is a time of a clock", expected: system.form, suggestion: time)
    }
    if let rate = Hints.bitRate(number, inUnit: word) {
      throw QuantityProblem(
        "\(shown) counts bytes", expected: "bits, eight times as many", suggestion: rate)
    }
    if name.isEmpty {
      throw QuantityProblem(
        "\(shown) has no unit", expected: "one of \(system.list), as in “\(system.example)”")
    }
    if name.first == UInt8(ascii: ",") {
      throw QuantityProblem(
        "\(shown) has a comma in its number", expected: "a decimal point and nothing else")
    }
    throw QuantityProblem(
      "\(shown) has the unknown unit \(quotation(of: name))", expected: "one of \(system.list)",
      suggestion: system.suggestion(for: word))
  }
}

/// A part of somebody's text as a message shows it.
func quotation(of text: ArraySlice<UInt8>) -> String {
  quotation(of: String(decoding: text, as: UTF8.self))
}

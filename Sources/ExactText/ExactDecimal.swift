/// A decimal number as it is written: `significand × 10⁻ᵖˡᵃᶜᵉˢ`, without zeros at the end of the
/// fraction.
package struct ExactDecimal: Hashable, Sendable {
  package private(set) var isNegative = false
  package private(set) var significand: Int128 = 0
  package private(set) var places = 0

  /// Why a text has no exact value here.
  package enum Failure: Error {
    case noNumber
    /// More than an `Int128` holds.
    case tooLarge
    /// More decimals than an `Int128` holds.
    case tooFine
  }

  /// Reads sign, digits and fraction from the front of a text.
  package static func read(from text: inout ArraySlice<UInt8>) throws(Failure) -> ExactDecimal {
    var number = ExactDecimal()
    if text.first == UInt8(ascii: "-") {
      number.isNegative = true
      text.removeFirst()
    }
    guard let first = text.first, isDigit(first) else { throw .noNumber }
    while let digit = text.first, isDigit(digit) {
      try number.multiply(adding: Int128(digit - UInt8(ascii: "0")))
      text.removeFirst()
    }
    guard text.first == UInt8(ascii: ".") else { return number }
    text.removeFirst()
    guard let first = text.first, isDigit(first) else { throw .noNumber }
    try number.readFraction(from: &text)
    return number
  }

  /// Reads a whole JSON number, with its exponent.
  package init(json text: String) throws(Failure) {
    var rest = Array(text.utf8)[...]
    self = try ExactDecimal.read(from: &rest)
    guard let letter = rest.popFirst() else { return }
    guard letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") else { throw .noNumber }
    var exponent = 0
    let isBelowOne = rest.first == UInt8(ascii: "-")
    if isBelowOne || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    for digit in rest {
      guard ExactDecimal.isDigit(digit) else { throw .noNumber }
      // Beyond this every number but zero is too large or too fine.
      exponent = min(100_000, exponent * 10 + Int(digit - UInt8(ascii: "0")))
    }
    try shift(by: isBelowOne ? -exponent : exponent)
  }

  private init() {}

  /// The value times a factor, in lowest terms.
  package func ratio(
    times factor: Int64
  ) throws(Failure) -> (numerator: Int128, denominator: Int128) {
    var denominator: Int128 = 1
    for _ in 0..<places {
      let (product, overflow) = denominator.multipliedReportingOverflow(by: 10)
      if overflow { throw .tooFine }
      denominator = product
    }
    let inSignificand = commonDivisor(significand, denominator)
    denominator /= inSignificand
    let inFactor = commonDivisor(Int128(factor), denominator)
    denominator /= inFactor
    let (numerator, overflow) = (significand / inSignificand)
      .multipliedReportingOverflow(by: Int128(factor) / inFactor)
    // A product this long with a denominator left has its trouble behind the point.
    if overflow { throw denominator == 1 ? .tooLarge : .tooFine }
    return (isNegative ? -numerator : numerator, denominator)
  }

  private mutating func readFraction(from text: inout ArraySlice<UInt8>) throws(Failure) {
    var zeros = 0
    while let digit = text.first, ExactDecimal.isDigit(digit) {
      text.removeFirst()
      zeros += 1
      if digit == UInt8(ascii: "0") { continue }
      guard zeros <= 40 else { throw .tooFine }
      do throws(Failure) {
        for _ in 1..<zeros { try multiply(adding: 0) }
        try multiply(adding: Int128(digit - UInt8(ascii: "0")))
      } catch {
        throw .tooFine
      }
      places += zeros
      zeros = 0
    }
  }

  private mutating func multiply(adding digit: Int128) throws(Failure) {
    let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(digit)
    if overflow || carry { throw .tooLarge }
    significand = sum
  }

  /// Moves the decimal point.
  private mutating func shift(by exponent: Int) throws(Failure) {
    if significand == 0 {
      places = 0
      return
    }
    places -= exponent
    while places > 0, significand % 10 == 0 {
      significand /= 10
      places -= 1
    }
    if places > 40 { throw .tooFine }
    while places < 0 {
      try multiply(adding: 0)
      places += 1
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// The greatest common divisor, or 1 where there is none.
package func commonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
  var (a, b) = (a, b)
  while b != 0 {
    (a, b) = (b, a % b)
  }
  return max(a, 1)
}

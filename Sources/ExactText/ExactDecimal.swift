/// A decimal number as written: `significand × 10ᵉˣᵖᵒⁿᵉⁿᵗ`, without zeros at the fraction's end.
package struct ExactDecimal: Hashable, Sendable {
  package private(set) var isNegative = false
  /// From zero up.
  package private(set) var significand: Int128 = 0
  package private(set) var exponent = 0

  package enum Failure: Error {
    case noNumber
    /// More than an `Int128` holds.
    case tooLarge
    /// More decimals than an `Int128` holds.
    case tooFine
  }

  /// The number syntax of a format.
  package enum Grammar: Sendable {
    /// An optional minus, digits, and a fraction of one digit at least.
    case strict
    /// The same, or with a plus, or with nothing before the point or behind it.
    case lenient
  }

  /// Reads sign, digits and fraction from an index of a text on, and moves the index behind them.
  package init(
    _ text: borrowing ArraySlice<UInt8>, from index: inout Int, _ grammar: Grammar = .strict
  ) throws(Failure) {
    if index < text.endIndex {
      isNegative = text[index] == UInt8(ascii: "-")
      if isNegative || grammar == .lenient && text[index] == UInt8(ascii: "+") { index += 1 }
    }
    if readsShort(text, &index, grammar) { return }
    let start = index
    while index < text.endIndex, ExactDecimal.isDigit(text[index]) {
      try append(text[index])
      index += 1
    }
    let whole = index - start
    if grammar == .strict, whole == 0 { throw .noNumber }
    guard index < text.endIndex, text[index] == UInt8(ascii: ".") else {
      if whole == 0 { throw .noNumber }
      return
    }
    index += 1
    let point = index
    try readFraction(text, &index)
    if index == point, grammar == .strict || whole == 0 { throw .noNumber }
  }

  /// Reads a whole number with its exponent, as JSON has it.
  package init(
    json text: borrowing ArraySlice<UInt8>, _ grammar: Grammar = .strict
  ) throws(Failure) {
    var index = text.startIndex
    try self.init(text, from: &index, grammar)
    if index == text.endIndex { return }
    guard text[index] | 0x20 == UInt8(ascii: "e") else { throw .noNumber }
    index += 1
    var power = 0
    let isBelowOne = index < text.endIndex && text[index] == UInt8(ascii: "-")
    if isBelowOne || index < text.endIndex && text[index] == UInt8(ascii: "+") { index += 1 }
    if index == text.endIndex { throw .noNumber }
    for digit in text[index...] {
      guard ExactDecimal.isDigit(digit) else { throw .noNumber }
      // Beyond this every number but zero is too large or too fine.
      power = min(100_000, power * 10 + Int(digit - UInt8(ascii: "0")))
    }
    exponent = significand == 0 ? 0 : exponent + (isBelowOne ? -power : power)
    while exponent < 0, significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
  }

  /// The value times a factor, in lowest terms.
  package func ratio(
    times factor: Int64
  ) throws(Failure) -> (numerator: Int128, denominator: Int128) {
    if significand == 0 { return (0, 1) }
    var numerator = significand
    for _ in 0..<max(0, exponent) { numerator = try ExactDecimal.product(numerator, 10) }
    var denominator: Int128 = 1
    for _ in 0..<max(0, -exponent) {
      let (product, overflow) = denominator.multipliedReportingOverflow(by: 10)
      if overflow { throw .tooFine }
      denominator = product
    }
    var factor = Int128(factor)
    if denominator > 1 {
      let inFactor = commonDivisor(factor, denominator)
      factor /= inFactor
      denominator /= inFactor
    }
    if denominator > 1 {
      let inNumerator = commonDivisor(numerator, denominator)
      numerator /= inNumerator
      denominator /= inNumerator
    }
    let (product, overflow) = numerator.multipliedReportingOverflow(by: factor)
    // A product this long with a denominator left has its trouble behind the point.
    if overflow { throw denominator == 1 ? .tooLarge : .tooFine }
    return (isNegative ? -product : product, denominator)
  }

  /// The number in units of 10⁻ᵖˡᵃᶜᵉˢ; nil for a finer one, and beyond 64 bits.
  package func units(places: Int) -> Int64? {
    let zeros = exponent + places
    guard zeros >= 0, var units = Int64(exactly: significand) else { return nil }
    for _ in 0..<(units == 0 ? 0 : zeros) {
      let (tens, overflow) = units.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      units = tens
    }
    return isNegative ? -units : units
  }

  // Perf: a word holds eighteen digits, and most numbers have no more.
  /// Reads a number that a word holds; false, and nothing read, where it may be another or none.
  private mutating func readsShort(
    _ text: ArraySlice<UInt8>, _ index: inout Int, _ grammar: Grammar
  ) -> Bool {
    var (word, place, point) = (Int64(0), index, Int?.none)
    while place < text.endIndex {
      let byte = text[place]
      if ExactDecimal.isDigit(byte) {
        word = word &* 10 &+ Int64(byte & 0x0F)
      } else if byte == UInt8(ascii: "."), point == nil {
        point = place
      } else {
        break
      }
      place += 1
    }
    let decimals = point.map { place - $0 - 1 } ?? 0
    let digits = place - index - (point == nil ? 0 : 1)
    if digits == 0 || digits > 18 { return false }
    if grammar == .strict, point != nil, decimals == 0 || decimals == digits { return false }
    exponent = -decimals
    while exponent < 0, word % 10 == 0 {
      word /= 10
      exponent += 1
    }
    (significand, index) = (Int128(word), place)
    return true
  }

  private mutating func readFraction(
    _ text: ArraySlice<UInt8>, _ index: inout Int
  ) throws(Failure) {
    var zeros = 0
    while index < text.endIndex, ExactDecimal.isDigit(text[index]) {
      let digit = text[index]
      index += 1
      if digit == UInt8(ascii: "0") {
        zeros += 1
        continue
      }
      exponent -= zeros + 1
      do throws(Failure) {
        if significand > 0 {
          for _ in 0..<zeros { try append(UInt8(ascii: "0")) }
        }
        try append(digit)
      } catch {
        throw .tooFine
      }
      zeros = 0
    }
  }

  private mutating func append(_ digit: UInt8) throws(Failure) {
    let value = Int128(digit - UInt8(ascii: "0"))
    if significand < 1_000_000_000_000_000_000 {
      significand = significand &* 10 &+ value
      return
    }
    let (sum, carry) = try ExactDecimal.product(significand, 10).addingReportingOverflow(value)
    if carry { throw .tooLarge }
    significand = sum
  }

  private static func product(_ a: Int128, _ b: Int128) throws(Failure) -> Int128 {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    if overflow { throw .tooLarge }
    return product
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// The greatest common divisor, or 1 where there is none.
package func commonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
  var (a, b) = (a, b)
  while b != 0 {
    (a, b) = (b, a % b)
  }
  return max(a, 1)
}

extension String {
  /// The text as readers of bytes take it.
  package var bytes: ArraySlice<UInt8> { Array(utf8)[...] }
}

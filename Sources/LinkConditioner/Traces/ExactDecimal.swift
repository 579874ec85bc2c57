import VirtualTime

/// A number as it is written: an integer times a power of ten.
struct ExactDecimal: Sendable {
  private(set) var mantissa: Int64 = 0
  private(set) var exponent = 0
  private(set) var isNegative = false

  enum Malformed: Error {
    case notANumber
    case tooManyDigits
  }

  init(_ text: ArraySlice<UInt8>) throws(Malformed) {
    var rest = text
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    let whole = try digits(&rest, areFraction: false)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = try digits(&rest, areFraction: true)
    }
    if whole + fraction == 0 { throw .notANumber }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      exponent += try ExactDecimal.power(&rest)
    }
    if !rest.isEmpty { throw .notANumber }
    while mantissa != 0 && exponent < 0 && mantissa % 10 == 0 {
      mantissa /= 10
      exponent += 1
    }
    if mantissa == 0 { exponent = 0 }
  }

  private mutating func digits(
    _ rest: inout ArraySlice<UInt8>, areFraction: Bool
  ) throws(Malformed) -> Int {
    var count = 0
    while let byte = rest.first, let digit = digitValue(byte) {
      rest = rest.dropFirst()
      count += 1
      // Zeros at the end of a long fraction say nothing.
      if areFraction && digit == 0 && rest.allSatisfy({ $0 == UInt8(ascii: "0") }) { continue }
      if mantissa >= 100_000_000_000_000_000 { throw .tooManyDigits }
      mantissa = mantissa * 10 + digit
      if areFraction { exponent -= 1 }
    }
    return count
  }

  private static func power(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> Int {
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
    if rest.isEmpty { throw .notANumber }
    var power = 0
    while let byte = rest.first, let digit = digitValue(byte) {
      rest = rest.dropFirst()
      power = min(power * 10 + Int(digit), 10_000)
    }
    return sign == UInt8(ascii: "-") ? -power : power
  }

  /// The number times a power of ten as a ratio; nil beyond what 64 bits hold.
  func ratio(timesTenTo power: Int) -> (numerator: Int64, denominator: Int64)? {
    let places = exponent + power
    if mantissa == 0 { return (0, 1) }
    if places >= 0 {
      guard let scale = powerOfTen(places) else { return nil }
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: scale)
      return overflow ? nil : (product, 1)
    }
    if let scale = powerOfTen(-places) { return (mantissa, scale) }
    // Below a billionth of a billionth: nothing that a rate or a time could tell.
    return powerOfTen(-places - 18).map { (mantissa / $0, 1_000_000_000_000_000_000) } ?? (0, 1)
  }

  /// The number times a power of ten, rounded to the nearest integer; nil beyond 64 bits.
  func rounded(timesTenTo power: Int) -> Int64? {
    guard let (numerator, denominator) = ratio(timesTenTo: power) else { return nil }
    let twice = Int128(numerator) * 2 + Int128(denominator)
    return Int64(exactly: quotient(twice, 2 * Int128(denominator), rounding: .down))
  }
}

func digitValue(_ byte: UInt8) -> Int64? {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int64(byte - UInt8(ascii: "0")) : nil
}

func powerOfTen(_ exponent: Int) -> Int64? {
  if exponent < 0 || exponent > 18 { return nil }
  return (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
}

import VirtualTime

enum DecimalFault: Error {
  case malformed
  case outOfRange
}

/// Reads digits with at most one point, exactly: `5.005` in billionths is 5 005 000 000.
///
/// Digits finer than the unit are rounded, a half away from zero.
///
/// - Parameter places: digits after the point that the unit keeps.
func scaledDecimal(
  _ text: ArraySlice<UInt8>, places: Int, allowsSign: Bool = false
) throws(DecimalFault) -> (value: Int64, isRounded: Bool) {
  var digits = text
  let isNegative = allowsSign && digits.first == UInt8(ascii: "-")
  if isNegative { digits.removeFirst() }
  let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
  let whole = digits[..<point]
  let fraction = digits[point...].dropFirst()
  if whole.isEmpty && fraction.isEmpty { throw .malformed }
  let kept = fraction.prefix(places)
  let dropped = fraction.dropFirst(places)

  var value = try accumulated(kept, onto: accumulated(whole, onto: 0))
  for _ in kept.count..<places { value = try appended(0, to: value) }
  if !dropped.allSatisfy({ decimalDigit($0) != nil }) { throw .malformed }
  if let first = dropped.first.flatMap(decimalDigit), first >= 5 {
    let (sum, overflow) = value.addingReportingOverflow(1)
    if overflow { throw .outOfRange }
    value = sum
  }
  let isRounded = dropped.contains { $0 != UInt8(ascii: "0") }
  return (isNegative ? -value : value, isRounded)
}

/// Reads a decimal-integer: digits and nothing else.
func decimalInteger(_ text: ArraySlice<UInt8>) throws(DecimalFault) -> Int64 {
  if text.isEmpty { throw .malformed }
  return try accumulated(text, onto: 0)
}

private func accumulated(
  _ digits: ArraySlice<UInt8>, onto start: Int64
) throws(DecimalFault) -> Int64 {
  // A wrong character is the better message even where the number is too large as well.
  if !digits.allSatisfy({ decimalDigit($0) != nil }) { throw .malformed }
  var value = start
  for byte in digits {
    value = try appended(decimalDigit(byte) ?? 0, to: value)
  }
  return value
}

private func appended(_ digit: Int64, to value: Int64) throws(DecimalFault) -> Int64 {
  let (product, overflow) = value.multipliedReportingOverflow(by: 10)
  let (sum, carry) = product.addingReportingOverflow(digit)
  if overflow || carry { throw .outOfRange }
  return sum
}

/// Nanoseconds since 1970 in UTC of a date and time as ISO 8601 writes it.
///
/// Of that standard the profile that playlists use: a full date, `T`, a full time, digits of a
/// second as needed, and `Z` or an offset. Without an offset it is read as UTC.
package func calendarInstant(_ text: ArraySlice<UInt8>) -> Int64? {
  var scanner = DateScanner(rest: text)
  guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
    scanner.skip("-"), let day = scanner.number(2), scanner.skip("T"),
    let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2),
    scanner.skip(":"), let second = scanner.number(2),
    let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.rest.isEmpty,
    (1...12).contains(month), (1...daysInMonth(month, of: year)).contains(day), hour <= 24,
    minute < 60, second <= 60
  else { return nil }
  let days = daysSince1970(year: year, month: month, day: day)
  let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
  return Int64(exactly: Int128(seconds) * 1_000_000_000 + Int128(fraction))
}

private struct DateScanner {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = rest.first.flatMap(decimalDigit) else { return nil }
      value = value * 10 + digit
      rest.removeFirst()
    }
    return value
  }

  /// The nanoseconds after the point; finer digits are dropped.
  mutating func fraction() -> Int64? {
    guard skip(".") || skip(",") else { return 0 }
    var value: Int64 = 0
    var count = 0
    while let digit = rest.first.flatMap(decimalDigit) {
      if count < 9 { value = value * 10 + digit }
      count += 1
      rest.removeFirst()
    }
    if count == 0 { return nil }
    for _ in min(count, 9)..<9 { value *= 10 }
    return value
  }

  /// The minutes east of Greenwich.
  mutating func offset() -> Int64? {
    if rest.isEmpty || skip("Z") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+") || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    let minutes = rest.isEmpty ? 0 : number(2)
    guard let minutes, hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }
}

package func decimalDigit(_ byte: UInt8) -> Int64? {
  UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") ? Int64(byte - UInt8(ascii: "0")) : nil
}

private func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
  daysSince1970(year: year + month / 12, month: month % 12 + 1, day: 1)
    - daysSince1970(year: year, month: month, day: 1)
}

/// Days in the proleptic Gregorian calendar; years start in March, so that the leap day is last.
private func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
  let shifted = month <= 2 ? year - 1 : year
  let era = shifted / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

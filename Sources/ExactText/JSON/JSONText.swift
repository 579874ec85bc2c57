/// JSON's tokens as UTF-8 at the end of a buffer, without a string in between.
extension [UInt8] {
  package mutating func append(text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends a string in quotation marks, escaping only what RFC 8259 §7 requires.
  package mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    let isPlain = text.withUTF8 { letters in
      for letter in letters where mustBeEscaped(letter) || letter >= 0x7F { return false }
      append(contentsOf: letters)
      return true
    }
    if !isPlain { for scalar in text.unicodeScalars { append(inString: scalar) } }
    append(UInt8(ascii: "\""))
  }

  /// Appends a character of a string; what a terminal would obey, or a reader not see, is spelled
  /// out, and means the same to whoever reads JSON.
  private mutating func append(inString scalar: Unicode.Scalar) {
    let byte = UInt8(exactly: scalar.value) ?? 0x7F
    if byte < 0x7F, !mustBeEscaped(byte) { return append(byte) }
    if let escape = plainEscapes.first(where: { $0.meaning == scalar }) {
      append(UInt8(ascii: "\\"))
      return append(contentsOf: escape.letter.utf8)
    }
    guard isUnprintable(scalar) else { return append(contentsOf: scalar.utf8) }
    for unit in scalar.utf16 {
      append(text: "\\u")
      for place in [12, 8, 4, 0] {
        let digit = UInt8(truncatingIfNeeded: unit >> UInt16(place)) & 15
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  package mutating func append(integer: Int64) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    append(natural: integer.magnitude)
  }

  /// Appends a number with a point before the last of its places, if there are any.
  package mutating func append(natural: UInt64, places: Int = 0) {
    let start = count
    var rest = natural
    // From the last digit to the first: a division by a constant ten costs little.
    for _ in 0..<places {
      append(digit: rest % 10)
      rest /= 10
    }
    if places > 0 { append(UInt8(ascii: ".")) }
    repeat {
      append(digit: rest % 10)
      rest /= 10
    } while rest > 0
    // In place; a slice would be a copy.
    var (low, high) = (start, count - 1)
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Appends `units × 10⁻ᵖˡᵃᶜᵉˢ` exactly, without zeros at the end of the fraction.
  ///
  /// Three places turn bits into kilobits, nine nanoseconds into seconds.
  package mutating func append(decimal units: Int64, places: Int) {
    precondition((0...18).contains(places), "an Int64 has at most eighteen decimal places")
    if units < 0 { append(UInt8(ascii: "-")) }
    var rest = units.magnitude
    var places = places
    while places > 0, rest % 10 == 0 {
      rest /= 10
      places -= 1
    }
    append(natural: rest, places: places)
  }

  private mutating func append(digit: UInt64) {
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
  }
}

/// Whether a byte may not stand in a string as it is.
private func mustBeEscaped(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == 0x22 || byte == 0x5C
}

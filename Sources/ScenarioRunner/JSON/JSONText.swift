/// JSON's tokens as UTF-8 at the end of a buffer, without a string in between.
extension [UInt8] {
  /// Appends text as it is.
  package mutating func append(text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends a string in quotation marks, escaping only what RFC 8259 §7 requires.
  package mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C:
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0x00..<0x20:
        append(escapeOf: byte)
      default:
        append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends an integer.
  package mutating func append(integer: Int64) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    append(natural: integer.magnitude)
  }

  /// Appends a natural number.
  package mutating func append(natural: UInt64) {
    let start = count
    var rest = natural
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Appends `units × 10⁻ᵖˡᵃᶜᵉˢ` exactly, without zeros at the end of the fraction.
  ///
  /// Three places turn bits into kilobits, nine nanoseconds into seconds.
  package mutating func append(decimal units: Int64, places: Int) {
    precondition((0...18).contains(places), "an Int64 has at most eighteen decimal places")
    if units < 0 { append(UInt8(ascii: "-")) }
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    append(natural: units.magnitude / scale)
    var rest = units.magnitude % scale
    if rest == 0 { return }
    append(UInt8(ascii: "."))
    while rest > 0 {
      scale /= 10
      append(UInt8(ascii: "0") + UInt8(rest / scale))
      rest %= scale
    }
  }

  /// Appends nanoseconds as seconds: 5.54, 0, 0.000000001.
  package mutating func append(seconds nanoseconds: Int64) {
    append(decimal: nanoseconds, places: 9)
  }

  private mutating func append(escapeOf byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    default:
      append(text: "u00")
      append(hexadecimal: byte >> 4)
      append(hexadecimal: byte & 0xF)
    }
  }

  private mutating func append(hexadecimal digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }
}

extension JSONReader {
  /// The rest of a string whose opening quotation mark has been read, decoded.
  mutating func string() throws(JSONError) -> String {
    var decoded: [UInt8] = []
    while true {
      let start = cursor.index
      cursor.takePlainCharacters()
      decoded += cursor.text(from: start)
      switch cursor.next {
      case UInt8(ascii: "\""):
        _ = cursor.take("\"")
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"):
        decoded += try escape().utf8
      case .some(let byte) where byte < 0x20:
        throw JSONError(.controlCharacter(byte), at: cursor.position)
      case .some:
        decoded += try cursor.takeScalar()
      case nil:
        throw cursor.unexpected("a closing quotation mark")
      }
    }
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = cursor.position
    _ = cursor.take("\\")
    for (letter, meaning) in plainEscapes where cursor.take(letter) {
      return meaning
    }
    guard cursor.take("u"), let unit = cursor.takeFourHexadecimalDigits() else {
      throw JSONError(.invalidEscape, at: start)
    }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // RFC 8259 §7: a character beyond the Basic Multilingual Plane is written as a pair.
    guard unit < 0xDC00, cursor.take("\\"), cursor.take("u"),
      let second = cursor.takeFourHexadecimalDigits(), (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    else {
      throw JSONError(.loneSurrogate, at: start)
    }
    return scalar
  }

  /// A number in RFC 8259 §6's grammar, as its text.
  mutating func number() throws(JSONError) -> String {
    let start = cursor.index
    _ = cursor.take("-")
    if cursor.take("0") {
      if let byte = cursor.next, (0x30...0x39).contains(byte) {
        throw cursor.unexpected("no digit after a leading zero")
      }
    } else if !cursor.takeDigits() {
      throw cursor.unexpected("a digit")
    }
    if cursor.take("."), !cursor.takeDigits() {
      throw cursor.unexpected("a digit after the decimal point")
    }
    if cursor.take("e") || cursor.take("E") {
      _ = cursor.take("+") || cursor.take("-")
      if !cursor.takeDigits() { throw cursor.unexpected("a digit of the exponent") }
    }
    return String(decoding: cursor.text(from: start), as: UTF8.self)
  }
}

private let plainEscapes: [(letter: Unicode.Scalar, meaning: Unicode.Scalar)] = [
  ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"),
  ("r", "\r"), ("t", "\t"),
]

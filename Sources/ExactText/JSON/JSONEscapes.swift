extension TextCursor {
  /// Passes a backslash and what belongs to it, and returns the character that is meant.
  mutating func takeEscape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    _ = take("\\")
    for (letter, meaning) in plainEscapes where take(letter) {
      return meaning
    }
    guard take("u"), let unit = takeFourHexadecimalDigits() else {
      throw JSONError(.invalidEscape, at: start)
    }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // RFC 8259 §7: a character beyond the Basic Multilingual Plane is written as a pair.
    guard unit < 0xDC00, take("\\"), take("u"),
      let second = takeFourHexadecimalDigits(), (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    else {
      throw JSONError(.loneSurrogate, at: start)
    }
    return scalar
  }
}

/// Decodes the escapes of a string that was read without an error.
func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
  var cursor = TextCursor(Array(text))
  var meaning: [UInt8] = []
  while let byte = cursor.next {
    if byte == UInt8(ascii: "\\"), let scalar = try? cursor.takeEscape() {
      meaning += scalar.utf8
    } else {
      meaning.append(byte)
      cursor.advance()
    }
  }
  return meaning
}

let plainEscapes: [(letter: Unicode.Scalar, meaning: Unicode.Scalar)] = [
  ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"),
  ("r", "\r"), ("t", "\t"),
]

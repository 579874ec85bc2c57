import ExactText

/// The first word of a text, and what comes after it, both without spaces around them.
func firstWord(of text: String) -> (word: String, rest: String) {
  let bytes = text.utf8.drop { $0 == 0x20 }
  let end = bytes.firstIndex(of: 0x20) ?? bytes.endIndex
  return (String(decoding: bytes[..<end], as: UTF8.self), trimmedText(bytes[end...]))
}

/// The text before and after the first mark; nil where there is no mark.
func parts(of text: String, around mark: UInt8) -> (before: String, after: String)? {
  guard let index = text.utf8.firstIndex(of: mark) else { return nil }
  return (
    trimmedText(text.utf8[..<index]), trimmedText(text.utf8[text.utf8.index(after: index)...])
  )
}

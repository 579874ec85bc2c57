/// The violation of RFC 8216 §4.1 by the bytes of a line; nil without one.
///
/// Playlists must be UTF-8 and must not hold control characters. The tab is let through: the draft
/// separates the identifiers in RECENTLY-REMOVED-DATERANGES with it (§4.4.5.2).
func problem(inBytes line: ArraySlice<UInt8>) -> PlaylistFault.Problem? {
  var index = line.startIndex
  while index < line.endIndex {
    let byte = line[index]
    if byte < 0x80 {
      if (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F {
        return .controlCharacter(UInt32(byte))
      }
      index += 1
      continue
    }
    guard let scalar = scalar(in: line, at: index) else { return .notUTF8 }
    if (0x80...0x9F).contains(scalar.code) { return .controlCharacter(scalar.code) }
    index += scalar.length
  }
  return nil
}

/// The code point that a sequence of two to four bytes spells, if it is a proper one (RFC 3629 §4).
private func scalar(in line: ArraySlice<UInt8>, at index: Int) -> (code: UInt32, length: Int)? {
  let lead = line[index]
  let length: Int
  let least: UInt32
  var code: UInt32
  switch lead {
  case 0xC2...0xDF: (length, least, code) = (2, 0x80, UInt32(lead & 0x1F))
  case 0xE0...0xEF: (length, least, code) = (3, 0x800, UInt32(lead & 0x0F))
  case 0xF0...0xF4: (length, least, code) = (4, 0x10000, UInt32(lead & 0x07))
  default: return nil
  }
  if line.endIndex - index < length { return nil }
  for byte in line[(index + 1)..<(index + length)] {
    if byte & 0xC0 != 0x80 { return nil }
    code = code << 6 | UInt32(byte & 0x3F)
  }
  if code < least || code > 0x10FFFF || (0xD800...0xDFFF).contains(code) { return nil }
  return (code, length)
}

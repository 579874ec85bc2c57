/// The length of the UTF-8 sequence that starts at an index, or zero where it is malformed.
///
/// RFC 3629 §4: the second byte's range excludes overlong forms, surrogates and all above U+10FFFF.
package func lengthOfUTF8Sequence(in bytes: [UInt8], at index: Int) -> Int {
  let lead = bytes[index]
  let length: Int
  var second: ClosedRange<UInt8> = 0x80...0xBF
  switch lead {
  case 0x00...0x7F: return 1
  case 0xC2...0xDF: length = 2
  case 0xE0: (length, second) = (3, 0xA0...0xBF)
  case 0xED: (length, second) = (3, 0x80...0x9F)
  case 0xE1...0xEF: length = 3
  case 0xF0: (length, second) = (4, 0x90...0xBF)
  case 0xF4: (length, second) = (4, 0x80...0x8F)
  case 0xF1...0xF3: length = 4
  default: return 0
  }
  guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return 0 }
  for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 {
    return 0
  }
  return length
}

package func occurs(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
  if bytes.count < wanted.count { return false }
  var place = bytes.startIndex
  while place <= bytes.endIndex - wanted.count {
    if bytes[place] == wanted[0], bytes[place...].starts(with: wanted) { return true }
    place += 1
  }
  return false
}

/// Text in ASCII's small letters.
package func lowercased(_ text: String) -> String {
  String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }, as: UTF8.self)
}

/// Text without the spaces around it.
///
/// Perf: generic code is not specialised for another module; bytes in a row need none.
package func trimmedText(_ bytes: some Collection<UInt8>) -> String {
  bytes.withContiguousStorageIfAvailable(trimmed) ?? Array(bytes).withUnsafeBufferPointer(trimmed)
}

private func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
  var rest = bytes.drop { $0 == 0x20 }
  while rest.last == 0x20 { rest.removeLast() }
  return String(decoding: rest, as: UTF8.self)
}

extension [UInt8] {
  /// The bytes behind the byte order mark of UTF-8, or all where there is none.
  package var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}

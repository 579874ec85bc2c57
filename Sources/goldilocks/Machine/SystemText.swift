import SystemLibrary

/// Paths and arguments between the system, which has bytes, and the command, which has text.
///
/// Nothing says that a file's name is UTF-8. A byte that is no part of a sequence stands as a
/// scalar at the very end of Unicode's private planes, and turns into the byte again on its way
/// out, so every name that there is can be read and written. Those scalars themselves stand as
/// their own bytes, so that no two names look alike.
enum SystemText {
  /// The first of the scalars, that of byte 0; only 0x80 and above occur.
  private static let first: UInt32 = 0x10FF00

  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    var text = String.UnicodeScalarView()
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let rest = UnsafeBufferPointer(rebasing: bytes[place...])
      if let (scalar, length) = sequence(at: rest) {
        text.append(scalar)
        place += length
      } else {
        text.append(Unicode.Scalar(first + UInt32(bytes[place])) ?? "\u{FFFD}")
        place += 1
      }
    }
    return String(text)
  }

  static func text(_ name: UnsafePointer<CChar>) -> String {
    let length = strlen(name)
    return name.withMemoryRebound(to: UInt8.self, capacity: length) {
      text(UnsafeBufferPointer(start: $0, count: length))
    }
  }

  /// The bytes of a name, with the zero that ends it.
  static func bytes(_ text: String) -> [CChar] {
    var bytes: [CChar] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) {
        bytes.append(CChar(bitPattern: byte))
      } else {
        for unit in scalar.utf8 { bytes.append(CChar(bitPattern: unit)) }
      }
    }
    bytes.append(0)
    return bytes
  }

  static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= first + 0x80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// A scalar that begins the bytes and stands for itself, and its length.
  private static func sequence(
    at bytes: UnsafeBufferPointer<UInt8>
  ) -> (Unicode.Scalar, length: Int)? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator), byte(scalar) == nil else {
      return nil
    }
    return (scalar, UTF8.width(scalar))
  }
}

extension String {
  func withSystemPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    SystemText.bytes(self).withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a path ends with a zero") }
      return body(start)
    }
  }
}

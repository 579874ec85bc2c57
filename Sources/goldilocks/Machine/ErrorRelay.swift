import ExactText

/// Relays a child's standard error to ours: whole lines, control characters escaped for terminals.
struct ErrorRelay {
  private var begun: [UInt8] = []

  /// Maximum length of a line in bytes; a longer line is broken.
  private static let longest = 1 << 12

  /// Passes on the lines that have come to their ends.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      let isEnd = byte == UInt8(ascii: "\n")
      if isEnd || begun.count == Self.longest { endLine() }
      if !isEnd { begun.append(byte) }
    }
  }

  /// Passes on what has not come to its end, as nothing more comes.
  mutating func finish() {
    if !begun.isEmpty { endLine() }
  }

  private mutating func endLine() {
    let text = begun.withUnsafeBufferPointer { shown(SystemText.text($0)) }
    begun.removeAll(keepingCapacity: true)
    Descriptor.say(text + "\n")
  }
}

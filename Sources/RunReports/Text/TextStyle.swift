import ExactText
import ScenarioFormat

package struct TextStyle: Hashable, Sendable {
  /// The most columns in a line.
  package var width: Int
  package var isColoured: Bool

  /// As for a file or a pipe: no colours, and wide enough for a page.
  package static let plain = TextStyle(width: 100, isColoured: false)

  /// - Parameter most: lines are no longer, however wide the place: a page is read more easily.
  package init(width: Int, isColoured: Bool, atMost most: Int = 100) {
    self.width = min(max(width, 40), most)
    self.isColoured = isColoured
  }

  package func paint(_ text: String, _ tint: Tint?) -> String {
    guard let tint, isColoured, !text.isEmpty else { return text }
    return "\u{1B}[" + tint.code + "m" + text + "\u{1B}[0m"
  }
}

/// The meaning of a colour.
package enum Tint: Hashable, Sendable {
  case title
  case faint
  case good
  case bad
  case paused
  case waiting
  case playing

  /// The number of the terminal's own colour, so that it fits the colours a person chose.
  var code: String {
    switch self {
    case .title: "1"
    case .faint, .paused: "2"
    case .good, .playing: "32"
    case .bad: "31"
    case .waiting: "33"
    }
  }

  /// Whether what follows an escape is the change to a tint, or back.
  fileprivate static func begins(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    let codes = ["0"] + [Tint.title, .faint, .good, .bad, .waiting].map { $0.code }
    return codes.contains { scalars.starts(with: ("[" + $0 + "m").unicodeScalars) }
  }
}

/// The columns of a text: one for each scalar, which is right for all that we write ourselves.
package func columns(of text: String) -> Int { columns(of: text.utf8) }

private func columns(of text: some Sequence<UInt8>) -> Int {
  // Continuation bytes of UTF-8 do not count.
  text.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
}

func blank(_ count: Int) -> String {
  String(unsafeUninitializedCapacity: max(0, count)) { bytes in
    bytes.initialize(repeating: UInt8(ascii: " "))
    return bytes.count
  }
}

func padded(_ text: String, to width: Int) -> String { text + blank(width - columns(of: text)) }

func indented(_ text: String, to width: Int) -> String { blank(width - columns(of: text)) + text }

func shortened(_ text: String, to width: Int) -> String {
  columns(of: text) <= width ? text : String(text.unicodeScalars.prefix(width - 1)) + "…"
}

func shortenedInFront(_ text: String, to width: Int) -> String {
  columns(of: text) <= width ? text : "…" + String(text.unicodeScalars.suffix(width - 1))
}

/// A text in lines of at most so many columns, broken at spaces.
package func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var (line, used): ([UInt8], Int) = ([], 0)
  var rest = text.bytes
  func nextWord() -> ArraySlice<UInt8> {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    let word = rest.prefix { $0 != UInt8(ascii: " ") }
    rest = rest.dropFirst(word.count)
    return word
  }
  var word = nextWord()
  while !word.isEmpty {
    let next = nextWord()
    // A number stays with its unit.
    let unit = !next.isEmpty && isQuantity(word, next) ? 1 + columns(of: next) : 0
    let length = columns(of: word)
    if used > 0, used + 1 + length + unit > width {
      lines.append(String(decoding: line, as: UTF8.self))
      (line, used) = ([], 0)
    }
    if used > 0 { line.append(UInt8(ascii: " ")) }
    line += word
    used += used == 0 ? length : 1 + length
    word = next
  }
  if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
  return lines
}

private func isQuantity(_ number: ArraySlice<UInt8>, _ unit: ArraySlice<UInt8>) -> Bool {
  if !number.allSatisfy({ "0123456789.,".utf8.contains($0) }) { return false }
  let name = unit.prefix {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "%")
  }
  return ["s", "ms", "min", "h", "B", "kB", "MB", "GB", "bit", "kbit", "Mbit", "%"]
    .contains { name.elementsEqual($0.utf8) }
}

/// Text for a terminal: only line ends move its cursor, only the colours of a style speak to it.
///
/// The last guard: text that is not ours goes through `shown`, which knows where its lines end.
package func harmlessText(_ text: String) -> String {
  if text.unicodeScalars.allSatisfy({ !isUnprintable($0) || $0 == "\n" }) { return text }
  let scalars = Array(text.unicodeScalars)
  var harmless = ""
  for (place, scalar) in scalars.enumerated() {
    let isOurs = scalar == "\n" || scalar == "\u{1B}" && Tint.begins(scalars[(place + 1)...])
    if isUnprintable(scalar) && !isOurs {
      harmless += spelling(of: scalar)
    } else {
      harmless.unicodeScalars.append(scalar)
    }
  }
  return harmless
}

func text(of lines: [String]) -> String { joined(lines + [""], by: "\n") }

/// A text without the spaces at its end.
func trimmed(_ text: String) -> String {
  var bytes = Array(text.utf8)
  while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
  return String(decoding: bytes, as: UTF8.self)
}

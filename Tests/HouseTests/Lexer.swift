/// A word, a number, a symbol of one byte, or a string literal (whose text is `""`).
struct Token: Equatable {
  var text: String
  var line: Int
}

struct Comment: Equatable {
  var text: String
  var line: Int
}

/// Cuts Swift source into tokens and comments.
///
/// It knows what a textual check must not stumble over: nested comments, raw and multi-line
/// strings, code interpolated into strings, and names in backticks (which keep their backticks, so
/// that a test's sentence is not taken for code).
struct Lexer {
  private(set) var tokens: [Token] = []
  private(set) var comments: [Comment] = []

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var parentheses = 0
  /// The strings that the code at hand is interpolated into, outermost first.
  private var strings: [(style: StringStyle, parentheses: Int)] = []

  private struct StringStyle {
    var hashes: Int
    var quotes: Int
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    while position < bytes.count {
      step()
    }
  }

  // It changes nothing; one that said so would be given a copy of the lexer for each byte.
  private mutating func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private mutating func step() {
    let current = byte()
    if current == newline { line += 1 }
    if current <= space {
      position += 1
    } else if isWord(current) || current == at {
      word()
    } else if current == slash && byte(1) == slash {
      lineComment()
    } else if current == slash && byte(1) == star {
      blockComment()
    } else if current == quote {
      openString(hashes: 0)
    } else if current == hash {
      hashed()
    } else if current == backtick {
      backticked()
    } else {
      symbol(current)
    }
  }

  private mutating func word() {
    let start = position
    position += 1
    while isWord(byte()) {
      position += 1
    }
    append(from: start)
  }

  /// A raw string, or a directive such as `#if`.
  private mutating func hashed() {
    var hashes = 1
    while byte(hashes) == hash {
      hashes += 1
    }
    if byte(hashes) == quote {
      position += hashes
      openString(hashes: hashes)
    } else {
      word()
    }
  }

  private mutating func backticked() {
    let start = position
    repeat {
      position += 1
    } while position < bytes.count && byte() != backtick && byte() != newline
    position += 1
    append(from: start)
  }

  private mutating func symbol(_ current: UInt8) {
    position += 1
    tokens.append(Token(text: String(UnicodeScalar(current)), line: line))
    if current == openingParenthesis {
      parentheses += 1
    } else if current == closingParenthesis {
      parentheses -= 1
      guard let string = strings.last, string.parentheses == parentheses else { return }
      strings.removeLast()
      tokens.removeLast()
      restOfString(string.style)
    }
  }

  private mutating func openString(hashes: Int) {
    let quotes = byte(1) == quote && byte(2) == quote ? 3 : 1
    position += quotes
    tokens.append(Token(text: "\"\"", line: line))
    restOfString(StringStyle(hashes: hashes, quotes: quotes))
  }

  /// Goes to the end of a string, or into the code that is interpolated into it.
  private mutating func restOfString(_ style: StringStyle) {
    while position < bytes.count {
      let current = byte()
      if current == quote && closes(style) {
        position += style.quotes + style.hashes
        return
      }
      if current == backslash && follows(style.hashes, after: 1, hash) {
        position += 1 + style.hashes
        if byte() == openingParenthesis {
          strings.append((style, parentheses))
          parentheses += 1
          position += 1
          return
        }
      }
      if byte() == newline {
        line += 1
        if style.quotes == 1 { return position += 1 }
      }
      position += 1
    }
  }

  private mutating func closes(_ style: StringStyle) -> Bool {
    follows(style.quotes, after: 0, quote) && follows(style.hashes, after: style.quotes, hash)
  }

  private mutating func follows(_ count: Int, after offset: Int, _ wanted: UInt8) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == wanted }
  }

  private mutating func lineComment() {
    let start = position
    while position < bytes.count && byte() != newline {
      position += 1
    }
    comments.append(Comment(text: text(from: start), line: line))
  }

  private mutating func blockComment() {
    var (start, first, depth) = (position, line, 0)
    repeat {
      if byte() == newline {
        comments.append(Comment(text: text(from: start), line: first))
        line += 1
        (start, first) = (position + 1, line)
      }
      if byte() == slash && byte(1) == star {
        depth += 1
        position += 1
      } else if byte() == star && byte(1) == slash {
        depth -= 1
        position += 1
      }
      position += 1
    } while depth > 0 && position < bytes.count
    comments.append(Comment(text: text(from: start), line: first))
  }

  private mutating func append(from start: Int) {
    tokens.append(Token(text: text(from: start), line: line))
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes[min(start, position)..<min(position, bytes.count)], as: UTF8.self)
  }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let slash = UInt8(ascii: "/")
private let star = UInt8(ascii: "*")
private let quote = UInt8(ascii: "\"")
private let hash = UInt8(ascii: "#")
private let at = UInt8(ascii: "@")
private let backtick = UInt8(ascii: "`")
private let backslash = UInt8(ascii: "\\")
private let openingParenthesis = UInt8(ascii: "(")
private let closingParenthesis = UInt8(ascii: ")")

/// Letters, digits, underscore, dollar and everything outside ASCII.
func isWord(_ byte: UInt8) -> Bool {
  // Every byte of the sources comes here, and to look into a range takes long without an optimizer.
  isLetter(byte) || isDigit(byte) || byte == 0x5F || byte == 0x24 || byte >= 0x80
}

/// A letter of ASCII.
func isLetter(_ byte: UInt8) -> Bool {
  byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
}

func isDigit(_ byte: UInt8) -> Bool {
  byte >= 0x30 && byte <= 0x39
}

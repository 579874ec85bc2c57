import ExactText

/// A file's bytes, read as lines: any line ending, comments and blank lines aside.
struct SourceText: Sendable {
  let bytes: [UInt8]
  private let hasComments: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes.withoutByteOrderMark
    hasComments = bytes.contains(UInt8(ascii: "#")) || occurs([0x2F, 0x2F], in: bytes[...])
  }

  struct Line {
    /// From 1.
    var number: Int
    var bytes: ArraySlice<UInt8>
  }

  enum Separator: UInt8 {
    case blanks = 0x20
    case comma = 0x2C
    case semicolon = 0x3B
    case tab = 9
  }

  var firstVisibleByte: UInt8? { bytes.first { !isBlank($0) && !isLineEnd($0) } }

  func contains(_ word: String) -> Bool { occurs(Array(word.utf8), in: bytes[...]) }

  /// The first lines that carry something, without their comments.
  func dataLines(most: Int = .max) -> [Line] {
    var found: [Line] = []
    visitLines { line in
      let content = trimmed(hasComments ? withoutComment(line.bytes) : line.bytes)
      if !content.isEmpty { found.append(Line(number: line.number, bytes: content)) }
      return found.count < most
    }
    return found
  }

  func visitLines(_ goesOn: (Line) -> Bool) {
    var number = 1
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(where: isLineEnd) ?? bytes.endIndex
      if !goesOn(Line(number: number, bytes: bytes[start..<end])) { return }
      number += 1
      start = end < bytes.endIndex ? end + 1 : end
      // A carriage return and a line feed end one line.
      if end + 1 < bytes.endIndex && bytes[end] == 13 && bytes[end + 1] == 10 { start += 1 }
    }
  }

  private func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    for index in line.indices {
      // The slashes of an address follow a colon.
      let isAddress = index > line.startIndex && line[index - 1] == UInt8(ascii: ":")
      let isSlash =
        line[index] == UInt8(ascii: "/") && index + 1 < line.endIndex && !isAddress
      let isComment =
        line[index] == UInt8(ascii: "#") || isSlash && line[index + 1] == UInt8(ascii: "/")
      if isComment { return line[..<index] }
    }
    return line
  }
}

extension SourceText.Line {
  func fields(separatedBy separator: SourceText.Separator) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    read(&fields, separatedBy: separator)
    return fields
  }

  /// The fields between blanks of a format that has so many.
  func fields(_ count: Int, _ meaning: String) throws(ImportError) -> [ArraySlice<UInt8>] {
    let fields = fields(separatedBy: .blanks)
    if fields.count == count { return fields }
    throw ImportError(
      line: number, .columns(found: fields.count, expected: "\(count): \(meaning)"))
  }

  /// Reads the fields into `fields`, whose storage is reused. But for those between blanks they may
  /// stand in quotation marks, within which a separator is text.
  func read(_ fields: inout [ArraySlice<UInt8>], separatedBy separator: SourceText.Separator) {
    while fields.popLast() != nil {}
    if separator == .blanks { return fields = bytes.split(whereSeparator: isBlank) }
    let mark = separator.rawValue
    var isQuoted = false
    var start = bytes.startIndex
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[index] != mark || isQuoted { continue }
      fields.append(unquoted(bytes[start..<index]))
      start = index + 1
    }
    fields.append(unquoted(bytes[start...]))
  }

  private func unquoted(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let field = trimmed(field)
    let isInQuotes = field.count > 1 && field.first == 0x22 && field.last == 0x22
    return isInQuotes ? trimmed(field.dropFirst().dropLast()) : field
  }

  func count(_ field: ArraySlice<UInt8>) throws(ImportError) -> Int64 {
    let value = try exactDecimal(field, line: number)
    guard let (count, denominator) = value.ratio(timesTenTo: 0) else {
      throw ImportError(line: number, .outOfRange(text(field)))
    }
    if denominator != 1 { throw ImportError(line: number, .notANumber(text(field))) }
    return count
  }

  /// Nanoseconds from a number of seconds (`power` 9) or milliseconds (6).
  func time(_ field: ArraySlice<UInt8>, power: Int) throws(ImportError) -> Int64 {
    guard let time = try exactDecimal(field, line: number).rounded(timesTenTo: power),
      time < .max / 2
    else {
      throw ImportError(line: number, .outOfRange(text(field)))
    }
    return time
  }
}

/// A number that is not below zero.
func exactDecimal(_ field: ArraySlice<UInt8>, line: Int) throws(ImportError) -> ExactDecimal {
  let value = try rethrowing(try ExactDecimal(json: field, .lenient)) {
    (error: ExactDecimal.Failure) in
    let text = text(field)
    return ImportError(line: line, error == .noNumber ? .notANumber(text) : .tooManyDigits(text))
  }
  if value.significand > 999_999_999_999_999_999 {
    throw ImportError(line: line, .tooManyDigits(text(field)))
  }
  if value.isNegative && value.significand != 0 {
    throw ImportError(line: line, .negative(text(field)))
  }
  return value
}

/// The text of a field, short enough for a message.
func text(_ bytes: ArraySlice<UInt8>) -> String {
  bytes.count > 40
    ? String(decoding: bytes.prefix(40), as: UTF8.self) + "…"
    : String(decoding: bytes, as: UTF8.self)
}

func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

func isLineEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var (start, end) = (bytes.startIndex, bytes.endIndex)
  while start < end, isBlank(bytes[start]) { start += 1 }
  while start < end, isBlank(bytes[end - 1]) { end -= 1 }
  return bytes[start..<end]
}

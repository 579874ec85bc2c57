import ExactText

/// A file's bytes, read as lines: any line ending, comments and blank lines aside.
package struct SourceText: Sendable {
  private(set) var bytes: [UInt8]
  private let hasComments: Bool

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes.withoutByteOrderMark
    hasComments = Self.mayHaveComments(bytes)
  }

  /// The place of something in the bytes. Places are copied without counting references.
  typealias Place = Range<Int>

  struct Line {
    /// From 1.
    var number: Int
    var place: Place
  }

  enum Separator: UInt8 {
    case blanks = 0x20
    case comma = 0x2C
    case semicolon = 0x3B
    case tab = 9
  }

  private static func mayHaveComments(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var (index, previous) = (0, UInt8(0))
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "#") || byte == UInt8(ascii: "/") && previous == byte {
          return true
        }
        (index, previous) = (index + 1, byte)
      }
      return false
    }
  }

  func contains(_ word: String) -> Bool { occurs(Array(word.utf8), in: bytes[...]) }

  /// The text at a place, short enough for a message.
  func text(_ place: Place) -> String { shortText(bytes[place]) }

  /// The first lines that carry something, without their comments.
  func dataLines(most: Int = .max) -> [Line] {
    var found: [Line] = []
    visitLines { line in
      let content = bytes.trimmed(hasComments ? withoutComment(line.place) : line.place)
      if !content.isEmpty { found.append(Line(number: line.number, place: content)) }
      return found.count < most
    }
    return found
  }

  @inline(__always)
  func visitLines(_ goesOn: (Line) -> Bool) {
    // Perf: a pointer halves the cost of a byte.
    bytes.withUnsafeBufferPointer { bytes in
      let count = bytes.count
      var (number, start) = (1, 0)
      while start < count {
        var end = start
        while end < count, !isLineEnd(bytes[end]) { end += 1 }
        if !goesOn(Line(number: number, place: start..<end)) { return }
        number += 1
        start = min(end + 1, count)
        // A carriage return and a line feed end one line.
        if start < count && bytes[end] == 13 && bytes[start] == 10 { start += 1 }
      }
    }
  }

  private func withoutComment(_ line: Place) -> Place {
    for index in line {
      // The slashes of an address follow a colon.
      let isAddress = index > line.lowerBound && bytes[index - 1] == UInt8(ascii: ":")
      let isSlash = bytes[index] == UInt8(ascii: "/") && index + 1 < line.upperBound && !isAddress
      let isComment =
        bytes[index] == UInt8(ascii: "#") || isSlash && bytes[index + 1] == UInt8(ascii: "/")
      if isComment { return line.lowerBound..<index }
    }
    return line
  }

  func fields(_ line: Line, separatedBy separator: Separator) -> [Place] {
    var fields: [Place] = []
    read(&fields, line, separatedBy: separator)
    return fields
  }

  /// The fields between blanks of a format that has so many.
  func fields(_ line: Line, _ count: Int, _ meaning: String) throws(ImportError) -> [Place] {
    let fields = fields(line, separatedBy: .blanks)
    if fields.count == count { return fields }
    throw ImportError(
      line: line.number, .columns(found: fields.count, expected: "\(count): \(meaning)"))
  }

  /// Reads the fields into `fields`, whose storage is reused. But for those between blanks they may
  /// stand in quotation marks, within which a separator is text.
  func read(_ fields: inout [Place], _ line: Line, separatedBy separator: Separator) {
    while fields.popLast() != nil {}
    if separator == .blanks { return readWords(&fields, line) }
    let quote = UInt8(ascii: "\"")
    var (start, end) = (line.place.lowerBound, line.place.lowerBound)
    while true {
      end = first(separator.rawValue, or: quote, from: end, to: line.place.upperBound)
      if end < line.place.upperBound, bytes[end] == quote {
        end = first(quote, or: quote, from: end + 1, to: line.place.upperBound) + 1
        if end < line.place.upperBound { continue }
        end = line.place.upperBound
      }
      fields.append(unquoted(start..<end))
      if end == line.place.upperBound { return }
      (start, end) = (end + 1, end + 1)
    }
  }

  /// The index of the first of two bytes; the end where neither occurs.
  @inline(__always)
  private func first(_ one: UInt8, or other: UInt8, from start: Int, to end: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index < end, bytes[index] != one, bytes[index] != other { index += 1 }
      return index
    }
  }

  private func readWords(_ fields: inout [Place], _ line: Line) {
    var index = line.place.lowerBound
    while index < line.place.upperBound {
      let start = index
      while index < line.place.upperBound, !isBlank(bytes[index]) { index += 1 }
      if index > start { fields.append(start..<index) }
      index += 1
    }
  }

  private func unquoted(_ field: Place) -> Place {
    // Perf: most fields are digits; quotation marks and blanks are below 0x23.
    if !field.isEmpty, bytes[field.lowerBound] > 0x22, bytes[field.upperBound - 1] > 0x22 {
      return field
    }
    let field = bytes.trimmed(field)
    let (first, last) = (field.lowerBound, field.upperBound - 1)
    if first >= last || bytes[first] != 0x22 || bytes[last] != 0x22 { return field }
    return bytes.trimmed(first + 1..<last)
  }

  /// Takes the one comma in a field for a decimal point.
  mutating func readDecimalComma(in field: Place) {
    var (comma, count) = (0, 0)
    for index in field where bytes[index] == UInt8(ascii: ",") {
      (comma, count) = (index, count + 1)
    }
    if count == 1 { bytes[comma] = UInt8(ascii: ".") }
  }

  // Perf: most numbers of a recording are short, and an exact decimal takes four times as long.
  /// The product of a number in plain digits and a factor; nil where an `Int64` does not hold it,
  /// or the number is written otherwise.
  func whole(_ field: Place, times factor: Int64) -> Int64? {
    if field.isEmpty || field.count > 18 { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      var (value, factor, hasPoint) = (Int64(0), factor, false)
      var index = field.lowerBound
      while index < field.upperBound {
        let digit = bytes[index] &- UInt8(ascii: "0")
        index += 1
        if digit < 10 {
          value = value &* 10 &+ Int64(digit)
          if !hasPoint { continue }
          let (tenth, rest) = factor.quotientAndRemainder(dividingBy: 10)
          if rest != 0 { return nil }
          factor = tenth
        } else if digit == UInt8(ascii: ".") &- UInt8(ascii: "0"), !hasPoint, field.count > 1 {
          hasPoint = true
        } else {
          return nil
        }
      }
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      return overflow ? nil : product
    }
  }

  func decimal(_ field: Place, _ line: Line) throws(ImportError) -> ExactDecimal {
    try exactDecimal(bytes[field], line: line.number)
  }

  func count(_ field: Place, _ line: Line) throws(ImportError) -> Int64 {
    guard let (count, denominator) = try decimal(field, line).ratio(timesTenTo: 0) else {
      throw ImportError(line: line.number, .outOfRange(text(field)))
    }
    if denominator != 1 { throw ImportError(line: line.number, .notANumber(text(field))) }
    return count
  }

  /// Nanoseconds from a number of seconds (`power` 9) or milliseconds (6).
  func time(_ field: Place, _ line: Line, power: Int) throws(ImportError) -> Int64 {
    guard let time = try decimal(field, line).rounded(timesTenTo: power), time < .max / 2 else {
      throw ImportError(line: line.number, .outOfRange(text(field)))
    }
    return time
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  func trimmed(_ place: Range<Int>) -> Range<Int> {
    var (start, end) = (place.lowerBound, place.upperBound)
    while start < end, isBlank(self[start]) { start += 1 }
    while start < end, isBlank(self[end - 1]) { end -= 1 }
    return start..<end
  }
}

/// A number that is not below zero.
func exactDecimal(_ field: ArraySlice<UInt8>, line: Int) throws(ImportError) -> ExactDecimal {
  let value = try rethrowing(try ExactDecimal(json: field, .lenient)) {
    (error: ExactDecimal.Failure) in
    let text = shortText(field)
    return ImportError(line: line, error == .noNumber ? .notANumber(text) : .tooManyDigits(text))
  }
  if value.significand > 999_999_999_999_999_999 {
    throw ImportError(line: line, .tooManyDigits(shortText(field)))
  }
  if value.isNegative && value.significand != 0 {
    throw ImportError(line: line, .negative(shortText(field)))
  }
  return value
}

func shortText(_ bytes: ArraySlice<UInt8>) -> String {
  bytes.count > 40
    ? String(decoding: bytes.prefix(40), as: UTF8.self) + "…"
    : String(decoding: bytes, as: UTF8.self)
}

func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

func isLineEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

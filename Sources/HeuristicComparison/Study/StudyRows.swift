/// The rows of a study's sessions, one behind the other, each value in as few bits as suit it.
package struct StudyRows: Sendable {
  package let width: Int
  /// How many bits each value has, in the order of a row.
  private let bits: [Int]
  private let wordsPerRow: Int
  private var words: [UInt64]
  /// Rows with a value that needs more bits than it has; hardly ever one.
  private var aside: [Int: SessionRow] = [:]

  /// What stands before the values of a row.
  private enum State: UInt64 {
    case missing
    case packed
    case aside
  }

  private static let stateBits = 2

  /// - Parameter count: How many sessions there will be.
  package init(width: Int, count: Int) {
    self.width = width
    let fields = SessionField.all.map { $0.bits } + [SessionRow.endingBits]
    bits = fields + Array(repeating: 64, count: width - fields.count)
    wordsPerRow = (bits.reduce(Self.stateBits, +) + 63) / 64
    words = Array(repeating: 0, count: wordsPerRow * count)
  }

  /// What a session takes.
  package var bytesPerSession: Int { 8 * wordsPerRow }

  package mutating func record(_ row: SessionRow, of session: Int) {
    precondition(row.values.count == width, "a row has the values of its study")
    let first = session * wordsPerRow
    for index in first..<(first + wordsPerRow) { words[index] = 0 }
    var place = 64 * first
    guard fits(row) else {
      aside[session] = row
      return put(State.aside.rawValue, Self.stateBits, at: &place)
    }
    put(State.packed.rawValue, Self.stateBits, at: &place)
    for (value, bits) in zip(row.values, bits) { put(Self.code(value, bits), bits, at: &place) }
  }

  package func has(_ session: Int) -> Bool { state(of: session) != .missing }

  package func row(_ session: Int) -> SessionRow {
    var place = 64 * session * wordsPerRow
    let state = take(Self.stateBits, at: &place)
    if state == State.aside.rawValue, let kept = aside[session] { return kept }
    var values: [Int64] = []
    values.reserveCapacity(width)
    for bits in bits { values.append(Self.value(take(bits, at: &place), bits)) }
    return SessionRow(values: values)
  }

  private func state(of session: Int) -> State {
    var place = 64 * session * wordsPerRow
    return State(rawValue: take(Self.stateBits, at: &place)) ?? .missing
  }

  // MARK: Bits

  private func fits(_ row: SessionRow) -> Bool {
    zip(row.values, bits).allSatisfy { value, bits in
      bits == 64 || value == SessionRow.nothing || value >= 0 && value < Int64(1) << bits - 1
    }
  }

  /// All ones stand for nothing.
  private static func code(_ value: Int64, _ bits: Int) -> UInt64 {
    if bits == 64 { return UInt64(bitPattern: value) }
    return value == SessionRow.nothing ? UInt64(1) << bits - 1 : UInt64(value)
  }

  private static func value(_ code: UInt64, _ bits: Int) -> Int64 {
    if bits == 64 { return Int64(bitPattern: code) }
    return code == UInt64(1) << bits - 1 ? SessionRow.nothing : Int64(code)
  }

  private mutating func put(_ code: UInt64, _ bits: Int, at place: inout Int) {
    let (word, shift) = (place / 64, place % 64)
    words[word] |= code << shift
    if shift + bits > 64 { words[word + 1] |= code >> (64 - shift) }
    place += bits
  }

  private func take(_ bits: Int, at place: inout Int) -> UInt64 {
    let (word, shift) = (place / 64, place % 64)
    var code = words[word] >> shift
    if shift + bits > 64 { code |= words[word + 1] << (64 - shift) }
    place += bits
    return bits == 64 ? code : code & (UInt64(1) << bits - 1)
  }
}

/// A line of a playlist that says something: a tag or a URI.
struct PlaylistLine {
  var number: Int32
  /// Nil for a URI.
  var tag: PlaylistTag?
  /// Text after the colon of a tag, or the URI, without white space around it.
  var text: ArraySlice<UInt8>
}

/// The lines of a playlist, checked for what RFC 8216 §4.1 asks of its bytes.
struct PlaylistText {
  private(set) var lines: [PlaylistLine] = []
  private var hasHeader = false

  init(_ bytes: [UInt8], limits: PlaylistLimits, journal: inout PlaylistJournal) {
    if bytes.count > limits.bytes {
      journal.fault(.fileTooLong(limit: Int64(limits.bytes)), line: 1)
      return
    }
    // §4.1: "They MUST NOT contain any Byte Order Mark (BOM); clients SHOULD fail to parse
    // Playlists that contain a BOM or do not parse as UTF-8."
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { journal.fault(.byteOrderMark, line: 1) }
    var number: Int32 = 0
    var rest = bytes[...]
    while !rest.isEmpty, !journal.isFull {
      number += 1
      // §4.1: lines end with a line feed, or with a carriage return and a line feed.
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      add(line, number: number, limits: limits, journal: &journal)
    }
    if !hasHeader, journal.faults.isEmpty { journal.fault(.missingHeader, line: 1) }
  }

  private mutating func add(
    _ line: ArraySlice<UInt8>, number: Int32, limits: PlaylistLimits,
    journal: inout PlaylistJournal
  ) {
    if line.count > limits.lineBytes {
      journal.fault(.lineTooLong(limit: Int64(limits.lineBytes)), line: number)
      return
    }
    if let problem = problem(inBytes: line) {
      journal.fault(problem, line: number)
      return
    }
    let text = trimmed(line)
    if text.count != line.count, !text.isEmpty {
      journal.remark(.whitespace, line: number)
    }
    // §4.4.1.1: "It MUST be the first line of every Media Playlist and every Multivariant
    // Playlist."
    if number == 1 {
      hasHeader = text.elementsEqual("#EXTM3U".utf8)
      return
    }
    guard let first = text.first else { return }
    if first == UInt8(ascii: "#") {
      addTag(text.dropFirst(), number: number, journal: &journal)
    } else {
      lines.append(PlaylistLine(number: number, text: text))
    }
  }

  private mutating func addTag(
    _ text: ArraySlice<UInt8>, number: Int32, journal: inout PlaylistJournal
  ) {
    // §4.1: "Lines that begin with the character '#' are either comments or tags. Tags begin with
    // #EXT. They are case sensitive. All other lines that begin with '#' are comments."
    guard text.starts(with: "EXT".utf8) else { return }
    let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    let name = String(decoding: trimmed(text[..<colon]), as: UTF8.self)
    let value = trimmed(text[colon...].dropFirst())
    if value.count != text[colon...].dropFirst().count {
      journal.remark(.whitespace, line: number)
    }
    if let tag = PlaylistTag(rawValue: name) {
      lines.append(PlaylistLine(number: number, tag: tag, text: value))
    } else {
      journal.remark(.unrecognisedTag(name), line: number)
    }
  }
}

func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var text = text
  while let first = text.first, isWhitespace(first) { text.removeFirst() }
  while let last = text.last, isWhitespace(last) { text.removeLast() }
  return text
}

private func isWhitespace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// A line of a playlist that says something: a tag or a URI.
struct PlaylistLine {
  var number: Int32
  /// Nil for a URI.
  var tag: PlaylistTag?
  /// Text after the colon of a tag, or the URI, without white space around it.
  var text: ArraySlice<UInt8>
}

extension PlaylistJournal {
  /// The lines of a playlist, checked for what RFC 8216 §4.1 asks of its bytes.
  mutating func lines(of bytes: [UInt8]) -> [PlaylistLine] {
    if bytes.count > limits.bytes {
      fault(.fileTooLong(limit: Int64(limits.bytes)), line: 1)
      return []
    }
    // §4.1: "They MUST NOT contain any Byte Order Mark (BOM); clients SHOULD fail to parse
    // Playlists that contain a BOM or do not parse as UTF-8."
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { fault(.byteOrderMark, line: 1) }
    var (lines, hasHeader): ([PlaylistLine], Bool) = ([], false)
    var number: Int32 = 0
    var rest = bytes[...]
    while !rest.isEmpty, !isFull {
      number += 1
      // §4.1: lines end with a line feed, or with a carriage return and a line feed.
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard let text = checked(line, number) else { continue }
      // §4.4.1.1: "It MUST be the first line of every Media Playlist and every Multivariant
      // Playlist."
      if number == 1 {
        hasHeader = text.elementsEqual("#EXTM3U".utf8)
      } else if text.first == UInt8(ascii: "#") {
        if let tag = tag(text.dropFirst(), number) { lines.append(tag) }
      } else if !text.isEmpty {
        lines.append(PlaylistLine(number: number, text: text))
      }
    }
    if !hasHeader, faults.isEmpty { fault(.missingHeader, line: 1) }
    return lines
  }

  /// A line without the white space around it; nil where a client refuses it.
  private mutating func checked(_ line: ArraySlice<UInt8>, _ number: Int32) -> ArraySlice<UInt8>? {
    let isTooLong = line.count > limits.lineBytes
    if let problem = isTooLong
      ? .lineTooLong(limit: Int64(limits.lineBytes)) : problem(inBytes: line)
    {
      fault(problem, line: number)
      return nil
    }
    let text = trimmed(line)
    // §4.4.4.1: a title follows the comma of a duration.
    let endsWithTitle = line.starts(with: "#EXTINF:".utf8) && line.contains(UInt8(ascii: ","))
    if text.count != line.count, !text.isEmpty, !endsWithTitle { remark(.whitespace, line: number) }
    return text
  }

  private mutating func tag(_ text: ArraySlice<UInt8>, _ number: Int32) -> PlaylistLine? {
    // §4.1: "Lines that begin with the character '#' are either comments or tags. Tags begin with
    // #EXT. They are case sensitive. All other lines that begin with '#' are comments."
    guard text.starts(with: "EXT".utf8) else { return nil }
    let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    let name = String(decoding: trimmed(text[..<colon]), as: UTF8.self)
    let value = trimmed(text[colon...].dropFirst())
    if value.count != text[colon...].dropFirst().count { remark(.whitespace, line: number) }
    guard let tag = PlaylistTag(rawValue: name) else {
      remark(.unrecognisedTag(name), line: number)
      return nil
    }
    return PlaylistLine(number: number, tag: tag, text: value)
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

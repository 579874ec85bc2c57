import VirtualTime

// The tags of §4.4.4 that say something about one segment or all that follow.

extension MediaPlaylistReader {
  /// Notes that a tag of the next segment stands on a line.
  mutating func begin(_ line: PlaylistLine, repeats: Bool) {
    if repeats { state.remark(.repeatedSegmentTag, line) }
    pending.line = pending.line ?? line.number
  }

  // §4.4.4.1: "#EXTINF:<duration>,[<title>]".
  mutating func readDuration(_ line: PlaylistLine) {
    begin(line, repeats: pending.duration != nil)
    let comma = line.text.firstIndex(of: UInt8(ascii: ",")) ?? line.text.endIndex
    if comma == line.text.endIndex {
      state.remark(.missingComma, line)
    }
    (pending.duration, pending.durationLine) = (.zero, line.number)
    do {
      let duration = try scaledDecimal(trimmed(line.text[..<comma]), places: 9)
      pending.duration = MediaTime(nanoseconds: duration.value)
      if duration.isRounded { state.remark(.finerThanNanosecond, line) }
      if duration.value == 0 { state.remark(.rule("what has no duration is not loaded"), line) }
    } catch {
      state.reject(error, expected: "a duration in decimal seconds", line)
    }
  }

  // §4.4.4.2: "#EXT-X-BYTERANGE:<n>[@<o>]".
  mutating func readByteRange(_ line: PlaylistLine) {
    begin(line, repeats: pending.byteRange != nil)
    do {
      pending.byteRange = try ByteRangeText(line.text)
    } catch {
      state.reject(error, expected: "a byte range n or n@o", line)
    }
  }

  mutating func readProgramDateTime(_ line: PlaylistLine) {
    begin(line, repeats: pending.programDateTime != nil)
    pending.programDateTime = calendarInstant(line.text)
    if pending.programDateTime == nil {
      state.fault(
        .malformedValue(expected: "a date and time such as 2024-03-04T23:02:17.684Z"), line)
    }
  }

  mutating func readURI(_ line: PlaylistLine) {
    guard state.hasRoom(playlist.segments.count, for: "segments", line: line) else { return }
    let segment = pending
    pending = PendingSegment()
    guard let uri = state.uri(line) else { return }
    // §4.4.4.1: "This tag is REQUIRED for each Media Segment."
    guard let duration = segment.duration else {
      return state.fault(.segmentWithoutDuration, line)
    }
    let range = segment.byteRange.flatMap {
      resolved($0, of: uri, after: lastRange, line: line.number, tag: .byteRange)
    }
    lastRange = range.map { (uri, $0.end) }
    durationLines.append(segment.durationLine)
    playlist.segments.append(
      PlaylistSegment(
        uri: uri, duration: duration, start: elapsed, byteRange: range,
        // §4.4.4.8: it applies to segments that have no byte range of their own.
        kilobitsPerSecond: range == nil ? kilobitsPerSecond : nil, map: map, keySet: keySet,
        isDiscontinuity: segment.isDiscontinuity, isGap: segment.isGap,
        programDateTime: segment.programDateTime, line: line.number))
    elapsed = elapsed + duration
    if elapsed == .distantFuture { state.fault(.mediaTooLong, line) }
  }

  // §4.4.4.2: "If o is not present, a previous Media Segment MUST appear in the Playlist file and
  // MUST be a sub-range of the same media resource, or the Media Segment is undefined and the
  // client MUST fail to parse the Playlist."
  private mutating func resolved(
    _ text: ByteRangeText, of uri: String, after last: (uri: String, end: Int64)?,
    line: Int32, tag: PlaylistTag
  ) -> ByteRange? {
    if let offset = text.offset { return ByteRange(offset: offset, length: text.length) }
    guard let last, last.uri == uri else {
      state.journal.fault(.byteRangeWithoutPredecessor, line: line, tag: tag)
      return nil
    }
    if last.end.addingReportingOverflow(text.length).overflow {
      state.journal.fault(.outOfRange, line: line, tag: tag)
      return nil
    }
    return ByteRange(offset: last.end, length: text.length)
  }

  mutating func readKey(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let key = list.encryptionKey()
    guard state.accept(list, after: playlist.keySets.count, of: "keys"), let key else { return }
    // §4.4.4.4: a key applies "to every Media Segment and to every Media Initialization Section
    // […] between it and the next EXT-X-KEY tag in the Playlist file with the same KEYFORMAT".
    // A method of NONE says that the segments are not encrypted at all.
    keys.removeAll { key.method == .none || $0.format == key.format }
    // A set of keys is copied by each further one, so that it has to stay small.
    if keys.count == 16 {
      return state.fault(.tooMany("key formats", limit: 16), line)
    }
    if key.method != .none { keys.append(key) }
    keySet = keys.isEmpty ? 0 : Int32(playlist.keySets.count)
    if !keys.isEmpty { playlist.keySets.append(keys) }
  }

  mutating func readMap(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let uri = list.quoted("URI", .required)
    let range = list.byteRange("BYTERANGE")
    guard state.accept(list, after: playlist.maps.count, of: "initialization sections"), let uri
    else { return }
    let section = InitializationSection(
      uri: uri, byteRange: range.map { ByteRange(offset: $0.offset ?? 0, length: $0.length) })
    // §4.4.4.5: a map applies until the next; one that was named before brings nothing new.
    map = mapPlaces[section]
    if map != nil { return }
    map = Int32(playlist.maps.count)
    mapPlaces[section] = map
    playlist.maps.append(section)
  }

  mutating func readPart(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let uri = list.quoted("URI", .required)
    let duration = list.decimal("DURATION", places: 9, .required)
    let text = list.byteRange("BYTERANGE")
    _ = list.flag("INDEPENDENT")
    _ = list.flag("GAP")
    guard state.accept(list, after: playlist.partCount, of: "parts"), let uri, duration != nil
    else { return }
    let range = text.flatMap {
      resolved($0, of: uri, after: lastPartRange, line: line.number, tag: .part)
    }
    lastPartRange = range.map { (uri, $0.end) }
    pending.partLine = pending.partLine ?? line.number
    playlist.partCount += 1
  }
}

extension AttributeList {
  /// The attributes that EXT-X-KEY and EXT-X-SESSION-KEY share.
  mutating func encryptionKey() -> EncryptionKey? {
    let method = enumerated("METHOD", as: EncryptionMethod.self, .required)
    // §4.4.4.4: URI "is REQUIRED unless the METHOD is NONE".
    let uri = quoted("URI", method == EncryptionMethod.none ? .optional : .required)
    let vector = hexadecimal("IV")
    let format = quoted("KEYFORMAT") ?? "identity"
    let versions = quoted("KEYFORMATVERSIONS")
    guard let method else { return nil }
    return EncryptionKey(
      method: method, uri: uri ?? "", initializationVector: vector, format: format,
      formatVersions: versions)
  }
}

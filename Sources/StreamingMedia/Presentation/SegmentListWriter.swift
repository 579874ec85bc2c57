import VirtualTime

/// Where a playlist goes, piece by piece.
private protocol PlaylistSink {
  mutating func write(_ text: String)
  mutating func write(_ number: Int64)
}

private struct TextSink: PlaylistSink {
  private(set) var text = ""

  mutating func write(_ text: String) { self.text += text }

  mutating func write(_ number: Int64) { text += "\(number)" }
}

/// Counts what would be written: long playlists are sized more often than read.
private struct CountingSink: PlaylistSink {
  private(set) var bytes: Int64 = 0

  mutating func write(_ text: String) { bytes += Int64(text.utf8.count) }

  mutating func write(_ number: Int64) {
    var rest = number
    repeat {
      bytes += 1
      rest /= 10
    } while rest != 0
  }
}

extension SegmentList {
  /// The whole media playlist as a server would send it.
  public func text() -> String {
    var sink = TextSink()
    write(whole, of: type, withParts: false, to: &sink)
    return sink.text
  }

  /// The size of the whole playlist.
  public var writtenBytes: Int64 {
    var sink = CountingSink()
    write(whole, of: type, withParts: false, to: &sink)
    return sink.bytes
  }

  private var whole: LiveWindow {
    LiveWindow(segments: segments.indices, isEnded: isComplete)
  }

  /// The playlist of a live stream that slides over these segments.
  public func liveText(_ window: LiveWindow) -> String {
    var sink = TextSink()
    write(
      window, of: window.isEvent ? .event : nil, withParts: partDuration != nil, to: &sink)
    return sink.text
  }

  /// The size of what `liveText` writes.
  public func liveBytes(_ window: LiveWindow) -> Int64 {
    var sink = CountingSink()
    write(
      window, of: window.isEvent ? .event : nil, withParts: partDuration != nil, to: &sink)
    return sink.bytes
  }

  /// What a segment is called, relative to the playlist.
  public func name(of index: Int) -> String {
    var sink = TextSink()
    writeName(of: index, to: &sink)
    return sink.text
  }

  private func write(
    _ window: LiveWindow, of type: PlaylistType?, withParts: Bool, to sink: inout some PlaylistSink
  ) {
    let listed = window.segments.clamped(to: segments.indices)
    writeHeader(first: listed.lowerBound, window.removedDiscontinuities, type, to: &sink)
    writeServerControl(window, withParts: withParts, to: &sink)
    var writer = SegmentWriter()
    for index in listed {
      writer.writeTags(of: segments[index], in: self, to: &sink)
      if withParts, isNear(listed.upperBound, index) {
        for part in parts(of: index) { write(part, of: index, to: &sink) }
      }
      writer.writeDuration(of: segments[index], to: &sink)
      writeName(of: index, to: &sink)
      sink.write("\n")
    }
    if window.isEnded {
      sink.write("#EXT-X-ENDLIST\n")
    } else if withParts, listed.upperBound < segments.count {
      writer.writeTags(of: segments[listed.upperBound], in: self, to: &sink)
      writeTrailingParts(window, of: listed.upperBound, to: &sink)
    }
  }

  private func writeHeader(
    first: Int, _ removed: Int64?, _ type: PlaylistType?, to sink: inout some PlaylistSink
  ) {
    sink.write("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:")
    sink.write(targetDuration.nanoseconds / 1_000_000_000)
    sink.write("\n#EXT-X-MEDIA-SEQUENCE:")
    sink.write(mediaSequence + Int64(first))
    sink.write("\n")
    // §6.2.2: a removed EXT-X-DISCONTINUITY is counted in EXT-X-DISCONTINUITY-SEQUENCE.
    var sequence = discontinuitySequence
    if let removed {
      sequence += removed
    } else {
      for segment in segments[..<first] where segment.isDiscontinuity { sequence += 1 }
    }
    if sequence != 0 { sink.write("#EXT-X-DISCONTINUITY-SEQUENCE:\(sequence)\n") }
    if let type { sink.write("#EXT-X-PLAYLIST-TYPE:\(type.rawValue)\n") }
  }

  private func writeName(of index: Int, to sink: inout some PlaylistSink) {
    switch naming {
    case .listed(let names): sink.write(names[index])
    case .numbered(let prefix, let suffix):
      sink.write(prefix)
      sink.write(mediaSequence + Int64(index))
      sink.write(suffix)
    }
  }
}

// MARK: - Low latency

extension SegmentList {
  // §4.4.3.8: PART-HOLD-BACK "MUST be at least twice the Part Target Duration" and "SHOULD be at
  // least three times" it.
  private func writeServerControl(
    _ window: LiveWindow, withParts: Bool, to sink: inout some PlaylistSink
  ) {
    var attributes: [String] = []
    if let holdBack = window.holdBack { attributes.append("HOLD-BACK=\(seconds(holdBack))") }
    if withParts, let partDuration {
      if window.parts?.blocksReload ?? true { attributes.append("CAN-BLOCK-RELOAD=YES") }
      let holdBack =
        window.parts?.holdBack ?? MediaTime(nanoseconds: 3 * partDuration.nanoseconds)
      attributes.append("PART-HOLD-BACK=\(seconds(holdBack))")
    }
    for (index, attribute) in attributes.enumerated() {
      sink.write(index == 0 ? "#EXT-X-SERVER-CONTROL:" : ",")
      sink.write(attribute)
    }
    if !attributes.isEmpty { sink.write("\n") }
    if withParts, let partDuration {
      sink.write("#EXT-X-PART-INF:PART-TARGET=\(seconds(partDuration))\n")
    }
  }

  private func seconds(_ time: MediaTime) -> String {
    decimalText(time.nanoseconds, places: 9)
  }

  // §6.2.2: parts are for the last three target durations; older ones are removed.
  private func isNear(_ end: Int, _ index: Int) -> Bool {
    let edge = end == 0 ? MediaTime.zero : segments[end - 1].end
    return (edge - segments[index].end).nanoseconds < 3 * targetDuration.nanoseconds
  }

  private func write(_ part: MediaPart, of index: Int, to sink: inout some PlaylistSink) {
    let duration = decimalText(part.duration.nanoseconds, places: 9)
    sink.write("#EXT-X-PART:DURATION=\(duration),URI=\"")
    writeName(of: index, to: &sink)
    sink.write("\",BYTERANGE=\"\(part.byteRange.length)@\(part.byteRange.offset)\"")
    sink.write(part.isIndependent ? ",INDEPENDENT=YES\n" : "\n")
  }

  private func writeTrailingParts(
    _ window: LiveWindow, of index: Int, to sink: inout some PlaylistSink
  ) {
    let parts = parts(of: index)
    let published = parts.prefix(max(0, window.trailingParts))
    for part in published { write(part, of: index, to: &sink) }
    guard window.parts?.hints ?? true, published.count < parts.count else { return }
    sink.write("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"")
    writeName(of: index, to: &sink)
    sink.write("\",BYTERANGE-START=\(parts[published.count].byteRange.offset)\n")
  }
}

/// Writes the tags of one segment after another, and says nothing twice that still holds.
private struct SegmentWriter {
  private var map: Int?
  private var key: Int?
  // Most segments last as long as the one before.
  private var duration = MediaTime.zero
  private var durationLine = "#EXTINF:0,\n"

  mutating func writeTags(
    of segment: MediaSegment, in list: SegmentList, to sink: inout some PlaylistSink
  ) {
    if segment.isDiscontinuity { sink.write("#EXT-X-DISCONTINUITY\n") }
    if segment.key != key {
      let text = segment.key.map { list.keys[$0].attributeText } ?? "METHOD=NONE"
      sink.write("#EXT-X-KEY:\(text)\n")
      key = segment.key
    }
    if let next = segment.map, next != map {
      sink.write("#EXT-X-MAP:\(list.maps[next].attributeText)\n")
      map = next
    }
    if segment.isGap { sink.write("#EXT-X-GAP\n") }
  }

  mutating func writeDuration(of segment: MediaSegment, to sink: inout some PlaylistSink) {
    if segment.duration != duration {
      duration = segment.duration
      durationLine = "#EXTINF:\(decimalText(duration.nanoseconds, places: 9)),\n"
    }
    sink.write(durationLine)
  }
}

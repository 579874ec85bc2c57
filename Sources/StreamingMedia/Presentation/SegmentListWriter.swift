import VirtualTime

extension SegmentList {
  package var writtenBytes: Int64 {
    var sink = CountingSink()
    write(whole, of: type, withParts: false, to: &sink)
    return sink.bytes
  }

  package var whole: LiveWindow {
    LiveWindow(segments: segments.indices, isEnded: isComplete)
  }

  /// Writes a playlist, of a live stream the one that slides over these segments.
  package func write(
    _ window: LiveWindow, of type: PlaylistType?, withParts: Bool, skipping skipped: Int = 0,
    to sink: inout some PlaylistSink
  ) {
    let listed = window.segments.clamped(to: segments.indices)
    let removed = segments[..<listed.lowerBound].count { $0.isDiscontinuity }
    writeHeader(
      window, of: type, withParts: withParts, skipping: skipped, after: Int64(removed), to: &sink)
    var writer = SegmentWriter()
    if skipped > 0 { writer.pass(segments[..<min(listed.lowerBound + skipped, listed.upperBound)]) }
    let near = firstNear(listed.upperBound)
    for index in listed.dropFirst(skipped) {
      writer.writeTags(of: segments[index], in: self, to: &sink)
      if withParts, index >= near { writeParts(0..<partCount(of: index), of: index, to: &sink) }
      writer.writeDuration(of: segments[index], to: &sink)
      writeName(of: index, to: &sink)
      sink.write("\n")
    }
    writeEnd(window, withParts: withParts, after: writer, to: &sink)
  }

  func writeHeader(
    _ window: LiveWindow, of type: PlaylistType?, withParts: Bool, skipping skipped: Int,
    after removed: Int64, to sink: inout some PlaylistSink
  ) {
    // §8: EXT-X-SKIP needs version 9.
    sink.write("#EXTM3U\n#EXT-X-VERSION:\(skipped > 0 ? 9 : 7)\n#EXT-X-TARGETDURATION:")
    sink.write(targetDuration.nanoseconds / 1_000_000_000)
    sink.write("\n#EXT-X-MEDIA-SEQUENCE:")
    sink.write(mediaSequence + Int64(min(window.segments.lowerBound, segments.count)))
    sink.write("\n")
    // §6.2.2: a removed EXT-X-DISCONTINUITY is counted in EXT-X-DISCONTINUITY-SEQUENCE.
    let sequence = discontinuitySequence + removed
    if sequence != 0 { sink.write("#EXT-X-DISCONTINUITY-SEQUENCE:\(sequence)\n") }
    if let type { sink.write("#EXT-X-PLAYLIST-TYPE:\(type.rawValue)\n") }
    writeServerControl(window, withParts: withParts, to: &sink)
    if skipped == 0 { return }
    // §4.4.5.2: it stands for the segments, "and all Media Segment Tags that are applied to" them.
    sink.write("#EXT-X-SKIP:SKIPPED-SEGMENTS=")
    sink.write(Int64(skipped))
    sink.write("\n")
  }

  /// Writes the lines after the last complete segment.
  func writeEnd(
    _ window: LiveWindow, withParts: Bool, writesParts: Bool = true, after writer: SegmentWriter,
    to sink: inout some PlaylistSink
  ) {
    let next = window.segments.upperBound
    if window.isEnded {
      sink.write("#EXT-X-ENDLIST\n")
    } else if withParts, next < segments.count {
      var writer = writer
      writer.writeTags(of: segments[next], in: self, to: &sink)
      if writesParts { writeParts(0..<trailingPartCount(in: window), of: next, to: &sink) }
      let trailing = trailingPartCount(in: window)
      guard window.parts?.hints ?? true, trailing < partCount(of: next) else { return }
      sink.write("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"")
      writeName(of: next, to: &sink)
      sink.write("\",BYTERANGE-START=\(part(trailing, of: next).byteRange.offset)\n")
    }
  }

  func writeName(of index: Int, to sink: inout some PlaylistSink) {
    switch naming {
    case .listed(let names): sink.write(names[index])
    case .numbered(let prefix, let suffix):
      sink.write(prefix)
      sink.write(mediaSequence + Int64(index))
      sink.write(suffix)
    }
  }

  package var hasParts: Bool { partDuration != nil }

  // §4.4.3.8: PART-HOLD-BACK "MUST be at least twice the Part Target Duration" and "SHOULD be at
  // least three times" it.
  fileprivate func writeServerControl(
    _ window: LiveWindow, withParts: Bool, to sink: inout some PlaylistSink
  ) {
    var attributes: [String] = []
    if let holdBack = window.holdBack { attributes.append("HOLD-BACK=\(seconds(holdBack))") }
    if withParts, let partDuration {
      if window.parts?.blocksReload ?? true { attributes.append("CAN-BLOCK-RELOAD=YES") }
      let holdBack = window.parts?.holdBack ?? MediaTime(nanoseconds: 3 * partDuration.nanoseconds)
      attributes.append("PART-HOLD-BACK=\(seconds(holdBack))")
    }
    if let boundary = window.canSkipUntil {
      attributes.append("CAN-SKIP-UNTIL=\(seconds(boundary))")
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

  private func seconds(_ time: MediaTime) -> String { decimalText(time.nanoseconds, places: 9) }

  // §6.2.2: parts are for the last three target durations; older ones are removed.
  /// The first segment whose parts are listed by a playlist that ends before another one.
  func firstNear(_ end: Int) -> Int {
    let edge = end == 0 ? MediaTime.zero : segments[end - 1].end
    let past = edge - MediaTime(nanoseconds: 3 * targetDuration.nanoseconds)
    return segments.partitionPoint { $0.end > past }
  }

  func writeParts(_ numbers: Range<Int>, of index: Int, to sink: inout some PlaylistSink) {
    for number in numbers {
      let part = part(number, of: index)
      sink.write("#EXT-X-PART:DURATION=\(seconds(part.duration)),URI=\"")
      writeName(of: index, to: &sink)
      sink.write("\",BYTERANGE=\"\(part.byteRange.length)@\(part.byteRange.offset)\"")
      sink.write(part.isIndependent ? ",INDEPENDENT=YES\n" : "\n")
    }
  }

  /// Number of listed parts of the segment that is not complete yet.
  func trailingPartCount(in window: LiveWindow) -> Int {
    min(max(0, window.trailingParts), partCount(of: window.segments.upperBound))
  }
}

extension RenditionReport {
  // §4.4.5.4
  package func write(to sink: inout some PlaylistSink) {
    sink.write("#EXT-X-RENDITION-REPORT:URI=\"")
    sink.write(uri)
    sink.write("\"")
    for (name, number) in [(",LAST-MSN=", lastMediaSequence), (",LAST-PART=", lastPart)] {
      guard let number else { continue }
      sink.write(name)
      sink.write(number)
    }
    sink.write("\n")
  }

  package var writtenBytes: Int64 {
    var sink = CountingSink()
    write(to: &sink)
    return sink.bytes
  }
}

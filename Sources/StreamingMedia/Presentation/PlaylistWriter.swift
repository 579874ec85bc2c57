import VirtualTime

/// How a playlist travels.
public enum PlaylistEncoding: Hashable, Sendable {
  case plain
  /// Compressed to some percents of its size; playlists repeat themselves much.
  case gzip(percent: Int64)

  /// The bytes that a playlist has on the link.
  public func transferred(_ bytes: Int64) -> Int64 {
    switch self {
    case .plain: bytes
    case .gzip(let percent): scaled(bytes, by: max(0, percent), over: 100, rounding: .up)
    }
  }
}

extension Presentation {
  /// The multivariant playlist as a server would send it.
  public func multivariantText() -> String {
    var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
    if let start { text += line(of: start) }
    for key in sessionKeys { text += "#EXT-X-SESSION-KEY:\(key.attributeText)\n" }
    for rendition in renditions {
      text += "#EXT-X-MEDIA:\(rendition.attributes.attributeText)\n"
    }
    for variant in variants {
      text += "#EXT-X-STREAM-INF:\(variant.attributes.attributeText)\n\(variant.attributes.uri)\n"
    }
    return text
  }

  private func line(of start: StartPoint) -> String {
    "#EXT-X-START:TIME-OFFSET=\(decimalText(start.offset.nanoseconds, places: 9))"
      + (start.isPrecise ? ",PRECISE=YES\n" : "\n")
  }
}

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
    write(segments.indices, of: type, isEnded: isComplete, to: &sink)
    return sink.text
  }

  /// The size of the whole playlist.
  public var writtenBytes: Int64 {
    var sink = CountingSink()
    write(segments.indices, of: type, isEnded: isComplete, to: &sink)
    return sink.bytes
  }

  /// The playlist of a live stream that slides over these segments.
  ///
  /// - Parameters:
  ///   - window: the segments that are listed, as indices; what lies beyond the list is left out.
  ///   - isEnded: whether the stream has ended and says so.
  public func liveText(window: Range<Int>, isEnded: Bool = false) -> String {
    var sink = TextSink()
    write(window.clamped(to: segments.indices), of: nil, isEnded: isEnded, to: &sink)
    return sink.text
  }

  /// The size of what `liveText` writes.
  public func liveBytes(window: Range<Int>, isEnded: Bool = false) -> Int64 {
    var sink = CountingSink()
    write(window.clamped(to: segments.indices), of: nil, isEnded: isEnded, to: &sink)
    return sink.bytes
  }

  /// What a segment is called, relative to the playlist.
  public func name(of index: Int) -> String {
    var sink = TextSink()
    writeName(of: index, to: &sink)
    return sink.text
  }

  private func write(
    _ window: Range<Int>, of type: PlaylistType?, isEnded: Bool, to sink: inout some PlaylistSink
  ) {
    sink.write("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:")
    sink.write(targetDuration.nanoseconds / 1_000_000_000)
    sink.write("\n#EXT-X-MEDIA-SEQUENCE:")
    sink.write(mediaSequence + Int64(window.lowerBound))
    sink.write("\n")
    // §6.2.2: a removed EXT-X-DISCONTINUITY is counted in EXT-X-DISCONTINUITY-SEQUENCE.
    var sequence = discontinuitySequence
    for segment in segments[..<window.lowerBound] where segment.isDiscontinuity { sequence += 1 }
    if sequence != 0 { sink.write("#EXT-X-DISCONTINUITY-SEQUENCE:\(sequence)\n") }
    if let type { sink.write("#EXT-X-PLAYLIST-TYPE:\(type.rawValue)\n") }
    writeSegments(window, to: &sink)
    if isEnded { sink.write("#EXT-X-ENDLIST\n") }
  }

  private func writeSegments(_ window: Range<Int>, to sink: inout some PlaylistSink) {
    var (map, key): (Int?, Int?) = (nil, nil)
    // Most segments last as long as the one before.
    var (duration, line) = (MediaTime.zero, "#EXTINF:0,\n")
    for index in window {
      let segment = segments[index]
      if segment.isDiscontinuity { sink.write("#EXT-X-DISCONTINUITY\n") }
      if segment.key != key {
        let text = segment.key.map { keys[$0].attributeText } ?? "METHOD=NONE"
        sink.write("#EXT-X-KEY:\(text)\n")
        key = segment.key
      }
      if let next = segment.map, next != map {
        sink.write("#EXT-X-MAP:\(attributeText(of: maps[next]))\n")
        map = next
      }
      if segment.isGap { sink.write("#EXT-X-GAP\n") }
      if segment.duration != duration {
        duration = segment.duration
        line = "#EXTINF:\(decimalText(duration.nanoseconds, places: 9)),\n"
      }
      sink.write(line)
      writeName(of: index, to: &sink)
      sink.write("\n")
    }
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

  private func attributeText(of map: SizedMap) -> String {
    var list = AttributeText()
    list.quoted("URI", map.uri)
    list.quoted("BYTERANGE", map.byteRange.map { "\($0.length)@\($0.offset)" })
    return list.text
  }
}

// MARK: - Attributes

/// Attributes in the making.
private struct AttributeText {
  private(set) var text = ""

  mutating func plain(_ name: String, _ value: String?) {
    guard let value else { return }
    text += "\(text.isEmpty ? "" : ",")\(name)=\(value)"
  }

  mutating func quoted(_ name: String, _ value: String?) {
    plain(name, value.map { "\"\($0)\"" })
  }

  mutating func list(_ name: String, _ items: [String], separator: String = ",") {
    if items.isEmpty { return }
    quoted(name, items.joined(separator: separator))
  }
}

extension EncryptionKey {
  fileprivate var attributeText: String {
    var list = AttributeText()
    list.plain("METHOD", method.rawValue)
    list.quoted("URI", uri)
    list.plain("IV", initializationVector)
    if format != "identity" { list.quoted("KEYFORMAT", format) }
    list.quoted("KEYFORMATVERSIONS", formatVersions)
    return list.text
  }
}

extension PlaylistRendition {
  fileprivate var attributeText: String {
    var list = AttributeText()
    list.plain("TYPE", kind.rawValue)
    list.quoted("GROUP-ID", group)
    list.quoted("NAME", name)
    list.quoted("LANGUAGE", language)
    list.quoted("ASSOC-LANGUAGE", associatedLanguage)
    if isDefault { list.plain("DEFAULT", "YES") }
    if isAutoselect { list.plain("AUTOSELECT", "YES") }
    if isForced { list.plain("FORCED", "YES") }
    list.quoted("INSTREAM-ID", inStreamIdentifier)
    list.list("CHARACTERISTICS", characteristics)
    list.list("CHANNELS", channels, separator: "/")
    list.plain("BIT-DEPTH", bitDepth.map { "\($0)" })
    list.plain("SAMPLE-RATE", sampleRate.map { "\($0)" })
    list.quoted("STABLE-RENDITION-ID", stableIdentifier)
    list.quoted("URI", uri)
    return list.text
  }
}

extension PlaylistVariant {
  fileprivate var attributeText: String {
    var list = AttributeText()
    list.plain("BANDWIDTH", "\(bandwidth)")
    list.plain("AVERAGE-BANDWIDTH", averageBandwidth.map { "\($0)" })
    list.plain("SCORE", score.map { decimalText($0, places: 6) })
    list.list("CODECS", codecs)
    list.list("SUPPLEMENTAL-CODECS", supplementalCodecs)
    list.plain("RESOLUTION", resolution.map { "\($0.width)x\($0.height)" })
    list.plain("FRAME-RATE", frameRate.map { decimalText($0, places: 3) })
    list.plain("HDCP-LEVEL", copyProtection?.rawValue)
    if videoRange != .standard { list.plain("VIDEO-RANGE", videoRange.rawValue) }
    list.quoted("AUDIO", audioGroup)
    list.quoted("VIDEO", videoGroup)
    list.quoted("SUBTITLES", subtitleGroup)
    list.quoted("CLOSED-CAPTIONS", closedCaptionGroup)
    list.quoted("PATHWAY-ID", pathway)
    list.quoted("STABLE-VARIANT-ID", stableIdentifier)
    list.quoted("NAME", name)
    return list.text
  }
}

/// An integer of a unit as a decimal of it, without zeros at the end.
func decimalText(_ value: Int64, places: Int) -> String {
  let magnitude = value.magnitude
  var unit: UInt64 = 1
  for _ in 0..<places { unit *= 10 }
  let whole = "\(value < 0 ? "-" : "")\(magnitude / unit)"
  var rest = magnitude % unit
  if rest == 0 { return whole }
  var digits = places
  while rest.isMultiple(of: 10) {
    rest /= 10
    digits -= 1
  }
  let text = "\(rest)"
  return "\(whole).\(String(repeating: "0", count: digits - text.utf8.count))\(text)"
}

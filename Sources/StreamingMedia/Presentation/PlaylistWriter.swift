import VirtualTime

/// Content encoding of a playlist during transfer.
public enum PlaylistEncoding: Hashable, Sendable {
  case plain
  /// Compressed to some percents of its size; playlists repeat themselves much.
  case gzip(percent: Int64)

  package func transferred(_ bytes: Int64) -> Int64 {
    switch self {
    case .plain: bytes
    case .gzip(let percent): scaled(bytes, by: max(0, percent), over: 100, rounding: .up)
    }
  }
}

extension Presentation {
  /// The multivariant playlist as a server would send it.
  package func multivariantText() -> String {
    var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
    if let start {
      text += "#EXT-X-START:TIME-OFFSET=\(decimalText(start.offset.nanoseconds, places: 9))"
      text += start.isPrecise ? ",PRECISE=YES\n" : "\n"
    }
    for key in sessionKeys { text += "#EXT-X-SESSION-KEY:\(key.attributeText)\n" }
    for rendition in renditions {
      text += "#EXT-X-MEDIA:\(rendition.attributes.attributeText)\n"
    }
    for variant in variants {
      text += "#EXT-X-STREAM-INF:\(variant.attributes.attributeText)\n\(variant.attributes.uri)\n"
    }
    return text
  }
}

private struct AttributeText {
  private(set) var text = ""

  mutating func plain(_ name: String, _ value: String?) {
    guard let value else { return }
    text += "\(text.isEmpty ? "" : ",")\(name)=\(value)"
  }

  mutating func quoted(_ name: String, _ value: String?) { plain(name, value.map { "\"\($0)\"" }) }

  mutating func list(_ name: String, _ items: [String], separator: String = ",") {
    if items.isEmpty { return }
    quoted(name, items.joined(separator: separator))
  }
}

extension SizedMap {
  var attributeText: String {
    var list = AttributeText()
    list.quoted("URI", uri)
    list.quoted("BYTERANGE", byteRange.map { "\($0.length)@\($0.offset)" })
    return list.text
  }
}

extension EncryptionKey {
  var attributeText: String {
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
  var attributeText: String {
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
  var attributeText: String {
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
package func decimalText(_ value: Int64, places: Int) -> String {
  var unit: UInt64 = 1
  for _ in 0..<places { unit *= 10 }
  let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit)
  let sign = value < 0 ? "-" : ""
  if rest == 0 { return "\(sign)\(whole)" }
  var digits = "\(rest + unit)".utf8.dropFirst()
  while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  return "\(sign)\(whole)." + String(decoding: digits, as: UTF8.self)
}

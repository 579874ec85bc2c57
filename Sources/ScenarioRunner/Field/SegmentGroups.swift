import ExactText
import Recording
import StreamingMedia
import VirtualTime

/// Segments by the pattern of their URIs: all but the last number in the name.
struct SegmentGroups {
  private struct Group {
    var pattern: String
    var isAudio: Bool
    /// Without bytes where none are known of a segment that was asked for.
    var rows: [(number: Int, uri: String, bytes: Int64, duration: MediaTime?)] = []
  }

  private var groups: [Group] = []
  private var numbers = 0...0

  static func isMedia(_ path: String) -> Bool {
    let ending = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { lowercased(String(path[$0...])) }
    return [
      ".ts", ".m4s", ".mp4", ".m4v", ".m4a", ".aac", ".cmfv", ".cmfa", ".webm", ".mov", ".mp3",
    ].contains { isSameText($0, ending ?? "") }
  }

  /// Nil where no two media requests differ in a number alone.
  init?(_ requests: [FieldRequest]) {
    for request in requests {
      var reference = URIReference(request.uri)
      (reference.query, reference.fragment) = (nil, nil)
      let uri = reference.text
      let bytes = request.outcome == .failed ? 0 : request.size ?? request.bytes ?? 0
      guard request.canCarryMedia, Self.isMedia(uri),
        request.uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
        let (pattern, number) = Self.pattern(of: Array(uri.utf8))
      else { continue }
      var place = groups.firstIndex { isSameText($0.pattern, pattern) }
      if place == nil, groups.count < 100 {
        let names = lowercased(request.mimeType + " " + uri)
        groups.append(Group(pattern: pattern, isAudio: contains("audio", in: names)))
        place = groups.count - 1
      }
      if let place { groups[place].rows.append((number, request.uri, bytes, request.duration)) }
    }
    let loaded = groups.map { group in group.rows.filter { $0.bytes > 0 }.map { $0.number } }
    let known = Set(loaded.flatMap { $0 })
    // Of a variant that is left at once one segment is loaded: others go on from its number.
    let kept = groups.indices.filter { index in
      loaded[index].count > 1
        || !contains("init", in: groups[index].pattern)
          && loaded[index].contains { known.contains($0 - 1) || known.contains($0 + 1) }
    }
    groups = loaded.contains { $0.count > 1 } ? kept.map { groups[$0] } : []
    if groups.allSatisfy({ $0.isAudio }) {
      for index in groups.indices { groups[index].isAudio = false }
    }
    let all = groups.flatMap { $0.rows.map { $0.number } }
    guard let low = all.min(), let high = all.max(), (high - low + 1) * groups.count <= 500_000
    else { return nil }
    numbers = low...high
  }

  /// The URI with a mark in place of the last number of its name, and that number.
  private static func pattern(of uri: [UInt8]) -> (String, Int)? {
    let slash = uri.lastIndex(of: UInt8(ascii: "/")) ?? -1
    // The ending may hold a digit: mp4.
    let end = uri.lastIndex(of: UInt8(ascii: ".")) ?? uri.count
    guard slash < end,
      let last = uri[(slash + 1)..<end].lastIndex(where: { decimalDigit($0) != nil })
    else { return nil }
    let start = uri[(slash + 1)..<last].lastIndex { decimalDigit($0) == nil }.map { $0 + 1 }
    let digits = uri[(start ?? slash + 1)...last]
    guard digits.count < 10 else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int(truncatingIfNeeded: decimalDigit($1) ?? 0) }
    let pattern = uri[..<digits.startIndex] + [UInt8(ascii: "#")] + uri[(last + 1)...]
    return (String(decoding: pattern, as: UTF8.self), number)
  }

  /// Durations of the segments by their numbers; another where no request tells it.
  func durations(else other: MediaTime) -> [MediaTime] {
    var durations = Array(repeating: other, count: numbers.count)
    for row in groups.flatMap({ $0.rows }) {
      if let duration = row.duration { durations[row.number - numbers.lowerBound] = duration }
    }
    return durations
  }

  /// Playlists that list the segments from the first number to the last.
  func playlists(_ durations: [MediaTime]) -> [SeenPlaylist] {
    var (master, lists): (String, [SeenPlaylist]) = ("#EXTM3U\n", [])
    for (index, group) in groups.enumerated() {
      let name = "media-\(index).m3u8"
      var (names, own) = (numbers.map { "gone-\($0)" }, durations)
      var (total, span) = (Int128(0), Int128(0))
      for row in group.rows {
        let place = row.number - numbers.lowerBound
        names[place] = row.uri
        own[place] = row.duration ?? own[place]
        if row.bytes <= 0 { continue }
        total += Int128(row.bytes) * 8_000_000_000
        span += Int128(own[place].nanoseconds)
      }
      master +=
        group.isAudio
        ? "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\(index)\",AUTOSELECT=YES,"
          + "URI=\"\(name)\"\n"
        : "#EXT-X-STREAM-INF:BANDWIDTH=\(Int64(clamping: total / max(1, span)) + 1)"
          + (groups.contains { $0.isAudio } ? ",AUDIO=\"a\"" : "") + "\n\(name)\n"
      let target = ((own.max() ?? .zero).nanoseconds + 999_999_999) / 1_000_000_000
      let segments = zip(own, names).map { duration, name in
        "#EXTINF:\(JSONTree.seconds(duration.nanoseconds).json),\n\(name)\n"
      }.joined()
      let text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n\(segments)#EXT-X-ENDLIST\n"
      lists.append(SeenPlaylist(FieldRequest(uri: "field:/\(name)"), Array(text.utf8)))
    }
    return [SeenPlaylist(FieldRequest(uri: "field:/main.m3u8"), Array(master.utf8))] + lists
  }
}

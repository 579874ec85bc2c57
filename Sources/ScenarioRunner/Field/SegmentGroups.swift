import ExactText
import Recording
import StreamingMedia
import VirtualTime

/// Segments by the pattern of their URIs: all but the number in the name that counts them.
struct SegmentGroups {
  private typealias Name = (
    uri: [UInt8], runs: [ArraySlice<UInt8>], numbers: [Int], form: String
  )

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
    let asked = requests.filter { $0.canCarryMedia }.compactMap { request in
      Self.name(of: request.uri).map { (request: request, name: $0) }
    }
    // Names that are requested at more offsets than there are names are files in ranges; segments
    // in parts have more names.
    let nameCount = Set(asked.map { $0.name.uri }).count
    let offsetCount = Set(asked.map { $0.name.uri + " \($0.request.firstByte ?? 0)".utf8 }).count
    if offsetCount >= nameCount * nameCount { return nil }
    let forms = Dictionary(grouping: asked.map { $0.name }) { $0.form }.mapValues(Self.count)
    for (request, name) in asked {
      guard let (column, step) = forms[name.form] else { continue }
      var marked = name.uri
      marked.replaceSubrange(name.runs[column].indices, with: "#".utf8)
      let pattern = String(decoding: marked, as: UTF8.self)
      let bytes = request.outcome == .failed ? 0 : request.size ?? request.bytes ?? 0
      var place = groups.firstIndex { isSameText($0.pattern, pattern) }
      if place == nil, groups.count < 100 {
        let words = lowercased(request.mimeType + " " + pattern)
        groups.append(Group(pattern: pattern, isAudio: contains("audio", in: words)))
        place = groups.count - 1
      }
      let number = name.numbers[column] / step
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

  /// Cuts the name at the end of a URI at its numbers, into a form that folders do not change.
  private static func name(of text: String) -> Name? {
    var reference = URIReference(text)
    (reference.query, reference.fragment) = (nil, nil)
    let uri = Array(reference.text.utf8)
    let slash = uri.lastIndex(of: UInt8(ascii: "/")) ?? -1
    // The ending may hold a digit: mp4.
    let end = uri.lastIndex(of: UInt8(ascii: ".")) ?? uri.count
    guard slash < end, isMedia(reference.text), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return nil }
    let runs = uri[(slash + 1)..<end].split { decimalDigit($0) == nil }
    let numbers = runs.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    let words = uri[(slash + 1)...].filter { decimalDigit($0) == nil }
    let form = "\(runs.count) " + String(decoding: words, as: UTF8.self)
    return runs.isEmpty || numbers.count < runs.count ? nil : (uri, runs, numbers, form)
  }

  /// The number that counts the names of a form, and the step by which it rises: that of times, or
  /// one. It differs most, and never falls; else it is the last, unless that is always the same.
  private static func count(_ names: [Name]) -> (column: Int, step: Int) {
    let values = names[0].numbers.indices.map { column in
      Set(names.map { $0.numbers[column] }).sorted()
    }
    let most = values.map { $0.count }.max()
    let widest = values.lastIndex { $0.count == most } ?? 0
    let falls = zip(names, names.dropFirst()).contains { $0.numbers[widest] > $1.numbers[widest] }
    let column = falls && values[values.count - 1].count > 1 ? values.count - 1 : widest
    let gaps = zip(values[column].dropFirst(), values[column]).map { $0 - $1 }
    let least = gaps.min() ?? 1
    // Between two alone, others may have been passed over.
    return (column, gaps.count > 1 && gaps.allSatisfy { $0 % least == 0 } ? least : 1)
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
    let longest = Int128((durations.max() ?? .zero).nanoseconds)
    var (master, lists): (String, [SeenPlaylist]) = ("#EXTM3U\n", [])
    for (index, group) in groups.enumerated() {
      let name = "media-\(index).m3u8"
      var (names, own) = (numbers.map { "gone-\($0)" }, durations)
      var (total, span, peak) = (Int128(0), Int128(0), Int128(0))
      for row in group.rows {
        let place = row.number - numbers.lowerBound
        names[place] = row.uri
        own[place] = row.duration ?? own[place]
        if row.bytes <= 0 { continue }
        let (bits, time) = (Int128(row.bytes) * 8_000_000_000, Int128(own[place].nanoseconds))
        (total, span) = (total + bits, span + time)
        // RFC 8216 §4.3.4.2: peaks last half the target duration at least.
        if time * 2 >= longest { peak = max(peak, bits / max(1, time)) }
      }
      let mean = total / max(1, span)
      master +=
        group.isAudio
        ? "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\(index)\",AUTOSELECT=YES,"
          + "URI=\"\(name)\"\n"
        : "#EXT-X-STREAM-INF:BANDWIDTH=\(Int64(clamping: max(peak, mean)) + 1),"
          + "AVERAGE-BANDWIDTH=\(Int64(clamping: mean) + 1)"
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

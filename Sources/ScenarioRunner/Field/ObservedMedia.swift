import ExactText
import Recording
package import ScenarioFormat
import SimulatedPlayback
import StreamingMedia
import VirtualTime

package struct ObservedMedia: Sendable {
  /// A request that belongs to the playback.
  struct Part: Sendable {
    var request = 0
    /// Nil of a file.
    var kind: ResourceKind?
    var track: TrackKind?
    var variant: Int32?
    var media: Range<MediaTime>?

    var pictures: Range<MediaTime>? { track == .main ? media : nil }
  }

  private(set) var document = JSONTree.null
  /// Playlists beside the scenario, by their paths from there.
  package private(set) var files: [ScenarioFile] = []
  private(set) var parts: [Part] = []
  private(set) var notes: [String] = []
  private(set) var duration = MediaTime.zero
  private(set) var leftOut = ByteRanges()
  /// Those into a file.
  private(set) var seeks: [(instant: Instant, target: MediaTime)] = []
  /// Whether a playlist without an end was fetched again.
  private(set) var isLive = false

  var isComplete: Bool {
    parts.compactMap { $0.pictures?.upperBound }.max().map { $0 >= duration } ?? true
  }

  init(
    _ log: FieldLog, folder: String, duration: MediaTime?, segmentDuration: MediaTime?
  ) throws(Diagnostic) {
    if !log.entries.isEmpty {
      readEntries(log, duration, segmentDuration)
      return
    }
    var playlists: [SeenPlaylist] = []
    for request in log.requests {
      guard let text = request.playlist, text.starts(with: "#EXTM3U".utf8) else { continue }
      if let old = playlists.firstIndex(where: { isSameText($0.request.uri, request.uri) }) {
        isLive = playlists.remove(at: old).hasNoEnd || isLive
      }
      if playlists.count < 1_000 { playlists.append(SeenPlaylist(request, text)) }
    }
    if !playlists.isEmpty {
      try readStream(log, playlists, folder)
      if isLive { notes.append("the live stream is played as video on demand") }
      note("--duration", duration, "the playlists tell it")
      note("--segment-duration", segmentDuration, "the playlists tell it")
    } else if let groups = SegmentGroups(log.requests + log.leftOut) {
      let lengths = groups.durations(else: segmentDuration ?? log.segmentDuration ?? .seconds(6))
      try readStream(log, groups.playlists(lengths), folder, areSeen: false)
      let (least, most) = (lengths.min() ?? .zero, lengths.max() ?? .zero)
      notes.append(
        "no playlist is in the log: segments are numbered as their names are and last "
          + (least < most ? JSONTree.secondsText(least.nanoseconds) + " to " : "")
          + JSONTree.secondsText(most.nanoseconds))
      note("--duration", duration, "the segments tell it")
      let isTold = lengths == groups.durations(else: .zero)
      note("--segment-duration", isTold ? segmentDuration : nil, "the log tells it")
    } else {
      try readFile(log, log.duration ?? duration)
      note("--duration", log.duration == nil ? nil : duration, "the log tells it")
      note("--segment-duration", segmentDuration, "a file has no segments")
    }
  }

  private mutating func note(_ option: String, _ value: MediaTime?, _ reason: String) {
    if value != nil { notes.append("\(option) has no effect: \(reason)") }
  }

  /// Media of an access log: what its entries loaded, at the mean bit rate of each variant.
  private mutating func readEntries(
    _ log: FieldLog, _ duration: MediaTime?, _ segmentDuration: MediaTime?
  ) {
    let entries = log.entries
    let ends = entries.map { $0.playbackStartOffset + max($0.durationWatched, $0.loaded) }
    let reached = max(.seconds(1), ends.max() ?? .zero)
    self.duration = max(duration ?? reached, reached)
    let length = JSONTree.secondsText(self.duration.nanoseconds)
    if duration == nil {
      notes.append("the log does not tell how long the media are: they are taken to last \(length)")
    }
    note("--duration", self.duration == duration ? nil : duration, "an entry reaches to \(length)")
    let isFile = entries.contains { $0.playbackType == .file }
    if isFile { note("--segment-duration", segmentDuration, "a file has no segments") }
    let rungs = entries.bandwidths.map { bandwidth in
      entries.filter { $0.indicatedBitrate ?? 0 == bandwidth }
    }
    if (isFile ? [entries] : rungs).contains(where: { $0.knownRate == nil }) {
      notes.append("a bit rate that no entry tells is taken to be 1000000 bit/s")
    }
    if isFile {
      document = [
        "progressive": ["duration": .string(length), "bitrate": .string(entries.meanRate)]
      ]
      return
    }
    let counted = entries.filter { $0.numberOfMediaRequests > 0 }
    let requests = max(1, counted.reduce(0) { $0 + $1.numberOfMediaRequests })
    let mean = MediaTime(nanoseconds: counted.reduce(0) { $0 + $1.loaded.nanoseconds } / requests)
    // More segments than a stream may have would be a mistake of the log.
    let least = self.duration.nanoseconds / (ScenarioLimits.mostSegments / 2) * Int64(rungs.count)
    let told = segmentDuration ?? (mean < .milliseconds(100) ? .seconds(6) : mean)
    let segment = min(max(told, MediaTime(nanoseconds: least)), .seconds(3_600))
    let each = JSONTree.secondsText(segment.nanoseconds)
    document = [
      "hls": [
        "ladder": .list(rungs) { ["bitrate": .string($0.meanRate)] }, "duration": .string(length),
        "segmentDuration": .string(each),
      ]
    ]
    notes.append(
      "an access log tells of no request: segments last \(each) and have the mean bit rate of "
        + "their variant")
  }

  private mutating func readFile(_ log: FieldLog, _ duration: MediaTime?) throws(Diagnostic) {
    let media = log.requests.indices.filter { index in
      let (type, uri) = (lowercased(log.requests[index].mimeType), log.requests[index].uri)
      return log.requests[index].canCarryMedia
        && (["video/", "audio/"].contains { type.utf8.starts(with: $0.utf8) }
          || SegmentGroups.isMedia(URIReference(uri).path))
    }
    func bytes(_ index: Int) -> Int64 { log.requests[index].bytes ?? 0 }
    guard let largest = media.max(by: { bytes($0) < bytes($1) }) else {
      throw Diagnostic(
        "the log has no request for media", expected: "a playlist, segments or a file")
    }
    let own = media.filter { isSameText(log.requests[$0].uri, log.requests[largest].uri) }
    let sizes = own.map { log.requests[$0] }.map { $0.resourceBytes ?? $0.size ?? $0.endByte }
    let whole = max(2, sizes.max() ?? 0)
    guard let duration = duration ?? length(of: own.map { log.requests[$0] }, to: whole) else {
      throw Diagnostic("no request tells how long the file is", expected: "its --duration")
    }
    parts = own.map { Part(request: $0) }
    let began = log.began ?? .distantFuture
    // One of the first requests reads the end of the file, before playback.
    let head = own.prefix(3).dropFirst().first { index in
      let first = log.requests[index].firstByte ?? 0
      return first * 2 > whole && log.requests[index].endByte == whole
        && log.requests[index].started < began
    }
    let headBytes = head.map { bytes($0) } ?? 0
    document = [
      "progressive": [
        "duration": .string(JSONTree.secondsText(duration.nanoseconds)),
        "size": .string("\(whole - headBytes) B"),
        "headAtom": headBytes > 0 ? ["size": .string("\(headBytes) B"), "at": "end"] : nil,
      ]
    ]
    self.duration = duration
    notes.append("the file's bytes are spread evenly over its duration")
    let isIndexAssumed = head != nil && log.began == nil
    readSeeks(
      own.filter { $0 != head }.map { log.requests[$0] }, whole - headBytes, began,
      unknown: isIndexAssumed ? 1 : 0)
    if headBytes == 0 { notes.append("an index at the front of the file would not be seen") }
  }

  /// The duration of a file that those of its ranges tell which were requested.
  private mutating func length(of ranges: [FieldRequest], to whole: Int64) -> MediaTime? {
    var (bytes, media, known) = (Int64(0), MediaTime.zero, Set<Int64>())
    for range in ranges {
      guard range.outcome == .completed, let duration = range.duration,
        let first = range.firstByte, range.endByte > first, known.insert(first).inserted
      else { continue }
      (bytes, media) = (bytes + range.endByte - first, media + duration)
    }
    if bytes == 0 { return nil }
    notes.append("the file is as long as the durations of its ranges make all of its bytes")
    return MediaTime(
      nanoseconds: scaled(media.nanoseconds, by: whole, over: bytes, rounding: .up))
  }

  private mutating func readSeeks(
    _ ranges: [FieldRequest], _ whole: Int64, _ began: Instant, unknown: Int
  ) {
    var (unknown, ranges) = (unknown, ranges)
    // Of ranges side by side the later one may have been asked for first.
    for index in ranges.indices.dropFirst() where ranges[index].started < ranges[index - 1].end {
      if ranges[index].endByte == ranges[index - 1].firstByte { ranges.swapAt(index - 1, index) }
    }
    for (last, next) in zip(ranges, ranges.dropFirst()) {
      let places = [last.endByte, next.firstByte ?? 0].map { byte in
        scaled(duration.nanoseconds, by: min(byte, whole), over: whole, rounding: .up)
      }
      // A client may round the ends of ranges.
      if (places[1] - places[0]).magnitude < 1_000_000_000 { continue }
      let seek = (next.started, MediaTime(nanoseconds: places[1]))
      next.started < began ? (unknown += 1) : seeks.append(seek)
    }
    notes.add("ranges out of order are no seeks where playback is not known to have begun", unknown)
  }

  /// An audio-only variant may share its playlist with an audio rendition: its segments are audio
  /// where video of another variant covers them.
  private mutating func separateSound(_ presentation: Presentation) {
    let sounds = presentation.renditions.filter { $0.attributes.kind == .audio }.map { $0.list }
    let isSound = presentation.variants.map { sounds.contains($0.list) }
    var shown = ByteRanges()
    for part in parts {
      if let variant = part.variant, let media = part.media, !isSound[Int(variant)] {
        shown.insert(media.lowerBound.nanoseconds..<media.upperBound.nanoseconds)
      }
    }
    for index in parts.indices {
      let start = parts[index].media?.lowerBound.nanoseconds ?? 0
      guard let variant = parts[index].variant, isSound[Int(variant)],
        shown.contiguousEnd(from: start) > start
      else { continue }
      (parts[index].track, parts[index].variant) = (.audio, nil)
    }
  }

  private mutating func readStream(
    _ log: FieldLog, _ playlists: [SeenPlaylist], _ folder: String, areSeen: Bool = true
  ) throws(Diagnostic) {
    let masters = playlists.filter { if case .multivariant? = $0.reading { true } else { false } }
    let streams = (masters.isEmpty ? playlists : masters).prefix(100)
    let shelves = streams.map { PlaylistShelf($0, playlists, folder) }
    let tried = shelves.map { shelf in
      Result { () throws(Diagnostic) in SeenSizes(try shelf.presentation(), shelf) }
    }
    // Advertisements have streams of their own; one that cannot be played is no stream.
    let loaded = tried.map { (try? $0.get())?.bytes(of: log.requests) ?? -1 }
    let place = loaded.firstIndex(of: loaded.max() ?? 0) ?? 0
    var sizes = try tried[place].get()
    let (shelf, presentation) = (shelves[place], sizes.presentation)
    (files, notes) = (shelf.entries.map { $0.file }, shelf.notes)
    if streams.count > 1 {
      notes.append(
        "of \(streams.count) streams that with the most segment bytes is taken: "
          + streams[place].request.uri)
    }
    for (index, request) in log.requests.enumerated() {
      guard request.canCarryMedia, var part = sizes.see(request) else { continue }
      part.request = index
      parts.append(part)
    }
    separateSound(presentation)
    if !parts.contains(where: { $0.kind == .mediaSegment }) {
      notes.append("no request is for a segment of the playlists: their media are not seen")
    }
    let aside = log.leftOut + log.requests.filter { !$0.canCarryMedia }
    for request in aside.prefix(FieldLimits.mostRequests) {
      guard let media = sizes.see(request)?.pictures else { continue }
      leftOut.insert(media.lowerBound.nanoseconds..<media.upperBound.nanoseconds)
    }
    duration = presentation.duration
    // Playlists that travel compressed bring fewer bytes than their text has.
    let shares = log.requests.compactMap { request in
      request.playlist.map { (request.bytes ?? 0) * 100 / Int64(max(1, $0.count)) }
    }
    let share = shares.first { $0 != 100 } ?? 100
    document = [
      "hls": [
        "playlists": .string(shelf.entries[0].file.path), "segmentBytes": sizes.document,
        "gzip": 1..<100 ~= share ? .string("\(share) %") : nil,
        "playlistsAreThere": areSeen ? nil : true,
      ]
    ]
  }
}

extension AccessLogEvent {
  fileprivate var loaded: MediaTime { segmentsDownloadedDuration ?? .zero }
}

extension [AccessLogEvent] {
  /// The variants that were played, rising.
  var bandwidths: [Int64] {
    map { $0.indicatedBitrate ?? 0 }.sorted().reduce(into: []) {
      if $0.last != $1 { $0.append($1) }
    }
  }

  /// Bytes over the media that they brought; what is declared where none is known.
  fileprivate var knownRate: Int64? {
    let media = reduce(0) { $0 + ($1.loaded > .zero ? $1.loaded : $1.durationWatched).nanoseconds }
    let bytes = reduce(0) { $0 + $1.numberOfBytesTransferred }
    let declared = first?.indicatedAverageBitrate ?? first?.indicatedBitrate
    return media > 0 && bytes > 0
      ? scaled(bytes, by: 8_000_000_000, over: media, rounding: .up) : declared
  }

  fileprivate var meanRate: String {
    "\(Swift.min(Swift.max(1, knownRate ?? 1_000_000), 1_000_000_000_000)) bit/s"
  }
}

/// A playlist by its request, whose URI is absolute.
struct SeenPlaylist {
  var request: FieldRequest
  var text: [UInt8]
  var reading: Playlist?

  init(_ request: FieldRequest, _ text: [UInt8]) {
    (self.request, self.text) = (request, text)
    reading = (try? Playlist.read(text))?.playlist
  }

  var hasNoEnd: Bool { if case .media(let list)? = reading { !list.hasEnd } else { false } }
}

/// URIs that playlists name, found by those of requests: a client may add parameters to the query,
/// as CMCD does, and write the host otherwise.
private struct KnownURIs {
  /// Also without scheme, port and query: nil where several differ in these alone.
  private var uris: [String: String?] = [:]

  mutating func insert(_ uri: String) -> String {
    let key = Self.key(uri)
    if uris[uri] == nil { uris[key] = .some(uris[key] == nil ? uri : nil) }
    uris[uri] = uri
    return uri
  }

  func uri(of request: FieldRequest) -> String? {
    let own = [request.uri, request.asked ?? request.uri]
    return (own + own.map(Self.key)).lazy.compactMap { uris[$0] ?? nil }.first
  }

  private static func key(_ uri: String) -> String {
    let reference = URIReference(uri)
    let host = (reference.authority ?? "").utf8.prefix { $0 != UInt8(ascii: ":") }
    return lowercased(String(decoding: host, as: UTF8.self)) + reference.path
  }
}

/// Playlists as files beside a scenario, the first of them the one that it names.
private struct PlaylistShelf {
  private(set) var entries: [(file: ScenarioFile, uri: String, isModel: Bool)] = []
  private(set) var notes: [String] = []
  private let folder: String

  init(_ master: SeenPlaylist, _ playlists: [SeenPlaylist], _ folder: String) {
    self.folder = folder
    guard case .multivariant(let reading)? = master.reading else {
      add("playlist.m3u8", master.request.uri, master.text)
      return
    }
    add("main.m3u8", master.request.uri, master.text)
    let seen = playlists.filter { if case .media? = $0.reading { true } else { false } }
    let references = reading.variants.map { $0.uri } + reading.renditions.compactMap { $0.uri }
    var (assumed, known) = (0, KnownURIs())
    let uris = references.map { known.insert(resolvedURI($0, against: master.request.uri)) }
    let found = seen.map { known.uri(of: $0.request) }
    // One that was fetched stands for those that were not, without its own segments' sizes.
    let tags = ["#EXT-X-BYTERANGE", "#EXT-X-BITRATE", "#EXT-X-MAP"]
    let first = zip(seen, found).first { $1 != nil }?.0 ?? seen.first
    let lines = (first?.text ?? []).split(separator: 0x0A).filter { line in
      !tags.contains { line.starts(with: $0.utf8) }
    }
    let model = Array(lines.joined(separator: [0x0A]))
    for (reference, place) in zip(references, uris.indices) {
      if uris[..<place].contains(where: { isSameText($0, uris[place]) }) { continue }
      let name = Self.isPlain(reference) ? reference : "media-\(entries.count).m3u8"
      rename(reference, to: name)
      let own = found.lastIndex { isSameName($0, uris[place]) }.map { seen[$0] }
      if own == nil { assumed += 1 }
      add(name, own?.request.uri ?? uris[place], own?.text ?? model, isModel: own == nil)
    }
    if assumed == 0 { return }
    notes.append(
      "\(assumed) of \(counted(Int64(entries.count - 1), "media playlist")) "
        + (assumed == 1 ? "was not fetched: its" : "were not fetched: their")
        + " segments are taken to last as those of the first that was, and to have the sizes that "
        + "are declared")
  }

  private mutating func add(
    _ name: String, _ uri: String, _ text: [UInt8], isModel: Bool = false
  ) {
    let text = String(decoding: text, as: UTF8.self)
    entries.append((ScenarioFile(path: folder + name, text: text), uri, isModel))
  }

  /// Whether a reference is a path below its folder, without a query, that every file system takes.
  private static func isPlain(_ reference: String) -> Bool {
    let parts = reference.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return reference.utf8.count <= 200 && !isSameText(reference, "main.m3u8")
      && parts.allSatisfy { part in
        part.first ?? UInt8(ascii: ".") != UInt8(ascii: ".")
          && part.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 & 0xDF || "-_.".utf8.contains($0)
          }
      }
  }

  /// Writes another reference into the multivariant playlist: as a line, or as an attribute.
  private mutating func rename(_ reference: String, to name: String) {
    if isSameText(reference, name) { return }
    let quoted = Array("URI=\"\(reference)\"".utf8)
    let lines = entries[0].file.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    let renamed = lines.map { line -> [UInt8] in
      var line = line.last == 0x0D ? Array(line.dropLast()) : Array(line)
      if line.elementsEqual(reference.utf8) { return Array(name.utf8) }
      let place = line.indices.first { line[$0...].starts(with: quoted) }
      if let place, line.first == UInt8(ascii: "#") {
        line.replaceSubrange(place..<place + quoted.count, with: "URI=\"\(name)\"".utf8)
      }
      return line
    }
    entries[0].file.text = String(decoding: Array(renamed.joined(separator: [0x0A])), as: UTF8.self)
  }

  func presentation() throws(Diagnostic) -> Presentation {
    let document: JSONTree = [
      "scenario": "a stream", "about": "Its playlists alone.", "link": [:],
      "media": ["hls": ["playlists": .string(entries[0].file.path)]],
      "script": [["at": "0 s", "do": "play"]],
    ]
    let scenario = try rethrowing(
      try readScenario(document.text, file: "the log") { path in
        entries.first { isSameText($0.file.path, path) }.map { Array($0.file.text.utf8) }
      }
    ) { (error: DocumentError) in
      let words = error.diagnostics.first.map { "\($0.file): \($0.words)" } ?? ""
      return Diagnostic("the playlists cannot be played: \(words)")
    }
    guard case .stream(let settings) = scenario.item.source else {
      preconditionFailure("playlists make a stream")
    }
    return settings.presentation
  }
}

private struct SeenSizes {
  /// A segment, or an initialization section, of a list.
  private struct Place {
    var list: Int
    var segment: Int?
    var map = 0
    /// Its first byte in the file, where the playlist cuts a file into ranges.
    var offset: Int64 = 0
  }

  let presentation: Presentation
  /// In the order of their offsets, by URI.
  private var places: [String: [Place]] = [:]
  /// Lists by the URI of their playlist; -1 for the multivariant playlist.
  private var listsByURI: [String: Int] = [:]
  private var known = KnownURIs()
  private var segments: [[Int64?]]
  private var maps: [[Int64?]]

  init(_ presentation: Presentation, _ shelf: PlaylistShelf) {
    self.presentation = presentation
    segments = presentation.lists.map { Array(repeating: nil, count: $0.segments.count) }
    maps = presentation.lists.map { Array(repeating: nil, count: $0.maps.count) }
    if shelf.entries.count > 1 { listsByURI[known.insert(shelf.entries[0].uri)] = -1 }
    // A model that stands for a list leaves segments that both name to the list it is taken from.
    for entry in shelf.entries.filter({ !$0.isModel }) + shelf.entries.filter({ $0.isModel }) {
      for (index, list) in presentation.lists.enumerated()
      where isSameText(entry.file.path, list.uri) {
        place(list, index, entry.uri, isModel: entry.isModel)
      }
    }
  }

  private mutating func place(_ list: SegmentList, _ index: Int, _ base: String, isModel: Bool) {
    guard case .listed(let names) = list.naming else { return }
    listsByURI[known.insert(base)] = index
    for (map, section) in list.maps.enumerated() {
      let offset = section.byteRange?.offset ?? 0
      places[known.insert(resolvedURI(section.uri, against: base)), default: []].append(
        Place(list: index, map: map, offset: offset))
    }
    var (last, offset) = ("", Int64(0))
    for (segment, name) in names.enumerated() {
      let uri = known.insert(resolvedURI(name, against: base))
      if isModel, places[uri]?.contains(where: { $0.list != index }) == true { continue }
      if !isSameText(uri, last) {
        let range = list.maps.first { isSameText(resolvedURI($0.uri, against: base), uri) }
        offset = range?.byteRange.map { $0.offset &+ $0.length } ?? 0
      }
      places[uri, default: []].append(Place(list: index, segment: segment, offset: offset))
      (last, offset) = (uri, offset &+ list.segments[segment].bytes)
    }
  }

  /// Those of the requests that are for segments.
  func bytes(of requests: [FieldRequest]) -> Int64 {
    var sizes = self
    return requests.reduce(0) { sum, request in
      sizes.see(request)?.kind == .mediaSegment ? sum + (request.bytes ?? 0) : sum
    }
  }

  /// Notes the size of a request's resource, and tells what it is.
  mutating func see(_ request: FieldRequest) -> ObservedMedia.Part? {
    guard let uri = known.uri(of: request) else { return nil }
    if let list = listsByURI[uri] {
      return list < 0
        ? ObservedMedia.Part(kind: .multivariantPlaylist)
        : ObservedMedia.Part(kind: .mediaPlaylist, track: track(of: list))
    }
    guard let found = places[uri] else { return nil }
    let first = request.firstByte ?? 0
    let index = found.count == 1 ? 0 : found.partitionPoint { $0.offset >= first }
    guard index < found.count, found.count == 1 || found[index].offset == first else { return nil }
    let place = found[index]
    // Of ranges the playlist tells the size.
    let seen = request.size ?? (request.outcome == .completed ? request.bytes : nil) ?? 0
    let isWhole = found.count == 1 && request.canCarryMedia && request.outcome != .failed
    let size = isWhole && seen > 0 ? seen : nil
    guard let segment = place.segment else {
      if let size { maps[place.list][place.map] = size }
      return ObservedMedia.Part(kind: .mapSegment, track: track(of: place.list))
    }
    if let size { segments[place.list][segment] = size }
    let row = presentation.lists[place.list].segments[segment]
    return ObservedMedia.Part(
      kind: .mediaSegment, track: track(of: place.list),
      variant: presentation.variants.firstIndex { $0.list == place.list }.map { Int32($0) },
      media: row.start..<row.end)
  }

  private func track(of list: Int) -> TrackKind {
    if presentation.variants.contains(where: { $0.list == list }) { return .main }
    let rendition = presentation.renditions.first { $0.list == list }
    return rendition?.attributes.kind == .subtitles ? .subtitles : .audio
  }

  /// The scenario's `segmentBytes`.
  var document: JSONTree? {
    func sizes(_ sizes: [Int64?]) -> JSONTree? {
      if sizes.allSatisfy({ $0 == nil }) { return nil }
      return .list(sizes) { size in size.map { .string("\($0) B") } ?? .null }
    }
    let rows = presentation.lists.enumerated().compactMap { index, list -> JSONTree? in
      let (bytes, maps) = (sizes(segments[index]), sizes(maps[index]))
      if bytes == nil, maps == nil { return nil }
      return ["playlist": .string(list.uri), "bytes": bytes, "maps": maps]
    }
    return rows.isEmpty ? nil : .array(rows)
  }
}

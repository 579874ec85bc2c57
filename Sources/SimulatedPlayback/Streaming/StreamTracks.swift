import LinkConditioner
import PlayerPolicies
package import StreamingMedia
package import VirtualTime

/// The content of a stream's track.
public enum TrackKind: String, Hashable, Sendable, CaseIterable {
  /// The variant's own playlist: video, or both where the audio is muxed in.
  case main
  case audio
  case subtitles
}

/// One playlist's segments on their way into the buffer.
///
/// An object: it is looked at and changed where it stands.
final class StreamTrack {
  let kind: TrackKind
  let lists: [[MediaSegment]]
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows a track.
  /// The list that the next segment is taken from.
  @exclusivity(unchecked) var list: Int
  /// The next segment to ask for, and of a live one the next part, if it comes in parts.
  @exclusivity(unchecked) var next: Int { didSet { (nextPart, again) = (0, nil) } }
  @exclusivity(unchecked) var nextPart = 0
  /// One that is there and is asked for once more before the next; nil as a rule.
  @exclusivity(unchecked) var again: Int?
  @exclusivity(unchecked) var buffer: SegmentBuffer
  /// The request of the segment under way, or of one that is there without its key; nil for none.
  @exclusivity(unchecked) private(set) var fetchID: TransferID?
  /// The segment that was asked for last: under way while `fetchID` is its request.
  ///
  /// Perf: it is looked at and changed where it stands; an optional of its size is neither.
  @exclusivity(unchecked) var latest = SegmentFetch()
  /// The end of the counted media while the last segment is held back for bytes of the next one.
  @exclusivity(unchecked) var heldEnd: MediaTime?
  /// Since when it has had no room for the segment that comes next, where the player sleeps.
  @exclusivity(unchecked) var fullSince: Instant?
  /// The failed request that will be made again; nil as a rule.
  @exclusivity(unchecked) var broken: SegmentFetch?

  init(
    _ kind: TrackKind, list: Int, of lists: [[MediaSegment]], next: Int, at position: MediaTime
  ) {
    (self.kind, self.lists, self.list, self.next) = (kind, lists, list, next)
    buffer = SegmentBuffer(at: position)
  }

  /// The segment under way, or one that is there without its key.
  @inline(__always)
  var fetch: SegmentFetch? {
    get { fetchID == nil ? nil : latest }
    set {
      if let newValue { latest = newValue }
      fetchID = newValue?.id
    }
  }

  /// The stretch that is loaded.
  var start: MediaTime { buffer.start }
  var end: MediaTime { buffer.end }

  /// Whether all segments of its list were asked for.
  var isThrough: Bool { next >= lists[list].count }

  /// The end of what can be played of it.
  var countedEnd: MediaTime { heldEnd.map { min($0, end) } ?? end }

  /// Segments requested together with the next: none with the first, none where each needs a key.
  func companions(in segments: [MediaSegment], _ count: Int64) -> ArraySlice<MediaSegment> {
    guard count > 1, kind == .main, again == nil, !buffer.isEmpty, next < segments.count,
      segments[next].key == nil
    else { return [] }
    return segments[(next + 1)..<min(segments.count, next + Int(count))]
  }

  /// The end of what is loaded and of what is under way.
  var boundary: MediaTime { fetchID == nil ? end : max(latest.end, end) }

  /// The segment to ask for: one that is there, or the next.
  var wanted: Int { again ?? next }

  /// Whether a position lies within what is loaded, and no segment ends before it.
  func holdsNothing(before position: MediaTime) -> Bool {
    if position < buffer.start || position > buffer.end { return false }
    return buffer.segments.isEmpty || buffer.segments[0].end > position
  }

  /// By when something has to come of what is under way; nil where nothing is.
  var watchedUntil: Instant? {
    fetchID == nil || latest.isComplete ? nil : latest.watchedUntil
  }

  /// Whether a segment is there and its key is not.
  var awaitsKey: Bool { fetchID != nil && latest.isComplete }

  /// The mean bit rate of the last segments in the buffer, in bit/s; nil without any.
  var loadedRate: Int64? {
    let latest = buffer.segments.suffix(3)
    let bytes = latest.reduce(0) { $0 + $1.bytes }
    let media = latest.reduce(MediaTime.zero) { $0 + ($1.end - $1.start) }
    if media <= .zero { return nil }
    return scaled(bytes, by: 8_000_000_000, over: media.nanoseconds, rounding: .up)
  }

  /// The same where more is to come; nil once all of its list is loaded.
  var rateToCome: Int64? { isThrough && fetchID == nil ? nil : loadedRate }

  /// Asks next for what follows a segment, or a part of it, that has just been asked for.
  func advance(past part: PartFetch?, besides others: Int) {
    if let part {
      if part.isLast { next += 1 } else { nextPart += 1 }
    } else if again == nil {
      next += 1 + others
    } else {
      again = nil
    }
  }

  /// Asks next for what a request was for.
  func goBack(to fetch: SegmentFetch) {
    // A segment that the buffer has in a lower variant is not missing.
    if fetch.isAgain { return }
    next = fetch.index
    nextPart = fetch.part ?? 0
  }

  /// The broken request that the next replaces; nil if that asks for something else. Told once.
  func takeBroken() -> TransferID? {
    guard let id = broken?.id else { return nil }
    defer { broken = nil }
    return hasLeftBroken ? nil : id
  }

  /// Whether the request that broke was for something else than is asked for next.
  var hasLeftBroken: Bool {
    guard let broken else { return false }
    return broken.list != list || broken.index != next || broken.part ?? 0 != nextPart
  }
}

/// A segment, or a part of one, under way.
///
/// Nothing but numbers, so that it is cheap to look at.
struct SegmentFetch {
  var id = TransferID(rawValue: -1)
  var list = 0
  var variant = 0
  var index = 0
  var bytes: Int64 = 0
  var began = Instant.zero
  var start = MediaTime.zero
  var end = MediaTime.zero
  /// The part of the segment that is requested; nil for the whole segment.
  var part: Int?
  /// By then something has to come beyond what had come when it was looked at.
  var watchedUntil = Instant.zero
  var watched: Int64 = 0
  /// Whether it is in the buffer in a lower variant.
  var isAgain = false
  /// Whether the server has it no more: what comes is an answer that says so.
  var isGone = false
  /// Whether the server holds the answer back until it has it.
  var isHeld = false
  var hasResponded = false
  var firstByte = Instant.zero
  /// Bytes that all requests of the stream had brought at its first byte.
  var receivedBefore: Int64 = 0
  /// Its bytes count from so many on, if no key is awaited; nil where it counts when it is whole.
  var countsFrom: Int64?
  /// The bytes of it that count already, and the end of their media.
  var counted: (bytes: Int64, end: MediaTime)?
  /// Whether the bytes are there and a key is still missing.
  var isComplete = false

  mutating func responds(at now: Instant) { (hasResponded, firstByte) = (true, now) }

  /// Bytes received of it.
  func arrived(at now: Instant, on stage: borrowing Stage) -> Int64 {
    if isComplete { return bytes }
    if !hasResponded { return 0 }
    if let arrived = stage.link.arrivedBytes(of: id, at: now) { return min(bytes, arrived) }
    // A request that ends at this instant is over on the link before the player is told.
    return stage.link.timings(of: id)?.bytes ?? bytes
  }

  func arrived(at now: Instant, along inflow: Inflow?) -> Int64 {
    if isComplete { return bytes }
    return inflow.map { min(bytes, $0.line.bytes(at: now)) } ?? 0
  }

  /// The end of the segment that it brings, or a part of.
  func segmentEnd(in presentation: Presentation) -> MediaTime {
    part == nil ? end : presentation.lists[list].segments[index].end
  }

  /// The inflow of its bytes; nil before the first, and when all are there.
  func inflow(at now: Instant, on stage: borrowing Stage) -> Inflow? {
    guard !isComplete, hasResponded, let (flow, holds) = stage.link.flow(of: id, at: now) else {
      return nil
    }
    return Inflow(line: flow, holds: holds)
  }
}

/// A part of a segment that can be asked for.
struct PartFetch {
  var number: Int
  var part: MediaPart
  /// Whether the segment ends with it.
  var isLast: Bool
  /// The instant at which the server has it, if it is requested before; nil for a listed part.
  var availableAt: Instant?
}

/// The tracks of a stream that are played together: pictures, sound, subtitles. The main track
/// comes first. Playback waits for it and for the sound, and not for subtitles.
///
/// Perf: an object, so that a call retains neither an array nor a track.
final class StreamTracks {
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows the tracks.
  @exclusivity(unchecked) var list: [StreamTrack] = []

  @inline(__always) subscript(index: Int) -> StreamTrack { list[index] }
  var indices: Range<Int> { list.indices }
  var isEmpty: Bool { list.isEmpty }

  /// Whether the main one is about to ask for something.
  func areAboutToAsk(_ loader: StreamLoader, _ position: MediaTime, at now: Instant) -> Bool {
    guard let main = list.first else { return true }
    if main.fetchID != nil { return false }
    return main.hasRoom(loader, from: position, at: now)
  }

  /// Whether something is under way in any track.
  var areLoading: Bool { list.contains { $0.fetchID != nil } }

  var mainList: Int? { list.isEmpty ? nil : list[0].list }

  func first(of kind: TrackKind) -> StreamTrack? {
    for index in list.indices where list[index].kind == kind { return list[index] }
    return nil
  }

  /// The media that can be played: loaded in every track that is needed, and not held back.
  var loadedRange: Range<MediaTime>? {
    let needed = list.lazy.filter { $0.kind != .subtitles }
    guard let start = needed.map({ $0.start }).max(),
      let end = needed.map({ $0.countedEnd }).min(), start < end
    else { return nil }
    return start..<end
  }

  var countBytes: Bool {
    for index in list.indices {
      if list[index].heldEnd != nil { return true }
      if list[index].fetchID != nil, list[index].latest.countsFrom != nil { return true }
    }
    return false
  }

  /// Whether something of every track that is needed is there.
  var isReady: Bool {
    !list.isEmpty && list.allSatisfy { $0.kind == .subtitles || !$0.buffer.isEmpty }
  }

  /// Returns a closure's answer about one track, unretained: meanwhile none may be removed.
  @inline(__always) func look<Answer>(_ index: Int, _ look: (StreamTrack) -> Answer) -> Answer {
    Unmanaged.passUnretained(list[index])._withUnsafeGuaranteedRef { track in
      defer { assert(list.contains { $0 === track }, "a track stays while it is looked at") }
      return look(track)
    }
  }

  /// The track that a request brings something for; nil where it is for none.
  func first(fetching id: TransferID) -> StreamTrack? { index(fetching: id).map { list[$0] } }

  func index(fetching id: TransferID) -> Int? {
    for index in list.indices where list[index].fetchID == id { return index }
    return nil
  }

  /// The end of the contiguous media that begins at a position, in every track that is needed.
  func loadedEnd(from position: MediaTime) -> MediaTime {
    if list.isEmpty { return position }
    var end = MediaTime.distantFuture
    for index in list.indices where list[index].kind != .subtitles {
      if !list[index].buffer.contains(position) { return position }
      end = min(end, list[index].countedEnd)
    }
    return max(position, end)
  }

  /// The end of audible media while the picture stands still for so long, no further than a place.
  func audibleEnd(from position: MediaTime, freezing: MediaTime, to reach: MediaTime) -> MediaTime {
    guard let sound = first(of: .audio) else { return loadedEnd(from: position) }
    let shown = list[0].countedEnd
    let end = min(shown + freezing, max(shown, reach), sound.countedEnd)
    let hasBoth = list[0].start <= position && position < end && sound.buffer.contains(position)
    return hasBoth ? end : loadedEnd(from: position)
  }

  /// The instant at which the first media file under way has to be checked for progress.
  func nextWatch(after now: Instant) -> Instant {
    var next = Instant.distantFuture
    for index in list.indices {
      if let due = list[index].watchedUntil, due > now { next = min(next, due) }
    }
    return next
  }

  /// The next instant at which a track has room for what it asks for next.
  func roomComes(
    _ loader: StreamLoader, _ item: PlayerItem, before end: MediaTime, at now: Instant
  ) -> Instant {
    var next = Instant.distantFuture
    for index in list.indices where list[index].fetchID == nil && list[index].end < end {
      let due = look(index) { $0.roomComes(loader, item, at: now) }
      if due > now { next = min(next, due) }
    }
    return next
  }

  /// The bytes of the segments of which nothing has been played, of every track that is waited for.
  func bytesAhead(of position: MediaTime) -> Int64 {
    list.reduce(0) {
      $0 + ($1.kind == .subtitles ? 0 : $1.buffer.bytes(startingAtOrAfter: position))
    }
  }
}

extension SegmentList {
  /// The largest distance between two playlists' roundings of the same boundary: our assumption,
  /// little more than a frame of a film.
  private static let boundaryTolerance = MediaTime.milliseconds(50)

  /// The segment that follows what is loaded up to a time: the one that begins there, else the one
  /// around it, whose beginning is loaded twice.
  package func next(after boundary: MediaTime) -> Int {
    if let next = firstIndex(startingAtOrAfter: boundary),
      segments[next].start - boundary <= SegmentList.boundaryTolerance
    {
      return next
    }
    return index(at: boundary) ?? segments.count
  }
}

// Whether a track may ask for its next segment, by the rule of how far ahead is read.

extension StreamTrack {
  private var nextLength: MediaTime? { next < lists[list].count ? lists[list][next].duration : nil }

  /// The end of what comes next into it: a segment, or the part of one.
  var reach: MediaTime {
    if fetchID != nil { return latest.end }
    return next < lists[list].count ? lists[list][next].end : end
  }

  /// Whether there is room for its next segment with the playhead at a position.
  ///
  /// Perf: the rule is read where the loader has it, because to hand it over copies it.
  func hasRoom(_ loader: StreamLoader, from position: MediaTime, at now: Instant) -> Bool {
    let length = nextLength ?? .zero
    var isFull = waits(length, loader, position)
    if !isFull { isFull = self.isFull(loader, length, from: position) }
    if loader.rule.sleeps <= .zero { return !isFull }
    if isFull && fullSince == nil { fullSince = now }
    guard let since = fullSince else { return true }
    return isFull ? false : loader.rule.look(from: now, since: since) <= now
  }

  /// The instant at which the playhead makes room for its next segment, where it is full.
  func roomComes(_ loader: StreamLoader, _ item: PlayerItem, at now: Instant) -> Instant {
    guard let length = nextLength else { return .distantFuture }
    var room = Instant.zero
    if let place = loader.rule.place(makingRoomFor: length, behind: end) {
      room = item.timebase.instant(reaching: place)
    }
    let waits = waits(length, loader, item.time(at: now))
    if waits, kind != .main, loader.rule.trackFloor > 0 {
      let mark = end - MediaTime(nanoseconds: length.nanoseconds * loader.rule.trackFloor)
      room = max(room, item.timebase.instant(reaching: mark))
    }
    if let bytes = loader.rule.bytes, bytesAhead(of: item.time(at: now)) >= bytes,
      let played = buffer.segment(at: item.time(at: now))
    {
      // With the next segment there is less ahead.
      room = max(room, item.timebase.instant(reaching: played.end))
    }
    // An event of the other track ends its wait; after that it looks at its usual instants.
    if !waits { room = max(room, now) }
    if loader.rule.sleeps <= .zero { return room }
    return loader.rule.look(from: room, since: fullSince ?? now)
  }

  /// Whether video waits for separate audio that has room, and may sleep: nothing is full then.
  func isHeldBySound(_ loader: StreamLoader, _ position: MediaTime) -> Bool {
    guard kind == .main, waits(nextLength ?? .zero, loader, position),
      let sound = loader.tracks.first(of: .audio)
    else { return false }
    return !sound.isFull(loader, sound.nextLength ?? .zero, from: position)
  }

  /// Whether it waits until another track has come further.
  @inline(__always)
  private func waits(
    _ length: MediaTime, _ loader: StreamLoader, _ position: @autoclosure () -> MediaTime
  ) -> Bool {
    let order = loader.rule.order
    if kind == .main {
      guard order == .bothWait, let sound = loader.tracks.first(of: .audio) else { return false }
      return loader.rule.holdsBack(length, behind: end, other: sound.end, from: nil)
    }
    // Gaps bring no segment, and are passed all the same.
    if order == .videoFirst, loader.intake.latestMain == nil, loader.tracks[0].buffer.isEmpty {
      return !buffer.isEmpty
    }
    let main = loader.tracks[0].end
    return loader.rule.holdsBack(length, behind: end, other: main, from: position())
  }

  @inline(__always)
  private func isFull(
    _ loader: StreamLoader, _ length: MediaTime, from position: MediaTime
  ) -> Bool {
    if let place = loader.rule.place(makingRoomFor: length, behind: end), position < place {
      return true
    }
    return loader.rule.bytes.map { bytesAhead(of: position) >= $0 } ?? false
  }

  /// The bytes of the segments after the playing one; one that begins at the playhead plays.
  private func bytesAhead(of position: MediaTime) -> Int64 {
    buffer.bytes(startingAtOrAfter: position + MediaTime(nanoseconds: 1))
  }
}

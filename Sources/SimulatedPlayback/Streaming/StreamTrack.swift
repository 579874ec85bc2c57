import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// The content of a stream's track.
public enum TrackKind: String, Hashable, Sendable, CaseIterable {
  /// The variant's own playlist: video, or both where the audio is muxed in.
  case main
  case audio
  case subtitles
}

/// One playlist's segments on their way into the buffer.
struct StreamTrack {
  let kind: TrackKind
  /// The list that the next segment is taken from.
  var list: Int
  /// The next segment to ask for, and of a live one the next part, if it comes in parts.
  var next: Int { didSet { (nextPart, again) = (0, nil) } }
  var nextPart = 0
  /// One that is there and is asked for once more before the next; nil as a rule.
  var again: Int?
  var buffer: SegmentBuffer
  var fetch: SegmentFetch?
  /// The end of the counted media while the last segment is held back for bytes of the next one.
  var heldEnd: MediaTime?
  /// Since when it has had no room for the segment that comes next, where the player sleeps.
  var fullSince: Instant?
  /// The failed request that will be made again; nil as a rule.
  var broken: BrokenFetch?

  init(kind: TrackKind, list: Int, next: Int, at position: MediaTime) {
    self.kind = kind
    self.list = list
    self.next = next
    buffer = SegmentBuffer(at: position)
  }

  /// A track that begins with the segment under a position.
  init(
    _ kind: TrackKind, list: Int, of presentation: Presentation, under position: MediaTime
  ) {
    let index = presentation.lists[list].index(at: position) ?? 0
    let segments = presentation.lists[list].segments
    self.init(
      kind: kind, list: list, next: index,
      at: segments.isEmpty ? position : segments[index].start)
  }

  /// The stretch that is loaded.
  var start: MediaTime { buffer.start }
  var end: MediaTime { buffer.end }

  /// The end of what can be played of it.
  var countedEnd: MediaTime { heldEnd ?? end }

  /// The segments that are asked for together with the next one: none with the first, and none
  /// where each needs a key.
  func companions(in segments: [MediaSegment], _ count: Int64) -> ArraySlice<MediaSegment> {
    guard count > 1, kind == .main, again == nil, !buffer.isEmpty, next < segments.count,
      segments[next].key == nil
    else { return [] }
    return segments[(next + 1)..<min(segments.count, next + Int(count))]
  }

  /// The end of what is loaded and of what is under way.
  var boundary: MediaTime { max(fetch?.end ?? end, end) }

  /// The segment to ask for: one that is there, or the next.
  var wanted: Int { again ?? next }

  /// Whether a position lies within what is loaded, and no segment ends before it.
  func holdsNothing(before position: MediaTime) -> Bool {
    if position < buffer.start || position > buffer.end { return false }
    return buffer.segments.isEmpty || buffer.segments[0].end > position
  }

  /// By when something has to come of what is under way; nil where nothing is.
  var watchedUntil: Instant? {
    guard let isComplete = fetch?.isComplete, !isComplete else { return nil }
    return fetch?.watchedUntil
  }

  /// The request of the segment under way, or of one that is there without its key.
  var fetchID: TransferID? { fetch?.id }

  /// Whether a whole segment, and no part of one, is under way.
  var isFetchingWhole: Bool { fetch?.isComplete == false && fetch?.part == nil }

  /// Whether a segment is there and its key is not.
  var awaitsKey: Bool { fetch?.isComplete == true }

  /// Whether the answer under way is that there is no such segment.
  var isFetchGone: Bool { fetch?.isGone == true }

  /// Whether bytes of a segment are coming in.
  var isReceiving: Bool { fetch?.hasResponded == true && fetch?.isComplete == false }

  /// Asks next for what a request was for.
  mutating func goBack(to fetch: SegmentFetch) {
    // A segment that the buffer has in a lower variant is not missing.
    if fetch.isAgain { return }
    next = fetch.index
    nextPart = fetch.part ?? 0
  }

  /// The request that broke in whose place the next one is made; nil where that asks for something
  /// else. Told once.
  mutating func takeBroken() -> TransferID? {
    guard let broken else { return nil }
    self.broken = nil
    let isSame = broken.list == list && broken.index == next && broken.part == nextPart
    return isSame ? broken.id : nil
  }
}

/// A segment, or a part of one, whose request broke.
struct BrokenFetch {
  var id: TransferID
  var list: Int
  var index: Int
  var part: Int

  init(_ fetch: SegmentFetch) {
    (id, list, index, part) = (fetch.id, fetch.list, fetch.index, fetch.part ?? 0)
  }
}

/// A segment, or a part of one, under way.
///
/// Nothing but numbers, so that it is cheap to look at.
struct SegmentFetch {
  var id: TransferID
  var list: Int
  var variant: Int
  var index: Int
  var bytes: Int64
  var began: Instant
  var start: MediaTime
  var end: MediaTime
  /// The part of the segment that is requested; nil for the whole segment.
  var part: Int?
  /// By then something has to come beyond what had come when it was looked at.
  var watchedUntil: Instant
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
  /// What has come of it counts from so many bytes on, if there is no key to wait for; nil where
  /// it counts when it is whole.
  var countsFrom: Int64?
  /// The bytes of it that count already, and the end of their media.
  var counted: (bytes: Int64, end: MediaTime)?
  /// Whether the bytes are there and a key is still missing.
  var isComplete = false

  /// Bytes received of it.
  func arrived(at now: Instant, on stage: borrowing Stage) -> Int64 {
    let inflow = inflow(at: now, on: stage)
    // A request that ends at this instant is over on the link before the player is told.
    if inflow == nil, hasResponded { return stage.link.timings(of: id)?.bytes ?? bytes }
    return arrived(at: now, along: inflow)
  }

  /// The bytes of it that have arrived, by the line of its inflow.
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
    guard !isComplete, hasResponded, let (flow, holds) = stage.flow(of: id, at: now) else {
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

public import LinkConditioner
import PlayerPolicies
import StreamingMedia
package import VirtualTime

/// Sends an item's requests for a stream, and counts them and their bytes.
struct StreamRequests {
  /// The item that was last asked for: what comes in is told of it.
  var subject: Subject
  let host: Int32
  private(set) var count: Int64 = 0
  /// The link that they go over; nil before the first.
  private var link: Link?
  /// The last requests that were not for segments, of which some may be under way.
  private var recent: [TransferID] = []
  /// Bytes that came, whatever they were of.
  var bytesTransferred: Int64 = 0
  /// Bytes of segments that were given up before they were whole.
  var bytesAbandoned: Int64 = 0
  /// Bytes of segments that were thrown away before anything of them was played.
  var bytesDiscarded: Int64 = 0

  init(owner: Int32, host: Int32) {
    subject = Subject(player: owner, item: nil)
    self.host = host
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - origin: Worked out only if a trace has it.
  ///   - uri: Built only if a fault rule matches on it, or a trace has it.
  ///   - availableAt: Instant at which the server has it; nil where it has it already.
  ///   - followsLine: Whether somebody wants to know what has come before it is whole; what has
  ///     begun to come in is of no other use.
  mutating func start(
    _ bytes: Int64, _ kind: ResourceKind, _ uri: @autoclosure () -> String, track: TrackKind?,
    for origin: @autoclosure () -> RequestOrigin, thinkTime: TimeSpan = .zero,
    availableAt: Instant? = nil, followsLine: Bool = false, at now: Instant, on stage: inout Stage
  ) -> TransferID {
    count += 1
    if link == nil { link = stage.link }
    assert(link === stage.link, "an item stays on its player's link")
    let id = stage.link.start(
      Request(
        bytes: bytes, host: host, owner: subject.player, thinkTime: thinkTime,
        availableAt: availableAt, label: kind.rawValue, uri: stage.link.readsLabels ? uri() : "",
        followsLine: followsLine,
        track: track == .audio ? 1 : track == .subtitles ? 2 : 0),
      at: now)
    if kind != .mediaSegment {
      if recent.count == Self.mostRecent { recent.removeFirst() }
      recent.append(id)
    }
    if stage.log.isEnabled {
      var origin = origin()
      if stage.log.keepsURIs { origin.uri = uri() }
      stage.log.note(.resourceRequested(id, kind, bytes: bytes, origin), of: subject, at: now)
    }
    return id
  }

  /// More than a player has under way beside segments.
  private static let mostRecent = 8

  /// Bytes that arrived of the segments under way and of the resources of an asset.
  func bytesUnderWay(_ tracks: StreamTracks, _ asset: StreamAsset, at now: Instant) -> Int64 {
    var ids = recent.filter { asset.resources.resource(by: $0) != nil }
    for track in tracks.list { if let id = track.fetchID, !track.awaitsKey { ids.append(id) } }
    return ids.reduce(0) { $0 + (link?.arrivedBytes(of: $1, at: now) ?? 0) }
  }
}

/// The purpose of a request besides its kind, and the request that it waited for.
public struct RequestOrigin: Hashable, Sendable {
  /// The track that it is for; nil for what all tracks share.
  package var track: TrackKind?
  /// The request whose end let this one begin; nil where the app did, or the buffer's room.
  package var after: TransferID?
  /// The request that broke, in whose place this one is made; nil for a first attempt.
  package var retries: TransferID?
  /// The variant of a segment; nil for other requests and for other tracks.
  package var variant: Int32?
  /// The media that a segment or a part of one brings; nil for other requests.
  package var media: Range<MediaTime>?
  /// Relative to the playlist, as it names it; empty for other requests.
  package var uri = ""

  public init(track: TrackKind? = nil, after: TransferID? = nil, retries: TransferID? = nil) {
    self.track = track
    self.after = after
    self.retries = retries
  }
}

/// The arrivals of the present instant, so that a request can name the one that let it begin.
///
/// A request that waited is made in the very instant of the arrival; no earlier one held it back.
struct PresentArrivals {
  /// Something that others wait for.
  enum Thing: Hashable {
    case resource(StreamResource)
    case segment(TrackKind)
  }

  private var instant = Instant.zero
  /// Those of the instant come first; the rest is room for more.
  private var entries: [(thing: Thing, id: TransferID)] = []
  private var count = 0

  /// The number of entries that there is room for.
  var keptCount: Int { entries.count }

  mutating func note(_ thing: Thing, by id: TransferID, at now: Instant) {
    if now != instant { count = 0 }
    instant = now
    if count == entries.count {
      entries.append((thing, id))
    } else {
      entries[count] = (thing, id)
    }
    count += 1
  }

  /// Something else waited for what arrived last, if that came at this instant.
  mutating func passOn(to thing: Thing, at now: Instant) {
    if let id = latest(at: now, { _ in true }) { note(thing, by: id, at: now) }
  }

  /// The request that brought the last of what is needed, if that came at this instant.
  func latest(at now: Instant, _ isNeeded: (Thing) -> Bool) -> TransferID? {
    now == instant ? entries.prefix(count).last { isNeeded($0.thing) }?.id : nil
  }
}

/// Holds back a loaded segment until enough bytes of the next one have arrived.
struct Lookahead {
  /// The instant at which enough bytes of the next segment will have arrived, at the present rate.
  private(set) var due = Instant.distantFuture
  private var hasHeld = false
  /// Whether interleaved media has been opened, so that from its next segment on each byte counts.
  private var hasOpened = false

  /// Whether the segment that has just come does not count yet.
  mutating func holds(_ fetch: FetchRule) -> Bool {
    if fetch.lookahead <= 0 || (hasHeld && fetch.looksAheadOnce) { return false }
    hasHeld = true
    return true
  }

  /// The bytes of a segment that must come before what has come counts; nil where all of them.
  func countsFrom(_ rule: FetchRule, _ presentation: Presentation) -> Int64? {
    presentation.isInterleaved ? rule.interleavedFrom.map { hasOpened ? 0 : $0 } : nil
  }

  /// The length of media in which what has come of a segment counts: our assumption.
  private static let step: Int64 = 100_000_000

  /// Media of a segment that has arrived and does not count yet, in whole steps; nil for none.
  ///
  /// - Parameter segment: The first that the request brings; others come beside it, and not before.
  mutating func piece(
    _ fetch: SegmentFetch, of segment: MediaSegment, at now: Instant, on stage: borrowing Stage
  ) -> BufferedSegment? {
    guard let from = fetch.countsFrom, fetch.hasResponded, !fetch.isComplete,
      let inflow = fetch.inflow(at: now, on: stage)
    else { return nil }
    let arrived = fetch.arrived(at: now, along: inflow)
    let length = (segment.end - segment.start).nanoseconds
    let step = max(1, scaled(fetch.bytes, by: Self.step, over: max(1, length), rounding: .up))
    let next = min(fetch.bytes, max(from, (arrived / step + 1) * step))
    due = min(due, inflow.holds, inflow.line.instant(reaching: next))
    let bytes = arrived / step * step
    if arrived < from || bytes <= (fetch.counted?.bytes ?? 0) { return nil }
    hasOpened = true
    let end = scaled(length, by: bytes, over: fetch.bytes, rounding: .down)
    return BufferedSegment(
      variant: fetch.variant, list: fetch.list, index: fetch.index,
      start: fetch.counted?.end ?? fetch.start, end: fetch.start + MediaTime(nanoseconds: end),
      bytes: bytes - (fetch.counted?.bytes ?? 0), arrived: now)
  }

  /// Lets segments count of whose successor so many bytes have come, or which have none under way.
  mutating func release(
    _ tracks: StreamTracks, after bytes: Int64, at now: Instant, on stage: borrowing Stage
  ) {
    due = .distantFuture
    for track in tracks.list where track.heldEnd != nil {
      guard let fetch = track.fetch else {
        track.heldEnd = nil
        continue
      }
      let wanted = min(bytes, fetch.bytes)
      if fetch.arrived(at: now, on: stage) >= wanted {
        track.heldEnd = nil
      } else if fetch.hasResponded, let (flow, holds) = stage.link.flow(of: fetch.id, at: now) {
        due = min(due, holds, flow.instant(reaching: wanted))
      }
    }
  }
}

extension SegmentIntake {
  /// Lets segments count of whose successor enough has come, and what has come of interleaved ones.
  func release(at now: Instant, on stage: borrowing Stage) {
    lookahead.release(tracks, after: policy.fetch.ofStreams.lookahead, at: now, on: stage)
    for track in tracks.list {
      guard let fetch = track.fetch,
        let piece = lookahead.piece(
          fetch, of: segments[fetch.list][fetch.index], at: now, on: stage),
        // Media of an earlier request plays until this one has brought more.
        piece.end > track.end
      else { continue }
      insert(piece, track, at: now)
      track.latest.counted = ((fetch.counted?.bytes ?? 0) + piece.bytes, piece.end)
    }
  }
}

/// The schedule of progress reports to a policy on requests under way.
struct Telling {
  private var interval: (every: TimeSpan, bytes: Int64)?
  /// Whether bytes come in as a fluid, and not in packets.
  private(set) var flows = true
  /// The instant of the next report, if nothing happens before.
  private(set) var next = Instant.distantFuture

  /// Whether it wants to know what has come before a request ends.
  var isWanted: Bool { interval != nil }

  mutating func subscribe(_ subscription: Subscription, isFluid: Bool) {
    flows = isFluid
    next = .distantFuture
    interval =
      if case .progress(let every, let bytes) = subscription { (every, bytes) } else { nil }
  }

  /// The time from when a request went out over tcp to its first byte.
  func trip(of id: TransferID, on stage: borrowing Stage) -> TimeSpan? {
    flows ? nil : stage.link.timings(of: id)?.response
  }

  /// Nothing is due before something is planned.
  mutating func rest() { next = .distantFuture }

  /// Plans the next time, from what has just been told along a line.
  ///
  /// Of packets each is an event; in a fluid nobody sees bytes come one by one.
  mutating func plan(_ flow: ByteFlow, at now: Instant) {
    guard let interval, flows, flow.unitsPerNanosecond > 0 else { return }
    next = min(
      next,
      max(
        now + max(interval.every, .milliseconds(1)),
        flow.instant(reaching: flow.bytes(at: now) + interval.bytes)))
  }
}

import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// What comes in of a stream: its tracks, what is under way in each, and what that shows of the
/// link.
///
/// It knows how segments are asked for, how they arrive and how they are given up; which of them to
/// ask for, and when, the loader says. It is an object, because a value of its size would be copied
/// by whoever only looks at it.
final class SegmentIntake {
  let asset: StreamAsset
  let presentation: Presentation
  let logs: LogKeeper
  let policy: PlayerPolicy
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows an intake.
  @exclusivity(unchecked) var tracks: [StreamTrack] = []
  /// Whether the sound is still to come as far as the picture, and goes on in the main track then.
  @exclusivity(unchecked) var isJoiningSound = false
  @exclusivity(unchecked) var telling = Telling()
  @exclusivity(unchecked) var isSubscribed = false
  @exclusivity(unchecked) var requests: StreamRequests
  @exclusivity(unchecked) var arrivals = PresentArrivals()
  /// No media file under way has to be looked at before.
  @exclusivity(unchecked) var watchIsDue = Instant.distantFuture
  @exclusivity(unchecked) var lookahead = Lookahead()
  /// Where the playhead was before it jumped; nil where it did not.
  @exclusivity(unchecked) var leftAt: MediaTime?
  /// How many whole segments of the main track came in since the buffer was last empty.
  @exclusivity(unchecked) var segmentsInARow: Int64 = 0
  /// The bytes of whole segments of the main track that came in.
  @exclusivity(unchecked) private(set) var taken: Int64 = 0
  /// The request by which the buffer last grew, and when.
  @exclusivity(unchecked) private(set) var latestGain: (id: TransferID, instant: Instant)?
  /// The last whole segment of the main track that came; nil before the first.
  @exclusivity(unchecked) private(set) var latestMain: SegmentArrival?

  init(of asset: StreamAsset, _ policy: PlayerPolicy, _ requests: StreamRequests) {
    self.asset = asset
    presentation = asset.presentation
    logs = LogKeeper(
      .init(uri: presentation.uri, type: .videoOnDemand), duration: presentation.duration)
    self.policy = policy
    self.requests = requests
  }

  private var subject: Subject { requests.subject }

  /// How many segments it keeps, those under way included, and what has just arrived.
  var keptCount: Int {
    tracks.reduce(arrivals.keptCount) {
      $0 + $1.buffer.segments.count + ($1.fetch == nil ? 0 : 1)
    }
  }

  /// Bytes that arrived, whatever they are of, those of requests under way included.
  func received(at now: Instant) -> Int64 {
    requests.bytesTransferred
      + requests.bytesUnderWay(tracks, at: now) { asset.resources.resource(by: $0) != nil }
  }

  /// Whether a request is for one of its tracks, or for the asset.
  func knows(_ id: TransferID) -> Bool {
    tracks.index(fetching: id) != nil || asset.resources.resource(by: id) != nil
  }
}

// MARK: - What is asked for

extension SegmentIntake {
  /// Asks for the next segment of a track.
  ///
  /// - Parameters:
  ///   - variant: Of which it is taken.
  ///   - patience: For how long nothing of it may come; nil for ever.
  ///   - sideBySide: How many are asked for at once.
  func start(
    _ index: Int, _ segment: MediaSegment, of variant: Int, sideBySide: Int64 = 1,
    patience: TimeSpan?, at now: Instant, on stage: inout Stage
  ) {
    let (list, next) = (tracks[index].list, tracks[index].again ?? tracks[index].next)
    var origin = origin(index, at: now) { thing in
      if let map = segment.map, thing == .resource(.map(list: list, map)) { return true }
      return thing == .resource(.playlist(list))
    }
    origin.retries = tracks[index].takeBroken()
    let isGone = asset.isGone(next, of: list, at: stage.reachesServer(at: now))
    // Asked where there may be some alone: to ask a track copies it.
    let others =
      sideBySide > 1 && asset.live == nil
      ? tracks[index].companions(in: presentation.lists[list].segments, sideBySide) : []
    let bytes = isGone ? 0 : others.reduce(segment.bytes) { $0 + $1.bytes }
    origin.bring(segment.start, others.last?.end ?? segment.end, variant, tracks[index].kind)
    subscribe(on: stage)
    let id = requests.start(
      bytes, .mediaSegment, presentation.lists[list].uri(of: next), for: origin,
      followsLine: telling.isWanted || tracks[index].heldEnd != nil, at: now, on: &stage)
    hearRequest(id, of: tracks[index].kind, at: now)
    tracks[index].fullSince = nil
    logs.requested(at: now)
    tracks[index].fetch = SegmentFetch(
      id: id, list: list, variant: variant, index: next, bytes: bytes, began: now,
      start: segment.start, end: others.last?.end ?? segment.end,
      watchedUntil: watchEnd(from: now, patience),
      isAgain: tracks[index].again != nil, isGone: isGone)
    if tracks[index].again == nil {
      tracks[index].next += 1 + others.count
    } else {
      tracks[index].again = nil
    }
  }

  /// Asks for one part of a segment.
  func start(
    _ index: Int, _ part: PartFetch, of variant: Int, patience: TimeSpan?, at now: Instant,
    on stage: inout Stage
  ) {
    let (list, next) = (tracks[index].list, tracks[index].next)
    let isGone = asset.isGone(next, of: list, at: stage.reachesServer(at: now))
    let bytes = isGone ? 0 : part.part.byteRange.length
    var origin = afterPlaylist(index, at: now)
    origin.retries = tracks[index].takeBroken()
    origin.bring(part.part.start, part.part.end, variant, tracks[index].kind)
    subscribe(on: stage)
    let id = requests.start(
      bytes, .mediaSegment, presentation.lists[list].uri(of: next), for: origin,
      availableAt: part.availableAt, followsLine: telling.isWanted, at: now, on: &stage)
    hearRequest(id, of: tracks[index].kind, at: now)
    tracks[index].fullSince = nil
    logs.requested(at: now)
    // While the server holds the answer back nothing is amiss.
    let awaited = max(now, part.availableAt ?? now)
    tracks[index].fetch = SegmentFetch(
      id: id, list: list, variant: variant, index: next, bytes: bytes, began: now,
      start: part.part.start, end: part.part.end, part: part.number,
      watchedUntil: watchEnd(from: awaited, patience), isGone: isGone, isHeld: awaited > now)
    if part.isLast { tracks[index].next += 1 } else { tracks[index].nextPart += 1 }
  }

  /// What a track can ask for next.
  func nextPiece(of index: Int) -> StreamPiece {
    let list = tracks[index].list
    if let live = asset.live {
      return live.nextPiece(of: tracks[index], in: presentation.lists[list])
    }
    let count = presentation.lists[list].segments.count
    return tracks[index].next < count ? .segment : .nothing(isOver: true)
  }

  /// What a track's next request is for, and what let it begin: what it needs, or the segment
  /// before it.
  func origin(
    _ index: Int, at now: Instant, needing isNeeded: (PresentArrivals.Thing) -> Bool
  ) -> RequestOrigin {
    let kind = tracks[index].kind
    return RequestOrigin(
      track: kind,
      after: arrivals.latest(at: now) { $0 == .segment(kind) || isNeeded($0) })
  }

  func afterPlaylist(_ index: Int, at now: Instant) -> RequestOrigin {
    let list = tracks[index].list
    return origin(index, at: now) { $0 == .resource(.playlist(list)) }
  }

  /// The end of the first period in which something of a media file must come, which is looked at
  /// then.
  private func watchEnd(from now: Instant, _ patience: TimeSpan?) -> Instant {
    guard let patience else { return .distantFuture }
    watchIsDue = min(watchIsDue, now + patience)
    return now + patience
  }
}

// MARK: - What comes in

extension SegmentIntake {
  /// Notes that the answer to a request begins.
  func responded(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    stage.log.note(.requestResponded(id), of: subject, at: now)
    guard let index = tracks.index(fetching: id), var fetch = tracks[index].fetch else { return }
    fetch.hasResponded = true
    fetch.firstByte = now
    tracks[index].fetch = fetch
    if index == 0 {
      fetch.receivedBefore = requests.bytesReceived(tracks, at: now, on: stage)
      tracks[0].fetch = fetch
    }
    beginsToCome(index, at: now)
    hear(
      .responded(RequestNumber(id), trip: telling.trip(of: id, on: stage), isHeld: fetch.isHeld),
      at: now)
    tellProgress(at: now, on: stage)
  }

  /// Takes a segment whose bytes are all there; `bringIn` puts it into the buffer.
  ///
  /// - Parameter bandwidth: What its variant declares.
  func arrived(
    _ index: Int, _ fetch: SegmentFetch, declared bandwidth: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    let kind = tracks[index].kind
    requests.bytesTransferred += fetch.bytes
    tracks[index].fetch?.isComplete = true
    book(kind, fetch, declared: bandwidth, at: now, on: &stage)
    stage.log.note(.requestCompleted(fetch.id, bytes: fetch.bytes), of: subject, at: now)
    if kind == .main {
      latestMain = SegmentArrival(fetch, at: now)
      tellOthers(than: index, at: now, on: stage)
    }
    hear(.ended(RequestNumber(fetch.id), bytes: fetch.bytes, .completed), at: now)
    arrivals.note(.segment(kind), by: fetch.id, at: now)
  }

  /// Puts a segment whose bytes are there into the buffer, once its key is there as well; returns
  /// the variant of one of the main track.
  ///
  /// - Parameter id: The request that brought the last of what it needed.
  func bringIn(_ index: Int, by id: TransferID, at now: Instant) -> Int? {
    guard let fetch = tracks[index].fetch else { return nil }
    if let key = presentation.lists[fetch.list].segments[fetch.index].key,
      asset.resources[asset.resources.key(key, of: fetch.list)] != .there
    {
      return nil
    }
    tracks[index].fetch = nil
    // Playback does not wait for subtitles.
    if tracks[index].kind != .subtitles { latestGain = (id, now) }
    if tracks[index].kind == .main, lookahead.holds(policy) { tracks[index].heldEnd = fetch.start }
    // What follows all that is loaded takes the place of nothing.
    if fetch.start < tracks[index].end || logs.hasPassed(fetch.start, at: now) {
      logs.bookPlayed(tracks, at: now)
    }
    let replaced = tracks[index].buffer.insert(
      BufferedSegment(
        variant: fetch.variant, list: fetch.list, index: fetch.index, start: fetch.start,
        end: fetch.end, bytes: fetch.bytes, arrived: now))
    for segment in replaced { requests.bytesDiscarded += segment.bytes }
    if tracks[index].kind != .main { return nil }
    segmentsInARow += 1
    taken += fetch.bytes
    return fetch.variant
  }

  /// Throws away a segment whose bytes are there, which is asked for again.
  func discardArrived(_ index: Int) {
    guard let fetch = tracks[index].fetch else { return }
    requests.bytesDiscarded += fetch.bytes
    tracks[index].fetch = nil
    tracks[index].goBack(to: fetch)
  }

  /// Lets segments count of whose successor enough has come.
  func release(at now: Instant, on stage: borrowing Stage) {
    lookahead.release(&tracks, after: policy.lookahead, at: now, on: stage)
  }

  /// When it has to be looked at what has come.
  var nextLook: Instant { min(telling.next, lookahead.due) }
}

extension SegmentArrival {
  fileprivate init(_ fetch: SegmentFetch, at now: Instant) {
    self.init(
      request: RequestNumber(fetch.id).rawValue, rung: fetch.variant, segment: fetch.index,
      bytes: fetch.bytes, began: fetch.began, responded: fetch.firstByte, arrived: now,
      isAgain: fetch.isAgain)
  }
}

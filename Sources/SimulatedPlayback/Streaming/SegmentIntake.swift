import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// A stream's intake: its tracks, the request under way in each, and their link observations.
///
/// It knows how segments are asked for, arrive and are given up; the loader says which to ask for,
/// and when. It is an object, because every reader would copy a value of its size.
final class SegmentIntake {
  let asset: StreamAsset
  let presentation: Presentation
  /// The segments of its lists. Perf: to look at one by way of the lists copies a list.
  let segments: [[MediaSegment]]
  let logs: LogKeeper
  /// Live or on demand, as its logs say. Perf: to ask the presentation is to look at each list.
  let type: PlaybackType
  let policy: PlayerPolicy
  /// Whether partial segments can change the playable buffer: lookahead or interleaved media.
  private let mayCountBytes: Bool
  let tracks = StreamTracks()
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows an intake.
  /// Whether the sound is still to come as far as the picture, and goes on in the main track then.
  @exclusivity(unchecked) var isJoiningSound = false
  @exclusivity(unchecked) var telling = Telling()
  @exclusivity(unchecked) var isSubscribed = false
  @exclusivity(unchecked) var requests: StreamRequests
  @exclusivity(unchecked) var arrivals = PresentArrivals()
  /// No media file under way has to be looked at before.
  @exclusivity(unchecked) var watchIsDue = Instant.distantFuture
  @exclusivity(unchecked) var lookahead = Lookahead()
  /// The playhead's position before it jumped; nil where it did not.
  @exclusivity(unchecked) var leftAt: MediaTime?
  /// The number of whole segments of the main track received since the buffer was last empty.
  @exclusivity(unchecked) var segmentsInARow: Int64 = 0
  /// The bytes of whole segments of the main track that came in.
  @exclusivity(unchecked) private(set) var taken: Int64 = 0
  /// The last whole segment of the main track that came; nil before the first.
  @exclusivity(unchecked) private(set) var latestMain: SegmentArrival?

  init(of asset: StreamAsset, _ policy: PlayerPolicy, _ requests: StreamRequests) {
    self.asset = asset
    presentation = asset.presentation
    segments = asset.plan.segments
    logs = LogKeeper(.init(uri: presentation.uri, type: .videoOnDemand))
    type = asset.live != nil || asset.presentation.isLive ? .live : .videoOnDemand
    self.policy = policy
    self.requests = requests
    mayCountBytes = policy.fetch.ofStreams.lookahead > 0 || asset.presentation.isInterleaved
  }

  /// Whether a partial segment changes the playable buffer: a held segment awaits bytes of the next
  /// one, or received bytes of a segment count themselves.
  var countsBytes: Bool { mayCountBytes && tracks.countBytes }

  // MARK: - Requests

  /// Asks for the next segment of a track, or for one part of it.
  ///
  /// - Parameters:
  ///   - part: The part of the segment; nil for all of it.
  ///   - patience: For how long nothing of it may come; nil for ever.
  func start(
    _ track: StreamTrack, _ segment: MediaSegment, _ part: PartFetch? = nil, of variant: Int,
    sideBySide: Int64 = 1, patience: TimeSpan?, at now: Instant, on stage: inout Stage
  ) {
    let (list, again) = (track.list, part == nil ? track.again : nil)
    let next = again ?? track.next
    let broken = track.takeBroken()
    // Whether the server has it no more when it is asked.
    let isGone =
      asset.live?.stream.isGone(
        next, of: presentation.lists[list], at: stage.reachesServer(at: now)) ?? false
    // Asked where there may be some alone: to ask a track copies it.
    let others =
      sideBySide > 1 && asset.live == nil
      ? track.companions(in: segments[list], sideBySide) : []
    let whole = part?.part.byteRange.length ?? others.reduce(segment.bytes) { $0 + $1.bytes }
    let (start, end) = (
      part?.part.start ?? segment.start, part?.part.end ?? others.last?.end ?? segment.end
    )
    subscribe(on: stage)
    let isPlain = part == nil && segment.key == nil && !isGone && again == nil
    let countsFrom =
      isPlain && mayCountBytes
      ? lookahead.countsFrom(policy.fetch.ofStreams, presentation) : nil
    let countsBytes = countsFrom != nil || part == nil && track.heldEnd != nil
    let id = requests.start(
      isGone ? 0 : whole, .mediaSegment, presentation.lists[list].uri(of: next),
      track: track.kind,
      for: origin(
        track, part == nil ? segment.map : nil, retrying: broken, start..<end, of: variant,
        at: now),
      availableAt: part?.availableAt, followsLine: telling.isWanted || countsBytes, at: now,
      on: &stage)
    hear(.requested(RequestNumber(id), track.kind == .main ? .main : .beside), at: now)
    track.fullSince = nil
    logs.requested(at: now)
    // While the server holds the answer back nothing is amiss.
    let awaited = max(now, part?.availableAt ?? now)
    track.fetch = SegmentFetch(
      id: id, list: list, variant: variant, index: next, bytes: isGone ? 0 : whole, began: now,
      start: start, end: end, part: part?.number, watchedUntil: watchEnd(from: awaited, patience),
      isAgain: again != nil, isGone: isGone, isHeld: awaited > now, countsFrom: countsFrom)
    track.advance(past: part, besides: others.count)
  }

  /// The purpose of a request for a segment or a part of one, and what let it begin: its playlist,
  /// its initialization section, or the segment before it.
  private func origin(
    _ track: StreamTrack, _ map: Int?, retrying broken: TransferID?, _ media: Range<MediaTime>,
    of variant: Int, at now: Instant
  ) -> RequestOrigin {
    let list = track.list
    let section = map.map { PresentArrivals.Thing.resource(.map(list: list, $0)) }
    var origin = self.origin(track, at: now) {
      $0 == .resource(.playlist(list)) || $0 == section
    }
    (origin.retries, origin.media) = (broken, media)
    if track.kind == .main { origin.variant = Int32(variant) }
    return origin
  }

  func nextPiece(of track: StreamTrack) -> StreamPiece {
    guard let live = asset.live else {
      return track.next < segments[track.list].count ? .segment : .nothing(isOver: true)
    }
    return live.nextPiece(of: track, in: presentation.lists[track.list])
  }

  /// The purpose of a track's next request, and the request that let it begin: that for a resource
  /// it needs, or for the segment before it.
  func origin(
    _ track: StreamTrack, at now: Instant, needing isNeeded: (PresentArrivals.Thing) -> Bool
  ) -> RequestOrigin {
    let kind = track.kind
    return RequestOrigin(
      track: kind,
      after: arrivals.latest(at: now) { $0 == .segment(kind) || isNeeded($0) })
  }

  /// The end of the first period in which something of a media file must come; it is checked then.
  private func watchEnd(from now: Instant, _ patience: TimeSpan?) -> Instant {
    guard let patience else { return .distantFuture }
    // Those of requests that are over count no more.
    watchIsDue = now + patience
    for track in tracks.list { watchIsDue = min(watchIsDue, track.watchedUntil ?? .distantFuture) }
    return now + patience
  }

  // MARK: - Responses

  /// Notes that the answer to a request begins.
  func responded(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    stage.log.note(.requestResponded(id), of: requests.subject, at: now)
    guard let own = tracks.index(fetching: id) else {
      return asset.resources.responded(id, at: now)
    }
    tracks[own].latest.responds(at: now)
    logs.flows(at: now)
    if tracks[own].kind == .main {
      // Without the bytes of playlist and key requests under way.
      var received = requests.bytesTransferred
      for index in tracks.indices
      where tracks[index].fetchID != nil && !tracks[index].latest.isComplete {
        received += tracks[index].latest.arrived(at: now, on: stage)
      }
      tracks[own].latest.receivedBefore = received
      logs.comes(variant: tracks[own].latest.variant)
    }
    hear(
      .responded(
        RequestNumber(id), trip: telling.trip(of: id, on: stage),
        isHeld: tracks[own].latest.isHeld),
      at: now)
    tellProgress(at: now, on: stage)
  }

  /// Takes a segment whose bytes are all there; `bringIn` puts it into the buffer.
  func arrived(
    _ track: StreamTrack, _ fetch: SegmentFetch, declared bandwidth: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    let kind = track.kind
    requests.bytesTransferred += fetch.bytes
    track.latest.isComplete = true
    book(kind, fetch, declared: bandwidth, at: now, on: &stage)
    stage.log.note(.requestCompleted(fetch.id, bytes: fetch.bytes), of: requests.subject, at: now)
    if kind == .main {
      latestMain = SegmentArrival(
        request: RequestNumber(fetch.id).rawValue, rung: fetch.variant, segment: fetch.index,
        bytes: fetch.bytes, began: fetch.began, responded: fetch.firstByte, arrived: now,
        isAgain: fetch.isAgain)
    }
    if kind == .main || policy.samplesTogether { tellOthers(than: track, at: now, on: stage) }
    hear(.ended(RequestNumber(fetch.id), bytes: fetch.bytes, .completed), at: now)
    if stage.log.isEnabled { arrivals.note(.segment(kind), by: fetch.id, at: now) }
  }

  /// Puts a segment whose bytes are there into the buffer, once its key is there as well; returns
  /// the variant of one of the main track.
  func bringIn(_ track: StreamTrack, at now: Instant) -> Int? {
    guard let fetch = track.fetch else { return nil }
    if let key = segments[fetch.list][fetch.index].key,
      asset.resources[asset.resources.key(key, of: fetch.list)] != .there
    {
      return nil
    }
    track.fetch = nil
    if track.kind == .main {
      // A whole segment releases the one before it, however few bytes it has.
      let isHeld = fetch.countsFrom == nil && lookahead.holds(policy.fetch.ofStreams)
      track.heldEnd = isHeld ? fetch.start : nil
    }
    insert(
      BufferedSegment(
        variant: fetch.variant, list: fetch.list, index: fetch.index,
        start: fetch.counted?.end ?? fetch.start, end: fetch.end,
        bytes: fetch.bytes - (fetch.counted?.bytes ?? 0), arrived: now), track, at: now)
    if track.kind != .main { return nil }
    segmentsInARow += 1
    taken += fetch.bytes
    return fetch.variant
  }

  func insert(_ segment: BufferedSegment, _ track: StreamTrack, at now: Instant) {
    // A segment after all loaded media replaces nothing.
    if segment.start < track.end || logs.time(at: now) > segment.start {
      logs.bookPlayed(tracks, at: now)
    }
    for replaced in track.buffer.insert(segment) { requests.bytesDiscarded += replaced.bytes }
  }

  /// Goes past segments of which no server has anything, and which play as they are.
  func passGaps(_ track: StreamTrack) {
    while true {
      let piece = nextPiece(of: track)
      if case .nothing = piece { return }
      let segment = segments[track.list][track.wanted]
      if !segment.isGap { return }
      track.buffer.pass(to: piece.part?.part.end ?? segment.end)
      track.advance(past: piece.part, besides: 0)
    }
  }

  /// The instant at which received bytes have to be checked next.
  var nextLook: Instant { min(telling.next, lookahead.due) }

  /// Gives up what is under way in a track; what comes next there is left as it is.
  func drop(
    _ track: StreamTrack, as outcome: RequestOutcome = .cancelled, at now: Instant,
    on stage: inout Stage
  ) {
    guard let fetch = track.fetch else { return }
    track.fetch = nil
    // The request for one that waited for its key alone is over, and booked.
    if fetch.isComplete { return }
    let arrived = fetch.arrived(at: now, on: stage)
    if policy.samplesTogether { tellOthers(than: track, at: now, on: stage) }
    hear(.ended(RequestNumber(fetch.id), bytes: arrived, outcome), at: now)
    requests.bytesTransferred += arrived
    bookPart(track.kind, fetch, arrived, at: now)
    stage.link.cancel(fetch.id, at: now)
    stage.log.note(.requestCancelled(fetch.id, bytes: arrived), of: requests.subject, at: now)
  }

  /// Gives up the segment under way if it begins where playback ends, or later.
  func dropPastEnd(_ track: StreamTrack, _ end: MediaTime, at now: Instant, on stage: inout Stage) {
    if track.fetchID == nil { return }
    guard let fetch = track.fetch, fetch.start >= end else { return }
    drop(track, at: now, on: &stage)
    track.goBack(to: fetch)
  }

  /// Makes what was under way missing again, and says what it was.
  func breakOff(_ id: TransferID, _ bytes: Int64, at now: Instant) -> Breakage {
    requests.bytesTransferred += bytes
    guard let track = tracks.first(fetching: id), let fetch = track.fetch else {
      let resource = asset.resources.broke(by: id) ?? .master
      if case .playlist(let list) = resource { asset.live?.listings[list].wantsWhole = true }
      return Breakage(
        lists: asset.lists(needing: resource), uri: asset.uri(of: resource), bytes: bytes,
        thing: .resource(resource))
    }
    hear(.ended(RequestNumber(fetch.id), bytes: bytes, .failed), at: now)
    bookPart(track.kind, fetch, bytes, at: now)
    track.goBack(to: fetch)
    track.fetch = nil
    return Breakage(
      lists: [fetch.list], uri: uri(of: fetch), bytes: bytes, thing: .segment(fetch, of: track))
  }

  /// A media file of which nothing has come for too long, if it is time to look.
  func overdue(
    after patience: TimeSpan, at now: Instant, on stage: borrowing Stage
  ) -> SegmentFetch? {
    if watchIsDue > now { return nil }
    watchIsDue = .distantFuture
    for track in tracks.list {
      guard let due = track.looksAgain(after: patience, at: now, on: stage) else { continue }
      watchIsDue = min(watchIsDue, due)
      if due <= now { return track.fetch }
    }
    return nil
  }
}

extension StreamTrack {
  /// The instant of the next check whether the fetch under way still receives bytes: now, where
  /// none have arrived for too long; nil where nothing is under way.
  fileprivate func looksAgain(
    after patience: TimeSpan, at now: Instant, on stage: borrowing Stage
  ) -> Instant? {
    guard let watchedUntil else { return nil }
    if watchedUntil > now { return watchedUntil }
    guard let fetch else { return nil }
    let arrived = fetch.arrived(at: now, on: stage)
    if arrived == fetch.watched { return now }
    // Nobody looked while it came: the wait began with the last of it, and not with this look.
    let last = stage.link.lastArrival(of: fetch.id, at: now) ?? now
    self.latest.watched = arrived
    self.latest.watchedUntil = last + patience
    return last + patience
  }
}

// MARK: - Continuation of a track

extension SegmentIntake {
  /// Forgets what a track holds before the playhead, and starts it anew where that is out of the
  /// buffer, or in any case.
  func follow(
    _ track: StreamTrack, _ position: MediaTime, anew: Bool = false, at now: Instant,
    on stage: inout Stage
  ) {
    if let left = track.buffer.segments.prefix(while: { $0.end <= position }).last {
      logs.bookPlayed(tracks, upTo: left.end, at: now)
    }
    defer { track.buffer.forget(before: position) }
    if !anew, position >= track.start, position <= track.end { return }
    if position >= presentation.duration { return }
    let frozen = policy.sink.keepsFrozen
    let comes = frozen + (track.fetch?.segmentEnd(in: presentation) ?? track.reach)
    // A segment that ends where the playhead has jumped to brings it nothing.
    let jumps = frozen == .zero && (leftAt != nil || track.buffer.isEmpty)
    if !anew, position >= track.start, position < comes || position == comes && !jumps { return }
    // "Discard the existing buffer and start download from a new location" (WWDC18 502).
    drop(track, at: now, on: &stage)
    bookDiscarded(track, from: leftAt ?? position)
    let list = presentation.lists[track.list]
    track.next = list.index(at: position) ?? list.segments.count
    track.buffer.restart(
      at: track.next < list.segments.count ? list.segments[track.next].start : position)
    if track.kind == .main { segmentsInARow = 0 }
  }

  /// Notes a seek to the present position where the playhead stalls with sound, as some pages do.
  func seekAfterFreeze(_ position: MediaTime) {
    let hasSound = tracks.first(of: .audio)?.buffer.contains(position) ?? false
    if hasSound, policy.sink.seeksAtFreeze { leftAt = position }
  }

  /// Starts every track anew after a seek out of loaded audio or video, as some pages do.
  func startAnew(from position: MediaTime, at now: Instant, on stage: inout Stage) {
    let left = tracks.list.contains {
      $0.kind != .subtitles && (position < $0.start || position > $0.countedEnd)
    }
    for track in tracks.list where left && policy.sink.seeksAtFreeze {
      follow(track, position, anew: true, at: now, on: &stage)
    }
  }

  /// Lets a track go on with another list, and says how much of the old one is thrown away.
  func restart(
    _ track: StreamTrack, with list: Int, _ item: PlayerItem, at now: Instant
  ) -> MediaTime {
    logs.bookPlayed(tracks, at: now)
    let position = item.time(at: now)
    let end = track.end
    let kept = boundary(of: track, item, now)
    let segments = presentation.lists[list]
    let next = segments.index(at: kept ?? position) ?? segments.segments.count
    track.list = list
    track.next = next
    bookDiscarded(track, from: kept ?? position)
    if let kept {
      track.buffer.cut(at: kept)
      track.buffer.reach(from: position)
    } else {
      track.buffer.restart(
        at: next < segments.segments.count ? segments.segments[next].start : position)
    }
    return max(.zero, end - max(position, kept ?? .zero))
  }

  /// The end of the segment that is being played; nil where none is.
  private func boundary(of track: StreamTrack, _ item: PlayerItem, _ now: Instant) -> MediaTime? {
    let position = item.time(at: now)
    let segments = presentation.lists[track.list]
    guard item.isMoving, track.buffer.contains(position),
      let played = segments.index(at: position)
    else { return nil }
    return min(track.end, segments.segments[played].end)
  }

  /// Throws away what is loaded beyond a time and is not of the list that a track goes on with.
  func discard(after time: MediaTime, at now: Instant, on stage: inout Stage) {
    for track in tracks.list {
      let old = track.buffer.segments(startingAtOrAfter: time)
      guard let first = old.first(where: { $0.list != track.list }) else { continue }
      drop(track, at: now, on: &stage)
      bookDiscarded(track, from: first.start)
      track.buffer.cut(at: first.start)
      track.next = presentation.lists[track.list].next(after: first.start)
    }
  }

  /// Books that the segments of a track which begin at a time or after it are thrown away.
  func bookDiscarded(_ track: StreamTrack, from time: MediaTime) {
    requests.bytesDiscarded += track.buffer.bytes(startingAtOrAfter: time)
  }

  // Events of segment requests that a policy is told.

  /// Learns how much the policy wants to hear, before the first segment is asked for.
  func subscribe(on stage: borrowing Stage) {
    if isSubscribed { return }
    isSubscribed = true
    let isFluid = stage.isFluid
    telling.subscribe(policy.running.subscription(to: .segmented, flows: isFluid), isFluid: isFluid)
  }

  func hear(_ event: TransferEvent, at now: Instant) {
    policy.running.hear(event, of: .segmented, at: now)
  }

  /// Tells what has come of everything that is under way, and plans when it is told again.
  func tellProgress(at now: Instant, on stage: borrowing Stage) {
    if !telling.isWanted { return }
    telling.rest()
    for track in tracks.list {
      guard let fetch = track.fetch, fetch.hasResponded, !fetch.isComplete,
        let (flow, _) = stage.link.flow(of: fetch.id, at: now)
      else { continue }
      let bytes = min(fetch.bytes, flow.bytes(at: now))
      hear(.received(RequestNumber(fetch.id), bytes: bytes), at: now)
      if bytes < fetch.bytes { telling.plan(flow, at: now) }
    }
  }

  /// Tells what has come beside a segment of the main track that ends now.
  func tellOthers(than done: StreamTrack, at now: Instant, on stage: borrowing Stage) {
    for index in tracks.indices where tracks[index] !== done {
      guard let id = tracks[index].fetchID, !tracks[index].latest.isComplete else { continue }
      let bytes = tracks[index].latest.arrived(at: now, on: stage)
      hear(.received(RequestNumber(id), bytes: bytes), at: now)
    }
  }
}

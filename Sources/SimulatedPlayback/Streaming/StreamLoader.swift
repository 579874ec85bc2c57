import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

/// Brings a stream over the link: playlists, keys and segments, each when what it needs is there.
///
/// "Some of these stages are serialized. You can't download things from playlist until you've
/// received the playlist" (WWDC16 503).
final class StreamLoader {
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a loader.
  @exclusivity(unchecked) var settings: StreamSettings {
    didSet { refreshRungs() }
  }
  @exclusivity(unchecked) private(set) var rungs: VariantRungs
  let without: BehaviourSet
  let owner: Int32
  let host: Int32
  /// What is loaded once for everybody who plays the stream.
  let asset: StreamAsset
  let retry: RetryPolicy
  @exclusivity(unchecked) var troubles = StreamTroubles()
  /// No media file under way has to be looked at before.
  @exclusivity(unchecked) var watchIsDue = Instant.distantFuture
  @exclusivity(unchecked) var tracks: [StreamTrack] = []
  /// The variant that the next segment is taken from; nil before the first choice.
  @exclusivity(unchecked) var variant: Int?
  /// The variant of the first choice.
  @exclusivity(unchecked) var firstVariant: Int?
  /// The sound of the item before, to go on with.
  @exclusivity(unchecked) var soundBefore: AudioContinuity?
  /// What the item before has seen of the link, in bit/s.
  @exclusivity(unchecked) var observedBefore: Int64?
  /// Which variant the last complete segment was of.
  @exclusivity(unchecked) var loadedVariant: Int?
  @exclusivity(unchecked) var isFull = false
  /// Whether the sound is still to come as far as the picture, and goes on in the main track then.
  @exclusivity(unchecked) var isJoiningSound = false
  @exclusivity(unchecked) var meter: StreamMeter
  @exclusivity(unchecked) var failure: PlaybackFailure?
  @exclusivity(unchecked) var requestCount: Int64 = 0
  @exclusivity(unchecked) var bytesTransferred: Int64 = 0
  @exclusivity(unchecked) var bytesAbandoned: Int64 = 0
  let logs: LogKeeper
  @exclusivity(unchecked) var variantSwitchCount: Int64 = 0
  /// How many whole segments of the main track came in since the buffer was last empty.
  @exclusivity(unchecked) var segmentsInARow: Int64 = 0
  let duration: MediaTime
  let presentation: Presentation
  /// What is known of a stream that grows; nil for one that is all there.
  @exclusivity(unchecked) var live: LiveTimeline?
  /// Whether something has happened since the last choice of a variant.
  @exclusivity(unchecked) var choiceIsDue = true
  @exclusivity(unchecked) var arrivals = PresentArrivals()
  @exclusivity(unchecked) var rescueWatch = RescueWatch()
  /// The request by which the buffer last grew, and when.
  @exclusivity(unchecked) var latestGain: (id: TransferID, instant: Instant)?

  init(
    _ settings: StreamSettings, without: BehaviourSet, retry: RetryPolicy, host: Int32,
    owner: Int32
  ) {
    self.settings = settings.without(without)
    self.without = without
    self.owner = owner
    self.host = host
    self.retry = retry
    asset = StreamAsset(settings.presentation, retry: retry)
    presentation = settings.presentation
    logs = LogKeeper(
      .init(uri: presentation.uri, type: .videoOnDemand), duration: presentation.duration)
    rungs = VariantRungs(presentation, under: self.settings.constraints)
    live = self.settings.live.map {
      LiveTimeline($0, lists: settings.presentation.lists.count, without: without)
    }
    meter = StreamMeter(window: settings.estimatorWindow)
    duration = presentation.duration
  }

  func refreshRungs() {
    rungs = VariantRungs(
      presentation, under: settings.constraints, barring: troubles.barredVariants)
  }
}

// MARK: - What is there

extension StreamLoader {
  /// The end of the contiguous media that begins at a position, in every track that is needed.
  func loadedEnd(from position: MediaTime) -> MediaTime {
    if tracks.isEmpty { return position }
    var end = MediaTime.distantFuture
    for index in tracks.indices where tracks[index].kind != .subtitles {
      if !tracks[index].buffer.contains(position) { return position }
      end = min(end, tracks[index].end)
    }
    return end
  }

  func loadedTimeRanges() -> [Range<MediaTime>] {
    if tracks.isEmpty { return [] }
    var (start, end) = (MediaTime.zero, MediaTime.distantFuture)
    for track in tracks where track.kind != .subtitles {
      start = max(start, track.start)
      end = min(end, track.end)
    }
    return start < end ? [start..<end] : []
  }

  /// Whether something of every track that is needed is there.
  var isReady: Bool {
    if tracks.isEmpty { return false }
    for index in tracks.indices
    where tracks[index].kind != .subtitles && tracks[index].end <= tracks[index].start {
      return false
    }
    return true
  }

  /// Whether nothing is under way.
  var isIdle: Bool {
    asset.resources.isIdle && !tracks.contains { $0.fetch != nil }
  }
}

// MARK: - What to ask for

extension StreamLoader {
  /// Asks for everything that may be asked for now.
  ///
  /// - Parameter limit: How much media may lie ahead of the position.
  func load(
    from position: MediaTime, limit: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    if failure != nil || !asset.retry.allows(at: now) { return }
    guard isMasterThere(at: now, on: &stage) else { return }
    if settings.preloadsKeys { requestSessionKeys(at: now, on: &stage) }
    if variant == nil { chooseFirst(position, at: now, on: &stage) }
    follow(position, at: now, on: &stage)
    if isJoiningSound { joinSound() }
    var full = !tracks.isEmpty
    for index in tracks.indices {
      if pump(index, position, limit, at: now, on: &stage) { full = false }
    }
    isFull = full
  }

  /// Whether the multivariant playlist is there; asks for it if not.
  func isMasterThere(at now: Instant, on stage: inout Stage) -> Bool {
    switch asset.resources[.master] {
    case .there: return true
    case .underWay: return false
    case .missing:
      let id = request(
        settings.playlistEncoding.transferred(presentation.playlistBytes), .multivariantPlaylist,
        presentation.uri, at: now, on: &stage)
      asset.resources.requested(.master, by: id)
      return false
    }
  }

  private func chooseFirst(
    _ position: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    guard let first = firstChoice() else {
      failure = .noPlayableVariant
      return
    }
    variant = first.variant
    firstVariant = first.variant
    stage.log.note(.variantChosen(first), at: now)
    makeTracks(of: first.variant, position)
  }

  /// What the first variant plays, each from the segment under the playhead on.
  private func makeTracks(of variant: Int, _ position: MediaTime) {
    let kinds: [TrackKind] = [.main, .audio, .subtitles]
    tracks = kinds.compactMap { kind in
      list(of: kind, for: variant).map { track(kind, list: $0, position) }
    }
  }

  func track(_ kind: TrackKind, list: Int, _ position: MediaTime) -> StreamTrack {
    let index = presentation.lists[list].index(at: position) ?? 0
    let start =
      presentation.lists[list].segments.isEmpty
      ? position : presentation.lists[list].segments[index].start
    return StreamTrack(kind: kind, list: list, next: index, at: start)
  }

  /// Starts anew where the playhead is, if it is out of the buffer.
  private func follow(_ position: MediaTime, at now: Instant, on stage: inout Stage) {
    for index in tracks.indices {
      tracks[index].buffer.forget(before: position)
      if position >= duration { continue }
      if position >= tracks[index].start && position <= tracks[index].end { continue }
      let track = tracks[index]
      if position >= track.start && position <= reach(of: track) { continue }
      // "Discard the existing buffer and start download from a new location" (WWDC18 502).
      drop(index, at: now, on: &stage)
      let list = presentation.lists[track.list]
      let next = list.index(at: position) ?? list.segments.count
      tracks[index].next = next
      let start = next < list.segments.count ? list.segments[next].start : position
      tracks[index].buffer.restart(at: start)
      if track.kind == .main { segmentsInARow = 0 }
    }
  }

  /// The end of the segment that comes next into a track.
  private func reach(of track: StreamTrack) -> MediaTime {
    if let fetch = track.fetch { return fetch.end }
    let segments = presentation.lists[track.list].segments
    return track.next < segments.count ? segments[track.next].end : track.end
  }

  /// Gives up what is under way in a track.
  func drop(_ index: Int, at now: Instant, on stage: inout Stage) {
    guard let fetch = tracks[index].fetch else { return }
    let arrived = arrivedBytes(fetch, at: now, on: stage)
    meter.count(arrived - fetch.sampled, at: now)
    bytesTransferred += arrived
    bookPart(tracks[index].kind, fetch, arrived, at: now)
    if !fetch.isComplete { stage.link.cancel(fetch.id, at: now) }
    stage.log.note(.requestCancelled(fetch.id, bytes: arrived), at: now)
    tracks[index].fetch = nil
    settleMeter(at: now)
  }

  /// Asks for the next thing that a track needs; true while it still wants something.
  private func pump(
    _ index: Int, _ position: MediaTime, _ limit: MediaTime, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    let list = tracks[index].list
    if troubles.isWaiting(list, at: now) { return true }
    if !isListed(list), !hasPlaylist(list, for: index, at: now, on: &stage) { return true }
    if tracks[index].fetchID != nil {
      if tracks[index].awaitsKey { askAgainForKey(index, at: now, on: &stage) }
      return true
    }
    if tracks[index].end - position >= limit { return false }
    if isJoiningSound, holdsBack(index) { return true }
    let piece = nextPiece(of: index)
    if case .nothing(let isOver) = piece { return !isOver && !isMistakenForFull(index, position) }
    let segment = presentation.lists[list].segments[tracks[index].next]
    if segment.isGap, avoidsGap(index, at: now, on: &stage) {
      return pump(index, position, limit, at: now, on: &stage)
    }
    if let key = segment.key {
      requestKey(
        asset.resources.key(key, of: list),
        for: origin(index, at: now) { $0 == .resource(.playlist(list)) }, at: now, on: &stage)
    }
    if let map = segment.map, !requestMap(index, map, at: now, on: &stage) { return true }
    switch piece {
    case .nothing: break
    case .segment: startSegment(index, segment, at: now, on: &stage)
    case .part(let part):
      startPart(index, part, at: now, on: &stage)
    }
    return true
  }

  /// Asks for a key again that broke.
  private func askAgainForKey(_ index: Int, at now: Instant, on stage: inout Stage) {
    guard let fetch = tracks[index].fetch,
      let key = presentation.lists[fetch.list].segments[fetch.index].key
    else { return }
    requestKey(
      asset.resources.key(key, of: fetch.list), for: RequestOrigin(), at: now, on: &stage)
  }

  private func startSegment(
    _ index: Int, _ segment: MediaSegment, at now: Instant, on stage: inout Stage
  ) {
    let (list, next) = (tracks[index].list, tracks[index].next)
    let origin = origin(index, at: now) { thing in
      if let map = segment.map, thing == .resource(.map(list: list, map)) { return true }
      return thing == .resource(.playlist(list))
    }
    let isGone = isGone(next, of: list, at: stage.reachesServer(at: now))
    let bytes = isGone ? 0 : segment.bytes
    let id = request(
      bytes, .mediaSegment, presentation.lists[list].uri(of: next), for: origin, at: now,
      on: &stage)
    logs.requested(at: now)
    tracks[index].fetch = SegmentFetch(
      id: id, list: list, variant: variant ?? 0, index: next, bytes: bytes, began: now,
      start: segment.start, end: segment.end, watchedUntil: watchEnd(from: now), isGone: isGone)
    tracks[index].next += 1
  }
}

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
  private let host: Int32
  /// For the multivariant playlist; what hangs from it has troubles of its own.
  @exclusivity(unchecked) var retry: RetryClock
  @exclusivity(unchecked) var troubles = StreamTroubles()
  /// The multivariant playlist.
  @exclusivity(unchecked) var master = FetchState.missing
  /// By list of the presentation.
  @exclusivity(unchecked) var playlists: [FetchState]
  /// Keys of the presentation, each once.
  @exclusivity(unchecked) var keys: [EncryptionKey] = []
  @exclusivity(unchecked) var keyStates: [FetchState] = []
  /// The initialization sections of a list, by list and map.
  @exclusivity(unchecked) var maps: [[FetchState]]
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
  @exclusivity(unchecked) var estimator: ThroughputEstimator
  /// When the present busy stretch began; nil while no media is coming in.
  @exclusivity(unchecked) var busySince: Instant?
  @exclusivity(unchecked) var sampleBytes: Int64 = 0
  @exclusivity(unchecked) var sampleSpan = TimeSpan.zero
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
    self.retry = RetryClock(retry)
    presentation = settings.presentation
    logs = LogKeeper(
      .init(uri: presentation.uri, type: .videoOnDemand), duration: presentation.duration)
    rungs = VariantRungs(presentation, under: self.settings.constraints)
    playlists = Array(repeating: .missing, count: presentation.lists.count)
    live = self.settings.live.map {
      LiveTimeline($0, lists: settings.presentation.lists.count, without: without)
    }
    maps = presentation.lists.map { Array(repeating: .missing, count: $0.maps.count) }
    estimator = ThroughputEstimator(window: settings.estimatorWindow)
    duration = presentation.duration
    for list in presentation.lists.indices {
      let named = presentation.lists[list].keys
      for key in named where !keys.contains(key) { keys.append(key) }
    }
    keyStates = Array(repeating: .missing, count: keys.count)
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
    // By their places: a track with a segment under way is too large to be copied for a look.
    for index in tracks.indices where tracks[index].kind != .subtitles {
      if !tracks[index].contains(position) { return position }
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
    !master.isUnderWay && !tracks.contains { $0.fetch != nil }
      && !playlists.contains { $0.isUnderWay } && !keyStates.contains { $0.isUnderWay }
      && !maps.contains { $0.contains { $0.isUnderWay } }
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
    if failure != nil || !retry.allows(at: now) { return }
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
    if master == .missing {
      master = .underWay(
        request(
          settings.playlistEncoding.transferred(presentation.playlistBytes), .multivariantPlaylist,
          presentation.uri, at: now, on: &stage))
    }
    return master == .there
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
      tracks[index].start = start
      tracks[index].end = start
      if track.kind == .main { segmentsInARow = 0 }
    }
  }

  /// The end of the segment that comes next into a track.
  private func reach(of track: StreamTrack) -> MediaTime {
    if let fetch = track.fetch { return place(of: fetch).end }
    let segments = presentation.lists[track.list].segments
    return track.next < segments.count ? segments[track.next].end : track.end
  }

  /// Gives up what is under way in a track.
  func drop(_ index: Int, at now: Instant, on stage: inout Stage) {
    guard let fetch = tracks[index].fetch else { return }
    let arrived = arrivedBytes(fetch, at: now, on: stage)
    count(arrived - fetch.sampled, at: now)
    bytesTransferred += arrived
    bookPart(tracks[index].kind, fetch, arrived, at: now)
    if !fetch.isComplete { stage.link.cancel(fetch.id, at: now) }
    stage.log.note(.requestCancelled(fetch.id, bytes: arrived), at: now)
    tracks[index].fetch = nil
    settleBusy(at: now)
  }

  /// Asks for the next thing that a track needs; true while it still wants something.
  private func pump(
    _ index: Int, _ position: MediaTime, _ limit: MediaTime, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    let list = tracks[index].list
    if troubles.isWaiting(list, at: now) { return true }
    if !hasPlaylist(list, for: index, at: now, on: &stage) { return true }
    if tracks[index].fetchID != nil {
      if tracks[index].awaitsKey { askAgainForKey(index, at: now, on: &stage) }
      return true
    }
    let piece = nextPiece(of: index)
    if tracks[index].end - position >= limit { return false }
    if isJoiningSound, holdsBack(index) { return true }
    if case .nothing(let isOver) = piece { return !isOver && !isMistakenForFull(index, position) }
    let segment = presentation.lists[list].segments[tracks[index].next]
    if segment.isGap, avoidsGap(index, at: now, on: &stage) {
      return pump(index, position, limit, at: now, on: &stage)
    }
    if let key = segment.key {
      requestKey(
        presentation.lists[list].keys[key],
        for: origin(index, at: now) { $0 == .playlist(list) }, at: now, on: &stage)
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
    requestKey(presentation.lists[fetch.list].keys[key], for: RequestOrigin(), at: now, on: &stage)
  }

  private func startSegment(
    _ index: Int, _ segment: MediaSegment, at now: Instant, on stage: inout Stage
  ) {
    let (list, next) = (tracks[index].list, tracks[index].next)
    let origin = origin(index, at: now) { thing in
      if let map = segment.map, thing == .map(list: list, map) { return true }
      return thing == .playlist(list)
    }
    let isGone = isGone(next, of: list, at: now, stage.link)
    let bytes = isGone ? Self.notFoundBytes : segment.bytes
    let id = request(
      bytes, .mediaSegment, presentation.lists[list].uri(of: next), for: origin, at: now,
      on: &stage)
    logs.requested(at: now)
    tracks[index].fetch = SegmentFetch(
      id: id, list: list, variant: variant ?? 0, index: next, bytes: bytes, began: now,
      watchedUntil: watchEnd(from: now), isGone: isGone)
    tracks[index].next += 1
  }

  /// Whether an initialization section is there; asks for it if not.
  private func requestMap(
    _ index: Int, _ map: Int, at now: Instant, on stage: inout Stage
  ) -> Bool {
    let list = tracks[index].list
    switch maps[list][map] {
    case .there: return true
    case .underWay: return false
    case .missing:
      maps[list][map] = .underWay(
        request(
          presentation.lists[list].maps[map].bytes, .mapSegment,
          presentation.lists[list].uri(ofMap: map),
          for: origin(index, at: now) { $0 == .playlist(list) }, at: now, on: &stage))
      return false
    }
  }

  func requestSessionKeys(at now: Instant, on stage: inout Stage) {
    // "Master playlist must contain SESSION-KEY declarations" (WWDC16 503).
    for key in presentation.sessionKeys {
      let origin = RequestOrigin(after: arrivals.latest(at: now) { $0 == .master })
      requestKey(key, for: origin, at: now, on: &stage)
    }
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

  private func requestKey(
    _ key: EncryptionKey, for origin: RequestOrigin, at now: Instant, on stage: inout Stage
  ) {
    guard let index = keys.firstIndex(of: key), keyStates[index] == .missing else { return }
    let exchange = settings.keyExchange
    keyStates[index] = .underWay(
      request(
        exchange.bytes, .contentKey, key.uri, for: origin, thinkTime: exchange.thinkTime, at: now,
        on: &stage))
  }

  func request(
    _ bytes: Int64, _ kind: ResourceKind, _ uri: @autoclosure () -> String,
    for origin: RequestOrigin = RequestOrigin(),
    thinkTime: TimeSpan = .zero, availableAt: Instant? = nil, at now: Instant,
    on stage: inout Stage
  ) -> TransferID {
    requestCount += 1
    let id = stage.link.start(
      Request(
        bytes: bytes, host: host, owner: owner, thinkTime: thinkTime, availableAt: availableAt,
        label: kind.label,
        // Where nobody asks what it is called, nobody puts it together.
        uri: stage.link.readsLabels ? uri() : ""),
      at: now)
    stage.log.note(.resourceRequested(id, kind, bytes: bytes, origin), at: now)
    return id
  }

  /// Gives the link back everything that is under way.
  func cancelAll(at now: Instant, on stage: inout Stage) {
    for index in tracks.indices where tracks[index].fetch != nil {
      drop(index, at: now, on: &stage)
      // What was given up is asked for again, should anybody want more.
      let list = presentation.lists[tracks[index].list]
      tracks[index].next =
        list.firstIndex(startingAtOrAfter: tracks[index].end) ?? list.segments.count
    }
    cancel(&master, at: now, on: &stage)
    for index in playlists.indices { cancel(&playlists[index], at: now, on: &stage) }
    for index in keyStates.indices { cancel(&keyStates[index], at: now, on: &stage) }
    for list in maps.indices {
      for map in maps[list].indices { cancel(&maps[list][map], at: now, on: &stage) }
    }
  }

  private func cancel(_ state: inout FetchState, at now: Instant, on stage: inout Stage) {
    guard case .underWay(let id) = state else { return }
    stage.link.cancel(id, at: now)
    stage.log.note(.requestCancelled(id, bytes: 0), at: now)
    state = .missing
  }
}

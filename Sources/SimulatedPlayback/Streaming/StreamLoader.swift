import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// Brings a stream over the link: playlists, keys and segments, each when what it needs is there.
///
/// "Some of these stages are serialized. You can't download things from playlist until you've
/// received the playlist" (WWDC16 503).
final class StreamLoader: MediaLoader {
  /// The asset, loaded once for all items that play the stream.
  let asset: StreamAsset
  let presentation: Presentation
  let retry: RetryPolicy
  let intake: SegmentIntake
  let tracks: StreamTracks
  /// The item's position on a live stream; nil for a stream that is all there.
  let live: LiveTimeline?
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows a loader.
  @exclusivity(unchecked) var settings: StreamSettings {
    didSet { choice.adopt(settings) }
  }
  /// The read-ahead limit: the policy's, and what the app sets.
  @exclusivity(unchecked) private var limits: FetchRule { didSet { limit() } }
  /// The same while the present variant is loaded.
  @exclusivity(unchecked) private(set) var rule: FetchRule
  @exclusivity(unchecked) var choice: VariantChoice
  @exclusivity(unchecked) var troubles = StreamTroubles()
  /// The policy's memory of its variants.
  @exclusivity(unchecked) var judgement: VariantJudgement
  @exclusivity(unchecked) var watch = SegmentWatch()
  /// The variants as the policy is told of them, by the list that the main track is taken from.
  let ladders: [Ladder]
  @exclusivity(unchecked) var isFull = false
  /// Whether a wait goes on that may end with bytes of the segment under way.
  @exclusivity(unchecked) var awaitsBytes = false
  /// Bytes of playlists that delta updates left out.
  @exclusivity(unchecked) var playlistBytesSaved: Int64 = 0

  init(
    _ settings: StreamSettings, of asset: StreamAsset, retry: RetryPolicy, host: Int32,
    owner: Int32, policy: PlayerPolicy
  ) {
    self.settings = settings
    self.asset = asset
    self.retry = retry
    limits = settings.fetchRule(policy.fetch)
    rule = limits
    presentation = asset.presentation
    live = asset.live.map { LiveTimeline($0) }
    choice = VariantChoice(settings)
    ladders =
      policy.choice.sizes == .exact ? asset.plan.exactLadders(of: presentation) : asset.plan.ladders
    judgement = policy.running.judgement(ofVariants: settings.seats)
    intake = SegmentIntake(of: asset, policy, StreamRequests(owner: owner, host: host))
    tracks = intake.tracks
    super.init(.stream(settings), policy, intake.logs)
  }

  /// Takes over what has been decided since the loader was made.
  func adopt(_ new: StreamSettings) {
    settings = new
    judgement = policy.running.judgement(ofVariants: settings.seats)
  }

  /// The item that it was last asked for.
  var subject: Subject {
    get { intake.requests.subject }
    set { intake.requests.subject = newValue }
  }

  override var isEndKnown: Bool { live?.playlists.isEnded ?? true }

  // MARK: Requests to come

  /// Asks for everything that may be asked for now.
  ///
  /// - Parameters:
  ///   - end: End of playback: nothing is requested that begins there or later.
  ///   - speed: Rate at which the loaded media will be played.
  func load(
    from position: MediaTime, to end: MediaTime, for speed: PlaybackRate, at now: Instant,
    on stage: inout Stage
  ) {
    if !opens(at: now, on: &stage) { return }
    if choice.current == nil { chooseFirst(position, speed, at: now, on: &stage) }
    if intake.leftAt != nil { intake.startAnew(from: position, at: now, on: &stage) }
    for index in tracks.indices where !tracks[index].holdsNothing(before: position) {
      tracks.look(index) { intake.follow($0, position, at: now, on: &stage) }
    }
    intake.leftAt = nil
    let joins = intake.isJoiningSound
    isFull = askForPieces(position, end, at: now, on: &stage)
    // Behind a gap the sound may come in another track, which has come as far already.
    if intake.isJoiningSound && !joins {
      isFull = askForPieces(position, end, at: now, on: &stage)
    }
    if intake.countsBytes { intake.release(at: now, on: stage) }
    if live != nil, !isFull, LivePlace(self)?.isAllThereIs(from: position) == true { isFull = true }
  }

  /// Asks for what comes next in each track; true where all have as much as they are going to.
  private func askForPieces(
    _ position: MediaTime, _ end: MediaTime, at now: Instant, on stage: inout Stage
  ) -> Bool {
    if intake.isJoiningSound {
      let isSoundAlone = choice.current.map { choice.lists.isSoundAlone($0) } ?? false
      intake.joinSound(isSoundAlone: isSoundAlone)
    }
    var full = !tracks.isEmpty
    for index in intake.turns(from: position) {
      let wants = tracks.look(index) {
        intake.dropPastEnd($0, end, at: now, on: &stage)
        return pump($0, position, end, at: now, on: &stage)
      }
      if wants { full = false }
    }
    return full
  }

  /// Whether the multivariant playlist is there; asks for it, and for its keys if wanted early.
  private func opens(at now: Instant, on stage: inout Stage) -> Bool {
    if failure != nil || !asset.retry.allows(at: now) { return false }
    // Settings are large: they are handed over where something is missing alone.
    if asset.resources[.master] != .there,
      !asset.has(.master, for: nil, settings, by: intake, at: now, on: &stage)
    {
      return false
    }
    if settings.preloadsKeys {
      asset.requestSessionKeys(settings, by: intake, at: now, on: &stage)
    }
    return true
  }

  /// Opens the stream: all that an asset loads before an item of it is current.
  ///
  /// "With these techniques … master playlist and the content keys downloaded, while we're still on
  /// the title card" (WWDC16 503): variant playlists and segments wait for the item.
  override func loadValues(for subject: Subject, at now: Instant, on stage: inout Stage) {
    self.subject = subject
    _ = opens(at: now, on: &stage)
  }

  private func chooseFirst(
    _ position: MediaTime, _ speed: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    let observed = settings.observedBitRate ?? policy.observedBitRate
    if let known = settings.observedBitRate { policy.running.begin(with: known) }
    guard
      let first = choice.begin(settings, by: judgement.first, observed: observed, at: speed)
    else {
      failure = .noPlayableVariant
      return
    }
    limit()
    // A player asks for the next variant once a segment of the first has come; somebody outside is
    // asked about each segment.
    choice.isDue = if case .named = judgement.next { true } else { false }
    stage.log.note(.variantChosen(first), of: subject, at: now)
    // The tracks of the first variant, each from the segment under the playhead on.
    tracks.list = [.main, .audio, .subtitles].compactMap { kind in
      choice.lists.list(of: kind, for: first.variant).map {
        intake.newTrack(kind, list: $0, under: position)
      }
    }
  }

  /// Whether a track still wants something where its playlist or a retry comes first; else nil.
  @inline(__always) private func awaitsList(
    _ track: StreamTrack, hasAll: Bool, at now: Instant, on stage: inout Stage
  ) -> Bool? {
    if live != nil, track.broken != nil { troubles.dropRetry(of: track) }
    let waits = troubles.isWaiting(track.list, at: now)
    let isThere = asset.resources[.playlist(track.list)] == .there
    // Listed segments are loaded while a failed reload of their playlist waits for its retry.
    if waits, !isThere, track.broken == nil, live?.lists(track.list) == true { return nil }
    // A live playlist that has been read is reloaded while a segment waits for its retry.
    if waits, live == nil || !isThere { return true }
    // One that is there says all that it ever will, unless the stream grows.
    if live == nil, isThere { return nil }
    // Another variant's playlist is of no use any more.
    if hasAll, live == nil, track.fetchID == nil { return false }
    let hasList = asset.hasPlaylist(for: track, live, settings, by: intake, at: now, on: &stage)
    return waits || !hasList ? true : nil
  }

  /// Asks for the next thing that a track needs; true while it still wants something.
  private func pump(
    _ track: StreamTrack, _ position: MediaTime, _ end: MediaTime, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    let list = track.list
    // Perf: mostly a segment is under way, and nothing else is to be asked for.
    if track.fetchID != nil, !track.latest.isComplete, live == nil, troubles.isEmpty,
      asset.resources[.playlist(list)] == .there
    {
      return true
    }
    if let wants = awaitsList(track, hasAll: track.end >= end, at: now, on: &stage) { return wants }
    if track.fetchID != nil {
      // A key that broke is asked for while its segment comes in.
      if track.awaitsKey || !troubles.isEmpty {
        asset.askForKey(of: track, settings, by: intake, at: now, on: &stage)
      }
      return true
    }
    if track.end >= end { return false }
    // A list that is over needs no room.
    if !track.isThrough, !track.hasRoom(self, from: position, at: now) {
      return track.isHeldBySound(self, position)
    }
    if choice.waitsUntil > now { return true }
    // The other track says whether anything is still to come.
    if intake.isJoiningSound, intake.holdsBack(track) { return false }
    let piece = intake.nextPiece(of: track)
    if case .nothing(let isOver) = piece {
      // A list may end before the longest: for the rest the others are enough.
      if isOver { track.buffer.reach(to: min(end, presentation.duration)) }
      return !isOver
    }
    let segment = intake.segments[list][track.wanted]
    // "On seeing this tag AVPlayer will know that this is a temporary failure and may decide to go
    // to a backup alternate or switch down" (WWDC17 514). Without another one the gap is played.
    if segment.isGap {
      if track.kind != .main || !leave(list, .gap, at: now, on: &stage) { intake.passGaps(track) }
      return pump(track, position, end, at: now, on: &stage)
    }
    if segment.key != nil || segment.map != nil,
      !asset.hasWhatIsNeeded(by: segment, of: track, settings, by: intake, at: now, on: &stage)
    {
      return true
    }
    intake.start(
      track, segment, piece.part, of: choice.current ?? 0, sideBySide: rule.sideBySide,
      patience: settings.errors.mediaTimeout, at: now, on: &stage)
    return true
  }

  override func cancelAll(keepingShared keepsShared: Bool, at now: Instant, on stage: inout Stage) {
    // Segments are asked for again, should anybody want more.
    for track in tracks.list where track.fetchID != nil {
      intake.drop(track, at: now, on: &stage)
      track.next = presentation.lists[track.list].next(after: track.end)
    }
    if keepsShared { return }
    intake.requests.bytesTransferred += asset.cancelAll(of: subject, at: now, on: &stage)
  }

  // MARK: The next look

  override func steer(
    _ item: PlayerItem, _ start: HostStart?, at now: Instant, on stage: inout Stage
  ) {
    subject = item.subject
    if troubles.nextTry <= now { troubles.findNextTry(after: now) }
    // A key that another item has fetched lets a segment in, and what comes next is asked for.
    for index in tracks.indices where tracks[index].awaitsKey {
      bringIn(tracks[index], at: now, &stage.log)
    }
    chooseAndLoad(item, at: now, on: &stage)
    if watchSegment(item, at: now, on: &stage) {
      chooseAndLoad(item, at: now, on: &stage)
    }
  }

  private func chooseAndLoad(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    let position = item.time(at: now)
    if choice.isDue, choice.current != nil,
      tracks.isEmpty || tracks[0].nextPart == 0, choice.waitsUntil <= now,
      policy.choice.moment != .request || tracks.areAboutToAsk(self, position, at: now)
    {
      adapt(item, position, at: now, on: &stage)
    }
    load(from: position, to: item.end, for: item.rateOfPlay, at: now, on: &stage)
  }

  /// Reads ahead as far as the limits of its item allow from now on.
  func limit(by item: borrowing ItemSettings) {
    limits = item.limiting(settings.fetchRule(policy.fetch))
  }

  /// Whether they are others for each variant.
  var limitsVary: Bool { limits.leastMedia != nil }

  func limit() { rule = limits.loading(choice.current, of: choice.rungs.ladder) }

  override func loadedEnd(from position: MediaTime, isMoving: Bool, at now: Instant) -> MediaTime {
    if isMoving, policy.sink.freezes > .zero, let main = tracks.list.first {
      return tracks.audibleEnd(
        from: position, freezing: policy.sink.freezes,
        to: policy.sink.seeksAtFreeze ? .distantFuture : main.reach)
    }
    return tracks.loadedEnd(from: position)
  }

  override func wake(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    // Otherwise nothing is due that no event told of.
    if min(watch.due, intake.watchIsDue, intake.nextLook) > now && failure == nil { return }
    if intake.telling.next <= now { intake.tellProgress(at: now, on: stage) }
    _ = watchSegment(item, at: now, on: &stage)
    watchMedia(at: now, on: &stage)
    if failure != nil { releaseVariants(at: now, on: &stage) }
  }

  /// The next deadline of the loader, apart from checks of the segment being downloaded.
  override func nextInstant(
    _ item: PlayerItem, _ start: HostStart?, after now: Instant
  ) -> Instant {
    var next = asset.retry.next(after: now)
    if let reload = live?.nextReload(of: intake), reload > now { next = min(next, reload) }
    if choice.waitsUntil > now { next = min(next, choice.waitsUntil) }
    if intake.telling.next > now { next = min(next, intake.telling.next) }
    if intake.lookahead.due > now { next = min(next, intake.lookahead.due) }
    if !troubles.isEmpty {
      next = min(next, troubles.nextInstant(after: now, hasFailed: failure != nil))
    }
    // The looks of one that sleeps go on while playback waits.
    if item.isMoving || rule.sleeps > .zero {
      next = min(next, tracks.roomComes(self, item, before: item.end, at: now))
    }
    // Mostly something else comes long before.
    return intake.watchIsDue < next ? min(next, tracks.nextWatch(after: now)) : next
  }

  // MARK: As any media

  override var stream: StreamLoader? { self }

  override var parsedAt: Instant? {
    get { asset.parsedAt }
    set { asset.parsedAt = newValue }
  }

  override func knows(_ id: TransferID) -> Bool {
    tracks.first(fetching: id) != nil || asset.resources.resource(by: id) != nil
  }

  override func sharesAsset(with other: MediaLoader?) -> Bool { asset === other?.stream?.asset }

  override var keptCount: Int {
    tracks.list.reduce(intake.arrivals.keptCount + asset.resources.requestCount) {
      $0 + $1.buffer.segments.count + ($1.fetchID == nil ? 0 : 1)
    }
  }

  override var isReady: Bool { tracks.isReady }

  override var isHeld: Bool { isFull }

  /// Whether media is to come beside a full buffer: in another track, or once variants come back.
  var awaitsMedia: Bool {
    tracks.areLoading || failure != nil && !troubles.isOver && troubles.nextRelease < .distantFuture
  }

  override func isLoaded(from position: MediaTime, to end: MediaTime, at now: Instant) -> Bool {
    !tracks.areLoading && tracks.loadedEnd(from: position) >= end
  }

  override func leaves(_ position: MediaTime) { intake.leftAt = position }

  override func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] {
    tracks.loadedRange.map { [$0] } ?? []
  }

  override func mediaBytes(aheadOf position: MediaTime, at now: Instant) -> Int64 {
    tracks.list.reduce(0) { $0 + $1.buffer.bytes(startingAtOrAfter: position) }
  }

  override func received(at now: Instant) -> Int64 {
    intake.requests.bytesTransferred + intake.requests.bytesUnderWay(tracks, asset, at: now)
  }

  override var counts: MediaFigures {
    var figures = MediaFigures()
    figures.requests = intake.requests.count
    figures.variantSwitches = choice.switchCount
    figures.bytesAbandoned = intake.requests.bytesAbandoned
    figures.bytesDiscarded = intake.requests.bytesDiscarded
    figures.playlistBytesSaved = playlistBytesSaved
    return figures
  }

  override func describe(
    _ snapshot: inout Snapshot, _ place: BufferPlace, _ item: PlayerItem, at now: Instant,
    on stage: borrowing Stage
  ) -> Ladder {
    snapshot.buffer = BufferFacts(of: self, policy.facts, place)
    return snapshot.note(self, of: item, at: now, on: stage)
  }

  override var frame: MediaTime {
    policy.sink.frame(comesInPackets: false, named: choice.frame)
  }

  override func bookPlayed(at now: Instant) { intake.logs.bookPlayed(tracks, at: now) }

  override func isLoadingValues(by id: TransferID) -> Bool {
    asset.resources.resource(by: id) != nil
  }

  override var assetChanges: Int64 { asset.resources.changeCount }

  override var retryDue: Instant { asset.retry.due }

  override func constrain(_ change: (inout VariantConstraints) -> Void) {
    var constraints = settings.constraints
    change(&constraints)
    if constraints == settings.constraints { return }
    settings.constraints = constraints
    choice.isDue = true
  }

  // MARK: Link events, and their effect on tracks, playlists and keys

  override func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    switch event {
    case .responded(let id, _):
      intake.responded(id, at: now, on: &stage)
      if judgement.abandon.countsBytes { watch.stop() }
      return awaitsBytes || intake.countsBytes || judgement.abandon.countsBytes
    case .flowChanged:
      intake.tellProgress(at: now, on: stage)
      return intake.telling.isWanted || intake.countsBytes
    case .completed(let id, _): completed(id, at: now, on: &stage)
    case .failed(let id, _, let reason, let bytes):
      failed(id, reason, bytes: bytes, at: now, on: &stage)
    }
    return true
  }

  private func completed(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    if let track = tracks.first(fetching: id) {
      if track.latest.isGone {
        failed(id, .httpStatus(404), bytes: 0, at: now, on: &stage)
      } else {
        segmentArrived(track, at: now, on: &stage)
      }
      return
    }
    let firstByte = asset.resources.firstByte(by: id) ?? now
    guard let resource = asset.resources.came(by: id) else { return }
    intake.arrivals.note(.resource(resource), by: id, at: now)
    let bytes = asset.bytes(of: resource, settings)
    intake.requests.bytesTransferred += bytes
    if case .map = resource { intake.logs.transferred(bytes, from: firstByte, at: now) }
    stage.log.note(.requestCompleted(id, bytes: bytes), of: subject, at: now)
    if case .playlist(let list) = resource {
      troubles.came(list, isSegment: false)
      if let live, live.read(list, by: id, of: self, at: now, on: &stage),
        tracks.list.contains(where: { $0.list == list })
      {
        _ = leave(list, .stalePlaylist, at: now, on: &stage)
      }
    }
    // A key may be what a segment that is there was waiting for.
    for track in tracks.list where track.awaitsKey {
      bringIn(track, at: now, &stage.log)
    }
  }

  // MARK: Segments

  private func segmentArrived(_ track: StreamTrack, at now: Instant, on stage: inout Stage) {
    guard let fetch = track.fetch else { return }
    troubles.came(fetch.list, isSegment: true)
    if live != nil { live?.playlists.listings[fetch.list].hasLost = false }
    intake.arrived(
      track, fetch, declared: choice.rungs[fetch.variant].bandwidth, at: now, on: &stage)
    if choice.isProbing, track.kind == .main {
      intake.endProbe(track, fetch, &choice, judgement.first, estimate, at: now, &stage.log)
      return limit()
    }
    bringIn(track, at: now, &stage.log)
  }

  /// Puts a segment whose bytes are there into the buffer, once its key is there as well.
  func bringIn(_ track: StreamTrack, at now: Instant, _ log: inout PlaybackLog) {
    guard let variant = intake.bringIn(track, at: now) else { return }
    choice.isDue = true
    if let old = choice.came(variant) {
      log.note(.variantSwitched(from: Int32(old), to: Int32(variant)), of: subject, at: now)
    }
  }
}

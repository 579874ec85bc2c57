import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

/// Brings a stream over the link: playlists, keys and segments, each when what it needs is there.
///
/// "Some of these stages are serialized. You can't download things from playlist until you've
/// received the playlist" (WWDC16 503).
final class StreamLoader {
  /// What is loaded once for everybody who plays the stream.
  let asset: StreamAsset
  let presentation: Presentation
  let duration: MediaTime
  let without: BehaviourSet
  let retry: RetryPolicy
  let logs: LogKeeper
  /// Where the item is on a stream that grows; nil for one that is all there.
  let live: LiveTimeline?
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a loader.
  @exclusivity(unchecked) var settings: StreamSettings {
    didSet { choice.adopt(settings, without: without) }
  }
  @exclusivity(unchecked) var choice: VariantChoice
  @exclusivity(unchecked) var tracks = StreamTracks()
  @exclusivity(unchecked) var meter: StreamMeter
  @exclusivity(unchecked) var requests: StreamRequests
  @exclusivity(unchecked) var troubles = StreamTroubles()
  @exclusivity(unchecked) var arrivals = PresentArrivals()
  @exclusivity(unchecked) var rescueWatch = RescueWatch()
  @exclusivity(unchecked) var failure: PlaybackFailure?
  @exclusivity(unchecked) var isFull = false
  /// No media file under way has to be looked at before.
  @exclusivity(unchecked) var watchIsDue = Instant.distantFuture
  /// How many whole segments of the main track came in since the buffer was last empty.
  @exclusivity(unchecked) var segmentsInARow: Int64 = 0
  /// Bytes of playlists that delta updates left out.
  @exclusivity(unchecked) var playlistBytesSaved: Int64 = 0
  /// The request by which the buffer last grew, and when.
  @exclusivity(unchecked) var latestGain: (id: TransferID, instant: Instant)?

  init(
    _ settings: StreamSettings, of asset: StreamAsset, without: BehaviourSet, retry: RetryPolicy,
    host: Int32, owner: Int32
  ) {
    self.settings = settings.without(without)
    self.asset = asset
    self.without = without
    self.retry = retry
    presentation = asset.presentation
    duration = presentation.duration
    logs = LogKeeper(
      .init(uri: presentation.uri, type: .videoOnDemand), duration: presentation.duration)
    live = asset.live.map { LiveTimeline($0) }
    choice = VariantChoice(self.settings, without: without)
    meter = StreamMeter(window: settings.estimatorWindow)
    requests = StreamRequests(owner: owner, host: host)
  }

  /// Takes over what has been decided since the loader was made.
  func adopt(_ new: StreamSettings) {
    settings = new.without(without)
  }

  /// The item that it was last asked for.
  var subject: Subject {
    get { requests.subject }
    set { requests.subject = newValue }
  }

  /// Whether everybody knows where the stream ends.
  var isEndKnown: Bool { live?.playlists.isEnded ?? true }
}

// MARK: - What to ask for

extension StreamLoader {
  /// Asks for everything that may be asked for now.
  ///
  /// - Parameters:
  ///   - end: Where playback ends: nothing is asked for that begins there or later.
  ///   - limit: How much media may lie ahead of the position.
  func load(
    from position: MediaTime, to end: MediaTime, limit: MediaTime, at now: Instant,
    on stage: inout Stage
  ) {
    if failure != nil || !asset.retry.allows(at: now) { return }
    guard hasMaster(at: now, on: &stage) else { return }
    if settings.preloadsKeys { requestSessionKeys(at: now, on: &stage) }
    if choice.current == nil { chooseFirst(position, at: now, on: &stage) }
    follow(position, at: now, on: &stage)
    if tracks.isJoiningSound { joinSound() }
    var full = !tracks.isEmpty
    for index in tracks.indices {
      dropPastEnd(index, end, at: now, on: &stage)
      if pump(index, position, end, limit, at: now, on: &stage) { full = false }
    }
    isFull = full
  }

  /// Fetches the multivariant playlist, and the keys it announces where they are wanted early: what
  /// an asset loads before an item of it is current.
  ///
  /// "With these techniques … master playlist and the content keys downloaded, while we're still on
  /// the title card" (WWDC16 503): variant playlists and segments wait for the item.
  func loadValues(at now: Instant, on stage: inout Stage) {
    if failure != nil || !asset.retry.allows(at: now) || without.contains(.speculativeLoading) {
      return
    }
    guard hasMaster(at: now, on: &stage) else { return }
    if settings.preloadsKeys { requestSessionKeys(at: now, on: &stage) }
  }

  private func chooseFirst(
    _ position: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    guard let first = choice.begin(settings) else {
      failure = .noPlayableVariant
      return
    }
    stage.log.note(.variantChosen(first), of: subject, at: now)
    // What the first variant plays, each track from the segment under the playhead on.
    tracks = StreamTracks(
      [.main, .audio, .subtitles].compactMap { kind in
        choice.lists.list(of: kind, for: first.variant).map { track(kind, list: $0, position) }
      })
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
      if position >= tracks[index].start && position <= reach(of: index) { continue }
      // "Discard the existing buffer and start download from a new location" (WWDC18 502).
      drop(index, at: now, on: &stage)
      let list = presentation.lists[tracks[index].list]
      let next = list.index(at: position) ?? list.segments.count
      tracks[index].next = next
      tracks[index].buffer.restart(
        at: next < list.segments.count ? list.segments[next].start : position)
      if tracks[index].kind == .main { segmentsInARow = 0 }
    }
  }

  /// Gives up the segment under way if it begins where playback ends, or later.
  private func dropPastEnd(
    _ index: Int, _ end: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    guard let start = tracks[index].fetch?.start, start >= end,
      let fetch = tracks[index].fetch
    else { return }
    drop(index, at: now, on: &stage)
    tracks[index].next = fetch.index
    tracks[index].nextPart = fetch.part ?? 0
  }

  /// The end of the segment that comes next into a track.
  private func reach(of index: Int) -> MediaTime {
    if let end = tracks[index].fetch?.end { return end }
    let (list, next) = (tracks[index].list, tracks[index].next)
    return next < presentation.lists[list].segments.count
      ? presentation.lists[list].segments[next].end : tracks[index].end
  }

  /// Asks for the next thing that a track needs; true while it still wants something.
  private func pump(
    _ index: Int, _ position: MediaTime, _ end: MediaTime, _ limit: MediaTime, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    let list = tracks[index].list
    if troubles.isWaiting(list, at: now) { return true }
    let hasAll = tracks[index].end >= end
    if !isListed(list) {
      // Another variant's playlist is of no use any more.
      if hasAll, live == nil, tracks[index].fetchID == nil { return false }
      if !hasPlaylist(list, for: index, at: now, on: &stage) { return true }
    }
    if tracks[index].fetchID != nil {
      if tracks[index].awaitsKey { askAgainForKey(index, at: now, on: &stage) }
      return true
    }
    if hasAll || tracks[index].end - position >= limit { return false }
    if tracks.isJoiningSound, tracks.holdsBack(index) { return true }
    let piece = nextPiece(of: index)
    if case .nothing(let isOver) = piece { return !isOver && !isMistakenForFull(index, position) }
    let segment = presentation.lists[list].segments[tracks[index].next]
    if segment.isGap, avoidsGap(index, at: now, on: &stage) {
      return pump(index, position, end, limit, at: now, on: &stage)
    }
    if !hasWhatIsNeeded(by: segment, of: index, at: now, on: &stage) { return true }
    switch piece {
    case .nothing: break
    case .segment: startSegment(index, segment, at: now, on: &stage)
    case .part(let part): startPart(index, part, at: now, on: &stage)
    }
    return true
  }

  private func nextPiece(of index: Int) -> StreamPiece {
    let list = tracks[index].list
    if let live { return live.playlists.nextPiece(of: tracks[index], in: presentation.lists[list]) }
    let count = presentation.lists[list].segments.count
    return tracks[index].next < count ? .segment : .nothing(isOver: true)
  }

  /// Whether having all that a live playlist lists passes for a full buffer.
  ///
  /// It does not: a buffer that is full suspends reading and ends a wait; a server that has nothing
  /// new yet does neither.
  private func isMistakenForFull(_ index: Int, _ position: MediaTime) -> Bool {
    without.contains(.openLiveEdge) && tracks[index].end > position
  }

  /// Goes on with the main track alone once the sound beside it has come as far.
  private func joinSound() {
    let isSoundAlone = choice.current.map { choice.lists.isSoundAlone($0) } ?? false
    tracks.joinSound(isSoundAlone: isSoundAlone, of: presentation.lists)
  }
}

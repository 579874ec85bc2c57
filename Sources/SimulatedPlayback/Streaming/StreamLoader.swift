import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// Brings a stream over the link: playlists, keys and segments, each when what it needs is there.
///
/// "Some of these stages are serialized. You can't download things from playlist until you've
/// received the playlist" (WWDC16 503).
final class StreamLoader {
  /// The asset, loaded once for all items that play the stream.
  let asset: StreamAsset
  let presentation: Presentation
  let retry: RetryPolicy
  let policy: PlayerPolicy
  let intake: SegmentIntake
  /// The item's position on a live stream; nil for a stream that is all there.
  let live: LiveTimeline?
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a loader.
  @exclusivity(unchecked) var settings: StreamSettings {
    didSet { choice.adopt(settings) }
  }
  @exclusivity(unchecked) var choice: VariantChoice
  @exclusivity(unchecked) var troubles = StreamTroubles()
  /// The policy's memory of its variants.
  @exclusivity(unchecked) var judgement: VariantJudgement
  @exclusivity(unchecked) var watch = SegmentWatch()
  /// The variants as a policy is told of them; nil before it was.
  @exclusivity(unchecked) var ladder: StreamLadder?
  @exclusivity(unchecked) var failure: PlaybackFailure?
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
    self.policy = policy
    presentation = asset.presentation
    live = asset.live.map { LiveTimeline($0) }
    choice = VariantChoice(self.settings)
    judgement = policy.judgement(of: self.settings)
    intake = SegmentIntake(of: asset, policy, StreamRequests(owner: owner, host: host))
  }

  /// Takes over what has been decided since the loader was made.
  func adopt(_ new: StreamSettings) {
    settings = new
    judgement = policy.judgement(of: settings)
  }

  /// The item that it was last asked for.
  var subject: Subject {
    get { intake.requests.subject }
    set { intake.requests.subject = newValue }
  }

  /// For how long nothing of a media file may come; nil for ever.
  var patience: TimeSpan? { settings.errors.mediaTimeout }

  /// Whether everybody knows where the stream ends.
  var isEndKnown: Bool { live?.playlists.isEnded ?? true }
}

// MARK: - Requests to come

extension StreamLoader {
  /// Asks for everything that may be asked for now.
  ///
  /// - Parameters:
  ///   - end: End of playback: nothing is requested that begins there or later.
  ///   - rule: Limit of the media ahead of the position.
  ///   - speed: Rate at which the loaded media will be played.
  func load(
    from position: MediaTime, to end: MediaTime, _ rule: FetchRule, for speed: PlaybackRate,
    at now: Instant, on stage: inout Stage
  ) {
    if failure != nil || !asset.retry.allows(at: now) { return }
    // Settings are large: they are handed over where something is missing alone.
    if asset.resources[.master] != .there,
      !intake.has(.master, for: nil, settings, at: now, on: &stage)
    {
      return
    }
    if settings.preloadsKeys { intake.requestSessionKeys(settings, at: now, on: &stage) }
    if choice.current == nil { chooseFirst(position, speed, at: now, on: &stage) }
    for index in intake.tracks.indices {
      intake.follow(intake.tracks[index], position, at: now, on: &stage)
    }
    intake.leftAt = nil
    let joins = intake.isJoiningSound
    isFull = askForPieces(position, end, rule, at: now, on: &stage)
    // Behind a gap the sound may come in another track, which has come as far already.
    if intake.isJoiningSound && !joins {
      isFull = askForPieces(position, end, rule, at: now, on: &stage)
    }
    if intake.countsBytes { intake.release(at: now, on: stage) }
  }

  /// Asks for what comes next in each track; true where all have as much as they are going to.
  private func askForPieces(
    _ position: MediaTime, _ end: MediaTime, _ rule: FetchRule, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    if intake.isJoiningSound {
      let isSoundAlone = choice.current.map { choice.lists.isSoundAlone($0) } ?? false
      intake.joinSound(isSoundAlone: isSoundAlone)
    }
    var full = !intake.tracks.isEmpty
    for index in intake.turns(from: position) {
      let track = intake.tracks[index]
      intake.dropPastEnd(track, end, at: now, on: &stage)
      if pump(track, position, end, rule, at: now, on: &stage) { full = false }
    }
    return full
  }

  /// Fetches the multivariant playlist, and the keys it announces where they are wanted early: what
  /// an asset loads before an item of it is current.
  ///
  /// "With these techniques … master playlist and the content keys downloaded, while we're still on
  /// the title card" (WWDC16 503): variant playlists and segments wait for the item.
  func loadValues(at now: Instant, on stage: inout Stage) {
    if failure != nil || !asset.retry.allows(at: now) { return }
    guard intake.has(.master, for: nil, settings, at: now, on: &stage) else { return }
    if settings.preloadsKeys { intake.requestSessionKeys(settings, at: now, on: &stage) }
  }

  private func chooseFirst(
    _ position: MediaTime, _ speed: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    let observed = settings.observed ?? policy.observedBitRate
    guard
      let first = choice.begin(settings, by: judgement.first, observed: observed, at: speed)
    else {
      failure = .noPlayableVariant
      return
    }
    stage.log.note(.variantChosen(first), of: subject, at: now)
    // The tracks of the first variant, each from the segment under the playhead on.
    intake.tracks = [.main, .audio, .subtitles].compactMap { kind in
      choice.lists.list(of: kind, for: first.variant).map {
        intake.track(kind, list: $0, under: position)
      }
    }
  }

  /// Asks for the next thing that a track needs; true while it still wants something.
  private func pump(
    _ track: StreamTrack, _ position: MediaTime, _ end: MediaTime, _ rule: FetchRule,
    at now: Instant, on stage: inout Stage
  ) -> Bool {
    let list = track.list
    if troubles.isWaiting(list, at: now) { return true }
    let hasAll = track.end >= end
    // One that is there says all that it ever will, unless the stream grows.
    if live != nil || asset.resources[.playlist(list)] != .there {
      // Another variant's playlist is of no use any more.
      if hasAll, live == nil, track.fetchID == nil { return false }
      if !intake.hasPlaylist(list, for: track, live, settings, at: now, on: &stage) { return true }
    }
    if track.fetchID != nil {
      if track.awaitsKey {
        intake.askForKey(of: track, settings, at: now, on: &stage)
      }
      return true
    }
    if hasAll { return false }
    let main = intake.tracks[0].end
    if !track.hasRoom(rule, main: main, from: position, at: now) { return false }
    if choice.waitsUntil > now { return true }
    if intake.isJoiningSound, intake.holdsBack(track) { return true }
    let piece = intake.nextPiece(of: track)
    if case .nothing(let isOver) = piece { return !isOver }
    let segment = intake.segments[list][track.wanted]
    if segment.isGap, avoidsGap(track, at: now, on: &stage) {
      return pump(track, position, end, rule, at: now, on: &stage)
    }
    let needs = segment.key != nil || segment.map != nil
    if needs, !intake.hasWhatIsNeeded(by: segment, of: track, settings, at: now, on: &stage) {
      return true
    }
    switch piece {
    case .nothing: break
    case .segment:
      intake.start(
        track, segment, of: choice.current ?? 0, sideBySide: rule.sideBySide, patience: patience,
        at: now, on: &stage)
    case .part(let part):
      intake.start(
        track, segment, part, of: choice.current ?? 0, patience: patience, at: now, on: &stage)
    }
    return true
  }

  /// Gives the link back everything that is under way.
  ///
  /// - Parameter keepsShared: Whether another item goes on with what belongs to the asset.
  func cancelAll(keepingShared keepsShared: Bool, at now: Instant, on stage: inout Stage) {
    intake.dropAll(at: now, on: &stage)
    if keepsShared { return }
    intake.requests.bytesTransferred += asset.cancelAll(of: subject, at: now, on: &stage)
  }
}

// Failed requests, and the alternatives that are tried.
//
// "AVPlayer will try its best to continue playback by means of retries and switching to different
// available variants" (WWDC17 514).

/// A failed request.
private struct Breakage {
  /// The lists that cannot be played without it; none for the multivariant playlist.
  var lists: [Int]
  var uri: String
  var bytes: Int64
  var thing: Thing

  /// The resource or segment to ask for again, should it be retried.
  enum Thing {
    case resource(StreamResource)
    case segment(SegmentFetch, of: StreamTrack)
  }
}

extension StreamLoader {
  func failed(
    _ id: TransferID, _ reason: TransferFailure, bytes: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    let slidOut = slidOut(id, reason, at: now)
    let breakage = breakOff(id, bytes, at: now)
    let error = ErrorLogEvent(breakage.uri, reason, at: now)
    if let list = slidOut {
      tell(breakage, of: id, reason, retriedAt: nil, error, at: now, &stage.log)
      live?.playlists.listings[list].hasLost = true
      live?.playlists.listings[list].isDoubtful = true
    } else {
      mend(breakage, of: id, reason, error, at: now, &stage)
    }
  }

  /// The live list of which a segment is not found since it may have left the playlist.
  ///
  /// That is read again before anything else is tried: our assumption.
  private func slidOut(
    _ id: TransferID, _ reason: TransferFailure, at now: Instant
  ) -> Int? {
    guard let live, reason == .httpStatus(404),
      let fetch = intake.tracks.first(fetching: id)?.fetch,
      live.playlists.mayHaveSlidOut(
        fetch.index, of: fetch.list, in: presentation.lists[fetch.list], at: now)
    else { return nil }
    return fetch.list
  }

  private func mend(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, _ error: ErrorLogEvent,
    at now: Instant, _ stage: inout Stage
  ) {
    let remedy = remedy(for: breakage.lists, reason, at: now)
    var retry: Instant?
    if case .retry(let instant) = remedy { retry = instant }
    tell(breakage, of: id, reason, retriedAt: retry, error, at: now, &stage.log)
    switch remedy {
    case .retry:
      switch breakage.thing {
      case .resource(let resource): asset.resources.willRetry(resource, after: id)
      case .segment(let fetch, let track): track.broken = fetch
      }
    case .variant(let other):
      bar(breakage.lists, at: now)
      intake.arrivals.note(.segment(.main), by: id, at: now)
      switchTo(other, .trouble(.requestFailed), at: now, on: &stage)
    case .withoutSubtitles: intake.tracks.removeSubtitles()
    case .nothing:
      if !breakage.lists.isEmpty { bar(breakage.lists, at: now) }
      failure = .mediaUnavailable(reason)
    }
  }

  private func remedy(
    for lists: [Int], _ reason: TransferFailure, at now: Instant
  ) -> StreamRemedy {
    if lists.isEmpty {
      return (reason.isTemporary ? asset.retry.broke(at: now) : nil).map { .retry(at: $0) }
        ?? .nothing
    }
    let areSubtitles =
      intake.tracks.first(of: .subtitles).map { lists.contains($0.list) } ?? false
    return troubles.remedy(
      for: lists, reason, by: retry, of: presentation.lists.count, areSubtitles: areSubtitles,
      at: now
    ) { choice.alternative(to: lists, policy.observedBitRate) }
  }

  private func tell(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, retriedAt retry: Instant?,
    _ error: ErrorLogEvent, at now: Instant, _ log: inout PlaybackLog
  ) {
    log.note(
      .requestFailed(id, reason, bytes: breakage.bytes, retriedAt: retry), of: subject, at: now)
    intake.report(error, at: now, &log)
  }

  /// Makes what was under way missing again, and says what it was.
  private func breakOff(_ id: TransferID, _ bytes: Int64, at now: Instant) -> Breakage {
    if let (track, fetch) = intake.breakOff(id, bytes, at: now) {
      return Breakage(
        lists: [fetch.list], uri: intake.uri(of: fetch), bytes: bytes,
        thing: .segment(fetch, of: track))
    }
    intake.requests.bytesTransferred += bytes
    let resource = asset.resources.broke(by: id) ?? .master
    if case .playlist(let list) = resource { live?.playlists.listings[list].wantsWhole = true }
    return Breakage(
      lists: asset.lists(needing: resource), uri: asset.uri(of: resource), bytes: bytes,
      thing: .resource(resource))
  }
}

// MARK: - Variants that are left alone

extension StreamLoader {
  private func bar(_ lists: [Int], at now: Instant) {
    if troubles.leftVariant == nil, judgement.next == .fixed {
      troubles.leftVariant = choice.current
    }
    troubles.bar(lists, for: settings.errors.recoversAfter, mostBars: retry.attempts, at: now)
    choice.bar(troubles.barred(at: now), settings)
  }

  /// Goes on with another variant where the playlist says that a segment is missing.
  ///
  /// "On seeing this tag AVPlayer will know that this is a temporary failure and may decide to go
  /// to a backup alternate or switch down" (WWDC17 514). Without another one the gap is played.
  func avoidsGap(_ track: StreamTrack, at now: Instant, on stage: inout Stage) -> Bool {
    if track.kind != .main { return false }
    return leave(track.list, .gap, at: now, on: &stage)
  }

  /// Bars a list, of which nothing broke, and goes on with another variant; false where there is
  /// none.
  private func leave(
    _ list: Int, _ trouble: VariantTrouble, at now: Instant, on stage: inout Stage
  ) -> Bool {
    guard let other = choice.alternative(to: [list], policy.observedBitRate) else { return false }
    _ = troubles.strike([list], of: presentation.lists.count)
    bar([list], at: now)
    switchTo(other, .trouble(trouble), at: now, on: &stage)
    return true
  }

  /// Takes variants back that have been left alone for long enough.
  func releaseVariants(at now: Instant, on stage: inout Stage) {
    if troubles.nextRelease > now || troubles.isOver { return }
    troubles.findNextRelease(after: now)
    choice.bar(troubles.barred(at: now), settings)
    failure = nil
    guard let current = choice.current else { return }
    if let left = troubles.leftVariant, choice.rungs.isEligible(left) {
      troubles.leftVariant = nil
      if left != current { switchTo(left, .trouble(.recovered), at: now, on: &stage) }
    } else if !choice.rungs.isEligible(current), let lowest = choice.rungs.eligible.lowest {
      switchTo(lowest, .chosen(.notEligible), at: now, on: &stage)
    }
  }

  /// Gives up a media file under way of which nothing comes, where it is time to look.
  func watchMedia(at now: Instant, on stage: inout Stage) {
    guard let fetch = intake.overdue(after: patience, at: now, on: stage), let patience else {
      return
    }
    let arrived = fetch.arrived(at: now, on: stage)
    stage.link.cancel(fetch.id, at: now)
    let breakage = breakOff(fetch.id, arrived, at: now)
    mend(
      breakage, of: fetch.id, .timedOut,
      .mediaFileNotReceived(breakage.uri, within: patience, at: now), at: now, &stage)
  }
}

// Link events, and their effect on tracks, playlists and keys.

extension StreamLoader {
  /// True where something is there, or gone, that the player has to look at.
  func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
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
    if let track = intake.tracks.first(fetching: id) {
      if track.isFetchGone {
        failed(id, .httpStatus(404), bytes: 0, at: now, on: &stage)
      } else {
        segmentArrived(track, at: now, on: &stage)
      }
      return
    }
    guard let resource = asset.resources.came(by: id) else { return }
    resourceArrived(resource, by: id, at: now, on: &stage)
  }

  private func resourceArrived(
    _ resource: StreamResource, by id: TransferID, at now: Instant, on stage: inout Stage
  ) {
    intake.arrivals.note(.resource(resource), by: id, at: now)
    let bytes = asset.bytes(of: resource, settings)
    intake.requests.bytesTransferred += bytes
    if case .map = resource {
      intake.logs.transferred(bytes, over: stage.link.timings(of: id)?.transfer ?? .zero)
    }
    stage.log.note(.requestCompleted(id, bytes: bytes), of: subject, at: now)
    if case .playlist(let list) = resource {
      troubles.came(list, isSegment: false)
      adoptPlaylist(list, id, at: now, on: &stage)
    }
    // A key may be what a segment that is there was waiting for.
    for track in intake.tracks where track.awaitsKey {
      bringIn(track, by: id, at: now, &stage.log)
    }
  }

  /// Takes note of what a live playlist that just came says, and goes on with another variant where
  /// it says nothing new again and again.
  private func adoptPlaylist(
    _ list: Int, _ id: TransferID, at now: Instant, on stage: inout Stage
  ) {
    guard let playlists = live?.playlists, let coming = playlists.listings[list].coming else {
      return
    }
    guard playlists.knowsWhatIsSkipped(coming, of: list) else {
      playlists.wantsWhole(list)
      asset.resources.discard(.playlist(list))
      stage.log.note(
        .live(.deltaUnusable(id, skipped: Int64(coming.skipped))), of: subject, at: now)
      return
    }
    let reading = playlists.adopt(list, coming, in: presentation.lists[list])
    playlistBytesSaved += reading.saved
    stage.log.note(.live(.playlistRead(id, reading)), of: subject, at: now)
    let unchangedReads = playlists.listings[list].unchangedReads
    if unchangedReads < 2 { return }
    // "Playlist file unchanged for two consecutive reads" (WWDC18 502).
    if unchangedReads == 2 {
      intake.report(.playlistUnchanged(presentation.lists[list].uri, at: now), at: now, &stage.log)
    }
    if intake.tracks.plays(list) { _ = leave(list, .stalePlaylist, at: now, on: &stage) }
  }

  // MARK: Segments

  private func segmentArrived(
    _ track: StreamTrack, at now: Instant, on stage: inout Stage
  ) {
    guard let fetch = track.fetch else { return }
    troubles.came(fetch.list, isSegment: true)
    if live != nil { live?.playlists.listings[fetch.list].hasLost = false }
    intake.arrived(
      track, fetch, declared: choice.rungs[fetch.variant].bandwidth, at: now, on: &stage)
    if choice.isProbing, track.kind == .main {
      endProbe(track, fetch, at: now, &stage.log)
      return
    }
    bringIn(track, by: fetch.id, at: now, &stage.log)
  }

  /// Puts a segment whose bytes are there into the buffer, once its key is there as well.
  func bringIn(
    _ track: StreamTrack, by id: TransferID, at now: Instant, _ log: inout PlaybackLog
  ) {
    guard let variant = intake.bringIn(track, by: id, at: now) else { return }
    choice.isDue = true
    if let old = choice.came(variant) {
      log.note(.variantSwitched(from: Int32(old), to: Int32(variant)), of: subject, at: now)
    }
  }
}

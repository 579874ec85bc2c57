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
  /// What is loaded once for everybody who plays the stream.
  let asset: StreamAsset
  let presentation: Presentation
  let retry: RetryPolicy
  let policy: PlayerPolicy
  let intake: SegmentIntake
  /// Where the item is on a stream that grows; nil for one that is all there.
  let live: LiveTimeline?
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a loader.
  @exclusivity(unchecked) var settings: StreamSettings {
    didSet { choice.adopt(settings) }
  }
  @exclusivity(unchecked) var choice: VariantChoice
  @exclusivity(unchecked) var troubles = StreamTroubles()
  /// What the policy remembers of its variants.
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

// MARK: - What to ask for

extension StreamLoader {
  /// Asks for everything that may be asked for now.
  ///
  /// - Parameters:
  ///   - end: Where playback ends: nothing is asked for that begins there or later.
  ///   - rule: How much media may lie ahead of the position.
  ///   - speed: At which what is loaded will be played.
  func load(
    from position: MediaTime, to end: MediaTime, _ rule: FetchRule, for speed: PlaybackRate,
    at now: Instant, on stage: inout Stage
  ) {
    if failure != nil || !asset.retry.allows(at: now) { return }
    // Settings are large: they are handed over where something is missing alone.
    if asset.resources[.master] != .there, !intake.hasMaster(settings, at: now, on: &stage) {
      return
    }
    if settings.preloadsKeys { intake.requestSessionKeys(settings, at: now, on: &stage) }
    if choice.current == nil { chooseFirst(position, speed, at: now, on: &stage) }
    for index in intake.tracks.indices { intake.follow(index, position, at: now, on: &stage) }
    intake.leftAt = nil
    let joins = intake.isJoiningSound
    isFull = askForPieces(position, end, rule, at: now, on: &stage)
    // Behind a gap the sound may come in another track, which has come as far already.
    if intake.isJoiningSound && !joins {
      isFull = askForPieces(position, end, rule, at: now, on: &stage)
    }
    if intake.tracks.holdsBack { intake.release(at: now, on: stage) }
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
    for index in intake.tracks.indices {
      intake.dropPastEnd(index, end, at: now, on: &stage)
      if pump(index, position, end, rule, at: now, on: &stage) { full = false }
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
    guard intake.hasMaster(settings, at: now, on: &stage) else { return }
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
    // What the first variant plays, each track from the segment under the playhead on.
    intake.tracks = [.main, .audio, .subtitles].compactMap { kind in
      choice.lists.list(of: kind, for: first.variant).map {
        StreamTrack(kind, list: $0, of: presentation, under: position)
      }
    }
  }

  /// Asks for the next thing that a track needs; true while it still wants something.
  private func pump(
    _ index: Int, _ position: MediaTime, _ end: MediaTime, _ rule: FetchRule, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    let list = intake.tracks[index].list
    if troubles.isWaiting(list, at: now) { return true }
    let hasAll = intake.tracks[index].end >= end
    // One that is there says all that it ever will, unless the stream grows.
    if live != nil || asset.resources[.playlist(list)] != .there {
      // Another variant's playlist is of no use any more.
      if hasAll, live == nil, intake.tracks[index].fetchID == nil { return false }
      if !intake.hasPlaylist(list, for: index, live, settings, at: now, on: &stage) { return true }
    }
    if intake.tracks[index].fetchID != nil {
      if intake.tracks[index].awaitsKey {
        intake.askForKey(of: index, settings, at: now, on: &stage)
      }
      return true
    }
    let room = TrackRoom(intake, index, rule)
    if hasAll || !room.isThere(in: &intake.tracks, from: position, at: now) { return false }
    if choice.waitsUntil > now { return true }
    if intake.isJoiningSound, intake.holdsBack(index) { return true }
    let piece = intake.nextPiece(of: index)
    if case .nothing(let isOver) = piece { return !isOver }
    let segment = presentation.lists[list].segments[intake.tracks[index].wanted(from: position)]
    if segment.isGap, avoidsGap(index, at: now, on: &stage) {
      return pump(index, position, end, rule, at: now, on: &stage)
    }
    let needs = segment.key != nil || segment.map != nil
    if needs, !intake.hasWhatIsNeeded(by: segment, of: index, settings, at: now, on: &stage) {
      return true
    }
    switch piece {
    case .nothing: break
    case .segment:
      intake.start(
        index, segment, of: choice.current ?? 0, sideBySide: rule.sideBySide, patience: patience,
        at: now, on: &stage)
    case .part(let part):
      intake.start(index, part, of: choice.current ?? 0, patience: patience, at: now, on: &stage)
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

package import Autowait
public import LinkConditioner
public import StreamingMedia
public import VirtualTime

/// The position of an item on a live stream at an instant, and the position that its playhead
/// should have.
///
/// A value without the stream: what it has to remember from one look to the next is handed in.
package struct LiveFollower: Hashable {
  package var position: MediaTime
  /// Of the timebase.
  package var rate: PlaybackRate
  package var control: TimeControl
  /// The purpose of the wait while the playhead stands.
  package var purpose: WaitPurpose
  /// The seek that has not ended yet.
  package var seekTarget: MediaTime?
  /// The live edge, advanced by the time since its playlist was read; nil before that.
  package var edge: MediaTime?
  /// The end of what is listed; nil before that.
  package var listedEnd: MediaTime?
  /// The end of the contiguous media that begins at the playhead.
  package var loadedEnd: MediaTime
  /// `automaticallyPreservesTimeOffsetFromLive`.
  package var preservesOffset: Bool

  package init(
    at position: MediaTime, rate: PlaybackRate = .zero, _ control: TimeControl = .paused,
    waitingOut purpose: WaitPurpose = .start, seekTarget: MediaTime? = nil, edge: MediaTime? = nil,
    listedEnd: MediaTime? = nil, loadedEnd: MediaTime? = nil, preservesOffset: Bool = false
  ) {
    self.position = position
    self.rate = rate
    self.control = control
    self.purpose = purpose
    self.seekTarget = seekTarget
    self.edge = edge
    self.listedEnd = listedEnd
    self.loadedEnd = loadedEnd ?? position
    self.preservesOffset = preservesOffset
  }

  package enum Outcome: Hashable {
    case stays
    case begins(LiveMove)
    /// It goes on where it would be had it not waited.
    case makesUp(LiveMove)
  }

  /// Looks where the playhead belongs.
  ///
  /// - Parameters:
  ///   - start: Start position, before playback has begun.
  ///   - slid: Position to go on at, if the next segment has slid out of the window.
  package func look(
    start: LiveMove?, slid: LiveMove?, reads: Int64, _ memory: inout LiveMemory, at now: Instant
  ) -> Outcome {
    if let start {
      memory.hasBegun = true
      memory.soughtAt = nil
      return .begins(start)
    }
    note(in: &memory, at: now)
    if control != .playing, let slid { return .begins(slid) }
    // While it waits, every news of the edge says where it would have been.
    guard memory.takeNews(ofReads: reads), isBuffering, let move = restored(from: memory),
      move.time > loadedEnd
    else { return .stays }
    return .makesUp(move)
  }

  // automaticallyPreservesTimeOffsetFromLive: "after buffering", at start, a seek or a stall, "the
  // player will seek forward, if necessary, to restore the playhead's distance from the live edge
  // of the presentation to what it was when buffering began".
  /// The move that restores the playhead's distance from the live edge when buffering began; nil
  /// where it need not or cannot go there.
  package func restored(from memory: LiveMemory) -> LiveMove? {
    guard preservesOffset, let offset = memory.offset, let edge, let listedEnd else { return nil }
    let target = edge - offset
    if target <= position || target >= listedEnd { return nil }
    return LiveMove(target, .preservesOffset)
  }

  /// Notes the playhead's distance to the live edge as buffering begins, and the length of stalls.
  package func note(in memory: inout LiveMemory, at now: Instant, isNew: Bool = false) {
    if !memory.hasBegun { return }
    let begins = isBuffering && !memory.isWaiting
    let seeks = seekTarget != nil && seekTarget != memory.soughtTo
    if begins || seeks || isNew { memory.offset = edge.map { $0 - position } }
    memory.isWaiting = isBuffering
    memory.soughtTo = seekTarget
    if isBuffering && purpose == .resume {
      if memory.stalledSince == nil { memory.stalledSince = now }
    } else if let since = memory.stalledSince {
      memory.stalledSince = nil
      memory.longestStall = max(memory.longestStall, now - since)
    }
  }

  /// The instant at which a playhead faster than the clock reaches the offset from the edge that
  /// the server recommends; nil where it does not.
  ///
  /// Nearer to the end the next segment would be late, each time.
  package func reachesEdge(recommended: MediaTime, at now: Instant) -> Instant? {
    guard Self.isFaster(rate), let edge else { return nil }
    let distance = edge - recommended - position
    if distance <= .zero { return now }
    let faster = PlaybackRate(rate.numerator - rate.denominator, over: rate.denominator)
    return now + faster.span(toPlay: distance)
  }

  /// Whether the playhead comes nearer to the live edge.
  static func isFaster(_ rate: PlaybackRate) -> Bool { rate.numerator > rate.denominator }

  private var isBuffering: Bool { control.isWaiting }

  /// Nil where nothing is live.
  init?(_ playback: borrowing Playback, _ item: PlayerItem, at now: Instant) {
    guard let loader = item.loader.liveStream else { return nil }
    let here = LivePlace(loader)
    let (position, machine) = (item.time(at: now), playback.machine)
    self.init(
      at: position, rate: item.timebase.rate, machine.control, waitingOut: machine.purpose,
      seekTarget: item.pendingSeek, edge: here?.time(at: now), listedEnd: here?.listedEnd,
      loadedEnd: loader.tracks.loadedEnd(from: position),
      preservesOffset: item.settings.live.preservesOffset)
  }

  func reachesEdge(of loader: StreamLoader, at now: Instant) -> Instant? {
    guard Self.isFaster(rate), !loader.isEndKnown, let here = LivePlace(loader) else { return nil }
    return reachesEdge(recommended: here.recommendedOffset, at: now)
  }
}

/// The state that is kept of an item on a live stream from one look to the next.
package struct LiveMemory: Hashable {
  /// Whether the playhead has been put where playback begins.
  package var hasBegun = false
  /// The instant of a seek past the known edge that ends once the playlist is requested and read.
  package var soughtAt: Instant?
  /// Its target; nil for the place where a live stream would begin.
  package var soughtTime: MediaTime?
  /// Whether the player stands and may not use the network for that.
  package var isQuiet = false
  /// The number of playlist reads at the last look at the playhead's position.
  private var seenReads: Int64 = 0
  /// The playhead's distance from the live edge when buffering began.
  package fileprivate(set) var offset: MediaTime?
  /// Whether the player waited when it was last looked at, and since when it has been stalled.
  fileprivate var isWaiting = false
  fileprivate var stalledSince: Instant?
  package fileprivate(set) var longestStall = TimeSpan.zero
  /// The seek whose distance was taken.
  fileprivate var soughtTo: MediaTime?

  package init() {}

  /// Whether a playlist has been read since this was last asked.
  package mutating func takeNews(ofReads count: Int64) -> Bool {
    defer { seenReads = count }
    return seenReads != count
  }
}

/// The position of an item on a live stream: its start, and its distance from the live edge.
///
/// An object, so that a loader whose stream is not live does not carry the room for it about.
final class LiveTimeline {
  let playlists: LivePlaylists
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows a timeline.
  @exclusivity(unchecked) var memory = LiveMemory()

  init(_ playlists: LivePlaylists) { self.playlists = playlists }

  var stream: LiveStream { playlists.stream }

  /// Whether the playhead has been put where playback begins.
  var hasBegun: Bool { memory.hasBegun }

  /// The window of the last version read of a list's playlist; nil before the first.
  func known(_ list: Int) -> LiveWindow? { playlists.listings[list].known }

  /// The list of the variant playlist that was read last; nil before the first.
  func lastRead(among variants: [Variant]) -> Int? {
    variants.map { $0.list }.filter { known($0) != nil }
      .max { playlists.listings[$0].began < playlists.listings[$1].began }
  }

  /// Whether segments can be asked for by the last version read of a list's playlist.
  func lists(_ list: Int) -> Bool {
    hasBegun && memory.soughtAt == nil && known(list) != nil
      && !playlists.listings[list].isDoubtful
  }

  /// Notes what a playlist just received says; true where it has said nothing new again and again.
  func read(
    _ list: Int, by id: TransferID, of loader: StreamLoader, at now: Instant,
    on stage: inout Stage
  ) -> Bool {
    guard let coming = playlists.listings[list].coming else { return false }
    guard playlists.knowsWhatIsSkipped(coming, of: list) else {
      playlists.listings[list].coming = nil
      playlists.listings[list].wantsWhole = true
      loader.asset.resources.discard(.playlist(list))
      stage.log.note(
        .live(.deltaUnusable(id, skipped: Int64(coming.skipped))), of: loader.subject, at: now)
      return false
    }
    let segments = loader.presentation.lists[list]
    let reading = playlists.adopt(list, coming, in: segments)
    loader.playlistBytesSaved += reading.saved
    stage.log.note(.live(.playlistRead(id, reading)), of: loader.subject, at: now)
    let unchangedReads = playlists.listings[list].unchangedReads
    // "Playlist file unchanged for two consecutive reads" (WWDC18 502).
    if unchangedReads == 2 {
      loader.intake.report(.playlistUnchanged(segments.uri, at: now), at: now, &stage.log)
    }
    return unchangedReads >= 2
  }

  func nextReload(of intake: SegmentIntake) -> Instant {
    var next = Instant.distantFuture
    for track in intake.tracks.list where intake.asset.resources[.playlist(track.list)] == .there {
      next = min(next, reloadDue(track.list, of: intake.presentation))
    }
    return next
  }

  /// The instant at which a list's playlist is to be reloaded, if it is in use.
  func reloadDue(_ list: Int, of presentation: Presentation) -> Instant {
    memory.isQuiet ? .distantFuture : playlists.reloadDue(list, of: presentation)
  }
}

/// A move of a live stream's playhead, with its reason.
package struct LiveMove: Hashable {
  package var time: MediaTime
  package var reason: LiveMoveReason

  package init(_ time: MediaTime, _ reason: LiveMoveReason) {
    self.time = time
    self.reason = reason
  }
}

/// The reason for a move of a live stream's playhead.
public enum LiveMoveReason: Hashable, Sendable {
  case begins(LiveStartReason)
  /// The next segment has slid out of the window.
  case windowSlid
  /// `automaticallyPreservesTimeOffsetFromLive`.
  case preservesOffset
}

/// An app's preferences for live playback; without effect on anything else.
public struct LivePreferences: Hashable, Sendable {
  /// `automaticallyPreservesTimeOffsetFromLive`.
  public var preservesOffset: Bool
  /// `configuredTimeOffsetFromLive`; nil leaves it to the server.
  public var configuredOffset: MediaTime?
  /// `canUseNetworkResourcesForLiveStreamingWhilePaused`; nil leaves it to the contract.
  public var usesNetworkWhilePaused: Bool?

  public init(
    preservesOffset: Bool = false, configuredOffset: MediaTime? = nil,
    usesNetworkWhilePaused: Bool? = nil
  ) {
    self.preservesOffset = preservesOffset
    self.configuredOffset = configuredOffset
    self.usesNetworkWhilePaused = usesNetworkWhilePaused
  }
}

/// The positions at which a live stream can be played, by the playlists of video and audio.
///
/// After a change of variant the playlist that was read last is used until the new one is there.
struct LivePlace {
  private let loader: StreamLoader
  private let live: LiveTimeline
  private let list: Int

  /// Nil where nothing is live, and before the main track is known.
  init?(_ loader: StreamLoader) {
    guard let live = loader.live, let list = loader.tracks.mainList else { return nil }
    self.loader = loader
    self.live = live
    self.list =
      live.hasBegun && live.known(list) == nil
      ? live.lastRead(among: loader.presentation.variants) ?? list : list
  }

  private var segments: SegmentList { loader.presentation.lists[list] }

  /// The move to the start of playback, once a playlist says what there is.
  ///
  /// An item that has waited for its turn reads its playlist again before.
  ///
  /// - Parameter isSeek: Whether the app sought there, and did not make the item begin there.
  func start(
    _ preferences: LivePreferences, asked: MediaTime?, isSeek: Bool, at now: Instant
  ) -> LiveMove? {
    // A playlist that has ended is not read again.
    let isRead = live.memory.soughtAt.map {
      live.known(list)?.isEnded == true || live.playlists.listings[list].began >= $0
    }
    guard isRead ?? !live.hasBegun, let known = live.known(list),
      known.isEnded || !live.playlists.isOutdated(list, at: now)
    else { return nil }
    let (first, edge) = (first(in: known), segments.end(of: known))
    if first >= edge { return nil }
    if let asked {
      // A start past the edge, and a seek as at any time, is clamped to the seekable range.
      let most = isSeek || asked >= edge ? seekableRange(in: known).upperBound : asked
      return LiveMove(max(first, min(asked, most)), .begins(.startTime))
    }
    let (time, reason) = live.stream.start(
      in: segments, known, configured: preferences.configuredOffset)
    return LiveMove(max(first, time), .begins(reason))
  }

  /// The position to begin at now, the target of a seek to the edge; nil before playback has begun.
  func edge(_ preferences: LivePreferences) -> MediaTime? {
    guard live.hasBegun, let known = live.known(list) else { return nil }
    let start = live.stream.start(in: segments, known, configured: preferences.configuredOffset)
    return max(first(in: known), start.time)
  }

  /// The first position that the playlists list, as far as that of separate audio is known.
  private func first(in known: LiveWindow) -> MediaTime {
    let first = segments.start(of: known)
    guard let audio = loader.tracks.first(of: .audio)?.list, let heard = live.known(audio)
    else { return first }
    return max(first, loader.presentation.lists[audio].start(of: heard))
  }

  /// The move after the next segment has slid out of the window and the buffer is played out.
  ///
  /// - Parameter waits: Whether the player waits for more than is loaded, which does not come.
  func afterSliding(
    from position: MediaTime, waits: Bool, _ preferences: LivePreferences
  ) -> LiveMove? {
    let end = loader.tracks.loadedEnd(from: position)
    let isPlayable = end > position && end >= position + loader.frame
    if isPlayable, !waits || loader.policy.startsWhenFull { return nil }
    // As if it began anew: what is listed first would slide out next. That is our assumption.
    guard hasSlid(at: end), let time = edge(preferences), time > position,
      let listedEnd, time <= listedEnd
    else { return nil }
    return LiveMove(time, .windowSlid)
  }

  /// Whether media is loaded from a position on to which nothing can be added.
  func isAllThereIs(from position: MediaTime) -> Bool {
    let end = loader.tracks.loadedEnd(from: position)
    return end > position && hasSlid(at: end)
  }

  /// Whether the segment that continues a track loaded to a time is no longer listed.
  private func hasSlid(at end: MediaTime) -> Bool {
    loader.tracks.list.contains { track in
      guard track.kind != .subtitles, track.fetchID == nil, track.end <= end,
        let listed = live.known(track.list)
      else { return false }
      return track.next < listed.segments.lowerBound
    }
  }

  /// The live edge, advanced by the time since its playlist was read.
  func time(at now: Instant) -> MediaTime? {
    guard let known = live.known(list) else { return nil }
    let end = segments.end(of: known)
    if known.isEnded { return end }
    return end + MediaTime(nanoseconds: (now - live.playlists.listings[list].began).nanoseconds)
  }

  /// The live edge by the clock, if the reload is a target duration overdue; nil if it is not.
  func estimatedTime(at now: Instant) -> MediaTime? {
    if live.playlists.isEnded { return nil }
    let overdue = now - live.playlists.reloadDue(list, of: loader.presentation)
    return overdue.nanoseconds > segments.targetDuration.nanoseconds ? time(at: now) : nil
  }

  var listedEnd: MediaTime? { live.known(list).map { segments.end(of: $0) } }

  /// `seekableTimeRanges`: from what is listed first to where the server wants clients to be.
  ///
  /// That it ends there, and not at the last segment listed, is our assumption: whoever seeks to
  /// its end plays live without a stall.
  var seekableRange: Range<MediaTime>? {
    guard live.hasBegun, let known = live.known(list) else { return nil }
    return seekableRange(in: known)
  }

  private func seekableRange(in known: LiveWindow) -> Range<MediaTime> {
    let (first, edge) = (first(in: known), segments.end(of: known))
    return first..<max(first, edge - (known.isEnded ? .zero : recommendedOffset))
  }

  /// The distance from its edge at which the server wants a live stream to be played.
  var recommendedOffset: MediaTime { live.stream.recommendedOffset(in: segments).0 }
}

/// Something that became different because a stream is live.
public enum LiveObservation: Hashable, Sendable {
  case playlistRead(TransferID, LiveReading)
  /// A delta update came that leaves out more than is known.
  case deltaUnusable(TransferID, skipped: Int64)
  /// The playhead was put somewhere.
  case moved(MediaTime, LiveMoveReason)
}

/// The result of reading a live playlist.
public struct LiveReading: Hashable, Sendable {
  /// Whether it says anything that it did not say before.
  package var isChanged: Bool
  /// The number of its first segment.
  package var mediaSequence: Int64
  /// The number of whole segments that it lists, and of the parts after them.
  package var segments: Int64
  package var parts: Int64
  /// The end of the media that it lists.
  package var edge: MediaTime
  package var isEnded: Bool
  package var directives: DeliveryDirectives
  /// The number of segments that a delta update left out, and the bytes that this saved.
  package var skipped: Int64
  package var saved: Int64
}

// §6.2.5
/// The delivery directives of a playlist request, in the query of its URI.
package struct DeliveryDirectives: Hashable, Sendable {
  /// `_HLS_msn` and `_HLS_part`: to hold the answer until this part is there.
  package var mediaSequence: Int64?
  package var part: Int64?
  /// `_HLS_skip`: to leave out what is known.
  package var skips = false

  package var isEmpty: Bool { self == DeliveryDirectives() }

  /// As they are written in a query: in the order of their names (§6.3.2).
  package var text: String {
    var parts: [String] = []
    if let mediaSequence { parts.append("_HLS_msn=\(mediaSequence)") }
    if let part { parts.append("_HLS_part=\(part)") }
    if skips { parts.append("_HLS_skip=YES") }
    return parts.joined(separator: "&")
  }
}

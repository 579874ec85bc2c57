import Autowait
public import PlayerPolicies
import StreamingMedia
public import VirtualTime

/// The settings that an item is made with.
public struct ItemSettings: Hashable, Sendable {
  public var source: MediaSource
  /// The heuristic for starting and resuming this item; nil leaves it to the player's policy.
  public var heuristic: KeepUpHeuristic?
  /// Seconds of media to buffer ahead; zero leaves it to the player.
  public var preferredForwardBufferDuration: MediaTime
  /// The most bytes to hold ahead of the playhead; nil for no cap.
  public var bufferByteCap: Int64?
  /// The end of playback; nil for the duration.
  public var forwardPlaybackEndTime: MediaTime?
  /// The start of playback; nil for the place of EXT-X-START, else the beginning or the live edge.
  public var startTime: MediaTime?
  public var live: LivePreferences
  public var retry: RetryPolicy
  /// The server, and what its file is called: for the rules of faults.
  public var host: Int32
  public var label: String
  /// The asset it is made from; nil for one of its own.
  public var asset: AssetID?
  /// Into the tracks of the file.
  public var disabledTracks: [Int] = []
  /// The languages that are selected among the tracks of a file; nil for its own choice.
  public var selectedAudio: String?
  public var selectedSubtitles: String?
  public var pictures = PictureUse()

  public init(
    source: MediaSource, heuristic: KeepUpHeuristic? = nil,
    preferredForwardBufferDuration: MediaTime = .zero, bufferByteCap: Int64? = nil,
    forwardPlaybackEndTime: MediaTime? = nil, startTime: MediaTime? = nil,
    live: LivePreferences = LivePreferences(), retry: RetryPolicy = .standard, host: Int32 = 0,
    label: String = "", asset: AssetID? = nil
  ) {
    self.source = source
    self.heuristic = heuristic
    self.preferredForwardBufferDuration = preferredForwardBufferDuration
    self.bufferByteCap = bufferByteCap
    self.forwardPlaybackEndTime = forwardPlaybackEndTime
    self.startTime = startTime
    self.live = live
    self.retry = retry
    self.host = host
    self.label = label
    self.asset = asset
  }

  /// The start of playback; of a live stream its playlists say it when they are loaded.
  package var beginning: MediaTime {
    if let startTime { return startTime }
    guard case .stream(let stream) = source, stream.live == nil else { return .zero }
    return stream.presentation.beginning ?? .zero
  }

  /// The end of playback, for media that is complete from the outset.
  package var playedEnd: MediaTime {
    min(source.duration, forwardPlaybackEndTime ?? .distantFuture)
  }
}

/// The state of an item in its life.
public enum ItemStatus: Hashable, Sendable {
  case unknown
  case readyToPlay
  case failed(PlaybackFailure)

  var isFailed: Bool { if case .failed = self { true } else { false } }
}

/// The identity of an asset, from which several items can be made.
public struct AssetID: Hashable, Sendable {
  package let rawValue: Int32
  /// Whether the items of several players can be made from it, and not those of one alone.
  package let isEverybodys: Bool

  package init(rawValue: Int32, isEverybodys: Bool = false) {
    (self.rawValue, self.isEverybodys) = (rawValue, isEverybodys)
  }
}

/// An item that a player plays, or will: its bytes, its playhead, and what is said of its buffer.
///
/// It belongs to the first player that it is given to, and has an identity: two items with the same
/// settings are two.
public final class PlayerItem {
  // Not checked at run time for overlapping accesses, as those of the player are not.
  @exclusivity(unchecked) package var settings: ItemSettings {
    didSet {
      stream?.limit(by: settings)
      logs?.end = settings.playedEnd
    }
  }
  /// The duration of what is all there.
  private let wholeDuration: MediaTime
  @exclusivity(unchecked) package internal(set) var status = ItemStatus.unknown
  /// The item's number in the order in which its player received items; nil before that.
  @exclusivity(unchecked) public internal(set) var number: Int32?
  /// Whether it stands in a queue, or is current.
  package internal(set) var isEnqueued = false
  /// Whether it is one of those that go round, so that passing on to another of them is a loop.
  package var goesRound = false
  /// The index of the player that it belongs to, and what leads to the owner of the loop.
  @exclusivity(unchecked) package internal(set) var owner: Int32?
  package var home: BackReference?
  /// The asset that it was made of.
  package var origin: BackReference?
  @exclusivity(unchecked) var opened: MediaLoader? {
    didSet {
      (stream, isLive) = (opened?.stream, opened?.stream?.live != nil)
      stream?.limit(by: settings)
    }
  }
  @exclusivity(unchecked) private(set) var stream: StreamLoader?
  /// Whether it may still grow.
  @exclusivity(unchecked) private(set) var isLive = false
  @exclusivity(unchecked) var logs: LogKeeper?
  /// The bytes that its media received while the item did not own that media.
  @exclusivity(unchecked) var receivedBefore: Int64 = 0
  /// The media's byte count when the item came or was left; nil while the item owns the media.
  @exclusivity(unchecked) var receivedWhenLeft: Int64?
  /// The player's stall time when the item became current, and the item's own before that.
  @exclusivity(unchecked) var stalledSince = TimeSpan.zero
  @exclusivity(unchecked) var stalled = TimeSpan.zero
  @exclusivity(unchecked) package internal(set) var timebase = Timebase() {
    didSet {
      opened?.bookPlayed(at: timebase.anchor)
      logs?.moves(along: timebase, heldAt: sitsAt)
    }
  }
  @exclusivity(unchecked) var verdict = ReadinessVerdict(false, .nothingLoaded)
  /// The instant at which its start was forecast last, and the start that was foreseen.
  @exclusivity(unchecked) var forecast: (told: Instant, start: Instant)?
  /// The policy's memory of it; nil before it was first judged.
  @exclusivity(unchecked) var judgement: Judgement?
  /// Whether media moved when the policy was last asked, so that it remembers no wait.
  @exclusivity(unchecked) var isJudgedMoving = false
  /// The snapshot that the policy is shown: too large to be made anew for each question.
  @exclusivity(unchecked) var snapshot = Snapshot(
    now: .zero, source: .local, wait: .start, end: .zero)
  @exclusivity(unchecked) var condition = BufferCondition.nothing
  @exclusivity(unchecked) var pendingSeek: MediaTime?
  /// Under an external timeline: the time that is shown until the timebase gets there.
  @exclusivity(unchecked) package var sitsAt: MediaTime?
  /// Whether the timebase moves with nothing under it, as an external timeline may make it.
  @exclusivity(unchecked) var isStarved = false
  /// The instant of the buffer underrun as last predicted; nil where it is not needed.
  @exclusivity(unchecked) var runsDryAt: Instant?
  @exclusivity(unchecked) var isPastEnd = false
  /// The startup time, if it began by a start and not a transition; nil before it moved.
  @exclusivity(unchecked) package internal(set) var startup: TimeSpan?
  /// Whether the app waits for the pipeline to be full.
  @exclusivity(unchecked) var awaitsPreroll = false
  @exclusivity(unchecked) package internal(set) var hasMoved = false
  /// The colour of its pictures as it was last told; nil before it was.
  @exclusivity(unchecked) var notedColour: ColourTriple??
  /// The instant at which the pipeline is full of media from here; nil while it is not filled.
  @exclusivity(unchecked) var filledAt: Instant?
  /// From where the media has been played without a jump.
  @exclusivity(unchecked) var playedFrom: MediaTime

  /// Makes an item, which loads nothing before a player has it.
  public init(_ settings: ItemSettings) {
    self.settings = settings
    wholeDuration = settings.source.duration
    playedFrom = min(settings.beginning, wholeDuration)
    timebase = Timebase(time: playedFrom)
  }

  var hasFailed: Bool { status.isFailed }

  /// The status with the reason for a failure, where AVPlayerItem's is one of three words.
  package var detailedStatus: ItemStatus { status }

  /// The machine's view of the item.
  var shown: CurrentItem {
    CurrentItem(
      condition, hasFailed: hasFailed, hasHadMedia: status != .unknown,
      isDecided: condition.isFull || (hasMoved && condition.permitsPlaying))
  }

  var subject: Subject { Subject(player: owner ?? 0, item: number) }

  var loader: MediaLoader {
    guard let opened else { preconditionFailure("an item of a player has its media open") }
    return opened
  }

  /// Puts the playhead of an item that is not current somewhere.
  package func place(at time: MediaTime, _ now: Instant) {
    let place = min(max(.zero, time), wholeDuration)
    timebase.set(time: place, rate: .zero, at: now)
    playedFrom = place
    isPastEnd = false
    filledAt = nil
  }

  /// Notes that there is something to show or to hear, once.
  func noteReady(at now: Instant, on stage: inout Stage) {
    guard status == .unknown, loader.isReady else { return }
    if loadedEnd(at: now) <= time(at: now) { return }
    status = .readyToPlay
    logs?.ready(at: time(at: now), now)
    stage.log.note(.itemReady, of: subject, at: now)
  }

  /// Knows what the buffer of an item holds before it is current, and says nothing of it.
  func lookAtBuffer(at now: Instant) {
    let position = time(at: now)
    let loadedEnd = loadedEnd(at: now)
    condition = BufferCondition(
      isEmpty: loadedEnd <= position, isFull: loader.isHeld || loadedEnd >= end,
      isLikelyToKeepUp: false)
  }

  /// `distantFuture` while nobody has said where a live stream ends.
  package var mediaDuration: MediaTime {
    isLive && !loader.isEndKnown ? .distantFuture : wholeDuration
  }

  var end: MediaTime {
    let duration = mediaDuration
    guard let end = settings.forwardPlaybackEndTime else { return duration }
    return min(duration, end)
  }

  /// The current time, as the app reads it.
  package func time(at now: Instant) -> MediaTime {
    let time = timebase.time(at: now)
    if let sitsAt { return max(sitsAt, time) }
    return isPastEnd ? time : min(time, max(end, timebase.anchorTime))
  }

  /// The position of a playhead that stops here: in a stream no later than the end of the segments
  /// that it was in a nanosecond ago.
  func stop(at now: Instant) -> MediaTime {
    let place = time(at: now)
    if loader.stream == nil || isStarved || now <= timebase.anchor { return place }
    if timebase.instant(reaching: end) <= now { return place }
    let before = time(at: now - TimeSpan(nanoseconds: 1))
    return min(place, max(before, loader.loadedEnd(from: before, isMoving: true, at: now)))
  }

  /// The instant at which the timebase gets to the time that is shown; nil while they are one.
  var holdEnds: Instant? { sitsAt.map { timebase.instant(reaching: $0) } }

  /// Whether the end became known behind the timebase, or time is held at the end or beyond it.
  func isBeyondEnd(at now: Instant) -> Bool {
    if let sitsAt, sitsAt >= end { return true }
    return isMoving && timebase.instant(reaching: end) < now
  }

  /// The instant at which a playhead beyond the end comes to the end of what is loaded.
  func usesUp(after now: Instant) -> Instant {
    guard let opened else { return .distantFuture }
    let edge = timebase.instant(reaching: BufferPlace(of: self, opened, at: now).loadedEnd)
    return edge > now ? edge : .distantFuture
  }

  /// The position to load from: that of a start awaiting its first byte, else the playhead's.
  func place(of start: HostStart?, at now: Instant) -> MediaTime { start?.time ?? time(at: now) }

  var isMoving: Bool { !timebase.rate.isZero }

  /// The rate at which the playhead moves, or will where it stands.
  var rateOfPlay: PlaybackRate { isMoving ? timebase.rate : snapshot.rate }

  func loadedEnd(at now: Instant) -> MediaTime { loader.loadedEnd(from: time(at: now), at: now) }

  /// The first instant at which the playhead has nothing under it.
  ///
  /// - Parameter place: Of a playhead that has something under it.
  func runsDry(_ loader: MediaLoader, _ place: BufferPlace, after now: Instant) -> Instant {
    // Segments come in whole: until the next one does, the edge stands still.
    loader.file.map { projection(of: $0, at: now).runsDry() } ?? runsDry(place)
  }

  /// The first instant at which a stall rule may decide otherwise: it reckons without the bytes to
  /// come, which may keep the buffer at its level for long.
  func lookAgain(after verdict: StallVerdict, _ loader: MediaLoader, at now: Instant) -> Instant {
    let reserve = loader.policy.stallRule.reserve(isSilent: snapshot.buffer.isSilent)
    guard verdict.clause == .aboveReserve, reserve > .zero, let file = loader.file else {
      return verdict.changesAt
    }
    let falls = projection(of: file, at: now, ahead: reserve).runsDry()
    return max(verdict.changesAt, min(falls, timebase.instant(reaching: end - reserve)))
  }

  /// The next stop of a playhead that plays a stream: the end, or that of what is loaded.
  func nextStop(_ place: BufferPlace) -> Instant {
    let driesAt = runsDry(place)
    runsDryAt = driesAt
    return min(timebase.instant(reaching: end), driesAt)
  }

  /// The same of a playhead under which nothing more comes in.
  private func runsDry(_ place: BufferPlace) -> Instant {
    place.loadedEnd >= end ? .distantFuture : timebase.instant(reaching: place.loadedEnd)
  }

  /// The first instant at which a playhead that ran ahead of its media has something under it.
  func isCaughtUp(after now: Instant) -> Instant {
    if let sitsAt, timebase.time(at: now) < sitsAt {
      return instant(loading: sitsAt + MediaTime(nanoseconds: 1), after: now)
    }
    return loader.file.map { projection(of: $0, at: now).isCaughtUp() } ?? .distantFuture
  }

  /// The projection of a playhead, or of a mark ahead of it.
  private func projection(
    of file: FileLoader, at now: Instant, ahead: MediaTime = .zero
  ) -> PlayheadProjection {
    let position = isStarved ? timebase.anchorTime : time(at: now)
    let mark = Timebase(at: timebase.anchor, time: timebase.anchorTime + ahead, rate: timebase.rate)
    return PlayheadProjection(
      timebase: mark, now: now, loadedEnd: file.loadedEnd(from: position, at: now),
      end: end, arrival: file.arrival, demand: file.demand, lastByte: file.lastByte)
  }

  // The readable state of an item at an instant, under the names that AVPlayerItem uses. An item
  // that has had no player yet has nothing to read.

  /// Whether playback would likely reach the end without a stall.
  public var isPlaybackLikelyToKeepUp: Bool { condition.isLikelyToKeepUp }

  /// Whether the buffer holds as much as it is going to.
  public var isPlaybackBufferFull: Bool { condition.isFull }

  /// Whether playback will stall, or end.
  public var isPlaybackBufferEmpty: Bool { condition.isEmpty }

  /// Nil while nobody has said where a live stream ends.
  package var knownDuration: MediaTime? { opened?.isEndKnown == false ? nil : mediaDuration }

  package func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] {
    opened?.loadedTimeRanges(at: now) ?? []
  }

  /// The line along which bytes of a file arrive; nil while none do.
  package var arrival: ByteFlow? { opened?.file?.arrival }

  package func instant(loading time: MediaTime, after now: Instant) -> Instant {
    guard let opened else { return .distantFuture }
    return loadedEnd(at: now) >= time ? now : opened.instant(loading: time, after: now)
  }

  /// The predicted instant at which the forward buffer reaches that length.
  package func instant(leading media: MediaTime, after now: Instant) -> Instant {
    guard let opened else { return .distantFuture }
    if loadedEnd(at: now) - time(at: now) >= media { return now }
    return opened.instant(leading: media, self, after: now)
  }

  /// The predicted instant at which the playhead reaches a position.
  package func instant(reaching time: MediaTime, after now: Instant) -> Instant {
    if self.time(at: now) >= time { return now }
    if timebase.rate.isZero { return .distantFuture }
    return max(now, timebase.instant(reaching: time))
  }

  /// The facts from which every later position follows while they stay as they are.
  package func course() -> PlayheadCourse {
    PlayheadCourse(
      item: ObjectIdentifier(self), timebase: timebase, sitsAt: sitsAt, end: end,
      isPastEnd: isPastEnd)
  }

  /// Whether media comes in along a line, and not in whole segments.
  package var comesAlongLine: Bool { opened?.isFile ?? false }

  /// Whether the timebase moves without regard to what is loaded: on an external timeline that ran
  /// ahead of its media, or past the end.
  package var isFreeOfMedia: Bool { isStarved || isPastEnd }

  /// Whether nothing is left to play.
  package var isAtEnd: Bool { condition.isAtEnd }

  // MARK: Variants

  /// The next segment's variant, in playlist order; nil before the first choice.
  package var variant: Int? { stream?.choice.current }

  /// The variant that plays; nil for a file, and where nothing is loaded under the playhead.
  package func playingVariant(at now: Instant) -> Int? {
    stream?.tracks.list.first?.buffer.variant(at: time(at: now))
  }

  func playsOtherVariant(after now: Instant) -> Instant {
    if timebase.rate.isZero { return .distantFuture }
    guard let end = stream?.tracks.list.first?.buffer.variantEnd(after: time(at: now)) else {
      return .distantFuture
    }
    return timebase.instant(reaching: end)
  }

  // AVPlayerItemAccessLogEvent.indicatedBitrate: what the playlist advertises.
  /// The bit rate that the playlist declares for the variant, in bit/s.
  package var indicatedBitRate: Int64? {
    guard let stream = stream, let variant else { return nil }
    return stream.presentation.variants[variant].attributes.bandwidth
  }

  /// The throughput as the segments that came in show it, in bit/s.
  package var observedBitRate: Int64? { stream?.policy.observedBitRate }

  /// The mean bit rate of the stream's media played, in bit/s; nil before any, and for a file.
  package func averageBitRate(at now: Instant) -> Int64? {
    stream?.intake.averageBitRate(at: now)
  }

  package func bytesAhead(at now: Instant) -> Int64 {
    loader.mediaBytes(aheadOf: time(at: now), at: now)
  }

  /// The playhead's latency behind the encoder, zero past what there is; nil where nothing is live.
  package func timeOffsetFromLive(at now: Instant) -> MediaTime? {
    guard let live = stream?.live, live.hasBegun else { return nil }
    return max(.zero, min(live.stream.produced(at: now), settings.source.duration) - time(at: now))
  }

  // recommendedTimeOffsetFromLive: "based on observed network conditions". That these are the
  // longest stall so far is our assumption.
  /// The server's recommendation, with the longest stall on top; nil where nothing is live.
  package var recommendedOffset: MediaTime? {
    guard let loader = stream, let live = loader.live,
      let offset = LivePlace(loader)?.recommendedOffset
    else { return nil }
    return offset + MediaTime(nanoseconds: live.memory.longestStall.nanoseconds)
  }

  /// The ranges that a seek may go to.
  public var seekableTimeRanges: [Range<MediaTime>] {
    guard let loader = opened?.liveStream else {
      return status == .unknown ? [] : [.zero..<mediaDuration]
    }
    guard let range = LivePlace(loader)?.seekableRange, !range.isEmpty else { return [] }
    return [range]
  }

  /// Whether a time lies outside what can be sought: a seek to it is cancelled.
  package func cancelsSeek(to time: MediaTime) -> Bool {
    guard let loader = loader.liveStream else { return time > mediaDuration }
    return LivePlace(loader)?.seekableRange.map { time < $0.lowerBound } ?? false
  }

  /// Says that its timebase stops, before it is left.
  func noteStopped(at now: Instant, on stage: inout Stage) {
    if timebase.rate.isZero { return }
    stage.log.note(.timebase(.zero, from: timebase.anchorTime), of: subject, at: now)
  }

  /// Media from the last anchor up to a position that lies in gaps of picture and of sound, or
  /// behind the ends of their playlists.
  func missing(upTo position: MediaTime) -> (video: MediaTime, audio: MediaTime) {
    var missing = (video: MediaTime.zero, audio: MediaTime.zero)
    guard let stream else { return missing }
    let (tracks, anchorTime) = (stream.tracks, timebase.anchorTime)
    for track in tracks.list where track.kind != .subtitles {
      var gap = MediaTime.zero
      for one in track.buffer.gaps {
        gap = gap + max(.zero, min(one.upperBound, position) - max(one.lowerBound, anchorTime))
      }
      if track.isThrough {
        let ended = stream.presentation.lists[track.list].duration
        gap = gap + max(.zero, min(end, position) - max(ended, anchorTime))
      }
      if track.kind == .main { missing.video = gap }
      if track.kind == .audio || tracks.first(of: .audio) == nil { missing.audio = gap }
    }
    return missing
  }

  /// Says that nothing holds any more of what was said of it.
  func noteGone(at now: Instant, on stage: inout Stage) {
    if !condition.isEmpty { stage.log.note(.bufferEmpty(true), of: subject, at: now) }
    if condition.isFull { stage.log.note(.bufferFull(false), of: subject, at: now) }
    if !condition.isLikelyToKeepUp { return }
    stage.log.note(
      .likelyToKeepUp(false, .nothingLoaded, loadedEnd: timebase.anchorTime, estimate: nil),
      of: subject, at: now)
  }

  /// Tells an app that waits for a preroll that it is over.
  func finishPreroll(_ finished: Bool, at now: Instant, on stage: inout Stage) {
    if !awaitsPreroll { return }
    awaitsPreroll = false
    stage.log.note(.prerolled(finished: finished), of: subject, at: now)
  }
}

/// The facts from which every later position of a playhead follows.
package struct PlayheadCourse: Equatable {
  let item: ObjectIdentifier
  let timebase: Timebase
  let sitsAt: MediaTime?
  let end: MediaTime
  let isPastEnd: Bool
}

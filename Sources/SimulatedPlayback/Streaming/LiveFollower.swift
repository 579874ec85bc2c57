package import Autowait
import StreamingMedia
package import VirtualTime

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

  /// The result of a look.
  package enum Outcome: Hashable {
    case stays
    /// The playhead begins, or begins anew.
    case begins(LiveMove)
    /// It goes on where it would be had it not waited.
    case makesUp(LiveMove)
  }

  /// Looks where the playhead belongs.
  ///
  /// - Parameters:
  ///   - start: Start position, before playback has begun.
  ///   - slid: Position to go on at, if the next segment has slid out of the window.
  ///   - reads: Number of times that a playlist has been read.
  package func look(
    start: LiveMove?, slid: LiveMove?, reads: Int64, _ memory: inout LiveMemory, at now: Instant
  ) -> Outcome {
    if let start {
      memory.hasBegun = true
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

  /// Notes how far from the live edge the playhead is when buffering begins, and how long stalls
  /// last.
  package func note(in memory: inout LiveMemory, at now: Instant, isNew: Bool = false) {
    if !memory.hasBegun { return }
    memory.note(
      isBuffering: isBuffering, isStalled: isBuffering && purpose == .resume,
      seekTarget: seekTarget, isNew: isNew, offset: edge.map { $0 - position }, at: now)
  }

  /// The instant at which a playhead faster than the clock reaches the offset from the edge that
  /// the server recommends; nil where it does not.
  ///
  /// Nearer to the end the next segment would be late, each time.
  ///
  /// - Parameter recommended: Distance from the live edge that the server recommends.
  package func reachesEdge(recommended: MediaTime, at now: Instant) -> Instant? {
    guard isFaster, let edge else { return nil }
    let distance = edge - recommended - position
    if distance <= .zero { return now }
    let faster = PlaybackRate(rate.numerator - rate.denominator, over: rate.denominator)
    return now + faster.span(toPlay: distance)
  }

  /// Whether the playhead comes nearer to the live edge.
  var isFaster: Bool { Self.isFaster(rate) }

  static func isFaster(_ rate: PlaybackRate) -> Bool { rate.numerator > rate.denominator }

  private var isBuffering: Bool { control.isWaiting }
}

/// The state that is kept of an item on a live stream from one look to the next.
package struct LiveMemory: Hashable {
  /// Whether the playhead has been put where playback begins.
  package var hasBegun = false
  /// Whether the player stands and may not use the network for that.
  package var isQuiet = false
  /// The number of playlist reads at the last look at the playhead's position.
  private var seenReads: Int64 = 0
  /// The playhead's distance from the live edge when buffering began.
  package private(set) var offset: MediaTime?
  /// Whether the player waited when it was last looked at, and since when it has been stalled.
  private var isWaiting = false
  private var stalledSince: Instant?
  package private(set) var longestStall = TimeSpan.zero
  /// The seek whose distance was taken.
  private var soughtTo: MediaTime?

  package init() {}

  /// Whether a playlist has been read since this was last asked.
  package mutating func takeNews(ofReads count: Int64) -> Bool {
    defer { seenReads = count }
    return seenReads != count
  }

  /// Notes how far from the live edge the playhead is when buffering begins, and how long stalls
  /// last.
  package mutating func note(
    isBuffering: Bool, isStalled: Bool, seekTarget: MediaTime?, isNew: Bool, offset: MediaTime?,
    at now: Instant
  ) {
    let begins = isBuffering && !isWaiting
    let seeks = seekTarget != nil && seekTarget != soughtTo
    if begins || seeks || isNew { self.offset = offset }
    isWaiting = isBuffering
    soughtTo = seekTarget
    if isStalled {
      if stalledSince == nil { stalledSince = now }
    } else if let since = stalledSince {
      stalledSince = nil
      longestStall = max(longestStall, now - since)
    }
  }
}

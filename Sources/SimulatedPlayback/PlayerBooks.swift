package import Autowait
public import PlayerPolicies
public import VirtualTime

/// The accounts of one player's time.
///
/// Startup and stalls are never booked together: startup runs from the app's first request to play
/// until the timebase first moves, a stall from running dry until it moves again, seek waiting from
/// a seek out of the buffer until it moves. Time paused by the user belongs to none of them.
public struct PlayerBooks: Hashable, Sendable {
  /// Playback that ran dry before the end, until media moved or something else was waited for.
  public struct Stall: Hashable, Sendable {
    public var start: Instant
    /// Nil while it goes on. A pause ends it, unless the app asks for motion before the buffer
    /// recovers: then the same stall goes on.
    public package(set) var end: Instant?
    /// Stalled time booked to it, without the time that the user paused.
    public package(set) var length = TimeSpan.zero
    /// Media time of the playhead.
    public var place: MediaTime
    public var clause: StallClause

    package init(start: Instant, place: MediaTime, clause: StallClause) {
      self.start = start
      self.place = place
      self.clause = clause
    }
  }

  /// The time waited while the status was paused.
  public struct PausedFor: Hashable, Sendable {
    public package(set) var startup = TimeSpan.zero
    public package(set) var stalled = TimeSpan.zero
    public package(set) var seeking = TimeSpan.zero

    fileprivate mutating func close(_ purpose: WaitPurpose?, _ span: TimeSpan) {
      switch purpose {
      case .start: startup += span
      case .resume: stalled += span
      case .seek: seeking += span
      case .goOn, nil: break
      }
    }
  }

  public package(set) var paused = TimeSpan.zero
  public package(set) var waiting = TimeSpan.zero
  public package(set) var played = TimeSpan.zero
  public package(set) var startup = TimeSpan.zero
  /// The spans that the first startup is made of: more than one where the user paused it.
  package var startupSpans: [Range<Instant>] = []
  /// The starts of later items, together, and how often one of all has come to move.
  public package(set) var laterStartups = TimeSpan.zero
  public package(set) var startupCount: Int64 = 0
  /// That of the item that starts, or started last.
  public private(set) var itemStartup = TimeSpan.zero
  /// Paused time that also counts as startup, stall or seek waiting (automatic waiting off).
  public package(set) var pausedFor = PausedFor()
  public package(set) var stalled = TimeSpan.zero
  public package(set) var seekWaiting = TimeSpan.zero
  /// Time in which the player was to play and its pipeline was not ready, after the first motion.
  ///
  /// Part of `waiting`, and neither a stall nor seek waiting.
  package var pipeline = TimeSpan.zero
  public package(set) var stallCount: Int64 = 0
  /// The first stalls, of which a run of any length keeps no more than some thousands.
  public package(set) var stalls: [Stall] = []
  /// Whether the last of the stalls that are kept goes on.
  private var isStallOpen = false
  /// The number of times media moved again after an end: of another item, or of the same.
  public package(set) var transitionCount: Int64 = 0
  /// From the ends until then, together.
  public package(set) var totalGap = TimeSpan.zero
  /// The number of loops among these times.
  public package(set) var loopCount: Int64 = 0
  /// Media played without video, and without audio: that track had ended, or was in a gap.
  public package(set) var emptyVideo = MediaTime.zero
  public package(set) var silentAudio = MediaTime.zero
  /// Whether the timebase has ever moved.
  package private(set) var hasStarted = false
  package var firstRequest: Instant?
  /// The instant of the user's first request to play; nil where it is that of the app's.
  package private(set) var firstTap: Instant?
  /// Whether the last item that was to be played failed.
  var endedInFailure = false
  /// Media that passed under the playhead.
  package private(set) var mediaAdvanced = MediaTime.zero
  /// The sum of all jumps of the playhead.
  package private(set) var mediaJumped = MediaTime.zero
  /// The media due by the rate over the time played, and the most that rounding may add to it.
  private var mediaDue = MediaTime.zero
  private var roundingSlack: Int64 = 0
  /// The final positions of items that left, less the start positions of these and the current.
  private var mediaOfOthers = MediaTime.zero
  private(set) var bookedUntil: Instant
  /// Whether nothing of the item has moved whose start is waited for.
  private(set) var isStarting = true

  package init(at now: Instant) { bookedUntil = now }

  /// From the first request to play until the timebase first moved; nil if it never did.
  public var startupDelay: TimeSpan? { hasStarted ? startup : nil }

  // "Look for delays in your code, before AVFoundation is called" (WWDC16 503).
  /// The same from the user's tap on, the app's own delay included.
  public var tapToMotion: TimeSpan? {
    guard let startupDelay, let firstRequest else { return nil }
    return startupDelay + (firstRequest - (firstTap ?? firstRequest))
  }

  /// Whether every nanosecond of the run is booked exactly once.
  package func balances(at now: Instant, since start: Instant) -> Bool {
    paused + waiting + played == now - start
  }

  /// Whether media advanced is the sum of timebase rate × time, and with jumps gives the playhead.
  ///
  /// Each booking rounds to a nanosecond of media, and what falls due between two is done at the
  /// later one: that much may be missing, no more. Past the ends of the clock nothing adds up.
  package func mediaBalances(_ timebase: Timebase, at now: Instant) -> Bool {
    if !isWithinClock(timebase.time(at: now)) || !isWithinClock(mediaJumped) { return true }
    let advanced = mediaAdvanced + (timebase.time(at: now) - timebase.anchorTime)
    let stands = mediaOfOthers + timebase.anchorTime == mediaAdvanced + mediaJumped
    return stands && abs((advanced - mediaDue).nanoseconds) <= roundingSlack
  }

  private func isWithinClock(_ time: MediaTime) -> Bool {
    abs(time.nanoseconds / 4) < Int64.max / 16
  }

  /// Books the time since the last entry under the state that held in it.
  ///
  /// - Parameter purpose: The purpose of the wait while the playhead stood still; nil for none.
  package mutating func close(
    _ control: TimeControl, waitingOut purpose: WaitPurpose?, _ timebaseRate: PlaybackRate,
    at now: Instant
  ) {
    if now == bookedUntil { return }
    let span = now - bookedUntil
    assert(span >= .zero, "time is booked once")
    assert(timebaseRate.isZero || control == .playing, "media moves only while playing")
    assert(!isStallOpen || stalls.last.map { $0.end == nil } ?? false, "an open stall has no end")
    bookedUntil = now
    if isStallOpen || purpose == .resume { bookStall(span, isWaitedOut: purpose == .resume) }
    if !timebaseRate.isZero {
      mediaDue = mediaDue + timebaseRate.media(in: span)
      roundingSlack += 2 + timebaseRate.roundedDown
    }
    switch control {
    case .paused:
      paused += span
      pausedFor.close(purpose, span)
    case .waiting, .awaitingMedia: waiting += span
    case .playing:
      // Time spent on pipeline work alone is not played time.
      if timebaseRate.isZero {
        waiting += span
        if isStarting { bookStart(span) } else { pipeline += span }
      } else {
        played += span
      }
      return
    }
    switch purpose {
    case .start: bookStart(span)
    case .resume: stalled += span
    case .seek: seekWaiting += span
    case .goOn, nil: break
    }
  }

  private mutating func bookStart(_ span: TimeSpan) {
    itemStartup += span
    if hasStarted {
      laterStartups += span
      return
    }
    startup += span
    let start = bookedUntil - span
    if let last = startupSpans.last, last.upperBound == start {
      startupSpans[startupSpans.count - 1] = last.lowerBound..<bookedUntil
    } else {
      startupSpans.append(start..<bookedUntil)
    }
  }

  package mutating func appAsked(at now: Instant) {
    if firstRequest == nil { firstRequest = now }
  }

  mutating func userTapped(at now: Instant) {
    if firstTap == nil && firstRequest == nil { firstTap = now }
  }

  package mutating func ranDry(_ place: MediaTime, _ clause: StallClause, at now: Instant) {
    endStall(at: now)
    stallCount += 1
    if stalls.count == Self.mostStalls { return }
    stalls.append(Stall(start: now, place: place, clause: clause))
    isStallOpen = true
  }

  package static let mostStalls = 4_096

  /// Adds to the last stall, which goes on or ended when the span began.
  private mutating func bookStall(_ span: TimeSpan, isWaitedOut: Bool) {
    if !isWaitedOut { return endStall(at: bookedUntil - span) }
    if stallCount != stalls.count || stalls.isEmpty { return }
    stalls[stalls.count - 1].length += span
    stalls[stalls.count - 1].end = nil
    isStallOpen = true
  }

  private mutating func endStall(at now: Instant) {
    if isStallOpen { stalls[stalls.count - 1].end = now }
    isStallOpen = false
  }

  /// Another item starts, and none that follows one before it.
  mutating func itemBegins() {
    isStarting = true
    if hasStarted { itemStartup = .zero }
  }

  package mutating func moved(at now: Instant) {
    endStall(at: now)
    if isStarting { startupCount += 1 }
    isStarting = false
    hasStarted = true
    endedInFailure = false
  }

  /// An item came, whose playhead stands here.
  package mutating func placed(at time: MediaTime) { mediaOfOthers = mediaOfOthers - time }

  /// The item left with its playhead here.
  package mutating func left(at time: MediaTime) { mediaOfOthers = mediaOfOthers + time }

  package mutating func advanced(
    by media: MediaTime, missing: (video: MediaTime, audio: MediaTime) = (.zero, .zero)
  ) {
    mediaAdvanced = mediaAdvanced + media
    emptyVideo = emptyVideo + missing.video
    silentAudio = silentAudio + missing.audio
  }

  package mutating func jumped(by media: MediaTime) { mediaJumped = mediaJumped + media }
}

import Autowait
import StreamingMedia
import VirtualTime

/// What a player makes of where its item is on a live stream: where the playhead belongs.
///
/// What it has to remember from one look to the next is in the item's timeline.
struct LiveFollower {
  let item: PlayerItem
  let loader: StreamLoader
  let timeline: LiveTimeline
  let machine: AutowaitMachine
  let settings: PlayerSettings

  /// Nil where nothing is live.
  init?(_ playback: borrowing Playback, _ item: PlayerItem) {
    guard let loader = item.loader.live, let timeline = loader.live else { return nil }
    self.item = item
    self.loader = loader
    self.timeline = timeline
    machine = playback.machine
    settings = playback.settings
  }

  /// What a look comes to.
  enum Outcome {
    case stays
    /// The playhead begins, or begins anew.
    case begins(LiveMove)
    /// It goes on where it would be had it not waited.
    case makesUp(LiveMove)
  }

  /// Tells the loader whether it may keep up with a stream while the player stands.
  func quietenWhilePaused() {
    let mayUse =
      item.settings.live.usesNetworkWhilePaused ?? settings.contract.usesNetworkWhilePaused
    timeline.isQuiet =
      machine.control == .paused && !mayUse && !settings.without.contains(.quietPause)
  }

  /// Looks where the playhead belongs.
  func look(at now: Instant) -> Outcome {
    let preferences = item.settings.live
    let here = LivePlace(loader)
    if let start = here?.start(preferences, asked: item.settings.startTime, at: now) {
      timeline.hasBegun = true
      return .begins(start)
    }
    noteBuffering(at: now)
    let position = item.time(at: now)
    if machine.control != .playing,
      let place = here?.afterSliding(from: position, preferences)
    {
      return .begins(place)
    }
    // While it waits, every news of the edge says where it would have been.
    guard timeline.takeNews(), isBuffering, let move = restored(at: now),
      move.time > loader.intake.tracks.loadedEnd(from: position)
    else { return .stays }
    return .makesUp(move)
  }

  // automaticallyPreservesTimeOffsetFromLive: "after buffering", at start, a seek or a stall, "the
  // player will seek forward, if necessary, to restore the playhead's distance from the live edge
  // of the presentation to what it was when buffering began".
  /// Where the playhead has the distance from the live edge that it had when buffering began; nil
  /// where it need not or cannot go there.
  func restored(at now: Instant) -> LiveMove? {
    guard item.settings.live.preservesOffset, !settings.without.contains(.offsetPreservation),
      let offset = timeline.offset, let here = LivePlace(loader), let edge = here.time(at: now),
      let listed = here.listedEnd
    else { return nil }
    let target = edge - offset
    if target <= item.time(at: now) || target >= listed { return nil }
    return LiveMove(target, .preservesOffset)
  }

  /// Notes how far from the live edge the playhead is when buffering begins, and how long stalls
  /// last.
  func noteBuffering(at now: Instant, isNew: Bool = false) {
    if !timeline.hasBegun { return }
    let position = item.time(at: now)
    timeline.note(
      isBuffering: isBuffering, isStalled: isBuffering && machine.purpose == .resume,
      seekTarget: item.pendingSeek, isNew: isNew,
      offset: LivePlace(loader)?.time(at: now).map { $0 - position }, at: now)
  }

  /// When a playhead that is faster than the clock comes to where the server wants clients to be;
  /// nil where it does not.
  ///
  /// Nearer to the end the next segment would be late, each time.
  func reachesEdge(at now: Instant) -> Instant? {
    let rate = item.timebase.rate
    guard rate.numerator > rate.denominator, !loader.isEndKnown, let here = LivePlace(loader),
      let edge = here.time(at: now)
    else { return nil }
    let distance = edge - here.recommendedOffset - item.time(at: now)
    if distance <= .zero { return now }
    let faster = PlaybackRate(rate.numerator - rate.denominator, over: rate.denominator)
    return now + faster.span(toPlay: distance)
  }

  private var isBuffering: Bool { machine.control.isWaiting }
}

package import VirtualTime

/// What stands between media and what is seen and heard: it shows whole frames.
///
/// Playback needs a frame to begin, and a frame that is on the screen stays there for its length.
package struct SinkDescription: Hashable, Sendable {
  /// How long a frame is where the media does not say.
  package var frame: MediaTime
  /// The same of what comes in packets, where it is longer: bytes that flow are played as they
  /// come, so that a run over them can be worked out with a pencil.
  package var frameOfPackets: MediaTime
  /// What must be ahead to begin; a frame at least.
  package var leastToStart: MediaTime
  /// What must be ahead to go on after a stall; a frame at least.
  package var leastToResume: MediaTime
  /// How long a player that plays what comes in packets must judge that it keeps up again before
  /// the app sees it. That it does not, the app sees at once.
  package var holds: TimeSpan
  /// Whether a prediction that came true stands until the next stall or seek, as the ready state
  /// of a media element does.
  package var predictsOnce: Bool
  /// How long the first picture takes from when playback may begin: the page, the decoders and
  /// the output are set up. Media goes on coming in.
  package var warmUp: TimeSpan
  /// How long the page, the decoders and the output are set up beside the loading, from when an
  /// item comes: nothing is shown before, however fast the link.
  package var setUp: TimeSpan
  /// How long sound goes on under a picture that stands still, where the two come apart and only
  /// the picture is missing.
  package var freezes: MediaTime

  package init(
    frame: MediaTime = .zero, frameOfPackets: MediaTime = assumedFrame,
    leastToStart: MediaTime = .zero, leastToResume: MediaTime = .zero, holds: TimeSpan = .zero,
    predictsOnce: Bool = false, warmUp: TimeSpan = .zero, setUp: TimeSpan = .zero,
    freezes: MediaTime = .zero
  ) {
    self.predictsOnce = predictsOnce
    self.freezes = freezes
    self.warmUp = warmUp
    self.setUp = setUp
    self.frame = frame
    self.frameOfPackets = frameOfPackets
    self.leastToStart = leastToStart
    self.leastToResume = leastToResume
    self.holds = holds
  }

  /// How long a frame is where nobody says it: as 25 of them are shown in a second, which lies
  /// between the rates of films and of television. An assumption of ours.
  package static let assumedFrame = MediaTime.milliseconds(40)

  /// Shows whatever there is, down to a nanosecond.
  package static let ideal = SinkDescription(frameOfPackets: .zero)

  /// How long a frame is of what comes in, in packets or not, as far as frames are known here.
  package func frame(comesInPackets: Bool, named: MediaTime?) -> MediaTime {
    let frame = comesInPackets ? max(frame, frameOfPackets) : frame
    return frame > .zero ? named ?? frame : .zero
  }

  /// The least media that a wait can end with.
  package func least(toLeave wait: Wait, frame: MediaTime? = nil) -> MediaTime {
    let frame = frame ?? self.frame
    switch wait {
    case .start, .seek: return max(frame, leastToStart)
    case .stall: return max(frame, leastToResume)
    case .nothing: return .zero
    }
  }

  /// What the policy says, held back until there is something to show.
  ///
  /// - Parameter inFrames: Whether it goes on after a stall with whole frames, even where the sink
  ///   knows none.
  func limiting(
    _ verdict: ReadinessVerdict, _ snapshot: Snapshot, inFrames: Bool = false
  ) -> ReadinessVerdict {
    if !verdict.answer || snapshot.wait == .nothing { return verdict }
    var frame = frame(comesInPackets: snapshot.comesInPackets, named: snapshot.frame)
    if inFrames, snapshot.wait == .stall, frame == .zero { frame = Self.assumedFrame }
    let least = least(toLeave: snapshot.wait, frame: frame)
    if least == .zero { return verdict }
    let mark = min(snapshot.playhead + least, snapshot.end)
    if snapshot.loadedEnd < mark {
      return ReadinessVerdict(
        false, .noFrame, changesAt: snapshot.arrival(ofMediaBefore: mark))
    }
    if snapshot.wait == .stall {
      let shown = snapshot.waitBegan + snapshot.rate.span(toPlay: frame)
      if snapshot.now < shown { return ReadinessVerdict(false, .frameShown, changesAt: shown) }
    }
    return verdict
  }
}

/// What the app sees of a verdict that keeps changing.
package struct HeldVerdict: Hashable, Sendable {
  /// What the app sees.
  package private(set) var shown: ReadinessVerdict
  /// Since when the policy has judged otherwise; nil while it agrees.
  private var disagreesSince: Instant?

  package init(_ verdict: ReadinessVerdict = ReadinessVerdict(false, .nothingLoaded)) {
    shown = verdict
  }

  /// Takes what the policy says now, and shows it once it has held for long enough.
  ///
  /// - Parameter holds: How long; nothing is held back from a player that waits.
  package mutating func settle(_ verdict: ReadinessVerdict, holds: TimeSpan, at now: Instant) {
    if verdict.answer == shown.answer || !verdict.answer || holds <= .zero {
      disagreesSince = nil
      shown = verdict
      return
    }
    let since = disagreesSince ?? now
    disagreesSince = since
    if now >= since + holds {
      disagreesSince = nil
      shown = verdict
    } else {
      shown.changesAt = min(verdict.changesAt, since + holds)
    }
  }
}

package import VirtualTime

/// The output stage between the loaded media and screen and speaker: it shows whole frames.
///
/// Playback needs a frame to begin, and a frame that is on the screen stays there for its length.
package struct SinkDescription: Hashable, Sendable {
  /// The length of a frame where the media does not declare it.
  package var frame = MediaTime.zero
  /// The same of what comes in packets, where it is longer: bytes that flow are played as they
  /// come, so that a run over them can be worked out with a pencil.
  package var frameOfPackets = assumedFrame
  /// The least media ahead for a start; a frame at least.
  package var leastToStart = MediaTime.zero
  /// The least media ahead for resuming after a stall; a frame at least.
  package var leastToResume = MediaTime.zero
  /// The time for which a playing player, over packets, must again predict that it keeps up before
  /// the app sees it. The app sees the opposite prediction at once.
  package var holds = TimeSpan.zero
  /// Whether a prediction that came true stands until the next stall or seek, as the ready state
  /// of a media element does.
  package var predictsOnce = false
  /// The time from permission to start until the first frame is shown: the page, the decoders and
  /// the output are set up, while loading continues.
  package var warmUp = TimeSpan.zero
  /// The time from the arrival of an item that the page, the decoders and the output take to set up
  /// beside the loading: no frame is shown before, however fast the link.
  package var setUp = TimeSpan.zero
  /// The time for which audio continues over a frozen frame, where audio and video run separately
  /// and only video is missing.
  package var freezes = MediaTime.zero
  /// Whether a seek out of loaded audio or video drops all loaded media and every request, and a
  /// stall of video alone is answered with such a seek to the present position.
  package var seeksAtFreeze = false

  /// The distance by which the playhead may pass a segment under way before that is given up.
  package var keepsFrozen: MediaTime { seeksAtFreeze ? freezes : .zero }

  /// The length of a frame where it is not declared: 25 frames per second, which lies between the
  /// rates of films and of television. An assumption of ours.
  package static let assumedFrame = MediaTime.milliseconds(40)

  /// Shows whatever there is, down to a nanosecond.
  package static let ideal = SinkDescription(frameOfPackets: .zero)

  /// The length of a frame, over packets or in fluid, as far as frames are known here.
  package func frame(comesInPackets: Bool, named: MediaTime?) -> MediaTime {
    let frame = comesInPackets ? max(frame, frameOfPackets) : frame
    return frame > .zero ? named ?? frame : .zero
  }

  package func least(toLeave wait: Wait, frame: MediaTime? = nil) -> MediaTime {
    let frame = frame ?? self.frame
    switch wait {
    case .start, .seek: return max(frame, leastToStart)
    case .stall: return max(frame, leastToResume)
    case .nothing: return .zero
    }
  }

  /// The verdict of the policy, held back until there is a frame to show.
  ///
  /// - Parameter inFrames: Whether it resumes with whole frames, even where the sink knows none.
  func limiting(
    _ verdict: ReadinessVerdict, _ snapshot: Snapshot, inFrames: Bool
  ) -> ReadinessVerdict {
    if !verdict.answer || snapshot.wait == .nothing { return verdict }
    var frame = frame(comesInPackets: snapshot.comesInPackets, named: snapshot.frame)
    if inFrames, snapshot.wait == .stall, frame == .zero { frame = Self.assumedFrame }
    let least = least(toLeave: snapshot.wait, frame: frame)
    if least == .zero { return verdict }
    let mark = min(snapshot.playhead + least, snapshot.end)
    if snapshot.loadedEnd < mark { return snapshot.refusal(.noFrame, until: mark) }
    if snapshot.wait == .stall {
      let shown = snapshot.waitBegan + snapshot.rate.span(toPlay: frame)
      if snapshot.now < shown { return ReadinessVerdict(false, .frameShown, changesAt: shown) }
    }
    return verdict
  }
}

/// The verdict that the app sees while the policy's own keeps changing.
package struct HeldVerdict: Hashable, Sendable {
  package private(set) var shown = ReadinessVerdict(false, .nothingLoaded)
  /// Since when the policy has judged otherwise; nil while it agrees.
  private var disagreesSince: Instant?

  package init() {}

  /// Takes what the policy says now, and shows it once it has held for long enough.
  ///
  /// - Parameter holds: Delay of a verdict; nothing is held back from a player that waits.
  package mutating func settle(_ verdict: ReadinessVerdict, holds: TimeSpan, at now: Instant) {
    let since = disagreesSince ?? now
    if verdict.answer == shown.answer || !verdict.answer || now >= since + holds {
      disagreesSince = nil
      shown = verdict
    } else {
      disagreesSince = since
      shown.changesAt = min(verdict.changesAt, since + holds)
    }
  }
}

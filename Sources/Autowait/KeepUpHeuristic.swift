public import VirtualTime

/// A rule that says whether playback is likely to keep up.
///
/// Each rule is a value with its parameters; what it concludes depends on the observation alone.
public enum KeepUpHeuristic: Hashable, Sendable {
  /// Start when the end can be reached without a stall.
  case playThrough(safety: SafetyFactor)
  /// Start and resume when that much media is ahead of the playhead, or all that is left.
  case thresholds(start: MediaTime, resume: MediaTime)
  /// Start when everything to the end is loaded.
  case everythingLoaded
  /// Start with the first byte; after a stall, resume with `leastResumption`.
  case immediate

  /// What even an impatient player has ahead of it when it goes on after a stall.
  ///
  /// Our assumption: with less, a link slower than the media would mean a stall for every byte.
  public static let leastResumption = MediaTime.milliseconds(250)

  /// The rule that stands where nobody chose one.
  public static let standard = KeepUpHeuristic.playThrough(safety: .none)

  public func verdict(on observation: KeepUpObservation) -> KeepUpVerdict {
    if observation.isEverythingLoaded { return KeepUpVerdict(true, .everythingLoaded) }
    switch self {
    case .playThrough(let safety):
      if let stream = observation.stream {
        return SegmentRule(safety: safety).verdict(on: observation, stream)
      }
      return PlayThrough(safety: safety).verdict(on: observation)
    case .thresholds(let start, let resume):
      return threshold(start: start, resume: resume, observation)
    case .everythingLoaded:
      let complete = observation.arrival(ofMediaBefore: observation.end)
      return KeepUpVerdict(false, .notEverythingLoaded, changesAt: complete)
    case .immediate:
      if observation.purpose == .resume {
        return threshold(start: .zero, resume: Self.leastResumption, observation)
      }
      if observation.ahead > .zero { return KeepUpVerdict(true, .anythingLoaded) }
      return KeepUpVerdict(false, .nothingLoaded, changesAt: observation.firstByte)
    }
  }

  private func threshold(
    start: MediaTime, resume: MediaTime, _ observation: KeepUpObservation
  ) -> KeepUpVerdict {
    let wanted: MediaTime
    switch observation.purpose {
    case .start: wanted = start
    case .resume: wanted = resume
    case .keepPlaying:
      // A threshold player goes on until it is dry; the marks are for leaving a wait.
      if observation.ahead > .zero { return KeepUpVerdict(true, .stillPlaying) }
      wanted = resume
    }
    // However low the mark, something must be there, and no mark lies beyond the end.
    let mark = min(
      observation.playhead + max(wanted, MediaTime(nanoseconds: 1)), observation.end)
    if observation.loadedEnd >= mark { return KeepUpVerdict(true, .thresholdReached) }
    return KeepUpVerdict(
      false, .belowThreshold, changesAt: observation.arrival(ofMediaBefore: mark))
  }
}

/// How many times the needed throughput the play-through rule asks for: an exact ratio, at least 1.
///
/// The factor is our assumption; Apple publishes none, and 1 reproduces the talk's screens.
public struct SafetyFactor: Hashable, Sendable {
  public let numerator: Int64
  public let denominator: Int64

  /// - Precondition: the ratio is at least 1 and the denominator positive.
  public init(_ numerator: Int64, over denominator: Int64 = 1) {
    precondition(denominator > 0 && numerator >= denominator, "a safety factor is at least 1")
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Exactly what is needed.
  public static let none = SafetyFactor(1)
}

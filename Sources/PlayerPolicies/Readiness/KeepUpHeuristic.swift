public import VirtualTime

/// A rule that says whether playback is likely to keep up, in its short form.
///
/// It fills the seats for starting and for resuming at once.
public enum KeepUpHeuristic: Hashable, Sendable {
  /// Start when the end can be reached without a stall.
  case playThrough(safety: SafetyFactor)
  /// Start and resume when that much media is ahead of the playhead, or all that is left.
  case thresholds(start: MediaTime, resume: MediaTime)
  /// Start when everything to the end is loaded.
  case everythingLoaded
  /// Start with the first byte; after a stall, resume with `leastResumption`.
  case immediate

  /// The least media ahead with which even an impatient player resumes after a stall.
  ///
  /// Our assumption: with less, a link slower than the media would mean a stall for every byte.
  package static let leastResumption = MediaTime.milliseconds(250)

  /// The rule that stands where nobody chose one.
  public static let standard = KeepUpHeuristic.playThrough(safety: .none)

  package var start: ReadinessRule {
    switch self {
    case .playThrough(let safety): .playThrough(PlayThrough(safety: safety, margin: .standard))
    case .thresholds(let start, _): .level(.media(start))
    case .everythingLoaded: .everythingLoaded
    case .immediate: .level(.anything)
    }
  }

  package var resume: ReadinessRule {
    switch self {
    case .playThrough, .everythingLoaded: start
    case .thresholds(_, let resume): .level(.media(resume))
    case .immediate: .level(.media(Self.leastResumption))
    }
  }
}

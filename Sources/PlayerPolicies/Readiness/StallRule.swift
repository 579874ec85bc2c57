package import VirtualTime

/// The condition on which a playing player declares a stall, and stops.
package enum StallRule: Hashable, Sendable {
  /// Nothing is left under the playhead: nothing else can be told from a freeze.
  case whenDry
  /// Less than that is left, although it could still be played, and more is to come.
  ///
  /// A player that polls looks at it at intervals from the beginning of the run. Of media without
  /// sound less may have to be left.
  case below(MediaTime, every: TimeSpan = .zero, silent: MediaTime? = nil)
  /// The same, unless all the rest is believed to come before it is due: by the prediction that
  /// the rule for resuming asks, where it asks one.
  case belowUnlessPlayThrough(MediaTime)
  /// Less than that is left, with the received part of the segment under way, which cannot be
  /// played before all of it is there.
  ///
  /// With more of it the player goes on until the buffer is empty.
  case belowWithArriving(MediaTime)
  case named(String)

  /// The interval between looks with little left while play-through is predicted: our assumption.
  static let looksAgain = TimeSpan.milliseconds(100)

  /// The media that is never played before a stall; what is due then is due that much earlier.
  package func reserve(isSilent: Bool = false) -> MediaTime {
    switch self {
    // The part that is arriving may be all that there is.
    case .whenDry, .named, .belowWithArriving: .zero
    case .below(let mark, _, let silent): isSilent ? silent ?? mark : mark
    case .belowUnlessPlayThrough(let mark): mark
    }
  }

  var goesByThroughput: Bool {
    switch self {
    case .whenDry, .below, .belowWithArriving: false
    case .belowUnlessPlayThrough, .named: true
    }
  }

  /// The verdict on beginning or resuming, held back where the player would stall again at once.
  func keeping(_ verdict: ReadinessVerdict, _ snapshot: borrowing Snapshot) -> ReadinessVerdict {
    // Whether a stall is declared hangs on what is believed, by which no start is held back.
    if case .belowUnlessPlayThrough = self, snapshot.wait != .stall { return verdict }
    if snapshot.wait == .nothing || snapshot.ahead >= reserve() { return verdict }
    return snapshot.refusal(
      .belowThreshold, until: min(snapshot.playhead + reserve(), snapshot.end))
  }

  /// Whether a stall is declared, if there is something under the playhead.
  func verdict(_ snapshot: Snapshot) -> StallVerdict {
    switch self {
    case .whenDry, .named: return StallVerdict(false, .notDry)
    case .below(_, let period, _):
      if snapshot.isEverythingLoaded { return StallVerdict(false, .everythingLoaded) }
      // The earliest instant with less than the mark left, if no more media arrives.
      let left = snapshot.ahead - reserve(isSilent: snapshot.buffer.isSilent)
      let playing = snapshot.rate.span(toPlay: left + MediaTime(nanoseconds: 1))
      let look = (left < .zero ? snapshot.now : snapshot.now + playing).rounded(upTo: period)
      if look <= snapshot.now { return StallVerdict(true, .belowReserve) }
      return StallVerdict(false, .aboveReserve, changesAt: look)
    case .belowUnlessPlayThrough(let mark):
      return StallRule.below(mark).verdict(snapshot)
    case .belowWithArriving(let mark):
      return StallRule.below(mark).verdict(snapshot.withArriving)
    }
  }
}

/// The clause of a stall rule that decided.
public enum StallClause: String, Hashable, Sendable, CaseIterable {
  /// Nothing is left under the playhead.
  case dry
  /// Something is left under the playhead.
  case notDry
  case everythingLoaded
  case aboveReserve
  case belowReserve
  /// Little is left, and all the rest is believed to come in time.
  case everyByteInTime
  case decidedOutside
}

/// Whether a player says that it has stalled.
public typealias StallVerdict = Verdict<Bool, StallClause>

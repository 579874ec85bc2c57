import VirtualTime

/// The estimators and decision rules of a player, a choice for each seat.
///
/// Players mix them: one player's estimator, another's start, the browser's sink below both.
public struct PolicyDescription: Hashable, Sendable {
  package var sink = SinkDescription()
  package var start: ReadinessRule
  package var resume: ReadinessRule
  package var exits = ReadinessExits.everyPlayer
  package var stall = StallRule.whenDry
  package var estimator: EstimatorSeat
  package var firstVariant = FirstVariantRule.firstListed
  package var nextVariant = NextVariantRule.fixed
  package var abandon = AbandonRule.never
  package var fetch = FetchSeat()
  package var choice = ChoiceCustoms()
  /// The words of the command that answers for the seats which a name fills, where that is no
  /// policy in Swift; whoever runs the player starts it, nobody here.
  package var command: [String] = []
}

extension PolicyDescription {
  /// A policy that reads files and streams as far ahead; segments know no refilling.
  package init(
    sink: SinkDescription = SinkDescription(), start: ReadinessRule, resume: ReadinessRule,
    exits: ReadinessExits = .everyPlayer, stall: StallRule = .whenDry,
    estimator: EstimatorSeat, firstVariant: FirstVariantRule = .firstListed,
    nextVariant: NextVariantRule = .fixed, abandon: AbandonRule = .never, fetch: FetchRule,
    choice: ChoiceCustoms = ChoiceCustoms()
  ) {
    var ofStreams = fetch
    ofStreams.refillPercent = FetchRule.unlimited.refillPercent
    self.init(
      sink: sink, start: start, resume: resume, exits: exits, stall: stall, estimator: estimator,
      firstVariant: firstVariant, nextVariant: nextVariant, abandon: abandon,
      fetch: FetchSeat(ofFiles: fetch, ofStreams: ofStreams), choice: choice)
  }

  /// The facts of a buffer that its rules read beside the media ahead.
  package var facts: WantedFacts {
    var facts = start.facts.joined(with: resume.facts)
    if case .named = stall { facts = .all }
    if case .belowWithArriving = stall { facts.arriving = true }
    return facts
  }

  /// Whether one of its rules may use the throughput estimate of a source. Where none does, the
  /// bytes of a request are not reported before it ends.
  func goesByThroughput(of source: SourceKind) -> Bool {
    if start.goesByThroughput || resume.goesByThroughput || stall.goesByThroughput { return true }
    if source != .segmented { return false }
    return firstVariant.goesByThroughput || nextVariant != .fixed || abandon != .never
  }
}

/// Buffer facts that rules read beside the media ahead: those that none reads are not computed.
package struct WantedFacts: Hashable, Sendable {
  package var bytes = false
  /// The forward buffers of audio and of video, each by itself.
  package var tracks = false
  package var limits = false
  /// The received part of the segment under way, as media.
  package var arriving = false
  /// The live edge of a stream, and the distance from it at which the server wants playback.
  package var live = false

  package static let none = WantedFacts()
  package static let all = WantedFacts(
    bytes: true, tracks: true, limits: true, arriving: true, live: true)

  func joined(with other: WantedFacts) -> WantedFacts {
    WantedFacts(
      bytes: bytes || other.bytes, tracks: tracks || other.tracks, limits: limits || other.limits,
      arriving: arriving || other.arriving, live: live || other.live)
  }
}

extension ReadinessRule {
  var facts: WantedFacts {
    var facts = WantedFacts.none
    if case .level(let level) = self { facts = level.facts }
    if case .escalating(let level) = self {
      for mark in level.marks { facts = facts.joined(with: mark.facts) }
    }
    // A rule that is asked by name may look at everything.
    if case .named = self { facts = .all }
    for part in parts { facts = facts.joined(with: part.facts) }
    return facts
  }
}

/// The circumstances in which a player chooses the next variant, whatever its rule.
package struct ChoiceCustoms: Hashable, Sendable {
  /// The moment at which the variant of the next segment is chosen.
  package enum Moment: String, Hashable, Sendable, CaseIterable {
    /// As soon as the segment before it is there.
    case arrival
    /// At the request for the segment: a full buffer is waited out first.
    case request
  }

  /// The sizes assumed for future segments.
  package enum Sizes: String, Hashable, Sendable, CaseIterable {
    /// The declared bit rate times the duration.
    case declared
    /// Actual sizes, with which rules of the literature were defined and which no player knows.
    case exact
  }

  /// The loaded segment, not due soon, fetched again if its variant is below the chosen one.
  package enum Again: String, Hashable, Sendable, CaseIterable {
    case never
    /// The one that plays first.
    case soonest
    /// The one that plays last.
    case latest

    /// A segment that begins with less ahead than so many halves of its length is left as it is: it
    /// would be played before it could come again.
    private static let leastHalves: Int64 = 3

    /// The segment that is fetched again for a rung; nil where none is.
    func segment(below chosen: Int, _ question: VariantQuestion) -> Int? {
      let rungs = question.ladder.rungs
      let isLower = { (ahead: RungAhead) in
        let length = question.ladder.duration(of: ahead.segment).nanoseconds
        return rungs[ahead.rung].bandwidth < rungs[chosen].bandwidth
          && ahead.ahead.nanoseconds * 2 >= length * Self.leastHalves
      }
      switch self {
      case .never: return nil
      case .soonest: return question.buffered.first(where: isLower)?.segment
      case .latest: return question.buffered.last(where: isLower)?.segment
      }
    }
  }

  package var moment = Moment.arrival
  package var sizes = Sizes.declared
  package var again = Again.never

  package static let usual = ChoiceCustoms()
}

extension VariantChoice {
  /// The rung that the next segment is taken from; nil where something else comes first.
  func rung(from question: VariantQuestion) -> Int? {
    switch self {
    case .stay: question.current
    case .take(let rung): rung
    case .replace, .again, .wait: nil
    }
  }
}

package struct EstimatorSeat: Hashable, Sendable {
  package var ofFiles: EstimatorDescription
  package var ofStreams: EstimatorDescription
}

extension EstimatorSeat {
  package init(_ both: EstimatorDescription) {
    self.init(ofFiles: both, ofStreams: both)
  }
}

/// A place in a policy that is filled by a choice.
public enum PolicySeat: String, Hashable, Sendable, CaseIterable {
  case sink
  case start
  case resume
  case stall
  case estimator
  case firstVariant
  case nextVariant
  case abandon
  case fetch
}

/// The conditions that end a wait, whatever the rule says: without them short files, capped buffers
/// and the last seconds would never play.
package struct ReadinessExits: Hashable, Sendable {
  /// The buffer holds as much as it is going to.
  package var whenFull: Bool
  /// Nothing is being loaded.
  package var whenIdle: Bool
  /// Whether a full buffer changes the policy's own answer; AVPlayer starts by a row of its machine
  /// and its prediction stays what it is.
  var answersWhenFull = true

  package static let everyPlayer = ReadinessExits(whenFull: true, whenIdle: true)

  /// A full buffer ends a wait, and the prediction says nothing of it.
  package static let besidePrediction = ReadinessExits(
    whenFull: true, whenIdle: false, answersWhenFull: false)

  func verdict(_ snapshot: Snapshot) -> ReadinessVerdict? {
    if snapshot.wait == .nothing || snapshot.ahead <= .zero { return nil }
    switch snapshot.buffer.loading {
    case .underWay: return nil
    case .full:
      return whenFull && answersWhenFull ? ReadinessVerdict(true, .bufferFull) : nil
    case .idle, .failed: return whenIdle ? ReadinessVerdict(true, .loaderIdle) : nil
    }
  }
}

import VirtualTime

/// The rules of dash.js together: the least of what the throughput sustains, of what an
/// insufficient buffer allows, and of what the history of switches advises.
package struct GuardedThroughputRule: Hashable, Sendable {
  /// The share of the estimate that a variant may need, in percent.
  package var safetyPercent: Int64 = 90

  package static let usual = GuardedThroughputRule()

  /// Settings.js 1337: from the third, a segment may need 0.7 of what comes while the buffer lasts.
  private static let bufferPercent: Int64 = 70
  private static let ignoredSegments = 2
  /// Settings.js: stallThreshold, below which the buffer counts as empty.
  private static let emptyBelow = MediaTime.milliseconds(300)
  /// Settings.js 1345: eight choices, of which 7.5 % of those that stay or rise may fall.
  private static let samples = 8
  private static let fallsPerMille = 75
  /// Settings.js: abandonLoadTimeout, during which it does not rise.
  private static let fallsAfterAbandoning = TimeSpan.seconds(10)

  struct Memory: Sendable {
    private(set) var segments = 0
    private var request: Int64 = -1
    private var playedFrom = MediaTime.zero
    fileprivate var choices: [(rung: Int, falls: Bool)] = []
    fileprivate var allowed = Instant.zero

    /// A segment that is given up begins the history anew.
    mutating func abandons(at now: Instant) {
      choices = []
      allowed = now + GuardedThroughputRule.fallsAfterAbandoning
    }

    fileprivate mutating func hear(_ question: VariantQuestion) {
      if question.playedFrom != playedFrom { (playedFrom, segments) = (question.playedFrom, 0) }
      guard let latest = question.latest, latest.request != request else { return }
      (request, segments) = (latest.request, segments + 1)
    }
  }

  func choice(
    _ question: VariantQuestion, _ lowest: Int, _ memory: inout Memory
  ) -> VariantVerdict {
    memory.hear(question)
    guard let estimate = question.estimate.bitsPerSecond else {
      return VariantVerdict(.stay, .noThroughput)
    }
    func highest(within share: Int64) -> Int {
      question.eligible.highest(within: share) ?? lowest
    }
    let isEmpty = question.ahead < Self.emptyBelow
    let mayRise = question.now >= memory.allowed
    var choices: [(rung: Int, clause: VariantClause)] = []
    if !isEmpty, mayRise {
      let rung = highest(within: scaled(estimate, by: safetyPercent, over: 100, rounding: .down))
      choices.append((rung, .lowerSustained))
    }
    if memory.segments >= Self.ignoredSegments {
      choices.append((highest(within: isEmpty ? 0 : allowed(question, estimate)), .reservoir))
    }
    if let rung = advised(question, memory) { choices.append((rung, .tooSoon)) }
    let rungs = question.ladder.rungs
    guard
      let least = choices.min(by: { rungs[$0.rung].bandwidth < rungs[$1.rung].bandwidth })
    else { return VariantVerdict(.stay, .noThroughput) }
    let (new, current) = (rungs[least.rung].bandwidth, rungs[question.current].bandwidth)
    memory.choices.append((question.current, falls: new < current))
    memory.choices.removeFirst(max(0, memory.choices.count - Self.samples))
    if least.rung == question.current { return VariantVerdict(.stay, .bestAlready) }
    if new > current, !mayRise { return VariantVerdict(.stay, .tooSoon) }
    return VariantVerdict(.take(least.rung), new > current ? .higherSustained : least.clause)
  }

  /// The bit rate of which a segment comes while the buffer lasts.
  private func allowed(_ question: VariantQuestion, _ estimate: Int64) -> Int64 {
    let length = question.ladder.duration(
      of: min(question.nextSegment, question.ladder.segmentCount - 1))
    return scaled(
      scaled(estimate, by: Self.bufferPercent, over: 100, rounding: .down),
      by: question.ahead.nanoseconds, over: max(1, length.nanoseconds), rounding: .down)
  }

  /// The variant below the first, from the lowest up, up to which too many choices fell.
  private func advised(_ question: VariantQuestion, _ memory: Memory) -> Int? {
    var (falls, others) = (0, 0)
    let ascending = question.eligible.ascending
    for (place, rung) in ascending.enumerated() {
      let own = memory.choices.count { $0.rung == rung && $0.falls }
      falls += own
      others += memory.choices.count { $0.rung == rung && !$0.falls }
      if falls + others >= Self.samples, falls * 1_000 > others * Self.fallsPerMille {
        return place > 0 && own > 0 ? ascending[place - 1] : rung
      }
    }
    return nil
  }
}

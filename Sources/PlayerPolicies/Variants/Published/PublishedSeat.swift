public import VirtualTime

/// A published rule in the seat for the next variant.
package enum PublishedRule: Hashable, Sendable {
  case throughput(SabreThroughputRule, SabreAverage.Kind)
  case bola(BolaRule, SabreAverage.Kind)
  case enhancedBola(EnhancedBolaRule, SabreAverage.Kind)
  case dynamic(DynamicRule, SabreAverage.Kind)
  case predictive(PredictiveSeat)
}

/// Model-predictive control with what it was published with: how it predicts, and which sizes.
package struct PredictiveSeat: Hashable, Sendable {
  /// The sizes that stand for those of the segments to come.
  package enum Sizes: String, Hashable, Sendable, CaseIterable {
    case own
    /// Each segment counts with the size of the one after it, as in Pensieve's `mpc.py`. Where the
    /// original plays to the last segment but one there always is one after it; the very last
    /// counts with its own, or it would cost nothing and be taken at the highest.
    case following
  }

  package var rule = PredictiveRule()
  /// The number of the last throughputs in the harmonic mean.
  package var window = 5
  /// Whether it is divided by one and the greatest of the last relative errors: RobustMPC.
  package var isRobust = true
  /// The instant from which the time of a request is counted.
  package var clock = Sampling.Clock.request
  package var sizes = Sizes.own

  package static let usual = PredictiveSeat()
}

/// A segment of the main rendition that came, as a rule with memory hears of it.
public struct SegmentArrival: Hashable, Sendable {
  /// The number of its request.
  public var request: Int64
  public var rung: Int
  /// Into the ladder's segments.
  public var segment: Int
  public var bytes: Int64
  public var began: Instant
  /// The arrival of its first byte.
  public var responded: Instant
  public var arrived: Instant
  /// Whether it took the place of one that was there.
  package var isAgain: Bool

  package init(
    request: Int64, rung: Int, segment: Int, bytes: Int64, began: Instant, responded: Instant,
    arrived: Instant, isAgain: Bool = false
  ) {
    self.request = request
    self.rung = rung
    self.segment = segment
    self.bytes = bytes
    self.began = began
    self.responded = responded
    self.arrived = arrived
    self.isAgain = isAgain
  }
}

/// The estimates of the link by published rules: they belong to the player.
struct PublishedBelief: Sendable {
  /// A placeholder without windows before the first segment. Perf: an optional one costs each
  /// question 500 instructions more.
  private(set) var average = SabreAverage(.windows([]), segmentLength: 0)
  private var hasAverage = false
  /// In MB/s; nil before the first segment.
  private(set) var mean: HarmonicThroughput?
  private var heard: Int64 = -1
  /// The choices that were looked at and not charged yet.
  var steps: Int64 = 0

  /// Hears of a segment, unless it has heard of it; what came in no time says nothing.
  mutating func hear(_ arrival: SegmentArrival, for rule: PublishedRule, _ ladder: Ladder) {
    if arrival.request == heard { return }
    heard = arrival.request
    if case .predictive(let seat) = rule {
      let from = seat.clock == .request ? arrival.began : arrival.responded
      let took = (arrival.arrived - from).milliseconds
      if took <= 0 { return }
      if mean == nil { mean = HarmonicThroughput(window: seat.window) }
      mean?.add(Double(arrival.bytes) / took / 1_000)
      return
    }
    let flowed = (arrival.arrived - arrival.responded).milliseconds
    if flowed <= 0 { return }
    if !hasAverage, let kind = rule.average {
      average = SabreAverage(kind, segmentLength: ladder.segmentLength)
      hasAverage = true
    }
    average.add(
      took: flowed, throughput: Double(arrival.bytes * 8) / flowed,
      latency: (arrival.responded - arrival.began).milliseconds)
  }
}

struct PublishedMemory: Sendable {
  var bola = BolaRule.Memory()
  var enhanced = EnhancedBolaRule.Memory()
  var dynamic = DynamicRule.Memory()
  var share = BufferShare()
  /// The eligible rungs that it was last asked about, and their qualities.
  var known: (eligible: EligibleRungs?, qualities: PublishedQualities) = (nil, .init([]))
  var heard: Int64 = -1
  /// The segment last asked about; nil before the first question, and while no arrival is known.
  var asked: Int?
  /// The same question as its rule was asked it; nil for a rule that predicts.
  var question: PublishedQuestion?
  var looks = PublishedLooks()
  /// The choice that it made when it asked to wait, and the end of that wait.
  var pending: (segment: Int, rung: Int, until: Instant)?

  /// The eligible rungs as qualities. Perf: their logarithms are 2,000 instructions a question.
  mutating func qualities(of question: VariantQuestion) -> PublishedQualities {
    if known.eligible !== question.eligible {
      let rates = question.eligible.ascending.map { Double(question.ladder.rungs[$0].sustained) }
      known = (question.eligible, PublishedQualities(rates.map { $0 / 1_000 }))
    }
    return known.qualities
  }
}

extension PublishedRule {
  /// Sabre's estimate of the link; nil for a rule with another.
  fileprivate var average: SabreAverage.Kind? {
    switch self {
    case .throughput(_, let kind), .bola(_, let kind), .enhancedBola(_, let kind),
      .dynamic(_, let kind):
      kind
    case .predictive: nil
    }
  }

  /// The quality to go on with, and how long to wait before that.
  func choice(
    _ question: VariantQuestion, _ belief: inout PublishedBelief, _ memory: inout PublishedMemory
  ) -> VariantVerdict {
    guard let latest = question.latest else { return VariantVerdict(.stay, .noThroughput) }
    if let pending = memory.pending, pending.segment == question.nextSegment,
      question.eligible.contains(pending.rung)
    {
      if question.now < pending.until {
        return VariantVerdict(.wait(until: pending.until), .noHaste, changesAt: pending.until)
      }
      memory.pending = nil
      return question.taking(pending.rung, .noHaste)
    }
    hear(latest, question, &memory)
    belief.hear(latest, for: self, question.ladder)
    let rungs = question.eligible.ascending
    let steps = belief.steps
    let choice = chosen(question, latest, &belief, &memory)
    let rung = rungs[min(choice.quality, rungs.count - 1)]
    memory.asked = question.nextSegment
    let isCut = belief.steps - steps >= PredictiveRule.mostSteps
    if choice.delay <= 0 { return question.taking(rung, isCut ? .searchCut : .published) }
    let until = question.now + TimeSpan(nanoseconds: Int64(choice.delay * 1_000_000 + 0.5))
    memory.pending = (question.nextSegment, rung, until)
    return VariantVerdict(.wait(until: until), .noHaste, changesAt: until)
  }

  /// Hears what happened since the last question: a segment that came, a seek, a full buffer.
  private func hear(
    _ latest: SegmentArrival, _ question: VariantQuestion, _ memory: inout PublishedMemory
  ) {
    let isNew = memory.heard != latest.request
    memory.heard = latest.request
    if let asked = memory.asked, question.nextSegment != asked, question.nextSegment != asked + 1 {
      // Elsewhere than where it left off: somebody has sought.
      memory.enhanced.isStarting = true
      memory.bola.firstSegment = question.nextSegment
      memory.dynamic.bola.firstSegment = question.nextSegment
    }
    let waited = max(.zero, question.now - latest.arrived)
    // Of the first segment nothing was decided.
    let wasDecided = isNew && memory.asked != nil
    if wasDecided, latest.isAgain { memory.dynamic.isBola = false }
    if wasDecided, case .enhancedBola(let rule, _) = self {
      let quality = question.eligible.ascending.firstIndex(of: latest.rung)
      rule.hear(
        came: quality ?? 0, took: (latest.arrived - latest.began).milliseconds,
        level: (question.ahead + question.rate.media(in: waited)).milliseconds,
        isReplacement: latest.isAgain, memory.qualities(of: question),
        segmentLength: question.ladder.segmentLength, &memory.enhanced)
    }
    if isNew { memory.enhanced.placeholder += waited.milliseconds }
  }

  private func chosen(
    _ question: VariantQuestion, _ latest: SegmentArrival, _ belief: inout PublishedBelief,
    _ memory: inout PublishedMemory
  ) -> PublishedChoice {
    let qualities = memory.qualities(of: question)
    if case .predictive(let seat) = self {
      return PublishedChoice(seat.choice(question, latest, qualities, &belief))
    }
    let asked = PublishedQuestion(
      qualities, segmentLength: question.ladder.segmentLength, segmentCount: question.segmentCount,
      segment: question.nextSegment, level: question.ahead.milliseconds,
      throughput: belief.average.throughput, latency: belief.average.latency)
    var choice = PublishedChoice(0)
    if asked.throughput > 0 {
      switch self {
      case .throughput(let rule, _): choice = rule.choice(asked, &memory.share)
      case .bola(let rule, _): choice = rule.choice(asked, &memory.bola)
      case .enhancedBola(let rule, _): choice = rule.choice(asked, &memory.enhanced)
      case .dynamic(let rule, _): choice = rule.choice(asked, &memory.dynamic)
      case .predictive: break
      }
    }
    // Perf: kept last, it is not copied.
    memory.question = asked
    return choice
  }
}

/// Sabre's looks at a segment under way: at least 50 ms and 12,000 bits apart, the first as long
/// after the request and so many bits after its latency (`NetworkModel.download`, sabre.py 373).
struct PublishedLooks: Sendable {
  private static let leastTime = TimeSpan.milliseconds(50)
  private static let leastBytes = 1_500.0

  private var began = Instant.distantFuture
  private var segment = -1
  /// The earliest instant of the next look, and the bytes that it waits for.
  private var from = Instant.zero
  private var bytes = 0.0

  /// The segment's received bytes, where it is time to look; else the instant at which it may be.
  mutating func look(_ question: AbandonQuestion) -> (received: Double?, next: Instant) {
    let request = question.request
    if began != request.began || segment != request.segment {
      (began, segment) = (request.began, request.segment)
      (from, bytes) = (began + Self.leastTime, Self.leastBytes)
    }
    guard request.responded != nil else { return (nil, .distantFuture) }
    var received = Double(request.received)
    if let line = question.inflow?.line {
      received = Double(nearest: line.units(at: question.now)) / Double(nearest: line.unitsPerByte)
    }
    // The division above rounds by far less than a millionth of a byte.
    let isDue = question.now >= from && received + 0.000_001 >= bytes
    if isDue { (from, bytes) = (question.now + Self.leastTime, received + Self.leastBytes) }
    return (isDue ? received : nil, next(question, received))
  }

  private func next(_ question: AbandonQuestion, _ received: Double) -> Instant {
    guard let inflow = question.inflow, inflow.line.unitsPerNanosecond > 0 else {
      return max(from, min(question.now + Self.leastTime, question.inflow?.holds ?? .distantFuture))
    }
    let units = max(0, bytes - received) * Double(nearest: inflow.line.unitsPerByte)
    let span = min(units / Double(nearest: inflow.line.unitsPerNanosecond) + 1, 1e18)
    return max(from, min(question.now + TimeSpan(nanoseconds: Int64(span)), inflow.holds))
  }
}

extension PublishedRule {
  /// Whether the segment under way is given up, as the rule would.
  func abandon(_ question: AbandonQuestion, _ memory: inout PublishedMemory) -> AbandonVerdict {
    // The first segment is never given up, nor one that takes the place of another.
    guard let asked = memory.question, memory.asked == question.request.segment else {
      return AbandonVerdict(.goOn, .notYet)
    }
    let look = memory.looks.look(question)
    guard let received = look.received,
      let quality = memory.known.eligible?.ascending.firstIndex(of: question.request.variant),
      let progress = PublishedProgress(question, quality, received: received)
    else { return AbandonVerdict(.goOn, .notYet, changesAt: look.next) }
    let isGivenUp =
      switch self {
      case .throughput(let rule, _): rule.abandons(progress, asked)
      case .bola(let rule, _): rule.abandons(progress, asked, &memory.bola)
      case .enhancedBola(let rule, _): rule.abandons(progress, asked, &memory.enhanced)
      case .dynamic(let rule, _): rule.throughput.abandons(progress, asked)
      case .predictive: false
      }
    return isGivenUp
      ? AbandonVerdict(.chooseAgain, .givenUpByRule)
      : AbandonVerdict(.goOn, .inTime, changesAt: look.next)
  }
}

extension PredictiveSeat {
  fileprivate func choice(
    _ question: VariantQuestion, _ latest: SegmentArrival, _ qualities: PublishedQualities,
    _ belief: inout PublishedBelief
  ) -> Int {
    let rungs = question.eligible.ascending
    guard let throughput = isRobust ? belief.mean?.robust : belief.mean?.mean, throughput > 0
    else { return 0 }
    let ladder = question.ladder
    let ahead = question.segmentsAhead.prefix(rule.horizon).map { next in
      let segment = min(next + (sizes == .following ? 1 : 0), ladder.segmentCount - 1)
      return rungs.map { Double(ladder.expectedBytes(of: $0, from: segment, to: segment + 1)) }
    }
    return rule.choice(
      .init(
        bitrates: qualities.bitrates, sizes: ahead, segmentLength: ladder.segmentLength / 1_000,
        level: question.ahead.milliseconds / 1_000,
        previous: rungs.firstIndex(of: latest.rung) ?? 0, throughput: throughput),
      steps: &belief.steps)
  }
}

extension VariantQuestion {
  package var segmentsAhead: Range<Int> { nextSegment..<max(nextSegment, segmentCount) }

  /// The number of segments that are played in all, past ones included.
  fileprivate var segmentCount: Int {
    var count = ladder.segmentCount
    while count > 0, ladder.boundaries[count - 1] >= end { count -= 1 }
    return count
  }
}

extension Ladder {
  /// Of the first segment, in milliseconds.
  fileprivate var segmentLength: Double {
    segmentCount > 0 ? duration(of: 0).milliseconds : 0
  }
}

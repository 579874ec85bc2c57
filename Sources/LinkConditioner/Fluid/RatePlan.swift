import VirtualTime

/// What a link carries from one moment to the next, in units so fine that neither a rate of the
/// link nor the share that up to ten transfers have of it leaves a remainder.
///
/// Conditions alone are a plan of one step that holds.
struct RatePlan: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    /// Nanoseconds.
    let duration: Int64
    /// Units per nanosecond.
    let slope: Int128
    /// Nanoseconds.
    let latency: Int64
    /// What the whole of it brings, where nothing but the slope limits it.
    let amount: Int128

    init(_ duration: Int64, slope: Int128, latency: Int64) {
      self.duration = duration
      self.slope = slope
      self.latency = latency
      amount = RatePlan.product(slope, duration)
    }

    /// What the rest of it brings.
    @inline(__always)
    func amount(in left: Int64, ceiling: Int128) -> Int128 {
      left == duration && slope <= ceiling
        ? amount : RatePlan.product(min(slope, ceiling), left)
    }
  }

  /// A place in the plan.
  struct Cursor: Hashable, Sendable {
    var index: Int
    /// Nanoseconds of the step that are still to come.
    var left: Int64
  }

  /// More than any response has units: the slope of an unlimited link, and where amounts saturate.
  /// Two of them can be added.
  static var endless: Int128 { (Int128(1) << 126) - 1 }
  /// The least common multiple of one to ten.
  private static var shares: Int128 { 2_520 }

  let steps: [Step]
  let loops: Bool
  let clock: RateSchedule.Clock
  let answersInOutages: Bool
  /// Nanoseconds from the beginning of the first step to the end of the last.
  let cycle: Int64
  let hasLatency: Bool
  /// The common denominator of all rates.
  let denominator: Int64
  /// The slope that loss leaves a single transfer.
  private(set) var cap: Int128
  let start: Cursor
  /// Whether the steps are no longer those of the schedule, one for one.
  let isMerged: Bool
  /// The steepest slope there is.
  let steepest: Int128
  /// What the steps bring up to each of them; empty where a walk is as fast.
  let marks: [Mark]

  init(conditions: LinkConditions, schedule: RateSchedule?) throws(LinkError) {
    try conditions.check()
    let base = conditions.downlink.bandwidth
    // Perf: a plan of 3,600 steps takes 2.4 M instructions; links without a limit share it.
    if base == .unlimited, !conditions.isOutage, let schedule, let shared = schedule.plan {
      self = shared
      cap = RatePlan.cap(conditions, over: denominator)
      return
    }
    let steps = schedule?.steps ?? [.init(duration: .forever, bandwidth: base)]
    denominator = try RatePlan.commonDenominator(base, steps)
    let unit = Int128(denominator) * RatePlan.shares
    let limit = conditions.isOutage ? 0 : RatePlan.slope(of: base, unit)
    clock = schedule?.clock ?? .wall
    answersInOutages = schedule?.answersInOutages ?? false
    cap = RatePlan.cap(conditions, over: denominator)
    var planned: [Step] = []
    planned.reserveCapacity(steps.count)
    var (cycle, latency): (Int64, Int64) = (0, 0)
    var mayMerge = false
    for (index, step) in steps.enumerated() {
      let slope = min(RatePlan.slope(of: step.bandwidth, unit), limit)
      mayMerge = mayMerge || step.duration.nanoseconds < RatePlan.shortest
      if index > 0, steps[index - 1].isAlike(step) { mayMerge = true }
      planned.append(
        Step(step.duration.nanoseconds, slope: slope, latency: step.latency.nanoseconds))
      cycle += step.duration.nanoseconds
      latency = max(latency, step.latency.nanoseconds)
    }
    let count = planned.count
    let isLoop = schedule?.ending == .loops
    if mayMerge { planned = RatePlan.merged(planned, of: steps, loops: isLoop) }
    isMerged = planned.count < count
    // Round and round one step is that step for ever.
    loops = isLoop && planned.count > 1
    if !loops, let last = planned.popLast() {
      planned.append(Step(.max, slope: last.slope, latency: last.latency))
    }
    self.cycle = cycle
    hasLatency = latency > 0
    self.steps = planned
    steepest = planned.reduce(0) { max($0, $1.slope) }
    marks = RatePlan.marks(of: planned)
    start = RatePlan.place(schedule?.offset.nanoseconds ?? 0, in: planned, loop: loops ? cycle : 0)
  }

  /// What a step of merged ones brings in a second.
  func bandwidth(of index: Int) -> Bandwidth {
    let slope = steps[index].slope
    if slope == RatePlan.endless { return .unlimited }
    return .limited(
      BitRate(bitsPerSecond: Int64(clamping: slope / RatePlan.shares), over: denominator))
  }

  /// Whether nothing will ever be carried.
  var isBarred: Bool { cap == 0 || steps.allSatisfy { $0.slope == 0 } }

  /// Whether it moves, or answers, otherwise while somebody waits.
  var knowsOfWaiting: Bool {
    switch clock {
    case .wall: hasLatency
    case .pausedDuringLatency: true
    }
  }

  /// How many units make a byte.
  var unitsPerByte: Int128 { 8_000_000_000 * Int128(denominator) * RatePlan.shares }

  private static func cap(_ conditions: LinkConditions, over denominator: Int64) -> Int128 {
    LossCap.bitsPerSecond(conditions).map { Int128($0) * Int128(denominator) * shares } ?? endless
  }

  private static func slope(of bandwidth: Bandwidth, _ unit: Int128) -> Int128 {
    switch bandwidth {
    case .unlimited: endless
    // Of what the limits let pass: it does not overflow.
    case .limited(let rate):
      (rate.denominator == 1 ? unit : unit / Int128(rate.denominator)) &* Int128(rate.numerator)
    }
  }

  private static func place(_ offset: Int64, in steps: [Step], loop cycle: Int64) -> Cursor {
    var left = cycle > 0 ? offset % cycle : offset
    var index = 0
    while left >= steps[index].duration && index < steps.count - 1 {
      left -= steps[index].duration
      index += 1
    }
    return Cursor(index: index, left: max(1, steps[index].duration - left))
  }
}

// MARK: - Limits

extension RatePlan {
  /// The common denominator of all rates, if the arithmetic can hold them.
  private static func commonDenominator(
    _ base: Bandwidth, _ steps: [RateSchedule.Step]
  ) throws(LinkError) -> Int64 {
    var common = try denominator(of: base, besides: 1)
    let fastest = LinkLimits.fastestRate.numerator
    for step in steps {
      // Most rates are whole; of thousands each would be asked in vain.
      if case .limited(let rate) = step.bandwidth, rate.denominator == 1, rate.numerator <= fastest
      {
        continue
      }
      common = try denominator(of: step.bandwidth, besides: common)
    }
    if common == 1 { return common }
    try check(base, over: common)
    for step in steps { try check(step.bandwidth, over: common) }
    return common
  }

  private static func denominator(
    of bandwidth: Bandwidth, besides common: Int64
  ) throws(LinkError) -> Int64 {
    guard case .limited(let rate) = bandwidth else { return common }
    if rate > LinkLimits.fastestRate { throw .rateTooFast(rate) }
    if rate.denominator > LinkLimits.finestDenominator { throw .ratesTooFine(rate) }
    let both = common / greatestCommonDivisor(common, rate.denominator) * rate.denominator
    if both > LinkLimits.finestDenominator { throw .ratesTooFine(rate) }
    return both
  }

  private static func check(_ bandwidth: Bandwidth, over common: Int64) throws(LinkError) {
    guard case .limited(let rate) = bandwidth else { return }
    let numerator = Int128(rate.numerator) &* Int128(common / rate.denominator)
    if numerator > LinkLimits.largestNumerator { throw .ratesTooFine(rate) }
  }
}

extension LinkConditions {
  /// Refuses what the link's arithmetic cannot hold.
  func check() throws(LinkError) {
    for delay in [downlink.delay, uplink.delay, dnsDelay] where delay < .zero {
      throw .negativeTime(delay)
    }
    for loss in [downlink.loss, uplink.loss]
    where loss.denominator > LinkLimits.finestDenominator {
      throw .lossTooFine(loss)
    }
  }
}

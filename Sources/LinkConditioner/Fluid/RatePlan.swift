import VirtualTime

/// The capacity of a link over time, in units so fine that neither a rate of the link nor the share
/// that up to ten transfers have of it leaves a remainder.
///
/// Conditions alone are a plan of one step that holds.
struct RatePlan: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    // Perf: numbers of one size stand together: a thousand recordings need a tenth less memory.
    /// Units per nanosecond.
    let slope: Int128
    /// The amount carried in the whole step, where nothing but the slope limits it.
    let amount: Int128
    /// In nanoseconds, as the latency.
    let duration: Int64
    let latency: Int64

    init(_ duration: Int64, slope: Int128, latency: Int64) {
      self.duration = duration
      self.slope = slope
      self.latency = latency
      amount = RatePlan.product(slope, duration)
    }

    /// The amount carried in the rest of the step.
    @inline(__always)
    func amount(in left: Int64, ceiling: Int128) -> Int128 {
      left == duration && slope <= ceiling
        ? amount : RatePlan.product(min(slope, ceiling), left)
    }
  }

  struct Cursor: Hashable, Sendable {
    var index: Int
    /// Nanoseconds of the step that are still to come.
    var left: Int64
  }

  /// A span, the amount carried in it, and the cursor at its end.
  struct Walk: Hashable, Sendable {
    var span: Int64
    var amount: Int128
    var place: Cursor
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
  let denominator: Int64
  /// The slope that loss leaves a single transfer.
  private(set) var cap: Int128
  let start: Cursor
  /// Whether the steps are no longer those of the schedule, one for one.
  let isMerged: Bool
  let steepest: Int128
  /// The cumulative amounts at the ends of the steps; empty where a walk is as fast.
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

  func bandwidth(of index: Int) -> Bandwidth {
    let slope = steps[index].slope
    if slope == RatePlan.endless { return .unlimited }
    return .limited(
      BitRate(bitsPerSecond: Int64(clamping: slope / RatePlan.shares), over: denominator))
  }

  /// Whether nothing will ever be carried.
  var isBarred: Bool { cap == 0 || steps.allSatisfy { $0.slope == 0 } }

  // Perf: computed, not stored: a larger plan would be copied at each use.
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

  // MARK: - Limits

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

// Sums over the steps, so that a walk over thousands of them costs as much as what happens.
extension RatePlan {
  /// The end of a step.
  struct Mark: Hashable, Sendable {
    /// Nanoseconds from the beginning of the first step.
    let end: Int64
    /// The amount carried by then, where nothing but the slopes limits it.
    let amount: Int128
  }

  /// As many steps are walked as quickly as they are searched.
  static var stepsBeforeJump: Int { 4 }

  /// The ends of all steps; none of a few, nor where the sums do not fit.
  static func marks(of steps: [Step]) -> [Mark] {
    if steps.count <= 8 * stepsBeforeJump { return [] }
    var marks: [Mark] = []
    marks.reserveCapacity(steps.count)
    var (end, amount): (Int64, Int128) = (0, 0)
    for step in steps {
      amount = sum(amount, step.amount)
      // The last step of a plan that holds never ends, and nobody walks past it.
      if amount == endless && step.duration != .max { return [] }
      end = saturatingSum(end, step.duration)
      marks.append(Mark(end: end, amount: amount))
    }
    return marks
  }

  /// Whether the sums are those of a walk under a ceiling.
  @inline(__always)
  func canJump(_ ceiling: Int128) -> Bool { !marks.isEmpty && ceiling >= steepest }

  /// Goes on by a span from the beginning of a step to that of another; what is left lies in it.
  ///
  /// - Parameter left: less than a whole cycle.
  /// - Returns: the amount that arrives meanwhile.
  func jump(over left: inout Int64, from place: inout Cursor) -> Int128 {
    var total: Int128 = 0
    var (begin, before) = beginning(of: place.index)
    if loops && left >= cycle - begin {
      total = marks[marks.count - 1].amount - before
      left -= cycle - begin
      (begin, before) = (0, 0)
      place.index = 0
    }
    let target = saturatingSum(begin, left)
    let index = firstMark(from: place.index) { $0.end > target }
    let (start, amount) = beginning(of: index)
    total += amount - before
    left = target - start
    place = Cursor(index: index, left: steps[index].duration)
    return total
  }

  /// Goes on from the beginning of a step to that of the one in which an amount is there, or to the
  /// last before the plan ends or begins anew.
  ///
  /// - Returns: the nanoseconds that it takes.
  func jump(toCarry missing: inout Int128, from place: inout Cursor) -> Int64 {
    let (begin, before) = beginning(of: place.index)
    let wanted = RatePlan.sum(before, missing)
    let index = firstMark(from: place.index) { $0.amount >= wanted }
    let (start, amount) = beginning(of: index)
    missing -= amount - before
    place = Cursor(index: index, left: steps[index].duration)
    return start - begin
  }

  private func beginning(of index: Int) -> (time: Int64, amount: Int128) {
    index == 0 ? (0, 0) : (marks[index - 1].end, marks[index - 1].amount)
  }

  /// The first step from one on whose end is far enough, or the last.
  private func firstMark(from index: Int, where isFar: (Mark) -> Bool) -> Int {
    marks[index..<(marks.count - 1)].partitionPoint(where: isFar)
  }

  // MARK: - Steps that are one

  /// A run of shorter steps is one at its mean: in ten microseconds a megabit a second brings ten
  /// bits, and nothing on a network changes its pace faster. What the mean loses by rounding is
  /// less than two kilobytes in a year.
  static var shortest: Int64 { 10_000 }

  /// The steps, neighbours that are alike as one and runs of very short ones at their mean.
  ///
  /// Merging depends on the schedule alone: other conditions go on at the same place.
  static func merged(_ steps: [Step], of schedule: [RateSchedule.Step], loops: Bool) -> [Step] {
    var merged: [Step] = []
    merged.reserveCapacity(steps.count)
    var run = Run()
    // The last of a plan that holds goes on for ever, and is no part of a run.
    let count = loops ? steps.count : steps.count - 1
    for (index, step) in steps.enumerated() {
      if index < count && step.duration < shortest {
        run.add(step)
        if run.duration >= shortest { run.close(into: &merged) }
        continue
      }
      if run.duration > 0 { run.close(into: &merged) }
      if index > 0, steps[index - 1].duration >= shortest,
        schedule[index - 1].isAlike(schedule[index]), let last = merged.popLast()
      {
        merged.append(
          Step(
            saturatingSum(last.duration, step.duration), slope: step.slope, latency: step.latency))
      } else {
        merged.append(step)
      }
    }
    run.close(into: &merged)
    return merged
  }

  /// Very short steps, one after the other.
  private struct Run {
    var duration: Int64 = 0
    var amount: Int128 = 0
    var latency: Int128 = 0

    mutating func add(_ step: Step) {
      duration += step.duration
      amount = RatePlan.sum(amount, step.slope == endless ? endless : step.amount)
      latency += Int128(step.latency) * Int128(step.duration)
    }

    mutating func close(into steps: inout [Step]) {
      if duration == 0 { return }
      let slope = amount == endless ? endless : amount / Int128(duration)
      steps.append(Step(duration, slope: slope, latency: Int64(latency / Int128(duration))))
      self = Run()
    }
  }
}

extension RateSchedule.Step {
  /// Whether a step brings as much as another one, and answers as soon.
  func isAlike(_ other: RateSchedule.Step) -> Bool {
    bandwidth == other.bandwidth && latency == other.latency
  }
}

// A walk starts at a cursor and never searches from the beginning; a plan that loops is walked
// through once at most, whole loops are skipped.
extension RatePlan {
  /// The amount that arrives in a span, when together the transfers take at most `ceiling`.
  func carried(over span: Int64, from cursor: inout Cursor, ceiling: Int128) -> Int128 {
    var left = span
    var total: Int128 = 0
    if loops && left >= cycle {
      let (loopCount, rest) = left.quotientAndRemainder(dividingBy: cycle)
      total = RatePlan.product(perCycle(ceiling: ceiling), loopCount)
      left = rest
    }
    // In variables of its own, which can be kept in registers.
    var place = cursor
    var count = 0
    while left >= place.left {
      if count == RatePlan.stepsBeforeJump && canJump(ceiling) {
        total = RatePlan.sum(total, jump(over: &left, from: &place))
        break
      }
      count += 1
      total = RatePlan.sum(total, steps[place.index].amount(in: place.left, ceiling: ceiling))
      left -= place.left
      move(&place)
    }
    let slope = min(steps[place.index].slope, ceiling)
    cursor = Cursor(index: place.index, left: place.left - left)
    // An unlimited step brings everything in the instant it begins.
    return slope == RatePlan.endless
      ? RatePlan.endless : RatePlan.sum(total, RatePlan.product(slope, left))
  }

  /// The shortest walk of whole nanoseconds that carries an amount above zero; nil if none does.
  func walk(toCarry amount: Int128, from start: Cursor, ceiling: Int128) -> Walk? {
    var (missing, place, elapsed) = (amount, start, Int64(0))
    if finish(&missing, &place, &elapsed, ceiling: ceiling) {
      return walk(elapsed, carrying: amount - missing, to: place, ceiling)
    }
    guard loops, elapsed < .max else { return nil }
    let perCycle = perCycle(ceiling: ceiling)
    if perCycle == 0 { return nil }
    let loopCount = (missing - 1) / perCycle
    let (skipped, overflow) = Int128(cycle).multipliedReportingOverflow(by: loopCount)
    if overflow || skipped > Int128(Int64.max) { return nil }
    missing -= perCycle * loopCount
    elapsed = saturatingSum(elapsed, Int64(skipped))
    if !finish(&missing, &place, &elapsed, ceiling: ceiling) { return nil }
    return walk(elapsed, carrying: amount - missing, to: place, ceiling)
  }

  private func walk(
    _ span: Int64, carrying amount: Int128, to place: Cursor, _ ceiling: Int128
  ) -> Walk {
    // An unlimited step brings everything in the instant it begins.
    let isEndless = min(steps[place.index].slope, ceiling) == RatePlan.endless
    return Walk(span: span, amount: isEndless ? RatePlan.endless : amount, place: place)
  }

  /// Walks until nothing is missing; false if the next cycle ends first, or time overflows.
  private func finish(
    _ missingThen: inout Int128, _ placeThen: inout Cursor, _ elapsedThen: inout Int64,
    ceiling: Int128
  ) -> Bool {
    // In variables of its own, which can be kept in registers.
    var (missing, place, elapsed) = (missingThen, placeThen, elapsedThen)
    defer { (missingThen, placeThen, elapsedThen) = (missing, place, elapsed) }
    // To the end of this cycle and through the next; then whole ones are skipped.
    var jumps = 0
    for number in 0...steps.count {
      if number >= RatePlan.stepsBeforeJump && canJump(ceiling) {
        if jumps == 2 { return false }
        jumps += 1
        elapsed = saturatingSum(elapsed, jump(toCarry: &missing, from: &place))
      }
      let amount = steps[place.index].amount(in: place.left, ceiling: ceiling)
      if amount >= missing {
        let slope = min(steps[place.index].slope, ceiling)
        // An unlimited step brings everything in the instant it begins.
        if slope == RatePlan.endless { return true }
        let rest = Int64(clamping: quotient(missing, slope, rounding: .up))
        elapsed = saturatingSum(elapsed, rest)
        missing -= RatePlan.product(slope, rest)
        place.left -= rest
        if place.left == 0 { move(&place) }
        return elapsed < .max
      }
      missing -= amount
      elapsed = saturatingSum(elapsed, place.left)
      if elapsed == .max { return false }
      move(&place)
    }
    return false
  }

  /// The schedule's latency for a request made at the cursor.
  func latency(from start: Cursor) -> TimeSpan {
    var unspent = steps[start.index].latency
    if clock == .pausedDuringLatency || !hasLatency { return TimeSpan(nanoseconds: unspent) }
    var cursor = start
    var elapsed = TimeSpan.zero
    // Past one whole loop the rest is waited at the pace it has then, so that the walk ends.
    for _ in 0..<steps.count where unspent > cursor.left {
      let latency = steps[cursor.index].latency
      elapsed += TimeSpan(nanoseconds: cursor.left)
      unspent -= cursor.left
      move(&cursor)
      unspent = scaled(unspent, by: steps[cursor.index].latency, over: latency, rounding: .up)
    }
    return elapsed + TimeSpan(nanoseconds: unspent)
  }

  /// For how long the steps up to a place have brought nothing.
  func barrenSpan(before place: Cursor) -> Int64 {
    var (index, passed, span) = (place.index, steps[place.index].duration - place.left, Int64(0))
    for _ in steps.indices {
      if steps[index].slope > 0 { return span }
      if index == 0 && !loops { return .max }
      span = saturatingSum(span, passed)
      index = index == 0 ? steps.count - 1 : index - 1
      passed = steps[index].duration
    }
    return .max
  }

  func place(_ span: Int64, after cursor: Cursor) -> Cursor {
    var place = cursor
    _ = carried(over: span, from: &place, ceiling: RatePlan.endless)
    return place
  }

  /// The rate of a step, or the mean over the next steps that each last less than a span and
  /// together as long; goes on behind them.
  ///
  /// - Returns: Bits per second, nil where unlimited; nanoseconds, `.max` where no step follows.
  func rate(over span: Int64, from place: inout Cursor) -> (bitsPerSecond: Int64?, lasts: Int64) {
    func bits(_ slope: Int128) -> Int64? {
      slope == RatePlan.endless
        ? nil : Int64(clamping: slope / (RatePlan.shares * Int128(denominator)))
    }
    var (amount, lasts) = (Int128(0), Int64(0))
    repeat {
      let step = steps[place.index]
      if step.duration == .max { return (bits(step.slope), .max) }
      let isEndless = step.slope == RatePlan.endless
      amount = RatePlan.sum(
        amount, isEndless ? step.slope : RatePlan.product(step.slope, place.left))
      lasts += place.left
      move(&place)
    } while lasts < span && steps[place.index].duration < span
    return (amount == RatePlan.endless ? nil : bits(amount / Int128(lasts)), lasts)
  }

  /// Goes to the beginning of the next step.
  func move(_ cursor: inout Cursor) {
    cursor.index += 1
    if cursor.index == steps.count { cursor.index = loops ? 0 : steps.count - 1 }
    cursor.left = steps[cursor.index].duration
  }

  private func perCycle(ceiling: Int128) -> Int128 {
    if canJump(ceiling), let last = marks.last { return last.amount }
    return steps.reduce(0) { total, step in
      RatePlan.sum(total, step.amount(in: step.duration, ceiling: ceiling))
    }
  }

  /// Amounts saturate at `endless`: beyond it nothing is left to carry.
  @inline(__always)
  static func product(_ slope: Int128, _ span: Int64) -> Int128 {
    // Two machine words multiply without overflow, at a fraction of the price.
    if let slope = Int64(exactly: slope) { return Int128(slope) &* Int128(span) }
    return wideProduct(slope, span)
  }

  @inline(never)
  private static func wideProduct(_ slope: Int128, _ span: Int64) -> Int128 {
    let (product, overflow) = slope.multipliedReportingOverflow(by: Int128(span))
    return overflow ? endless : min(product, endless)
  }

  @inline(__always)
  static func sum(_ a: Int128, _ b: Int128) -> Int128 { min(a + b, endless) }
}

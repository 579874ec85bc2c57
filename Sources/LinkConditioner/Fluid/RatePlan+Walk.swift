import VirtualTime

// A walk starts at a cursor and never searches from the beginning; a plan that loops is walked
// through once at most, whole loops are skipped.
extension RatePlan {
  /// What arrives in a span, when together the transfers take at most `ceiling`.
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

  /// The nanoseconds until an amount has arrived, rounded up; nil if it never does.
  func span(toCarry amount: Int128, from start: Cursor, ceiling: Int128) -> Int64? {
    if amount <= 0 { return 0 }
    var walk = Walk(missing: amount, cursor: start)
    if let span = finish(&walk, within: steps.count + 1, ceiling: ceiling) { return span }
    guard loops else { return nil }
    let perCycle = perCycle(ceiling: ceiling)
    if perCycle == 0 { return nil }
    let loopCount = (walk.missing - 1) / perCycle
    let (skipped, overflow) = Int128(cycle).multipliedReportingOverflow(by: loopCount)
    if overflow || skipped > Int128(Int64.max) { return nil }
    walk.missing -= perCycle * loopCount
    walk.pass(Int64(skipped))
    return finish(&walk, within: steps.count + 1, ceiling: ceiling)
  }

  private struct Walk {
    var missing: Int128
    var cursor: Cursor
    var elapsed: Int64 = 0

    mutating func pass(_ span: Int64) { elapsed = saturatingSum(elapsed, span) }
  }

  private func finish(_ walk: inout Walk, within count: Int, ceiling: Int128) -> Int64? {
    // In variables of its own, which can be kept in registers.
    var (missing, place, elapsed) = (walk.missing, walk.cursor, walk.elapsed)
    defer { walk = Walk(missing: missing, cursor: place, elapsed: elapsed) }
    // To the end of this cycle and through the next; then whole ones are skipped.
    var jumps = 0
    for number in 0..<count {
      if number >= RatePlan.stepsBeforeJump && canJump(ceiling) {
        if jumps == 2 { return nil }
        jumps += 1
        elapsed = saturatingSum(elapsed, jump(toCarry: &missing, from: &place))
      }
      let amount = steps[place.index].amount(in: place.left, ceiling: ceiling)
      if amount >= missing {
        let slope = min(steps[place.index].slope, ceiling)
        // An unlimited step brings everything in the instant it begins.
        if slope == RatePlan.endless { return elapsed }
        elapsed = saturatingSum(
          elapsed, Int64(clamping: quotient(missing, slope, rounding: .up)))
        return elapsed == .max ? nil : elapsed
      }
      missing -= amount
      elapsed = saturatingSum(elapsed, place.left)
      if elapsed == .max { return nil }
      move(&place)
    }
    return nil
  }

  /// What a request made at the cursor waits by the schedule.
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
      unspent = scaled(
        unspent, by: steps[cursor.index].latency, over: latency, rounding: .up)
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

  /// Goes to the beginning of the next step.
  func move(_ cursor: inout Cursor) {
    cursor.index += 1
    if cursor.index == steps.count { cursor.index = loops ? 0 : steps.count - 1 }
    cursor.left = steps[cursor.index].duration
  }

  private func perCycle(ceiling: Int128) -> Int128 {
    if canJump(ceiling), let last = marks.last { return last.amount }
    return wholeCycle(ceiling: ceiling)
  }

  private func wholeCycle(ceiling: Int128) -> Int128 {
    steps.reduce(0) { total, step in
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
  static func sum(_ a: Int128, _ b: Int128) -> Int128 {
    min(a + b, endless)
  }
}

import VirtualTime

// Sums over the steps, so that a walk over thousands of them costs as much as what happens.
extension RatePlan {
  /// The end of a step.
  struct Mark: Hashable, Sendable {
    /// Nanoseconds from the beginning of the first step.
    let end: Int64
    /// What has been brought by then, where nothing but the slopes limits it.
    let amount: Int128
  }

  /// As many steps are walked as quickly as they are searched.
  static var stepsBeforeJump: Int { 8 }

  /// The ends of all steps; none of a few, nor where the sums do not fit.
  static func marks(of steps: [Step]) -> [Mark] {
    if steps.count <= 4 * stepsBeforeJump { return [] }
    var marks: [Mark] = []
    marks.reserveCapacity(steps.count)
    var (end, amount): (Int64, Int128) = (0, 0)
    for step in steps {
      amount = sum(amount, step.amount)
      // The last step of a plan that holds never ends, and nobody walks past it.
      let isForEver = step.duration == .max
      if amount == endless && !isForEver { return [] }
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
  /// - Returns: what arrives meanwhile.
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
    var (low, high) = (index, marks.count - 1)
    while low < high {
      let middle = low + (high - low) / 2
      if isFar(marks[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// MARK: - Steps that are one

extension RatePlan {
  /// A run of shorter steps is one at its mean: in ten microseconds a megabit a second brings ten
  /// bits, and nothing on a network changes its pace faster. What the mean loses by rounding is
  /// less than two kilobytes in a year.
  static var shortest: Int64 { 10_000 }

  /// The steps, neighbours that are alike as one and runs of very short ones at their mean.
  ///
  /// Which are one depends on the schedule alone: other conditions go on at the same place.
  static func merged(
    _ steps: [Step], of schedule: [RateSchedule.Step], loops: Bool
  ) -> [Step] {
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
      let step = Step(
        duration, slope: slope, latency: Int64(latency / Int128(duration)))
      steps.append(step)
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

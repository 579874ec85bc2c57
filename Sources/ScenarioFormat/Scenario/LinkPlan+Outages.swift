import LinkConditioner
package import VirtualTime

extension LinkPlan {
  /// The last stretch in which nothing gets through of those that begin at an instant or before it.
  ///
  /// Outages that overlap or touch are one, and so are those with the steps of a schedule or of a
  /// recording that carry nothing. The end is the distant future where it never comes.
  package func lastOutage(startingBy instant: Instant) -> (start: Instant, end: Instant)? {
    var stretches = outages.map { (start: $0.start, end: $0.start + $0.duration) }
    stretches += schedule?.closedStretches(around: instant) ?? []
    stretches.sort { $0.start < $1.start }
    var last: (start: Instant, end: Instant)?
    for stretch in stretches {
      if let open = last, stretch.start <= open.end {
        last = (open.start, max(open.end, stretch.end))
      } else if stretch.start <= instant {
        last = stretch
      } else {
        break
      }
    }
    return last
  }
}

extension RateSchedule {
  /// The stretches of no bandwidth: of a schedule that repeats, those of the round of an instant
  /// and of the rounds before and after it; none where its time does not always pass.
  fileprivate func closedStretches(around instant: Instant) -> [(start: Instant, end: Instant)] {
    guard clock == .wall else { return [] }
    let length = self.length
    if length <= .zero { return [] }
    var rounds: ClosedRange<Int64> = 0...0
    if ending == .loops {
      let round = (instant + offset - Instant.zero).nanoseconds / length.nanoseconds
      rounds = max(0, round - 1)...(round + 1)
    }
    var stretches: [(start: Instant, end: Instant)] = []
    for round in rounds {
      var start = round * length.nanoseconds - offset.nanoseconds
      for (index, step) in steps.enumerated() {
        let holds = ending == .holds && index == steps.count - 1
        let end = start + step.duration.nanoseconds
        if step.bandwidth == .limited(.zero), holds || end > 0 {
          stretches.append(
            (
              Instant(nanoseconds: max(0, start)),
              holds ? .distantFuture : Instant(nanoseconds: end)
            ))
        }
        start = end
      }
    }
    return stretches
  }
}

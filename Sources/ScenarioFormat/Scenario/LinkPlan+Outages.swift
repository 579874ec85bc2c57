import LinkConditioner
package import VirtualTime

/// The stretches in which nothing gets through a link: its outages, and the steps of its schedule
/// or of a recording that carry nothing.
///
/// Those that overlap or touch are one.
package struct SilentStretches: Sendable {
  /// Its end is the distant future where it never comes.
  package typealias Stretch = (start: Instant, end: Instant)

  /// In their order and apart from each other.
  private let once: [Stretch]
  /// A schedule that goes round.
  private let round: RateSchedule?

  package init(of link: LinkPlan) {
    var once: [Stretch] = link.outages.map { ($0.start, $0.start + $0.duration) }
    let goesRound = link.schedule?.ending == .loops
    if !goesRound { once += link.schedule?.closedStretches(around: .zero) ?? [] }
    self.once = Self.joined(once)
    round = goesRound ? link.schedule : nil
  }

  /// The last of those that begin at an instant or before it.
  package func last(startingBy instant: Instant) -> Stretch? {
    let lists = [once, Self.joined(round?.closedStretches(around: instant) ?? [])]
    let latest = lists.compactMap { Self.last(in: $0, startingBy: instant) }
      .max { $0.start < $1.start }
    guard var found = latest else { return nil }
    while true {
      let known = found
      for list in lists {
        // One that begins before it may reach it, and it may reach one that begins after it.
        for instant in [found.start, found.end] {
          guard let other = Self.last(in: list, startingBy: instant), other.end >= found.start
          else { continue }
          found = (min(found.start, other.start), max(found.end, other.end))
        }
      }
      if found == known { return found }
    }
  }

  private static func joined(_ stretches: [Stretch]) -> [Stretch] {
    var joined: [Stretch] = []
    for stretch in stretches.sorted(by: { $0.start < $1.start }) {
      if let last = joined.last, stretch.start <= last.end {
        joined[joined.count - 1].end = max(last.end, stretch.end)
      } else {
        joined.append(stretch)
      }
    }
    return joined
  }

  private static func last(in list: [Stretch], startingBy instant: Instant) -> Stretch? {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = low + (high - low) / 2
      if list[middle].start > instant { high = middle } else { low = middle + 1 }
    }
    return low > 0 ? list[low - 1] : nil
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

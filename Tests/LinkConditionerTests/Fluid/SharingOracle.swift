import LinkConditioner
import VirtualTime

/// What is done to one transfer, in nanoseconds.
struct TransferPlan {
  var start: Int64
  var bytes: Int64
  /// When its reader stops and goes on, in turn.
  var toggles: [Int64] = []
  var cancelled: Int64?
  /// How many shares it has.
  var weight: Int32 = 1
  /// When that becomes another number, and which.
  var reweighed: (instant: Int64, weight: Int32)?
}

/// A stretch of time with one bandwidth.
struct RatePiece {
  var duration: Int64
  var bitsPerSecond: Double
}

/// Sharing by weight told as one would on paper: real numbers, from one change to the next, with
/// nothing of the link's units, cursors or carried remainders.
struct SharingOracle {
  var plans: [TransferPlan]
  /// Loops.
  var pieces: [RatePiece]
  var delay: Int64 = 0
  var cap = Double.infinity

  private enum Change {
    case response(Int)
    case toggle(Int)
    case weight(Int)
    case cancel(Int)
    case rate
    case horizon
  }

  /// The real instants of completion, nil for what never comes before `horizon`.
  func completions(until horizon: Int64) -> [Double?] {
    var bits = plans.map { Double($0.bytes) * 8 }
    var responded = plans.map { _ in false }
    var suspended = responded
    var over = responded
    var result: [Double?] = plans.map { _ in nil }
    var weight = plans.map { Double($0.weight) }
    var now = 0.0
    var piece = -1
    for (instant, change) in changes(until: horizon) {
      // Up to the change, one completion after the other.
      while true {
        let flowing = bits.indices.filter { responded[$0] && !suspended[$0] && !over[$0] }
        guard let first = flowing.min(by: { bits[$0] / weight[$0] < bits[$1] / weight[$1] })
        else { break }
        let rate = piece < 0 ? 0 : pieces[piece % pieces.count].bitsPerSecond / 1e9
        let shares = flowing.reduce(0) { $0 + weight[$1] }
        let share = min(rate / shares, cap / 1e9)
        let done = bits[first] <= 0 ? now : now + bits[first] / (share * weight[first])
        let stop = min(done, Double(instant))
        for index in flowing { bits[index] -= share * weight[index] * (stop - now) }
        now = stop
        if done > Double(instant) { break }
        over[first] = true
        result[first] = done
      }
      now = Double(instant)
      switch change {
      case .response(let index): responded[index] = true
      case .toggle(let index): suspended[index].toggle()
      case .weight(let index):
        weight[index] = Double(plans[index].reweighed?.weight ?? plans[index].weight)
      case .cancel(let index): over[index] = true
      case .rate: piece += 1
      case .horizon: break
      }
    }
    return result
  }

  private func changes(until horizon: Int64) -> [(Int64, Change)] {
    var changes: [(Int64, Change)] = []
    var instant: Int64 = 0
    var index = 0
    while instant <= horizon {
      changes.append((instant, .rate))
      instant += pieces[index % pieces.count].duration
      index += 1
    }
    changes.append((horizon, .horizon))
    for (index, plan) in plans.enumerated() {
      changes.append((plan.start + delay, .response(index)))
      changes += plan.toggles.map { ($0, .toggle(index)) }
      if let change = plan.reweighed { changes.append((change.instant, .weight(index))) }
      if let cancelled = plan.cancelled { changes.append((cancelled, .cancel(index))) }
    }
    return changes.filter { $0.0 <= horizon }.enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
  }
}

/// Puts the plans on a link, as a shell would: nothing is skipped, and every wake-up is taken.
struct LinkRun {
  var completions: [Int64?]
  var events: [(Int64, LinkEvent)] = []
  var books: [LinkBooks] = []

  init(_ plans: [TransferPlan], on link: consuming Link, until horizon: Int64) {
    for (index, plan) in plans.enumerated() where plan.weight != 1 {
      link.setWeight(plan.weight, ofOwner: Int32(index), others: 1, at: .zero)
    }
    completions = plans.map { _ in nil }
    var ids: [TransferID?] = plans.map { _ in nil }
    var actions: [(instant: Int64, index: Int, kind: Int)] = []
    for (index, plan) in plans.enumerated() {
      actions.append((plan.start, index, 0))
      for (turn, toggle) in plan.toggles.enumerated() {
        actions.append((toggle, index, 1 + turn % 2))
      }
      if let cancelled = plan.cancelled { actions.append((cancelled, index, 3)) }
      if let change = plan.reweighed { actions.append((change.instant, index, 4)) }
    }
    actions.sort { ($0.instant, $0.index, $0.kind) < ($1.instant, $1.index, $1.kind) }
    var told: [LinkEvent] = []
    var next = 0
    while true {
      let action = next < actions.count ? actions[next].instant : .max
      let now = min(action, link.nextWake.nanoseconds)
      if now > horizon { break }
      told.removeAll(keepingCapacity: true)
      link.advance(to: Instant(nanoseconds: now), into: &told)
      for event in told {
        events.append((now, event))
        if case .completed(let id, _) = event { completions[Int(id.rawValue) - 1] = now }
      }
      books.append(link.books(at: Instant(nanoseconds: now)))
      while next < actions.count && actions[next].instant == now {
        let (_, index, kind) = actions[next]
        let at = Instant(nanoseconds: now)
        if kind == 4, let change = plans[index].reweighed {
          link.setWeight(change.weight, ofOwner: Int32(index), others: 1, at: at)
        } else if kind == 0 {
          ids[index] = link.start(Request(bytes: plans[index].bytes, owner: Int32(index)), at: at)
        } else if let id = ids[index] {
          if kind == 1 { link.suspend(id, at: at) }
          if kind == 2 { link.resume(id, at: at) }
          if kind == 3 { link.cancel(id, at: at) }
        }
        next += 1
      }
    }
  }
}

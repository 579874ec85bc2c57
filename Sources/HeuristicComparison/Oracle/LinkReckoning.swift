import LinkConditioner
import VirtualTime

/// A point of time, or a length of it, in 2⁻³² nanoseconds.
typealias Tick = Int128

extension Int128 {
  /// So many parts make a nanosecond, or a bit.
  static var fraction: Int128 { 1 << 32 }

  static func nanoseconds(_ count: Int64) -> Tick { Int128(count) << 32 }

  /// The first whole nanosecond that is not before it.
  var wholeNanoseconds: Int64 { Int64(clamping: (self + (1 << 32) - 1) >> 32) }
}

/// The progress of requests over a known link, worked out step by step.
///
/// It knows nothing of the simulator's transports: what a rate brings in a stretch is multiplied
/// out here, and the responses under way have equal shares of it. Times are rounded down and
/// amounts up, by less than a millionth of a nanosecond, so that nothing comes later than it can.
struct LinkReckoning {
  /// A response, from its first byte on.
  struct Transfer {
    var id: Int
    /// The nanosecond in which it was asked for.
    var asked: Int64
    /// The arrival of its first byte.
    var begins: Tick
    var hasBegun = false
    /// The amount yet to arrive, in 2⁻³² bits.
    var missing: Int128
    /// The arrival of its latest byte; nil before the first.
    var heard: Tick?
  }

  enum Event: Hashable {
    case begun(Int)
    case completed(Int)
  }

  /// The rate of each response from an instant on.
  struct Pace: Hashable {
    var from: Tick
    /// Nil where what is under way comes at once.
    var rate: KnownRate?
    var shares: Int128
  }

  private let link: KnownLink
  private(set) var now: Tick = 0
  private(set) var transfers: [Transfer] = []
  /// The schedule's current step, and the time left of it; `never` for a step that holds.
  private var step = 0
  private var left = never
  private var outage = 0
  private var hostIsKnown: Tick?
  /// The last moment at which nothing came in any more; nil before the first.
  private var idleSince: Tick?
  /// The end of the nanosecond in which something began to come where nothing did.
  private var goesOn: Int64 = 0
  private var count = 0
  private(set) var changes = 0
  /// Whether a number outgrew its word, or too much happened.
  private(set) var hasFailed = false

  private static let mostChanges = 4_000_000

  /// Later than any horizon.
  private static let never = Tick.nanoseconds(.max)

  init(_ link: KnownLink) {
    self.link = link
    guard let schedule = link.schedule else { return }
    var offset = schedule.offset.nanoseconds
    if schedule.ending == .loops { offset %= schedule.length.nanoseconds }
    enter(0)
    passSchedule(.nanoseconds(offset))
  }

  /// The current pace of each response.
  var pace: Pace { Pace(from: now, rate: rate, shares: Int128(max(1, flowing))) }

  private var flowing: Int { transfers.count { $0.hasBegun } }

  /// The nanoseconds for which a response has been without bytes; zero once it is over.
  func silence(of id: Int) -> Int64 {
    guard let transfer = transfers.first(where: { $0.id == id }) else { return 0 }
    return now.wholeNanoseconds - (transfer.heard?.wholeNanoseconds ?? transfer.asked)
  }

  /// Makes a request at a whole nanosecond, the one that has just come; returns its number.
  ///
  /// A request made in the nanosecond in which the last byte arrived is made at that very moment.
  mutating func request(bytes: Int64, served: Int64 = 0, at nanosecond: Int64) -> Int {
    var asked = Tick.nanoseconds(nanosecond)
    if let idleSince, idleSince.wholeNanoseconds == nanosecond { asked = idleSince }
    let known = hostIsKnown ?? asked + .nanoseconds(link.conditions.dnsDelay.nanoseconds)
    hostIsKnown = known
    let roundTrip = link.conditions.roundTrip.nanoseconds
    var sent = self
    if known > now, !link.waitsForResponses { sent.move(to: known) }
    let begins = max(asked, known) + .nanoseconds(roundTrip) + .nanoseconds(served) + sent.latency
    count += 1
    transfers.append(
      Transfer(
        id: count, asked: nanosecond, begins: begins, missing: Int128(bytes) * 8 * .fraction))
    return count
  }

  /// Notes that nothing comes in any more: what was asked for earlier in the same nanosecond, as
  /// another response ended, is asked for at this very moment too.
  private mutating func rest() {
    idleSince = now
    let nanosecond = now.wholeNanoseconds
    let early = .nanoseconds(nanosecond) - now
    for index in transfers.indices
    where !transfers[index].hasBegun && transfers[index].asked == nanosecond {
      transfers[index].begins -= early
    }
  }

  /// The latency that the schedule adds to a request made now.
  private var latency: Tick {
    guard let schedule = link.schedule else { return 0 }
    let steps = schedule.steps
    // It is told in whole nanoseconds, and of the schedule as it stands at one.
    var (index, elapsed) = (step, Int128(0))
    var rest = (left - (standsStill ? 0 : .nanoseconds(now.wholeNanoseconds) - now)) >> 32
    if rest <= 0 {
      index = following(index)
      rest = Int128(steps[index].duration.nanoseconds)
    }
    var unspent = Int128(steps[index].latency.nanoseconds)
    if schedule.clock == .pausedDuringLatency { return unspent << 32 }
    for _ in steps.indices where unspent > rest {
      let pace = Int128(steps[index].latency.nanoseconds)
      elapsed += rest
      unspent -= rest
      index = following(index)
      rest = Int128(steps[index].duration.nanoseconds)
      unspent = (unspent * Int128(steps[index].latency.nanoseconds) + pace - 1) / pace
    }
    return (elapsed + unspent) << 32
  }

  /// Goes on to the next change of anything, or to a moment if that is first; says what happened.
  mutating func advance(to limit: Tick) -> [Event] {
    move(to: min(limit, nextChange))
    changes += 1
    if changes > Self.mostChanges { hasFailed = true }
    var events: [Event] = []
    transfers.removeAll { transfer in
      let isDone = transfer.hasBegun && transfer.missing <= 0
      if isDone { events.append(.completed(transfer.id)) }
      return isDone
    }
    let isFlowing = flowing > 0
    if !events.isEmpty, !isFlowing { rest() }
    for index in transfers.indices
    where !transfers[index].hasBegun && !holdsBack
      && beginning(of: transfers[index], isFlowing) <= now
    {
      // In the nanosecond in which the last byte came before it, the schedule goes on anyway.
      if flowing == 0 && .nanoseconds(now.wholeNanoseconds) > rests {
        goesOn = now.wholeNanoseconds
      }
      transfers[index].hasBegun = true
      // The head of what has no bytes comes through when anything does.
      if transfers[index].missing == 0, rate == .nothing { transfers[index].missing = 1 }
      events.append(.begun(transfers[index].id))
    }
    return events
  }

  /// Responses beside flowing ones begin at whole nanoseconds, those of one nanosecond together.
  private func beginning(of transfer: Transfer, _ isFlowing: Bool) -> Tick {
    let whole = transfer.begins.wholeNanoseconds
    if isFlowing { return .nanoseconds(whole) }
    var begins = transfer.begins
    for other in transfers where !other.hasBegun && other.begins.wholeNanoseconds == whole {
      begins = max(begins, other.begins)
    }
    return begins
  }

  /// Nothing is waited for that takes a year, in nanoseconds.
  static let longestWait: Int64 = 365 * 86_400 * 1_000_000_000

  /// Goes on to a nanosecond, whatever happens until then.
  mutating func wait(until nanosecond: Int64) {
    while now < .nanoseconds(nanosecond), !hasFailed { _ = advance(to: .nanoseconds(nanosecond)) }
  }

  /// Later than anything where nothing will change any more.
  var nextChange: Tick {
    var next = Self.never
    let isFlowing = flowing > 0
    for transfer in transfers where !transfer.hasBegun && !holdsBack {
      next = min(next, beginning(of: transfer, isFlowing))
    }
    if outage < link.outages.count {
      let edges = link.outages[outage]
      next = min(next, .nanoseconds(isOut ? edges.upperBound : edges.lowerBound))
    }
    if left < Self.never, !standsStill { next = min(next, now + left) }
    for edge in [rests, .nanoseconds(goesOn)] where edge > now { next = min(next, edge) }
    guard let least = transfers.lazy.filter({ $0.hasBegun }).map({ $0.missing }).min() else {
      return max(now, next)
    }
    guard least > 0, let rate else { return now }
    if rate.bits == 0 { return max(now, next) }
    return max(now, min(next, now + span(of: least, at: rate)))
  }

  /// The time in which each response under way receives an amount, rounded down.
  private func span(of amount: Int128, at rate: KnownRate) -> Tick {
    let factor = 1_000_000_000 * rate.seconds * Int128(flowing)
    let (product, overflow) = amount.multipliedReportingOverflow(by: factor)
    return overflow ? Self.never : product / rate.bits
  }

  private mutating func move(to moment: Tick) {
    let span = moment - now
    if flowing > 0 { deliver(span) }
    // From one change to the next it stands still all the time, or never.
    let passes = !standsStill
    now = moment
    if passes { passSchedule(span) }
    while outage < link.outages.count,
      .nanoseconds(link.outages[outage].upperBound) <= now
    {
      outage += 1
    }
  }

  private mutating func deliver(_ span: Tick) {
    guard let rate else {
      for index in transfers.indices where transfers[index].hasBegun {
        transfers[index].missing = 0
      }
      return
    }
    if span == 0 || rate.bits == 0 { return }
    let (product, overflow) = span.multipliedReportingOverflow(by: rate.bits)
    if overflow { hasFailed = true }
    let divisor = 1_000_000_000 * rate.seconds * Int128(flowing)
    let each = (product + divisor - 1) / divisor
    for index in transfers.indices where transfers[index].hasBegun {
      let bytes = missingBytes(of: index)
      transfers[index].missing -= each
      if missingBytes(of: index) < bytes { transfers[index].heard = now + span }
    }
  }

  private func missingBytes(of index: Int) -> Int128 {
    (transfers[index].missing + (1 << 35) - 1) >> 35
  }

  private var isOut: Bool {
    outage < link.outages.count && .nanoseconds(link.outages[outage].lowerBound) <= now
  }

  /// Whether no response begins, since nothing gets through; a schedule that waits for the response
  /// cannot hold it back.
  private var holdsBack: Bool {
    isOut || link.isBarred || !link.waitsForResponses && rate == .nothing
  }

  private var rate: KnownRate? {
    if isOut || link.isBarred { return .nothing }
    let limit = link.conditions.downlink.bandwidth
    return KnownRate.lower(limit, link.schedule?.steps[step].bandwidth ?? .unlimited)
  }

  /// Whether the schedule waits for a response with those who asked for it.
  ///
  /// Its clock counts whole nanoseconds: it goes on to the end of the one in which the last byte
  /// came, and begins with the one after that in which the first does.
  private var standsStill: Bool {
    guard link.waitsForResponses else { return false }
    return now < .nanoseconds(goesOn) || flowing == 0 && !transfers.isEmpty && now >= rests
  }

  /// The end of the nanosecond in which the last byte came.
  private var rests: Tick { idleSince.map { .nanoseconds($0.wholeNanoseconds) } ?? 0 }

  private func following(_ index: Int) -> Int {
    guard let schedule = link.schedule else { return index }
    if index < schedule.steps.count - 1 { return index + 1 }
    return schedule.ending == .loops ? 0 : index
  }

  private mutating func enter(_ index: Int) {
    guard let schedule = link.schedule else { return }
    step = index
    let holds = following(index) == index && schedule.ending == .holds
    left = holds ? Self.never : .nanoseconds(schedule.steps[index].duration.nanoseconds)
  }

  private mutating func passSchedule(_ span: Tick) {
    if left == Self.never { return }
    var span = span
    while span >= left {
      span -= left
      enter(following(step))
      if left == Self.never { return }
    }
    left -= span
  }
}

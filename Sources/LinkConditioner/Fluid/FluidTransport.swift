import VirtualTime

/// Bytes as a fluid: flowing transfers share the bandwidth equally, or by weight, to the unit.
///
/// A response flows one round trip after its request, at the bandwidth in force when it arrives.
struct FluidTransport: Sendable {
  /// In the order they were started.
  var transfers: [Transfer] = []
  var plan: RatePlan
  private(set) var conditions: LinkConditions
  /// The plan's position at the anchor.
  var cursor: RatePlan.Cursor
  /// Up to here everything is booked.
  var anchor = Instant.zero
  /// Units that arrived but could not be divided equally: fewer than there are shares.
  var carry: Int128 = 0
  /// The last instant at which the link fell idle, and how long before it the last byte was really
  /// there, in 2⁻³² ns.
  ///
  /// A request made then is made at that real instant. Rounding each of a chain of requests up to a
  /// nanosecond would add up: 1 ns late on a fast stretch of a trace is thousands on a slow one.
  private var idle = (since: Instant.zero, lead: Int128(0))
  /// The instant at which this plan came into force, and the last arrival under the one before.
  var former = (until: Instant.zero, carriedUntil: Instant.zero)
  /// The number of transfers that take a share.
  private var flowing = 0
  private var waiting = 0
  /// The number of shares of these transfers; `flowing` where all weigh the same.
  var shares = 0
  /// Whether anybody ever weighed anything but one.
  private var isWeighted = false
  /// Whether anybody ever followed a line.
  var isFollowed = false
  /// The number of requests that still wait for an address or a connection, outside this transport.
  private var latent = 0
  var nextDue = Instant.distantFuture
  private var nextResponse = Instant.distantFuture
  /// The walk from the anchor to the next completion, kept so that it is made once.
  private var foreseen: RatePlan.Walk?
  /// Whether the last byte of a transfer is there.
  private var isAnyComplete = false
  var hasChangedLines = false

  init(_ conditions: LinkConditions, plan: RatePlan) {
    (self.conditions, self.plan) = (conditions, plan)
    cursor = plan.start
  }

  var nextWake: Instant { hasChangedLines ? min(anchor, nextDue) : nextDue }

  // MARK: - Calls from the shell

  /// - Parameter lookup: The time until the address of its host is known, when it is sent.
  mutating func start(_ id: TransferID, _ request: Request, lookup: TimeSpan, at now: Instant) {
    precondition(anchor <= now && now <= nextDue, "a link is advanced before it is asked")
    // Flowing transfers are not affected; only a schedule that knows of waiting must be settled.
    if plan.hasLatency || plan.clock == .pausedDuringLatency { settle(at: now) }
    transfers.append(
      Transfer(
        id: id, owner: request.owner, thinkTime: request.thinkTime,
        availableAt: request.availableAt, bytes: request.bytes, due: now + lookup,
        isLookingUp: lookup > .zero, weight: request.weight, followsLine: request.followsLine,
        missing: RatePlan.product(plan.unitsPerByte, request.bytes)))
    if lookup <= .zero { send(transfers.count - 1, at: now) }
    waiting += 1
    if request.weight != 1 { isWeighted = true }
    if request.followsLine { isFollowed = true }
    nextResponse = min(nextResponse, transfers[transfers.count - 1].due ?? now)
    nextDue = min(nextDue, nextResponse)
  }

  /// Sends a request; the delays of its answer are those in force now.
  private mutating func send(_ index: Int, at now: Instant) {
    let served = serverTime(
      transfers[index].thinkTime, until: transfers[index].availableAt,
      reachedAt: now + conditions.uplink.delay)
    let latency = plan.hasLatency ? plan.latency(from: cursor) : .zero
    transfers[index].due = now + conditions.roundTrip + served + latency
    transfers[index].lead = now == idle.since ? idle.lead : 0
    transfers[index].isLookingUp = false
  }

  /// The whole bytes that had arrived, and those that had not; nil for a transfer that is over.
  mutating func cancel(_ id: TransferID, at now: Instant) -> (arrived: Int64, missing: Int64)? {
    settle(at: now)
    guard let index = index(of: id) else { return nil }
    let transfer = transfers.remove(at: index)
    let missing = missingBytes(of: transfer)
    let slope = slopeOfOne
    waiting -= transfer.due == nil ? 0 : 1
    flowing -= transfer.isFlowing ? 1 : 0
    countShares()
    noteChange(from: slope)
    findNextDue()
    return (transfer.bytes - missing, missing)
  }

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant) {
    settle(at: now)
    guard let index = index(of: id), transfers[index].isSuspended != suspended else { return }
    // Nothing can be held back of a response that is all there.
    if suspended && transfers[index].missing <= 0 && transfers[index].isFlowing { return }
    let slope = slopeOfOne
    flowing -= transfers[index].isFlowing ? 1 : 0
    transfers[index].isSuspended = suspended
    flowing += transfers[index].isFlowing ? 1 : 0
    countShares()
    noteChange(from: slope, besides: id)
    findNextDue()
  }

  /// Gives every transfer its owner's shares from now on.
  mutating func setWeights(_ weights: OwnerWeights, at now: Instant) {
    settle(at: now)
    for index in transfers.indices {
      transfers[index].weight = weights.weight(of: transfers[index].owner)
      if transfers[index].weight != 1 { isWeighted = true }
    }
    countShares()
    markLines(besides: nil)
    findNextDue()
  }

  /// Says how many requests wait elsewhere; a schedule may stand still meanwhile.
  mutating func setLatent(_ count: Int, at now: Instant) {
    if latent == count { return }
    if plan.clock == .pausedDuringLatency { settle(at: now) }
    latent = count
  }

  /// The first instant from now on at which the link carries anything.
  func opens(at now: Instant) -> Instant {
    // A schedule that waits for the request cannot hold it back.
    if plan.clock == .pausedDuringLatency, !plan.isBarred { return now }
    var place = cursor
    _ = plan.carried(over: (now - anchor).nanoseconds, from: &place, ceiling: 1)
    if plan.steps[place.index].slope > 0 && plan.cap > 0 { return now }
    guard let walk = plan.walk(toCarry: 1, from: place, ceiling: min(1, plan.cap)) else {
      return .distantFuture
    }
    // The unit itself takes a nanosecond.
    return now + TimeSpan(nanoseconds: max(0, walk.span - 1))
  }

  mutating func setPlan(
    _ new: RatePlan, _ conditions: LinkConditions, keepsPlace: Bool, at now: Instant
  ) {
    settle(at: now)
    self.conditions = conditions
    former = (now, carriedUntil(now))
    for index in transfers.indices {
      transfers[index].missing = rescaled(transfers[index].missing, to: new, rounding: .up)
    }
    carry = rescaled(carry, to: new, rounding: .down)
    if !keepsPlace { cursor = new.start }
    plan = new
    // Whatever the outage held is looked at again.
    for index in transfers.indices where transfers[index].isHeld {
      transfers[index].due = now
    }
    countShares()
    markLines(besides: nil)
    findNextDue()
  }

  /// Everything due at or before `now`: by instant, completions before responses before changed
  /// lines, each in the order the transfers were started.
  mutating func advance(to now: Instant, into events: inout [LinkEvent], completed: inout Int64) {
    if hasChangedLines, anchor < nextDue { tellChanges(&events) }
    while nextDue <= now {
      let instant = nextDue
      repeat {
        settle(at: instant)
        completed += complete(&events)
        respond(at: instant, &events)
        findNextDue()
      } while nextDue == instant
      if hasChangedLines { tellChanges(&events) }
    }
    if hasChangedLines { tellChanges(&events) }
  }

  /// The whole bytes that have arrived of the transfers that go on, and those that have not.
  func openBytes(at now: Instant) -> (arrived: Int64, missing: Int64) {
    var copy = self
    copy.settle(at: now)
    return copy.transfers.reduce((0, 0)) { sum, transfer in
      let missing = copy.missingBytes(of: transfer)
      return (sum.0 + transfer.bytes - missing, sum.1 + missing)
    }
  }

  // MARK: - Sharing

  /// The most that all flows together can take.
  @inline(__always)  // out of line, it would copy the transport
  var ceiling: Int128 {
    if flowing == 0 { return 0 }
    return plan.cap == RatePlan.endless ? RatePlan.endless : plan.cap * Int128(flowing)
  }

  /// The slope of all flows together and the number of shares: their ratio is the slope of one.
  @inline(__always)
  var slopeOfOne: (total: Int128, count: Int) {
    (min(plan.steps[cursor.index].slope, ceiling), shares)
  }

  /// Counts the shares anew, once other transfers flow than before.
  @inline(__always)
  private mutating func countShares() {
    shares = flowing
    if sharesByWeight { countWeights() }
  }

  private mutating func countWeights() {
    shares = 0
    for transfer in transfers where transfer.isFlowing { shares += Int(transfer.weight) }
  }

  /// Whether shares are not all equal.
  ///
  /// That loss leaves each transfer what it can have, whatever it weighs, is our assumption.
  @inline(__always)
  private var sharesByWeight: Bool { isWeighted && plan.cap == RatePlan.endless }

  /// Books what has arrived since the anchor.
  private mutating func settle(at now: Instant) {
    precondition(anchor <= now && now <= nextDue, "a link is advanced before it is asked")
    let span = (now - anchor).nanoseconds
    anchor = now
    if standsStill { return }
    let carried: Int128
    if let foreseen, foreseen.span == span {
      (carried, cursor) = (foreseen.amount, foreseen.place)
    } else {
      carried = plan.carried(over: span, from: &cursor, ceiling: ceiling)
    }
    foreseen = nil
    share(flowing == 0 ? 0 : carry + carried)
  }

  private mutating func share(_ amount: Int128) {
    carry = 0
    if amount == 0 || flowing == 0 { return }
    var each = amount
    // The division is most of what there is to do, and mostly one flows, or two.
    if shares > 1 {
      each = shares == 2 ? amount >> 1 : quotient(amount, Int128(shares), rounding: .down)
      if amount < RatePlan.endless { carry = amount - RatePlan.product(each, Int64(shares)) }
    }
    let byWeight = sharesByWeight
    // An endless amount saturates and is not added up.
    let least = amount < RatePlan.endless ? Int128.min : -RatePlan.endless
    var isAnyThere = false
    // Through a pointer: of a few transfers, asking for the array's memory is the larger part.
    transfers.withUnsafeMutableBufferPointer { transfers in
      for index in transfers.indices where transfers[index].isFlowing {
        let missing =
          transfers[index].missing - (byWeight ? each * Int128(transfers[index].weight) : each)
        transfers[index].missing = max(missing, least)
        if missing <= 0 { isAnyThere = true }
      }
    }
    if isAnyThere { isAnyComplete = true }
  }

  /// Lets go of the transfers whose last byte is there, and says how many bytes they had.
  private mutating func complete(_ events: inout [LinkEvent]) -> Int64 {
    if !isAnyComplete { return 0 }
    isAnyComplete = false
    var bytes: Int64 = 0
    // A completion is told at the whole nanosecond after it. What would have arrived of it since
    // belongs to the others, as if it had left in between: so no remainder is lost.
    var surplus: Int128 = 0
    var kept = 0
    let slope = slopeOfOne
    transfers.withUnsafeMutableBufferPointer { transfers in
      for index in transfers.indices {
        if transfers[index].isFlowing && transfers[index].missing <= 0 {
          events.append(.completed(transfers[index].id, owner: transfers[index].owner))
          bytes += transfers[index].bytes
          surplus = RatePlan.sum(surplus, -transfers[index].missing)
        } else {
          if kept < index { transfers[kept] = transfers[index] }
          kept += 1
        }
      }
    }
    let gone = transfers.count - kept
    if gone == 0 { return 0 }
    for _ in 0..<gone { transfers.removeLast() }
    flowing -= gone
    countShares()
    noteChange(from: slope)
    let unused = RatePlan.sum(carry, surplus)
    if flowing == 0 {
      idle = (anchor, 0)
      if slope.total > 0 && slope.total < RatePlan.endless && unused < slope.total {
        // Rounded so that what is there at a whole nanosecond is not told at the next.
        idle.lead = quotient(unused << 32, slope.total, rounding: .up)
      }
    }
    // Flows that loss holds back cannot take more than they have.
    if plan.steps[cursor.index].slope < ceiling { share(unused) } else { carry = 0 }
    return bytes
  }

  /// Lets nothing begin while nothing gets through; true where that is so.
  private mutating func holdsBack(at now: Instant) -> Bool {
    if plan.steps[cursor.index].slope > 0 && plan.cap > 0 || plan.answersInOutages { return false }
    let opens = opens(at: now)
    if opens <= now { return false }
    for index in transfers.indices where transfers[index].responds(at: now) {
      transfers[index].due = opens
      // It begins with the link, and not a part of a nanosecond before it.
      (transfers[index].isHeld, transfers[index].lead) = (true, 0)
    }
    return true
  }

  private mutating func respond(at now: Instant, _ events: inout [LinkEvent]) {
    if nextResponse > now { return }
    for index in transfers.indices
    where transfers[index].isLookingUp && transfers[index].responds(at: now) {
      send(index, at: now)
    }
    if holdsBack(at: now) { return }
    let slope = slopeOfOne
    // Bytes that arrived earlier in the same nanosecond belonged to other transfers.
    var lead = flowing > 0 ? 0 : idle.since == now ? idle.lead : Int128.max
    // The lines of those who were there already change; the newcomers are told of nothing else.
    var joining = 0
    for index in transfers.indices where transfers[index].joins(at: now) {
      flowing += 1
      joining += sharesByWeight ? Int(transfers[index].weight) : 1
    }
    shares += joining
    noteChange(from: slope)
    let isClosed = plan.steps[cursor.index].slope == 0 || plan.cap == 0
    for index in transfers.indices where transfers[index].responds(at: now) {
      let isSuspended = !transfers[index].joins(at: now)
      if !isSuspended { lead = min(lead, transfers[index].lead) }
      transfers[index].isSuspended = isSuspended
      transfers[index].due = nil
      transfers[index].isHeld = false
      // Its head has to come through: the least there is stands for it.
      if isClosed && transfers[index].missing == 0 { transfers[index].missing = 1 }
      waiting -= 1
      events.append(.responded(transfers[index].id, owner: transfers[index].owner))
    }
    let together = slopeOfOne.total
    if flowing > 0 && lead > 0 && together < RatePlan.endless {
      share(carry + quotient(together * lead, 1 << 32, rounding: .up))
    }
  }

  private mutating func findNextDue() {
    var least = Int128.max
    var next = Instant.distantFuture
    let byWeight = sharesByWeight
    transfers.withUnsafeBufferPointer { transfers in
      for index in transfers.indices {
        if let due = transfers[index].due { next = min(next, due) }
        if !transfers[index].isFlowing { continue }
        // The amount that one share has to bring until it is complete.
        let weight = byWeight ? transfers[index].weight : 1
        let missing = transfers[index].missing
        least = min(least, weight == 1 ? missing : quotient(missing, Int128(weight), rounding: .up))
      }
    }
    nextResponse = next
    nextDue = next
    foreseen = nil
    if flowing == 0 { return }
    if least <= 0 { isAnyComplete = true }
    let amount = RatePlan.product(least, Int64(shares)) - carry
    if amount <= 0 {
      nextDue = min(nextDue, anchor)
    } else if let walk = plan.walk(toCarry: amount, from: cursor, ceiling: ceiling) {
      foreseen = walk
      nextDue = min(nextDue, anchor + TimeSpan(nanoseconds: walk.span))
    }
  }

  private func missingBytes(of transfer: Transfer) -> Int64 {
    let missing = quotient(max(0, transfer.missing), plan.unitsPerByte, rounding: .up)
    return min(transfer.bytes, Int64(clamping: missing))
  }

  /// An amount in another plan's unit; exact if that is a whole factor finer, else within a unit.
  private func rescaled(_ units: Int128, to new: RatePlan, rounding: Rounding) -> Int128 {
    let (from, to) = (Int128(plan.denominator), Int128(new.denominator))
    let whole = quotient(units, from, rounding: .down)
    return whole * to + quotient((units - whole * from) * to, from, rounding: rounding)
  }

  // The lines along which bytes come in, and who is told that one is new.

  func index(of id: TransferID) -> Int? { transfers.firstIndex { $0.id == id } }

  /// The place of a transfer that responds.
  @inline(__always)
  private func responding(_ id: TransferID) -> Int? {
    guard let index = index(of: id), transfers[index].due == nil else { return nil }
    return index
  }

  /// Its place in the plan, and whether the plan's clock stands still there.
  func place(at now: Instant) -> (place: RatePlan.Cursor, isHeld: Bool) {
    let isHeld = standsStill
    return (isHeld ? cursor : plan.place((now - anchor).nanoseconds, after: cursor), isHeld)
  }

  /// Whether the plan's clock waits with those who wait for a response.
  @inline(__always)
  private var standsStill: Bool {
    plan.clock == .pausedDuringLatency && flowing == 0 && waiting + latent > 0
  }

  func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    responding(id) == nil ? nil : carriedUntil(now)
  }

  /// The last instant at which the link brought anything to what flows.
  func carriedUntil(_ now: Instant) -> Instant {
    if plan.isBarred { return former.carriedUntil }
    var place = cursor
    _ = plan.carried(over: (now - anchor).nanoseconds, from: &place, ceiling: 1)
    let barren = plan.barrenSpan(before: place)
    return barren < (now - former.until).nanoseconds
      ? now - TimeSpan(nanoseconds: barren) : former.carriedUntil
  }

  func flow(of id: TransferID, at now: Instant) -> (flow: ByteFlow, validUntil: Instant)? {
    guard let index = responding(id) else { return nil }
    let inflow = inflow(at: index, now)
    let flow = line(now, units: inflow.units, slope: inflow.slope, dividedBy: inflow.shares)
    return (flow, inflow.validUntil)
  }

  /// Bytes received of a response, rounded down; nil unless it is responding.
  ///
  /// Perf: half the cost of `flow`; `mutating` avoids copying the transport.
  mutating func arrivedBytes(of id: TransferID, at now: Instant) -> Int64? {
    guard let index = responding(id) else { return nil }
    let unitsPerByte = plan.unitsPerByte
    // Perf: mostly it is asked at the anchor, where less than a unit is not booked.
    if now == anchor, !sharesByWeight, plan.steps[cursor.index].slope < RatePlan.endless {
      let units = RatePlan.product(unitsPerByte, transfers[index].bytes) - transfers[index].missing
      return units < unitsPerByte
        ? 0 : Int64(clamping: quotient(units, unitsPerByte, rounding: .down))
    }
    let inflow = inflow(at: index, now)
    let unit = unitsPerByte * Int128(inflow.shares)
    if inflow.units < unit { return 0 }
    return Int64(clamping: quotient(inflow.units, unit, rounding: .down))
  }

  /// Arrived units of a response and their rate, both in 1/`shares` of a unit, until `validUntil`.
  private typealias Inflow = (units: Int128, slope: Int128, shares: Int, validUntil: Instant)

  @inline(__always)  // out of line, it would copy the transport
  private func inflow(at index: Int, _ now: Instant) -> Inflow {
    let missing = transfers[index].missing
    let arrived = max(0, RatePlan.product(plan.unitsPerByte, transfers[index].bytes) - missing)
    if !transfers[index].isFlowing { return (arrived, 0, 1, .distantFuture) }
    var place = cursor
    let span = max(0, (now - anchor).nanoseconds)
    var slope = min(plan.steps[place.index].slope, ceiling)
    var gained = carry
    // Perf: mostly it is asked at the instant of the anchor, at which nothing has come since.
    if span > 0 || slope == RatePlan.endless {
      gained += plan.carried(over: span, from: &place, ceiling: ceiling)
      slope = min(plan.steps[place.index].slope, ceiling)
    }
    if gained >= RatePlan.endless { return (arrived + missing, 0, 1, now) }
    let weight = sharesByWeight ? Int64(transfers[index].weight) : 1
    return (
      arrived &* Int128(shares) + RatePlan.product(gained, weight), RatePlan.product(slope, weight),
      shares, min(now + TimeSpan(nanoseconds: place.left), nextDue)
    )
  }

  /// A line whose unit is a share of the plan's where a share would leave a remainder.
  private func line(
    _ now: Instant, units: Int128, slope: Int128, dividedBy count: Int
  ) -> ByteFlow {
    let count = Int128(count)
    let whole = count == 1 || (units % count == 0 && slope % count == 0)
    return ByteFlow(
      anchor: now, units: whole ? units / count : units,
      unitsPerByte: whole ? plan.unitsPerByte : plan.unitsPerByte * count,
      unitsPerNanosecond: whole ? slope / count : slope)
  }

  /// Marks the lines that are new if one flow's share is not what it was.
  mutating func noteChange(from old: (total: Int128, count: Int), besides own: TransferID? = nil) {
    if !isFollowed { return }
    let new = slopeOfOne
    if old.total == new.total && (old.count == new.count || old.total == 0) { return }
    let before = RatePlan.product(old.total, Int64(new.count))
    if before != RatePlan.product(new.total, Int64(old.count)) { markLines(besides: own) }
  }

  mutating func markLines(besides own: TransferID?) {
    for index in transfers.indices
    where transfers[index].followsLine && transfers[index].isFlowing && transfers[index].id != own {
      transfers[index].lineChanged = true
      hasChangedLines = true
    }
  }

  mutating func tellChanges(_ events: inout [LinkEvent]) {
    hasChangedLines = false
    for index in transfers.indices where transfers[index].lineChanged {
      transfers[index].lineChanged = false
      events.append(.flowChanged(transfers[index].id, owner: transfers[index].owner))
    }
  }
}

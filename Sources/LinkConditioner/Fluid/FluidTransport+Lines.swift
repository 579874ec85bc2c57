import VirtualTime

// The lines along which bytes come in, and who is told that one is new.

extension FluidTransport {
  func index(of id: TransferID) -> Int? {
    transfers.firstIndex { $0.id == id }
  }

  /// The last instant at which anything of a response can have come; nil before the first.
  func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    guard let index = index(of: id), case .responding = transfers[index].phase else { return nil }
    return carriedUntil(now)
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

  /// The exact line of a response's bytes, and until when it holds if nothing else happens.
  func flow(of id: TransferID, at now: Instant) -> (flow: ByteFlow, validUntil: Instant)? {
    guard let index = index(of: id), case .responding = transfers[index].phase else { return nil }
    let transfer = transfers[index]
    let arrived = max(0, Int128(transfer.bytes) * plan.unitsPerByte - transfer.missing)
    guard transfer.isFlowing else {
      return (line(now, units: arrived, slope: 0, dividedBy: 1), .distantFuture)
    }
    var place = cursor
    let span = max(0, (now - anchor).nanoseconds)
    let gained = carry + plan.carried(over: span, from: &place, ceiling: ceiling)
    if gained >= RatePlan.endless {
      return (line(now, units: arrived + transfer.missing, slope: 0, dividedBy: 1), now)
    }
    let slope = min(plan.steps[place.index].slope, ceiling)
    let validUntil = min(now + TimeSpan(nanoseconds: place.left), nextDue)
    return (
      line(
        now, units: arrived * Int128(shares) + RatePlan.product(gained, weight(of: transfer)),
        slope: RatePlan.product(slope, weight(of: transfer)), dividedBy: shares),
      validUntil
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
  mutating func noteChange(
    from old: (total: Int128, count: Int), besides own: TransferID? = nil
  ) {
    if !isFollowed { return }
    let new = slopeOfOne
    if old.total == new.total && (old.count == new.count || old.total == 0) { return }
    let before = RatePlan.product(old.total, Int64(new.count))
    let after = RatePlan.product(new.total, Int64(old.count))
    if before != after { markLines(besides: own) }
  }

  mutating func markLines(besides own: TransferID?) {
    for index in transfers.indices
    where transfers[index].followsLine && transfers[index].isFlowing && transfers[index].id != own {
      transfers[index].lineChanged = true
      hasChangedLines = true
    }
  }

  mutating func tellChanges(_ events: inout [LinkEvent]) {
    guard hasChangedLines else { return }
    hasChangedLines = false
    for index in transfers.indices where transfers[index].lineChanged {
      transfers[index].lineChanged = false
      events.append(.flowChanged(transfers[index].id, owner: transfers[index].owner))
    }
  }
}

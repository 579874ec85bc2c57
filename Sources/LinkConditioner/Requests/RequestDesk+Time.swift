import VirtualTime

// What comes to pass by itself: the carrier's news, and the desk's own deadlines.

extension RequestDesk {
  /// Tells everything due at or before `now`; at one instant news come before deadlines, so that a
  /// byte that arrives when the client's patience ends is in time.
  mutating func advance(to now: Instant, into events: inout [LinkEvent]) {
    while nextWake <= now, !carrier.isRestless {
      let due = carrier.advance(to: min(now, nextDue), into: &heard)
      var isSettled = true
      for index in heard.indices {
        if !passesOn(heard[index], &events) {
          hear(heard[index], at: due, &events)
          isSettled = false
        }
      }
      // One by one, as there is hardly ever another: to remove all takes as long as to hear it.
      while heard.popLast() != nil {}
      if nextDue <= due {
        meetDeadlines(at: due, &events)
        isSettled = false
      }
      if !isSettled { settle(at: due) }
    }
  }

  // MARK: News

  // Changes nothing, and yet is `mutating`: a call that only reads would copy the desk.
  /// Passes on what most news are and nobody here has to look at; false if somebody has.
  private mutating func passesOn(_ event: CarrierEvent, _ events: inout [LinkEvent]) -> Bool {
    guard case .flowChanged(let id) = event, options.timeouts.idle == nil else { return false }
    if let index = index(of: id) {
      events.append(.flowChanged(id, owner: jobs[index].request.owner))
    }
    return true
  }

  private mutating func hear(
    _ event: CarrierEvent, at now: Instant, _ events: inout [LinkEvent]
  ) {
    switch event {
    case .connected(let seat):
      pool.connected(seat, at: now)
    case .ready(let seat):
      guard let host = pool[seat]?.host else { return }
      let isSecured = options.http(for: host).security != .none
      pool.ready(seat, isSecured: isSecured, at: now)
      assign(host, at: now)
    case .responded(let id):
      if let index = index(of: id) { responded(index, at: now, &events) }
    case .flowChanged(let id):
      guard let index = index(of: id) else { return }
      watch(index, at: now)
      tellChange(index, &events)
    case .completed(let id):
      if let index = index(of: id) { completed(index, at: now, &events) }
    case .lost(let seat, let failure):
      lose(seat, failure, at: now, &events)
    }
  }

  /// What the carrier is asked for, given what goes wrong.
  mutating func order(_ index: Int) -> Order {
    // Part by part: a job is large, and little of it goes on.
    var bytes = jobs[index].request.bytes
    var thinkTime = max(.zero, jobs[index].request.thinkTime)
    switch jobs[index].fault {
    case nil: break
    case .status: bytes = 0
    case .reset(let after):
      bytes = min(bytes, max(0, after))
      if bytes == 0 { thinkTime = .zero }
    case .stall(let after): bytes = min(bytes, max(0, after))
    case .slowFirstByte(let more): thinkTime += max(.zero, more)
    }
    return Order(
      id: jobs[index].id, owner: jobs[index].request.owner, seat: jobs[index].seat, bytes: bytes,
      thinkTime: thinkTime, availableAt: jobs[index].request.availableAt,
      isSuspended: jobs[index].isSuspended, weight: jobs[index].request.weight,
      followsLine: jobs[index].request.followsLine || options.timeouts.idle != nil)
  }

  private mutating func responded(_ index: Int, at now: Instant, _ events: inout [LinkEvent]) {
    jobs[index].stage = .responding
    jobs[index].stillSince = now
    jobs[index].timings.firstByte = now
    jobs[index].expires = jobs[index].timings.started + (options.timeouts.whole ?? .forever)
    switch jobs[index].fault {
    case .status: return
    case .reset(let after): if after <= 0 { return }
    case nil, .stall, .slowFirstByte: break
    }
    watch(index, at: now)
    events.append(.responded(jobs[index].id, owner: jobs[index].request.owner))
  }

  /// All that the carrier was asked to bring is there.
  private mutating func completed(_ index: Int, at now: Instant, _ events: inout [LinkEvent]) {
    switch jobs[index].fault {
    case .status(let code):
      fail(index, .httpStatus(code), at: now, &events)
    case .reset(let after):
      if after >= jobs[index].request.bytes && after > 0 {
        complete(index, at: now, &events)
      } else {
        // Everything on the connection goes with it.
        jobs[index].stage = .standing
        jobs[index].timings.bytes = max(0, after)
        lose(jobs[index].seat, .connectionReset, at: now, &events)
      }
    case .stall(let after):
      if after >= jobs[index].request.bytes {
        complete(index, at: now, &events)
      } else {
        jobs[index].stage = .standing
        jobs[index].timings.bytes = max(0, after)
        jobs[index].stillSince = now
        watch(index, at: now)
        tellChange(index, &events)
      }
    case nil, .slowFirstByte:
      complete(index, at: now, &events)
    }
  }

  private func tellChange(_ index: Int, _ events: inout [LinkEvent]) {
    if jobs[index].request.followsLine {
      events.append(.flowChanged(jobs[index].id, owner: jobs[index].request.owner))
    }
  }

  private mutating func complete(_ index: Int, at now: Instant, _ events: inout [LinkEvent]) {
    events.append(.completed(jobs[index].id, owner: jobs[index].request.owner))
    finish(index, .completed, at: now)
  }

  private mutating func fail(
    _ index: Int, _ failure: TransferFailure, at now: Instant, _ events: inout [LinkEvent]
  ) {
    let (id, owner) = (jobs[index].id, jobs[index].request.owner)
    finish(index, .failed(failure), at: now)
    events.append(.failed(id, owner: owner, failure, bytes: timings(of: id)?.bytes ?? 0))
  }

  /// A connection is gone: so is every request on it, or the one that waited for it.
  private mutating func lose(
    _ seat: Int32, _ failure: TransferFailure, at now: Instant, _ events: inout [LinkEvent]
  ) {
    guard let connection = pool[seat] else { return }
    close(seat, byServer: true, at: now)
    while let index = jobs.firstIndex(where: { $0.seat == seat }) {
      // There is nothing to leave to others.
      jobs[index].seat = -1
      fail(index, failure, at: now, &events)
    }
    if !connection.isReady {
      let waits = jobs.firstIndex { $0.request.host == connection.host && $0.isQueued }
      if let waits { fail(waits, failure, at: now, &events) }
    }
    assign(connection.host, at: now)
  }

  // MARK: Deadlines

  private mutating func meetDeadlines(at now: Instant, _ events: inout [LinkEvent]) {
    // Each pass meets one, since each may change who is there.
    while let index = jobs.firstIndex(where: { $0.due <= now }) {
      let job = jobs[index]
      if case .lookingUp(let until) = job.stage, until <= now {
        enqueue(index, at: now)
        continue
      }
      watch(index, at: now)
      if jobs[index].deadline(idle: options.timeouts.idle) <= now {
        fail(index, .timedOut, at: now, &events)
      }
    }
  }

  /// Sees whether a response's bytes move, if anybody minds.
  mutating func watch(_ index: Int, at now: Instant) {
    jobs[index].looksAgain = .distantFuture
    guard let idle = options.timeouts.idle, !jobs[index].isSuspended else { return }
    switch jobs[index].stage {
    case .lookingUp, .queued, .sent: return
    case .responding:
      switch carrier.motion(of: jobs[index].id, at: now) {
      case .moving(let until):
        jobs[index].stillSince = nil
        jobs[index].looksAgain = max(until, now + .nanoseconds(1))
        return
      case .still(let since, let until):
        let stillSince = since ?? jobs[index].stillSince ?? now
        jobs[index].stillSince = stillSince
        jobs[index].looksAgain = min(stillSince + idle, max(until, now + .nanoseconds(1)))
      }
    case .standing:
      jobs[index].looksAgain = (jobs[index].stillSince ?? now) + idle
    }
  }

  /// Follows every change: what the carrier must know, and what is due next.
  mutating func settle(at now: Instant) {
    var latent = 0
    for index in jobs.indices where jobs[index].isLatent { latent += 1 }
    carrier.setLatent(latent, at: now)
    findNextDue()
  }

  mutating func findNextDue() {
    nextDue = .distantFuture
    for index in jobs.indices { nextDue = min(nextDue, jobs[index].due) }
  }
}

extension RequestDesk.Job {
  /// The next instant at which something about it must be looked at.
  var due: Instant {
    var due = min(expires, looksAgain)
    if case .lookingUp(let until) = stage { due = min(due, until) }
    return due
  }

  /// When the client gives it up, as things are.
  func deadline(idle: TimeSpan?) -> Instant {
    guard let idle, let stillSince, !isSuspended else { return expires }
    switch stage {
    case .lookingUp, .queued, .sent: return expires
    case .responding, .standing: return min(expires, stillSince + idle)
    }
  }
}

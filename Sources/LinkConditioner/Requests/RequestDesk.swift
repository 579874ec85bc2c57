import VirtualTime

/// Takes requests through their whole life: address, connection, answer, or what goes wrong.
///
/// A `Carrier` transfers the bytes; here are the order of the steps, the queue for connections, the
/// timeouts of the client, and the byte counts.
struct RequestDesk<Bearer: Carrier>: Sendable {
  /// A request under way.
  struct Job: Sendable {
    enum Stage: Sendable {
      /// Until the address of the host is known.
      case lookingUp(until: Instant)
      /// Its turn for a connection has not come.
      case queued
      /// It has one; the response has not begun.
      case sent
      case responding
      /// Nothing will come any more: a fault.
      case standing
    }

    let id: TransferID
    var request: Request
    let fault: Fault?
    var stage: Stage
    var seat: Int32 = -1
    var isSuspended = false
    /// The client's deadline for the first byte, then for the whole response.
    var expires: Instant
    /// Since when its bytes have not moved; nil while they do.
    var stillSince: Instant?
    /// The instant of the next check that bytes of the response arrive.
    var looksAgain = Instant.distantFuture
    var timings: RequestTimings
  }

  var carrier: Bearer
  var options: RequestOptions
  var faults: FaultPicker
  var hosts = HostTable()
  /// In the order in which they were started.
  var jobs: [Job] = []
  var pool = ConnectionPool()
  var heard: [CarrierEvent] = []
  /// The timings of what ended since the last time anything was told.
  var ended: [(id: TransferID, timings: RequestTimings)] = []
  var closedBooks = LinkBooks()
  /// The next of the desk's own deadlines.
  var nextDue = Instant.distantFuture

  init(_ carrier: Bearer, options: RequestOptions, faults: FaultPlan, seed: UInt64) {
    self.carrier = carrier
    self.options = options
    self.faults = FaultPicker(faults, seed: seed)
    // Connections to the media's host that stand from the beginning; its address is known then.
    let (host, http) = (LinkPath.mediaHost, options[LinkPath.mediaHost])
    guard http.standingConnections > 0 else { return }
    hosts.know(host, at: .zero)
    for _ in 0..<min(http.standingConnections, http.version.mostConnections) {
      self.carrier.stand(pool.stand(host, at: .zero), http, at: .zero)
    }
  }

  var nextWake: Instant { min(nextDue, carrier.nextWake) }
}

// MARK: - Calls from the link

extension RequestDesk {
  mutating func start(
    _ id: TransferID, _ request: consuming Request, dnsDelay: TimeSpan, at now: Instant
  ) {
    closedBooks.requested += request.bytes
    let lookup = hosts.wait(for: request.host, delay: dnsDelay, at: now)
    let fault = faults.fault(for: request)
    let firstByte = options.timeouts.firstByte ?? .forever
    let whole = options.timeouts.whole ?? .forever
    jobs.append(
      Job(
        id: id, request: request, fault: fault,
        stage: .lookingUp(until: now + lookup), expires: now + min(firstByte, whole),
        timings: RequestTimings(started: now, fault: fault)))
    if lookup <= .zero { enqueue(jobs.count - 1, at: now) }
    settle(at: now)
  }

  /// Adds a host whose address is known and whose connections need no security.
  mutating func add(_ host: Int32, connections: Int32, at now: Instant) {
    var http = options.http
    http.version = .http1(connections: connections)
    http.security = .none
    options.set(http, forHost: host)
    hosts.know(host, at: now)
  }

  /// Forgets a request, of which nothing more is told.
  mutating func cancel(_ id: TransferID, at now: Instant) {
    guard let index = index(of: id) else { return }
    finish(index, .cancelled, at: now)
    settle(at: now)
  }

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant) {
    guard let index = index(of: id), jobs[index].isSuspended != suspended else { return }
    jobs[index].isSuspended = suspended
    switch jobs[index].stage {
    case .lookingUp, .queued, .standing: break
    case .sent, .responding: carrier.setSuspended(suspended, id, at: now)
    }
    jobs[index].stillSince = suspended ? nil : now
    watch(index, at: now)
    findNextDue()
  }

  typealias Flow = (flow: ByteFlow, validUntil: Instant)

  /// The line of an answer while it comes is the carrier's; of one that stands nothing more comes.
  @inline(__always)
  static func flow(
    of id: TransferID, in jobs: [Job], at now: Instant, whileItComes flow: () -> Flow?
  ) -> Flow? {
    for index in jobs.indices where jobs[index].id == id {
      switch jobs[index].stage {
      case .lookingUp, .queued, .sent: return nil
      case .responding: return flow()
      case .standing:
        let line = ByteFlow(anchor: now, bytes: jobs[index].timings.bytes, rate: .zero)
        return (line, .distantFuture)
      }
    }
    return nil
  }

  func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    guard let index = index(of: id) else { return nil }
    switch jobs[index].stage {
    case .lookingUp, .queued, .sent: return nil
    case .responding: return carrier.lastArrival(of: id, at: now)
    case .standing: return jobs[index].stillSince
    }
  }

  func timings(of id: TransferID) -> RequestTimings? {
    if let index = index(of: id) { return jobs[index].timings }
    return ended.first { $0.id == id }?.timings
  }

  func books(at now: Instant) -> LinkBooks {
    var books = closedBooks
    var arrived = carrier.arrivedBytes(at: now)
    var asked: Int64 = 0
    for job in jobs {
      asked += job.request.bytes
      if case .standing = job.stage { arrived += job.timings.bytes }
    }
    books.delivered += arrived
    books.outstanding = asked - arrived
    return books
  }

  func index(of id: TransferID) -> Int? { jobs.indices.first { jobs[$0].id == id } }
}

// MARK: - Steps

extension RequestDesk {
  /// The address is known: the request waits for its turn.
  mutating func enqueue(_ index: Int, at now: Instant) {
    jobs[index].stage = .queued
    jobs[index].timings.lookedUp = now
    assign(jobs[index].request.host, at: now)
  }

  /// Gives connections to waiting requests, first come, first served, and opens what is missing.
  mutating func assign(_ host: Int32, at now: Instant) {
    let idleTimeout = options[host].idleTimeout
    while let seat = pool.expired(host, after: idleTimeout, at: now) { close(seat, at: now) }
    var queued = jobs.indices.count { jobs[$0].isQueued && jobs[$0].request.host == host }
    if queued == 0 { return }
    let version = options[host].version
    while let index = firstQueued(host) {
      guard
        let seat = pool.free(
          for: host, mostStreams: version.mostStreams, track: jobs[index].request.track)
      else { break }
      send(index, on: seat, at: now)
      queued -= 1
    }
    while queued > 0 {
      let (all, opening) = pool.count(of: host)
      if all >= version.mostConnections || opening >= queued { return }
      let seat = pool.open(host, at: now)
      if opensConnections(to: host) {
        carrier.open(seat, options[host], at: now)
        continue
      }
      pool.ready(seat, isSecured: false, at: now)
      guard let index = firstQueued(host) else { return }
      send(index, on: seat, at: now)
      queued -= 1
    }
  }

  private func opensConnections(to host: Int32) -> Bool {
    Bearer.alwaysOpens || options[host].opensConnections
  }

  private func firstQueued(_ host: Int32) -> Int? {
    jobs.indices.first { jobs[$0].isQueued && jobs[$0].request.host == host }
  }

  private mutating func send(_ index: Int, on seat: Int32, at now: Instant) {
    guard let connection = pool[seat] else { return }
    jobs[index].stage = .sent
    jobs[index].seat = seat
    jobs[index].timings.sent = now
    if opensConnections(to: jobs[index].request.host) {
      jobs[index].timings.connection = connection.number
      jobs[index].timings.reusesConnection = connection.uses > 0
      if connection.uses == 0 {
        jobs[index].timings.connecting = connection.opened
        jobs[index].timings.connected = connection.connected
        jobs[index].timings.secured = connection.secured
      }
    }
    pool.take(seat, track: jobs[index].request.track)
    // The latent end where the carrier begins, so that no schedule moves in between.
    carrier.send(order(index), at: now)
  }

  /// Ends a request, and what it leaves of its connection.
  mutating func finish(_ index: Int, _ outcome: RequestTimings.Outcome, at now: Instant) {
    var job = jobs.remove(at: index)
    switch job.stage {
    case .lookingUp, .queued, .standing: break
    case .sent, .responding:
      job.timings.bytes =
        outcome == .completed ? job.request.bytes : carrier.drop(job.id, at: now)
    }
    job.timings.ended = now
    job.timings.outcome = outcome
    closedBooks.delivered += job.timings.bytes
    closedBooks.abandoned += job.request.bytes - job.timings.bytes
    ended.append((job.id, job.timings))
    if job.seat >= 0 { leave(job, outcome, at: now) }
  }

  /// Leaves the connection to others, or closes it if what comes on it is of no use to anybody.
  private mutating func leave(_ job: Job, _ outcome: RequestTimings.Outcome, at now: Instant) {
    let isWhole =
      switch outcome {
      case .completed, .failed(.httpStatus): true
      case .underWay, .cancelled, .failed: options[job.request.host].version.resetsStreams
      }
    if isWhole {
      pool.release(job.seat, at: now)
    } else {
      close(job.seat, at: now)
    }
    assign(job.request.host, at: now)
  }

  mutating func close(_ seat: Int32, byServer: Bool = false, at now: Instant) {
    pool[seat] = nil
    carrier.close(seat, byServer: byServer, at: now)
  }
}

extension RequestDesk.Job {
  var isQueued: Bool { if case .queued = stage { true } else { false } }

  /// Whether it waits for something that comes before the carrier.
  var isLatent: Bool { if case .lookingUp = stage { true } else { isQueued } }
}

// Events that are due without a call: the carrier's, and the scheduler's own deadlines.

extension RequestDesk {
  /// Tells everything due at or before `now`; at one instant news come before deadlines, so that a
  /// byte that arrives when the client's patience ends is in time.
  mutating func advance(to now: Instant, into events: inout [LinkEvent]) {
    while nextWake <= now, !carrier.isRestless {
      let due = carrier.advance(to: min(now, nextDue), into: &heard)
      takeNews(at: due, &events)
    }
  }

  private mutating func takeNews(at due: Instant, _ events: inout [LinkEvent]) {
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

  private mutating func hear(_ event: CarrierEvent, at now: Instant, _ events: inout [LinkEvent]) {
    switch event {
    case .connected(let seat):
      pool[seat]?.connected = now
    case .ready(let seat):
      guard let host = pool[seat]?.host else { return }
      let isSecured = options[host].security != .none
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

  /// The order for the carrier, with the request's fault applied.
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
    case .reset(let after) where after < jobs[index].request.bytes || after <= 0:
      // Everything on the connection goes with it.
      jobs[index].stage = .standing
      jobs[index].timings.bytes = max(0, after)
      lose(jobs[index].seat, .connectionReset, at: now, &events)
    case .stall(let after) where after < jobs[index].request.bytes:
      jobs[index].stage = .standing
      jobs[index].timings.bytes = max(0, after)
      jobs[index].stillSince = now
      watch(index, at: now)
      tellChange(index, &events)
    case nil, .reset, .stall, .slowFirstByte:
      events.append(.completed(jobs[index].id, owner: jobs[index].request.owner))
      finish(index, .completed, at: now)
    }
  }

  private func tellChange(_ index: Int, _ events: inout [LinkEvent]) {
    if jobs[index].request.followsLine {
      events.append(.flowChanged(jobs[index].id, owner: jobs[index].request.owner))
    }
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
      if case .lookingUp(let until) = jobs[index].stage, until <= now {
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
    carrier.setLatent(jobs.indices.count { jobs[$0].isLatent }, at: now)
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

  /// The instant at which the client gives up if nothing changes.
  func deadline(idle: TimeSpan?) -> Instant {
    guard let idle, let stillSince, !isSuspended else { return expires }
    switch stage {
    case .lookingUp, .queued, .sent: return expires
    case .responding, .standing: return min(expires, stillSince + idle)
    }
  }
}

extension RequestDesk<PacketCarrier> {
  /// Lets the carrier's packets go on, and does what follows at the instant that they reach.
  mutating func run(
    to limit: Instant, steps most: Int64, into events: inout [LinkEvent]
  ) -> Instant? {
    let end = min(limit, nextDue - .nanoseconds(1))
    guard let reached = carrier.run(to: end, steps: most, into: &heard) else { return nil }
    takeNews(at: reached, &events)
    advance(to: reached, into: &events)
    return reached
  }
}

extension RequestDesk<FluidCarrier> {
  /// Gives every request its owner's shares, whether its bytes have begun to come or not.
  mutating func setWeights(_ weights: OwnerWeights, at now: Instant) {
    for index in jobs.indices {
      jobs[index].request.weight = weights.weight(of: jobs[index].request.owner)
    }
    carrier.transport.setWeights(weights, at: now)
  }
}

import VirtualTime

/// Requests over the packet transport: every message is bytes on a connection.
struct PacketCarrier: Carrier {
  static var alwaysOpens: Bool { true }

  struct Response: Sendable {
    var order: Order
    var hasBegun = false
    /// The body that has arrived, and what of it the reader has taken.
    var arrived: Int64 = 0
    var read: Int64 = 0
    var lastArrival: Instant?
    /// Events about the response that are still to be reported.
    var begins = false
    var grows = false

    var isComplete: Bool { hasBegun && read == order.bytes }
  }

  var transport: PacketTransport
  let options: TransportOptions
  /// By the desk's seats; nil where no connection is.
  var lines: [PacketLine?] = []
  /// The desk's seat of each of the transport's.
  private var seats: [Int32] = []
  var responses: [Response] = []
  /// Requests that the server thinks about.
  var thoughts: [(id: TransferID, due: Instant)] = []
  private(set) var clock: StepClock
  private var news: [TransportEvent] = []
  /// Since when there is something to tell that nobody asked the transport for.
  private var unheard = Instant.distantFuture
  var receipts: [Multiplexer.Receipt] = []
  private(set) var nextWake = Instant.distantFuture

  init(
    _ conditions: LinkConditions, _ schedule: RateSchedule?, plan: RatePlan,
    options: RequestOptions, seed: UInt64
  ) {
    self.options = options.transport
    clock = StepClock(conditions, schedule, plan)
    transport = PacketTransport(clock.conditions, options: options.transport.path, seed: seed)
  }

  /// Says anew when something is due; a stored answer, since it is asked for after every packet.
  private mutating func findNextWake() {
    let busy = thoughts.isEmpty ? transport.nextWake : min(transport.nextWake, nextThought)
    // A schedule step that affects no packet and no request needs no wakeup.
    nextWake = busy == .distantFuture ? unheard : min(busy, clock.nextStep, unheard)
  }

  mutating func open(_ seat: Int32, _ http: HTTPOptions, at now: Instant) {
    defer { findNextWake() }
    followSchedule(at: now)
    keep(transport.open(options.connection, at: now), seat, http)
  }

  mutating func stand(_ seat: Int32, _ http: HTTPOptions, at now: Instant) {
    defer { findNextWake() }
    followSchedule(at: now)
    let roundTrip = clock.conditions.roundTrip
    keep(transport.stand(options.connection, roundTrip: roundTrip, at: now), seat, http)
  }

  private mutating func keep(_ id: ConnectionID, _ seat: Int32, _ http: HTTPOptions) {
    while lines.count <= Int(seat) { lines.append(nil) }
    lines[Int(seat)] = PacketLine(id, http)
    while seats.count <= Int(id.seat) { seats.append(-1) }
    seats[Int(id.seat)] = seat
  }

  mutating func close(_ seat: Int32, byServer: Bool, at now: Instant) {
    defer { findNextWake() }
    guard let id = lines[Int(seat)]?.id else { return }
    lines[Int(seat)] = nil
    transport.close(id, byServer: byServer, at: now)
  }

  mutating func send(_ order: Order, at now: Instant) {
    defer { findNextWake() }
    followSchedule(at: now)
    responses.append(Response(order: order))
    responses[responses.count - 1].order.thinkTime += clock.latency(at: now)
    if lines[Int(order.seat)]?.http == nil { return }
    write(MessageSizes.request, .request(order.id), on: order.seat, at: now)
    if order.isSuspended { setReading(false, order.id, order.seat, at: now) }
  }

  mutating func drop(_ id: TransferID, at now: Instant) -> Int64 {
    defer { findNextWake() }
    guard let index = responses.firstIndex(where: { $0.order.id == id }) else { return 0 }
    let response = responses.remove(at: index)
    thoughts.removeAll { $0.id == id }
    if lines[Int(response.order.seat)]?.http.version.resetsStreams == true {
      write(MessageSizes.streamControl, .reset(id), on: response.order.seat, at: now)
    }
    return response.read
  }

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant) {
    defer { findNextWake() }
    guard let index = responses.firstIndex(where: { $0.order.id == id }) else { return }
    responses[index].order.isSuspended = suspended
    setReading(!suspended, id, responses[index].order.seat, at: now)
    // Bytes that arrived while it was suspended are read at once.
    if !suspended, responses[index].arrived > responses[index].read {
      responses[index].read = responses[index].arrived
      responses[index].grows = true
      unheard = now
    }
  }

  /// RFC 9293 §3.8.6: the window closes as the reader stops; with HTTP/2 only the stream's own
  /// (RFC 9113 §5.2).
  private mutating func setReading(
    _ reads: Bool, _ id: TransferID, _ seat: Int32, at now: Instant
  ) {
    guard let http = lines[Int(seat)]?.http, let line = lines[Int(seat)]?.id else { return }
    if http.version.resetsStreams {
      write(MessageSizes.streamControl, reads ? .resume(id) : .pause(id), on: seat, at: now)
    } else {
      transport.setReading(reads, on: line, at: now)
    }
  }

  static func flow(
    of id: TransferID, among responses: [Response], at now: Instant
  ) -> (flow: ByteFlow, validUntil: Instant)? {
    for index in responses.indices where responses[index].order.id == id {
      if !responses[index].hasBegun { return nil }
      // Packets come one by one: the line is flat from each to the next, which is an event.
      return (ByteFlow(anchor: now, bytes: responses[index].read, rate: .zero), .distantFuture)
    }
    return nil
  }

  func motion(of id: TransferID, at now: Instant) -> Motion {
    .still(since: lastArrival(of: id, at: now), until: .distantFuture)
  }

  func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    responses.first { $0.order.id == id }?.lastArrival
  }

  func arrivedBytes(at now: Instant) -> Int64 { responses.reduce(0) { $0 + $1.read } }

  mutating func setLatent(_ count: Int, at now: Instant) {}

  mutating func setConditions(
    _ conditions: LinkConditions, _ schedule: RateSchedule?, _ plan: RatePlan, keepsPlace: Bool,
    at now: Instant
  ) {
    defer { findNextWake() }
    clock.change(to: conditions, schedule, plan, keepsPlace: keepsPlace, at: now)
    transport.change(to: clock.conditions, at: now)
  }

  private mutating func followSchedule(at now: Instant) {
    if clock.advance(to: now) { transport.change(to: clock.conditions, at: now) }
  }

  var isRestless: Bool { transport.isRestless }

  mutating func advance(to limit: Instant, into events: inout [CarrierEvent]) -> Instant {
    while true {
      findNextWake()
      let next = nextWake
      if next > limit || isRestless { return limit }
      // The transport goes by itself to where something else is due, or to its first news.
      let others = min(nextThought, clock.nextStep, unheard)
      let now = transport.advance(to: max(next, min(others, limit)), into: &news)
      followSchedule(at: now)
      hearNews(at: now, into: &events)
      if !thoughts.isEmpty { finishThoughts(at: now) }
      if unheard <= now { unheard = .distantFuture }
      tell(at: now, into: &events)
      if !events.isEmpty {
        findNextWake()
        return now
      }
    }
  }

  /// Lets packets alone go on, as `Link.run` says.
  mutating func run(
    to limit: Instant, steps most: Int64, into events: inout [CarrierEvent]
  ) -> Instant? {
    let begun = transport.stepCount
    while events.isEmpty, !isRestless {
      let left = most - (transport.stepCount - begun)
      let others = min(nextThought, clock.nextStep, unheard)
      let end = min(limit, others - .nanoseconds(1))
      if left <= 0 || transport.nextWake > end { break }
      let now = transport.advance(to: end, steps: left, into: &news)
      hearNews(at: now, into: &events)
      tell(at: now, into: &events)
    }
    findNextWake()
    return transport.stepCount > begun ? transport.lastStep : nil
  }

  private mutating func hearNews(at now: Instant, into events: inout [CarrierEvent]) {
    for index in news.indices { hear(news[index], at: now, into: &events) }
    while news.popLast() != nil {}
  }

  private var nextThought: Instant { thoughts.reduce(.distantFuture) { min($0, $1.due) } }

  func seat(of id: ConnectionID) -> Int32? {
    guard Int(id.seat) < seats.count else { return nil }
    let seat = seats[Int(id.seat)]
    guard seat >= 0, lines[Int(seat)]?.id == id else { return nil }
    return seat
  }

  /// Everything that became different of the responses, once an instant.
  private mutating func tell(at now: Instant, into events: inout [CarrierEvent]) {
    for index in responses.indices {
      if responses[index].begins {
        responses[index].begins = false
        responses[index].grows = responses[index].isComplete
        events.append(.responded(responses[index].order.id))
      } else if responses[index].grows, !responses[index].isComplete {
        responses[index].grows = false
        if responses[index].order.followsLine {
          events.append(.flowChanged(responses[index].order.id))
        }
      }
    }
    while let index = responses.firstIndex(where: { $0.grows }) {
      let response = responses.remove(at: index)
      if response.order.isSuspended {
        setReading(true, response.order.id, response.order.seat, at: now)
      }
      events.append(.completed(response.order.id))
    }
  }
}

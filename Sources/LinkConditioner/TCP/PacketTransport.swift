package import VirtualTime

/// Connections over one link, packet by packet.
///
/// The owner of the clock asks for `nextWake` and calls `advance`. At one instant events have this
/// total order: packets arrive at the client, then at the server, each direction in the order in
/// which they were sent; the downlink's packet in service leaves, then the uplink's; then timers,
/// by seat: the client's, the server's. What one of these causes at the same instant
/// is looked at in the same order again. An arrival so precedes the timer that waits for it, and a
/// full queue has no room yet for a packet that is sent as another leaves it: acknowledgements of a
/// burst come at the pace at which the queue drains, and on a real host some are early.
package struct PacketTransport: Sendable {
  private var downlink: PathDirection
  private var uplink: PathDirection
  private var connections: [Connection] = []
  private var freeSeats: [Int32] = []
  /// The next timer of each seat, and the earliest of all.
  private var wakes: [Int64] = []
  private var earliestWake: Int64 = .max
  /// The instant of the last step.
  private var clock: Int64 = 0
  private let stepsPerInstant: Int
  private var stepsAtClock = 0
  /// The number of steps so far: departures, arrivals and timers.
  package private(set) var stepCount: Int64 = 0
  /// Whether one instant has taken more steps than there may be: over a link without limit and
  /// delay a download without end takes no time. From then on nothing happens any more.
  package private(set) var isRestless = false
  /// The time between two packets of a server's burst: a host sends 6 Gbit/s.
  private static let hostSpacing: Int64 = 2_000

  package init(_ conditions: LinkConditions, options: PathOptions = PathOptions(), seed: UInt64) {
    downlink = PathDirection(
      conditions.downlink, options: options, seed: seed, stream: "loss/downlink")
    uplink = PathDirection(conditions.uplink, options: options, seed: seed, stream: "loss/uplink")
    stepsPerInstant = options.stepsPerInstant
  }

  package var losesByChance: Bool { downlink.losesByChance || uplink.losesByChance }

  /// The instant of the next event, or `distantFuture`.
  package var nextWake: Instant {
    Instant(nanoseconds: min(downlink.nextWake, uplink.nextWake, earliestWake))
  }

  package var lastStep: Instant { Instant(nanoseconds: clock) }

  /// Lets everything happen that is due, up to an instant or to the first one that brings news.
  ///
  /// - Parameter most: The number of steps after which no further instant begins.
  /// - Returns: The instant reached. Before `limit` there are events, all of that instant, or the
  ///   steps are as many as they may be.
  @discardableResult
  package mutating func advance(
    to limit: Instant, steps most: Int64 = .max, into events: inout [TransportEvent]
  ) -> Instant {
    let (heard, begun) = (events.count, stepCount)
    while !isRestless {
      let next = min(downlink.nextWake, uplink.nextWake, earliestWake)
      if next == .max || next > limit.nanoseconds { break }
      if next > clock {
        if events.count > heard || stepCount - begun >= most { return lastStep }
        stepsAtClock = 0
      }
      clock = next
      stepsAtClock += 1
      stepCount += 1
      isRestless = stepsAtClock > stepsPerInstant
      step(at: next, into: &events)
    }
    return events.count == heard && !isRestless ? max(lastStep, limit) : lastStep
  }

  private mutating func step(at now: Int64, into events: inout [TransportEvent]) {
    if downlink.nextDelivery == now {
      deliver(downlink.takeDelivery(), toClient: true, at: now, into: &events)
    } else if uplink.nextDelivery == now {
      deliver(uplink.takeDelivery(), toClient: false, at: now, into: &events)
    } else if downlink.serviceEnd == now {
      downlink.finishService(at: now)
    } else if uplink.serviceEnd == now {
      uplink.finishService(at: now)
    } else if let index = wakes.firstIndex(where: { $0 <= now }) {
      connections[index].wake(at: now, into: &events)
      flush(index, at: now)
    }
  }

  /// Opens a connection: its SYN leaves now.
  package mutating func open(_ options: ConnectionOptions, at now: Instant) -> ConnectionID {
    let index = take(options)
    connections[index].client.open(at: now.nanoseconds)
    flush(index, at: now.nanoseconds)
    return connections[index].id
  }

  /// Takes in an established connection: both ends measured the round trip, nothing was sent yet.
  package mutating func stand(
    _ options: ConnectionOptions, roundTrip: TimeSpan, at now: Instant
  ) -> ConnectionID {
    let index = take(options)
    connections[index].client.stand(roundTrip: roundTrip.nanoseconds, at: now.nanoseconds)
    connections[index].server.stand(roundTrip: roundTrip.nanoseconds, at: now.nanoseconds)
    flush(index, at: now.nanoseconds)
    return connections[index].id
  }

  private mutating func take(_ options: ConnectionOptions) -> Int {
    let seat = freeSeats.popLast() ?? Int32(truncatingIfNeeded: connections.count)
    let index = Int(seat)
    if index == connections.count {
      connections.append(Connection(options, seat: seat, generation: 0))
      wakes.append(.max)
    } else {
      let generation = connections[index].generation &+ 1
      connections[index] = Connection(options, seat: seat, generation: generation)
    }
    return index
  }

  /// Writes a request to the client's stream; the server tells when all of it is there.
  ///
  /// - Parameter answer: The bytes that the server writes by itself then.
  package mutating func send(
    _ bytes: Int64, answeredBy answer: Int64? = nil, on id: ConnectionID, at now: Instant
  ) {
    guard let index = index(of: id) else { return }
    // A request of no bytes could not arrive.
    connections[index].send(max(bytes, 1), answer: answer, at: now.nanoseconds)
    flush(index, at: now.nanoseconds)
  }

  /// Writes to the server's stream.
  package mutating func respond(_ bytes: Int64, on id: ConnectionID, at now: Instant) {
    guard let index = index(of: id) else { return }
    connections[index].server.write(max(bytes, 0), at: now.nanoseconds)
    flush(index, at: now.nanoseconds)
  }

  /// Takes back what the server wrote last, as far as it was not sent.
  package mutating func withdraw(_ bytes: Int64, on id: ConnectionID) {
    guard let index = index(of: id) else { return }
    connections[index].server.sender.withdraw(bytes)
  }

  /// The client stops reading, so that its window closes, or reads on.
  package mutating func setReading(_ reading: Bool, on id: ConnectionID, at now: Instant) {
    guard let index = index(of: id) else { return }
    connections[index].client.setReading(reading, at: now.nanoseconds)
    flush(index, at: now.nanoseconds)
  }

  /// The client drops the connection, and what the server has under way still uses the link; or the
  /// server resets it, of which the client hears when the reset arrives.
  package mutating func close(_ id: ConnectionID, byServer: Bool = false, at now: Instant) {
    guard let index = index(of: id) else { return }
    connections[index].abandon(byServer: byServer, at: now.nanoseconds)
    flush(index, at: now.nanoseconds)
  }

  /// The number of bytes that the server has written and not yet sent.
  package func unsentBytes(on id: ConnectionID) -> Int64 {
    index(of: id).map { connections[$0].server.unsentBytes } ?? 0
  }

  package mutating func change(to conditions: LinkConditions, at now: Instant) {
    downlink.change(to: conditions.downlink, at: now.nanoseconds)
    uplink.change(to: conditions.uplink, at: now.nanoseconds)
  }

  package var downlinkCounters: PathCounters { downlink.counters }

  package var uplinkCounters: PathCounters { uplink.counters }

  private func index(of id: ConnectionID) -> Int? {
    let index = Int(id.seat)
    guard index < connections.count, connections[index].generation == id.generation else {
      return nil
    }
    return index
  }

  private mutating func deliver(
    _ packet: Packet, toClient: Bool, at now: Int64, into events: inout [TransportEvent]
  ) {
    let index = Int(packet.seat)
    guard connections[index].generation == packet.generation else { return }
    if toClient {
      let news = connections[index].client.hear(packet, at: now)
      if let event = connections[index].clientEvent(for: news) { events.append(event) }
    } else {
      connections[index].hearAtServer(packet, at: now, into: &events)
    }
    flush(index, at: now)
  }

  /// Hands what the hosts of a connection have to say to the link, and looks at its timers.
  private mutating func flush(_ index: Int, at now: Int64) {
    while !connections[index].client.outlet.packets.isEmpty {
      uplink.offer(connections[index].client.outlet.packets.removeFirst(), at: now)
    }
    var leaves = now
    while !connections[index].server.outlet.packets.isEmpty {
      let packet = connections[index].server.outlet.packets.removeFirst()
      downlink.offer(packet, at: leaves, since: now)
      leaves += Self.hostSpacing
    }
    let wake = connections[index].nextWake
    let before = wakes[index]
    wakes[index] = wake
    if wake <= earliestWake {
      earliestWake = wake
    } else if before == earliestWake {
      earliestWake = wakes.min() ?? .max
    }
    if connections[index].retire() { freeSeats.append(Int32(truncatingIfNeeded: index)) }
  }
}

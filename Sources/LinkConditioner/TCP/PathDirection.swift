internal import VirtualTime

/// One direction of a bottleneck: loss, a queue that drops its tail, a wire, a delay.
package struct PathDirection: Sendable {
  package private(set) var conditions: DirectionConditions
  private let options: PathOptions
  private var losses: RandomStream
  /// Whether chance had a say so far in what became of packets.
  package private(set) var losesByChance: Bool
  private var serialiser: Serialiser
  private var waiting = Ring(filler: Packet.none)
  private var flying = Ring(filler: Flight(packet: .none, due: 0))
  private var inService = Packet.none
  private var isBusy = false
  /// The instant at which the token bucket is full again.
  private var fullAt: Int64 = 0
  private var lastDue: Int64 = 0
  private var books = PathCounters()
  /// The instant at which the packet in service has left, or never.
  package private(set) var serviceEnd: Int64 = .max
  /// The instant at which the next packet arrives, or never.
  package private(set) var nextDelivery: Int64 = .max

  package init(
    _ conditions: DirectionConditions, options: PathOptions, seed: UInt64, stream name: String
  ) {
    self.conditions = conditions
    self.options = options
    losses = RandomStream(seed: seed, name: name)
    losesByChance = conditions.loss.isUncertain
    serialiser = Serialiser(conditions.bandwidth)
  }

  /// The next instant at which something happens here.
  @inline(__always)
  package var nextWake: Int64 { min(serviceEnd, nextDelivery) }

  /// - Parameter start: The instant at which the packet's burst began. On a link of limited
  ///   bandwidth the packets that have left the queue since then make room.
  package mutating func offer(_ packet: Packet, at instant: Int64, since start: Int64 = .max) {
    let now = serialiser.isUnlimited ? min(instant, start) : instant
    while serviceEnd > start, serviceEnd <= now { finishService(at: serviceEnd) }
    books.sent.add(packet)
    if options.lossPosition == .beforeQueue, draw(packet) { return }
    if isBusy {
      if waiting.count >= Int64(conditions.queuePackets) {
        books.overflowed.add(packet)
      } else {
        waiting.append(packet)
      }
      return
    }
    serve(packet, at: now, continuing: false)
  }

  /// The last bit of the packet in service leaves, and the next packet follows.
  package mutating func finishService(at now: Int64) {
    isBusy = false
    serviceEnd = .max
    if options.idleLink == .passesAtOnce {
      pass(inService, at: now)
    } else {
      depart(inService, at: now)
    }
    while !isBusy, !waiting.isEmpty {
      serve(waiting.removeFirst(), at: now, continuing: true)
    }
  }

  /// Takes the packet that is there.
  @inline(__always)
  package mutating func takeDelivery() -> Packet {
    let flight = flying.removeFirst()
    books.delivered.add(flight.packet)
    nextDelivery = flying.isEmpty ? .max : flying[flying.first].due
    return flight.packet
  }

  /// From now on the link is like this; what is flying keeps its time, and order is kept.
  package mutating func change(to new: DirectionConditions, at now: Int64) {
    if new.bandwidth != conditions.bandwidth {
      if options.idleLink == .passesAtOnce {
        // The bucket keeps its tokens; the missing ones arrive at the new rate.
        fullAt = serialiser.end(
          ofServiceFrom: now, leaving: max(fullAt, now), bytes: 0, under: new.bandwidth)
        if isBusy { serviceEnd = instantOfTokens(for: inService, at: now) }
      } else if isBusy {
        serviceEnd = serialiser.end(
          ofServiceFrom: now, leaving: serviceEnd, bytes: inService.wireBytes, under: new.bandwidth)
      } else {
        serialiser = Serialiser(new.bandwidth)
      }
    }
    conditions = new
    losesByChance = losesByChance || new.loss.isUncertain
  }

  /// The books, with what is under way counted.
  package var counters: PathCounters {
    var counters = books
    if isBusy { counters.inFlight.add(inService) }
    for position in waiting.first..<waiting.end { counters.inFlight.add(waiting[position]) }
    for position in flying.first..<flying.end { counters.inFlight.add(flying[position].packet) }
    return counters
  }

  private mutating func serve(_ packet: Packet, at now: Int64, continuing: Bool) {
    if serialiser.isUnlimited {
      depart(packet, at: now)
      // A queue that an unlimited bandwidth finds empties at once.
      while !waiting.isEmpty { depart(waiting.removeFirst(), at: now) }
      return
    }
    if options.idleLink == .passesAtOnce {
      serviceEnd = instantOfTokens(for: packet, at: now)
      if serviceEnd <= now {
        serviceEnd = .max
        return pass(packet, at: now)
      }
    } else {
      serviceEnd = serialiser.end(
        ofServiceFrom: now, bytes: packet.wireBytes, continuing: continuing)
    }
    isBusy = true
    inService = packet
  }

  private mutating func instantOfTokens(for packet: Packet, at now: Int64) -> Int64 {
    // During an outage no packet passes, whatever the bucket holds.
    if serialiser.isStopped { return .max }
    // A packet larger than the bucket waits until the bucket is full.
    let spare = max(options.bucketBytes - packet.wireBytes, 0)
    return max(now, fullAt - serialiser.duration(of: spare))
  }

  /// Takes the packet's bytes from the token bucket.
  private mutating func pass(_ packet: Packet, at now: Int64) {
    fullAt = serialiser.end(
      ofServiceFrom: max(fullAt, now), bytes: packet.wireBytes, continuing: fullAt > now)
    depart(packet, at: now)
  }

  private mutating func depart(_ packet: Packet, at now: Int64) {
    if options.lossPosition == .afterQueue, draw(packet) { return }
    // A delay that shrinks does not let a packet overtake another.
    lastDue = max(lastDue, saturatingSum(now, conditions.delay.nanoseconds))
    if flying.isEmpty { nextDelivery = lastDue }
    flying.append(Flight(packet: packet, due: lastDue))
  }

  /// Whether chance takes the packet; one draw a packet, whatever the ratio.
  private mutating func draw(_ packet: Packet) -> Bool {
    let loss = conditions.loss
    guard losses.chance(numerator: loss.numerator, denominator: loss.denominator) else {
      return false
    }
    books.lost.add(packet)
    return true
  }
}

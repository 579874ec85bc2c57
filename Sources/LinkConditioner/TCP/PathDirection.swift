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

  package mutating func offer(_ packet: Packet, at now: Int64) {
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
    if options.idleLink == .serialises { depart(inService, at: now) }
    isBusy = false
    serviceEnd = .max
    if !waiting.isEmpty { serve(waiting.removeFirst(), at: now, continuing: true) }
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
      if isBusy {
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
    if isBusy, options.idleLink == .serialises { counters.inFlight.add(inService) }
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
    isBusy = true
    inService = packet
    serviceEnd = serialiser.end(
      ofServiceFrom: now, bytes: packet.wireBytes, continuing: continuing)
    if options.idleLink == .passesAtOnce { depart(packet, at: now) }
  }

  private mutating func depart(_ packet: Packet, at now: Int64) {
    if options.lossPosition == .afterQueue, draw(packet) { return }
    // A delay that shrinks does not let a packet overtake another.
    lastDue = max(lastDue, now.addingClamped(conditions.delay.nanoseconds))
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

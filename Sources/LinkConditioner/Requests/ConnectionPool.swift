import VirtualTime

struct ConnectionPool: Sendable {
  struct Seat: Sendable {
    var host: Int32
    /// From 1 in the order in which they were opened.
    var number: Int32
    var isReady = false
    /// The number of requests under way on the connection.
    var streams: Int32 = 0
    var uses: Int32 = 0
    var opened: Instant
    var connected: Instant?
    var secured: Instant?
    /// Since when nobody uses it.
    var idleSince: Instant
    /// The track of the request that it carried last.
    var track: Int32 = 0
  }

  /// Nil where a connection has gone and its seat is free.
  private(set) var seats: [Seat?] = []
  private var lastNumber: Int32 = 0

  subscript(seat: Int32) -> Seat? {
    get { seats[Int(seat)] }
    _modify { yield &seats[Int(seat)] }
  }

  mutating func open(_ host: Int32, at now: Instant) -> Int32 {
    lastNumber &+= 1
    let new = Seat(host: host, number: lastNumber, opened: now, idleSince: now)
    if let vacant = seats.firstIndex(where: { $0 == nil }) {
      seats[vacant] = new
      return Int32(truncatingIfNeeded: vacant)
    }
    seats.append(new)
    return Int32(truncatingIfNeeded: seats.count - 1)
  }

  /// Takes a connection in that was used before.
  mutating func stand(_ host: Int32, at now: Instant) -> Int32 {
    let seat = open(host, at: now)
    self[seat]?.isReady = true
    self[seat]?.uses = 1
    return seat
  }

  mutating func ready(_ seat: Int32, isSecured: Bool, at now: Instant) {
    self[seat]?.isReady = true
    self[seat]?.secured = isSecured ? now : nil
    self[seat]?.idleSince = now
  }

  func count(of host: Int32) -> (all: Int32, opening: Int) {
    seats.reduce((0, 0)) { sum, seat in
      guard let seat, seat.host == host else { return sum }
      return (sum.0 + 1, sum.1 + (seat.isReady ? 0 : 1))
    }
  }

  /// The connection for a request to a host: the one its track was on, or else the one used last.
  func free(for host: Int32, mostStreams: Int32, track: Int32) -> Int32? {
    var best: (seat: Int32, own: Int32, since: Instant)?
    for (index, seat) in seats.enumerated() {
      guard let seat, seat.host == host, seat.isReady, seat.streams < mostStreams else { continue }
      let own: Int32 = seat.track == track ? 1 : 0
      if let best, (own, seat.idleSince) <= (best.own, best.since) { continue }
      best = (Int32(truncatingIfNeeded: index), own, seat.idleSince)
    }
    return best?.seat
  }

  /// A connection to a host that nobody has used for too long.
  func expired(_ host: Int32, after timeout: TimeSpan, at now: Instant) -> Int32? {
    seats.firstIndex { seat in
      guard let seat, seat.host == host, seat.isReady, seat.streams == 0 else { return false }
      return now - seat.idleSince >= timeout
    }.map { Int32(truncatingIfNeeded: $0) }
  }

  mutating func take(_ seat: Int32, track: Int32) {
    self[seat]?.track = track
    self[seat]?.streams += 1
    self[seat]?.uses &+= 1
  }

  mutating func release(_ seat: Int32, at now: Instant) {
    self[seat]?.streams -= 1
    self[seat]?.idleSince = now
  }
}

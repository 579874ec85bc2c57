package import VirtualTime

/// An answer that a server writes by itself when a request has arrived.
package struct Answer: Hashable, Sendable {
  package var bytes: Int64
  package var thinkTime: TimeSpan

  package init(bytes: Int64, thinkTime: TimeSpan = .zero) {
    self.bytes = bytes
    self.thinkTime = thinkTime
  }
}

/// Both ends of a connection, and the answers that its server has promised.
struct Connection: Sendable {
  var client: Endpoint
  var server: Endpoint
  let seat: Int32
  let generation: Int32
  private var requests: [Request] = []
  private var isRetired = false

  /// A request under way, or one that the server thinks about.
  private struct Request: Sendable {
    /// The end of the request in the client's stream.
    var end: Int64
    var answer: Answer?
    /// The instant of the server's answer, once all of the request has arrived.
    var answeredAt: Int64 = .max
  }

  init(_ options: ConnectionOptions, seat: Int32, generation: Int32) {
    client = Endpoint(options, seat: seat, generation: generation)
    server = Endpoint(options, seat: seat, generation: generation)
    self.seat = seat
    self.generation = generation
  }

  var id: ConnectionID { ConnectionID(seat: seat, generation: generation) }

  @inline(__always)  // out of line, it would copy the connection
  var nextWake: Int64 {
    var wake = min(client.nextWake, server.nextWake)
    for request in requests { wake = min(wake, request.answeredAt) }
    return wake
  }

  mutating func stand(roundTrip: Int64, at now: Int64) {
    client.stand(roundTrip: roundTrip, at: now)
    server.stand(roundTrip: roundTrip, at: now)
  }

  private var streamEnd: Int64 = 0

  mutating func send(_ bytes: Int64, answer: Answer?, at now: Int64) {
    streamEnd += bytes
    requests.append(Request(end: streamEnd, answer: answer))
    client.write(bytes, at: now)
  }

  func clientEvent(for news: Endpoint.News) -> TransportEvent? {
    switch news {
    case .nothing: nil
    case .established: .established(id)
    case .arrived(let bytes): .delivered(id, streamBytes: bytes)
    case .reset: .failed(id, .connectionReset)
    case .gaveUp: .failed(id, .timedOut)
    }
  }

  mutating func hearAtServer(_ packet: Packet, at now: Int64, into events: inout [TransportEvent]) {
    switch server.hear(packet, at: now) {
    case .nothing, .established: break
    case .arrived(let bytes): hearRequests(upTo: bytes, at: now, into: &events)
    case .reset, .gaveUp: requests.removeAll()
    }
  }

  private mutating func hearRequests(
    upTo bytes: Int64, at now: Int64, into events: inout [TransportEvent]
  ) {
    for index in requests.indices
    where requests[index].end <= bytes && requests[index].answeredAt == .max {
      events.append(.requestArrived(id, streamBytes: requests[index].end))
      let thinkTime = requests[index].answer?.thinkTime ?? .zero
      requests[index].answeredAt = saturatingSum(now, thinkTime.nanoseconds)
    }
    answer(at: now)
  }

  /// Writes what is due, in the order of the requests.
  private mutating func answer(at now: Int64) {
    while let request = requests.first, request.answeredAt <= now {
      requests.removeFirst()
      if let answer = request.answer { server.write(max(answer.bytes, 0), at: now) }
    }
  }

  mutating func wake(at now: Int64, into events: inout [TransportEvent]) {
    if client.nextWake <= now, let event = clientEvent(for: client.wake(at: now)) {
      events.append(event)
    }
    if server.nextWake <= now { _ = server.wake(at: now) }
    answer(at: now)
    // An answer that waits behind an earlier one is not a reason to wake.
    for index in requests.indices.dropFirst() where requests[index].answeredAt <= now {
      requests[index].answeredAt = requests[0].answeredAt
    }
  }

  mutating func abandonByServer(at now: Int64) {
    server.abandon(at: now)
    requests.removeAll()
  }

  /// Gives the seat back once both ends are gone; true once.
  mutating func retire() -> Bool {
    guard !isRetired, client.state == .gone, server.state == .gone || server.state == .idle
    else { return false }
    isRetired = true
    return true
  }
}

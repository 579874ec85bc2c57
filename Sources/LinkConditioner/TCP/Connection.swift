/// Both ends of a connection, and the answers that its server has promised.
struct Connection: Sendable {
  var client: Endpoint
  var server: Endpoint
  let seat: Int32
  let generation: Int32
  /// The ends of the requests under way in the client's stream, and the bytes of their answers.
  private var requests: [(end: Int64, answer: Int64?)] = []
  private var isRetired = false

  init(_ options: ConnectionOptions, seat: Int32, generation: Int32) {
    client = Endpoint(options, seat: seat, generation: generation)
    server = Endpoint(options, seat: seat, generation: generation)
    self.seat = seat
    self.generation = generation
  }

  var id: ConnectionID { ConnectionID(seat: seat, generation: generation) }

  @inline(__always)  // out of line, it would copy the connection
  var nextWake: Int64 { min(client.nextWake, server.nextWake) }

  private var streamEnd: Int64 = 0

  mutating func send(_ bytes: Int64, answer: Int64?, at now: Int64) {
    streamEnd += bytes
    requests.append((streamEnd, answer))
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
    case .arrived(let bytes): answer(upTo: bytes, at: now, into: &events)
    case .reset, .gaveUp: requests.removeAll()
    }
  }

  private mutating func answer(
    upTo bytes: Int64, at now: Int64, into events: inout [TransportEvent]
  ) {
    while let request = requests.first, request.end <= bytes {
      requests.removeFirst()
      events.append(.requestArrived(id, streamBytes: request.end))
      if let answer = request.answer { server.write(max(answer, 0), at: now) }
    }
  }

  mutating func wake(at now: Int64, into events: inout [TransportEvent]) {
    if client.nextWake <= now, let event = clientEvent(for: client.wake(at: now)) {
      events.append(event)
    }
    if server.nextWake <= now { _ = server.wake(at: now) }
  }

  mutating func abandon(byServer: Bool, at now: Int64) {
    if !byServer { return client.abandon(at: now) }
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

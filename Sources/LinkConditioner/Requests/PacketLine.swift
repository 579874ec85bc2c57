import VirtualTime

/// One packet connection: the messages under way to the server, and the content of its stream.
struct PacketLine: Sendable {
  enum Message: Sendable {
    case clientHello
    /// The client's part of the handshake is done.
    case clientFinished
    case request(TransferID)
    /// Nobody wants a response any more, for now, or again.
    case reset(TransferID)
    case pause(TransferID)
    case resume(TransferID)
  }

  let id: ConnectionID
  let http: HTTPOptions
  /// The number of bytes that the client has written, and the end of each of its messages.
  private(set) var written: Int64 = 0
  private var messages: [(end: Int64, message: Message)] = []
  var serverWritten: Int64 = 0
  /// The server bytes that must arrive before the client goes on; nil once it can send requests.
  var awaited: Int64?
  /// The number of the server's handshake flights that the client has received.
  var flights = 0
  var multiplexer: Multiplexer

  init(_ id: ConnectionID, _ http: HTTPOptions) {
    self.id = id
    self.http = http
    multiplexer = Multiplexer(http)
  }

  mutating func write(_ bytes: Int64, _ message: Message) {
    written += bytes
    messages.append((written, message))
  }

  // Perf: a line is looked at where it stands: whoever reads a part of it copies it.
  /// Takes what has arrived at the client; true where it completes a flight of the handshake.
  mutating func receive(upTo bytes: Int64, into receipts: inout [Multiplexer.Receipt]) -> Bool {
    guard let awaited else {
      multiplexer.receive(upTo: bytes, into: &receipts)
      return false
    }
    if bytes < awaited { return false }
    flights += 1
    return true
  }

  /// The next message that has reached the server.
  mutating func takeMessage(upTo bytes: Int64) -> Message? {
    guard let first = messages.first, first.end <= bytes else { return nil }
    messages.removeFirst()
    return first.message
  }
}

extension PacketCarrier {
  /// Writes a message of the client's.
  mutating func write(
    _ bytes: Int64, _ message: PacketLine.Message, on seat: Int32, at now: Instant
  ) {
    guard let id = lines[Int(seat)]?.id else { return }
    lines[Int(seat)]?.write(bytes, message)
    transport.send(bytes, on: id, at: now)
  }

  mutating func hear(_ event: TransportEvent, at now: Instant, into events: inout [CarrierEvent]) {
    switch event {
    case .established(let id):
      guard let seat = seat(of: id) else { return }
      events.append(.connected(seat: seat))
      secure(seat, at: now, into: &events)
    case .requestArrived(let id, let bytes):
      guard let seat = seat(of: id) else { return }
      while let message = lines[Int(seat)]?.takeMessage(upTo: bytes) {
        serve(message, on: seat, at: now)
      }
    case .delivered(let id, let bytes):
      guard let seat = seat(of: id) else { return }
      receive(bytes, on: seat, at: now, into: &events)
    case .failed(let id, let failure):
      guard let seat = seat(of: id) else { return }
      events.append(.lost(seat: seat, failure))
    }
  }

  /// Takes the next step towards a connection that can take requests.
  private mutating func secure(_ seat: Int32, at now: Instant, into events: inout [CarrierEvent]) {
    guard let http = lines[Int(seat)]?.http, let flights = lines[Int(seat)]?.flights else { return }
    let sizes = MessageSizes.self
    switch (http.security, flights) {
    case (.tls13, 0), (.tls12, 0):
      write(sizes.clientHello, .clientHello, on: seat, at: now)
      let flight = http.security == .tls13 ? sizes.serverFlight13 : sizes.serverFlight12
      lines[Int(seat)]?.awaited = flight
    case (.tls12, 1):
      write(sizes.clientFinished12, .clientFinished, on: seat, at: now)
      lines[Int(seat)]?.awaited = sizes.serverFlight12 + sizes.serverFinished12
    case (.tls13, _):
      // RFC 8446 §2: the client's Finished and its first request leave together.
      write(sizes.clientFinished13, .clientFinished, on: seat, at: now)
      lines[Int(seat)]?.awaited = nil
      events.append(.ready(seat: seat))
    case (.none, _), (.tls12, _):
      lines[Int(seat)]?.awaited = nil
      events.append(.ready(seat: seat))
    }
  }

  private mutating func receive(
    _ bytes: Int64, on seat: Int32, at now: Instant, into events: inout [CarrierEvent]
  ) {
    while receipts.popLast() != nil {}
    if lines[Int(seat)]?.receive(upTo: bytes, into: &receipts) == true {
      return secure(seat, at: now, into: &events)
    }
    for receipt in receipts {
      // Nobody waits for the rest of a response that was given up.
      guard let index = responses.firstIndex(where: { $0.order.id == receipt.id }) else { continue }
      if receipt.begins {
        responses[index].begins = true
        responses[index].hasBegun = true
      }
      responses[index].arrived += receipt.body
      responses[index].lastArrival = now
      if responses[index].order.isSuspended { continue }
      responses[index].read = responses[index].arrived
      responses[index].grows = true
    }
  }

  private mutating func serve(_ message: PacketLine.Message, on seat: Int32, at now: Instant) {
    // The line itself must not be held while it changes: that would copy its arrays.
    guard let http = lines[Int(seat)]?.http else { return }
    let sizes = MessageSizes.self
    let sent = sent(on: seat)
    switch message {
    case .clientHello:
      let flight = http.security == .tls12 ? sizes.serverFlight12 : sizes.serverFlight13
      lines[Int(seat)]?.multiplexer.skip(flight)
      respond(flight, on: seat, at: now)
    case .clientFinished:
      if http.security != .tls12 { return }
      lines[Int(seat)]?.multiplexer.skip(sizes.serverFinished12)
      respond(sizes.serverFinished12, on: seat, at: now)
    case .request(let id):
      guard let response = responses.first(where: { $0.order.id == id }) else { return }
      let thinkTime = serverTime(
        response.order.thinkTime, until: response.order.availableAt, reachedAt: now)
      if thinkTime > .zero {
        thoughts.append((id, now + thinkTime))
      } else {
        answer(response, at: now)
      }
    case .reset(let id):
      withdraw(lines[Int(seat)]?.multiplexer.remove(id, sent: sent) ?? 0, on: seat)
    case .pause(let id):
      withdraw(lines[Int(seat)]?.multiplexer.setPaused(true, id, sent: sent) ?? 0, on: seat)
    case .resume(let id):
      let bytes = lines[Int(seat)]?.multiplexer.setPaused(false, id, sent: sent) ?? 0
      respond(bytes, on: seat, at: now)
    }
  }

  /// Answers what has been thought about.
  mutating func finishThoughts(at now: Instant) {
    while let index = thoughts.firstIndex(where: { $0.due <= now }) {
      let id = thoughts.remove(at: index).id
      if let response = responses.first(where: { $0.order.id == id }) { answer(response, at: now) }
    }
  }

  private mutating func answer(_ response: Response, at now: Instant) {
    let sent = sent(on: response.order.seat)
    let bytes = lines[Int(response.order.seat)]?.multiplexer.add(
      response.order.id, body: response.order.bytes, sent: sent)
    respond(bytes ?? 0, on: response.order.seat, at: now)
  }

  /// The number of bytes that the server has written and sent.
  private func sent(on seat: Int32) -> Int64 {
    guard let id = lines[Int(seat)]?.id, let written = lines[Int(seat)]?.serverWritten else {
      return 0
    }
    return written - transport.unsentBytes(on: id)
  }

  private mutating func respond(_ bytes: Int64, on seat: Int32, at now: Instant) {
    guard bytes > 0, let id = lines[Int(seat)]?.id else { return }
    lines[Int(seat)]?.serverWritten += bytes
    transport.respond(bytes, on: id, at: now)
  }

  private mutating func withdraw(_ bytes: Int64, on seat: Int32) {
    guard bytes > 0, let id = lines[Int(seat)]?.id else { return }
    lines[Int(seat)]?.serverWritten -= bytes
    transport.withdraw(bytes, on: id)
  }
}

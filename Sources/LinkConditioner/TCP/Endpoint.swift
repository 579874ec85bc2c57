/// One host's end of a connection: handshake, sender and receiver.
struct Endpoint: Sendable {
  enum State: Sendable {
    case idle
    /// The client has sent a SYN.
    case opening
    case answering
    case established
    /// Closed, reset or given up.
    case gone
  }

  /// An event at the host that the layer above may want to know.
  enum News: Sendable {
    case nothing
    case established
    /// The stream has arrived up to this many bytes.
    case arrived(Int64)
    case reset
    case gaveUp
  }

  private(set) var state = State.idle
  var sender: Sender
  private var handshake = Handshake()
  var outlet: HostOutlet

  init(_ options: ConnectionOptions, seat: Int32, generation: Int32) {
    sender = Sender(options)
    outlet = HostOutlet(seat: seat, generation: generation)
  }

  /// The next instant at which a timer goes off, or never.
  @inline(__always)
  var nextWake: Int64 {
    switch state {
    case .idle, .gone: .max
    case .opening, .answering: handshake.alarmAt
    case .established: min(sender.nextWake, outlet.receiver.nextWake)
    }
  }

  /// The end of what was written and not yet sent for the first time.
  var unsentBytes: Int64 { sender.buffer.written - sender.next }

  mutating func open(at now: Int64) {
    state = .opening
    _ = handshake.sendSyn(at: now)
    outlet.send(.synchronize, echo: 0, at: now)
  }

  /// Stands as after a handshake that took a round trip.
  mutating func stand(roundTrip: Int64, at now: Int64) {
    state = .established
    sender.begin(roundTrip: roundTrip, at: now)
    outlet.receiver.hearHandshake(milliseconds(now))
  }

  mutating func write(_ bytes: Int64, at now: Int64) {
    guard state != .gone else { return }
    sender.write(bytes, at: now)
    if state == .established { sender.sendNew(at: now, from: &outlet) }
  }

  mutating func setReading(_ reading: Bool, at now: Int64) {
    guard state == .established,
      outlet.receiver.setReading(reading, timeout: sender.timeout, at: now)
    else { return }
    outlet.acknowledge(sequence: sender.next, at: now)
  }

  /// Ends the connection with a reset.
  mutating func abandon(at now: Int64) {
    if state != .gone, state != .idle { outlet.send(.reset, echo: 0, at: now) }
    state = .gone
  }

  mutating func hear(_ packet: Packet, at now: Int64) -> News {
    switch packet.kind {
    case .synchronize: hearSyn(packet, at: now)
    case .synchronizeAcknowledge: hearSynAnswer(packet, at: now)
    case .segment: hearSegment(packet, at: now)
    case .reset: hearReset()
    }
  }

  mutating func wake(at now: Int64) -> News {
    switch state {
    case .idle, .gone:
      return .nothing
    case .opening:
      guard handshake.sendSyn(at: now) else { return giveUp() }
      outlet.send(.synchronize, echo: 0, at: now)
    case .answering:
      guard handshake.sendAnswer(at: now) else { return giveUp() }
      outlet.send(.synchronizeAcknowledge, echo: synTimestamp, at: now)
    case .established:
      if outlet.receiver.nextWake <= now,
        outlet.receiver.wake(timeout: sender.timeout, at: now)
      {
        outlet.acknowledge(sequence: sender.next, at: now)
      }
      if sender.nextWake <= now { sender.wake(at: now, from: &outlet) }
      if sender.hasGivenUp { return giveUp() }
    }
    return .nothing
  }

  private var synTimestamp: Int32 = 0

  private mutating func giveUp() -> News {
    state = .gone
    return .gaveUp
  }

  private mutating func hearReset() -> News {
    guard state != .gone else { return .nothing }
    state = .gone
    return .reset
  }

  private mutating func hearSyn(_ packet: Packet, at now: Int64) -> News {
    switch state {
    case .idle:
      state = .answering
      _ = handshake.sendAnswer(at: now)
    case .answering: handshake.repeatAnswer(at: now)
    case .opening, .established, .gone: return .nothing
    }
    synTimestamp = packet.timestamp
    outlet.send(.synchronizeAcknowledge, echo: synTimestamp, at: now)
    return .nothing
  }

  private mutating func hearSynAnswer(_ packet: Packet, at now: Int64) -> News {
    switch state {
    case .opening:
      establish(packet, at: now)
      outlet.acknowledge(sequence: 0, at: now)
      sender.sendNew(at: now, from: &outlet)
      return .established
    case .established:
      // The server has not heard the acknowledgement.
      outlet.acknowledge(sequence: sender.next, at: now)
    case .idle, .answering, .gone:
      break
    }
    return .nothing
  }

  private mutating func establish(_ packet: Packet, at now: Int64) {
    state = .established
    sender.begin(roundTrip: handshake.roundTrip(echo: packet.echo, at: now), at: now)
    outlet.receiver.hearHandshake(packet.timestamp)
  }

  private mutating func hearSegment(_ packet: Packet, at now: Int64) -> News {
    switch state {
    case .idle, .opening:
      return .nothing
    case .gone:
      // A host that goes on sending is reset again; the first reset may have been lost.
      if packet.length > 0 { outlet.send(.reset, echo: 0, at: now) }
      return .nothing
    case .answering:
      establish(packet, at: now)
    case .established:
      break
    }
    let before = outlet.receiver.expected
    let acknowledges = outlet.receiver.hear(
      packet, timeout: sender.timeout, smoothed: sender.estimator.smoothed, at: now)
    sender.hear(packet, at: now, from: &outlet)
    if acknowledges, outlet.receiver.owes { outlet.acknowledge(sequence: sender.next, at: now) }
    let after = outlet.receiver.expected
    return after > before ? .arrived(after) : .nothing
  }
}

import LinkConditioner

/// The sending half of a host, told of acknowledgements by hand; segments go by their numbers.
///
/// The handshake took 100 ms, so that the timeout is 300 ms (RFC 6298 §2.2: R + 4 × R/2), and the
/// congestion control is Reno's, whose figures are whole.
struct DrivenSender {
  private var sender: Sender
  private var host = HostOutlet(seat: 0, generation: 0)
  private(set) var now: Int64 = 0

  static let millisecond: Int64 = 1_000_000
  private static let segment = Packet.segmentBytes

  /// - Parameter begins: When the handshake is done.
  init(
    window: Int32 = 10, _ control: CongestionControl = .reno, roundTrip: Int64 = 100,
    begins: Int64 = 0
  ) {
    sender = Sender(ConnectionOptions(congestionControl: control, initialWindow: window))
    now = begins * Self.millisecond
    sender.begin(roundTrip: roundTrip * Self.millisecond, at: now)
  }

  /// The instant of the sender's timer, or of its next burst if that is earlier; `.max` for none.
  var alarm: Int64 { sender.nextWake }

  /// The numbers of the segments that went out since this was asked last.
  private mutating func sent() -> [Int64] {
    var numbers: [Int64] = []
    while !host.packets.isEmpty {
      let packet = host.packets.removeFirst()
      numbers.append(packet.sequence / Self.segment)
    }
    return numbers
  }

  private mutating func advance(to milliseconds: Int64?) {
    if let milliseconds { now = milliseconds * Self.millisecond }
  }

  /// The application writes whole segments.
  mutating func write(_ segments: Int64, at milliseconds: Int64? = nil) -> [Int64] {
    advance(to: milliseconds)
    sender.write(segments * Self.segment, at: now)
    sender.sendNew(at: now, from: &host)
    return sent()
  }

  /// The application writes bytes: how many segments go out.
  mutating func write(bytes: Int64) -> Int {
    sender.write(bytes, at: now)
    sender.sendNew(at: now, from: &host)
    return sent().count
  }

  /// An acknowledgement of all segments before one, and of some beyond a hole.
  ///
  /// - Parameters:
  ///   - twice: Segments that the receiver says it had already (RFC 2883).
  ///   - echo: When the segment that led to it was sent, by the receiver's word.
  ///   - room: How many segments past the edge the receiver takes.
  mutating func hear(
    _ edge: Int64, beyond: Range<Int64>? = nil, twice: Range<Int64>? = nil, echo: Int64? = nil,
    room: Int64 = 10_000, at milliseconds: Int64? = nil
  ) -> [Int64] {
    advance(to: milliseconds)
    var packet = Packet(seat: 0, generation: 0, kind: .segment)
    packet.acknowledgement = edge * Self.segment
    packet.window = Int32(room * Self.segment)
    packet.echo = Int32(echo ?? now / Self.millisecond - 100)
    var blocks: [SelectiveBlock] = []
    for range in [twice, beyond].compactMap({ $0 }) {
      blocks.append(
        SelectiveBlock(
          start: Int32((range.lowerBound - edge) * Self.segment),
          end: Int32((range.upperBound - edge) * Self.segment)))
    }
    packet.reportsDuplicate = twice != nil
    packet.blockCount = Int8(blocks.count)
    blocks += [SelectiveBlock(), SelectiveBlock()]
    packet.blocks = (blocks[0], blocks[1], SelectiveBlock())
    sender.hear(packet, at: now, from: &host)
    return sent()
  }

  /// Lets the timer go off.
  mutating func ring() -> [Int64] {
    precondition(alarm < .max, "no timer is set")
    now = max(now, alarm)
    sender.wake(at: now, from: &host)
    return sent()
  }
}

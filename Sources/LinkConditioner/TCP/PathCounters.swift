/// Packets and their bytes on the wire.
public struct PacketCount: Hashable, Sendable {
  public var packets: Int64 = 0
  public var bytes: Int64 = 0

  public init(packets: Int64 = 0, bytes: Int64 = 0) {
    self.packets = packets
    self.bytes = bytes
  }

  @inline(__always)
  mutating func add(_ packet: Packet) {
    packets += 1
    bytes += packet.wireBytes
  }
}

/// The books of one direction of a link.
public struct PathCounters: Hashable, Sendable {
  public var sent = PacketCount()
  public var delivered = PacketCount()
  /// Lost at random.
  public var lost = PacketCount()
  /// Refused by a full queue.
  public var overflowed = PacketCount()
  /// Waiting, in service or flying when the books were read.
  public var inFlight = PacketCount()

  /// Whether everything that was sent is accounted for.
  public var balances: Bool {
    sent.packets
      == delivered.packets + lost.packets + overflowed.packets + inFlight.packets
      && sent.bytes == delivered.bytes + lost.bytes + overflowed.bytes + inFlight.bytes
  }
}

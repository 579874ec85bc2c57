/// Packets and their bytes on the wire.
package struct PacketCount: Hashable, Sendable {
  package var packets: Int64 = 0
  package var bytes: Int64 = 0

  package init() {}

  @inline(__always)
  mutating func add(_ packet: Packet) {
    packets += 1
    bytes += packet.wireBytes
  }
}

/// The books of one direction of a link.
package struct PathCounters: Hashable, Sendable {
  package var sent = PacketCount()
  package var delivered = PacketCount()
  package var lost = PacketCount()
  /// Refused by a full queue.
  package var overflowed = PacketCount()
  /// Waiting, in service or flying when the books were read.
  package var inFlight = PacketCount()

  package var balances: Bool {
    sent.packets
      == delivered.packets + lost.packets + overflowed.packets + inFlight.packets
      && sent.bytes == delivered.bytes + lost.bytes + overflowed.bytes + inFlight.bytes
  }
}

/// The output queue of a host: every packet in it carries an acknowledgement.
package struct HostOutlet: Sendable {
  let seat: Int32
  let generation: Int32
  var receiver = Receiver()
  /// Packets on their way to the link, in order.
  package var packets = Ring(filler: Packet.none)

  package init(seat: Int32, generation: Int32) {
    self.seat = seat
    self.generation = generation
  }

  mutating func send(sequence: Int64, length: Int32, isPushed: Bool = false, at now: Int64) {
    acknowledge(sequence: sequence, length: length, isPushed: isPushed, at: now)
    receiver.policy.answered(at: now)
  }

  mutating func acknowledge(
    sequence: Int64, length: Int32 = 0, isPushed: Bool = false, at now: Int64
  ) {
    var packet = Packet(seat: seat, generation: generation, kind: .segment)
    packet.sequence = sequence
    packet.length = length
    packet.isPushed = isPushed
    receiver.stamp(&packet, at: now)
    packets.append(packet)
  }

  mutating func send(_ kind: PacketKind, echo: Int32, at now: Int64) {
    var packet = Packet(seat: seat, generation: generation, kind: kind)
    packet.timestamp = milliseconds(now)
    packet.echo = echo
    packets.append(packet)
  }
}

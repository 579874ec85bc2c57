package enum PacketKind: UInt8, Sendable {
  case synchronize
  case synchronizeAcknowledge
  /// Data, an acknowledgement, or both.
  case segment
  case reset
}

/// A range of bytes that arrived out of order, measured from the acknowledgement that reports it.
package struct SelectiveBlock: Equatable, Sendable {
  package var start: Int32
  package var end: Int32

  package init(start: Int32 = 0, end: Int32 = 0) {
    self.start = start
    self.end = end
  }
}

/// One packet on the link, as far as it matters to time.
package struct Packet: Sendable {
  /// The seat of the connection, and which of its successive owners sent this.
  package var seat: Int32
  package var generation: Int32
  package var kind: PacketKind
  /// The number of the blocks below that are in use.
  package var blockCount: Int8 = 0
  /// RFC 2883: whether the first block reports bytes that had arrived before.
  package var reportsDuplicate = false
  /// The push flag: the last segment of a burst or of a write.
  package var isPushed = false
  package var length: Int32 = 0
  package var sequence: Int64 = 0
  package var acknowledgement: Int64 = 0
  /// The receive window: the bytes past the acknowledgement that the receiver will take.
  package var window: Int32 = 0
  /// RFC 7323: milliseconds of the sender's clock, and the ones it last heard.
  package var timestamp: Int32 = 0
  package var echo: Int32 = 0
  package var blocks: (SelectiveBlock, SelectiveBlock, SelectiveBlock) = (.init(), .init(), .init())

  package init(seat: Int32, generation: Int32, kind: PacketKind) {
    self.seat = seat
    self.generation = generation
    self.kind = kind
  }

  package func block(_ index: Int8) -> SelectiveBlock {
    switch index {
    case 0: blocks.0
    case 1: blocks.1
    default: blocks.2
    }
  }

  /// Adds one more block; a packet has room for three.
  mutating func add(_ block: SelectiveBlock) {
    switch blockCount {
    case 0: blocks.0 = block
    case 1: blocks.1 = block
    default: blocks.2 = block
    }
    blockCount += 1
  }

  /// The packet's length on the wire: IP and TCP headers, timestamps, and 14 bytes of Ethernet.
  @inline(__always)
  package var wireBytes: Int64 {
    switch kind {
    case .synchronize, .synchronizeAcknowledge: return 74
    case .reset: return 54
    case .segment:
      // RFC 2018: eight bytes a block, two of option header and two of padding.
      let option: Int64 = blockCount == 0 ? 0 : 4 + 8 * Int64(blockCount)
      return 66 + Int64(length) + option
    }
  }

  package static let none = Packet(seat: -1, generation: 0, kind: .segment)

  /// The payload of a full segment: 1,500 bytes less 40 of headers and 12 of timestamps.
  package static let segmentBytes: Int64 = 1448
  /// The memory that a host takes for a full segment.
  static let segmentMemory: Int64 = 2_304
}

package struct Flight: Sendable {
  package var packet: Packet
  package var due: Int64
}

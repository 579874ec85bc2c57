import LinkConditioner
import VirtualTime

/// Work for a link that counts the same on every machine.
enum LinkBench: Sendable {
  case packets(CongestionControl, lossPermille: Int64)
  case transfers(together: Int)

  static let all: [LinkBench] = [
    .packets(.cubic, lossPermille: 0), .packets(.cubic, lossPermille: 10),
    .packets(.reno, lossPermille: 0), .packets(.reno, lossPermille: 10),
    .transfers(together: 1), .transfers(together: 6),
  ]

  private static let rate: Int64 = 50_000_000

  private var name: String {
    switch self {
    case .packets(let control, let loss):
      "tcp, \(control == .cubic ? "CUBIC" : "Reno")" + (loss > 0 ? ", \(loss / 10) % lost" : "")
    case .transfers(let together):
      together == 1 ? "fluid, one after the other" : "fluid, \(together) at a time"
    }
  }

  /// Does the work, about so many events of it.
  func perform(events: Int64) throws(Failure) -> LinkFigures {
    switch self {
    case .packets(let control, let loss):
      packets(of: max(1, events) * 1_000, control, lossPermille: loss)
    case .transfers(let together):
      try transfers(max(1, events / 10), together: together)
    }
  }

  // MARK: Packets

  /// One large download over a link of 50 Mbit/s with a round trip of 50 ms.
  private func packets(
    of bytes: Int64, _ control: CongestionControl, lossPermille: Int64
  ) -> LinkFigures {
    let direction = DirectionConditions(
      bandwidth: .limited(.bitsPerSecond(Self.rate)), delay: .milliseconds(25),
      loss: LossRatio(lossPermille, over: 1_000), queuePackets: 250)
    var transport = PacketTransport(
      LinkConditions(downlink: direction, uplink: direction), seed: 503)
    var now = Instant.zero
    let connection = transport.open(ConnectionOptions(congestionControl: control), at: now)
    transport.send(400, answeredBy: Answer(bytes: bytes), on: connection, at: now)
    var events: [TransportEvent] = []
    var isOver = false
    while !isOver, transport.nextWake < .distantFuture {
      events.removeAll(keepingCapacity: true)
      now = transport.advance(to: .distantFuture, into: &events)
      isOver = events.contains { event in
        switch event {
        case .established, .requestArrived: false
        case .delivered(_, let streamBytes): streamBytes >= bytes
        case .failed: true
        }
      }
    }
    let count = transport.downlinkCounters.sent.packets + transport.uplinkCounters.sent.packets
    return LinkFigures(name: name, noun: "packets", count: count, span: now - .zero)
  }

  // MARK: Fluid

  /// Transfers of different sizes, each begun as soon as one before it is over.
  private func transfers(_ count: Int64, together: Int) throws(Failure) -> LinkFigures {
    let conditions = LinkConditions(
      downlink: DirectionConditions(
        bandwidth: .limited(.bitsPerSecond(Self.rate)), delay: .milliseconds(25)),
      uplink: DirectionConditions(delay: .milliseconds(25)))
    let link: Link
    do throws(LinkError) {
      link = try Link(conditions: conditions)
    } catch {
      throw Failure(.wrongInput, "The bench has no link: \(error.description).")
    }
    var (started, ended): (Int64, Int64) = (0, 0)
    var now = Instant.zero
    func start(at now: Instant) {
      _ = link.start(LinkConditioner.Request(bytes: 50_000 + started * 7_919 % 100_000), at: now)
      started += 1
    }
    while started < min(Int64(together), count) { start(at: now) }
    var events: [LinkEvent] = []
    while ended < count, link.nextWake < .distantFuture {
      now = link.nextWake
      events.removeAll(keepingCapacity: true)
      link.advance(to: now, into: &events)
      for event in events {
        guard case .completed = event else { continue }
        ended += 1
        if started < count { start(at: now) }
      }
    }
    return LinkFigures(name: name, noun: "transfers", count: ended, span: now - .zero)
  }
}

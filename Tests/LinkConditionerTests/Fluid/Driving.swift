import LinkConditioner
import VirtualTime

extension Link {
  /// Takes every wake-up until nothing happens any more, or a bound.
  func run(until end: Instant = .distantFuture) -> [(at: Instant, event: LinkEvent)] {
    var told: [(at: Instant, event: LinkEvent)] = []
    var events: [LinkEvent] = []
    while nextWake <= end && nextWake < .distantFuture && told.count < 10_000 {
      let now = nextWake
      events.removeAll(keepingCapacity: true)
      advance(to: now, into: &events)
      told += events.map { (now, $0) }
    }
    return told
  }

  /// When a transfer's last byte is there, if it ever is.
  func completion(of id: TransferID) -> Instant? {
    run().first { $0.event == .completed(id, owner: 0) }?.at
  }
}

extension LinkConditions {
  /// A downlink and nothing else.
  static func down(_ bitsPerSecond: Int64, delay: TimeSpan = .zero) -> LinkConditions {
    LinkConditions(
      downlink: .init(bandwidth: .limited(.bitsPerSecond(bitsPerSecond)), delay: delay))
  }
}

extension Instant {
  static func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }
}

import VirtualTime

/// DNS lookups of a link: each host, with the instant of the answer, past or future.
struct HostTable: Sendable {
  /// In ascending order, side by side.
  private var hosts: [Int32] = []
  private var answers: [Instant] = []

  /// The wait of a request for its host's address. The first request starts the lookup; a second
  /// one before the answer waits for the same lookup.
  mutating func wait(for host: Int32, delay: TimeSpan, at now: Instant) -> TimeSpan {
    let place = hosts.partitionPoint { $0 >= host }
    if place == hosts.count || hosts[place] != host {
      hosts.insert(host, at: place)
      answers.insert(now + delay, at: place)
    }
    return max(.zero, answers[place] - now)
  }

  /// Takes a host's address as known.
  mutating func know(_ host: Int32, at now: Instant) { _ = wait(for: host, delay: .zero, at: now) }
}

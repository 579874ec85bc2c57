import VirtualTime

/// Which hosts a link has looked up, and when each lookup was or will be answered.
struct HostTable: Sendable {
  /// In ascending order, side by side.
  private var hosts: [Int32] = []
  private var answers: [Instant] = []

  /// What a request waits for its host's address; the first to ask starts the lookup, and a second
  /// that comes before the answer waits for the same.
  mutating func wait(for host: Int32, delay: TimeSpan, at now: Instant) -> TimeSpan {
    var (low, high) = (0, hosts.count)
    while low < high {
      let middle = (low + high) / 2
      if hosts[middle] < host { low = middle + 1 } else { high = middle }
    }
    if low == hosts.count || hosts[low] != host {
      hosts.insert(host, at: low)
      answers.insert(now + delay, at: low)
    }
    return max(.zero, answers[low] - now)
  }

  /// Takes a host's address as known.
  mutating func know(_ host: Int32, at now: Instant) {
    _ = wait(for: host, delay: .zero, at: now)
  }
}

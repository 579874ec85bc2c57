import LinkConditioner
import PlayerPolicies
import VirtualTime

/// The schedule of progress reports to a policy on requests under way.
struct Telling {
  private var interval: (every: TimeSpan, bytes: Int64)?
  /// Whether bytes come in as a fluid, and not in packets.
  private(set) var flows = true
  /// The instant of the next report, if nothing happens before.
  private(set) var next = Instant.distantFuture

  /// Whether it wants to know what has come before a request ends.
  var isWanted: Bool { interval != nil }

  mutating func subscribe(_ subscription: Subscription, isFluid: Bool) {
    flows = isFluid
    next = .distantFuture
    interval = nil
    switch subscription {
    case .nothing, .ends: break
    case .progress(let every, let bytes): interval = (every, bytes)
    }
  }

  /// The time from when a request went out over tcp to its first byte.
  func trip(of id: TransferID, on stage: borrowing Stage) -> TimeSpan? {
    flows ? nil : stage.link.timings(of: id)?.response
  }

  /// Nothing is due before something is planned.
  mutating func rest() { next = .distantFuture }

  /// Plans the next time, from what has just been told along a line.
  ///
  /// Of packets each is an event; in a fluid nobody sees bytes come one by one.
  mutating func plan(_ flow: ByteFlow, at now: Instant) {
    guard let interval, flows, flow.unitsPerNanosecond > 0 else { return }
    next = min(
      next,
      max(
        now + max(interval.every, .milliseconds(1)),
        flow.instant(reaching: flow.bytes(at: now) + interval.bytes)))
  }
}

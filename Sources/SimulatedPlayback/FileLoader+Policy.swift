import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What a policy is told of a file.

extension FileLoader {
  /// What the policy is told of it.
  var facts: MediaFacts {
    MediaFacts(
      source: isLocal ? .local : .progressive,
      file: FileFacts(demand: demand, line: arrival, flows: flows))
  }

  func hear(_ event: TransferEvent, at now: Instant) {
    if !isLocal { policy.running.hear(event, of: .progressive, at: now) }
  }

  func subscribe(isFluid: Bool) {
    flows = isFluid
    nextTelling = .distantFuture
    switch policy.running.subscription(to: .progressive, flows: isFluid) {
    case .nothing, .ends: telling = nil
    case .progress(let every, let bytes): telling = (every, bytes)
    }
  }

  /// Tells what has come, where the policy wants to know.
  ///
  /// Of packets each is an event; in a fluid nobody sees bytes come one by one.
  func tell(_ flow: ByteFlow, of id: TransferID, at now: Instant) {
    guard let telling else { return }
    hear(.received(RequestNumber(id), bytes: flow.bytes(at: now)), at: now)
    if !flows || isSuspended || flow.unitsPerNanosecond == 0 {
      nextTelling = .distantFuture
      return
    }
    nextTelling = max(
      now + max(telling.every, .milliseconds(1)),
      flow.instant(reaching: flow.bytes(at: now) + telling.bytes))
  }
}

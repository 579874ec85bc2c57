import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What a policy is told of a file.

extension FileLoader {
  /// Tells a policy what is still to come of it.
  func describe(_ snapshot: inout Snapshot) {
    snapshot.source = isLocal ? .local : .progressive
    snapshot.file = FileFacts(demand: demand, line: arrival, flows: telling.flows)
  }

  func hear(_ event: TransferEvent, at now: Instant) {
    if !isLocal { policy.running.hear(event, of: .progressive, at: now) }
  }

  func subscribe(isFluid: Bool) {
    telling.subscribe(
      policy.running.subscription(to: .progressive, flows: isFluid), isFluid: isFluid)
  }

  /// Tells what has come, where the policy wants to know.
  func tell(_ flow: ByteFlow, of id: TransferID, at now: Instant) {
    if !telling.isWanted { return }
    hear(.received(RequestNumber(id), bytes: flow.bytes(at: now)), at: now)
    telling.rest()
    if !isSuspended { telling.plan(flow, at: now) }
  }
}

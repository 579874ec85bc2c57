import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What a policy is told of the requests for segments.

extension SegmentIntake {
  /// Learns how much the policy wants to hear, before the first segment is asked for.
  func subscribe(on stage: borrowing Stage) {
    if isSubscribed { return }
    isSubscribed = true
    let isFluid = stage.isFluid
    telling.subscribe(policy.running.subscription(to: .segmented, flows: isFluid), isFluid: isFluid)
  }

  func hear(_ event: TransferEvent, at now: Instant) {
    policy.running.hear(event, of: .segmented, at: now)
  }

  func hearRequest(_ id: TransferID, of kind: TrackKind, at now: Instant) {
    hear(.requested(RequestNumber(id), kind == .main ? .main : .beside), at: now)
  }

  /// Tells what has come of everything that is under way, and plans when it is told again.
  func tellProgress(at now: Instant, on stage: borrowing Stage) {
    if !telling.isWanted { return }
    telling.rest()
    for index in tracks.indices {
      guard let fetch = tracks[index].fetch, fetch.hasResponded, !fetch.isComplete,
        let (flow, _) = stage.flow(of: fetch.id, at: now)
      else { continue }
      let bytes = min(fetch.bytes, flow.bytes(at: now))
      hear(.received(RequestNumber(fetch.id), bytes: bytes), at: now)
      if bytes < fetch.bytes { telling.plan(flow, at: now) }
    }
  }

  /// Tells what has come beside a segment of the main track that ends now.
  func tellOthers(than done: Int, at now: Instant, on stage: borrowing Stage) {
    for index in tracks.indices where index != done {
      guard let fetch = tracks[index].fetch, !fetch.isComplete else { continue }
      let bytes = fetch.arrived(at: now, on: stage)
      hear(.received(RequestNumber(fetch.id), bytes: bytes), at: now)
    }
  }
}

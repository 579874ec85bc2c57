import LinkConditioner
import PlayerPolicies
import VirtualTime

// A segment that counts when something of the next one has come.

extension SegmentIntake {
  /// When it has to be looked at what has come.
  var nextLook: Instant { min(telling.next, releaseDue) }

  /// Lets segments count of whose successor enough has come, or which have none under way.
  mutating func release(at now: Instant, on stage: borrowing Stage) {
    releaseDue = .distantFuture
    for index in tracks.indices where tracks[index].heldEnd != nil {
      guard let fetch = tracks[index].fetch else {
        tracks[index].heldEnd = nil
        continue
      }
      let wanted = min(policy.lookahead, fetch.bytes)
      if arrivedBytes(fetch, at: now, on: stage) >= wanted {
        tracks[index].heldEnd = nil
      } else if fetch.hasResponded, let (flow, holds) = stage.flow(of: fetch.id, at: now) {
        let due = flow.instant(reaching: wanted)
        releaseDue = min(releaseDue, due > holds ? holds : due)
      }
    }
  }
}

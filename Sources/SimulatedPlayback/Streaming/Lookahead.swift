import LinkConditioner
import PlayerPolicies
import VirtualTime

/// Holds back a loaded segment until enough bytes of the next one have arrived.
struct Lookahead {
  /// The instant at which enough bytes of the next segment will have arrived, at the present rate.
  private(set) var due = Instant.distantFuture
  private var hasHeld = false

  /// Whether the segment that has just come does not count yet.
  mutating func holds(_ policy: PlayerPolicy) -> Bool {
    if policy.lookahead <= 0 || (hasHeld && policy.looksAheadOnce) { return false }
    hasHeld = true
    return true
  }

  /// Lets segments count of whose successor so many bytes have come, or which have none under way.
  mutating func release(
    _ tracks: inout [StreamTrack], after bytes: Int64, at now: Instant, on stage: borrowing Stage
  ) {
    due = .distantFuture
    for index in tracks.indices where tracks[index].heldEnd != nil {
      guard let fetch = tracks[index].fetch else {
        tracks[index].heldEnd = nil
        continue
      }
      let wanted = min(bytes, fetch.bytes)
      if fetch.arrived(at: now, on: stage) >= wanted {
        tracks[index].heldEnd = nil
      } else if fetch.hasResponded, let (flow, holds) = stage.flow(of: fetch.id, at: now) {
        due = min(due, holds, flow.instant(reaching: wanted))
      }
    }
  }
}

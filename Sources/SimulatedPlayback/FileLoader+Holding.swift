import LinkConditioner
import PlayerPolicies
import VirtualTime

// How reading stops at a limit, and goes on.

extension FileLoader {
  /// Whether reading stands still at a limit.
  var isHeld: Bool { isSuspended || reopensAt != nil }

  /// Whether nothing is asked for yet, as the request was cancelled at the limit.
  func staysClosed(_ isBeyond: @autoclosure () -> Bool, at now: Instant) -> Bool {
    guard let reopensAt else { return false }
    if now < reopensAt || isBeyond() { return true }
    self.reopensAt = nil
    return false
  }

  /// Stops reading at a limit, or goes on, as the policy does that.
  ///
  /// - Parameter limit: The one that what is ahead has reached; nil where there is room.
  func hold(_ limit: FetchClause?, at now: Instant, on stage: inout Stage) {
    guard limit != nil, fetch?.hasResponded == true,
      case .reopens(let span) = policy.running.description.fetch.ofFiles.atLimit
    else {
      setSuspended(limit, at: now, on: &stage)
      return
    }
    cancelFetch(at: now, on: &stage)
    reopensAt = now + span
  }
}

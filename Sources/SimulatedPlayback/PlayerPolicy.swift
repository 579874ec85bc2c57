import Autowait
import LinkConditioner
import PlayerPolicies
import VirtualTime

/// The policy of a player as it runs: the player asks it, and all that bring media for the player
/// tell it of their requests.
final class PlayerPolicy {
  // Not checked at run time for overlapping accesses: a policy knows nobody that could ask it.
  @exclusivity(unchecked) var running: Policy

  init(_ description: PolicyDescription, with registry: PolicyRegistry) {
    do throws(PolicyProblem) {
      running = try Policy(description, with: registry)
    } catch {
      preconditionFailure("whoever describes a policy has registered what it names")
    }
  }

  /// Whether playback of an item may begin, go on, or is likely to.
  func judge(
    _ item: PlayerItem, _ snapshot: Snapshot, _ facts: MediaFacts
  ) -> ReadinessVerdict {
    var judgement = item.judgement ?? running.judgement(by: item.settings.heuristic)
    // It is this call's alone while it changes.
    item.judgement = nil
    defer { item.judgement = judgement }
    return running.readiness(snapshot, facts.ladder, &judgement)
  }

  /// The throughput of streams as what came in shows it, in bit/s; nil before enough did.
  func observedBitRate(at now: Instant) -> Int64? {
    let estimate = running.estimate(of: .segmented, at: now)
    return estimate.isReliable ? estimate.bitsPerSecond : nil
  }
}

extension AutowaitMachine {
  /// What a policy is told that it waits for.
  var wait: Wait {
    switch control {
    case .playing: .nothing
    case .paused, .waiting:
      switch purpose {
      case .resume: .stall
      case .seek: .seek
      case .start, .goOn: .start
      }
    }
  }
}

extension RequestNumber {
  init(_ id: TransferID) {
    self.init(Int64(id.rawValue))
  }
}

/// What a loader adds to a snapshot.
struct MediaFacts {
  var source: SourceKind
  var file: FileFacts?
  var stream: StreamFacts?
  var ladder = Ladder.empty
}

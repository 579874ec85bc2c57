import Autowait
import LinkConditioner
import PlayerPolicies

/// A player's policy as it runs: the player asks it, and its loaders tell it of their requests.
final class PlayerPolicy {
  // Not checked at run time for overlapping accesses: a policy knows nobody that could ask it.
  @exclusivity(unchecked) var running: Policy
  /// The facts about the buffer that its rules read, beside the length of the forward buffer.
  let facts: WantedFacts
  let stallRule: StallRule
  /// Whether a wait ends with a full buffer.
  let startsWhenFull: Bool
  /// Whether it remembers nothing of the readiness of files, and of streams, while media moves.
  private let forgetsMotion: (ofFiles: Bool, ofStreams: Bool)
  let sink: SinkDescription
  let fetch: FetchSeat
  let choice: ChoiceCustoms
  /// Whether it asks for segments once more that are in the buffer.
  let fetchesAgain: Bool
  /// Whether each segment's end is a sample of all that came in.
  let samplesTogether: Bool

  init(_ description: PolicyDescription, with registry: PolicyRegistry) {
    facts = description.facts
    stallRule = description.stall
    startsWhenFull = description.exits.whenFull
    sink = description.sink
    fetch = description.fetch
    choice = description.choice
    fetchesAgain = choice.again != .never
    samplesTogether = description.estimator.ofStreams.samplesTogether
    do throws(PolicyProblem) {
      running = try Policy(description, with: registry)
    } catch {
      preconditionFailure("whoever describes a policy has registered what it names")
    }
    forgetsMotion = (
      running.forgetsMotion(over: .progressive), running.forgetsMotion(over: .segmented)
    )
  }

  /// Whether the readiness of an item whose media moves changes nothing but what is told of it.
  func isReadinessShownOnly(of item: PlayerItem, _ loader: MediaLoader) -> Bool {
    (loader.isFile ? forgetsMotion.ofFiles : forgetsMotion.ofStreams)
      && item.isJudgedMoving && item.judgement?.looksWhileMoving != true
      && (item.logs.map { $0.startupTime != nil } ?? true)
  }

  /// Whether playback of an item may begin, go on, or is likely to.
  func judge(_ item: PlayerItem, _ snapshot: inout Snapshot, _ ladder: Ladder) -> ReadinessVerdict {
    if item.judgement == nil { item.judgement = running.judgement(by: item.settings.heuristic) }
    // In place: what it remembers is too large to be copied for each question.
    let verdict = item.judgement?.readiness(&snapshot, ladder, by: &running)
    return verdict ?? ReadinessVerdict(false, .nothingLoaded)
  }

  /// Whether a player that plays declares a stall with media left.
  func stall(_ item: PlayerItem, _ snapshot: Snapshot, _ ladder: Ladder) -> StallVerdict {
    if item.judgement == nil { item.judgement = running.judgement(by: item.settings.heuristic) }
    return item.judgement?.stall(snapshot, ladder, by: &running) ?? StallVerdict(false, .dry)
  }

  /// The throughput of streams as what came in shows it, in bit/s; nil before enough did.
  var observedBitRate: Int64? {
    let estimate = running.estimate(of: .segmented)
    return estimate.isReliable ? estimate.bitsPerSecond : nil
  }
}

extension Judgement {
  fileprivate mutating func readiness(
    _ snapshot: inout Snapshot, _ ladder: Ladder, by policy: inout Policy
  ) -> ReadinessVerdict {
    policy.readiness(&snapshot, ladder, &self)
  }

  fileprivate mutating func stall(
    _ snapshot: Snapshot, _ ladder: Ladder, by policy: inout Policy
  ) -> StallVerdict {
    policy.stall(snapshot, of: ladder, &self)
  }
}

extension AutowaitMachine {
  /// The kind of wait that a policy is told of.
  var wait: Wait {
    switch control {
    case .playing: .nothing
    case .paused, .waiting, .awaitingMedia:
      switch purpose {
      case .resume: .stall
      case .seek: .seek
      case .start, .goOn: .start
      }
    }
  }
}

extension RequestNumber {
  init(_ id: TransferID) { self.init(Int64(id.rawValue)) }
}

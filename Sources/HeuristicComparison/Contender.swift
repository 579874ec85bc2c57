public import Autowait
import ScenarioRunner
import VirtualTime

/// A heuristic that takes part in a comparison.
public struct Contender: Hashable, Sendable {
  public var heuristic: KeepUpHeuristic

  public init(_ heuristic: KeepUpHeuristic) {
    self.heuristic = heuristic
  }

  /// The one text that stands for it.
  public var name: String { heuristicText(heuristic) }

  /// One of each kind: the default beside what other players do.
  public static let usual: [Contender] = [
    Contender(.standard),
    Contender(.thresholds(start: .seconds(1), resume: .seconds(2))),
    Contender(.everythingLoaded),
    Contender(.immediate),
  ]
}

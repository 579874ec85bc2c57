import ExactText
import ScenarioFormat
import SimulatedWorld

/// The steps that wait for each step: found once, so that no step searches the whole script.
struct StepFollowers {
  /// The steps that wait, by the step they wait for and then by their place in the script.
  private let steps: [Int]
  /// The index of each step's first follower; one more than there are steps.
  private let starts: [Int]

  init(_ script: [ScriptStep]) {
    let names = script.indices.sorted { script[$0].name.utf8 < script[$1].name.utf8 }
    var waiting: [(other: Int, step: Int)] = []
    for (index, step) in script.enumerated() {
      guard let name = step.trigger.precedingStep else { continue }
      var (low, high) = (0, names.count)
      while low < high {
        let middle = (low + high) / 2
        if script[names[middle]].name.utf8 < name.utf8 { low = middle + 1 } else { high = middle }
      }
      while low < names.count, isSameText(script[names[low]].name, name) {
        waiting.append((names[low], index))
        low += 1
      }
    }
    waiting.sort { ($0.other, $0.step) < ($1.other, $1.step) }
    steps = waiting.map { $0.step }
    var starts = Array(repeating: 0, count: script.count + 1)
    for entry in waiting { starts[entry.other + 1] += 1 }
    for index in script.indices { starts[index + 1] += starts[index] }
    self.starts = starts
  }

  subscript(step: Int) -> ArraySlice<Int> { steps[starts[step]..<starts[step + 1]] }
}

extension ScriptStep.Trigger {
  /// Whether it waits for an event, so that they have to be told.
  var isEvent: Bool { if case .event = self { true } else { false } }

  /// The step that has to be done before.
  fileprivate var precedingStep: String? {
    switch self {
    case .at: nil
    case .after(let name, _): name
    case .when(_, let name), .event(_, _, let name): name
    }
  }
}

extension String.UTF8View {
  fileprivate static func < (a: String.UTF8View, b: String.UTF8View) -> Bool {
    a.lexicographicallyPrecedes(b)
  }
}

extension Scenario {
  /// Whether a condition or an expectation may read the readiness of a player that plays.
  var looksAtReadiness: Bool {
    expectations.contains {
      guard case .properties(_, let claims) = $0.claim else { return true }
      return !claims.isEmpty
    }
      || script.contains {
        guard case .when(.likelyToKeepUp, _) = $0.trigger else { return false }
        return true
      }
  }
}

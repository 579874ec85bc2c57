import Autowait
import ExactText
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld

/// The remarks of a run for the author of the scenario. Parts without effect are not among them:
/// see `MeasuredEffects`.
struct RunRemarks {
  let session: RunSession

  private var scenario: Scenario { session.scenario }

  /// Every remark, in the order of the file.
  func all(end: EndReason) -> [RunWarning] {
    let own = ([session] + session.guests).flatMap { RunRemarks(session: $0).own }
    return (scenario.warnings + [cut(by: end)].compactMap { $0 } + own).inOrder
  }

  /// Remarks on this player's part of the scenario.
  private var own: [RunWarning] {
    var found = session.refusals
    if !scenario.expects(Figure.longestQueue.name) {
      found += PlayerSummary(session.player.core, at: session.world.now).warnings.map {
        RunWarning(position: scenario.queue?.items.first?.position, message: $0)
      }
    }
    let isForeseen = Figure.ofStart.contains { scenario.expects($0.name) }
    if !session.player.core.books.hasStarted, !isForeseen {
      found.append(
        RunWarning(
          position: scenario.script.first?.position ?? scenario.document.position,
          message: "nothing ever plays, and nothing says that this is meant, such as "
            + "“outcome”: “neverPlayed”"))
    }
    return found
  }

  /// A run that was cut off while there was still something to be played.
  private func cut(by end: EndReason) -> RunWarning? {
    let limit: String
    switch end {
    case .finished, .idle: return nil
    case .horizon: limit = "horizon"
    case .budget: limit = "eventBudget"
    }
    let plays = ([session] + session.guests).contains {
      $0.player.core.machine.control != .paused
    }
    if !plays || scenario.expects("end") || scenario.document[limit] != nil { return nil }
    return RunWarning(
      message: "the run was cut off while there was still something to be played: a longer "
        + "“\(limit)” lets it go on, and one of its own says that this is meant, as does "
        + "“end”: “\(end.rawValue)”")
  }
}

extension RunSession {
  /// Notes that the step under way was refused, unless an expectation asks for that.
  func warnOfRefusal(_ why: String, _ event: TraceEvent) {
    guard let stepUnderWay, !scenario.expects(event) else { return }
    let step = scenario.script[stepUnderWay]
    warn("the step \(quotation(of: step.name)) was refused: \(why)", at: step.position)
  }

  /// Names the assumption behind a transition that no expectation asks for.
  func warnOfAssumption(behind rule: TransitionRule, _ event: TraceEvent) {
    guard let assumption = rule.assumption, !scenario.expects(event) else { return }
    warn(
      "the rule \(quotation(of: rule.word)) is an assumption: \(assumption)",
      at: stepUnderWay.map { scenario.script[$0].position })
  }

  func warn(_ words: String, at position: TextPosition?) {
    refusals.append(RunWarning(position: position ?? scenario.document.position, message: words))
  }
}

extension Scenario {
  /// Whether an expectation asks for an event, which is then no surprise.
  fileprivate func expects(_ event: TraceEvent) -> Bool {
    expectations.contains { expectation in
      switch expectation.claim {
      case .count(_, .equals(.count(0))): false
      case .count(let pattern, _): event.matches(pattern)
      case .order(let patterns): patterns.contains { event.matches($0) }
      case .properties(.event(let pattern, _, _), _): event.matches(pattern)
      case .properties: false
      }
    }
  }
}

import Autowait
import ExactText
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld

// Remarks of a run for the author of the scenario. Parts without effect are not among them: see
// `MeasuredEffects`.

extension RunSession {
  /// Every remark, in the order of the file.
  func warnings(end: EndReason) -> [RunWarning] {
    let all = [self] + guests
    return (scenario.warnings + [cut(by: end)].compactMap { $0 } + all.flatMap { $0.ownWarnings })
      .inOrder
  }

  /// Remarks on this player's part of the scenario.
  private var ownWarnings: [RunWarning] {
    var found = refusals
    if !scenario.expects(Figure.longestQueue.name) {
      found += PlayerSummary(player.core, at: world.now).warnings.map {
        RunWarning(position: scenario.queue?.items.first?.position, message: $0)
      }
    }
    let isForeseen = Figure.ofStart.contains { scenario.expects($0.name) }
    if !player.core.books.hasStarted, !isForeseen {
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
    let plays = ([self] + guests).contains { $0.player.core.machine.control != .paused }
    if !plays || scenario.expects("end") || scenario.document[limit] != nil { return nil }
    return RunWarning(
      message: "the run was cut off while there was still something to be played: a longer "
        + "“\(limit)” lets it go on, and one of its own says that this is meant, as does "
        + "“end”: “\(end.rawValue)”")
  }

  /// Notes that the step under way was refused, unless an expectation asks for that.
  func warnOfRefusal(_ why: String, _ event: TraceEvent) {
    guard let stepUnderWay, !expects(event) else { return }
    let step = scenario.script[stepUnderWay]
    warn("the step \(quotation(of: step.name)) was refused: \(why)", at: step.position)
  }

  /// Names the assumption behind a transition that no expectation asks for.
  func warnOfAssumption(behind rule: TransitionRule, _ event: TraceEvent) {
    guard let assumption = rule.assumption, !expects(event) else { return }
    warn(
      "the rule \(quotation(of: rule.word)) is an assumption: \(assumption)",
      at: stepUnderWay.map { scenario.script[$0].position })
  }

  func warn(_ words: String, at position: TextPosition?) {
    refusals.append(RunWarning(position: position ?? scenario.document.position, message: words))
  }

  /// Whether an expectation asks for an event, which is then no surprise.
  private func expects(_ event: TraceEvent) -> Bool {
    scenario.expectations.contains { expectation in
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

import ExactText
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

/// What a run shows to have had no effect.
struct VainParts {
  let session: RunSession

  private var scenario: Scenario { session.scenario }

  /// What this player's part of the scenario asked for in vain.
  private var ofPlayer: [RunWarning] {
    var found = scenario.script.indices.compactMap { unheard($0) } + session.refusals
    // What brings it to life again is no step in vain.
    for late in session.lateSteps where late.played == session.player.core.books.played {
      let step = scenario.script[late.index]
      if step.action.mattersAfterEnd { continue }
      found.append(
        RunWarning(
          position: step.position,
          message: "the step \(quotation(of: step.name)) comes after the end of playback"))
    }
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

  /// What is said of a step that was never done.
  private func unheard(_ index: Int) -> RunWarning? {
    if session.stepsDone[index] != nil { return nil }
    let step = scenario.script[index]
    let end = "the run ended at \(PropertyValue.time(session.world.now.nanoseconds).words)"
    let words: String
    switch step.trigger {
    case .at: words = "is after the end: \(end)"
    case .after(let other, _):
      words = isDone(other) ? "is after the end: \(end)" : waits(for: other)
    case .when(_, let other), .event(_, _, let other):
      if let other, !isDone(other) {
        words = waits(for: other)
      } else {
        words = "was never done: what it waits for never came"
      }
    }
    return RunWarning(
      position: step.position, message: "the step \(quotation(of: step.name)) \(words)")
  }

  private func isDone(_ name: String) -> Bool {
    zip(scenario.script, session.stepsDone).contains { isSameText($0.name, name) && $1 != nil }
  }

  private func waits(for other: String) -> String {
    "was never done: \(quotation(of: other)), which it follows, was not"
  }

  /// What of the link and of those on it came to nothing.
  private var warningsOfLink: [RunWarning] {
    var found: [RunWarning] = []
    for (index, seen) in session.world.link.faultSightings.enumerated() {
      let place = scenario.faultPlaces[index]
      if seen == 0 {
        found.append(RunWarning(position: place, message: "no request fits this fault"))
      } else if let first = scenario.faults.rules[index].numbers?.lowerBound, seen < first {
        found.append(
          RunWarning(
            position: place,
            message: "this fault is about request \(first), and there were \(seen) that fit"))
      }
    }
    for interstitial in session.interstitials where !interstitial.hasBegun {
      found.append(
        RunWarning(
          position: interstitial.plan.position,
          message: "this interstitial never begins: playback does not get there"))
    }
    for late in scenario.beginnings(after: session.world.now) {
      found.append(RunWarning(position: late.position, message: late.message))
    }
    return found
  }

  /// What is said of a run that was cut off while there was still something to be played.
  private func cut(by end: EndReason) -> RunWarning? {
    let plays = ([session] + session.guests).contains {
      $0.player.core.machine.control != .paused
    }
    let words: String
    switch end {
    case .finished, .idle: return nil
    case .horizon: words = "horizon"
    case .budget: words = "eventBudget"
    }
    if !plays || scenario.expects("end") || scenario.document[words] != nil { return nil }
    return RunWarning(
      message: "the run was cut off while there was still something to be played: a longer "
        + "“\(words)” lets it go on, and one of its own says that this is meant, as does "
        + "“end”: “\(end.rawValue)”")
  }

  /// Everything that the scenario said in vain, in the order of the file.
  func all(end: EndReason) -> [RunWarning] {
    var found = scenario.warnings + warningsOfLink + [cut(by: end)].compactMap { $0 }
    for session in [session] + session.guests { found += VainParts(session: session).ofPlayer }
    return found.inOrder
  }
}

extension AppAction {
  /// Whether it is of interest although nothing plays.
  fileprivate var mattersAfterEnd: Bool {
    switch bearing {
    case .none: return true
    case .asks: return false
    case .steers: break
    }
    if case .seek = self { return true }
    if case .edit = self { return true }
    if case .removeItem = self { return true }
    return false
  }
}

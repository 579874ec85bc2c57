import Autowait
import ExactText
import SimulatedPlayback
import SimulatedWorld

/// A step that finds nothing to change, looked at before it is done.
struct VainStep {
  let session: RunSession

  /// What there is to say of it; nil where it has something to change.
  func words(of step: ScriptStep) -> String? {
    why(step.action).map { "the step \(quotation(of: step.name)) changes nothing: \($0)" }
  }

  private func why(_ action: AppAction) -> String? {
    switch action {
    case .call(.cancelPendingSeeks):
      return session.player.core.isSeeking ? nil : "no seek is under way"
    case .endInterruption:
      return session.rateBefore == nil ? "nobody has taken the audio session" : nil
    case .enterForeground: return session.isInBackground ? nil : "the app is on the screen"
    case .beginSuspension(let suspension):
      return isHeldUp(by: suspension) ? "it holds the player up already" : nil
    case .endSuspension(let suspension):
      return isHeldUp(by: suspension) ? nil : "it does not hold the player up"
    case .link(let action): return LinkStep(session: session.owner, action: action).whyInVain
    case _: return nil
    }
  }

  private func isHeldUp(by suspension: Suspension) -> Bool {
    session.player.core.machine.suspensions.contains(suspension)
  }
}

extension AppAction {
  /// Whether the app is in the background from now on; nil where that stays as it is.
  var leavesScreen: Bool? {
    switch self {
    case .enterBackground: true
    case .enterForeground: false
    case _: nil
    }
  }
}

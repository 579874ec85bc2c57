import Autowait
import ExactText
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld

/// A step that finds nothing to change, looked at before it is done.
struct VainStep {
  let session: RunSession

  /// Why a step finds nothing; nil where it has something to change.
  func why(_ action: AppAction) -> String? {
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
    case .tap where session.player.core.books.firstTap != nil: return "the user has tapped before"
    case .tap where session.player.core.books.firstRequest != nil:
      return "the player was asked to play before"
    case _ where action.concern == .values && session.player.core.hasItem:
      return "the asset loads since its item became current"
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

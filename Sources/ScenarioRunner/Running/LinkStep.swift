import ExactText
import LinkConditioner
import ScenarioFormat
import SimulatedWorld

/// A step that does something to the link, or to those who share it.
struct LinkStep {
  /// The session that owns the link.
  let session: RunSession
  let action: AppAction.LinkAction

  func carryOut() {
    switch action {
    case .switchLink(let isOn):
      session.link.isOn = isOn
      changeConditions()
    case .changeLink(let new):
      session.link.conditions = new
      session.link.isOn = true
      changeConditions()
    case .changeSchedule(let new):
      session.link.schedule = new
      session.applySchedule()
    case .suspendTraffic(let name): session.world.suspendTraffic(session.trafficID(name))
    case .resumeTraffic(let name): session.world.resumeTraffic(session.trafficID(name))
    case .stopTraffic(let name): session.world.stopTraffic(session.trafficID(name))
    case .releaseLeakedPlayer(let number): session.releaseLeaked(number)
    }
  }

  private func changeConditions() {
    session.applyConditions()
    session.applySchedule()
    session.note(TraceEvent(.link, .boolean(session.link.isOn)))
  }
}

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

  /// Why it finds nothing to change; nil where it has something to.
  var whyInVain: String? {
    switch action {
    case .switchLink(let isOn) where session.link.isOn == isOn:
      return "the link is \(isOn ? "on" : "off") already"
    case .changeLink(let new)
    where session.link.isOn && session.link.conditions == new && session.link.schedule == nil:
      return "the link is like that already"
    case .changeSchedule(nil) where session.link.schedule == nil: return "the link has no schedule"
    case .suspendTraffic(let name), .resumeTraffic(let name), .stopTraffic(let name):
      guard let isSuspended = session.world.link.isTrafficSuspended(session.trafficID(name)) else {
        return "\(quotation(of: name)) is over"
      }
      if case .resumeTraffic = action, !isSuspended {
        return "\(quotation(of: name)) was not suspended"
      }
      return nil
    case _: return nil
    }
  }
}

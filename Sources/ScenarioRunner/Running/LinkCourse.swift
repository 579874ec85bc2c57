import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import SimulatedWorld
import VirtualTime

/// Outages and cross traffic on the link, which do not depend on the app.
struct LinkCourse {
  let session: RunSession

  private var scenario: Scenario { session.scenario }
  private var world: World { session.world }

  func plan() {
    for plan in scenario.traffic { announce(plan) }
    planOutages()
  }

  /// Says when somebody else's downloads begin, and when they are broken off.
  private func announce(_ plan: TrafficPlan) {
    let session = session
    for (instant, isActive) in [(plan.traffic.begins, true), (plan.traffic.ends, false)] {
      guard let instant else { continue }
      world.glance(at: instant) {
        session.note(TraceEvent(.traffic, .text(plan.name), .boolean(isActive)))
      }
    }
  }

  /// Each outage twice: when it begins, and when it ends.
  private func planOutages() {
    let (session, outages) = (session, scenario.link.outages)
    world.course(2 * outages.count) { edge in
      let outage = outages[edge / 2]
      return edge % 2 == 0 ? outage.start : outage.start + outage.duration
    } _: { edge in
      session.link.outages += edge % 2 == 0 ? 1 : -1
      session.applyConditions()
      session.note(TraceEvent(outage: session.link.outages > 0))
    }
  }
}

/// A step that does something to the link, or to those who share it.
struct LinkStep {
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

/// The switch of the network conditioner, with what the script and the outages make of it.
struct LinkSwitch {
  var isOn: Bool
  /// The conditions of the link while the switch is on.
  var conditions: LinkConditions
  var schedule: RateSchedule?
  /// The number of outages under way.
  var outages = 0

  init(_ plan: LinkPlan) {
    isOn = plan.isSwitchedOn
    conditions = plan.conditions
    schedule = plan.schedule
  }

  /// The conditions that result from the switch, the script and the outages.
  var effectiveConditions: LinkConditions {
    var effective = isOn ? conditions : .perfect
    if outages > 0 {
      effective.downlink.bandwidth = .limited(.zero)
      effective.uplink.bandwidth = .limited(.zero)
    }
    return effective
  }

  var effectiveSchedule: RateSchedule? { isOn ? schedule : nil }
}

extension World {
  /// The world of a scenario, with its link.
  convenience init(of scenario: Scenario) throws(RunError) {
    let link = LinkSwitch(scenario.link)
    do throws(LinkError) {
      try self.init(
        conditions: link.effectiveConditions, schedule: link.effectiveSchedule,
        fidelity: scenario.fidelity, seed: scenario.seed, limits: scenario.limits,
        requests: scenario.requests, faults: scenario.faults)
    } catch {
      throw .link(error)
    }
    isNetworkExpensive = scenario.link.isExpensive
    showsReadiness = false
  }
}

/// Limits the rates of the link that a run records to those that differ, and to a number.
struct RateRecorder {
  private var last: LinkRate?
  private var left = 100_000

  /// The rate as it is to be recorded, from bits per second; nil where nothing is.
  mutating func next(_ bits: Int64?) -> LinkRate? {
    let rate = bits.map { LinkRate.limited($0) } ?? .unlimited
    if rate == last || left == 0 { return nil }
    (last, left) = (rate, left - 1)
    return left == 0 ? .unrecorded : rate
  }
}

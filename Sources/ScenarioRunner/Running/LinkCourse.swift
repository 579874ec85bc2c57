import LinkConditioner
import Recording
import ScenarioFormat
import SimulatedWorld
package import VirtualTime

/// Plans cross traffic and outages on the link, which do not depend on the app.
func planCourse(of session: RunSession) {
  for plan in session.scenario.traffic {
    for (instant, isActive) in [(plan.traffic.begins, true), (plan.traffic.ends, false)] {
      guard let instant else { continue }
      session.world.glance(at: instant) {
        session.note(TraceEvent(.traffic, .text(plan.name), .boolean(isActive)))
      }
    }
  }
  let outages = session.scenario.link.outages.map {
    LinkDip(start: $0.start, duration: $0.duration, limit: .zero)
  }
  let all = outages + session.options.dips
  // Outages from 0 s apply before the first request.
  let there = all.filter { $0.start == .zero }
  let dips = there + all.filter { $0.start > .zero }
  func pass(_ edge: Int) {
    let dip = dips[edge % dips.count]
    if edge < dips.count {
      session.link.dips.append(dip)
    } else if let place = session.link.dips.firstIndex(of: dip) {
      session.link.dips.remove(at: place)
    }
    session.applyConditions()
    session.note(TraceEvent(.link, nil, .boolean(!session.link.dips.isEmpty)))
  }
  for edge in there.indices { pass(edge) }
  // Each has two edges. At one instant beginnings come first: outages that touch leave no gap.
  session.world.course(2 * dips.count - there.count) { index in
    let edge = index + there.count
    let dip = dips[edge % dips.count]
    return edge < dips.count ? dip.start : dip.start + dip.duration
  } _: { index in
    pass(index + there.count)
  }
}

extension AppAction.LinkAction {
  func carryOut(in session: RunSession) {
    let wasOn = session.link.plan.isSwitchedOn
    switch self {
    case .switchLink(let isOn):
      session.link.plan.isSwitchedOn = isOn
    case .changeLink(let new):
      session.link.plan.conditions = new
      session.link.plan.isSwitchedOn = true
    case .changeSchedule(let new):
      session.link.plan.schedule = new
      return session.applySchedule()
    case .suspendTraffic(let name):
      return session.world.suspendTraffic(session.trafficID(name))
    case .resumeTraffic(let name):
      return session.world.resumeTraffic(session.trafficID(name))
    case .stopTraffic(let name):
      return session.world.stopTraffic(session.trafficID(name))
    case .releaseLeakedPlayer(let number):
      return session.releaseLeaked(number)
    }
    session.applyConditions()
    // Other conditions leave the schedule where it is.
    if session.link.plan.isSwitchedOn != wasOn { session.applySchedule() }
    session.note(TraceEvent(.link, .boolean(session.link.plan.isSwitchedOn)))
  }
}

/// A time in which the downlink brings at most a rate; zero is an outage of both directions.
package struct LinkDip: Hashable, Sendable {
  package var start: Instant
  package var duration: TimeSpan
  package var limit: BitRate
}

/// The switch of the network conditioner, with what the script and the outages make of it.
struct LinkSwitch {
  /// The link while the switch is on, and whether it is.
  var plan: LinkPlan
  var dips: [LinkDip] = []

  /// The conditions that result from the switch, the script and the outages.
  var effectiveConditions: LinkConditions {
    var effective = plan.isSwitchedOn ? plan.conditions : .perfect
    for dip in dips {
      if case .limited(let usual) = effective.downlink.bandwidth, usual < dip.limit { continue }
      effective.downlink.bandwidth = .limited(dip.limit)
      if dip.limit == .zero { effective.uplink.bandwidth = .limited(.zero) }
    }
    return effective
  }

  var effectiveSchedule: RateSchedule? { plan.isSwitchedOn ? plan.schedule : nil }
}

extension World {
  convenience init(of scenario: borrowing Scenario) throws(RunError) {
    let link = LinkSwitch(plan: scenario.link)
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

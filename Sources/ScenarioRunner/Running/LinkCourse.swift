import LinkConditioner
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

import LinkConditioner
import VirtualTime

/// Reports rates that cannot all stand on the one link of a run.
///
/// A link needs a common denominator of its rates at one time. The script can combine any of its
/// conditions with any schedule, so all are held together: what passes cannot fail in a run.
func checkRates(of plan: LinkPlan, and script: [ScriptStep], at node: DocumentNode?) {
  var rates = plan.conditions.rates
  for step in script { rates += step.action.rates }
  let scheduled = plan.schedule?.steps ?? []
  // Each was checked by itself, and whole rates need no common denominator.
  if rates.allSatisfy({ $0.isWhole }), scheduled.allSatisfy({ $0.bandwidth.isWhole }) { return }
  rates += scheduled.map { $0.bandwidth }
  do throws(LinkError) {
    let steps = rates.map { RateSchedule.Step(duration: .nanoseconds(1), bandwidth: $0) }
    _ = try RateSchedule(steps: steps, ending: .loops)
  } catch {
    node?.refuse("the link's rates over the run do not go together: " + error.description)
  }
}

extension LinkConditions {
  var rates: [Bandwidth] { [downlink.bandwidth, uplink.bandwidth] }
}

extension RateSchedule {
  var rates: [Bandwidth] { steps.map { $0.bandwidth } }
}

extension Bandwidth {
  /// Whether it is a whole number of bits in a second, or no number at all.
  fileprivate var isWhole: Bool {
    switch self {
    case .unlimited: true
    case .limited(let rate): rate.denominator == 1
    }
  }
}

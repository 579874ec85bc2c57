import LinkConditioner
import ScenarioFormat
import VirtualTime

/// The switch of the network conditioner, with what the script and the outages make of it.
struct LinkSwitch {
  var isOn: Bool
  /// What the link is like while it is conditioned.
  var conditions: LinkConditions
  var schedule: RateSchedule?
  /// How many outages last.
  var outages = 0

  init(_ plan: LinkPlan) {
    isOn = plan.isSwitchedOn
    conditions = plan.conditions
    schedule = plan.schedule
  }

  /// What the switch, the script and the outages make together.
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

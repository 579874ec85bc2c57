import LinkConditioner
import ScenarioFormat
import VirtualTime

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

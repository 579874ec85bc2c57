import ExactText
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// A link as the `link` of a scenario file.
struct LinkDocument {
  private let conditions: LinkConditions
  private var recorded: RateSchedule?
  private var steps: [RateSchedule.Step] = []
  /// Notes on values that could not be written exactly.
  private(set) var notes: [String] = []

  init(_ conditions: LinkConditions) {
    self.conditions = conditions
  }

  init(_ trace: ImportedTrace) {
    conditions = trace.conditions
    recorded = trace.schedule
    let given = trace.schedule.steps
    let rates = given.map { $0.bandwidth.asDecimal }
    if zip(given, rates).contains(where: { $0.bandwidth != $1 }) {
      notes.append("rates that no decimal says exactly are rounded down to a millionth of a bit/s")
    }
    steps = zip(given, rates).map { step, rate in
      RateSchedule.Step(
        // Only the last of a schedule that holds may last no time, and it holds anyway.
        duration: step.duration > .zero ? step.duration : .seconds(1), bandwidth: rate,
        latency: step.latency)
    }
  }

  var tree: JSONTree {
    [
      "dnsDelay": conditions.dnsDelay > .zero ? .string(exactText(conditions.dnsDelay)) : nil,
      "downlink": conditions.downlink.document,
      "uplink": conditions.uplink.document,
      "schedule": recorded.flatMap { steps.isEmpty ? nil : document(of: $0) },
    ]
  }

  private func document(of schedule: RateSchedule) -> JSONTree {
    [
      "then": schedule.ending == .loops ? "repeat" : "hold",
      "clock": schedule.clock == .wall ? nil : .string(schedule.clock.word),
      "offset": schedule.offset > .zero ? .string(exactText(schedule.offset)) : nil,
      "answers": schedule.answersInOutages ? .string(RateSchedule.answers(inOutages: true)) : nil,
      "steps": .list(steps) { step in
        [
          "for": .string(exactText(step.duration)),
          "bandwidth": .string(exactText(step.bandwidth)),
          "latency": step.latency > .zero ? .string(exactText(step.latency)) : nil,
        ]
      },
    ]
  }
}

extension DirectionConditions {
  /// Nil where it is as a link is by itself.
  fileprivate var document: JSONTree? {
    if self == DirectionConditions() { return nil }
    return [
      "bandwidth": .string(exactText(bandwidth)),
      "delay": .string(exactText(delay)),
      "loss": loss.isNone ? nil : .string(exactText(loss)),
    ]
  }
}

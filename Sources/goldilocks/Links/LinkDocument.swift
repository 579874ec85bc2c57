import ExactText
import LinkConditioner
import ScenarioFormat
import VirtualTime

struct LinkDocument {
  let conditions: LinkConditions
  var schedule: RateSchedule?

  /// Notes on values that cannot be written exactly.
  var notes: [String] {
    schedule?.steps.allSatisfy { $0.bandwidth == $0.bandwidth.asDecimal } ?? true
      ? [] : ["rates that no decimal says exactly are rounded down to a millionth of a bit/s"]
  }

  /// The conditions, without a schedule.
  var tree: JSONTree {
    [
      "dnsDelay": conditions.dnsDelay > .zero ? .string(exactText(conditions.dnsDelay)) : nil,
      "downlink": conditions.downlink.document,
      "uplink": conditions.uplink.document,
    ]
  }

  /// Writes it as the one member of an object, a step at a time: a recording may have millions.
  func write(to console: Console) throws(Failure) {
    var writer = JSONWriter(.indented)
    writer.beginObject()
    writer.key("link")
    writer.beginObject()
    writer.members(tree)
    if let schedule {
      writer.key("schedule")
      writer.beginObject()
      writer.members(document(of: schedule))
      writer.key("steps")
      writer.beginArray()
      for step in schedule.steps {
        writer.tree(document(of: step))
        try console.takeBytes(of: &writer)
      }
      writer.endArray()
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
    writer.endLine()
    try console.takeBytes(of: &writer)
  }

  private func document(of schedule: RateSchedule) -> JSONTree {
    [
      "then": schedule.ending == .loops ? "repeat" : "hold",
      "clock": schedule.clock == .wall ? nil : .string(schedule.clock.word),
      "offset": schedule.offset > .zero ? .string(exactText(schedule.offset)) : nil,
      "answers": schedule.answersInOutages ? .string(RateSchedule.answers(inOutages: true)) : nil,
    ]
  }

  private func document(of step: RateSchedule.Step) -> JSONTree {
    // Only the last of a schedule that holds may last no time, and it holds anyway.
    [
      "for": .string(exactText(step.duration > .zero ? step.duration : .seconds(1))),
      "bandwidth": .string(exactText(step.bandwidth.asDecimal)),
      "latency": step.latency > .zero ? .string(exactText(step.latency)) : nil,
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

import ExactText
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// A link as the `link` of a scenario file.
struct LinkDocument {
  private let conditions: LinkConditions
  private let ending: RateSchedule.Ending
  private let clock: RateSchedule.Clock
  private let offset: TimeSpan
  private let answersInOutages: Bool
  private let steps: [RateSchedule.Step]
  /// What could not be written as it is.
  private(set) var notes: [String] = []

  init(_ conditions: LinkConditions) {
    self.conditions = conditions
    ending = .holds
    clock = .wall
    offset = .zero
    answersInOutages = false
    steps = []
  }

  init(_ trace: ImportedTrace) {
    conditions = trace.conditions
    ending = trace.schedule.ending
    clock = trace.schedule.clock
    offset = trace.schedule.offset
    answersInOutages = trace.schedule.answersInOutages
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

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if conditions.dnsDelay > .zero {
      writer.key("dnsDelay")
      writer.string(exactText(conditions.dnsDelay))
    }
    writer.direction("downlink", conditions.downlink)
    writer.direction("uplink", conditions.uplink)
    if !steps.isEmpty {
      writer.key("schedule")
      writeSchedule(to: &writer)
    }
    writer.endObject()
  }

  private func writeSchedule(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("then")
    switch ending {
    case .loops: writer.string("repeat")
    case .holds: writer.string("hold")
    }
    switch clock {
    case .wall: break
    case .pausedDuringLatency:
      writer.key("clock")
      writer.string(clock.word)
    }
    if offset > .zero {
      writer.key("offset")
      writer.string(exactText(offset))
    }
    if answersInOutages {
      writer.key("answers")
      writer.string(RateSchedule.answers(inOutages: true))
    }
    writer.key("steps")
    writer.beginArray()
    for step in steps {
      writer.beginObject()
      writer.key("for")
      writer.string(exactText(step.duration))
      writer.key("bandwidth")
      writer.string(exactText(step.bandwidth))
      if step.latency > .zero {
        writer.key("latency")
        writer.string(exactText(step.latency))
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}

extension RateSchedule.Clock {
  /// As scenario files and options have it.
  var word: String {
    switch self {
    case .wall: "wall"
    case .pausedDuringLatency: "pausedDuringLatency"
    }
  }
}

extension JSONWriter {
  /// Writes a direction unless it is as a link is by itself.
  fileprivate mutating func direction(_ name: String, _ direction: DirectionConditions) {
    if direction == DirectionConditions() { return }
    key(name)
    beginObject()
    key("bandwidth")
    string(exactText(direction.bandwidth))
    key("delay")
    string(exactText(direction.delay))
    if !direction.loss.isNone {
      key("loss")
      string(exactText(direction.loss))
    }
    endObject()
  }
}

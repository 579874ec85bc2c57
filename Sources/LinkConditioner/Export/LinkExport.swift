import ExactText
import VirtualTime

/// The formats that put a link before a real player, in the words of options and messages.
package enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// A shell script of `tc` commands with netem, for a router between client and servers.
  case trafficControl = "tc"
  /// Two traces and the command that uses them.
  case mahimahi
  /// A property list with one profile.
  case networkLinkConditioner = "nlc"
  /// Parameters of `Network.emulateNetworkConditions`.
  case chromeDevTools = "chrome"
}

/// A link in another tool's words.
package struct LinkExport: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }
  }

  package internal(set) var files: [File] = []
  /// Properties of the link that the format cannot express, in sentences; empty if there are none.
  package internal(set) var omissions: [String] = []

  /// Writes a link that has been checked.
  package init(
    _ conditions: LinkConditions, schedule: RateSchedule? = nil, stopsUplink: Bool = false,
    name: String = "Goldilocks", as format: ExportFormat
  ) {
    var source = ExportSource(conditions: conditions, schedule: schedule, name: name)
    source.stopsUplink = stopsUplink
    switch format {
    case .trafficControl: writeTrafficControl(source)
    case .mahimahi: writeMahimahi(source)
    case .networkLinkConditioner: writePropertyList(source)
    case .chromeDevTools: writeDevTools(source)
    }
    if stopsUplink, format != .trafficControl { omit("that an outage stops the uplink as well") }
    if source.hasLatency { omit("the wait that the schedule adds to each request") }
    if schedule?.clock == .pausedDuringLatency {
      omit("that the schedule stands still while a request waits")
    }
  }

  mutating func omit(_ what: String) { if !omissions.contains(what) { omissions.append(what) } }
}

/// A link as the writers want it: the downlink's steps in the order in which they come.
struct ExportSource {
  let conditions: LinkConditions
  let name: String
  /// Whether a step in which nothing comes down lets nothing up either.
  var stopsUplink = false
  /// One, without end, if there is no schedule.
  private(set) var steps: [RateSchedule.Step]
  let loops: Bool
  let hasLatency: Bool

  init(conditions: LinkConditions, schedule: RateSchedule?, name: String) {
    self.conditions = conditions
    self.name = name
    let base = conditions.downlink.bandwidth
    steps = [.init(duration: .forever, bandwidth: base)]
    loops = schedule?.ending == .loops
    hasLatency = schedule?.steps.contains { $0.latency > .zero } ?? false
    guard let schedule else { return }
    steps = schedule.steps.map {
      .init(duration: $0.duration, bandwidth: min(base, $0.bandwidth))
    }
    // Steps before the offset are dropped; those of a loop come at the end.
    let length = steps.reduce(0) { $0 + $1.duration.nanoseconds }
    let offset = schedule.offset.nanoseconds
    var left = loops ? offset % length : min(offset, length)
    while left > 0 && (loops || steps.count > 1) {
      var first = steps[0]
      let part = min(left, first.duration.nanoseconds)
      left -= part
      steps[0].duration = steps[0].duration - .nanoseconds(part)
      if steps[0].duration == .zero { steps.removeFirst() }
      first.duration = .nanoseconds(part)
      if loops { steps.append(first) }
    }
  }

  var changes: Bool { steps.count > 1 }
}

/// A ratio as decimal text, rounded to the nearest, without zeros at the end.
func decimal(_ numerator: Int128, over denominator: Int128, places: Int) -> (String, exact: Bool) {
  let scale = Int128(powerOfTen(places) ?? 1)
  let value = quotient(numerator * scale * 2 + denominator, denominator * 2, rounding: .down)
  let text = JSONTree.decimal(Int64(clamping: value), places: places).json
  return (text, value * denominator == numerator * scale)
}

extension TimeSpan {
  var milliseconds: String { decimal(Int128(nanoseconds), over: 1_000_000, places: 6).0 }
}

extension LossRatio {
  var percent: String { decimal(Int128(numerator) * 100, over: Int128(denominator), places: 6).0 }
}

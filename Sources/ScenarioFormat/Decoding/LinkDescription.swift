import ExactText
import LinkConditioner
import VirtualTime

/// Decoded keys of one direction; a nil value leaves it as it is.
struct DirectionDescription {
  var bandwidth: Bandwidth?
  var delay: TimeSpan?
  var loss: LossRatio?
  var queue: Int32?

  func apply(to direction: inout DirectionConditions) {
    if let bandwidth { direction.bandwidth = bandwidth }
    if let delay { direction.delay = delay }
    if let loss { direction.loss = loss }
    if let queue { direction.queuePackets = queue }
  }

  static let keys = KeyTable<Self>("direction", "One direction of a link.") {
    commonKeys
    Key.optional(
      "queue", { $0.queue = $1 }, .whole(in: 0...1_000_000), only: .tcp,
      "Packets that may wait; further ones are dropped.")
  }

  /// Keys that also apply to both directions at once.
  @KeyRows<Self> static var commonKeys: KeyRows<Self> {
    Key.optional(
      "bandwidth", { $0.bandwidth = $1 }, .bandwidth, only: .uplink, "Bits per second.")
    Key.optional("delay", { $0.delay = $1 }, .span, "One-way delay.")
    Key.optional(
      "loss", { $0.loss = $1 }, .chance, only: .uplink,
      "Share of packets lost. In “fluid” only the downlink's slows downloads, and 100 % of "
        + "either direction is an outage.")
  }
}

struct ConditionsDescription {
  var profile: NamedProfile?
  var both = DirectionDescription()
  var relativeBandwidth: Ratio?
  var downlink: DirectionDescription?
  var uplink: DirectionDescription?
  var dnsDelay: TimeSpan?

  static let keys = KeyTable<Self>("conditions", "Conditions of a link, perfect where left out.") {
    profileKey
    quantityKeys
  }

  static let profileKey = Key<Self>.optional(
    "profile", { $0.profile = $1 }, NamedProfile.form,
    "A profile of the catalogue by name; the other keys change it.")

  @KeyRows<Self> static var quantityKeys: KeyRows<Self> {
    DirectionDescription.commonKeys.within { $1(&$0.both) }
    Key.optional(
      "relativeBandwidth", { $0.relativeBandwidth = $1 }, bitRateShare, notBeside: "bandwidth",
      "The downlink's bandwidth as a share of the media's average bit rate.")
    Key.optional(
      "downlink", { $0.downlink = $1 }, direction,
      "The direction that brings the media.")
    Key.optional(
      "uplink", { $0.uplink = $1 }, direction,
      "The direction that carries the requests.")
    Key.optional("dnsDelay", { $0.dnsDelay = $1 }, .span, "Time of a name lookup for a new host.")
  }

  private static let bitRateShare = Form<Ratio>.quantity(
    .share, of: .percentage, Quantity.percentage
  ).checked(expected: "at most 100000 %") {
    $0.numerator <= ScenarioLimits.largestShare * $0.denominator
  }

  private static let direction = DirectionDescription.keys.form(DirectionDescription())
}

struct LinkDescription {
  var conditions = ConditionsDescription()
  /// The file that is named is read once more is known.
  var trace: DocumentNode?
  var plan = LinkPlan()

  static let keys = KeyTable<Self>("link", "The network between the player and its server.") {
    ConditionsDescription.profileKey.within { $1(&$0.conditions) }
    Key.optional(
      "trace", { $0.trace = $1 }, .later(LinkTraceDescription.keys.shape), notBeside: "schedule",
      "A recorded link, or a profile, from a file.")
    ConditionsDescription.quantityKeys.within { $1(&$0.conditions) }
    Key.optional(
      "switchedOn", { $0.plan.isSwitchedOn = $1 }, .boolean, absent: true,
      "Whether the link is conditioned from the start; if not, it is perfect until the script "
        + "switches it on.")
    Key.optional(
      "schedule", { $0.plan.schedule = $1 }, .schedule,
      "Schedule of the downlink's bandwidth; where the link has one itself, the lower holds.")
    Key.optional(
      "outages", { $0.plan.outages = $1 }, .list(of: LinkPlan.Outage.form),
      absent: [],
      "Stretches of the run in which nothing gets through.")
    Key.optional(
      "expensive", { $0.plan.isExpensive = $1 }, .boolean, absent: false, only: .anyStream,
      "Whether the path is one that costs, such as a cellular one.")
  }
}

extension LinkPlan.Outage {
  fileprivate static let form = KeyTable<Self>("outage", "A stretch of the run.") {
    Key.required("from", { $0.start = $1 }, .instant, "Start time.")
    Key.required("for", { $0.duration = $1 }, .spanAboveZero, "Duration.")
  }.form(LinkPlan.Outage(start: .zero, duration: .zero))
}

/// Decoded keys of a schedule: bandwidths one after the other.
struct ScheduleDescription {
  var steps: [RateSchedule.Step] = []
  var recorded: RateSchedule?
  var ending: RateSchedule.Ending?
  var clock: RateSchedule.Clock?
  var offset: TimeSpan?
  var answersInOutages: Bool?

  static let keys = KeyTable<Self>("schedule", "Bandwidths one after the other.") {
    Key.oneOf("steps", { $0.steps = $1 }, stepList, "The steps in their order.")
    Key.oneOf(
      "trace", { $0.recorded = $1 }, recording, "A recorded link from a file, in place of steps.")
    Key.optional(
      "then", { $0.ending = $1 }, .scheduleEnding, absent: "hold",
      "After the last step: its bandwidth holds, or the steps repeat.")
    Key.optional(
      "clock", { $0.clock = $1 }, Form<RateSchedule.Clock>.cases, absent: "wall", only: .fluid,
      "Whether its time passes always, or not while a request waits for its response.")
    Key.optional(
      "offset", { $0.offset = $1 }, .span, absent: "0 s", "Offset into the steps at the start.")
    Key.optional(
      "answers", { $0.answersInOutages = $1 }, .words(RateSchedule.answers), absent: "afterOutages",
      only: .fluid,
      "Whether a response may begin during an outage, or only after it.")
  }

  /// The bandwidths of a recorded link, without what its file says beside them.
  private static let recording = Form<RateSchedule>(LinkTraceDescription.keys.shape) { node in
    guard let part = LinkTraceDecoding.part(node) else { return nil }
    if part.schedule == nil {
      node.refuse("\(quotation(of: part.trace.file)) holds profiles", expected: "a recorded link")
    }
    return part.schedule
  }

  /// The steps in one go where they are as everybody writes them: an hour has thousands of them.
  private static let stepList = Form<[RateSchedule.Step]>.list(of: step, atLeast: 1)
    .reading { list in
      var steps: [RateSchedule.Step] = []
      let isRead = list.readPlainObjects({ steps.reserveCapacity($0) }) { object in
        guard let step = everydayStep(&object) else { return false }
        steps.append(step)
        return true
      }
      return isRead ? steps : nil
    }

  private static func everydayStep(_ object: inout PlainObject) -> RateSchedule.Step? {
    var step = RateSchedule.Step(duration: .zero, bandwidth: .unlimited)
    var (hasDuration, hasBandwidth, hasLatency) = (false, false, false)
    for _ in 0..<object.count {
      guard let (key, value) = object.next() else { return nil }
      if key.says("for"), !hasDuration {
        guard let span = everydaySpan(value), span > .zero else { return nil }
        (step.duration, hasDuration) = (span, true)
      } else if key.says("bandwidth"), !hasBandwidth {
        guard let bits = UnitSystem.bitRate.everyday(value) else { return nil }
        (step.bandwidth, hasBandwidth) = (.limited(.bitsPerSecond(bits)), true)
      } else if key.says("latency"), !hasLatency {
        guard let span = everydaySpan(value) else { return nil }
        (step.latency, hasLatency) = (span, true)
      } else {
        return nil
      }
    }
    return hasDuration && hasBandwidth ? step : nil
  }

  private static func everydaySpan(_ text: PlainObject.Text) -> TimeSpan? {
    guard let nanoseconds = UnitSystem.time.everyday(text) else { return nil }
    let span = TimeSpan(nanoseconds: nanoseconds)
    return span <= ScenarioLimits.longestSpan ? span : nil
  }

  /// Steps, with what is said of them here, or else where they were recorded.
  func schedule(of steps: [RateSchedule.Step]) throws(LinkError) -> RateSchedule {
    try RateSchedule(
      steps: steps, ending: ending ?? recorded?.ending ?? .holds,
      clock: clock ?? recorded?.clock ?? .wall,
      offset: (recorded?.offset ?? .zero) + (offset ?? .zero),
      answersInOutages: answersInOutages ?? recorded?.answersInOutages ?? false)
  }

  private static let step = KeyTable<RateSchedule.Step>("scheduleStep", "One step of a schedule.") {
    Key.required("for", { $0.duration = $1 }, .spanAboveZero, "Duration of the step.")
    Key.required("bandwidth", { $0.bandwidth = $1 }, .bandwidth, "The bandwidth in this step.")
    Key.optional(
      "latency", { $0.latency = $1 }, .span, absent: "0 s",
      "Latency of a request made in it, added to the link's delays; the share of it that is left "
        + "at the step's end becomes the same share of the next step's latency.")
  }.form(RateSchedule.Step(duration: .zero, bandwidth: .unlimited))
}

extension Form<RateSchedule> {
  static var schedule: Form {
    ScheduleDescription.keys.form(ScheduleDescription()) { part, object in
      if let recorded = part.recorded, part.ending == nil, part.clock == nil, part.offset == nil,
        part.answersInOutages == nil
      {
        return recorded
      }
      let steps = part.recorded?.steps ?? part.steps
      if steps.isEmpty { return nil }
      do throws(LinkError) {
        return try part.schedule(of: steps)
      } catch {
        return object.node.refuse(error.description)
      }
    }
  }
}

extension Form<RateSchedule.Ending> {
  static var scheduleEnding: Form { .words([("hold", .holds), ("repeat", .loops)]) }
}

extension RateSchedule {
  /// The word for the start of responses, during or after outages, in files, options and traces.
  package static func answers(inOutages: Bool) -> String {
    inOutages ? "inOutages" : "afterOutages"
  }

  static var answers: [(word: String, value: Bool)] {
    [(answers(inOutages: true), true), (answers(inOutages: false), false)]
  }
}

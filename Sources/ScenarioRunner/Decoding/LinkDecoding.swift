import LinkConditioner
import StreamingMedia
import VirtualTime

/// Decodes what a link is like, given the media that some of it is relative to.
struct LinkDecoding {
  /// Nil where the media is wrong, which has been reported; then relative rates are not looked at.
  let file: MediaFile?
  /// A stream has no one bit rate that another could be relative to.
  let isFile: Bool
  let shelf: FileShelf

  /// The link over the run.
  func plan(_ node: DocumentNode) -> LinkPlan? {
    node.object { object in
      let profile = object.optional("profile", as: self.profile)
      let recorded = object.optional("trace", as: LinkTraceDecoding(shelf: shelf).part)
      if profile != nil, let recorded, recorded.schedule == nil {
        object.refuse(
          key: "profile", "\(quotation(of: recorded.trace.file)) is a profile already",
          expected: "only one of the two")
      }
      guard let conditions = self.conditions(&object, profile, recorded) else { return nil }
      let isOn = object.optional("switchedOn", default: true, as: Decode.boolean)
      let schedule = object.optional("schedule", as: Decode.schedule)
      if object.has("trace"), object.has("schedule") {
        object.refuse(
          key: "trace", "cannot stand beside “schedule”",
          expected: "only one of “schedule” or “trace”")
      }
      let outages = object.optional("outages", default: [], as: Decode.list(of: Decode.outage))
      var plan = LinkPlan(
        conditions: conditions, profile: profile?.name, isSwitchedOn: isOn,
        schedule: schedule ?? recorded?.schedule, outages: outages, trace: recorded?.trace)
      plan.isExpensive = object.optional("expensive", default: false, as: Decode.boolean)
      return plan
    }
  }

  /// What the link is like from some moment on.
  func conditions(_ node: DocumentNode) -> LinkConditions? {
    node.object { object in
      let profile = object.optional("profile", as: self.profile)
      return conditions(&object, profile)
    }
  }

  private func profile(_ node: DocumentNode) -> NamedProfile? {
    guard let name = Decode.text(node) else { return nil }
    if let profile = Profile.named(name) { return NamedProfile(name: name, profile: profile) }
    node.refuse(
      "no profile is called \(quotation(of: name))",
      expected: "a name that “goldilocks profiles” lists",
      suggestion: nearestWord(to: name, among: Profile.names))
    return nil
  }

  /// A profile, both directions alike, each direction by itself: what is more special wins.
  private func conditions(
    _ object: inout DocumentObject, _ profile: NamedProfile?, _ recorded: LinkTracePart? = nil
  ) -> LinkConditions? {
    let both = DirectionPart(&object)
    let relative = object.optional("relativeBandwidth", as: Decode.share)
    if object.has("bandwidth"), object.has("relativeBandwidth") {
      object.refuse(
        key: "relativeBandwidth", "cannot stand beside “bandwidth”",
        expected: "only one of “bandwidth” or “relativeBandwidth”")
    }
    refuseShares(&object, profile)
    let downlink = object.optional("downlink", as: DirectionPart.decode)
    let uplink = object.optional("uplink", as: DirectionPart.decode)
    let dnsDelay = object.optional("dnsDelay", as: Decode.runSpan)
    var conditions =
      profile.flatMap { $0.conditions(for: file) }
      ?? recorded?.conditions ?? .perfect
    both.apply(to: &conditions.downlink)
    both.apply(to: &conditions.uplink)
    if let relative, let file {
      conditions.downlink.bandwidth = .limited(bandwidth(relative, of: file))
    }
    downlink?.apply(to: &conditions.downlink)
    uplink?.apply(to: &conditions.uplink)
    if let dnsDelay { conditions.dnsDelay = dnsDelay }
    return checked(conditions, object.node)
  }

  private func refuseShares(_ object: inout DocumentObject, _ profile: NamedProfile?) {
    if isFile { return }
    let message = "is relative to the bit rate of the media, and a stream has several"
    if let profile, profile.isRelative {
      object.refuse(key: "profile", message, expected: "a profile with a bandwidth of its own")
    }
    if object.has("relativeBandwidth") {
      object.refuse(key: "relativeBandwidth", message, expected: "“bandwidth”")
    }
  }

  private func checked(_ conditions: LinkConditions, _ node: DocumentNode) -> LinkConditions? {
    do throws(LinkError) {
      try Link.check(conditions)
      return conditions
    } catch {
      node.refuse(error.description)
      return nil
    }
  }
}

/// A profile, and what the file calls it.
private struct NamedProfile {
  let name: String
  let profile: Profile

  var isRelative: Bool {
    switch profile.downlink {
    case .fixed: false
    case .relativeToMedia: true
    }
  }

  /// What the link is like; nil where that is relative to media that is not known.
  func conditions(for file: MediaFile?) -> LinkConditions? {
    var conditions = profile.base
    switch profile.downlink {
    case .fixed: break
    case .relativeToMedia(let thousandths):
      guard let file else { return nil }
      conditions.downlink.bandwidth = .limited(
        bandwidth(Ratio(thousandths, over: 1_000), of: file))
    }
    return conditions
  }
}

/// What a scenario says of a direction; nil leaves it as it is.
private struct DirectionPart {
  var bandwidth: Bandwidth?
  var delay: TimeSpan?
  var loss: LossRatio?
  var queue: Int64?

  init(_ object: inout DocumentObject) {
    bandwidth = object.optional("bandwidth", as: Decode.bandwidth)
    delay = object.optional("delay", as: Decode.runSpan)
    loss = object.optional("loss", as: Decode.lossRatio)
  }

  static func decode(_ node: DocumentNode) -> DirectionPart? {
    node.object { object in
      var part = DirectionPart(&object)
      part.queue = object.optional("queue", as: Decode.count(in: 0...1_000_000))
      return part
    }
  }

  func apply(to direction: inout DirectionConditions) {
    if let bandwidth { direction.bandwidth = bandwidth }
    if let delay { direction.delay = delay }
    if let loss { direction.loss = loss }
    if let queue { direction.queuePackets = Int32(clamping: queue) }
  }
}

extension Decode {
  /// A share of the media's bit rate.
  static func share(_ node: DocumentNode) -> Ratio? {
    checked(percentage, expected: "at most 100000 %") {
      $0.numerator <= ScenarioLimits.largestShare * $0.denominator
    }(node)
  }

  static func outage(_ node: DocumentNode) -> LinkPlan.Outage? {
    node.object { object in
      let start = object.required("from", as: runInstant)
      let duration = object.required("for", as: runSpanAboveZero)
      guard let start, let duration else { return nil }
      return LinkPlan.Outage(start: start, duration: duration)
    }
  }

  static func schedule(_ node: DocumentNode) -> RateSchedule? {
    node.object { object in
      let steps = object.required("steps", as: list(atLeast: 1, of: scheduleStep))
      let ending = object.optional("then", default: .holds, as: scheduleEnding)
      let clock = object.optional("clock", default: .wall, as: scheduleClock)
      let offset = object.optional("offset", default: .zero, as: runSpan)
      guard let steps else { return nil }
      do throws(LinkError) {
        return try RateSchedule(steps: steps, ending: ending, clock: clock, offset: offset)
      } catch {
        node.refuse(error.description)
        return nil
      }
    }
  }

  private static func scheduleStep(_ node: DocumentNode) -> RateSchedule.Step? {
    node.object { object in
      let duration = object.required("for", as: runSpanAboveZero)
      let bandwidth = object.required("bandwidth", as: bandwidth)
      let latency = object.optional("latency", default: .zero, as: runSpan)
      guard let duration, let bandwidth else { return nil }
      return RateSchedule.Step(duration: duration, bandwidth: bandwidth, latency: latency)
    }
  }
}

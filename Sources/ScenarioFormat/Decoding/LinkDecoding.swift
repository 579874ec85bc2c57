import ExactText
import LinkConditioner
import StreamingMedia

/// Decodes what a link is like, given the media that some of it is relative to.
struct LinkDecoding {
  /// Nil where the media is wrong, which has been reported; then relative rates are not looked at.
  let file: MediaFile?
  /// A stream has no one bit rate that another could be relative to.
  let isFile: Bool

  func plan(_ node: DocumentNode) -> LinkPlan? {
    LinkDescription.keys.read(node, LinkDescription()) { part, object in
      let recorded = part.trace.flatMap(LinkTraceDecoding.part)
      if part.conditions.profile != nil, let recorded, recorded.schedule == nil {
        object.refuse(
          key: "profile", "\(quotation(of: recorded.trace.file)) is a profile already",
          expected: "only one of the two")
      }
      guard let conditions = conditions(part.conditions, &object, recorded) else { return nil }
      var plan = part.plan
      (plan.conditions, plan.profile) = (conditions, part.conditions.profile?.name)
      plan.schedule = plan.schedule ?? recorded?.schedule
      plan.trace = recorded?.trace
      return plan
    }
  }

  func conditions(_ node: DocumentNode) -> LinkConditions? {
    ConditionsDescription.keys.read(node, ConditionsDescription()) { part, object in
      conditions(part, &object)
    }
  }

  /// A profile, both directions alike, each direction by itself: what is more special wins.
  private func conditions(
    _ part: ConditionsDescription, _ object: inout DocumentObject,
    _ recorded: LinkTracePart? = nil
  ) -> LinkConditions? {
    refuseShares(&object, part.profile)
    var conditions =
      part.profile.flatMap { $0.conditions(for: file) } ?? recorded?.conditions ?? .perfect
    part.both.apply(to: &conditions.downlink)
    part.both.apply(to: &conditions.uplink)
    if let share = part.relativeBandwidth, let file {
      conditions.downlink.bandwidth = .limited(bandwidth(share, of: file))
    }
    part.downlink?.apply(to: &conditions.downlink)
    part.uplink?.apply(to: &conditions.uplink)
    if let dnsDelay = part.dnsDelay { conditions.dnsDelay = dnsDelay }
    do throws(LinkError) {
      try Link.check(conditions)
      return conditions
    } catch {
      return object.node.refuse(error.description)
    }
  }

  private func refuseShares(_ object: inout DocumentObject, _ profile: NamedProfile?) {
    if isFile { return }
    let message = "is relative to the bit rate of the media, and a stream has several"
    if let profile, case .relativeToMedia = profile.profile.downlink {
      object.refuse(key: "profile", message, expected: "a profile with a bandwidth of its own")
    }
    if object.has("relativeBandwidth") {
      object.refuse(key: "relativeBandwidth", message, expected: "“bandwidth”")
    }
  }
}

struct NamedProfile {
  let name: String
  let profile: Profile

  /// Names are found whatever their case and punctuation, so the schema takes any text.
  static var form: Form<NamedProfile> {
    Form(
      .named("profile", "A link of the catalogue by name, in upper or lower case.") {
        .anyOf([.words(Profile.names).examples("Slow Server", "3G"), .text("lte")])
      }
    ) { node in
      guard let name = Decode.text(node) else { return nil }
      if let profile = Profile.named(name) { return NamedProfile(name: name, profile: profile) }
      return node.refuse(
        "no profile is called \(quotation(of: name))",
        expected: "a name that “goldilocks profiles” lists",
        suggestion: nearestWord(to: name, among: Profile.names))
    }
  }

  /// The link conditions; nil where they are relative to media that is not known.
  func conditions(for file: MediaFile?) -> LinkConditions? {
    guard case .relativeToMedia(let thousandths) = profile.downlink else { return profile.base }
    return file.map { file in
      let rate = bandwidth(Ratio(thousandths, over: 1_000), of: file)
      return changed(profile.base) { $0.downlink.bandwidth = .limited(rate) }
    }
  }
}

import Autowait
import SimulatedWorld
import VirtualTime

/// Decodes what the app does, given the names of the steps and the media that links are
/// relative to.
struct ScriptDecoding {
  let links: LinkDecoding
  let names: StepNames
  let items: PartNames
  let traffic: PartNames
  let tracks: TrackNames
  let languages: LanguageNames

  func script(_ node: DocumentNode) -> [ScriptStep]? {
    names.check()
    return node.list(of: step)
  }

  private func step(_ node: DocumentNode) -> ScriptStep? {
    node.object { object in
      let trigger = object.exactlyOne(of: [
        ("at", time),
        ("when", { Decode.condition($0).map { ScriptStep.Trigger.when($0, after: nil) } }),
      ])
      let after = self.after(&object)
      let verb = object.required("do", as: Decode.verb)
      let action = verb.flatMap { $0.action(&object, self) }
      if verb == nil { object.know(AppVerb.argumentKeys) }
      let item = verb?.concernsItem == true ? object.optional("item", as: items.name) : nil
      let name = object.optional("name", as: Decode.nonEmptyText)
      let delay = object.optional("appDelay", default: .zero, as: Decode.runSpan)
      let isNotified = object.optional("byNotification", default: false, as: Decode.boolean)
      if object.has("byNotification"), !object.has("when") {
        object.refuse(
          key: "byNotification", "stands beside “when” only",
          expected: "a condition that is told of")
      }
      guard let trigger, let verb, let action else { return nil }
      var step = ScriptStep(
        name: name ?? verb.name, trigger: trigger.following(after), verb: verb.name, action: action,
        position: node.value.position)
      step.appDelay = delay
      step.isNotified = isNotified
      step.item = item
      return step
    }
  }

  /// The step after which a condition is looked at.
  private func after(_ object: inout DocumentObject) -> String? {
    let name = object.optional("after", as: names.reference)
    if object.has("after"), object.has("at") {
      object.refuse(
        key: "after", "stands beside “when” only",
        expected: "“at”: { “after”: a step, “by”: a time }")
    }
    return name
  }

  /// "3 s", or so long after another step.
  private func time(_ node: DocumentNode) -> ScriptStep.Trigger? {
    guard case .object = node.value.content else { return Decode.runInstant(node).map { .at($0) } }
    return node.object { object in
      let step = object.required("after", as: names.reference)
      let span = object.optional("by", default: .zero, as: Decode.runSpan)
      return step.map { .after(step: $0, span) }
    }
  }
}

extension ScriptStep.Trigger {
  /// The same condition, looked at once a step was done.
  fileprivate func following(_ step: String?) -> ScriptStep.Trigger {
    switch self {
    case .at, .after: self
    case .when(let condition, after: _): .when(condition, after: step)
    }
  }
}

/// A value of an asset that can be asked for: "duration or available media characteristics with
/// media selection options" is what the talk asks for (WWDC16 503).
enum AssetKey: String, CaseIterable {
  case duration
  case availableMediaCharacteristicsWithMediaSelectionOptions
  case tracks
  case isPlayable
}

extension Form<String> {
  static var assetKey: Form { .words(AssetKey.allCases.map { ($0.rawValue, $0.rawValue) }) }
}

extension Form<PlaybackRate> {
  /// A rate at which media moves.
  static var movingRate: Form { Form(.playbackRate, Decode.movingRate) }
}

extension Form<AppAction.HostTime> {
  static var hostTime: Form {
    let time = UnitSystem.time.pattern
    return Form(
      .pattern(
        "^ *((at|in) +\(time)|\(time) ago)$", noun: "a host time",
        examples: ["at 12 s", "in 2 s", "2 s ago"]), Decode.hostTime)
  }
}

extension Decode {
  static func verb(_ node: DocumentNode) -> AppVerb? {
    choice(AppVerb.all.map { (word: $0.name, value: $0) })(node)
  }

  /// A point of the external timeline: "at 12 s", "in 2 s", "2 s ago".
  static func hostTime(_ node: DocumentNode) -> AppAction.HostTime? {
    guard let text = text(node) else { return nil }
    let (word, rest) = firstWord(of: text)
    do throws(QuantityProblem) {
      if isSameText(word, "at") { return .at(.zero + (try hostSpan(rest))) }
      if isSameText(word, "in") { return .fromNow(nanoseconds: try hostSpan(rest).nanoseconds) }
      if let span = text.dropping(ending: " ago") {
        return .fromNow(nanoseconds: -(try hostSpan(trimmed(span)).nanoseconds))
      }
      node.refuse(
        "\(quotation(of: text)) is no host time",
        expected: alternatives(["at 12 s", "in 2 s", "2 s ago"]))
    } catch {
      node.refuse(error.message, expected: error.expected, suggestion: error.suggestion)
    }
    return nil
  }

  private static func hostSpan(_ text: String) throws(QuantityProblem) -> TimeSpan {
    let span = try Quantity.timeSpan(text)
    if span <= ScenarioLimits.longestSpan { return span }
    throw QuantityProblem(
      "\(quotation(of: text)) is too far away", expected: "a time of at most 365 days")
  }
}

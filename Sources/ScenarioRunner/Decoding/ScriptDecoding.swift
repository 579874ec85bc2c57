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
      let action = verb.flatMap { self.action(for: $0, &object) }
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
        name: name ?? verb.name, trigger: trigger.following(after), action: action,
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

// MARK: - What is done

extension ScriptDecoding {
  private func action(for verb: AppVerb, _ object: inout DocumentObject) -> AppAction? {
    switch verb {
    case .player(let verb): action(for: verb, &object)
    case .live(let verb): action(for: verb, &object)
    case .queue(let verb): edit(verb, &object).map(AppAction.edit)
    case .link(let verb): action(for: verb, &object)
    }
  }

  private func action(for verb: PlayerVerb, _ object: inout DocumentObject) -> AppAction? {
    switch verb {
    case .play: .play
    case .pause: .pause
    case .playImmediately:
      .playImmediately(object.optional("rate", default: .normal, as: Decode.movingRate))
    case .setRate: object.required("rate", as: Decode.scenarioRate).map(AppAction.setRate)
    case .setDefaultRate:
      object.required("rate", as: Decode.scenarioRate).map(AppAction.setDefaultRate)
    case .seek: object.required("to", as: Decode.mediaPlace).map(AppAction.seek)
    case .setAutomaticallyWaitsToMinimizeStalling:
      object.required("to", as: Decode.boolean).map(AppAction.setWaitsAutomatically)
    case .setForwardPlaybackEndTime:
      object.required("to", as: Decode.anyPlace).map(AppAction.setForwardPlaybackEndTime)
    case .setActionAtItemEnd:
      object.required("to", as: Decode.actionOfQueue).map(AppAction.setActionAtItemEnd)
    case .setPreferredForwardBufferDuration:
      object.required("to", as: Decode.mediaPlace)
        .map(AppAction.setPreferredForwardBufferDuration)
    case .setPreferredPeakBitRate:
      object.required("to", as: Decode.bitRateLimit).map(AppAction.setPreferredPeakBitRate)
    case .setLayer: object.required("to", as: Decode.anyLayer).map(AppAction.setLayer)
    case .selectAudio: languages.audioSelection(&object)
    case .selectSubtitles: languages.subtitleSelection(&object)
    case .setExpensiveNetwork:
      object.required("to", as: Decode.boolean).map(AppAction.setExpensiveNetwork)
    case .setNetworkResourcePriority:
      object.required("to", as: Decode.networkResourcePriority)
        .map(AppAction.setNetworkResourcePriority)
    case .setTrackEnabled: setTrackEnabled(&object)
    case .beginSuspension: suspension(&object, AppAction.beginSuspension)
    case .endSuspension: suspension(&object, AppAction.endSuspension)
    case .setRateAtHostTime: setRateAtHostTime(&object)
    case .loadValues: .loadValues(keys: Decode.assetKeys(&object))
    case .setItem: .setItem
    case .removeItem: .removeItem
    case .project: object.required("ahead", as: Decode.runSpan).map(AppAction.project)
    }
  }

  private func action(for verb: LiveVerb, _ object: inout DocumentObject) -> AppAction? {
    switch verb {
    case .seekToLive: .live(.seekToLive)
    case .setAutomaticallyPreservesTimeOffsetFromLive: Decode.preservation(&object)
    case .setConfiguredTimeOffsetFromLive: Decode.configuredOffset(&object)
    case .setCanUseNetworkResourcesForLiveStreamingWhilePaused: Decode.networkUse(&object)
    }
  }

  private func action(for verb: LinkVerb, _ object: inout DocumentObject) -> AppAction? {
    switch verb {
    case .switchLink: object.required("to", as: Decode.onOrOff).map { .switchLink(on: $0) }
    case .changeLink: object.required("to", as: links.conditions).map(AppAction.changeLink)
    case .changeSchedule:
      object.required("to", as: Form.nullable(.schedule).read).map(AppAction.changeSchedule)
    case .suspendTraffic: traffic(&object, AppAction.suspendTraffic)
    case .resumeTraffic: traffic(&object, AppAction.resumeTraffic)
    case .stopTraffic: traffic(&object, AppAction.stopTraffic)
    }
  }

  private func edit(_ verb: QueueVerb, _ object: inout DocumentObject) -> QueueEdit? {
    switch verb {
    case .insert:
      let item = object.required("item", as: items.name)
      let other = object.optional("afterItem", as: items.name)
      return item.map { .insert(item: $0, after: other) }
    case .remove: return object.required("item", as: items.name).map { .remove(item: $0) }
    case .removeAllItems: return .removeAllItems
    case .advanceToNextItem: return .advanceToNextItem
    case .startLooping: return .startLooping
    case .disableLooping: return .disableLooping
    }
  }

  private func setTrackEnabled(_ object: inout DocumentObject) -> AppAction? {
    let track = object.required("track", as: tracks.reference)
    let isEnabled = object.required("to", as: Decode.boolean)
    guard let track, let isEnabled else { return nil }
    return .setTrackEnabled(name: track.name, index: track.index, isEnabled)
  }

  private func traffic(
    _ object: inout DocumentObject, _ action: (String) -> AppAction
  ) -> AppAction? {
    object.required("traffic", as: traffic.name).map(action)
  }

  private func suspension(
    _ object: inout DocumentObject, _ action: (Suspension) -> AppAction
  ) -> AppAction? {
    object.required("by", as: Decode.suspension).map(action)
  }

  private func setRateAtHostTime(_ object: inout DocumentObject) -> AppAction? {
    let rate = object.required("rate", as: Decode.scenarioRate)
    let time = object.optional("time", as: Decode.mediaPlace)
    let hostTime = object.optional("hostTime", as: Decode.hostTime)
    return rate.map { .setRateAtHostTime($0, time: time, hostTime: hostTime) }
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

extension Decode {
  fileprivate static func assetKeys(_ object: inout DocumentObject) -> [String] {
    object.optional(
      "keys", default: [AssetKey.duration.rawValue],
      as: list(
        atLeast: 1, of: choice(AssetKey.allCases.map { (word: $0.rawValue, value: $0.rawValue) })))
  }

  static func suspension(_ node: DocumentNode) -> Suspension? {
    choice(Suspension.allCases.map { (word: $0.word, value: $0) })(node)
  }

  static func verb(_ node: DocumentNode) -> AppVerb? {
    choice(AppVerb.allCases.map { (word: $0.name, value: $0) })(node)
  }

  static func onOrOff(_ node: DocumentNode) -> Bool? {
    choice([("on", true), ("off", false)])(node)
  }

  /// A layer, or null for none.
  static func anyLayer(_ node: DocumentNode) -> PixelSize?? {
    nullable(layer)(node)
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

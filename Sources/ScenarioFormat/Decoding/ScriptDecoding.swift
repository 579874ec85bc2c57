import ExactText
import VirtualTime

/// Decodes the app's actions, given the names of steps and the media that links are relative to.
struct ScriptDecoding {
  let links: LinkDecoding
  let names: StepNames
  let items: PartNames
  let traffic: PartNames
  let tracks: PartNames
  let languages: LanguageNames

  func script(_ node: DocumentNode) -> [ScriptStep]? {
    names.reportRepetitions()
    names.reportCycles()
    return node.list(of: StepDescription(known: self).read)
  }
}

extension ScriptStep.Trigger {
  /// The same event, when it has come so often, or condition, looked at once a step was done.
  func counting(to number: Int64, after step: String?) -> ScriptStep.Trigger {
    switch self {
    case .at, .after: self
    case .when(let condition, after: _): .when(condition, after: step)
    case .event(let event, number: _, after: _): .event(event, number: number, after: step)
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
  /// A point of the external timeline: "at 12 s", "in 2 s", "2 s ago".
  static func hostTime(_ node: DocumentNode) -> AppAction.HostTime? {
    guard let text = text(node) else { return nil }
    let (word, rest) = firstWord(of: text)
    do throws(QuantityProblem) {
      if isSameText(word, "at") { return .at(.zero + (try hostSpan(rest))) }
      if isSameText(word, "in") { return .fromNow(nanoseconds: try hostSpan(rest).nanoseconds) }
      if text.utf8.suffix(4).elementsEqual(" ago".utf8) {
        let span = try hostSpan(trimmedText(text.utf8.dropLast(4)))
        return .fromNow(nanoseconds: -span.nanoseconds)
      }
      return node.refuse(
        "\(quotation(of: text)) is no host time",
        expected: alternatives(["at 12 s", "in 2 s", "2 s ago"]))
    } catch {
      return node.refuse(error)
    }
  }

  private static func hostSpan(_ text: String) throws(QuantityProblem) -> TimeSpan {
    let span = try Quantity.timeSpan(text.bytes)
    if span <= ScenarioLimits.longestSpan { return span }
    throw QuantityProblem(
      "\(quotation(of: text)) is too far away", expected: "a time of at most 365 days")
  }
}

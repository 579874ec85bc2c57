import ExactText
import PlayerPolicies
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

extension RunOutcome {
  /// The errors of a player's items, in the order of their dates; nil is the first player.
  func errors(of player: String?) -> [ErrorLogEvent] {
    itemLogs.filter { isSameName($0.player, player) }
      .flatMap { $0.logs.errorLog?.events ?? [] }.sorted { $0.date < $1.date }
  }

  /// The figure `averageBitrate` of a session of one item, and otherwise the mean of the rates that
  /// were declared; nil where nothing of a stream was played.
  var meanRate: (rate: BitRate, isDeclared: Bool)? {
    guard let declared = played.meanBitRate else { return nil }
    let isAlone = itemLogs.count { $0.player == nil } == 1
    if isAlone, let rate = player.averageBitRate { return (rate, false) }
    return (.bitsPerSecond(declared), true)
  }
}

/// Stalls, quality and items of a player, in words. An object, which no closure copies.
final class StoryWords {
  let scenario: Scenario
  let outcome: RunOutcome
  /// The further player whose stalls are told; nil for the first.
  let name: String?
  let folds: PlayerFolds
  let books: PlayerBooks

  init(scenario: Scenario, outcome: RunOutcome, other: NamedSummary? = nil) {
    (self.scenario, self.outcome, name) = (scenario, outcome, other?.name)
    folds = other?.folds ?? outcome.folds
    books = other?.player.books ?? outcome.player.books
  }

  private var story: RunStory { outcome.story }
  private static let most = 6

  /// A line for each of the first stalls: when, how long, and why.
  var stalls: [Fact] {
    if outcome.gaps.contains(.stallPlaces) { return [] }
    let lines = books.stalls.prefix(Self.most).map { stall in
      let length = stall.end == nil ? "to the end" : "for " + exactSeconds(stall.length)
      return "at \(exactSeconds(stall.start)) \(length): \(reason(of: stall))"
    }
    return facts("", lines, of: Int(books.stallCount), .bad)
  }

  /// Falls of likely to keep up, and changes of the rate that the app did not ask for.
  var lapses: [Fact] {
    let (rates, falls) = (story.lapses.filter { $0.isRate }, story.lapses.filter { !$0.isRate })
    return [("keeping up", falls), ("rate", rates)].flatMap { name, records in
      let lines = records.compactMap { Decision($0, scenario) }.map {
        "at \(exactSeconds($0.instant)): \($0.sentence) (\($0.source))"
      }
      return facts(name, lines, of: lines.count, nil)
    }
  }

  /// The initial variant and its reason, the media played of each variant, and the switches.
  var quality: [Fact] {
    guard scenario.sources.contains(where: { VariantShades($0).count > 0 }) else { return [] }
    var parts: [String] = []
    if let first = story.firstVariant {
      let shown = outcome.shownVariants.first
      let isShown = shown?.variant == Int64(first.variant)
      parts.append(
        "\(isShown ? "began with" : "asked first for") "
          + "\(place(Int64(first.variant), of: story.firstItem)), \(first.words)")
      if let shown, !isShown {
        let shades = VariantShades(shown.source ?? scenario.item.source)
        parts.append("began with " + shades.place(of: shown.variant))
      }
    }
    let played = outcome.played
    if let mean = outcome.meanRate {
      parts.append(shownRate(mean.rate) + (mean.isDeclared ? " declared," : "") + " on average")
    }
    if played.count > 1 {
      let each = played.map {
        "\(shownRate(.bitsPerSecond($0.bitRate))) for \(exactSeconds($0.media))"
      }
      parts.append(joined(each, by: ", ") + " (declared)")
    }
    let kept = story.kept.map { reason in
      "at \(exactSeconds(reason.instant)) \(place(reason.variant, of: reason.item)): "
        + "\(Decision.sentence(of: reason.clause)) (\(reason.clause.word))"
    }
    let notHigher = facts("not higher", kept, of: kept.count, nil)
    if story.switches.isEmpty { parts.append("no switches") }
    let lines = story.switches.prefix(Self.most).map { change in
      let shades = VariantShades(scenario.source(of: change.item))
      return "at \(exactSeconds(change.instant)) "
        + "\(shades.direction(from: change.from, to: change.to))to "
        + "\(shades.place(of: change.to)) (\(change.reason.word))"
    }
    return [Fact("quality", joined(parts, by: "; "))]
      + facts("switches", lines, of: story.allSwitches, nil) + notHigher
  }

  private func place(_ variant: Int64, of item: String?) -> String {
    VariantShades(scenario.source(of: item)).place(of: variant)
  }

  /// The items of a queue, and how each followed the one before it where that could be noticed.
  var items: [Fact] {
    var facts: [Fact] = []
    if !story.items.isEmpty {
      let lines = story.items.map { "\($0.name) from \(exactSeconds($0.start))" }
      let more = lines.count - Self.most
      facts.append(
        Fact(
          "items",
          joined(Array(lines.prefix(Self.most)), by: ", ")
            + (more > 0 ? ", and \(grouped(Int64(more))) more" : "")))
    }
    let noticed = story.transitions.filter { $0.transition.reason != nil }
    let lines = noticed.map { words($0.end, $0.transition) }
    facts += self.facts("not seamless", lines, of: lines.count, .bad)
    let failures = story.failures.map { failure in
      (failure.item.map { "\($0) " } ?? "")
        + "at \(exactSeconds(failure.instant)): \(failure.failure.words)"
    }
    return facts + self.facts("failed", failures, of: failures.count, .bad)
  }

  private func words(_ end: Instant, _ next: RunStory.Transition) -> String {
    let way = next.from.isEmpty || next.to.isEmpty ? "" : " from \(next.from) to \(next.to)"
    var text = "at \(exactSeconds(end))\(way): "
    if next.gap > .zero {
      text += "a gap of \(exactSeconds(next.gap))"
      if next.kind == .buffering { text += ", in which the player waited" }
    } else {
      text += "\(shownSpan(next.silence.nanoseconds)) of silence"
    }
    if let reason = next.reason { text += ": \(reason.words)" }
    return text
  }

  private func facts(_ name: String, _ lines: [String], of count: Int, _ tint: Tint?) -> [Fact] {
    Fact.list(name, lines, of: count, most: Self.most, tint)
  }
}

extension InitialVariant {
  var words: String {
    let rate = shownRate(.bitsPerSecond(bitRate ?? 0))
    return switch reason {
    case .firstEligible: "the first in the playlist that can be played"
    case .lowestOfAll: "the lowest, since none is allowed"
    case .sustainedByObservation:
      "the highest that \(rate) sustain, the throughput seen before"
    case .sustainedByAssumption:
      "the highest that \(rate) sustain, the assumed throughput"
    case .lowestEligible:
      "the lowest, since \(rate) sustain none"
    case .probe: "the lowest, as a probe of the link"
    case .sustainedByProbe:
      "the highest that arrives in time at the probe's \(rate)"
    case .lowest: "the lowest, by the policy"
    case .highest: "the highest, by the policy"
    case .place: "at the policy's place on the ladder"
    case .continuesSound: "which continues the audio of the item before"
    }
  }
}

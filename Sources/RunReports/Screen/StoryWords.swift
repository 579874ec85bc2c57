import LinkConditioner
import PlayerPolicies
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// Stalls, quality and items of the first player, in words.
struct StoryWords {
  let scenario: Scenario
  let outcome: RunOutcome
  /// Where nothing gets through the link; nil where nobody stalls.
  private let silences: SilentStretches?

  init(scenario: Scenario, outcome: RunOutcome) {
    self.scenario = scenario
    self.outcome = outcome
    silences = outcome.player.stalls.isEmpty ? nil : SilentStretches(of: scenario.link)
  }

  private var story: RunStory { outcome.story }
  private static let most = 6

  // MARK: Stalls

  /// A line for each of the first stalls: when, how long, and why.
  var stalls: [Fact] {
    let stalls = outcome.player.stalls
    let lines = stalls.indices.prefix(Self.most).map { index in
      let stall = stalls[index]
      let length =
        stall.end == nil ? "to the end" : "for " + exactSeconds(stall.length.nanoseconds)
      return "at \(exactSeconds(stall.start.nanoseconds)) \(length): \(reason(of: index))"
    }
    return facts("", lines, of: Int(outcome.player.stallCount), .bad) + inevitable
  }

  /// Settings of a stream that make it stall whenever it starts.
  private var inevitable: [Fact] {
    guard case .stream(let settings) = scenario.item.source, !outcome.player.stalls.isEmpty,
      let segments = settings.presentation.lists.first?.segments, let last = segments.last
    else { return [] }
    let length = MediaTime(nanoseconds: last.end.nanoseconds / Int64(segments.count))
    let conditions = scenario.link.conditions
    let roundTrip = conditions.downlink.delay + conditions.uplink.delay
    let forward = scenario.item.preferredForwardBufferDuration
    var lines: [String] = []
    if roundTrip.nanoseconds >= length.nanoseconds {
      lines.append(
        "a round trip takes \(exactSeconds(roundTrip.nanoseconds)), and a segment lasts "
          + exactSeconds(length.nanoseconds))
    }
    if forward > .zero, forward.nanoseconds < 2 * length.nanoseconds {
      lines.append(
        "the forward buffer of \(exactSeconds(forward.nanoseconds)) is shorter than two segments "
          + "of \(exactSeconds(length.nanoseconds))")
    }
    return facts("", lines, of: lines.count, .bad)
  }

  /// Why playback ran dry.
  func reason(of index: Int) -> String {
    let stalls = outcome.player.stalls
    let stall = stalls[index]
    let before = index == 0 ? .zero : stalls[index - 1].end ?? .zero
    if let outage = silences?.last(startingBy: stall.start), outage.end > before {
      let start = "the link was out from \(exactSeconds(outage.start.nanoseconds))"
      return outage.end == .distantFuture
        ? start + " on" : "\(start) to \(exactSeconds(outage.end.nanoseconds))"
    }
    let since = outcome.levels.filter { $0.instant >= before && $0.instant <= stall.start }
    let most = since.reduce(into: BufferLevel?.none) { most, level in
      if level.ahead > most?.ahead ?? .zero { most = level }
    }
    guard let most else { return "nothing was loaded ahead" }
    return "less came in than was played; at most "
      + "\(exactSeconds(most.ahead.nanoseconds)) were ahead, "
      + "at \(exactSeconds(most.instant.nanoseconds))"
  }

  // MARK: Quality

  /// Which variant a stream began with and why, and what was played of each.
  var quality: [Fact] {
    guard case .stream(let settings) = scenario.item.source else { return [] }
    var parts: [String] = []
    if let first = story.firstVariant {
      let shown = outcome.shownVariants.first
      let isShown = shown?.variant == Int64(first.variant)
      parts.append(
        "\(isShown ? "began with" : "asked first for") "
          + "\(rate(first.variant, settings.presentation)), \(first.reason.words)")
      if let shown, !isShown {
        parts.append("began with \(rate(Int(shown.variant), settings.presentation))")
      }
    }
    let played = outcome.played
    if let average = played.meanBitRate {
      parts.append("\(shownRate(.bitsPerSecond(average))) on average")
    }
    if played.count > 1 {
      let each = played.map {
        "\(shownRate(.bitsPerSecond($0.bitRate))) for \(exactSeconds($0.media.nanoseconds))"
      }
      parts.append(joined(each, by: ", "))
    }
    let kept = story.kept.map { reason in
      "at \(exactSeconds(reason.instant.nanoseconds)) "
        + "\(rate(Int(reason.variant), settings.presentation)): "
        + "\(Decision.sentence(of: reason.clause)) (\(reason.clause.word))"
    }
    let notHigher = facts("not higher", kept, of: kept.count, nil)
    if story.switches.isEmpty {
      parts.append("no switches")
      return [Fact("quality", joined(parts, by: "; "))] + notHigher
    }
    let lines = story.switches.prefix(Self.most).map { change in
      let isUp = bits(change.to, settings.presentation) > bits(change.from, settings.presentation)
      return "at \(exactSeconds(change.instant.nanoseconds)) \(isUp ? "up" : "down") to "
        + "\(rate(Int(change.to), settings.presentation)) (\(change.reason.word))"
    }
    return [Fact("quality", joined(parts, by: "; "))]
      + facts("switches", lines, of: story.allSwitches, nil) + notHigher
  }

  private func bits(_ variant: Int64, _ presentation: Presentation) -> Int64 {
    let variants = presentation.variants
    return variants.indices.contains(Int(variant))
      ? variants[Int(variant)].attributes.bandwidth : 0
  }

  private func rate(_ variant: Int, _ presentation: Presentation) -> String {
    "variant \(variant) of \(shownRate(.bitsPerSecond(bits(Int64(variant), presentation))))"
  }

  // MARK: Items

  /// The items of a queue, and how each followed the one before it where that could be noticed.
  var items: [Fact] {
    var facts: [Fact] = []
    if !story.items.isEmpty {
      let lines = story.items.map { "\($0.name) from \(exactSeconds($0.start.nanoseconds))" }
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
    return facts + failures
  }

  private func words(_ end: Instant, _ next: RunStory.Transition) -> String {
    let way = next.from.isEmpty || next.to.isEmpty ? "" : " from \(next.from) to \(next.to)"
    var text = "at \(exactSeconds(end.nanoseconds))\(way): "
    if next.gap > .zero {
      text += "a gap of \(exactSeconds(next.gap.nanoseconds))"
      if next.kind == .buffering { text += ", in which the player waited" }
    } else {
      text += "\(shownSpan(next.silence.nanoseconds)) of silence"
    }
    if let reason = next.reason { text += ": \(reason.words)" }
    return text
  }

  private var failures: [Fact] {
    let lines = story.failures.map { failure in
      (failure.item.map { "\($0) " } ?? "")
        + "at \(exactSeconds(failure.instant.nanoseconds)): \(failure.failure.words)"
    }
    return facts("failed", lines, of: lines.count, .bad)
  }

  /// A line for each of the first, under one name, and how many more there are.
  private func facts(_ name: String, _ lines: [String], of count: Int, _ tint: Tint?) -> [Fact] {
    var facts = lines.prefix(Self.most).map { Fact("", $0, tint) }
    if count > Self.most {
      facts.append(Fact("", "and \(grouped(Int64(count - Self.most))) more"))
    }
    if !facts.isEmpty { facts[0].name = name }
    return facts
  }
}

extension InitialVariant.Reason {
  /// Why a stream begins with a variant.
  var words: String {
    switch self {
    case .firstEligible: "the first in the playlist that can be played"
    case .lowestOfAll: "the lowest, since none is allowed"
    case .sustainedByObservation(let rate):
      "the highest that \(shownRate(.bitsPerSecond(rate))) sustain, which were seen before"
    case .sustainedByAssumption(let rate):
      "the highest that \(shownRate(.bitsPerSecond(rate))) sustain, which were assumed"
    case .lowestEligible(let rate):
      "the lowest, since \(shownRate(.bitsPerSecond(rate))) sustain none"
    case .probe: "the lowest, to see what the link brings"
    case .sustainedByProbe(let rate):
      "the highest that comes in time at \(shownRate(.bitsPerSecond(rate))), which a probe showed"
    case .lowest: "the lowest, as the policy wants it"
    case .highest: "the highest, as the policy wants it"
    case .place: "at the place on the ladder that the policy wants"
    case .continuesSound: "whose sound goes on from the item before"
    }
  }
}

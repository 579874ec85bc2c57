import LinkConditioner
import PlayerPolicies
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension RunOutcome {
  /// The errors of the first player's items, in the order of their dates.
  var errors: [ErrorLogEvent] {
    itemLogs.filter { $0.player == nil }.flatMap { $0.logs.errorLog?.events ?? [] }
      .sorted { $0.date < $1.date }
  }
}

/// Stalls, quality and items of the first player, in words.
struct StoryWords {
  let scenario: Scenario
  let outcome: RunOutcome

  private var story: RunStory { outcome.story }
  private static let most = 6

  /// A line for each of the first stalls: when, how long, and why.
  var stalls: [Fact] {
    let stalls = outcome.player.books.stalls
    let lines = stalls.indices.prefix(Self.most).map { index in
      let stall = stalls[index]
      let length = stall.end == nil ? "to the end" : "for " + exactSeconds(stall.length)
      return "at \(exactSeconds(stall.start)) \(length): \(reason(of: index))"
    }
    return facts("", lines, of: Int(outcome.player.books.stallCount), .bad) + inevitable
  }

  /// Settings of a stream that make it stall whenever it starts.
  private var inevitable: [Fact] {
    guard case .stream(let settings) = scenario.item.source, !outcome.player.books.stalls.isEmpty,
      let length = settings.presentation.lists.first?.segments.map({ $0.duration }).max()
    else { return [] }
    let conditions = scenario.link.conditions
    let roundTrip = conditions.downlink.delay + conditions.uplink.delay
    let forward = scenario.item.preferredForwardBufferDuration
    var lines: [String] = []
    if roundTrip.nanoseconds >= length.nanoseconds {
      lines.append(
        "a round trip takes \(exactSeconds(roundTrip)), and a segment lasts "
          + exactSeconds(length))
    }
    let isChanged = scenario.script.contains { step in
      if case .setPreferredForwardBufferDuration = step.action { true } else { false }
    }
    if forward > .zero, !isChanged, forward.nanoseconds < 2 * length.nanoseconds {
      lines.append(
        "the forward buffer of \(exactSeconds(forward)) is shorter than two segments "
          + "of \(exactSeconds(length))")
    }
    return facts("", lines, of: lines.count, .bad)
  }

  /// The cause of a buffer underrun, with the rates of link and media.
  func reason(of index: Int) -> String {
    let stalls = outcome.player.books.stalls
    let stall = stalls[index]
    let before = index == 0 ? .zero : stalls[index - 1].end ?? .zero
    let outage = outcome.capacity?.last { $0.start <= stall.start && $0.rate == 0 }
    if let outage, outage.end > before {
      let start = "the link was out from \(exactSeconds(outage.start))"
      return outage.end >= outcome.ended ? start + " on" : "\(start) to \(exactSeconds(outage.end))"
    }
    if case .stream(let settings) = source(at: stall.start),
      let stop = settings.live?.stops.last(where: { $0.begins <= stall.start }),
      let target = settings.presentation.lists.first?.targetDuration,
      // The first segment after it is listed when all of it is there.
      stop.begins + stop.span + TimeSpan(nanoseconds: target.nanoseconds) >= stall.start
    {
      let end = exactSeconds(stop.begins + stop.span)
      return "the encoder stood still from \(exactSeconds(stop.begins)) to \(end)"
    }
    let since = outcome.levels.filter { $0.instant >= before && $0.instant <= stall.start }
    let most = since.reduce(into: BufferLevel?.none) { most, level in
      // A full buffer reaches its limit again and again: the last time is where it begins to fall.
      if level.ahead > .zero, level.ahead >= most?.ahead ?? .zero { most = level }
    }
    let ahead =
      most.map {
        "at most \(exactSeconds($0.ahead)) were ahead, at " + exactSeconds($0.instant)
      } ?? "nothing was loaded ahead"
    let fall = most?.instant ?? before
    let rates = self.rates(from: fall, to: stall.start)
    let failures = self.failures(from: fall, to: stall.end ?? outcome.ended)
    return joined([rates, failures, ahead].compactMap { $0 }, by: "; ")
  }

  /// The requests that failed in a stretch, and the last of them; nil where none did.
  private func failures(from start: Instant, to end: Instant) -> String? {
    let failures = outcome.errors.filter { start <= $0.date && $0.date <= end }
    return failures.last.map {
      "\(counted(Int64(failures.count), "request")) failed meanwhile, "
        + (failures.count > 1 ? "the last " : "")
        + "at \(exactSeconds($0.date)): \($0.comment)"
    }
  }

  /// Bits per second that the link carried over a stretch, and those that the media needed in it;
  /// nil where the link alone knows the former.
  private func rates(from start: Instant, to end: Instant) -> String? {
    guard let spans = outcome.capacity, end - start >= .milliseconds(1) else { return nil }
    let mean = spans.mean(from: start, to: end)
    let carried = mean ?? .max
    let (need, words) = needs(from: start, to: end, at: carried)
    var link = mean.map { "the link carried " + shown(bits: $0) } ?? "the link was unlimited"
    link += " for " + exactSeconds(end - start)
    if scenario.isLinkShared { link += " and was shared" }
    if carried < need { return "\(link); \(words)" }
    let conditions = scenario.link.conditions
    let hindrances = ScenarioWords.delays(conditions) + ScenarioWords.losses(conditions)
    if !hindrances.isEmpty { link += ", with " + joined(hindrances, by: ", ") }
    if scenario.fidelity == .fluid, let most = LossCap.bitsPerSecond(conditions), most < carried {
      link += ", which holds a transfer to \(shown(bits: most))"
    }
    return "\(link); \(words)"
  }

  /// Bits per second that the media needed at the rate of playback, at least, and in words.
  ///
  /// - Parameter carried: The bits per second of the link, above which a variant is named.
  private func needs(
    from start: Instant, to end: Instant, at carried: Int64
  ) -> (least: Int64, words: String) {
    let rate = outcome.panels.last { $0.instant < end && !$0.rate.isZero }?.rate ?? .normal
    func atRate(_ bits: Int64) -> Int64 {
      rate.media(in: TimeSpan(nanoseconds: bits)).nanoseconds
    }
    let speed = rate == .normal ? "" : " at rate \(decimal(atRate(100), of: 2, places: 2))"
    switch source(at: end) {
    case .local(let file), .progressive(let file):
      let need = atRate(file.averageBitRate.roundedDown)
      return (need, "the media needs \(shown(bits: need))\(speed)")
    case .stream(let settings):
      let needs = settings.presentation.variants.map { atRate($0.attributes.nominalBandwidth) }
      let least = needs.min() ?? 0
      let (uses, words) = (story.variants, "the lowest variant needs \(shown(bits: least))\(speed)")
      let loaded = uses.indices.filter { place in
        uses[place].start < end && (place + 1 == uses.count || uses[place + 1].start > start)
          && needs.indices.contains(Int(uses[place].variant))
      }.map { Int(uses[$0].variant) }.max { needs[$0] < needs[$1] }
      guard let loaded, least <= carried, needs[loaded] > carried else { return (least, words) }
      return (
        needs[loaded],
        "variant \(loaded), which was loaded, needs \(shown(bits: needs[loaded])); \(words)"
      )
    }
  }

  private func shown(bits: Int64) -> String { shownRate(.bitsPerSecond(bits)) }

  private func source(at instant: Instant) -> MediaSource {
    scenario.source(of: story.items.last { $0.start <= instant }?.name)
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
    if let average = played.meanBitRate {
      parts.append("\(shownRate(.bitsPerSecond(average))) on average")
    }
    if played.count > 1 {
      let each = played.map {
        "\(shownRate(.bitsPerSecond($0.bitRate))) for \(exactSeconds($0.media))"
      }
      parts.append(joined(each, by: ", "))
    }
    let kept = story.kept.map { reason in
      "at \(exactSeconds(reason.instant)) \(place(reason.variant, of: reason.item)): "
        + "\(Decision.sentence(of: reason.clause)) (\(reason.clause.word))"
    }
    let notHigher = facts("not higher", kept, of: kept.count, nil)
    if story.switches.isEmpty {
      parts.append("no switches")
      return [Fact("quality", joined(parts, by: "; "))] + notHigher
    }
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

extension Record {
  fileprivate var isRate: Bool {
    if case .player(.rate) = event { true } else { false }
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

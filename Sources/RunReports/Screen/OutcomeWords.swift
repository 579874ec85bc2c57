import ExactText
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

struct OutcomeWords {
  let scenario: Scenario
  let outcome: RunOutcome

  private var books: PlayerBooks { outcome.player.books }

  var facts: [Fact] {
    let story = StoryWords(scenario: scenario, outcome: outcome)
    var facts = [startup] + taps + [stalls] + story.stalls + story.lapses + story.quality
    if books.seekWaiting > .zero {
      facts.append(Fact("seek waiting", exactSeconds(books.seekWaiting)))
    }
    facts += transitions + story.items
    if let offset = outcome.player.timeOffsetFromLive {
      facts.append(Fact("live offset", exactSeconds(offset) + " behind the encoder at the end"))
    }
    facts += [Fact("time", time), Fact("transferred", transferred)]
    let errors = outcome.errors(of: nil).map {
      "\(exactSeconds($0.date)) \($0.comment) (\($0.uri))"
    }
    facts += Fact.list("errors", errors, of: errors.count, most: 5, .waiting)
    for other in outcome.others {
      facts.append(Fact(other.name, words(of: other.player)))
      facts += StoryWords(scenario: scenario, outcome: outcome, other: other).stalls
    }
    facts += [end] + standing + [Fact("fidelity", fidelity)]
    if let digest = outcome.digest { facts.append(Fact("digest", shortDigest(digest))) }
    facts += outcome.warnings.map { Fact("warning", $0.words, .bad) }
    facts += outcome.faults.map { Fact("fault", "the books do not balance: " + $0, .bad) }
    return facts
  }

  private var startup: Fact {
    guard let delay = outcome.player.startupDelay else {
      return outcome.gaps.contains(.start)
        ? Fact("startup delay", "unknown")
        : Fact("startup delay", "playback never began", .waiting)
    }
    return Fact("startup delay", exactSeconds(delay))
  }

  private var stalls: Fact {
    if outcome.gaps.contains(.stalls) { return Fact("stalls", "unknown") }
    if books.stallCount == 0 { return Fact("stalls", "none", .good) }
    if outcome.gaps.contains(.stallPlaces) {
      return Fact("stalls", "\(grouped(books.stallCount)), for how long is unknown", .bad)
    }
    let share = decimal(outcome.player.rebufferShare, of: 4, places: 1)
    let words =
      "\(grouped(books.stallCount)), \(exactSeconds(books.stalled)) stalled "
      + "(\(share) % of playing and stalled time)"
    return Fact("stalls", words, .bad)
  }

  private var transitions: [Fact] {
    var facts: [Fact] = []
    if books.transitionCount > 0 {
      let hasGap = books.totalGap > .zero
      facts.append(
        Fact(
          "transitions",
          counted(books.transitionCount, "transition")
            + (books.loopCount > 0 ? ", \(grouped(books.loopCount)) of them loops" : "")
            + (hasGap ? ", gaps of \(exactSeconds(books.totalGap)) in all" : ", no gaps"),
          hasGap ? .bad : .good))
    }
    for (name, time) in [
      ("without picture", books.emptyVideo), ("without sound", books.silentAudio),
    ]
    where time > .zero {
      facts.append(Fact(name, exactSeconds(time), .bad))
    }
    return facts
  }

  /// The time from tap to motion, and the starts after the first.
  private var taps: [Fact] {
    let player = outcome.player
    var facts: [Fact] = []
    if player.isTapKnown, let span = player.tapToMotion {
      facts.append(Fact("tap to motion", exactSeconds(span)))
    }
    if books.startupCount > 1 {
      let later = counted(books.startupCount - 1, "later start")
      facts.append(Fact("later starts", "\(later), \(exactSeconds(books.laterStartups)) in all"))
    }
    return facts
  }

  /// The time of the run by state: the amounts in brackets add up to the one before them.
  private var time: String {
    if outcome.gaps.contains(.requests) {
      // Of an access log: what was watched, and all the rest.
      let delay = outcome.player.startupDelay
      let rest = outcome.ended - .zero - books.played - (delay ?? .zero)
      let start = delay.map { "waited \(exactSeconds($0)) to start" } ?? "waited to start"
      return "played \(exactSeconds(books.played)), \(start)"
        + (rest <= .zero
          ? ""
          : (books.stallCount > 0 ? ", stalled or paused " : ", paused ") + exactSeconds(rest)
            + " or more")
    }
    if outcome.gaps.contains(.start) { return "unknown" }
    let paused = books.pausedFor
    let waited = [
      ("to start", books.startup + books.laterStartups - paused.startup),
      ("stalled", books.stalled - paused.stalled),
      ("after seeks", books.seekWaiting - paused.seeking),
      ("for its pipeline", books.pipeline),
    ]
    return "played \(exactSeconds(books.played)), "
      + "waited " + span(books.waiting, waited, rest: "otherwise") + ", "
      + "paused "
      + span(
        books.paused,
        [
          ("to start", paused.startup), ("stalled", paused.stalled),
          ("after seeks", paused.seeking),
        ], rest: "by the app")
  }

  private func span(_ whole: TimeSpan, _ parts: [(String, TimeSpan)], rest: String) -> String {
    let known = parts.filter { $0.1 > .zero }
    if known.isEmpty { return exactSeconds(whole) }
    let left = known.reduce(whole) { $0 - $1.1 }
    let words = (known + (left > .zero ? [(rest, left)] : [])).map {
      "\(exactSeconds($0.1)) \($0.0)"
    }
    return "\(exactSeconds(whole)) (\(joined(words, by: ", ")))"
  }

  private var transferred: String {
    let media = outcome.player.media
    var words = "\(shownBytes(media.bytes)) in \(counted(media.requests, "request"))"
    if media.bytesAbandoned > 0 {
      words += ", \(shownBytes(media.bytesAbandoned)) of them in segments given up"
    }
    if media.bytesDiscarded > 0 {
      words += ", \(shownBytes(media.bytesDiscarded)) of them thrown away unplayed"
    }
    if media.playlistBytesSaved > 0 {
      words += "; delta updates of playlists saved \(shownBytes(media.playlistBytesSaved))"
    }
    return words
  }

  private func words(of player: PlayerSummary) -> String {
    let start =
      player.startupDelay.map { "startup delay " + exactSeconds($0) }
      ?? "playback never began"
    let books = player.books
    let stalls =
      books.stallCount == 0
      ? "no stalls" : "\(counted(books.stallCount, "stall")) of \(exactSeconds(books.stalled))"
    return "\(start), \(stalls), played \(exactSeconds(books.played)), "
      + "\(shownBytes(player.media.bytes)) transferred"
  }

  private var end: Fact {
    let at = "at " + exactSeconds(outcome.ended)
    switch outcome.end {
    case .finished: return Fact("end", "finished " + at)
    case .horizon:
      return Fact(
        "end",
        "the run was cut off by its horizon \(at); a longer “horizon” in the scenario lets it go "
          + "on",
        .waiting)
    case .budget: return Fact("end", "the budget of events was used up " + at, .bad)
    case .idle where outcome.player.outcome == .stalled:
      return Fact(
        "end", "nothing was left to happen, and it stood still to the horizon \(at)", .waiting)
    case .idle:
      return Fact("end", "nothing was left to happen " + at + ", and not all was done", .waiting)
    }
  }

  /// The outcome of playback, unless it played.
  private var standing: [Fact] {
    if outcome.gaps.contains(.start) { return [] }
    return switch outcome.player.outcome {
    case .played: []
    case .failed: [Fact("outcome", "failed: the media could not be played", .bad)]
    case .neverPlayed: [Fact("outcome", "never played", .bad)]
    case .stalled: [Fact("outcome", "stalled: it stood still and was to go on", .bad)]
    }
  }

  private var fidelity: String {
    switch scenario.fidelity {
    case .tcp: "tcp: connections that open, ramp, lose and recover"
    case .fluid where !anyConditions({ !$0.downlink.loss.isNone || !$0.uplink.loss.isNone }):
      "fluid: bytes flow at the bandwidth, shared equally"
    case .fluid where !anyConditions({ LossCap.bitsPerSecond($0) != nil }):
      "fluid: loss costs nothing without a round trip, or on the uplink; tcp draws each loss"
    case .fluid:
      "fluid: with loss, each transfer flows at its long-run mean rate; tcp draws each loss"
    }
  }

  /// Whether something holds for the conditions that the link has at first, or gets.
  private func anyConditions(_ holds: (LinkConditions) -> Bool) -> Bool {
    holds(scenario.link.conditions)
      || scenario.script.contains { step in
        if case .link(.changeLink(let conditions)) = step.action { return holds(conditions) }
        return false
      }
  }
}

/// Enough of a digest to tell two apart at a glance.
package func shortDigest(_ digest: String) -> String { String(digest.prefix(16)) }

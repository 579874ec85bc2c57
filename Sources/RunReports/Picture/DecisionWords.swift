package import Autowait
import ExactText
package import PlayerPolicies
import Recording
import ScenarioFormat
package import ScenarioRunner
package import SimulatedPlayback
package import VirtualTime

/// Something that a player decided: when, in a sentence, and by which rule and clause.
package struct Decision: Sendable {
  package var instant: Instant
  package var sentence: String
  /// The rule and the clause, as traces have them.
  package var source: String

  /// Nil for a record that changes nothing that a viewer or the link would notice.
  init?(_ record: Record, _ scenario: Scenario) {
    guard case .player(let observation) = record.event else { return nil }
    instant = record.instant
    let shades = VariantShades(scenario.source(of: record.item))
    switch observation {
    case .timeControl(let control, let rule, let clause):
      sentence = control.looks.verb + ": " + Self.sentence(of: rule)
      if let clause { sentence += "; " + Self.sentence(of: clause) }
      source = rule.word + (clause.map { " · " + $0.word } ?? "")
    case .stalled(let place, let clause):
      sentence = "Stalls at \(exactSeconds(place)) of the media: " + Self.sentence(of: clause)
      source = "stall · " + clause.word
    case .variantChosen(let choice):
      sentence = "Begins with \(shades.name(of: Int64(choice.variant))): \(choice.words)"
      source = "variantChoice · " + choice.reason.word
    case .variantSwitchStarted(let from, let to, let reason, _):
      sentence = "Switches " + shades.direction(from: Int64(from), to: Int64(to))
      sentence += "to \(shades.name(of: Int64(to))): " + Self.sentence(of: reason)
      source = "variantSwitch · " + reason.word
    case .variantKept(let variant, let clause, _):
      sentence = "Stays with \(shades.name(of: Int64(variant))): " + Self.sentence(of: clause)
      source = "variantStay · " + clause.word
    case .segmentAbandoned(_, let bytes, let whole, let clause):
      sentence =
        "Gives a segment up after \(shownBytes(bytes)) of \(shownBytes(whole)): "
        + Self.sentence(of: clause)
      source = "segmentAbandon · " + clause.word
    case .seek(let target):
      sentence = "Seeks to \(exactSeconds(target))"
      source = "seek"
    case .itemFailed(let failure):
      sentence = "Fails: " + failure.words
      source = "itemStatus"
    case .likelyToKeepUp(false, let clause, let loadedEnd, _):
      sentence =
        "No longer likely to keep up, with media to \(exactSeconds(loadedEnd)): "
        + Self.sentence(of: clause)
      source = clause.word
    case .rate(let rate, _, let reason?):
      sentence = "The rate becomes \(Self.shown(rate)): " + Self.sentence(of: reason)
      source = "rateChange · " + reason.word
    case .live(.moved(let time, let reason)):
      sentence = "Moves to \(exactSeconds(time)) of the live stream"
      source = "livePosition · " + reason.word
    case _:
      return nil
    }
  }

  private static func shown(_ rate: PlaybackRate) -> String {
    decimal(rate.media(in: TimeSpan(nanoseconds: 100)).nanoseconds, of: 2, places: 2)
  }

  private static func sentence(of reason: RateChangeReason) -> String {
    switch reason {
    case .setRateFailed: "the rate cannot be played"
    case .audioSessionInterrupted: "the audio session was interrupted"
    case .appBackgrounded: "the app went to the background"
    case .playheadReachedLiveEdge: "the playhead reached the live edge"
    }
  }

  static func sentence(of reason: SwitchReason) -> String {
    switch reason {
    case .chosen(let clause): sentence(of: clause)
    case .abandoned(let clause): sentence(of: clause)
    case .trouble(let trouble): sentence(of: trouble)
    }
  }

  // MARK: - A sentence for each rule and clause

  package static func sentence(of rule: TransitionRule) -> String {
    rules.first { $0.0 == rule }?.1 ?? rule.word
  }

  static let rules: [(TransitionRule, String)] = [
    (.waitsForBuffer, "the buffer is not likely to keep up"),
    (.startsLikelyOrFull, "the buffer is likely to keep up, or full"),
    (.evaluatesFirst, "the buffering rate is evaluated first"),
    (.evaluatedReady, "the evaluation of the buffering rate ended well"),
    (.evaluatedUnready, "the evaluation of the buffering rate ended without enough"),
    (.decidedEarly, "the evaluation was decided before its time was over"),
    (.waitedEnough, "the wait is over"),
    (.stallWaits, "the buffer ran empty before the end"),
    (.waitsForItem, "there is no item to play"),
    (.itemEndsWait, "an item came that can play"),
    (.itemNeedsBuffer, "an item came whose buffer is not likely to keep up"),
    (.itemIsEvaluated, "an item came whose buffering rate is evaluated first"),
    (.startsAtOnce, "automatic waiting is off and the buffer holds media"),
    (.emptyStaysPaused, "automatic waiting is off and the buffer is empty"),
    (.noItemStaysPaused, "automatic waiting is off and there is no item"),
    (.wishIsKept, "automatic waiting is off; playback begins with the first media"),
    (.firstMediaStarts, "the first media arrived, and no more is waited for"),
    (.stallPauses, "the buffer ran empty and automatic waiting is off"),
    (.switchedOffStarts, "automatic waiting was switched off with media in the buffer"),
    (.switchedOffPauses, "automatic waiting was switched off with an empty buffer"),
    (.followsHostTime, "the app set a rate at a host time"),
    (.immediateStarts, "the app asked for immediate playback and the buffer holds media"),
    (.immediateEmptyWaits, "the app asked for immediate playback and the buffer is empty"),
    (.immediateEmptyPauses, "immediate playback found an empty buffer without automatic waiting"),
    (.pausedByApp, "the app paused"),
    (.rateChangedPlaying, "the app changed the rate"),
    (.rateChangedWaiting, "the app changed the rate, and the wait goes on"),
    (.endAdvances, "the end was reached, and the next item plays"),
    (.endPauses, "the end was reached"),
    (.endRunsOn, "the end was reached, and time runs on"),
    (.seekWaits, "the seek target is not in the buffer"),
    (.seekPauses, "the seek target is not in the buffer and automatic waiting is off"),
    (.itemRemovedWaits, "the item was removed, and there is no other"),
    (.itemRemovedPauses, "the item was removed and automatic waiting is off"),
    (.itemFailedPauses, "the item failed"),
    (.liveEdgeSlows, "the playhead reached the live edge"),
    (.interruptionPauses, "the audio session was interrupted"),
    (.backgroundPauses, "the app went to the background"),
    (.failedItemStaysPaused, "the item has failed"),
    (.suspended, "playback was suspended from outside"),
    (.waitsForSuspension, "playback is suspended from outside"),
    (.suspensionEndsReady, "the suspension ended, and the buffer suffices"),
    (.suspensionEndsUnready, "the suspension ended, and the buffer does not suffice"),
  ]

  package static func sentence(of clause: ReadinessClause) -> String {
    switch clause {
    case .nothingLoaded: "nothing is loaded under the playhead"
    case .everythingLoaded: "everything to the end is loaded"
    case .noThroughput: "no playable media is arriving, or the throughput is not known yet"
    case .everyByteInTime: "every remaining byte is predicted to arrive before it is due"
    case .someByteLate: "some byte is predicted to arrive after it is due"
    case .thresholdReached: "as much is loaded as the threshold asks for"
    case .belowThreshold: "less is loaded than the threshold asks for"
    case .stillPlaying: "it plays, and the buffer is not empty"
    case .anythingLoaded: "some media is loaded, and the rule asks for no more"
    case .notEverythingLoaded: "not everything is loaded, and the rule accepts no less"
    case .noWholeSegment: "no whole segment has arrived"
    case .throughputSustains:
      "a whole segment of every rendition has arrived, and the throughput sustains the variant"
    case .throughputFallsShort: "the throughput does not sustain the variant"
    case .endUnknown: "the end of the media is not known"
    case .waitedLongEnough: "the wait has lasted long enough"
    case .notLongEnough: "the wait has not lasted long enough"
    case .timeHasCome: "the time of the start has come"
    case .timeHasNotCome: "the time of the start has not come"
    case .betweenLooks: "the player polls, and the next poll is still ahead"
    case .bufferFull: "the buffer is full"
    case .loaderIdle: "the loader is idle"
    case .noFrame: "less than a frame is loaded"
    case .frameShown: "the frame before is still shown"
    case .decidedOutside: "a policy outside decided it"
    }
  }

  package static func sentence(of clause: StallClause) -> String {
    switch clause {
    case .dry: "the buffer is empty"
    case .notDry: "the buffer is not empty"
    case .everythingLoaded: "everything to the end is loaded"
    case .aboveReserve: "the buffer is above its reserve"
    case .belowReserve: "the buffer is below its reserve"
    case .everyByteInTime: "little is left, and the rest is predicted to arrive in time"
    case .decidedOutside: "a policy outside decided it"
    }
  }

  package static func sentence(of clause: AbandonClause) -> String {
    switch clause {
    case .notYet: "it is too early to judge the segment"
    case .nothingCame: "nothing of the segment has arrived"
    case .sustained: "the throughput sustains the variant"
    case .inTime: "the segment will arrive in time"
    case .nothingToGain: "no lower variant would save bytes"
    case .patienceOver: "the segment took longer than the rule allows"
    case .tooSlow: "the segment would leave too little in the buffer"
    case .lowerIsSooner: "nothing plays, and a lower variant would arrive sooner"
    case .givenUpByRule: "the rule gives it up and chooses again"
    case .decidedOutside: "a policy outside decided it"
    }
  }

  package static func sentence(of clause: VariantClause) -> String {
    switch clause {
    case .fixed: "the first variant is kept"
    case .noneEligible: "no variant may be played"
    case .notEligible: "the present variant may not be played any more"
    case .noThroughput: "the throughput is not known yet"
    case .bestAlready: "it is the highest that the throughput sustains"
    case .higherSustained: "the throughput sustains a higher variant"
    case .bufferTooLow: "the buffer is too low to try a higher variant"
    case .firstSegmentLate:
      "the first segment of a higher variant would come after the buffer has run out"
    case .noneHigherAllowed: "no higher variant may be played"
    case .lowerSustained: "the throughput sustains no more than this"
    case .stillSustained: "the throughput still sustains it, with less margin than asked for"
    case .bufferHigh: "the buffer is high enough to wait before switching down"
    case .reservoir: "the buffer is within its reserve"
    case .cushion: "the buffer level picks this variant"
    case .bufferFull: "the buffer is beyond its cushion"
    case .published: "a published rule chose it"
    case .searchCut: "a published rule chose it; its search was cut short"
    case .lowerInBuffer: "a segment in the buffer is of a lower variant"
    case .noHaste: "the buffer is high enough for the next segment to wait"
    case .tooSoon: "the last switch was too short a time ago"
    case .decidedOutside: "a policy outside decided it"
    }
  }

  static func sentence(of trouble: VariantTrouble) -> String {
    switch trouble {
    case .requestFailed: "a request for the variant failed"
    case .gap: "the playlist marks a segment as missing"
    case .stalePlaylist: "the playlist is not renewed"
    case .recovered: "the variant is tried again"
    }
  }
}

// MARK: - Decisions of two runs

package struct DecisionState: Sendable {
  package var ahead: MediaTime
  /// Bits per second; nil where none was recorded up to then.
  package var estimate: Int64?

  package init(of run: ReportedRun, at instant: Instant) {
    ahead = run.outcome.levels.value(at: instant)
    estimate = run.outcome.curves?.estimates.last { $0.instant <= instant }?.rate
  }

  package var words: String {
    let known = estimate.map { "an estimate of " + shownRate(.bitsPerSecond($0)) }
    return "with \(exactSeconds(ahead)) ahead and \(known ?? "no estimate")"
  }
}

/// The first stall that only one of two runs has, and the decisions that settled it: in each run
/// the choice for the media that was missing, or the start of playback where there is no choice.
package struct SettledStall: Sendable {
  package struct Choice: Sendable {
    package var state: DecisionState
    package var instant: Instant
    package var words: String
  }

  /// The place of the run that stalls.
  package var run: Int
  package var stall: PlayerBooks.Stall
  /// Nil for a run that never asked for that media.
  package var choices: [Choice?] = []

  /// Nil where both runs have the same stalls, or one is a log, which does not tell of decisions.
  package init?(_ runs: [ReportedRun]) {
    let stalls = runs.map { $0.outcome.player.books.stalls }
    let (pairs, alone) = stalls[0].matched(with: stalls[1])
    let firsts = [pairs.first { $0.1 == nil }?.0, alone.first]
    guard let first = firsts.compactMap({ $0 }).min(by: { $0.start < $1.start }),
      runs.allSatisfy({ $0.outcome.gaps.isEmpty })
    else { return nil }
    run = firsts[0] == first ? 0 : 1
    stall = first
    choices = runs.enumerated().map { choice(in: $1, isStalled: $0 == run) }
  }

  private func choice(in run: ReportedRun, isStalled: Bool) -> Choice? {
    guard let curves = run.outcome.curves else { return nil }
    let records = curves.decisions
    func decision(by instant: Instant, _ isWanted: (PlaybackObservation) -> Bool) -> Decision? {
      records.last { record in
        guard case .player(let found) = record.event else { return false }
        return record.instant <= instant && isWanted(found)
      }.flatMap { Decision($0, run.scenario) }
    }
    let asked = curves.requests.filter { request in
      let isThere = request.media.map { $0.contains(stall.place) } ?? false
      return isThere && request.outcome != .failed
        && !(isStalled && request.ended.map { $0 < stall.start } ?? false)
    }
    let inTime = isStalled ? asked.filter { $0.requested <= stall.start } : asked
    if let request = inTime.last {
      let chosen = decision(by: request.requested) { observation in
        switch observation {
        case .variantChosen, .variantSwitchStarted, .variantKept, .segmentAbandoned: true
        case _: false
        }
      }
      let shades = VariantShades(run.scenario.source(of: request.item))
      let variant = request.variant.map { shades.name(of: Int64($0)) } ?? "media"
      let why = chosen.map {
        "; decided at \(exactSeconds($0.instant)): \($0.sentence) (\($0.source))"
      }
      return choice(at: request.requested, in: run, "asked for a segment of \(variant)", why ?? "")
    }
    let started = decision(by: isStalled ? stall.start : run.outcome.ended) { observation in
      if case .timeControl(.playing, _, _) = observation { true } else { false }
    }
    return started.map {
      choice(at: $0.instant, in: run, "playback began", ": \($0.sentence) (\($0.source))")
    }
  }

  private func choice(
    at instant: Instant, in run: ReportedRun, _ deed: String, _ reason: String
  ) -> Choice {
    let state = DecisionState(of: run, at: instant)
    return Choice(
      state: state, instant: instant,
      words: "\(deed) at \(exactSeconds(instant)), \(state.words)\(reason)")
  }
}

// MARK: - The verdict

/// The verdict on a run, in sentences for its page.
package struct RunWords {
  let scenario: Scenario
  let outcome: RunOutcome
  let moment: GoldilocksMoment?

  package var decisions: [Decision] { records.compactMap { Decision($0, scenario) } }

  /// None of a recording whose log does not tell of decisions.
  private var records: [Record] {
    outcome.gaps.contains(.decisions) ? [] : outcome.curves?.decisions ?? []
  }

  package var verdict: String {
    joined([start, judgement, stalls, failure].compactMap { $0 }, by: " ")
  }

  private var start: String {
    if outcome.gaps.contains(.start) { return "The log does not tell when playback begins." }
    guard let began = outcome.startup.began else {
      let last = decisions.last { $0.instant >= outcome.startup.asked ?? .zero }
      return "Playback never begins." + (last.map { " Last decision: \($0.sentence)." } ?? "")
    }
    let reasons = records.compactMap { record in
      guard record.instant <= began,
        case .player(.timeControl(.playing, let rule, let clause)) = record.event
      else { return String?.none }
      return clause.map { Decision.sentence(of: $0) } ?? Decision.sentence(of: rule)
    }
    return "Playback begins \(exactSeconds(outcome.player.startupDelay ?? .zero)) after play"
      + (reasons.last.map { ", because " + $0 } ?? "") + "."
  }

  /// The start beside the Goldilocks moment.
  private var judgement: String? {
    guard let moment, let began = outcome.startup.began else { return nil }
    let early = (moment.start - began).nanoseconds
    if early >= 500_000 { return "That is \(exactSeconds(early)) too soon, given what arrived." }
    let saved = (outcome.player.startupDelay ?? .zero).nanoseconds - needed(moment)
    let isFirst = moment.start > outcome.startup.asked ?? .zero && saved < 500_000
    if early > -500_000 || isFirst {
      return "That is the earliest start that does not stall, given what arrived."
    }
    // With a sooner start the items that follow would begin sooner as well.
    if !outcome.story.transitions.isEmpty { return nil }
    if moment.start <= outcome.startup.asked ?? .zero {
      return "Given what arrived, any start after play would have lasted."
    }
    return "Given what arrived, \(exactSeconds(saved)) sooner would have been enough."
  }

  /// Nanoseconds from play to the moment without the user's pauses, as in the startup delay.
  private func needed(_ moment: GoldilocksMoment) -> Int64 {
    let pauses = outcome.startup.path.filter { $0.cause == .pause && $0.start < moment.start }
    let paused = pauses.reduce(0) { $0 + (min($1.end, moment.start) - $1.start).nanoseconds }
    return max(0, (moment.start - (outcome.startup.asked ?? .zero)).nanoseconds - paused)
  }

  private var stalls: String? {
    let books = outcome.player.books
    if outcome.gaps.contains(.stalls) { return "The log does not tell of stalls." }
    if outcome.gaps.contains(.stallPlaces), books.stallCount > 0 {
      return "\(counted(books.stallCount, "stall")), and the log does not tell when."
    }
    guard let longest = books.stalls.max(by: { $0.length < $1.length }) else {
      return outcome.startup.began == nil ? nil : "It does not stall."
    }
    let reason = StoryWords(scenario: scenario, outcome: outcome).reason(of: longest)
    let stall = "at \(exactSeconds(longest.start)) (\(reason)), for \(exactSeconds(longest.length))"
    return books.stallCount == 1
      ? "It stalls once, \(stall)."
      : "It stalls \(grouped(books.stallCount)) times for \(exactSeconds(books.stalled)), "
        + "the longest \(stall)."
  }

  /// The last failure of an item, with its reason.
  private var failure: String? {
    outcome.story.failures.last.map {
      "\($0.item ?? "The item") fails at \(exactSeconds($0.instant)): \($0.failure.words)."
    }
  }

  /// The figures at the head of a page.
  package var figures: [(name: String, value: String)] {
    let player = outcome.player
    let delay = player.startupDelay.map { exactSeconds($0) } ?? "–"
    var figures = [(name: "starts after", value: delay)]
    if let moment, outcome.startup.asked != nil {
      figures.append((name: "needed, as it turned out", value: exactSeconds(needed(moment))))
    }
    if !outcome.gaps.contains(.stalls) {
      figures.append((name: "stalls", value: grouped(player.books.stallCount)))
      let isUnknown = outcome.gaps.contains(.stallPlaces)
      let stalled = isUnknown ? "–" : exactSeconds(player.books.stalled)
      figures.append((name: "stalled for", value: stalled))
    }
    if let mean = outcome.meanRate {
      let name = mean.isDeclared ? "mean declared bit rate" : "mean bit rate"
      figures.append((name: name, value: shownRate(mean.rate)))
    }
    if let digest = outcome.digest { figures.append((name: "digest", value: shortDigest(digest))) }
    return figures
  }
}

import Autowait
import ExactText
import LinkConditioner
package import PlayerPolicies
import Recording
package import ScenarioFormat
package import SimulatedPlayback
import StreamingMedia
package import VirtualTime

package struct ReportedRun: Sendable {
  package var scenario: Scenario
  package var heuristic: KeepUpHeuristic?
  package var outcome: RunOutcome
  /// Facts that an older format of the trace lacks, or a field log, in words.
  package var missing: [String]
  /// Format of the log that it was read from; nil for a run.
  package var fieldSource: String?
}

/// Reads a trace back into records and folds them: nothing is run.
///
/// - Parameter moments: Instants in order at which a panel is wanted.
package func report(
  on trace: [UInt8], file: String, moments: [Instant] = [], beat: RunBeat? = nil
) throws(ReplayError) -> ReportedRun {
  let text = TraceText(trace)
  let (scenario, heuristic) = try embeddedScenario(text, file: file, TraceText.readable)
  var reader = TraceReader(text, scenario, moments)
  let outcome = try rethrowing(try reader.outcome(beat), as: ReplayError.trace)
  return ReportedRun(
    scenario: scenario, heuristic: heuristic, outcome: outcome, missing: reader.missing,
    fieldSource: text.field?["source"]?.string)
}

/// Turns the lines of a trace into the records that they were written from, and folds those.
private struct TraceReader {
  private let text: TraceText
  private let scenario: Scenario
  /// The first player, who has no name, and the others, with their lines, requests and decisions.
  private var players: [(name: String?, folds: PlayerFolds, curves: RunCurves)]
  private var steps: [Instant?]
  private var stepOrder: [Int] = []
  private let isOlder: Bool
  /// Facts that the log does not tell, in words; nil of a run.
  private let lacks: [String]?
  private let gaps: [FieldGap]
  /// Whether there are no samples of the buffer.
  private let lacksSamples: Bool
  private var latest = Instant.zero

  init(_ text: TraceText, _ scenario: Scenario, _ moments: [Instant]) {
    self.text = text
    self.scenario = scenario
    steps = Array(repeating: nil, count: scenario.script.count)
    isOlder = text.version.map { $0 < TraceWriter.version } ?? true
    lacks = text.field?["lacks"]?.elements?.compactMap { $0.string }
    gaps = lacks?.compactMap { FieldGap(rawValue: $0) } ?? []
    lacksSamples = isOlder || gaps.contains(.buffer)
    players = [(nil, PlayerFolds(of: scenario, isShown: true, moments), RunCurves(of: scenario))]
    players += scenario.others.map {
      ($0.name, PlayerFolds(of: $0.scenario, isShown: true), RunCurves(of: $0.scenario))
    }
  }

  var missing: [String] {
    if let lacks { return lacks }
    let samples = [
      "loaded media and the buffer", "the playhead between changes",
      "when each stall ended", "access and error logs", "what the start waited for",
    ]
    let rates = ["the rates of the link", "the policy's forecasts of the start"]
    return (isOlder ? samples : []) + (players[0].folds.capacity.isEmpty ? rates : [])
  }

  mutating func outcome(_ beat: RunBeat?) throws(TraceError) -> RunOutcome {
    guard let last = text.lines.indices.last, last > 0 else {
      throw TraceError(line: 1, message: "the trace ends with its header; nothing was recorded")
    }
    for line in 1..<last {
      try read(line)
      if line & 0xFFFF == 0 { beat?(latest, scenario.limits.horizon) }
    }
    let summary = try text.summary()
    if let odd = summary.oddMember { throw TraceError(line: last + 1, odd: odd) }
    let end = try text.record(last, from: latest.nanoseconds).time
    return try outcome(summary, at: Instant(nanoseconds: end))
  }

  private mutating func read(_ line: Int) throws(TraceError) {
    let (value, name, time) = try text.record(line, from: latest.nanoseconds)
    let now = Instant(nanoseconds: time)
    latest = now
    if name == EventShape.app.name { stepDone(value, at: now) }
    let recorded = RecordedLine(value)
    if name == EventShape.playlist.name { list(recorded, at: now) }
    guard let event = Record.Event(recorded, name, at: now) else { return }
    var record = Record(try retried(event, after: line), at: now)
    record.item = value["item"]?.string
    record.itemBefore = value["fromItem"]?.string
    record.steps = RequestSteps(recorded)
    if let odd = recorded.odd { throw TraceError(line: line + 1, odd: odd) }
    see(record, of: value["player"]?.string)
    // Without samples the state counts, at the end of its instant.
    if lacksSamples, case .player(let observation) = event, observation.changesState {
      let sample = BufferSample(time: .zero, ahead: .zero, ranges: [], bend: nil)
      see(Record(.buffer(sample), at: now), of: value["player"]?.string)
    }
  }

  private mutating func see(_ record: consuming Record, of player: String?) {
    guard let place = players.firstIndex(where: { isSameName($0.name, player) }) else { return }
    players[place].folds.nameItem(of: &record)
    players[place].folds.states.map = players[place].curves.map
    players[place].folds.see(record)
    if place == 0, lacksSamples, case .buffer = record.event { return }
    players[place].curves.see(record)
  }

  private mutating func list(_ line: RecordedLine, at now: Instant) {
    guard line.flag("changed"), line.nanoseconds("end") != nil else { return }
    let (edge, first) = (line.media("end"), line.count("mediaSequence") ?? 0)
    for place in players.indices where isSameName(players[place].name, line.text("player")) {
      players[place].curves.list(to: edge, from: first, at: now)
    }
  }

  /// The request with the one in whose place it is made, which the next line names.
  private func retried(_ event: Record.Event, after line: Int) throws(TraceError) -> Record.Event {
    guard case .player(let observation) = event, observation.begunRequest != nil,
      line + 1 < text.lines.count, occurs(Self.retry, in: text.lines[line + 1])
    else { return event }
    let next = try text.value(at: line + 1)
    return next["after"]?.request.map { .player(observation.retrying($0)) } ?? event
  }

  private static let retry = EventShape.requestRetry.marker

  private mutating func stepDone(_ value: JSONValue, at now: Instant) {
    guard value["player"] == nil, let name = value["step"]?.string ?? value["do"]?.string else {
      return
    }
    let script = scenario.script
    let places = script.indices.filter { steps[$0] == nil && isSameText(script[$0].name, name) }
    let exact = places.first { due(script[$0]) == now }
    let open = places.first { due(script[$0]) == nil }
    guard let place = exact ?? open ?? places.first else { return }
    steps[place] = now
    stepOrder.append(place)
  }

  /// The instant at which a step is due; nil for one that waits for an event or a condition, and
  /// the distant future before the step that it follows.
  private func due(_ step: ScriptStep) -> Instant? {
    switch step.trigger {
    case .at(let instant): return instant + step.appDelay
    case .after(let name, let span):
      let place = scenario.script.firstIndex { isSameText($0.name, name) }
      guard let place, let done = steps[place] else { return .distantFuture }
      return done + span + step.appDelay
    case .when, .event: return nil
    }
  }

  private mutating func outcome(
    _ line: JSONValue, at ended: Instant
  ) throws(TraceError) -> RunOutcome {
    let books = try closedBooks(line, nil)
    var items = books.itemLogs
    var summaries: [NamedSummary] = []
    let parts = line["players"]?.elements.map { Array($0) } ?? []
    for place in players.indices {
      players[place].folds.finish(at: ended)
      players[place].curves.finish(at: ended)
      guard case (let name?, let folds, let curves) = players[place],
        let part = parts.first(where: { $0["player"]?.string == name })
      else { continue }
      let books = try closedBooks(part, name)
      items += books.itemLogs
      summaries.append(
        NamedSummary(name: name, player: books.summary, folds: folds, curves: curves))
    }
    let none = RunLogs(indicators: PlaybackIndicators(stallDuration: books.summary.books.stalled))
    let current = books.currentLogs.map { Int($0) - 1 }
    return RunOutcome(
      end: line["end"]?.string.flatMap { EndReason(rawValue: $0) } ?? .finished, ended: ended,
      eventCount: 0, player: books.summary, others: summaries,
      logs: current.flatMap { books.itemLogs.indices.contains($0) ? books.itemLogs[$0].logs : nil }
        ?? none,
      itemLogs: items, digest: line["digest"]?.string, trace: [], failures: [], warnings: [],
      faults: [], folds: players[0].folds, stepInstants: steps, stepOrder: stepOrder,
      startup: players[0].folds.startup.result(
        asked: books.summary.books.firstRequest, books.summary.books.startupSpans),
      curves: players[0].curves,
      draws: LinkDraws(), gaps: gaps)
  }

  private func closedBooks(_ line: JSONValue, _ player: String?) throws(TraceError) -> ClosedBooks {
    var books = FieldPass.read(
      line["books"], into: ClosedBooks(summary: PlayerSummary(line)), ClosedBooks.members)
    for place in books.itemLogs.indices {
      books.itemLogs[place].player = player
      guard player == nil, let name = books.itemLogs[place].playedMedia else { continue }
      let source = scenario.source(of: name)
      books.itemLogs[place].playedSource = source
      guard case .stream(let settings) = source else { continue }
      let variants = settings.presentation.variants.indices
      for shown in books.itemLogs[place].logs.indicators.shownVariants
      where !variants.contains(Int(clamping: shown.variant)) {
        throw TraceError(line: text.lines.count, odd: "shownVariants")
      }
    }
    return books
  }
}

extension Scenario {
  /// The media of an item by what it is called in a trace: copies are numbered.
  package func source(of name: String?) -> MediaSource {
    guard let name else { return item.source }
    let stem = name.utf8.lastIndex(of: UInt8(ascii: "-")).map { String(name[..<$0]) }
    let named =
      namedItems.first { isSameText($0.name, name) }
      ?? namedItems.first { stem != nil && isSameText($0.name, stem ?? "") }
    return (named?.settings ?? item).source
  }
}

// MARK: - Lines

extension TraceError {
  fileprivate init(line: Int, odd name: String) {
    self.init(line: line, message: "this line is broken: no run records such a “\(name)”")
  }
}

/// A line of a trace, whose members are asked for by their names.
private final class RecordedLine {
  let value: JSONValue
  /// A member that was asked for and is there with a value that no run writes.
  private(set) var odd: String?

  init(_ value: JSONValue) { self.value = value }

  private func known<Value>(_ name: String, _ read: Value?) -> Value? {
    if read == nil, value[name] != nil { odd = odd ?? name }
    return read
  }

  func flag(_ name: String) -> Bool { known(name, value[name]?.flag) ?? false }
  func count(_ name: String) -> Int64? { known(name, value[name]?.amount(places: 0)) }
  func variant(_ name: String) -> Int32 { Int32(clamping: count(name) ?? 0) }
  func text(_ name: String) -> String? { value[name]?.string }
  func word<Word: RawRepresentable<String>>(_ name: String) -> Word? {
    text(name).flatMap { Word(rawValue: $0) }
  }
  func nanoseconds(_ name: String) -> Int64? { known(name, value[name]?.amount(places: 9)) }
  /// Zero where the line has no such time.
  func media(_ name: String) -> MediaTime { MediaTime(nanoseconds: nanoseconds(name) ?? 0) }
  func span(_ name: String) -> TimeSpan { TimeSpan(nanoseconds: nanoseconds(name) ?? 0) }
  func span(_ name: EventShape.Timing) -> TimeSpan? {
    nanoseconds(name.key.text).map { TimeSpan(nanoseconds: $0) }
  }
  func rate(_ name: String) -> PlaybackRate {
    if let billionths = value[name]?.units(places: 9) {
      // Numbers have nine places at most; a rate above two fits 32 bits in lowest terms alone.
      let second: Int64 = 1_000_000_000
      let divisor = greatestCommonDivisor(Int64(clamping: billionths.magnitude), second)
      return PlaybackRate(
        Int32(clamping: billionths / divisor), over: Int32(clamping: second / divisor))
    }
    let parts = numbers(in: text(name) ?? "", between: UInt8(ascii: "/"), places: 0)
    guard parts.count == 2, parts[1] > 0 else { return .zero }
    return PlaybackRate(Int32(clamping: parts[0]), over: Int32(clamping: parts[1]))
  }
}

extension JSONValue {
  fileprivate func amount(places: Int) -> Int64? {
    units(places: places).flatMap { $0 < 0 ? nil : $0 }
  }

  /// The first member at any depth whose number is negative or too large. Codes of errors may be;
  /// the savings of delta updates that are larger than what they leave out are negative.
  fileprivate var oddMember: String? {
    if let odd = elements?.lazy.compactMap({ $0.oddMember }).first { return odd }
    guard let members else { return nil }
    for member in members where !member.isCalled("errorStatusCode") {
      let value = member.value
      if value.numberBytes != nil, value.amount(places: 9) ?? value.amount(places: 0) == nil,
        !member.isCalled("playlistBytesSaved") || value.units(places: 0) == nil
      {
        return member.key
      }
      if let odd = value.oddMember { return odd }
    }
    return nil
  }

  fileprivate var request: TransferID? {
    units(places: 0).flatMap { Int32(exactly: $0) }.map { TransferID(rawValue: $0) }
  }
}

extension Record.Event {
  /// The event of a line that a fold looks at; nil for another.
  fileprivate init?(_ line: RecordedLine, _ name: String, at now: Instant) {
    if name == EventShape.app.name {
      guard line.text("do") == "showPanel" else { return nil }
      self = .panelAsked
    } else if name == EventShape.loadedTimeRanges.name {
      let bend = line.nanoseconds("bendAhead").map {
        BufferLevel(
          line.nanoseconds("bendAt").map { Instant(nanoseconds: $0) } ?? now,
          MediaTime(nanoseconds: $0))
      }
      self = .buffer(
        BufferSample(
          time: line.media("time"), ahead: line.media("ahead"),
          ranges: ranges(in: line.text("ranges") ?? ""), bend: bend))
    } else if name == EventShape.linkRate.name {
      let bits = line.value["rate"]?.amount(places: 0).map { LinkRate.limited($0) }
      self = .linkRate(bits ?? (line.text("rate") == "unlimited" ? .unlimited : .unrecorded))
    } else if let observation = PlaybackObservation.read(line, name) {
      self = .player(observation)
    } else {
      return nil
    }
  }
}

extension PlaybackObservation {
  fileprivate static func read(_ line: RecordedLine, _ name: String) -> PlaybackObservation? {
    if let id = line.value["request"]?.request { return read(id, line, name) }
    switch name {
    case EventShape.currentItem.name: return .currentItem(isPresent: line.flag("present"))
    case EventShape.itemStatus.name:
      return line.text("error").map { .itemFailed(PlaybackFailure(words: $0)) }
    case EventShape.rateChange.name:
      return .rate(line.rate("rate"), previous: line.rate("previous"), line.word("reason"))
    case EventShape.timeControlStatus.name:
      return line.word("rule").map { .timeControl(TimeControl(line), $0, line.word("clause")) }
    case EventShape.timebase.name:
      return .timebase(
        line.rate("rate"), from: line.media("time"),
        at: line.nanoseconds("hostTime").map { Instant(nanoseconds: $0) })
    case EventShape.likelyToKeepUp.name:
      return line.word("clause").map {
        .likelyToKeepUp(
          line.flag("value"), $0, loadedEnd: line.media("loadedEnd"),
          estimate: line.count("estimate"))
      }
    case EventShape.forecast.name:
      let late = TimeSpan(nanoseconds: line.value["late"]?.units(places: 9) ?? 0)
      return .forecast(late: late, estimate: line.count("estimate"))
    case EventShape.variantChoice.name: return InitialVariant(line).map { .variantChosen($0) }
    case EventShape.variantSwitchStart.name:
      return line.text("clause").flatMap { SwitchReason(word: $0) }.map {
        .variantSwitchStarted(
          from: line.variant("from"), to: line.variant("to"), $0, estimate: line.count("estimate"))
      }
    case EventShape.variantSwitch.name:
      return .variantSwitched(from: line.variant("from"), to: line.variant("to"))
    case EventShape.variantStay.name:
      return line.word("clause").map {
        .variantKept(line.variant("variant"), $0, estimate: line.count("estimate"))
      }
    case EventShape.itemTransition.name:
      return line.word("kind").map {
        .itemTransition(
          ItemTransition(
            from: 0, to: 0, gap: line.span("gap"), kind: $0, reason: line.word("reason"),
            silence: line.media("silence"), loop: line.count("loop")))
      }
    case _: return read(moving: line, name)
    }
  }

  /// The events by which the buffer ends or fills, and the playhead stops or goes elsewhere.
  private static func read(moving line: RecordedLine, _ name: String) -> PlaybackObservation? {
    let time = line.media("time")
    switch name {
    case EventShape.stall.name: return line.word("clause").map { .stalled(time, $0) }
    case EventShape.playbackBufferEmpty.name: return .bufferEmpty(line.flag("value"))
    case EventShape.playbackBufferFull.name: return .bufferFull(line.flag("value"))
    case EventShape.seek.name: return .seek(to: line.media("to"))
    case EventShape.timeJumped.name: return .timeJumped(time)
    case EventShape.mediaSelection.name:
      return line.word("track").map {
        .mediaSelected(
          MediaSelection($0, language: line.text("language")), discarded: line.media("discarded"))
      }
    case EventShape.reading.name:
      return line.word("clause").map { .readingSuspended(line.flag("suspended"), $0) }
    case EventShape.livePosition.name:
      let reasons: [LiveMoveReason] =
        [.windowSlid, .preservesOffset] + LiveStartReason.allCases.map { .begins($0) }
      let word = line.text("reason") ?? ""
      return reasons.first { isSameText($0.word, word) }.map { .live(.moved(time, $0)) }
    case _: return nil
    }
  }

  private static func read(
    _ id: TransferID, _ line: RecordedLine, _ name: String
  ) -> PlaybackObservation? {
    let (bytes, size) = (line.count("bytes") ?? 0, line.count("size") ?? 0)
    switch name {
    case EventShape.requestStart.name:
      let origin = RequestOrigin(line)
      return line.word("resource").map { .resourceRequested(id, $0, bytes: size, origin) }
        ?? .requestStarted(id, firstByte: line.count("firstByte") ?? 0, origin)
    case EventShape.responseStart.name: return .requestResponded(id)
    case EventShape.mediaResourceRequest.name: return .requestCompleted(id, bytes: bytes)
    case EventShape.requestCancel.name: return .requestCancelled(id, bytes: bytes)
    case EventShape.segmentAbandon.name:
      return line.word("clause").map { .segmentAbandoned(id, bytes: bytes, of: size, $0) }
    case EventShape.requestError.name:
      let failure = TransferFailure(words: line.text("error") ?? "")
      return .requestFailed(id, failure, bytes: bytes, retriedAt: nil)
    case _: return nil
    }
  }

  /// The request that begins, in the place of another.
  fileprivate func retrying(_ old: TransferID) -> PlaybackObservation {
    switch self {
    case .requestStarted(let id, let firstByte, var origin):
      origin.retries = old
      return .requestStarted(id, firstByte: firstByte, origin)
    case .resourceRequested(let id, let kind, let bytes, var origin):
      origin.retries = old
      return .resourceRequested(id, kind, bytes: bytes, origin)
    case _: return self
    }
  }
}

extension InitialVariant {
  fileprivate init?(_ line: RecordedLine) {
    guard let variant = line.count("variant"),
      let reason = line.text("clause").flatMap({ FirstVariantClause(rawValue: $0) })
    else { return nil }
    self.init(variant: Int(clamping: variant), reason: reason, bitRate: line.count("estimate"))
  }
}

extension RequestOrigin {
  fileprivate init(_ line: RecordedLine) {
    self.init(track: line.word("track"), after: line.value["after"]?.request)
    variant = line.count("variant").map { Int32(clamping: $0) }
    if let start = line.nanoseconds("from"), let end = line.nanoseconds("to"), start <= end {
      media = MediaTime(nanoseconds: start)..<MediaTime(nanoseconds: end)
    }
    uri = line.text("uri") ?? ""
  }
}

extension TimeControl {
  fileprivate init(_ line: RecordedLine) {
    let reason: WaitingReason? = line.word("reason")
    switch line.text("status") {
    case "playing"?: self = .playing
    case "waiting"?: self = reason.map { .waiting($0) } ?? .awaitingMedia
    case _: self = .paused
    }
  }
}

extension RequestSteps {
  fileprivate init?(_ line: RecordedLine) {
    self.init()
    lookup = line.span(.lookup)
    waiting = line.span(.waiting)
    connect = line.span(.connect)
    security = line.span(.security)
    response = line.span(.response)
    transfer = line.span(.transfer)
    connection = Int32(clamping: line.count(EventShape.Timing.connection.key.text) ?? 0)
    reusesConnection = line.flag(EventShape.Timing.isReused.key.text)
    if self == RequestSteps() { return nil }
  }
}

// MARK: - Ranges

/// Ranges of media as traces have them: `0-3.5 10-12`, in seconds.
func text(of ranges: [Range<MediaTime>]) -> String {
  var writer = JSONWriter()
  for range in ranges {
    if !writer.bytes.isEmpty { writer.bytes.append(UInt8(ascii: " ")) }
    for (time, mark) in [(range.lowerBound, "-"), (range.upperBound, "")] {
      var number = JSONWriter()
      number.seconds(time.nanoseconds)
      writer.bytes += number.bytes + Array(mark.utf8)
    }
  }
  return writer.text
}

private func ranges(in text: String) -> [Range<MediaTime>] {
  text.utf8.split(separator: UInt8(ascii: " ")).compactMap { range in
    let ends = numbers(
      in: String(decoding: range, as: UTF8.self), between: UInt8(ascii: "-"), places: 9)
    guard ends.count == 2, ends[0] <= ends[1] else { return nil }
    return MediaTime(nanoseconds: ends[0])..<MediaTime(nanoseconds: ends[1])
  }
}

private func numbers(in text: String, between mark: UInt8, places: Int) -> [Int64] {
  text.utf8.split(separator: mark).compactMap {
    (try? JSONValue(parsing: Array($0)))?.units(places: places)
  }
}

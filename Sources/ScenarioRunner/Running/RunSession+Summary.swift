import Autowait
package import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import SimulatedWorld
package import StreamingMedia
import VirtualTime

extension SizeSource {
  /// The key of the scenario, or the tag or attribute of a playlist, that gives the size.
  package var word: String {
    switch self {
    case .stated: "segmentBytes"
    case .exact: "EXT-X-BYTERANGE"
    case .segmentBitRate: "EXT-X-BITRATE"
    case .averageBandwidth: "AVERAGE-BANDWIDTH"
    case .peakBandwidth: "BANDWIDTH"
    case .assumed: "assumed"
    case .gap: "EXT-X-GAP"
    }
  }
}

extension Scenario {
  /// Origin of the sizes of a stream's segments; nil where they are declared.
  package var segmentSizes: JSONTree? {
    guard let report = item.source.stream?.presentation.sizeReport else { return nil }
    return [
      "variants": .string(report.variants.word), "audio": report.audio.map { .string($0.word) },
    ]
  }
}

extension JSONTree {
  package static func unlessEmpty<Parts: Collection>(
    _ parts: Parts, _ tree: (Parts.Element) -> JSONTree
  ) -> JSONTree? {
    parts.isEmpty ? nil : .list(parts, tree)
  }
}

extension [NamedSummary] {
  /// The figures of further players; nil where there are none.
  ///
  /// - Parameter more: Further members of the player at a place.
  package func document(_ more: (Int) -> JSONTree) -> JSONTree? {
    .unlessEmpty(indices) {
      ["player": .string(self[$0].name)] + self[$0].player.document + more($0)
    }
  }
}

extension PlayerFolds {
  init(of scenario: borrowing Scenario, isShown: Bool, _ moments: [Instant] = []) {
    self.init(
      of: scenario.item.source.file, namesItems: scenario.queue != nil, isShown: isShown,
      moments: moments)
  }
}

extension ClosedBooks {
  /// The members of the last line of the trace that are about a player.
  init(_ session: RunSession) {
    self.init(summary: PlayerSummary(session.player.core, at: session.world.now))
    itemLogs = session.itemLogs
    currentLogs = session.currentLogs.map { Int64($0) + 1 }
  }
}

extension JSONWriter {
  mutating func summary(of session: RunSession, end: EndReason, _ others: [NamedSummary]) {
    let books = ClosedBooks(session)
    members(["end": .string(end.word), "fidelity": .string(session.scenario.fidelity.word)])
    members(books.summary.document)
    let warnings = books.summary.warnings
    members([
      "warnings": warnings.isEmpty ? nil : .strings(warnings),
      "segmentSizes": session.scenario.segmentSizes,
      "packets": session.world.link.packetBooks.map {
        ["downlink": $0.downlink.document, "uplink": $0.uplink.document]
      },
      "books": books.document,
      "players": others.document { ["books": ClosedBooks(session.guests[$0]).document] },
      "leakedPlayers": .unlessEmpty(session.leaked) {
        [
          "bytesTransferred": .whole($0.core.bytesTransferred(at: session.world.now)),
          "requestCount": .whole($0.core.counts.requests),
        ]
      },
    ])
  }
}

extension PathCounters {
  /// The packets of a direction by their fate, and their bytes on the wire.
  fileprivate var document: JSONTree {
    [
      "sent": .whole(sent.packets), "delivered": .whole(delivered.packets),
      "lost": .whole(lost.packets), "dropped": .whole(overflowed.packets),
      "inFlight": .whole(inFlight.packets), "bytesSent": .whole(sent.bytes),
      "bytesDelivered": .whole(delivered.bytes),
    ]
  }
}

/// Remarks of a run for the scenario's author, but for parts without effect: see `MeasuredEffects`.
struct RunRemarks {
  let session: RunSession

  private var scenario: Scenario { session.scenario }

  func all(end: EndReason) -> [RunWarning] {
    let own = ([session] + session.guests).flatMap { RunRemarks(session: $0).own(end) }
    return (scenario.warnings + (cut(by: end).map { [$0] } ?? []) + own + faults).inOrder
  }

  /// Faults whose URL matched no request, or that matched fewer than their numbers.
  private var faults: [RunWarning] {
    let rules = scenario.document["faults"]?.elements.map { Array($0) } ?? []
    return session.world.link.unmatchedFaults.compactMap { place, count in
      if !rules.indices.contains(place) { return nil }
      let url = count == 0 ? rules[place]["url"] : nil
      let words =
        url.map { "no request is called " + quotation(of: $0.string ?? "") }
        ?? "the rule fits \(count == 0 ? "no request" : "only " + counted(count, "request"))"
      return RunWarning(
        position: (url ?? rules[place]["requests"])?.position,
        message: "“faults[\(place)].\(url == nil ? "requests" : "url")” has no effect in this run: "
          + words)
    }
  }

  /// Remarks on this player's part of the scenario.
  private func own(_ end: EndReason) -> [RunWarning] {
    var found = session.refusals
    if end == .finished || end == .idle {
      let script = scenario.script
      let undone = script.indices.filter { session.stepsDone[$0] == nil }
      // The first is named, of which no other is to blame.
      let first = undone.first { !scenario.expects(script[$0].event, orNone: true) }
      if let first {
        let more = undone.count > 1 ? ", and \(undone.count - 1) more" : ""
        let words = "the step \(quotation(of: script[first].name)) was never done\(more): the run "
        let instant = PropertyValue.time(session.world.now.nanoseconds).words
        found.append(
          RunWarning(position: script[first].position, message: words + "ended at " + instant))
      }
    }
    if !scenario.expects(Figure.longestQueue.name) {
      found += PlayerSummary(session.player.core, at: session.world.now).warnings.map {
        RunWarning(position: scenario.queue?.items.first?.position, message: $0)
      }
    }
    let isForeseen = Figure.ofStart.contains { scenario.expects($0.name) }
    if !session.player.core.books.hasStarted, !isForeseen {
      found.append(
        RunWarning(
          position: scenario.script.first?.position ?? scenario.document.position,
          message: (session.name.map { "the player \(quotation(of: $0)) never plays" }
            ?? "nothing ever plays") + ", and no expectation allows it, such as "
            + "“outcome”: “neverPlayed”"))
    }
    return found
  }

  /// A run that was cut off while there was still something to be played.
  private func cut(by end: EndReason) -> RunWarning? {
    let limit: String
    switch end {
    case .finished, .idle: return nil
    case .horizon: limit = "horizon"
    case .budget: limit = "eventBudget"
    }
    let plays = ([session] + session.guests).contains {
      $0.player.core.machine.control != .paused
    }
    if !plays || scenario.expects("end") || scenario.document[limit] != nil { return nil }
    return RunWarning(
      message: "the run was cut off while there was still something to be played: a longer "
        + "“\(limit)” lets it go on, and one of its own says that this is meant, as does "
        + "“end”: “\(end.rawValue)”")
  }
}

extension RunSession {
  /// Notes that the step under way was refused, and remarks it unless an expectation asks for that.
  func refuse(_ why: String) {
    let event = TraceEvent(.refused, .text(why))
    note(event)
    warnOfRefusal(why, event, is: "refused")
  }

  private func warnOfRefusal(_ why: String, _ event: TraceEvent, is word: String) {
    guard let stepUnderWay, !scenario.expects(event) else { return }
    let name = quotation(of: scenario.script[stepUnderWay].name)
    warn("the step \(name) was \(word): \(why)")
  }

  /// The same of a seek that is about to be made.
  func warnOfCancelledSeek(to time: MediaTime) {
    if player.currentItem?.cancelsSeek(to: time) != true { return }
    warnOfRefusal(
      "\(PropertyValue.time(time.nanoseconds).words) lies outside what can be sought",
      TraceEvent(.seekDidComplete, .time(time), .boolean(false), .boolean(false)), is: "cancelled")
  }

  /// Names the assumption behind a transition that no expectation asks for.
  func warnOfAssumption(behind rule: TransitionRule, _ event: TraceEvent) {
    guard let assumption = rule.assumption, !scenario.expects(event) else { return }
    warn("the rule \(quotation(of: rule.word)) is an assumption: \(assumption)")
  }

  /// - Parameter position: nil for that of the step under way.
  func warn(_ words: String, at position: TextPosition? = nil) {
    let step = stepUnderWay.map { scenario.script[$0].position }
    refusals.append(
      RunWarning(position: position ?? step ?? scenario.document.position, message: words))
  }
}

extension Scenario {
  /// Whether an expectation asks for an event, which is then no surprise, or also for its absence.
  fileprivate func expects(_ event: TraceEvent, orNone: Bool = false) -> Bool {
    expectations.contains { expectation in
      switch expectation.claim {
      case .count(_, .equals(.count(0))) where !orNone: false
      case .count(let pattern, _): event.matches(pattern)
      case .order(let patterns): patterns.contains { event.matches($0) }
      case .properties(.event(let pattern, _, _), _): event.matches(pattern)
      case .properties: false
      }
    }
  }
}

package import ExactText
import Recording
package import ScenarioFormat
import StreamingMedia
package import VirtualTime

/// A field log as a scenario: media, link and script as far as the log shows them.
package struct FieldSession {
  package let media: ObservedMedia
  /// Assumptions and gaps, in the order in which a reader should know them.
  package internal(set) var notes: [String]
  private let name: String
  /// With the requests for media alone.
  private(set) var log: FieldLog
  let link: ObservedLink
  var unknowns = FieldUnknowns()
  /// Those that the log tells, or else to segments behind others that were passed over.
  private(set) var seeks: [(instant: Instant, target: MediaTime)] = []

  /// - Parameter folder: Folder of the playlists as the scenario names it, with its slash.
  package init(
    _ log: FieldLog, name: String, folder: String, duration: MediaTime? = nil,
    segmentDuration: MediaTime? = nil
  ) throws(Diagnostic) {
    media = try ObservedMedia(
      log, folder: folder, duration: duration, segmentDuration: segmentDuration)
    (self.name, self.log) = (name, log)
    self.log.requests = media.parts.map { log.requests[$0.request] }
    guard media.parts.count <= FieldLimits.mostRequests else {
      throw Diagnostic(
        "there are \(media.parts.count) requests for media",
        expected: "at most \(FieldLimits.mostRequests)")
    }
    if log.play == nil, log.began == nil, let first = self.log.requests.first?.started {
      for index in self.log.requests.indices {
        self.log.requests[index].move(by: .zero - (first - .zero))
      }
    }
    notes = log.notes + media.notes
    seeks = log.seeks.isEmpty ? media.seeks : log.seeks
    if !log.entries.isEmpty {
      link = ObservedLink(log.entries)
      notes.append(
        link.steps.isEmpty
          ? "no entry tells a rate: the link is unlimited"
          : "the rate is that of an entry's transfers, from its start to that of the next; pauses "
            + "and rates do not show")
      return
    }
    link = ObservedLink(self.log.requests)
    note(
      others: log.requests.count - media.parts.count,
      failed: log.requests.count { $0.outcome == .failed })
    if !log.seeks.isEmpty { return }
    // A player joins a live stream near its edge.
    let joined = media.isLive ? media.parts.compactMap { $0.pictures?.lowerBound }.first : nil
    var edge = joined ?? .zero
    for (request, part) in zip(self.log.requests, media.parts) {
      guard let span = part.pictures else { continue }
      let half = MediaTime(nanoseconds: (span.upperBound - span.lowerBound).nanoseconds / 2)
      var most = edge + half
      let reached = MediaTime(nanoseconds: media.leftOut.contiguousEnd(from: most.nanoseconds))
      if reached > most { most = reached + half }
      if span.lowerBound > most { seeks.append((request.started, span.lowerBound)) }
      edge = max(edge, span.upperBound)
    }
  }

  private mutating func note(others: Int, failed: Int) {
    notes.add("failed responses are not in the scenario, which answers them all", failed)
    notes.add("the link is what requests for other things left of it", others)
    notes.append(
      link.steps.isEmpty
        ? "no request tells a rate: the link has none"
        : "the rate is known while bytes arrived, for "
          + JSONTree.secondsText(link.knownTime.nanoseconds)
          + ", as the mean of each transfer; without a transfer the last rate is assumed to hold")
    notes.add(
      "waits of a second or more for a connection or a first byte are outages", link.outages)
    if link.steps.contains(where: { $0.latency > .zero }) {
      notes.append("shorter waits beyond the round trip are latency of the schedule")
    }
    notes.add("the log does not tell when requests ended", log.requests.count { $0.ended == nil })
    if log.play == nil { notes.append("play is called with the first request") }
    if log.seeks.isEmpty, log.pauses.isEmpty, log.rates == nil {
      notes.append("pauses, rates and seeks into loaded media do not show")
    }
  }
}

extension FieldSession {
  package var document: JSONTree {
    let last = log.end
    let isComplete = media.isComplete
    let horizon =
      isComplete
      ? max(last.nanoseconds, media.duration.nanoseconds) / 2 * 3
      : max(1_000_000_000, last.nanoseconds)
    var steps: [(instant: Instant, members: JSONTree)] = [(log.play ?? .zero, ["do": "play"])]
    func moves(at rate: PlaybackRate) -> JSONTree { ["do": "setRate", "rate": .rate(rate)] }
    let rates = log.rates ?? []
    steps += rates.map { ($0.instant, moves(at: $0.rate)) }
    steps += seeks.map { ($0.instant, ["do": "seek", "to": text($0.target.nanoseconds)]) }
    for pause in log.pauses {
      steps.append((pause.lowerBound, ["do": "pause"]))
      let end = pause.upperBound
      let rate = rates.last { $0.instant < end }?.rate ?? .normal
      if end == .distantFuture || rates.contains(where: { $0.instant == end }) { continue }
      steps.append((end, rate == .normal ? ["do": "play"] : moves(at: rate)))
    }
    steps.sort { $0.instant < $1.instant }
    return [
      "scenario": .string(name),
      "about": .string(
        "A field session, read from a log (\(log.source)) with "
          + (log.entries.isEmpty
            ? counted(Int64(log.requests.count), "request")
            : counted(Int64(log.entries.count), "entry", "entries")) + ". Assumed: "
          + joined(notes, by: "; ") + "."),
      "horizon": isComplete && horizon < 3_600_000_000_000 ? nil : text(horizon),
      "link": linkDocument,
      "requests": requestDocument,
      "media": media.document,
      "player": playerDocument,
      "script": .list(steps) { step in ["at": text(step.instant.nanoseconds)] + step.members },
      "expect": [expectation(isComplete)],
    ]
  }

  private func text(_ nanoseconds: Int64) -> JSONTree { .string(JSONTree.secondsText(nanoseconds)) }

  private var linkDocument: JSONTree {
    let half = unknowns.delay?.nanoseconds ?? link.roundTrip.nanoseconds / 2
    var steps = link.steps
    for index in steps.indices { steps[index].latency += unknowns.thinkTime ?? .zero }
    let common: JSONTree = [
      "delay": half > 0 ? text(half) : nil, "dnsDelay": link.lookup.map { text($0.nanoseconds) },
    ]
    guard let last = steps.last else { return common }
    if steps.count == 1, last.latency == .zero {
      return ["bandwidth": .string("\(last.rate) bit/s")] + common
    }
    let ends = steps.dropFirst().map { $0.start } + [last.start + .seconds(1)]
    let rows = zip(steps, ends).map { step, end -> JSONTree in
      [
        "for": text((end - step.start).nanoseconds), "bandwidth": .string("\(step.rate) bit/s"),
        "latency": step.latency > .zero ? text(step.latency.nanoseconds) : nil,
      ]
    }
    return common + ["schedule": ["steps": .array(rows)]]
  }

  private var playerDocument: JSONTree? {
    if unknowns.forwardBuffer == nil, unknowns.estimate == nil { return nil }
    return [
      "preferredForwardBufferDuration": unknowns.forwardBuffer.map { text($0.nanoseconds) },
      "observedBitrate": unknowns.estimate.map { .string("\($0) bit/s") },
    ]
  }

  private var requestDocument: JSONTree? {
    if link.connect == nil, link.security == nil { return nil }
    let isSecond = log.requests.contains { $0.isHTTP2 }
    let tls = link.security.map {
      $0.nanoseconds * 2 > link.roundTrip.nanoseconds * 3 ? "1.2" : "1.3"
    }
    // A key that differs from its default has connections opened.
    return [
      "http": isSecond ? "2" : nil, "tls": tls.map { .string($0) },
      "idleTimeout": isSecond || tls != nil ? nil : "115 s",
    ]
  }

  private func expectation(_ isComplete: Bool) -> JSONTree {
    let startup = log.began.map { ($0 - (log.play ?? .zero)).nanoseconds }
    return [
      "startupDelay": startup.map {
        ["about": text($0), "within": text(max(100_000_000, $0 / 10))]
      },
      "stallCount": (log.stalls.map { Int64($0.count) } ?? log.stallCount).map { .whole($0) },
      "end": isComplete ? "finished" : "horizon",
    ]
  }
}

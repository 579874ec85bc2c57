import Autowait
package import ExactText
import LinkConditioner
import PlayerPolicies
import Recording
package import ScenarioFormat
import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// A field log as a scenario: media, link and script as far as the log shows them.
package struct FieldSession {
  package let media: ObservedMedia
  /// Assumptions and gaps, in the order in which a reader should know them.
  package private(set) var notes: [String]
  fileprivate let name: String
  fileprivate let log: FieldLog
  fileprivate let link: ObservedLink
  /// What each of the log's requests brought.
  fileprivate let parts: [ObservedMedia.Part]
  /// Where segments were passed over.
  fileprivate let seeks: [(instant: Instant, target: MediaTime)]

  /// - Parameters:
  ///   - folder: Folder of the playlists as the scenario names it, with its slash.
  ///   - duration: That of a file, which no request tells.
  ///   - segmentDuration: That of segments where no playlist tells it.
  package init(
    _ log: FieldLog, name: String, folder: String, duration: MediaTime? = nil,
    segmentDuration: MediaTime? = nil
  ) throws(Diagnostic) {
    media = try ObservedMedia(
      log, folder: folder, duration: duration, segmentDuration: segmentDuration)
    var kept = log
    kept.requests = zip(log.requests, media.parts).compactMap { $1 == nil ? nil : $0 }
    parts = media.parts.compactMap { $0 }
    guard parts.count <= FieldLimits.mostRequests else {
      throw Diagnostic(
        "there are \(parts.count) requests for media",
        expected: "at most \(FieldLimits.mostRequests)")
    }
    if log.play == nil, log.began == nil, let first = kept.requests.first?.started {
      for index in kept.requests.indices { kept.requests[index].move(by: .zero - (first - .zero)) }
    }
    (self.name, self.log) = (name, kept)
    link = ObservedLink(kept.requests)
    seeks = Self.seeks(kept.requests, parts)
    let others = log.requests.count - parts.count
    notes = log.notes + media.notes
    if others > 0 {
      notes.append("the link is what \(others) requests for other things left of it")
    }
    notes.append(
      link.steps.isEmpty
        ? "no request tells a rate: the link has none"
        : "the rate is known while bytes arrived, for "
          + JSONTree.secondsText(link.knownTime.nanoseconds)
          + "; idle is not capacity: the last rate is taken to hold")
    if link.outages > 0 {
      notes.append(
        "\(link.outages) waits of a second or more for a connection or a first byte are outages")
    }
    if link.steps.contains(where: { $0.latency > .zero }) {
      notes.append("shorter waits beyond the round trip are latency of the schedule")
    }
    if log.play == nil { notes.append("play is called with the first request") }
    notes.append("pauses, rates and seeks into loaded media do not show")
  }

  private static func seeks(
    _ requests: [FieldRequest], _ parts: [ObservedMedia.Part]
  ) -> [(instant: Instant, target: MediaTime)] {
    var (seeks, edge): ([(instant: Instant, target: MediaTime)], MediaTime) = ([], .zero)
    for (request, part) in zip(requests, parts) where part.track == .main {
      guard let span = part.media else { continue }
      let half = MediaTime(nanoseconds: (span.upperBound - span.lowerBound).nanoseconds / 2)
      if span.lowerBound > edge + half { seeks.append((request.started, span.lowerBound)) }
      edge = max(edge, span.upperBound)
    }
    return seeks
  }

  /// Whether the session fetched its media to the end.
  private var isComplete: Bool {
    parts.compactMap { $0.media?.upperBound }.max().map { $0 >= media.duration } ?? true
  }
}

// MARK: - The scenario

extension FieldSession {
  package var document: JSONTree {
    let needed = max(log.end.nanoseconds, media.duration.nanoseconds)
    let horizon = isComplete ? needed / 2 * 3 : max(1_000_000_000, log.end.nanoseconds)
    let seeking = seeks.map { seek -> JSONTree in
      ["at": text(seek.instant), "do": "seek", "to": text(seek.target.nanoseconds)]
    }
    return [
      "scenario": .string(name),
      "about": .string(
        "A field session as its log shows it (\(log.source)), \(parts.count) requests. Assumed: "
          + joined(notes, by: "; ") + "."),
      "horizon": isComplete && horizon < 3_600_000_000_000 ? nil : text(horizon),
      "link": linkDocument,
      "requests": requestDocument,
      "media": media.document,
      "script": .array([["at": text(log.asked), "do": "play"]] + seeking),
      "expect": [expectations],
    ]
  }

  private func text(_ nanoseconds: Int64) -> JSONTree {
    .string(JSONTree.secondsText(nanoseconds))
  }

  private func text(_ instant: Instant) -> JSONTree { text(instant.nanoseconds) }

  private var linkDocument: JSONTree {
    let (steps, half) = (link.steps, link.roundTrip.nanoseconds / 2)
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

  /// Connections, where the log shows that they were opened.
  private var requestDocument: JSONTree? {
    if link.connect == nil, link.security == nil { return nil }
    let turn = link.roundTrip
    let isSecond = log.requests.contains { $0.isHTTP2 }
    let tls = link.security.map { $0.nanoseconds * 2 > turn.nanoseconds * 3 ? "1.2" : "1.3" }
    // A key that differs from its default has connections opened.
    return [
      "http": isSecond ? "2" : nil, "tls": tls.map { .string($0) },
      "idleTimeout": isSecond || tls != nil ? nil : "115 s",
    ]
  }

  private var expectations: JSONTree {
    var startup: JSONTree = [:]
    if let play = log.play, let began = log.began {
      let length = (began - play).nanoseconds
      startup = [
        "startupDelay": ["about": text(length), "within": text(max(100_000_000, length / 10))]
      ]
    }
    return startup + [
      "stallCount": log.stalls.map { .whole($0.count) },
      "end": isComplete ? "finished" : "horizon",
    ]
  }
}

// MARK: - The recording

extension FieldSession {
  /// The session as a trace: what the log shows as the lines that a run would write of it.
  ///
  /// - Parameter scenario: Text of the scenario.
  package func trace(_ scenario: [UInt8]) -> [UInt8] {
    guard let document = try? JSONValue(parsing: scenario) else {
      preconditionFailure("the scenario was written by the tool")
    }
    var lacks = [
      "the player's decisions and estimates", "the rate of the link while nothing arrived",
    ]
    if log.began == nil { lacks += ["the start of playback", "the buffer"] }
    if log.stalls == nil { lacks.append("stalls") }
    var writer = TraceWriter(keeping: .whole)
    writer.header(
      seed: 0, heuristic: nil, files: media.files, scenario: document,
      field: ["source": .string(log.source), "lacks": .strings(lacks)])
    let recorder = FieldRecorder(self)
    for (instant, event) in recorder.inOrder { writer.write(event, at: instant) }
    _ = writer.finish(at: log.end) { $0.members(recorder.summary) }
    return writer.kept
  }
}

/// Lines of a trace from what a log shows.
private struct FieldRecorder {
  private let log: FieldLog
  private let session: FieldSession
  private var events: [(instant: Instant, event: TraceEvent)] = []
  /// Stalls after the start, with the place of the playhead.
  private var stalls: [(span: Range<Instant>, place: MediaTime)] = []

  init(_ session: FieldSession) {
    (self.session, log) = (session, session.log)
    for step in session.link.steps.prefix(4_096) where step.start <= log.end {
      events.append((step.start, TraceEvent(LinkRate.limited(step.rate))))
    }
    events.append((log.asked, TraceEvent(.app, .text("play"))))
    for (index, (request, part)) in zip(log.requests, session.parts).enumerated() {
      add(request, part, TransferID(rawValue: Int32(truncatingIfNeeded: index + 1)))
    }
    guard let began = log.began else { return }
    addPlayback(from: began)
    addBuffer()
  }

  /// Sorted by time, and then as they were added.
  var inOrder: [(instant: Instant, event: TraceEvent)] {
    events.enumerated().sorted {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }.map { $0.element }
  }

  private mutating func add(
    _ observation: PlaybackObservation, at instant: Instant, _ steps: RequestSteps? = nil
  ) {
    events.append((instant, TraceEvent.line(of: observation).with(steps)))
  }

  private mutating func add(
    _ request: FieldRequest, _ part: ObservedMedia.Part, _ id: TransferID
  ) {
    // A request that begins where another ends was waiting for it.
    let cause = log.requests.prefix(Int(id.rawValue) - 1).suffix(8).lastIndex {
      $0.ended.map { $0 <= request.started && request.started - $0 < .milliseconds(2) } ?? false
    }
    let after = cause.map { TransferID(rawValue: Int32(truncatingIfNeeded: $0 + 1)) }
    var origin = RequestOrigin(track: part.track, after: after)
    (origin.variant, origin.media, origin.uri) = (part.variant, part.media, request.uri)
    let bytes = request.bytes ?? 0
    add(
      part.kind.map { .resourceRequested(id, $0, bytes: request.size ?? bytes, origin) }
        ?? .requestStarted(id, firstByte: part.firstByte, origin), at: request.started)
    if let responded = request.responded {
      add(.requestResponded(id), at: responded, request.steps)
    }
    guard let ended = request.ended else { return }
    switch request.outcome {
    case .completed, .underWay: add(.requestCompleted(id, bytes: bytes), at: ended, request.steps)
    case .cancelled: add(.requestCancelled(id, bytes: bytes), at: ended, request.steps)
    case .failed:
      add(
        .requestFailed(id, TransferFailure(words: ""), bytes: bytes, retriedAt: nil), at: ended,
        request.steps)
    }
  }

  private mutating func addPlayback(from began: Instant) {
    let play = min(log.asked, began)
    add(.currentItem(isPresent: true), at: play)
    add(.rate(.normal, previous: .zero, nil), at: play)
    add(.timeControl(.waiting(.toMinimizeStalls), .waitsForBuffer, nil), at: play)
    add(.timeControl(.playing, .startsLikelyOrFull, nil), at: began)
    add(.timebase(.normal, from: .zero), at: began)
    for stall in log.stalls ?? [] where stall.lowerBound >= began {
      let place = head(at: stall.lowerBound)
      stalls.append((stall, place))
      add(.stalled(place, .dry), at: stall.lowerBound)
      add(.timeControl(.waiting(.toMinimizeStalls), .stallWaits, nil), at: stall.lowerBound)
      add(.timebase(.zero, from: place), at: stall.lowerBound)
      add(.timeControl(.playing, .startsLikelyOrFull, nil), at: stall.upperBound)
      add(.timebase(.normal, from: place), at: stall.upperBound)
    }
  }

  /// The playhead, if it moves at rate 1 but for stalls and seeks.
  private func head(at instant: Instant) -> MediaTime {
    guard let began = log.began, instant > began else { return .zero }
    var (place, from) = (MediaTime.zero, began)
    if let seek = session.seeks.last(where: { $0.instant <= instant }) {
      (place, from) = (seek.target, max(began, seek.instant))
    }
    var played = instant - from
    for stall in log.stalls ?? [] where stall.upperBound > from && stall.lowerBound < instant {
      played = played - (min(stall.upperBound, instant) - max(stall.lowerBound, from))
    }
    return min(session.media.duration, place + MediaTime(nanoseconds: max(0, played.nanoseconds)))
  }

  /// Samples of the buffer wherever something happened.
  private mutating func addBuffer() {
    var (loaded, next) = (LoadedMedia(), 0)
    let landed = zip(log.requests, session.parts).compactMap { request, part in
      request.outcome == .completed ? request.ended.map { (ended: $0, part: part) } : nil
    }.sorted { $0.ended < $1.ended }
    let isFile = session.parts.first?.kind == nil
    let marks =
      (events.map { $0.instant } + log.requests.flatMap { $0.arrivals.map { $0.instant } })
      .sorted()
    for (index, mark) in marks.enumerated() where index == 0 || marks[index - 1] != mark {
      while next < landed.count, landed[next].ended <= mark {
        if let media = landed[next].part.media { loaded.add(media, landed[next].part.track) }
        next += 1
      }
      let place = head(at: mark)
      let ahead = max(.zero, (isFile ? fileEdge(at: mark) : loaded.end(from: place)) - place)
      let ranges = ahead > .zero ? [place..<place + ahead] : []
      let sample = BufferSample(time: place, ahead: ahead, ranges: ranges, bend: nil)
      events.append((mark, TraceEvent(sample, at: mark)))
    }
  }

  /// The media of a file that had arrived, if its bytes are spread evenly.
  private func fileEdge(at instant: Instant) -> MediaTime {
    let whole = log.requests.compactMap { $0.resourceBytes ?? $0.size ?? $0.bytes }.max() ?? 0
    let edge = zip(log.requests, session.parts).map { $1.firstByte + $0.bytes(by: instant) }.max()
    let media = scaled(
      session.media.duration.nanoseconds, by: min(edge ?? 0, whole), over: max(1, whole),
      rounding: .down)
    return MediaTime(nanoseconds: media)
  }

  /// The members of the last line.
  var summary: JSONTree {
    let variants = session.parts.compactMap { $0.media == nil ? nil : $0.variant }
    let stalled = stalls.reduce(0) { $0 + ($1.span.upperBound - $1.span.lowerBound).nanoseconds }
    let startup = log.began.map { ($0 - log.asked).nanoseconds }
    let span: JSONTree = [
      "start": .seconds(log.asked.nanoseconds), "end": .seconds(log.began?.nanoseconds),
    ]
    return [
      "end": "finished", "fidelity": "fluid", "outcome": "played",
      "startupDelaySeconds": .seconds(startup), "stallCount": .whole(stalls.count),
      "stalledSeconds": .seconds(stalled), "waitingSeconds": .seconds((startup ?? 0) + stalled),
      "playedSeconds": .seconds(head(at: log.end).nanoseconds),
      "bytesTransferred": .whole(log.requests.reduce(0) { $0 + ($1.bytes ?? 0) }),
      "requestCount": .whole(log.requests.count),
      "variantSwitchCount": .whole(zip(variants, variants.dropFirst()).count { $0 != $1 }),
      "books": [
        "askedSeconds": .seconds(log.asked.nanoseconds),
        "startupSpans": startup == nil ? nil : [span], "startupSeconds": .seconds(startup ?? 0),
        "stalls": .list(stalls) { stall, place in
          [
            "startSeconds": .seconds(stall.lowerBound.nanoseconds),
            "endSeconds": .seconds(stall.upperBound.nanoseconds),
            "stalledSeconds": .seconds((stall.upperBound - stall.lowerBound).nanoseconds),
            "mediaSeconds": .seconds(place.nanoseconds), "clause": "dry",
          ]
        },
      ],
    ]
  }
}

extension FieldRequest {
  /// Bytes that had arrived at an instant.
  fileprivate func bytes(by instant: Instant) -> Int64 {
    guard let start = responded, let end = ended, let bytes else { return 0 }
    var (from, sum) = (start, Int64(0))
    for arrival in arrivals + [(end, .max)] where arrival.instant > from && from < instant {
      let (part, length) = (min(bytes - sum, arrival.bytes), arrival.instant - from)
      sum += scaled(
        part, by: min(instant - from, length).nanoseconds, over: length.nanoseconds,
        rounding: .down)
      from = arrival.instant
    }
    return sum
  }
}

/// Media that has arrived, of pictures and of separate sound.
private struct LoadedMedia {
  private var tracks: [(track: TrackKind, spans: [Range<MediaTime>])] = []

  mutating func add(_ span: Range<MediaTime>, _ track: TrackKind?) {
    guard let track, track != .subtitles else { return }
    if !tracks.contains(where: { $0.track == track }) { tracks.append((track, [])) }
    for index in tracks.indices where tracks[index].track == track {
      let place = tracks[index].spans.partitionPoint { $0.lowerBound > span.lowerBound }
      tracks[index].spans.insert(span, at: place)
    }
  }

  /// End of the media that is there without a gap from a place on, in every track.
  func end(from place: MediaTime) -> MediaTime {
    tracks.map { track -> MediaTime in
      track.spans[track.spans.partitionPoint { $0.upperBound > place }...].reduce(place) {
        $1.lowerBound <= $0 ? max($0, $1.upperBound) : $0
      }
    }.min() ?? place
  }
}

import Autowait
import ExactText
import LinkConditioner
import PlayerPolicies
import Recording
import ScenarioFormat
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension FieldSession {
  /// The session as a trace: what the log shows as the lines that a run would write of it.
  package func trace() -> [UInt8] {
    guard let scenario = try? JSONValue(parsing: document.fileText) else {
      preconditionFailure("the scenario was written by the tool")
    }
    let recorder = FieldRecorder(self)
    var writer = TraceWriter(keeping: .whole)
    writer.header(
      seed: 0, heuristic: nil, files: media.files, scenario: scenario,
      field: ["source": .string(log.source), "lacks": .strings(log.gaps.map { $0.rawValue })])
    // By time, and then as they were added.
    let lines = recorder.lines.enumerated().sorted {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }
    for (_, line) in lines { writer.write(line.event, at: line.instant) }
    var books = ClosedBooks(summary: recorder.summary)
    if !log.entries.isEmpty {
      books.itemLogs = [ItemLogs(logs: RunLogs(accessLog: AccessLog(events: log.entries)))]
      books.currentLogs = 1
    }
    _ = writer.finish(at: recorder.end) { json in
      json.members(
        ["end": "finished"] + books.summary.document(lacking: log.gaps)
          + ["books": books.document])
    }
    return writer.kept
  }
}

private struct FieldRecorder {
  private let log: FieldLog
  private let media: ObservedMedia
  private(set) var lines: [(instant: Instant, event: TraceEvent)] = []
  private(set) var summary = PlayerSummary()
  let end: Instant
  private var control = TimeControl.paused
  private var purpose: WaitPurpose?
  private var asked = PlaybackRate.normal
  private var rate: PlaybackRate { control == .playing ? asked : .zero }
  /// Places of the playhead from which it moved, or stood, until the next of them.
  private var anchors: [(instant: Instant, place: MediaTime, rate: PlaybackRate)] = []

  init(_ session: FieldSession) {
    (log, media) = (session.log, session.media)
    let stalls = session.log.began == nil ? [] : session.log.stalls ?? []
    end = log.end
    for step in session.link.steps.prefix(4_096) where step.start <= end {
      lines.append((step.start, TraceEvent(LinkRate.limited(step.rate))))
    }
    let play = min(log.play ?? .zero, log.began ?? end)
    lines.append((play, TraceEvent(.app, .text("play"))))
    addSwitches()
    for (index, (request, part)) in zip(log.requests, media.parts).enumerated() {
      add(request, part, TransferID(rawValue: Int32(truncatingIfNeeded: index + 1)))
    }
    addPlayback(play, stalls, session.seeks)
    if log.began != nil, log.entries.isEmpty { addBuffer() }
    summary.startupDelay = summary.books.startupDelay
    summary.media.requests = Int64(log.requests.count)
    summary.media.bytes = log.requests.reduce(0) { $0 + ($1.bytes ?? 0) }
    if let count = log.stallCount { summary.books.stallCount = count }
    if !log.entries.isEmpty { summary.books.played = .zero }
    for entry in log.entries {
      summary.media.requests += entry.numberOfMediaRequests
      summary.media.bytes += entry.numberOfBytesTransferred
      summary.books.played += TimeSpan(nanoseconds: entry.durationWatched.nanoseconds)
    }
  }

  private mutating func add(
    _ observation: PlaybackObservation, at instant: Instant, _ steps: RequestSteps? = nil
  ) {
    lines.append((instant, TraceEvent.line(of: observation).with(steps)))
  }

  private mutating func add(_ request: FieldRequest, _ part: ObservedMedia.Part, _ id: TransferID) {
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
        ?? .requestStarted(id, firstByte: request.firstByte ?? 0, origin), at: request.started)
    if let responded = request.responded {
      add(.requestResponded(id), at: responded, request.steps)
    }
    guard let ended = request.ended else { return }
    let outcome: PlaybackObservation =
      switch request.outcome {
      case .completed, .underWay: .requestCompleted(id, bytes: bytes)
      case .cancelled: .requestCancelled(id, bytes: bytes)
      case .failed: .requestFailed(id, request.failure, bytes: bytes, retriedAt: nil)
      }
    add(outcome, at: ended, request.steps)
  }

  private mutating func addSwitches() {
    let ladder = log.entries.bandwidths
    var variants = zip(log.requests, media.parts).compactMap { request, part in
      part.pictures == nil || request.outcome == .cancelled
        ? nil : part.variant.map { (instant: request.started, variant: $0) }
    }
    for entry in log.entries {
      let place = ladder.partitionPoint { $0 >= entry.indicatedBitrate ?? 0 }
      variants.append((entry.playbackStartDate ?? .zero, Int32(truncatingIfNeeded: place)))
    }
    for (old, new) in zip(variants, variants.dropFirst()) where old.variant != new.variant {
      summary.media.variantSwitches += 1
      add(
        .variantSwitchStarted(
          from: old.variant, to: new.variant, .chosen(.decidedOutside), estimate: nil),
        at: new.instant)
      if !log.entries.isEmpty {
        add(.variantSwitched(from: old.variant, to: new.variant), at: new.instant)
      }
    }
  }

  private mutating func addPlayback(
    _ play: Instant, _ stalls: [Range<Instant>], _ seeks: [(instant: Instant, target: MediaTime)]
  ) {
    var changes: [(instant: Instant, change: FieldMark)] = [(play, .play)]
    changes += (log.rates ?? []).map { ($0.instant, .rate($0.rate)) }
    if let began = log.began { changes.append((began, .motion)) }
    /// A stall may end with a pause, and a pause with a stall.
    func add(_ mark: FieldMark, _ spans: [Range<Instant>], before others: [Range<Instant>]) {
      let starts = Set(others.map { $0.lowerBound } + [.distantFuture])
      for span in spans {
        changes.append((span.lowerBound, mark))
        if !starts.contains(span.upperBound) { changes.append((span.upperBound, .motion)) }
      }
    }
    add(.stall, stalls, before: log.pauses)
    add(.pause, log.pauses, before: stalls)
    changes += seeks.map { ($0.instant, .seek($0.target)) }
    for (instant, change) in changes.sorted(by: { $0.instant < $1.instant }) {
      summary.books.close(control, waitingOut: purpose, rate, at: instant)
      pass(change, at: instant)
    }
    // A wait of which no end is known is no startup.
    if log.began == nil { (control, purpose) = (.paused, nil) }
    summary.books.close(control, waitingOut: purpose, rate, at: end)
  }

  private mutating func pass(_ change: FieldMark, at now: Instant) {
    var place = head(at: now)
    switch change {
    case .play:
      summary.books.appAsked(at: now)
      add(.currentItem(isPresent: true), at: now)
      add(.rate(.normal, previous: .zero, nil), at: now)
      (control, purpose) = (.waiting(.toMinimizeStalls), .start)
      add(.timeControl(control, .waitsForBuffer, nil), at: now)
    case .motion:
      summary.books.moved(at: now)
      add(.bufferEmpty(false), at: now)
      (control, purpose) = (.playing, nil)
      add(.timeControl(control, .startsLikelyOrFull, nil), at: now)
    case .pause:
      (control, purpose) = (.paused, nil)
      add(.timeControl(control, .pausedByApp, nil), at: now)
    case .stall:
      summary.books.ranDry(place, .dry, at: now)
      (control, purpose) = (.waiting(.toMinimizeStalls), .resume)
      add(.bufferEmpty(true), at: now)
      add(.stalled(place, .dry), at: now)
      add(.timeControl(control, .stallWaits, nil), at: now)
    case .rate(let rate):
      add(.rate(rate, previous: asked, nil), at: now)
      asked = rate
    case .seek(let target):
      place = target
      add(.seek(to: target), at: now)
    }
    if !anchors.isEmpty || control == .playing { add(.timebase(rate, from: place), at: now) }
    anchors.append((now, place, rate))
  }

  private func head(at instant: Instant, isBefore: Bool = false) -> MediaTime {
    let anchor = anchors.last { $0.instant < instant || !isBefore && $0.instant == instant }
    guard let anchor else { return .zero }
    return min(media.duration, anchor.place + anchor.rate.media(in: instant - anchor.instant))
  }

  /// Samples of the buffer wherever something happened: just before it and after it.
  private mutating func addBuffer() {
    var loaded: [TrackKind: ByteRanges] = [:]
    let landed = zip(log.requests, media.parts).compactMap { request, part in
      request.outcome == .completed ? request.ended.map { (ended: $0, part: part) } : nil
    }.sorted { $0.ended < $1.ended }
    var (next, file) = (0, FileArrival(log, media.duration))
    func ahead(of place: MediaTime, at mark: Instant) -> MediaTime {
      let ends = [TrackKind.main, .audio].compactMap {
        loaded[$0]?.contiguousEnd(from: place.nanoseconds)
      }
      let end = media.parts.first?.kind == nil ? file.end(from: place, at: mark) : ends.min() ?? 0
      return max(.zero, MediaTime(nanoseconds: end) - place)
    }
    let arrivals = log.requests.flatMap { $0.arrivals.map { $0.instant } }
    let marks = (lines.map { $0.instant } + arrivals).sorted()
    for (index, mark) in marks.enumerated() where index == 0 || marks[index - 1] != mark {
      let before = ahead(of: head(at: mark, isBefore: true), at: mark)
      while next < landed.count, landed[next].ended <= mark {
        if let media = landed[next].part.media, let track = landed[next].part.track {
          loaded[track, default: ByteRanges()].insert(
            media.lowerBound.nanoseconds..<media.upperBound.nanoseconds)
        }
        next += 1
      }
      let place = head(at: mark)
      let after = ahead(of: place, at: mark)
      let sample = BufferSample(
        time: place, ahead: after, ranges: after > .zero ? [place..<place + after] : [],
        bend: before == after ? nil : BufferLevel(mark, before))
      lines.append((mark, TraceEvent(sample, at: mark)))
    }
  }
}

/// Bytes of a file that had arrived, as media over which they are spread evenly.
private struct FileArrival {
  private let duration: MediaTime
  private let whole: Int64
  /// Those that were answered, in that order, the next last.
  private var coming: [(responded: Instant, request: FieldRequest)]
  private var underWay: [FieldRequest] = []
  private var loaded = ByteRanges()

  init(_ log: FieldLog, _ duration: MediaTime) {
    self.duration = duration
    whole = max(1, log.requests.compactMap { $0.resourceBytes ?? $0.size ?? $0.bytes }.max() ?? 1)
    coming = log.requests.compactMap { request in request.responded.map { ($0, request) } }
      .sorted { $0.responded > $1.responded }
  }

  /// End of the media that is there without a gap from a place on; instants rise.
  mutating func end(from place: MediaTime, at now: Instant) -> Int64 {
    while let next = coming.last, next.responded <= now {
      underWay.append(next.request)
      coming.removeLast()
    }
    for request in underWay {
      let first = request.firstByte ?? 0
      loaded.insert(first..<first + request.bytes(by: now))
    }
    underWay.removeAll { $0.end <= now }
    let byte = scaled(
      whole, by: place.nanoseconds, over: max(1, duration.nanoseconds), rounding: .down)
    return scaled(
      duration.nanoseconds, by: min(whole, loaded.contiguousEnd(from: byte)), over: whole,
      rounding: .down)
  }
}

extension FieldRequest {
  /// Bytes that had arrived at an instant, evenly between those at which it is known.
  fileprivate func bytes(by instant: Instant) -> Int64 {
    pieces.reduce(0) { sum, piece in
      let length = piece.end - piece.start
      let passed = max(.zero, min(instant - piece.start, length))
      return sum
        + scaled(piece.bytes, by: passed.nanoseconds, over: length.nanoseconds, rounding: .down)
    }
  }
}

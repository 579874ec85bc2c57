import Autowait
package import LinkConditioner
package import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// Follows a player's requests until playback first moves, and says what that waited for.
///
/// Every link of the chain is in the records: a request names the one whose end let it begin.
package struct StartupFold: Sendable {
  private var requests: RequestFold
  private var began: Instant?
  /// Whether the player evaluates the buffering rate, or has just done so.
  private var isEvaluating = false
  /// The instant at which the player was last granted its rate, and the request that led to it.
  private var granted: (instant: Instant, gain: Gain?)?
  /// The request by which the buffer of a stream last grew, and when.
  private var latestGain: Gain?
  /// The last gain before the first motion.
  private var needed: Gain?

  /// A request that brought something that playback needed, and when.
  private typealias Gain = (id: TransferID, instant: Instant)

  /// Cap on the requests that are kept.
  private static let mostStages = 512

  package init(headAtom: Int64?) {
    requests = RequestFold(most: Self.mostStages, headAtom: headAtom)
  }

  package mutating func see(_ record: Record) {
    guard began == nil, case .player(let observation) = record.event else { return }
    requests.see(record)
    let now = record.instant
    if case .requestCompleted(let id, _) = observation {
      if requests.request(id)?.fillsBuffer == true { latestGain = (id, now) }
    } else if case .timeControl(let control, _, _) = observation {
      controlChanged(control, at: now)
    } else if case .timebase(let rate, _) = observation, !rate.isZero {
      needed = lastNeeded(at: now)
      began = now
    }
  }

  /// Keeps when and by what playback was granted: the pipeline may need longer to begin to move.
  private mutating func controlChanged(_ control: TimeControl, at now: Instant) {
    switch control {
    case .playing: granted = (now, lastNeeded(at: now))
    case .waiting(let reason):
      isEvaluating = reason == .evaluatingBufferingRate
      granted = nil
    case .paused, .awaitingMedia: granted = nil
    }
  }

  /// The report, with the causes of the start where playback began.
  ///
  /// - Parameters:
  ///   - asked: Instant of the app's first call to play, as the books have it.
  ///   - spans: The time that is booked as startup.
  package func result(asked: Instant?, _ spans: [Range<Instant>]) -> StartupReport {
    var report = StartupReport()
    (report.stages, report.asked, report.began) = (requests.result, asked, began)
    if let asked, let began { trace(from: asked, to: began, spans, &report) }
    return report
  }
}

// MARK: - The path

extension StartupFold {
  /// Walks back from the first motion to the tap, from each request to the one that let it begin.
  private func trace(
    from asked: Instant, to began: Instant, _ spans: [Range<Instant>],
    _ report: inout StartupReport
  ) {
    var pieces: [StartupPiece] = []
    var end = began
    func add(_ cause: StartupPiece.Cause, from start: Instant) {
      let start = max(start, asked)
      if start < end { pieces.append(StartupPiece(cause: cause, start: start, end: end)) }
      end = min(end, start)
    }
    if let granted { add(.pipeline, from: granted.instant) }
    var next = granted.map { $0.gain } ?? needed
    if let gain = next, gain.instant < end {
      add(isEvaluating ? .evaluation : .app, from: gain.instant)
    }
    while end > asked, let id = next?.id,
      let index = report.stages.lastIndex(where: { $0.id == id })
    {
      let stage = report.stages[index]
      report.stages[index].isOnPath = true
      add(.request(id), from: stage.requested)
      if let old = stage.retries, let broken = requests.request(old) {
        add(.retry, from: broken.ended ?? stage.requested)
        next = (old, end)
      } else {
        next = stage.after.map { ($0, end) }
      }
    }
    add(.app, from: asked)
    report.path = pieces.reversed().flatMap { $0.cut(to: spans) }
  }

  /// The request that brought the last of what playback needed, and when.
  private func lastNeeded(at began: Instant) -> Gain? {
    if let latestGain { return latestGain }
    // A file's bytes come in all the time: what flows is what was waited for, unless something
    // ended just now.
    let stages = requests.result
    if let ended = stages.last(where: { $0.ended == began && $0.outcome == .completed }) {
      return (ended.id, began)
    }
    if let flowing = stages.last(where: { $0.ended == nil }) { return (flowing.id, began) }
    return stages.last { $0.outcome == .completed }.map { ($0.id, $0.ended ?? began) }
  }
}

extension StartupPiece {
  /// The piece as far as it lies in the spans that are booked as startup, and pauses between.
  fileprivate func cut(to spans: [Range<Instant>]) -> [StartupPiece] {
    var pieces: [StartupPiece] = []
    var place = start
    func add(_ cause: Cause, to limit: Instant) {
      let limit = min(limit, end)
      if place < limit { pieces.append(StartupPiece(cause: cause, start: place, end: limit)) }
      place = max(place, limit)
    }
    for span in spans {
      add(.pause, to: span.lowerBound)
      add(cause, to: span.upperBound)
    }
    add(.pause, to: end)
    return pieces
  }
}

extension StartupStage {
  package init(
    _ id: TransferID, _ firstByte: Int64, isHead: Bool, _ origin: RequestOrigin,
    requested: Instant
  ) {
    self.init(
      id: id, resource: nil, track: nil, firstByte: firstByte, isHeadAtom: isHead, bytes: nil,
      requested: requested, ended: nil, outcome: .underWay, after: origin.after,
      retries: origin.retries, steps: nil)
  }

  package init(
    _ id: TransferID, _ kind: ResourceKind, _ bytes: Int64, _ origin: RequestOrigin,
    requested: Instant
  ) {
    self.init(
      id: id, resource: kind, track: origin.track, firstByte: 0, bytes: bytes,
      requested: requested, ended: nil, outcome: .underWay, after: origin.after,
      retries: origin.retries, steps: nil)
    (variant, media) = (origin.variant, origin.media)
  }

  /// Whether the buffer of a stream can grow by it: playback does not wait for subtitles.
  fileprivate var fillsBuffer: Bool {
    (resource == .mediaSegment || resource == .contentKey) && track != .subtitles
  }
}

import Autowait
import LinkConditioner
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
import VirtualTime

/// Follows a player's requests until playback first moves, and then says what it waited for.
///
/// Every link of the chain was recorded when it was made: a request names the one whose end let it
/// begin, and the loader the one by which the buffer last grew.
struct StartupKeeper {
  private(set) var report = StartupReport()
  /// Whether the player evaluates the buffering rate, or has just done so.
  private var isEvaluating = false
  /// When the player was last granted its rate, and by which request's doing.
  private var granted: (instant: Instant, gain: Gain?)?
  private var isClosed = false

  /// A request that brought what playback needed, and when.
  private typealias Gain = (id: TransferID, instant: Instant)

  /// Cap on the requests that are kept.
  private static let mostStages = 512

  mutating func see(
    _ observation: PlaybackObservation, _ session: RunSession
  ) {
    if isClosed { return }
    let now = session.world.now
    if case .requestStarted(let id, let firstByte, let origin) = observation {
      let isHead = session.scenario.item.source.file?.isHeadAlone(at: firstByte) ?? false
      open(
        StartupStage(id, firstByte: firstByte, isHead: isHead, origin, requested: now))
    } else if case .resourceRequested(let id, let kind, let bytes, let origin) = observation {
      open(StartupStage(id, kind, bytes, origin, requested: now))
    } else if case .requestResponded(let id) = observation, let index = index(of: id) {
      report.stages[index].responded = now
    } else if case .requestCompleted(let id, _) = observation {
      end(id, .completed, session)
    } else if case .requestCancelled(let id, _) = observation {
      end(id, .cancelled, session)
    } else if case .requestFailed(let id, _, _, _) = observation {
      end(id, .failed, session)
    } else if case .timeControl(let control, _, _) = observation {
      controlChanged(control, session)
    } else if case .timebase(let rate, _) = observation, !rate.isZero {
      close(session)
    }
  }

  /// Keeps when and by what playback was granted: the pipeline may need longer to begin to move.
  private mutating func controlChanged(_ control: TimeControl, _ session: RunSession) {
    switch control {
    case .playing: granted = (session.world.now, lastNeeded(at: session.world.now, session))
    case .waiting(let reason):
      isEvaluating = reason == .evaluatingBufferingRate
      granted = nil
    case .paused, .awaitingMedia: granted = nil
    }
  }

  private mutating func open(_ stage: StartupStage) {
    if report.stages.count < Self.mostStages { report.stages.append(stage) }
  }

  private func index(of id: TransferID) -> Int? {
    report.stages.lastIndex { $0.id == id }
  }

  private mutating func end(
    _ id: TransferID, _ outcome: StartupStage.Outcome, _ session: RunSession
  ) {
    guard let index = index(of: id) else { return }
    report.stages[index].ended = session.world.now
    report.stages[index].outcome = outcome
    report.stages[index].timings = session.world.timings(of: id)
  }

  /// Completes the report when playback begins, or when the run ends before.
  mutating func finish(_ session: RunSession) {
    if isClosed { return }
    isClosed = true
    report.asked = session.player.core.books.firstRequest
    for index in report.stages.indices where report.stages[index].ended == nil {
      report.stages[index].timings = session.world.timings(of: report.stages[index].id)
    }
  }

  private mutating func close(_ session: RunSession) {
    finish(session)
    let now = session.world.now
    report.began = now
    guard let asked = report.asked else { return }
    trace(from: asked, to: now, session)
  }
}

// MARK: - The path

extension StartupKeeper {
  /// Walks back from the first motion to the tap, from each request to the one that let it begin.
  private mutating func trace(from asked: Instant, to began: Instant, _ session: RunSession) {
    var pieces: [StartupPiece] = []
    var end = began
    func add(_ cause: StartupPiece.Cause, from start: Instant) {
      let start = max(start, asked)
      if start < end { pieces.append(StartupPiece(cause: cause, start: start, end: end)) }
      end = min(end, start)
    }
    if let granted { add(.pipeline, from: granted.instant) }
    var next = granted.map { $0.gain } ?? lastNeeded(at: began, session)
    if let gain = next, gain.instant < end {
      add(isEvaluating ? .evaluation : .app, from: gain.instant)
    }
    while end > asked, let id = next?.id, let index = index(of: id) {
      let stage = report.stages[index]
      report.stages[index].isOnPath = true
      add(.request(id), from: stage.requested)
      if let old = stage.retries, let broken = self.index(of: old) {
        add(.retry, from: report.stages[broken].ended ?? stage.requested)
        next = (old, end)
      } else {
        next = stage.after.map { ($0, end) }
      }
    }
    add(.app, from: asked)
    report.path = pieces.reversed().flatMap { piece in
      piece.cut(to: session.player.core.books.startupSpans)
    }
  }

  /// The request that brought the last of what playback needed, and when.
  private func lastNeeded(
    at began: Instant, _ session: RunSession
  ) -> Gain? {
    if let gain = session.player.currentItem?.latestGain { return gain }
    // A file's bytes come in all the time: what flows is what was waited for, unless something
    // ended just now.
    let stages = report.stages
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
  fileprivate init(
    _ id: TransferID, firstByte: Int64, isHead: Bool, _ origin: RequestOrigin, requested: Instant
  ) {
    self.init(
      id: id, resource: nil, track: nil, firstByte: firstByte, isHeadAtom: isHead, bytes: nil,
      requested: requested, ended: nil, outcome: .underWay, after: origin.after,
      retries: origin.retries, timings: nil)
  }

  fileprivate init(
    _ id: TransferID, _ kind: ResourceKind, _ bytes: Int64, _ origin: RequestOrigin,
    requested: Instant
  ) {
    self.init(
      id: id, resource: kind, track: origin.track, firstByte: 0, bytes: bytes,
      requested: requested, ended: nil, outcome: .underWay, after: origin.after,
      retries: origin.retries, timings: nil)
  }
}

extension MediaFile {
  /// Whether a request that begins with a byte is one for the head atom behind the media.
  fileprivate func isHeadAlone(at firstByte: Int64) -> Bool {
    headAtomBytes > 0 && headAtomPosition == .end && firstByte == headAtomOffset
  }
}

import Autowait
package import LinkConditioner
package import SimulatedPlayback
package import VirtualTime

/// Follows a player's requests until playback first moves, and says what that waited for.
///
/// Every link of the chain is in the records: a request names the one whose end let it begin.
package struct StartupFold: Sendable {
  private var requests: RequestFold
  package private(set) var began: Instant?
  /// Whether the player evaluates the buffering rate, or has just done so.
  private var isEvaluating = false
  private var keepsUp: Instant?
  /// The instant at which the player was last granted its rate, and the request that led to it.
  private var granted: (instant: Instant, gain: Gain?)?
  /// The request by which the buffer of a stream last grew, and when.
  private var latestGain: Gain?
  /// The last gain before the first motion.
  private var needed: Gain?

  /// A request that brought something that playback needed, and when.
  private typealias Gain = (id: TransferID, instant: Instant)

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
    } else if case .likelyToKeepUp(true, _, _, _) = observation {
      keepsUp = now
    } else if case .timeControl(let control, _, _) = observation {
      // The pipeline may need longer to begin to move.
      granted = control == .playing ? (now, lastNeeded(at: now)) : nil
      if case .waiting(let reason) = control {
        isEvaluating = reason == .evaluatingBufferingRate
      }
    } else if case .timebase(let rate, _, _) = observation, !rate.isZero {
      needed = lastNeeded(at: now)
      began = now
    }
  }

  /// The report, with the causes of the start where playback began.
  ///
  /// - Parameters:
  ///   - asked: Instant of the app's first call to play, as the books have it.
  ///   - spans: The time that is booked as startup.
  package func result(asked: Instant?, _ spans: [Range<Instant>]) -> StartupReport {
    var report = StartupReport(stages: requests.result, asked: asked, began: began)
    if let asked, let began { trace(from: asked, to: began, spans, &report) }
    return report
  }

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
    assert(
      zip(report.path, report.path.dropFirst()).allSatisfy { $0.end == $1.start },
      "the pieces of a startup follow each other without gaps")
  }

  /// The request that brought the last of what playback needed, and when.
  private func lastNeeded(at began: Instant) -> Gain? {
    if let latestGain {
      // A request under way had to come nearer for the player to trust in it.
      guard keepsUp == began, latestGain.instant < began, !isEvaluating,
        let coming = requests.result.last(where: { $0.ended == nil && $0.fillsBuffer })
      else { return latestGain }
      return (coming.id, began)
    }
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
  /// Whether the buffer of a stream can grow by it: playback does not wait for subtitles.
  fileprivate var fillsBuffer: Bool {
    (resource == .mediaSegment || resource == .contentKey) && track != .subtitles
  }
}

/// The requests up to the first motion of playback, and the waits that led to it.
package struct StartupReport: Hashable, Sendable {
  /// The requests in the order in which they were made.
  package var stages: [StartupStage] = []
  /// The instant of the app's first request to play; nil if there was none.
  package var asked: Instant?
  /// The instant of the first motion of playback; nil if there was none.
  package var began: Instant?
  /// The consecutive waits between the two, without gaps.
  package var path: [StartupPiece] = []

  /// The number of sequential requests that the start waited for.
  package var stageCount: Int64 {
    Int64(path.count { if case .request = $0.cause { true } else { false } })
  }
}

package struct StartupStage: Hashable, Sendable {
  package var id: TransferID
  /// The kind of resource; nil for a part of a file.
  package var resource: ResourceKind?
  package var track: TrackKind?
  /// The name of the item that it is for, where items have names.
  package var item: String?
  /// The byte of a file that it begins with.
  package var firstByte: Int64 = 0
  /// Whether it is the head atom of a file that has it behind its media.
  package var isHeadAtom = false
  /// The size of what was asked for; nil for a file, which is read as far as it is wanted.
  package var bytes: Int64?
  package var requested: Instant
  /// The instant of its first byte; nil if there was none.
  package var responded: Instant?
  /// The instant of its end; nil if it still went on at the start of playback.
  package var ended: Instant?
  package var outcome = Outcome.underWay
  /// The request that let it begin; nil where the app did, or the buffer's room.
  package var after: TransferID?
  /// The request that broke and whose place it took.
  package var retries: TransferID?
  package var steps: RequestSteps?
  package var isOnPath = false
  package var variant: Int32?
  /// The media that a segment brings.
  package var media: Range<MediaTime>?
  /// Bytes received when it was over; nil where only the start is followed.
  package var received: Int64?

  package enum Outcome: String, Hashable, Sendable {
    case underWay
    case completed
    case cancelled
    case failed
  }
}

/// A stretch of the time from the tap to the first motion, and what was waited for in it.
package struct StartupPiece: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    case request(TransferID)
    /// The delay before a failed request was tried again.
    case retry
    /// The player evaluated the buffering rate.
    case evaluation
    /// The user had paused the start, which is no part of the startup delay.
    case pause
    case pipeline
    /// Everything was there or asked for that could be: the app was to go on.
    case app
  }

  package var cause: Cause
  package var start: Instant
  package var end: Instant

  package var span: TimeSpan { end - start }
}

package struct RequestFold: Sendable {
  package private(set) var result: [StartupStage] = []
  /// Places of the requests under way, the latest last.
  private var open: [Int] = []
  private let most: Int
  /// The byte that begins the head atom of a file that has it behind its media.
  private let headAtom: Int64?

  package init(most: Int, headAtom: Int64? = nil) { (self.most, self.headAtom) = (most, headAtom) }

  /// Whether media that playback waits for are under way.
  var isLoading: Bool { open.contains { result[$0].resource == nil || result[$0].fillsBuffer } }

  /// The request of a number, the latest where there are several.
  package func request(_ id: TransferID) -> StartupStage? { result.last { $0.id == id } }

  package mutating func see(_ record: Record) {
    guard case .player(let observation) = record.event else { return }
    let now = record.instant
    if case .requestStarted(let id, let firstByte, let origin) = observation {
      begin(
        StartupStage(
          id: id, firstByte: firstByte, isHeadAtom: firstByte == headAtom, requested: now,
          after: origin.after, retries: origin.retries))
    } else if case .resourceRequested(let id, let kind, let bytes, let origin) = observation {
      begin(
        StartupStage(
          id: id, resource: kind, track: origin.track, item: record.item, bytes: bytes,
          requested: now, after: origin.after, retries: origin.retries, variant: origin.variant,
          media: origin.media))
    } else if case .requestResponded(let id) = observation {
      guard let place = open.last(where: { result[$0].id == id }) else { return }
      result[place].responded = now
      result[place].steps = record.steps
    } else if case .requestCompleted(let id, let bytes) = observation {
      end(id, .completed, bytes, record)
    } else if case .requestCancelled(let id, let bytes) = observation {
      end(id, .cancelled, bytes, record)
    } else if case .requestFailed(let id, _, let bytes, _) = observation {
      end(id, .failed, bytes, record)
    }
  }

  /// Forgets what ended of the older half, where there is no room for another one.
  mutating func makeRoom() {
    if result.count < most { return }
    result = result.indices.filter { $0 >= most / 2 || result[$0].ended == nil }.map { result[$0] }
    open = result.indices.filter { result[$0].ended == nil }
  }

  private mutating func begin(_ request: StartupStage) {
    if result.count == most { return }
    open.append(result.count)
    result.append(request)
  }

  private mutating func end(
    _ id: TransferID, _ outcome: StartupStage.Outcome, _ bytes: Int64, _ record: Record
  ) {
    guard let index = open.lastIndex(where: { result[$0].id == id }) else { return }
    let place = open.remove(at: index)
    result[place].ended = record.instant
    result[place].outcome = outcome
    result[place].received = bytes
    result[place].steps = record.steps
  }
}

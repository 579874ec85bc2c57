import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

extension JSONWriter {
  /// The startup: every request up to the first motion, and what it waited for.
  mutating func members(of startup: StartupReport) {
    key("startup")
    beginArray()
    for stage in startup.stages { self.stage(stage, asked: startup.asked) }
    endArray()
    key("criticalPath")
    beginArray()
    for piece in startup.path { self.piece(piece) }
    endArray()
  }

  private mutating func stage(_ stage: StartupStage, asked: Instant?) {
    beginObject()
    key("request")
    integer(Int64(stage.id.rawValue))
    key("resource")
    string(stage.resource?.word ?? "file")
    if let track = stage.track {
      key("track")
      string(track.word)
    }
    key("startSeconds")
    seconds(stage.requested.nanoseconds)
    key("responseStartSeconds")
    if let responded = stage.responded { seconds(responded.nanoseconds) } else { null() }
    key("endSeconds")
    if let ended = stage.ended { seconds(ended.nanoseconds) } else { null() }
    steps(of: stage.steps)
    if let bytes = stage.bytes {
      key("bytes")
      integer(bytes)
    }
    key("outcome")
    string(stage.outcome.word)
    key("after")
    if let after = stage.retries ?? stage.after {
      integer(Int64(after.rawValue))
    } else {
      null()
    }
    key("isBeforePlay")
    boolean(asked.map { stage.requested < $0 } ?? true)
    key("isOnCriticalPath")
    boolean(stage.isOnPath)
    endObject()
  }

  private mutating func steps(of steps: RequestSteps?) {
    guard let steps else { return }
    for (name, span) in [
      ("domainLookupSeconds", steps.lookup), ("waitingSeconds", steps.waiting),
      ("connectSeconds", steps.connect), ("secureConnectionSeconds", steps.security),
      ("timeToFirstByteSeconds", steps.response),
    ] {
      guard let span else { continue }
      key(name)
      seconds(span.nanoseconds)
    }
  }

  private mutating func piece(_ piece: StartupPiece) {
    beginObject()
    key("waitedFor")
    switch piece.cause {
    case .request(let id):
      string("request")
      key("request")
      integer(Int64(id.rawValue))
    case .retry: string("retry")
    case .evaluation: string("evaluation")
    case .pause: string("pause")
    case .pipeline: string("pipeline")
    case .app: string("app")
    }
    key("startSeconds")
    seconds(piece.start.nanoseconds)
    key("endSeconds")
    seconds(piece.end.nanoseconds)
    endObject()
  }
}

extension StartupStage.Outcome {
  var word: String {
    switch self {
    case .underWay: "underWay"
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}

import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

extension StartupReport {
  /// The startup: every request up to the first motion, and what it waited for.
  var document: JSONTree {
    [
      "startup": .list(stages) { $0.document(asked: asked) },
      "criticalPath": .list(path) { $0.document },
    ]
  }
}

extension StartupStage {
  fileprivate func document(asked: Instant?) -> JSONTree {
    let start: JSONTree = [
      "request": .whole(id.rawValue),
      "resource": .string(resource?.word ?? "file"),
      "track": track.map { .string($0.word) },
      "startSeconds": .seconds(requested.nanoseconds),
      "responseStartSeconds": .seconds(responded?.nanoseconds),
      "endSeconds": .seconds(ended?.nanoseconds),
    ]
    return start + (steps?.document ?? [:]) + [
      "bytes": bytes.map { .whole($0) },
      "outcome": .string(outcome.word),
      "after": .whole((retries ?? after)?.rawValue),
      "isBeforePlay": .boolean(asked.map { requested < $0 } ?? true),
      "isOnCriticalPath": .boolean(isOnPath),
    ]
  }
}

extension RequestSteps {
  fileprivate var document: JSONTree {
    func span(_ span: TimeSpan?) -> JSONTree? { span.map { .seconds($0.nanoseconds) } }
    return [
      "domainLookupSeconds": span(lookup), "waitingSeconds": span(waiting),
      "connectSeconds": span(connect), "secureConnectionSeconds": span(security),
      "timeToFirstByteSeconds": span(response),
    ]
  }
}

extension StartupPiece {
  fileprivate var document: JSONTree {
    var request: JSONTree?
    if case .request(let id) = cause { request = .whole(id.rawValue) }
    return [
      "waitedFor": .string(cause.word), "request": request,
      "startSeconds": .seconds(start.nanoseconds), "endSeconds": .seconds(end.nanoseconds),
    ]
  }
}

extension StartupPiece.Cause {
  fileprivate var word: String {
    switch self {
    case .request: "request"
    case .retry: "retry"
    case .evaluation: "evaluation"
    case .pause: "pause"
    case .pipeline: "pipeline"
    case .app: "app"
    }
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

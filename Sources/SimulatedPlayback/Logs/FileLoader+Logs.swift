import LinkConditioner
import StreamingMedia
import VirtualTime

extension FileLoader {
  /// The media of a fetch stops coming in: it is over, or its reader pauses.
  func stopFlow(of fetch: Fetch, at now: Instant) {
    if fetch.hasResponded, !isSuspended { logs.stopped(at: now) }
  }

  /// Puts a request that broke into the error log and into the trace.
  func report(_ failure: TransferFailure, at now: Instant, on stage: inout Stage) {
    let error = ErrorLogEvent(label, failure, at: now)
    logs.note(error)
    stage.log.note(.errorLogged(error), of: subject, at: now)
  }
}

extension LogKeeper.Source {
  /// A file, which declares nothing.
  init(_ file: MediaFile, called name: String) {
    self.init(uri: name, indicatedAverage: file.averageBitRate.roundedDown, type: .file)
  }
}

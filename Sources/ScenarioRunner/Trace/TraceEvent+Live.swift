import LinkConditioner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension TraceEvent {
  /// The line for something that became different because a stream is live.
  init(_ observation: LiveObservation) {
    switch observation {
    case .playlistRead(let id, let reading):
      self.init(
        "playlist",
        [
          ("request", .count(Int64(id.rawValue))), ("changed", .boolean(reading.isChanged)),
          ("mediaSequence", .count(reading.mediaSequence)), ("segments", .count(reading.segments)),
        ] + (reading.parts == 0 ? [] : [("parts", .count(reading.parts))]) + [
          ("end", .seconds(reading.edge.nanoseconds))
        ] + (reading.isEnded ? [("ended", .boolean(true))] : []) + reading.extent)
    case .deltaUnusable(let id, let skipped):
      self.init(
        "playlistDelta",
        [
          ("request", .count(Int64(id.rawValue))), ("usable", .boolean(false)),
          ("skipped", .count(skipped)),
        ])
    case .moved(let time, let reason):
      self.init(
        "livePosition", [("time", .seconds(time.nanoseconds)), ("reason", .text(reason.word))])
    }
  }
}

extension LiveReading {
  /// What was asked for, and what of it was left out.
  fileprivate var extent: [(String, TraceValue)] {
    (directives.isEmpty ? [] : [("directives", .text(directives.text))])
      + (skipped == 0 ? [] : [("skipped", .count(skipped)), ("saved", .count(saved))])
  }
}

extension LiveMoveReason {
  var word: String {
    switch self {
    case .begins(let reason): reason.word
    case .windowSlid: "windowSlid"
    case .preservesOffset: "preservesOffset"
    }
  }
}

extension LiveStartReason {
  var word: String {
    switch self {
    case .startTime: "startTime"
    case .configuredOffset: "configuredOffset"
    case .startPoint: "startPoint"
    case .partHoldBack: "partHoldBack"
    case .holdBack: "holdBack"
    case .threeTargetDurations: "threeTargetDurations"
    }
  }
}

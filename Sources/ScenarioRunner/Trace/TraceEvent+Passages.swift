import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension TraceEvent {
  /// What lies between one piece of playback and the next.
  init(passage observation: PlaybackObservation) {
    switch observation {
    case .pipeline(let work, let done):
      self.init("pipeline", [("work", .text(work.word)), ("until", .seconds(done.nanoseconds))])
    case .itemTransition(let transition):
      self.init(
        "itemTransition",
        [("gap", .seconds(transition.gap.nanoseconds)), ("kind", .text(transition.kind.word))]
          + (transition.silence > .zero
            ? [("silence", .seconds(transition.silence.nanoseconds))] : [])
          + (transition.loop.map { [("loop", .count($0))] } ?? []))
    case .emptyTrack(let track, let from, let to):
      self.init(
        "emptyTrack",
        [
          ("track", .text(track.rawValue)), ("from", .seconds(from.nanoseconds)),
          ("to", .seconds(to.nanoseconds)),
        ])
    case .currentItem, .itemReady, .itemFailed, .rate, .timeControl, .timebase, .likelyToKeepUp,
      .bufferEmpty, .bufferFull, .waitsAutomatically, .stalled, .timeJumped, .playedToEnd,
      .failedToPlayToEnd, .seek, .seekCompleted, .requestStarted, .requestResponded,
      .requestCompleted, .requestCancelled, .requestFailed, .readingSuspended,
      .resourceRequested, .variantChosen, .variantSwitchStarted, .variantSwitched,
      .segmentAbandoned, .errorLogged, .pictureColour, .live,
      .mediaSelected:
      preconditionFailure("only what lies between two pieces of playback comes here")
    }
  }
}

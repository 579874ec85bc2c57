import LinkConditioner
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

// What the player tells, with what the link knows of its requests.

extension RunSession {
  /// Puts what became different in the player into the trace.
  func tell(_ record: PlaybackRecord) {
    let observation = record.observation
    startup.see(observation, self)
    var event = TraceEvent(observation)
    if scenario.queue != nil { event = named(event, record) }
    switch observation {
    case .requestStarted(let id, _, let origin), .resourceRequested(let id, _, _, let origin):
      note(event)
      begun(id, origin)
    case .requestCompleted(let id, _), .requestCancelled(let id, _),
      .requestFailed(let id, _, _, _):
      note(event.with(world.link.timings(of: id)))
    case .currentItem, .itemReady, .itemFailed, .rate, .timeControl, .timebase, .likelyToKeepUp,
      .bufferEmpty, .bufferFull, .waitsAutomatically, .stalled, .timeJumped, .playedToEnd,
      .failedToPlayToEnd, .seek, .seekCompleted, .requestResponded, .readingSuspended,
      .variantChosen, .variantSwitchStarted, .variantSwitched, .segmentAbandoned, .errorLogged,
      .live, .mediaSelected, .pipeline, .pictureColour, .itemTransition, .emptyTrack:
      note(event)
    }
  }

  /// Says whether a request takes the place of one that broke, and what will go wrong with it.
  private func begun(_ id: TransferID, _ origin: RequestOrigin) {
    if let old = origin.retries {
      note(
        TraceEvent(
          "requestRetry",
          [("request", .count(Int64(id.rawValue))), ("after", .count(Int64(old.rawValue)))]))
    }
    if let fault = world.link.timings(of: id)?.fault { note(TraceEvent(fault, of: id)) }
  }
}

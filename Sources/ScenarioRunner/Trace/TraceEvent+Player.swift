import Autowait
import LinkConditioner
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

extension TraceEvent {
  /// The line for something that became different in a player.
  ///
  /// Names follow Apple's metrics and property vocabulary.
  init(_ observation: PlaybackObservation) {
    switch observation {
    case .currentItem(let isPresent):
      self.init("currentItem", [("present", .boolean(isPresent))])
    case .itemReady:
      self.init("itemStatus", [("status", .text("readyToPlay"))])
    case .itemFailed(let failure):
      self.init("itemStatus", [("status", .text("failed")), ("error", .text(failure.words))])
    case .rate(let rate, let previous):
      self.init("rateChange", [("rate", .rate(rate)), ("previous", .rate(previous))])
    case .timeControl(let control, let rule):
      self.init(
        "timeControlStatus",
        [("status", .text(control.word))]
          + (control.reason.map { [("reason", .text($0.word))] } ?? [])
          + [("rule", .text(rule.word))])
    case .timebase(let rate, let from):
      self.init("timebase", [("rate", .rate(rate)), ("time", .seconds(from.nanoseconds))])
    case .likelyToKeepUp(let isLikely, let clause, let loadedEnd):
      self.init(
        "likelyToKeepUp",
        [
          ("value", .boolean(isLikely)), ("clause", .text(clause.word)),
          ("loadedEnd", .seconds(loadedEnd.nanoseconds)),
        ])
    case .bufferEmpty, .bufferFull, .waitsAutomatically:
      self.init(flag: observation)
    case .stalled, .timeJumped, .playedToEnd, .failedToPlayToEnd, .seek, .seekCompleted:
      self.init(mark: observation)
    case .requestStarted, .requestResponded, .requestCompleted, .requestCancelled, .requestFailed,
      .readingSuspended:
      self.init(transfer: observation)
    case .resourceRequested, .variantChosen, .variantSwitchStarted, .variantSwitched,
      .segmentAbandoned, .mediaSelected, .errorLogged:
      self.init(stream: observation)
    case .live(let observation): self.init(observation)
    case .pipeline, .itemTransition, .emptyTrack:
      self.init(passage: observation)
    case .pictureColour(let picture):
      self.init(picture)
    }
  }

  private init(flag observation: PlaybackObservation) {
    switch observation {
    case .bufferEmpty(let value):
      self.init("playbackBufferEmpty", [("value", .boolean(value))])
    case .bufferFull(let value):
      self.init("playbackBufferFull", [("value", .boolean(value))])
    case .waitsAutomatically(let value):
      self.init("automaticallyWaits", [("value", .boolean(value))])
    case .currentItem, .itemReady, .itemFailed, .rate, .timeControl, .timebase, .likelyToKeepUp,
      .stalled, .timeJumped, .playedToEnd, .failedToPlayToEnd, .seek, .seekCompleted,
      .requestStarted, .requestResponded, .requestCompleted, .requestCancelled, .requestFailed,
      .readingSuspended, .resourceRequested, .variantChosen, .variantSwitchStarted,
      .variantSwitched, .segmentAbandoned, .live, .mediaSelected, .pipeline, .errorLogged,
      .pictureColour,
      .itemTransition, .emptyTrack:
      preconditionFailure("only what is on or off comes here")
    }
  }

  /// What happens at a point of the media.
  private init(mark observation: PlaybackObservation) {
    switch observation {
    case .stalled(let time):
      self.init("stall", [("time", .seconds(time.nanoseconds))])
    case .timeJumped(let time):
      self.init("timeJumped", [("time", .seconds(time.nanoseconds))])
    case .playedToEnd(let time):
      self.init("didPlayToEndTime", [("time", .seconds(time.nanoseconds))])
    case .failedToPlayToEnd(let failure):
      self.init("failedToPlayToEndTime", [("error", .text(failure.words))])
    case .seek(let target):
      self.init("seek", [("to", .seconds(target.nanoseconds))])
    case .seekCompleted(let target, let finished, let inBuffer):
      self.init(
        "seekDidComplete",
        [
          ("to", .seconds(target.nanoseconds)), ("finished", .boolean(finished)),
          ("didSeekInBuffer", .boolean(inBuffer)),
        ])
    case .currentItem, .itemReady, .itemFailed, .rate, .timeControl, .timebase, .likelyToKeepUp,
      .bufferEmpty, .bufferFull, .waitsAutomatically, .requestStarted, .requestResponded,
      .requestCompleted, .requestCancelled, .requestFailed,
      .readingSuspended, .resourceRequested, .variantChosen, .variantSwitchStarted,
      .variantSwitched, .segmentAbandoned, .live, .mediaSelected, .pipeline, .errorLogged,
      .pictureColour,
      .itemTransition, .emptyTrack:
      preconditionFailure("only what happens at a point of the media comes here")
    }
  }

  private init(transfer observation: PlaybackObservation) {
    switch observation {
    case .requestStarted(let id, let firstByte, let origin):
      self.init(
        "requestStart",
        [("request", .count(Int64(id.rawValue))), ("firstByte", .count(firstByte))]
          + origin.members)
    case .requestResponded(let id):
      self.init("responseStart", [("request", .count(Int64(id.rawValue)))])
    case .requestCompleted(let id, let bytes):
      self.init(
        "mediaResourceRequest",
        [("request", .count(Int64(id.rawValue))), ("bytes", .count(bytes))])
    case .requestCancelled(let id, let bytes):
      self.init(
        "requestCancel", [("request", .count(Int64(id.rawValue))), ("bytes", .count(bytes))])
    case .requestFailed(let id, let reason, let bytes, let retry):
      self.init(
        "requestError",
        [
          ("request", .count(Int64(id.rawValue))), ("error", .text(reason.words)),
          ("bytes", .count(bytes)),
        ] + (retry.map { [("retry", .seconds($0.nanoseconds))] } ?? []))
    case .readingSuspended(let isSuspended):
      self.init("reading", [("suspended", .boolean(isSuspended))])
    case .currentItem, .itemReady, .itemFailed, .rate, .timeControl, .timebase, .likelyToKeepUp,
      .bufferEmpty, .bufferFull, .waitsAutomatically, .stalled, .timeJumped, .playedToEnd,
      .failedToPlayToEnd, .seek, .seekCompleted,
      .resourceRequested, .variantChosen, .variantSwitchStarted, .variantSwitched,
      .segmentAbandoned, .live, .mediaSelected, .pipeline, .errorLogged, .pictureColour,
      .itemTransition, .emptyTrack:
      preconditionFailure("only what concerns a transfer comes here")
    }
  }

  /// What concerns a stream.
  private init(stream observation: PlaybackObservation) {
    switch observation {
    case .resourceRequested(let id, let kind, let bytes, let origin):
      self.init(
        "requestStart",
        [
          ("request", .count(Int64(id.rawValue))), ("resource", .text(kind.word)),
          ("size", .count(bytes)),
        ] + origin.members)
    case .variantChosen(let choice):
      self.init(
        "variantChoice",
        [("variant", .count(Int64(choice.variant))), ("reason", .text(choice.reason.word))])
    case .variantSwitchStarted(let from, let to):
      self.init("variantSwitchStart", [("from", .count(Int64(from))), ("to", .count(Int64(to)))])
    case .variantSwitched(let from, let to):
      self.init("variantSwitch", [("from", .count(Int64(from))), ("to", .count(Int64(to)))])
    case .segmentAbandoned(let id, let bytes, let whole):
      self.init(
        "segmentAbandon",
        [
          ("request", .count(Int64(id.rawValue))), ("bytes", .count(bytes)),
          ("size", .count(whole)),
        ])
    case .mediaSelected(let selection, let discarded):
      self.init(
        "mediaSelection",
        [
          ("track", .text(selection.kind.word)),
          ("language", selection.language.map { .text($0) } ?? .null),
          ("discarded", .seconds(discarded.nanoseconds)),
        ])
    case .errorLogged(let error):
      self.init(
        "newErrorLogEntry",
        [
          ("uri", .text(error.uri)), ("errorStatusCode", .count(error.statusCode)),
          ("errorDomain", .text(error.domain)), ("errorComment", .text(error.comment)),
        ])
    case .currentItem, .itemReady, .itemFailed, .rate, .timeControl, .timebase, .likelyToKeepUp,
      .bufferEmpty, .bufferFull, .waitsAutomatically, .stalled, .timeJumped, .playedToEnd,
      .failedToPlayToEnd, .seek, .seekCompleted, .requestStarted, .requestResponded,
      .requestCompleted, .requestCancelled, .requestFailed, .readingSuspended, .live, .pipeline,
      .pictureColour,
      .itemTransition, .emptyTrack:
      preconditionFailure("only what concerns a stream comes here")
    }
  }
}

extension RequestOrigin {
  /// What a line says of it: the track unless it is the variant's own, and what it waited for.
  fileprivate var members: [(String, TraceValue)] {
    var members: [(String, TraceValue)] = []
    switch track {
    case .audio?, .subtitles?: members = track.map { [("track", .text($0.word))] } ?? []
    case .main?, nil: break
    }
    if let after { members.append(("after", .count(Int64(after.rawValue)))) }
    return members
  }
}

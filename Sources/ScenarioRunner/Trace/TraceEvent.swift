import Autowait
package import ExactText
import LinkConditioner
import Recording
package import ScenarioFormat
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// A line of a trace before it is text: a name, and members in a fixed order.
package struct TraceEvent: Sendable {
  let shape: EventShape
  package var members: [(key: QuotedText, value: TraceValue)]

  package var name: String { shape.name }

  /// A line with the values of its row, in their order; nil for what it does without.
  init(_ shape: EventShape, _ values: TraceValue?...) {
    assert(values.count <= shape.members.count, "“\(shape.name)” has a value too many")
    self.shape = shape
    members = []
    members.reserveCapacity(values.count)
    for (member, value) in zip(shape.members, values) {
      if let value { members.append((member.key, value)) }
    }
  }

  /// A line whose members depend on what it speaks of.
  init(_ shape: EventShape, named members: [(String, TraceValue)]) {
    self.shape = shape
    self.members = members.map { (key: QuotedText($0.0), value: $0.1) }
  }

  private static let player = QuotedText("player")
  private static let item = QuotedText("item")
  private static let fromItem = QuotedText("fromItem")

  /// The same, said of a further player; nil stands for the first one, who needs no name.
  func of(_ player: String?) -> TraceEvent {
    guard let player else { return self }
    var event = self
    event.members.insert((key: TraceEvent.player, value: .text(player)), at: 0)
    return event
  }

  /// The same with the names of the item that it is about, and of the one before it.
  func with(item name: String?, from old: String?) -> TraceEvent {
    var event = self
    if let old { event.members.append((key: TraceEvent.fromItem, value: .text(old))) }
    if let name { event.members.append((key: TraceEvent.item, value: .text(name))) }
    return event
  }

  func matches(_ pattern: EventPattern) -> Bool {
    name == pattern.event
      && pattern.members.allSatisfy { claim in
        members.contains { $0.key.text == claim.name && $0.value.text == claim.value }
      }
  }
}

extension EventShape {
  /// The bytes by which its lines are found in a trace; no other line contains them.
  var marker: [UInt8] { Array("\"event\":\"\(name)\"".utf8) }

  /// Whether an event is one of those that a pattern may ask for, and its members are of the row.
  static func allows(_ event: TraceEvent) -> Bool {
    guard let shape = named(event.name) else { return false }
    return event.members.allSatisfy { key, value in
      switch (shape.member(key.text)?.sort, value) {
      case (.flag, .boolean), (.number, .count), (.number, .seconds), (.number, .rate): true
      case (.text, _), (.words, .text), (.flag, .null), (.number, .null), (.words, .null): true
      case (.flag, _), (.number, _), (.words, _), (nil, _): false
      }
    }
  }
}

// The lines for what became different. Names follow Apple's metrics and property vocabulary.

extension TraceEvent {
  /// One row for each: a part of them alone would have to list the others.
  static func line(of observation: PlaybackObservation) -> TraceEvent {
    switch observation {
    case .currentItem(let isPresent): TraceEvent(.currentItem, .boolean(isPresent))
    case .itemReady: TraceEvent(.itemStatus, .text(ItemStatus.readyToPlay.word))
    case .itemFailed(let failure):
      TraceEvent(.itemStatus, .text(ItemStatus.failed(failure).word), .text(failure.words))
    case .rate(let rate, let previous, let why): rateChange(rate, previous, why)
    case .timeControl(let control, let rule, let clause):
      TraceEvent(
        .timeControlStatus, .text(control.word), control.reason.map { .text($0.word) },
        .text(rule.word), clause.map { .text($0.word) })
    case .timebase(let rate, let from, let hostTime):
      TraceEvent(.timebase, .rate(rate), .time(from), hostTime.map { .seconds($0.nanoseconds) })
    case .likelyToKeepUp(let value, let why, let end, let rate):
      TraceEvent(.likelyToKeepUp, .boolean(value), .text(why.word), .time(end), .known(rate))
    case .forecast(let late, let rate):
      TraceEvent(.forecast, .seconds(late.nanoseconds), .known(rate))
    case .bufferEmpty(let value): TraceEvent(.playbackBufferEmpty, .boolean(value))
    case .bufferFull(let value): TraceEvent(.playbackBufferFull, .boolean(value))
    case .waitsAutomatically(let value): TraceEvent(.automaticallyWaits, .boolean(value))
    case .stalled(let time, let clause): TraceEvent(.stall, .time(time), .text(clause.word))
    case .timeJumped(let time): TraceEvent(.timeJumped, .time(time))
    case .playedToEnd(let time): TraceEvent(.didPlayToEndTime, .time(time))
    case .failedToPlayToEnd(let failure): TraceEvent(.failedToPlayToEndTime, .text(failure.words))
    case .seek(let target): TraceEvent(.seek, .time(target))
    case .seekCompleted(let target, let finished, let inBuffer):
      TraceEvent(.seekDidComplete, .time(target), .boolean(finished), .boolean(inBuffer))
    case .requestStarted(let id, let byte, let from): TraceEvent(id, .count(byte), nil, nil, from)
    case .requestResponded(let id): TraceEvent(.responseStart, .id(id))
    case .requestCompleted(let id, let all): TraceEvent(.mediaResourceRequest, .id(id), .count(all))
    case .requestCancelled(let id, let bytes): TraceEvent(.requestCancel, .id(id), .count(bytes))
    case .requestFailed(let id, let reason, let bytes, let retry):
      TraceEvent(
        .requestError, .id(id), .text(reason.words), .count(bytes),
        retry.map { .seconds($0.nanoseconds) })
    case .readingSuspended(let isSuspended, let clause):
      TraceEvent(.reading, .boolean(isSuspended), .text(clause.word))
    case .resourceRequested(let id, let kind, let bytes, let origin):
      TraceEvent(id, nil, .text(kind.word), .count(bytes), origin)
    case .variantChosen(let choice):
      TraceEvent(
        .variantChoice, .count(Int64(choice.variant)), .text(choice.reason.word),
        .known(choice.bitRate))
    case .variantSwitchStarted(let from, let to, let why, let rate):
      TraceEvent(
        .variantSwitchStart, .count(Int64(from)), .count(Int64(to)), .text(why.word), .known(rate))
    case .variantKept(let id, let why, let rate):
      TraceEvent(.variantStay, .count(Int64(id)), .text(why.word), .known(rate))
    case .variantSwitched(let from, let to):
      TraceEvent(.variantSwitch, .count(Int64(from)), .count(Int64(to)))
    case .segmentAbandoned(let id, let bytes, let whole, let clause):
      TraceEvent(.segmentAbandon, .id(id), .count(bytes), .count(whole), .text(clause.word))
    case .itemTransition(let transition): TraceEvent(transition)
    case .emptyTrack(let track, let from, let to):
      TraceEvent(.emptyTrack, .text(track.rawValue), .time(from), .time(to))
    case .mediaSelected(let selection, let discarded): TraceEvent(selection, discarded)
    case .live(let observation): TraceEvent(observation)
    case .pictureColour(let picture): TraceEvent(picture)
    case .errorLogged(let error): TraceEvent(error)
    case .prerolled(let finished): TraceEvent(.prerollDidComplete, .boolean(finished))
    case .pipeline(let work, let done):
      TraceEvent(.pipeline, .text(work.word), .seconds(done.nanoseconds))
    }
  }

  private init(_ selection: MediaSelection, _ discarded: MediaTime) {
    self.init(
      .mediaSelection, .text(selection.kind.word),
      selection.language.map { .text($0) } ?? .null, .time(discarded))
  }

  private init(_ error: ErrorLogEvent) {
    self.init(
      .newErrorLogEntry, .text(error.uri), .count(error.statusCode), .text(error.domain),
      .text(error.comment))
  }

  /// A request that begins: with its first byte, or with its kind and its size.
  private init(
    _ id: TransferID, _ firstByte: TraceValue?, _ kind: TraceValue?, _ size: TraceValue?,
    _ origin: RequestOrigin
  ) {
    self.init(
      .requestStart, .id(id), firstByte, kind, size, origin.track.map { .text($0.word) },
      origin.after.map { .id($0) }, origin.variant.map { .count(Int64($0)) },
      origin.media.map { .time($0.lowerBound) }, origin.media.map { .time($0.upperBound) },
      origin.uri.isEmpty ? nil : .text(origin.uri))
  }

  private static func rateChange(
    _ rate: PlaybackRate, _ previous: PlaybackRate, _ why: RateChangeReason?
  ) -> TraceEvent {
    TraceEvent(.rateChange, .rate(rate), .rate(previous), why.map { .text($0.word) })
  }

  private init(_ transition: ItemTransition) {
    self.init(
      .itemTransition, .seconds(transition.gap.nanoseconds), .text(transition.kind.word),
      transition.reason.map { .text($0.rawValue) },
      transition.silence > .zero ? .seconds(transition.silence.nanoseconds) : nil,
      transition.loop.map { .count($0) })
  }

  private init(_ observation: LiveObservation) {
    switch observation {
    case .playlistRead(let id, let reading):
      self.init(
        .playlist, .id(id), .boolean(reading.isChanged), .count(reading.mediaSequence),
        .count(reading.segments), reading.parts == 0 ? nil : .count(reading.parts),
        .time(reading.edge), reading.isEnded ? .boolean(true) : nil,
        reading.directives.isEmpty ? nil : .text(reading.directives.text),
        reading.skipped == 0 ? nil : .count(reading.skipped),
        reading.skipped == 0 ? nil : .count(reading.saved))
    case .deltaUnusable(let id, let skipped):
      self.init(.playlistDelta, .id(id), .boolean(false), .count(skipped))
    case .moved(let time, let reason):
      self.init(.livePosition, .time(time), .text(reason.word))
    }
  }

  private init(_ picture: PictureColour) {
    let delivered = picture.delivered
    self.init(
      .pictureColour, .text(picture.taker.word),
      picture.source.map { .text($0.text) } ?? .null,
      picture.source.map { .text($0.codePoints) },
      picture.source.map { .boolean($0.usesWideGamut) },
      delivered.tags.map { .text($0.text) } ?? .null, .boolean(delivered.isConverted),
      .boolean(delivered.isClamped), delivered.warning.map { .text($0.word) })
  }

  func with(_ steps: RequestSteps?) -> TraceEvent {
    guard let steps else { return self }
    var event = self
    func add(_ timing: EventShape.Timing, _ span: TimeSpan?) {
      if let span { event.members.append((timing.key, .seconds(span.nanoseconds))) }
    }
    add(.lookup, steps.lookup)
    add(.waiting, steps.waiting)
    add(.connect, steps.connect)
    add(.security, steps.security)
    add(.response, steps.response)
    add(.transfer, steps.transfer)
    if steps.connection > 0 {
      event.members.append((EventShape.Timing.connection.key, .count(Int64(steps.connection))))
      event.members.append((EventShape.Timing.isReused.key, .boolean(steps.reusesConnection)))
    }
    return event
  }

  init(_ fault: Fault, of request: TransferID) {
    let name = TraceValue.text(fault.name.rawValue)
    switch fault {
    case .status(let code):
      self.init(.requestFault, .id(request), name, .count(Int64(code)))
    case .reset(let after), .stall(let after):
      self.init(.requestFault, .id(request), name, nil, .count(after))
    case .slowFirstByte(let more):
      self.init(.requestFault, .id(request), name, nil, nil, .seconds(more.nanoseconds))
    }
  }

  /// The event that names a recorded link, and the options with which it was read.
  init(_ trace: LinkTrace) {
    let reading = trace.reading
    self.init(
      .link, nil, nil, .text(trace.file), .text(trace.format.rawValue),
      reading.map { .text($0.interval.word) }, reading.map { .text($0.ending.word) },
      reading.map { .text($0.clock.word) },
      // The default is not written.
      reading.flatMap { $0.answersInOutages ? .text(RateSchedule.answers(inOutages: true)) : nil })
  }

  init(_ sample: BufferSample, at now: Instant) {
    let bend = sample.bend
    self.init(
      .loadedTimeRanges, .time(sample.time), .time(sample.ahead), .text(text(of: sample.ranges)),
      bend.flatMap { $0.instant == now ? nil : .seconds($0.instant.nanoseconds) },
      bend.map { .time($0.media) })
  }

  init(_ rate: LinkRate) {
    switch rate {
    case .limited(let bits): self.init(.linkRate, .count(bits))
    case .unlimited: self.init(.linkRate, .text("unlimited"))
    case .unrecorded: self.init(.linkRate, .text("unrecorded"))
    }
  }
}

extension Optional where Wrapped == TraceValue {
  /// A rate in bit/s, or no member where nobody knows it.
  fileprivate static func known(_ rate: Int64?) -> TraceValue? { rate.map { .count($0) } }
}

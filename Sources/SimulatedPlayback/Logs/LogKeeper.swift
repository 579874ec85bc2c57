import StreamingMedia
package import VirtualTime

/// Books what an item's logs say, as it happens.
///
/// A class, because the loader that sees segments and the player that sees stalls and seeks both
/// book in it. What it does for a segment takes constant time, and it grows with events alone.
final class LogKeeper {
  /// The access log's facts about the variant or file that plays.
  struct Source {
    var uri: String
    var indicated: Int64?
    var indicatedAverage: Int64?
    var type: PlaybackType
  }

  // Not checked at run time for overlapping accesses: nothing called meanwhile knows a keeper.
  @exclusivity(unchecked) private var closed = ClosedEvents()
  @exclusivity(unchecked) private(set) var errors: [ErrorLogEvent] = []
  @exclusivity(unchecked) private var tally = AccessTally()
  /// The tally while the first segment of another variant arrives: it belongs to the next event,
  /// unless that segment is given up.
  ///
  /// Perf: an optional of its size is copied to be changed.
  @exclusivity(unchecked) private var next = AccessTally()
  @exclusivity(unchecked) private var hasNext = false
  @exclusivity(unchecked) private(set) var source: Source
  /// The end of the item's playback; media beyond it is not watched.
  @exclusivity(unchecked) var end = MediaTime.distantFuture
  /// The variant that the segments of the present event are of.
  @exclusivity(unchecked) private(set) var variant: Int?
  /// The instant from which on there is a log: the item can be played.
  @exclusivity(unchecked) private(set) var opened: Instant?
  @exclusivity(unchecked) private var firstRequest: Instant?
  @exclusivity(unchecked) private(set) var startupTime: TimeSpan?
  /// The number of open transfers, and the instant since which one has been open.
  @exclusivity(unchecked) private var flows = 0
  @exclusivity(unchecked) private var flowing = Instant.zero
  /// The instant up to which the time of transfers is counted.
  @exclusivity(unchecked) private var counted = Instant.zero
  /// The timebase with what was watched before its anchor.
  @exclusivity(unchecked) private(set) var timebase = Timebase()
  @exclusivity(unchecked) private var watched = MediaTime.zero
  /// The position at the anchor, or the one that is held until the timebase is there.
  @exclusivity(unchecked) private var start = MediaTime.zero
  @exclusivity(unchecked) var played = PlayedMedia()

  private static let mostErrors = 2_000

  init(_ source: Source) { self.source = source }

  func requested(at now: Instant) {
    if firstRequest == nil { firstRequest = now }
  }

  /// The first byte of a segment or of a part of a file is there, or its reader goes on.
  func flows(at now: Instant) {
    if flows == 0 { flowing = now }
    flows += 1
  }

  /// Nothing more comes of it, or its reader pauses.
  func stopped(at now: Instant) {
    settle(at: now)
    flows -= 1
  }

  /// Transfers under way continue in another item's log.
  func handOver(to other: LogKeeper, at now: Instant) {
    settle(at: now)
    if flows > 0 { (other.flows, other.flowing) = (flows, now) }
    flows = 0
  }

  /// The time of a stream's transfers counts in the event in which they end.
  private func settle(at now: Instant) {
    if source.type != .file || flows == 0 { return }
    let span = count(at: now)
    change { $0.transfer += span }
  }

  /// The transfer time that is not counted yet.
  private func count(at now: Instant) -> TimeSpan {
    defer { counted = now }
    return now - max(flowing, counted)
  }

  private func change(_ book: (inout AccessTally) -> Void) {
    if hasNext { book(&next) } else { book(&tally) }
  }

  /// A segment is given up, or breaks.
  ///
  /// - Parameter hasBegun: Whether its first byte had arrived.
  func gaveUp(_ bytes: Int64, hasBegun: Bool, at now: Instant) {
    if hasBegun { flows -= 1 }
    let span = hasBegun ? count(at: now) : .zero
    change { $0.add(bytes, over: span) }
  }

  /// An initialization section has come in.
  func transferred(_ bytes: Int64, from firstByte: Instant, at now: Instant) {
    flowing = flows > 0 ? min(flowing, firstByte) : firstByte
    let span = count(at: now)
    change { $0.add(bytes, over: span) }
  }

  var requests: Int64 { tally.requests }

  func rangeRequested(at now: Instant) {
    requested(at: now)
    tally.requests += 1
  }

  func segmentArrived(_ segment: ArrivedSegment, at now: Instant) {
    flows -= 1
    let span = count(at: now)
    change { $0.add(segment, over: span, at: now) }
  }

  /// A segment of a variant begins to come in.
  func comes(variant new: Int) {
    guard let old = variant, old != new, opened != nil, !hasNext else { return }
    (next, hasNext) = (AccessTally(), true)
  }

  /// A segment is given up: what came in with it belongs to the present event.
  func staysWithVariant() {
    if hasNext { tally.merge(next) }
    hasNext = false
  }

  /// Says of which variant a received segment is; a change of variant begins another event.
  func plays(_ source: consuming Source, variant new: Int, estimate: Int64?, at now: Instant) {
    if let variant, variant != new, opened != nil {
      let hasBegun = hasNext
      hasNext = false
      begin(at: time(at: now), received: 0, now)
      if hasBegun { tally.merge(next) }
      tally.switchBitrate = estimate
    }
    (self.source, variant) = (source, new)
  }

  func note(_ error: ErrorLogEvent) {
    // Of days of trouble the end is what is looked at.
    if errors.count == Self.mostErrors { errors.removeFirst(Self.mostErrors / 2) }
    errors.append(error)
  }

  /// The item can be played: there is a log from now on.
  func ready(at time: MediaTime, _ now: Instant) {
    if opened != nil { return }
    opened = now
    tally.offset = time
    if !timebase.rate.isZero { tally.started = now }
  }

  func likelyToKeepUp(at now: Instant) {
    guard startupTime == nil, let firstRequest else { return }
    // A request may come later: media that others brought was there at once.
    startupTime = max(.zero, now - firstRequest)
    tally.startup = startupTime
  }

  func ranDry() {
    tally.stalls += 1
  }

  func sought(to time: MediaTime, received: Int64, requests: Int64, at now: Instant) {
    if opened == nil { return }
    // Later requests of a file are the seek's own; a stream's count once their segments have come.
    let own = source.type == .file ? tally.requests - requests : 0
    tally.requests -= own
    begin(at: time, received: received, now)
    tally.requests = own
  }

  /// The playhead moves otherwise from now on.
  ///
  /// - Parameter place: The position that an external timeline holds until the timebase is there.
  func moves(along new: Timebase, heldAt place: MediaTime?) {
    watched = watched(at: new.anchor)
    timebase = new
    start = place ?? new.anchorTime
    played.position = start
    if tally.started != nil || new.rate.isZero { return }
    // A live stream's playhead may have been moved since the event began.
    (tally.started, tally.offset) = (new.anchor, start)
  }

  func time(at now: Instant) -> MediaTime { min(max(start, timebase.time(at: now)), end) }

  private func watched(at now: Instant) -> MediaTime { watched + (time(at: now) - min(start, end)) }

  /// Ends the present event, which is final from now on, and begins another.
  private func begin(at time: MediaTime, received: Int64, _ now: Instant) {
    settle(at: now)
    staysWithVariant()
    closed.append(event(received: received, at: now))
    tally = AccessTally()
    tally.offset = time
    tally.watchedBefore = watched(at: now)
    tally.receivedBefore = received
    if !timebase.rate.isZero { tally.started = now }
  }

  /// The log at an instant; nil before there is anything to tell.
  ///
  /// - Parameter received: Bytes received of a file, which has no segments to count.
  func accessLog(received: Int64, at now: Instant) -> AccessLog? {
    if opened == nil { return nil }
    return AccessLog(events: closed.all + [event(received: received, at: now)])
  }

  var errorLog: ErrorLog? { errors.isEmpty ? nil : ErrorLog(events: errors) }

  private func event(received: Int64, at now: Instant) -> AccessLogEvent {
    let watched = watched(at: now) - tally.watchedBefore
    // Perf: a tally to which nothing is added is not copied.
    if !hasNext, source.type != .file { return tally.event(of: source, watched: watched) }
    var tally = tally
    if hasNext { tally.merge(next) }
    if source.type == .file {
      if flows > 0 { tally.transfer += now - max(flowing, counted) }
      tally.bytes = received - tally.receivedBefore
    }
    return tally.event(of: source, watched: watched)
  }
}

/// The amount of a variant's media that has been played.
package struct PlayedVariant: Hashable, Sendable {
  /// `BANDWIDTH`, in bit/s.
  package var bitRate: Int64
  /// The variant's nominal rate, in bit/s.
  package var nominal: Int64
  package var media: MediaTime

  package static let none = PlayedVariant(bitRate: 0, nominal: 0, media: .zero)
}

/// A variant of a stream with the instant at which it came under the playhead.
package struct ShownVariant: Hashable, Sendable {
  package var start: Instant
  package var variant: Int64
  /// The media played of it then; no trace has it.
  package var media = MediaTime.zero

  package static let none = ShownVariant(start: .zero, variant: 0)
}

extension [PlayedVariant] {
  /// The mean of the declared bit rates over the media that was played; nil where none was.
  package var meanBitRate: Int64? {
    var (bits, span): (Int128, Int128) = (0, 0)
    for played in self {
      bits += Int128(played.bitRate) * Int128(played.media.nanoseconds)
      span += Int128(played.media.nanoseconds)
    }
    return span > 0 ? Int64(clamping: quotient(bits, span, rounding: .down)) : nil
  }
}

/// The part of a stream that has passed under the playhead: media by variant, and its bits.
///
/// It is booked before segments go or give way, and where the playhead begins to move otherwise: so
/// each instant counts for the segment that was under the playhead then.
struct PlayedMedia {
  /// By the variants, as far as one of them was played.
  private(set) var spans: [MediaTime] = []
  /// The bits of pictures and sound, in billionths.
  private var billionths: Int128 = 0
  /// The variants that were played, one after the other; the first thousands.
  private(set) var shown: [ShownVariant] = []
  private static let mostShown = 4_096
  /// The playhead's position when it was last booked.
  var position = MediaTime.zero
  /// Sound that is played to its end although its track is no more; nil as a rule.
  var soundBeside: SegmentBuffer?

  /// Books what lies between where the playhead was and where it is.
  mutating func pass(to position: MediaTime, _ tracks: StreamTracks, along timebase: Timebase) {
    for index in tracks.indices where tracks[index].kind != .subtitles {
      let own = tracks[index].kind == .main ? timebase : nil
      if let last = tracks[index].buffer.played.last, self.position < last.end {
        pass(to: position, tracks[index].buffer.played, own)
      }
      pass(to: position, tracks[index].buffer.segments, own)
    }
    if let soundBeside { pass(to: position, soundBeside.segments, nil) }
    self.position = position
  }

  /// - Parameter timebase: Of the main track; nil for another.
  @inline(__always)  // Otherwise all of a track is copied for it.
  private mutating func pass(
    to position: MediaTime, _ segments: [BufferedSegment], _ timebase: Timebase?
  ) {
    var start = self.position
    for index in segments.indices {
      if segments[index].start >= position { break }
      start = max(start, segments[index].start)
      let length = min(segments[index].end, position) - start
      if length <= .zero { continue }
      let variant = Int64(segments[index].variant)
      if let timebase {
        if shown.last?.variant != variant, shown.count < Self.mostShown {
          shown.append(ShownVariant(start: timebase.instant(reaching: start), variant: variant))
        }
        shown[shown.count - 1].media = shown[shown.count - 1].media + length
      }
      start = start + length
      add(segments[index], length, isMain: timebase != nil)
    }
  }

  private mutating func add(_ segment: BufferedSegment, _ length: MediaTime, isMain: Bool) {
    let whole = segment.end - segment.start
    let bits = Int128(segment.bytes) &* 8_000_000_000
    // Nearly always all of it has passed, and a division costs ten times as much as the rest.
    billionths +=
      length == whole
      ? bits
      : quotient(bits * Int128(length.nanoseconds), Int128(whole.nanoseconds), rounding: .down)
    if !isMain { return }
    while spans.count <= segment.variant { spans.append(.zero) }
    spans[segment.variant] = spans[segment.variant] + length
  }

  /// The bits of a second of what was played, to the nearest whole; nil where nothing was.
  var averageBitRate: Int64? {
    let length = spans.reduce(MediaTime.zero) { $0 + $1 }
    if length <= .zero { return nil }
    let halves = quotient(2 * billionths, Int128(length.nanoseconds), rounding: .down)
    return Int64(clamping: (halves + 1) / 2)
  }
}

extension LogKeeper {
  /// Books what has been played since it was last booked.
  ///
  /// - Parameter end: Nothing that was played from there on is booked yet.
  func bookPlayed(_ tracks: StreamTracks, upTo end: MediaTime = .distantFuture, at now: Instant) {
    let position = min(time(at: now), end)
    if position > played.position { played.pass(to: position, tracks, along: timebase) }
  }
}

extension SegmentIntake {
  /// The mean bit rate of the media played, in bit/s; nil before any.
  func averageBitRate(at now: Instant) -> Int64? {
    logs.bookPlayed(tracks, at: now)
    return logs.played.averageBitRate
  }

  func notePlayed(in indicators: inout PlaybackIndicators, at now: Instant) {
    indicators.averageBitrate = averageBitRate(at: now)
    let (played, variants) = (logs.played, presentation.variants)
    indicators.shownVariants = played.shown
    indicators.playedVariants = played.spans.indices.compactMap { index in
      if played.spans[index] <= .zero { return nil }
      return PlayedVariant(
        bitRate: variants[index].attributes.bandwidth,
        nominal: variants[index].attributes.nominalBandwidth, media: played.spans[index])
    }
  }
}

import StreamingMedia
import VirtualTime

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

  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a keeper.
  @exclusivity(unchecked) private var closed = ClosedEvents()
  @exclusivity(unchecked) private(set) var errors: [ErrorLogEvent] = []
  @exclusivity(unchecked) private var tally = AccessTally()
  /// The tally while the first segment of another variant arrives: it belongs to the next event,
  /// unless that segment is given up.
  @exclusivity(unchecked) private var next: AccessTally?
  @exclusivity(unchecked) private(set) var source: Source
  private let duration: MediaTime
  /// The variant that the segments of the present event are of.
  @exclusivity(unchecked) private(set) var variant: Int?
  /// Whether there is a log yet.
  @exclusivity(unchecked) private var isOpen = false
  @exclusivity(unchecked) private var firstRequest: Instant?
  @exclusivity(unchecked) private var startupTime: TimeSpan?
  /// The number of transfers of a file under way, and their begin.
  @exclusivity(unchecked) private var flows = 0
  @exclusivity(unchecked) private var flowing = Instant.zero
  /// The timebase with what was watched before its anchor.
  @exclusivity(unchecked) private(set) var timebase = Timebase()
  @exclusivity(unchecked) private var watched = MediaTime.zero
  @exclusivity(unchecked) var played = PlayedMedia()

  private static let mostErrors = 2_000

  init(_ source: Source, duration: MediaTime) {
    self.source = source
    self.duration = duration
  }
}

// MARK: - Events of the loader

extension LogKeeper {
  func requested(at now: Instant) {
    if firstRequest == nil { firstRequest = now }
  }

  /// The first byte of a part of a file is there, or its reader goes on.
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
    if flows > 0 {
      other.flows = flows
      other.flowing = now
    }
    flows = 0
  }

  private func settle(at now: Instant) {
    if flows > 0 { change { $0.transfer += now - flowing } }
    flowing = now
  }

  private func change(_ book: (inout AccessTally) -> Void) {
    // Compared and not unwrapped: every segment comes here, and a tally is large.
    if next == nil { return book(&tally) }
    next = next.map {
      var begun = $0
      book(&begun)
      return begun
    }
  }

  /// Bytes that arrived of a stream's media that is no whole segment.
  func transferred(_ bytes: Int64, over span: TimeSpan) {
    change { $0.add(bytes, over: span) }
  }

  /// A file is asked for a range.
  func rangeRequested(at now: Instant) {
    requested(at: now)
    tally.requests += 1
  }

  func segmentArrived(_ segment: ArrivedSegment, at now: Instant) {
    change { $0.add(segment, at: now) }
  }

  /// A segment of a variant begins to come in.
  func comes(variant new: Int, at now: Instant) {
    guard let old = variant, old != new, isOpen, next == nil else { return }
    settle(at: now)
    next = AccessTally()
  }

  /// A segment is given up: what came in with it belongs to the present event.
  func staysWithVariant() {
    guard let next else { return }
    tally.merge(next)
    self.next = nil
  }

  /// Says of which variant a segment is that has come in; another variant than before begins
  /// another event.
  func plays(_ source: Source, variant new: Int, estimate: Int64?, at now: Instant) {
    defer { (self.source, variant) = (source, new) }
    guard let old = variant, old != new, isOpen else { return }
    settle(at: now)
    let begun = next ?? AccessTally()
    next = nil
    begin(at: time(at: now), received: 0, now)
    tally.merge(begun)
    tally.switchBitrate = estimate
  }

  func note(_ error: ErrorLogEvent) {
    // Of days of trouble the end is what is looked at.
    if errors.count == Self.mostErrors { errors.removeFirst(Self.mostErrors / 2) }
    errors.append(error)
  }
}

// MARK: - Events of the player

extension LogKeeper {
  /// The item can be played: there is a log from now on.
  func ready(at time: MediaTime, _ now: Instant) {
    if isOpen { return }
    isOpen = true
    tally.offset = time
    if !timebase.rate.isZero { tally.started = now }
  }

  func likelyToKeepUp(at now: Instant) {
    guard startupTime == nil, let firstRequest else { return }
    startupTime = now - firstRequest
    tally.startup = startupTime
  }

  /// Whether the access log has its startup time.
  var knowsStartup: Bool { startupTime != nil }

  func ranDry() {
    tally.stalls += 1
  }

  func sought(to time: MediaTime, received: Int64, at now: Instant) {
    if isOpen { begin(at: time, received: received, now) }
  }

  /// The playhead moves otherwise from now on.
  func moves(along new: Timebase) {
    watched = watched(at: new.anchor)
    timebase = new
    played.jump(to: new.anchorTime)
    if tally.started == nil, !new.rate.isZero { tally.started = new.anchor }
  }

  func time(at now: Instant) -> MediaTime {
    min(timebase.time(at: now), duration)
  }

  private func watched(at now: Instant) -> MediaTime {
    watched + (time(at: now) - min(timebase.anchorTime, duration))
  }

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
}

// MARK: - Properties

extension LogKeeper {
  /// The log at an instant; nil before there is anything to tell.
  ///
  /// - Parameter received: Bytes received of a file, which has no segments to count.
  func accessLog(received: Int64, at now: Instant) -> AccessLog? {
    if !isOpen { return nil }
    return AccessLog(events: closed.all + [event(received: received, at: now)])
  }

  var errorLog: ErrorLog? {
    errors.isEmpty ? nil : ErrorLog(events: errors)
  }

  private func event(received: Int64, at now: Instant) -> AccessLogEvent {
    var tally = tally
    if let next { tally.merge(next) }
    if flows > 0 { tally.transfer += now - flowing }
    if source.type == .file { tally.bytes = received - tally.receivedBefore }
    return tally.event(of: source, watched: watched(at: now) - tally.watchedBefore)
  }
}

package import LinkConditioner
package import SimulatedPlayback
package import StreamingMedia
package import VirtualTime

// The floor of records: what happened in a run, complete enough that no fold looks at a player.

/// Something that happened in a run of one player.
package struct Record: Sendable {
  package enum Event: Sendable {
    case player(PlaybackObservation)
    /// The buffer at the end of an instant.
    case buffer(BufferSample)
    /// The rate of the downlink from here on, which all players share.
    case linkRate(LinkRate)
    /// The script asked for the panel of this instant, which the next sample completes.
    case panelAsked
  }

  package var instant: Instant
  package var event: Event
  /// The name of the item that it is about, in a queue.
  package var item: String?
  /// The name of the item before that, of a transition.
  package var itemBefore: String?
  package var steps: RequestSteps?

  package init(_ event: Event, at instant: Instant) {
    self.instant = instant
    self.event = event
  }
}

/// The rate of the downlink in bit/s; `unrecorded` where it changes too often to be kept.
package enum LinkRate: Hashable, Sendable {
  case limited(Int64)
  case unlimited
  case unrecorded
}

/// Media ahead of the playhead at an instant.
package typealias BufferLevel = Curve.Point

/// The playhead and the loaded media at an instant.
///
/// Between samples the media ahead is a straight line, unless the next one names where the line
/// bends: at its own instant where a segment landed, before it where a file's throughput changed.
package struct BufferSample: Hashable, Sendable {
  package var time: MediaTime
  package var ahead: MediaTime
  package var ranges: [Range<MediaTime>]
  /// The end of the line that began with the sample before; nil where that is this sample.
  package var bend: BufferLevel?

  package init(time: MediaTime, ahead: MediaTime, ranges: [Range<MediaTime>], bend: BufferLevel?) {
    self.time = time
    self.ahead = ahead
    self.ranges = ranges
    self.bend = bend
  }
}

extension [Range<MediaTime>] {
  /// The end of the range that contains a place.
  package func end(from place: MediaTime) -> MediaTime {
    first { $0.contains(place) }?.upperBound ?? place
  }
}

/// The time of each step of a request; nil where it took none or was not needed.
package struct RequestSteps: Hashable, Sendable {
  package var lookup: TimeSpan?
  package var waiting: TimeSpan?
  package var connect: TimeSpan?
  package var security: TimeSpan?
  /// From the request to the first byte.
  package var response: TimeSpan?
  /// From the first byte to the last.
  package var transfer: TimeSpan?
  /// The number of the connection on the link, from 1; zero where there was none.
  package var connection: Int32 = 0
  package var reusesConnection = false

  package init() {}

  /// Nil where no step took any time.
  package init?(_ timings: RequestTimings) {
    func taken(_ span: TimeSpan?) -> TimeSpan? { span.flatMap { $0 > .zero ? $0 : nil } }
    lookup = taken(timings.lookup)
    waiting = taken(timings.waiting)
    connect = taken(timings.connect)
    security = taken(timings.security)
    response = taken(timings.response)
    transfer = taken(timings.transfer)
    connection = timings.connection
    reusesConnection = timings.reusesConnection
    if self == RequestSteps() { return nil }
  }
}

extension PlaybackObservation {
  /// The request of which the link knows how long its steps took: an answer begins, or it ended.
  package var timedRequest: TransferID? {
    if case .requestResponded(let id) = self { return id }
    if case .requestCompleted(let id, _) = self { return id }
    if case .requestCancelled(let id, _) = self { return id }
    if case .requestFailed(let id, _, _, _) = self { return id }
    return nil
  }

  /// Whether a panel or the buffer may be another after it.
  package var changesState: Bool {
    switch self {
    case .currentItem, .rate, .timeControl, .timebase, .likelyToKeepUp, .bufferEmpty, .bufferFull,
      .timeJumped, .seek, .seekCompleted, .mediaSelected:
      true
    case _:
      false
    }
  }
}

package struct PlayerFolds: Sendable {
  package var states: StateFold
  package private(set) var story: RunStory
  package private(set) var stalls = StallFold()
  package private(set) var startup: StartupFold
  package var capacity: CapacityFold { states.capacity }
  /// Whether states and story are wanted.
  private let isShown: Bool
  /// The item that something was asked for last.
  private var loading: String?

  /// - Parameters:
  ///   - file: The first item's, where that is a file.
  ///   - moments: Instants in order at which a panel is wanted.
  package init(of file: MediaFile?, namesItems: Bool, isShown: Bool, moments: [Instant] = []) {
    let headIsApart = file.map { $0.headAtomBytes > 0 && $0.headAtomPosition == .end } ?? false
    startup = StartupFold(headAtom: headIsApart ? file?.headAtomOffset : nil)
    states = StateFold(moments: moments)
    story = RunStory(namesItems: namesItems)
    self.isShown = isShown
  }

  /// Names the item of a variant that is kept, which its event does not.
  package mutating func nameItem(of record: inout Record) {
    if case .player(.resourceRequested) = record.event { loading = record.item }
    if case .player(.variantKept) = record.event { record.item = record.item ?? loading }
  }

  package mutating func see(_ record: Record) {
    startup.see(record)
    if !isShown { return }
    states.see(record)
    story.see(record)
    stalls.see(record)
  }

  /// Keeps the panels of moments before which nothing more happens to a player.
  package mutating func keepMoments(of core: PlayerCore, before next: Instant) {
    while let moment = states.nextMoment, moment < next { states.keepMoment(of: core) }
  }

  package mutating func finish(at now: Instant) {
    states.finish(at: now)
    stalls.endStall()
  }
}

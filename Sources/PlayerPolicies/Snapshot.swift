public import VirtualTime

/// The knowledge of a player at an instant: all that a rule may read, beside its own memory.
///
/// Nothing in it lies in the future, and nothing is guessed: what is not known is nil, or
/// `distantFuture` where it is an end.
public struct Snapshot: Hashable, Sendable {
  public var now: Instant
  public var source: SourceKind
  public var wait: Wait
  /// The beginning of the present wait; meaningless while playing.
  public var waitBegan = Instant.zero
  /// The rate asked for, or the one that play would ask for; never zero.
  public var rate = PlaybackRate.normal
  public var playhead = MediaTime.zero
  /// The end of the contiguous media that begins at the playhead.
  public var loadedEnd = MediaTime.zero
  /// The media time at which playback will end; `distantFuture` while it is unknown.
  public var end: MediaTime
  public var buffer = BufferFacts()
  /// The length of a frame, where the media declares it.
  public var frame: MediaTime?
  /// The rest of a file that is still to arrive; nil for a stream.
  public var file: FileFacts?
  /// The facts known of a stream; nil for a file.
  public var stream: StreamFacts?

  package init(now: Instant, source: SourceKind, wait: Wait, end: MediaTime) {
    (self.now, self.source, self.wait, self.end) = (now, source, wait, end)
  }

  /// Media between the playhead and the loaded edge.
  @inline(__always)
  public var ahead: MediaTime { max(.zero, loadedEnd - playhead) }

  /// Whether it is a file whose bytes come in packets.
  var comesInPackets: Bool { file.map { !$0.flows } ?? false }

  /// Whether it plays with something under the playhead.
  var isStillPlaying: Bool { wait == .nothing && ahead > .zero }

  public var isEverythingLoaded: Bool { loadedEnd >= end }

  /// The same as if what is arriving were there.
  var withArriving: Snapshot {
    var snapshot = self
    snapshot.loadedEnd = min(loadedEnd + (stream?.arriving ?? .zero), end)
    return snapshot
  }
}

/// The kind of source that the media comes from.
public enum SourceKind: String, Hashable, Sendable, CaseIterable {
  /// A file that is wholly there.
  case local
  /// A file whose bytes come over the link in one piece.
  case progressive
  case segmented
}

/// The kind of wait, if playback waits.
public enum Wait: String, Hashable, Sendable, CaseIterable {
  /// Playback has not moved since the item came.
  case start
  /// The playhead was put where nothing was loaded.
  case seek
  /// Playback ran dry, or was stopped by the policy.
  case stall
  /// It does not wait: the playhead moves.
  case nothing
}

/// The state of the buffer beside the media ahead, and whether it grows.
public struct BufferFacts: Hashable, Sendable {
  /// The contiguous bytes ahead of the playhead; nil where nobody counts them.
  public var bytesAhead: Int64?
  /// The media ahead of the playhead in the track with sound; nil where both come together.
  public var soundAhead: MediaTime?
  /// The same with pictures.
  public var pictureAhead: MediaTime?
  /// The most media that may lie ahead; nil without a limit.
  public var mediaLimit: MediaTime?
  /// The most bytes that may lie ahead; nil without a limit.
  public var byteLimit: Int64?
  public var loading = LoadingState.underWay
  /// Whether the media is known to have no sound.
  package var isSilent = false

  package init(loading: LoadingState = .underWay) { self.loading = loading }
}

/// The state of the loader.
public enum LoadingState: String, Hashable, Sendable, CaseIterable {
  /// Something was asked for and has not come.
  case underWay
  /// The buffer holds as much as it is going to.
  case full
  /// Nothing was asked for, and nothing will be by itself.
  case idle
  /// Nothing more will come.
  case failed
}

/// The rest of a file that is still to arrive.
public struct FileFacts: Hashable, Sendable {
  /// The missing bytes by media time, in the count of the request under way.
  ///
  /// A player has read the file's index, so it knows them.
  package var demand: DemandCurve
  /// The line along which bytes arrive at this instant, in the same count; nil while none do.
  ///
  /// Its slope is a fact of the present. Rules that compare the loaded media with a mark may use it
  /// to say when the mark will be reached. Its future is unknown: of the rules that look ahead,
  /// only those whose estimator is the line rely on it.
  package var line: ByteFlow?
  /// Whether it is one: where bytes come in packets, it stands still from each to the next.
  public var flows: Bool

  package init(demand: DemandCurve = .empty, line: ByteFlow? = nil, flows: Bool = true) {
    self.demand = demand
    self.line = line
    self.flows = flows
  }

  /// The arrival of the media before a time, if bytes keep arriving as they do.
  func arrival(ofMediaBefore time: MediaTime, at now: Instant, playhead: MediaTime) -> Instant {
    guard let line else { return .distantFuture }
    // Without the next byte the loaded edge stays where it is, even if media of no bytes follows.
    let next = max(demand.knots.first?.bytes ?? 0, line.bytes(at: now)) + 1
    return max(now, line.instant(reaching: max(next, demand.bytes(before: max(time, playhead)))))
  }
}

/// The facts known of a stream.
public struct StreamFacts: Hashable, Sendable {
  /// The variant that the next segment is taken from; nil before the first choice.
  public var variant: Int?
  /// Into the ladder's segments: the first that is not wholly there.
  public var nextSegment = 0
  /// The bytes received of that segment, of all renditions together.
  public var received: Int64 = 0
  /// The request for that segment; nil while there is none.
  public var request: RequestFacts?
  /// The number of whole segments received since the buffer was last empty.
  public var wholeSegments: Int64 = 0
  /// Whether nobody knows where it ends: a live stream.
  public var goesOn = false
  /// The distance from the playhead to the live edge; nil for a stream that is all there.
  public var liveOffset: MediaTime?
  /// The distance from the live edge that the server wants; nil for a stream that is all there.
  public var liveTarget: MediaTime?
  /// The instant of the last change of variant; nil before the first.
  public var switched: Instant?
  /// Whether bytes come in as a fluid, and not in packets.
  public var flows = true
  /// The received part of the segment after the loaded media, as media; zero where no rule reads
  /// it. It cannot be played before all of the segment is there: its video comes before its audio.
  public var arriving = MediaTime.zero
  /// The inflow of the request's bytes in fluid; nil before the first byte, and while playing.
  package var inflow: Inflow?
  /// Since when nothing has come, as far as was looked; nil where nobody has, and while playing.
  package var quietSince: Instant?
  /// The end of what a live playlist lists, if its segments are to come in time.
  package var listedEnd: MediaTime?
  /// Whether the segment after the loaded media has left the live playlist.
  package var hasSlid = false
  package var mainEnd = MediaTime.zero
  /// The requests whose answers the next segment of the main track waits for, one after the other:
  /// the playlist of another variant, and its initialization section.
  package var preparations: [PreparationFacts] = []
  /// The limits at which it stops loading, and the rule by which its tracks wait for each other.
  package var fetch = FetchRule.unlimited
  /// The audio rendition that plays beside the main track; nil where audio is muxed in.
  package var audio: AudioFacts?
  /// The mean bit rate of the subtitles in the buffer, in bit/s; zero where none are to come.
  package var subtitleRate: Int64 = 0

  package init(variant: Int? = nil) { self.variant = variant }
}

/// A request that must be answered before a segment can be requested.
package struct PreparationFacts: Hashable, Sendable {
  /// The instant of the request; nil where it is still to be made.
  package var began: Instant?
  package var hasResponded = false
  /// Bytes that are missing of its answer.
  package var missing: Int64

  package init(missing: Int64) { self.missing = missing }

  /// The rest of the wait for its first byte.
  func latencyLeft(of latency: TimeSpan, at now: Instant) -> TimeSpan {
    if hasResponded { return .zero }
    return began.map { max(.zero, latency - (now - $0)) } ?? latency
  }
}

/// A separate audio rendition as it is loaded.
package struct AudioFacts: Hashable, Sendable {
  package var segments: SegmentTimes
  /// Into its segments: the first that is not wholly there.
  package var nextSegment: Int
  package var loadedEnd: MediaTime
  /// Bytes received of that segment.
  package var received: Int64 = 0
  /// The request for that segment; nil while there is none.
  package var request: RequestFacts?
  /// The mean bit rate of the segments in the buffer, in bit/s; a playlist declares none.
  package var bitRate: Int64

  package init(segments: SegmentTimes, nextSegment: Int, loadedEnd: MediaTime, bitRate: Int64) {
    (self.segments, self.nextSegment, self.loadedEnd) = (segments, nextSegment, loadedEnd)
    self.bitRate = bitRate
  }
}

/// The start of each segment of a playlist, and the end of the last.
package struct SegmentTimes: Hashable, Sendable {
  package let boundaries: [MediaTime]
  /// Nil where there is one segment at most.
  let lengths: Ladder.Lengths?

  package init(_ boundaries: [MediaTime]) {
    self.boundaries = boundaries
    lengths = Ladder.Lengths(boundaries)
  }

  /// Those of a ladder, which knows their lengths.
  package init(_ ladder: Ladder) { (boundaries, lengths) = (ladder.boundaries, ladder.lengths) }
}

/// The inflow of a response's bytes at an instant.
///
/// The player does not know it: it tells the simulator when to look again, so that a verdict
/// changes when the received bytes change it.
package struct Inflow: Hashable, Sendable {
  package var line: ByteFlow
  /// Until when the line holds, if nothing else happens.
  package var holds: Instant

  package init(line: ByteFlow, holds: Instant) {
    self.line = line
    self.holds = holds
  }
}

extension Snapshot {
  /// The next look at a stream that needs so many more bytes: after the estimated time of their
  /// arrival, or earlier, if they arrive or their line bends before.
  func look(forBytes bytes: Int64, after span: TimeSpan) -> Instant {
    guard let stream, stream.request != nil || stream.audio?.request != nil else {
      return .distantFuture
    }
    // The first byte is an event.
    guard let inflow = stream.inflow else { return now + max(span, pause) }
    let line = inflow.line
    if line.unitsPerNanosecond == 0 { return min(now + max(span, pause), inflow.holds) }
    let reached = line.instant(reaching: saturatingSum(line.bytes(at: now), bytes))
    return max(now + TimeSpan(nanoseconds: 1), min(reached, inflow.holds, now + span))
  }

  /// The time between looks at a request without arrivals: it grows with the gap, so that looks do
  /// not go on for ever, to 100 ms or a sixteenth of the gap at most, whichever is longer.
  private var pause: TimeSpan {
    let quiet = now - (stream?.quietSince ?? now)
    let usual = min(max(quiet, Self.leastPause), Self.usualPause)
    return max(usual, TimeSpan(nanoseconds: quiet.nanoseconds / 16))
  }

  /// The least time between two looks with nothing in between, in which a byte may come.
  private static let leastPause = TimeSpan.microseconds(1)
  /// The interval at which a player looks at a request without arrivals: an assumption of ours.
  private static let usualPause = TimeSpan.milliseconds(100)
}

/// A request under way, as the player that made it sees it.
public struct RequestFacts: Hashable, Sendable {
  public var began: Instant
  /// The arrival of its first byte; nil before that.
  public var responded: Instant?
  public var received: Int64
  /// The size of the whole response in bytes; nil where it is unknown.
  public var bytes: Int64?
  /// The variant that it is of.
  public var variant: Int
  /// Into the ladder's segments.
  public var segment: Int

  package init(
    began: Instant, responded: Instant? = nil, received: Int64 = 0, bytes: Int64? = nil,
    variant: Int = 0, segment: Int = 0
  ) {
    self.began = began
    self.responded = responded
    self.received = received
    self.bytes = bytes
    self.variant = variant
    self.segment = segment
  }
}

import StreamingMedia
public import VirtualTime

/// The network activity of an item: one event for each uninterrupted period of playback.
///
/// A new event begins when a segment of another variant is there and at a seek. All but the last
/// are final; the last goes on (WWDC18 502).
public struct AccessLog: Hashable, Sendable {
  /// Never empty: an item that has nothing to tell has no log.
  public var events: [AccessLogEvent]

  package init(events: [AccessLogEvent]) {
    self.events = events
  }
}

/// One period of playback, in the words and the units of AVPlayerItemAccessLogEvent.
///
/// What is not known is nil, where Apple has a negative number. Dates are instants of the run.
/// Addresses, session identifiers, dropped frames and radios are nothing that a simulation has.
public struct AccessLogEvent: Hashable, Sendable {
  /// Media segments that came in; of a file the GET requests.
  public var numberOfMediaRequests: Int64
  /// The instant at which the timebase first moved in it; nil while it has not.
  public var playbackStartDate: Instant?
  /// The playlist of the variant, or what the file is called.
  public var uri: String
  /// The playhead's position at its beginning.
  public var playbackStartOffset: MediaTime
  /// The media of the segments that came in; nil for a file, which has none.
  public var segmentsDownloadedDuration: MediaTime?
  /// The media that passed under the playhead.
  public var durationWatched: MediaTime
  public var numberOfStalls: Int64
  /// Media alone: playlists and keys are not counted. Of a stream a transfer counts in the event in
  /// which it ended, given up ones with the bytes that arrived.
  public var numberOfBytesTransferred: Int64
  /// From first byte to last, the same transfers added up: separate audio counts beside video.
  public var transferDuration: TimeSpan
  /// The bytes of whole segments over their transfer times, in bit/s; of a file those of all bytes.
  public var observedBitrate: Int64?
  // Per whole segment, from its first byte to its last.
  public var observedMaxBitrate: Int64?
  public var observedMinBitrate: Int64?
  public var observedBitrateStandardDeviation: Int64?
  /// The BANDWIDTH of the variant.
  public var indicatedBitrate: Int64?
  /// Its AVERAGE-BANDWIDTH.
  public var indicatedAverageBitrate: Int64?
  /// Of the segments that came in, with the sound where it is muxed in; of a file its average.
  public var averageVideoBitrate: Int64?
  /// Of the segments of a separate audio rendition.
  public var averageAudioBitrate: Int64?
  /// From the first request for media until the item is likely to keep up for the first time:
  /// "the time for buffering only" (WWDC18 502).
  public var startupTime: TimeSpan?
  /// The number of segments that took longer to arrive than they play: the limit is our assumption.
  public var downloadOverdue: Int64?
  public var playbackType: PlaybackType
  /// The throughput estimate that made the player change to this variant.
  public var switchBitrate: Int64?
}

extension AccessLogEvent {
  /// An event in which nothing has happened yet.
  package init(uri: String, playbackType: PlaybackType) {
    self.init(
      numberOfMediaRequests: 0, uri: uri, playbackStartOffset: .zero, durationWatched: .zero,
      numberOfStalls: 0, numberOfBytesTransferred: 0, transferDuration: .zero,
      playbackType: playbackType)
  }
}

/// The delivery of an item to the player, in the words of the access log.
public enum PlaybackType: String, Hashable, Sendable {
  case live = "LIVE"
  case videoOnDemand = "VOD"
  case file = "FILE"
}

// MARK: - Key figures

/// The key performance indicators that Apple derives from an access log (WWDC18 502).
///
/// What was watched of which variant is not taken from the log, whose events begin when the first
/// segment of a variant is there: it counts for the variant whose media was under the playhead.
public struct PlaybackIndicators: Hashable, Sendable {
  public var startupTime: TimeSpan?
  public var numberOfStalls: Int64
  public var durationWatched: MediaTime
  /// From running dry until the timebase is back at its rate.
  public var stallDuration: TimeSpan
  /// Each variant's declared bit rate, weighted with the media watched of it.
  public var timeWeightedIndicatedBitrate: Int64?
  /// The bits of picture and sound in a second of what was played of a stream; nil for a file.
  package var averageBitrate: Int64?
  /// The media played of each variant of a stream.
  package var playedVariants: [PlayedVariant]
  /// The variants in the order in which they came under the playhead.
  package var shownVariants: [ShownVariant]
  public var hasFailed: Bool

  /// Those of an item that played nothing.
  package init(stallDuration: TimeSpan = .zero) {
    numberOfStalls = 0
    durationWatched = .zero
    self.stallDuration = stallDuration
    playedVariants = []
    shownVariants = []
    hasFailed = false
  }

  init(
    _ log: AccessLog?, _ played: PlayedStream,
    stallDuration: TimeSpan, hasFailed: Bool
  ) {
    self.init(stallDuration: stallDuration)
    self.hasFailed = hasFailed
    averageBitrate = played.averageBitRate
    playedVariants = played.variants
    shownVariants = played.shown
    sumUp(log)
  }

  /// Works out what follows from a log and from what was played.
  package mutating func sumUp(_ log: AccessLog?) {
    let events = log?.events ?? []
    startupTime = events.lazy.compactMap { $0.startupTime }.first
    numberOfStalls = events.reduce(0) { $0 + $1.numberOfStalls }
    durationWatched = events.reduce(.zero) { $0 + $1.durationWatched }
    timeWeightedIndicatedBitrate = playedVariants.meanBitRate
  }

  /// Stalls over hours watched, in thousandths; nil before anything was watched.
  public var thousandStallsPerHour: Int64? {
    if durationWatched <= .zero { return nil }
    return scaled(
      numberOfStalls, by: 3_600_000_000_000_000, over: durationWatched.nanoseconds,
      rounding: .down)
  }
}

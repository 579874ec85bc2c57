import LinkConditioner
import StreamingMedia
public import VirtualTime

/// The network activity of an item: one event for each uninterrupted period of playback.
///
/// A new event begins when a segment of another variant is there and at a seek. All but the last
/// are final; the last goes on (WWDC18 502).
public struct AccessLog: Hashable, Sendable {
  /// Never empty: an item that has nothing to tell has no log.
  public var events: [AccessLogEvent]

  package init(events: [AccessLogEvent]) { self.events = events }
}

/// One period of playback, in the words and the units of AVPlayerItemAccessLogEvent.
///
/// An unknown value is nil, where Apple has a negative number. Dates are instants of the run.
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
  /// From first byte to last of the same transfers; overlapping time counts once.
  public var transferDuration: TimeSpan
  /// The bytes of whole segments over their transfer times, in bit/s; of a file those of all bytes.
  public var observedBitrate: Int64?
  /// The highest of a whole segment, from its first byte to its last, in bit/s.
  public var observedMaxBitrate: Int64?
  /// The lowest of a whole segment.
  public var observedMinBitrate: Int64?
  /// Over whole segments.
  public var observedBitrateStandardDeviation: Int64?
  /// The BANDWIDTH of the variant.
  public var indicatedBitrate: Int64?
  /// Its AVERAGE-BANDWIDTH.
  public var indicatedAverageBitrate: Int64?
  /// Of the segments that came in, with the sound where it is muxed in; of a file its average.
  public var averageVideoBitrate: Int64?
  /// Of the segments of a separate audio rendition.
  public var averageAudioBitrate: Int64?
  /// From the first request for media until the item is likely to keep up for the first time: "the
  /// time for buffering only" (WWDC18 502). Of one that can be played before its turn, until then.
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

/// The key performance indicators that Apple derives from an access log (WWDC18 502).
///
/// What was watched of which variant is not taken from the log, whose events begin when the first
/// segment of a variant is there: it counts for the variant whose media was under the playhead.
public struct PlaybackIndicators: Hashable, Sendable {
  public var startupTime: TimeSpan?
  public var numberOfStalls: Int64 = 0
  public var durationWatched = MediaTime.zero
  /// From running dry until the timebase is back at its rate.
  public var stallDuration: TimeSpan
  /// Each variant's declared bit rate, weighted with the media watched of it.
  public var timeWeightedIndicatedBitrate: Int64?
  /// The bits of picture and sound in a second of what was played of a stream; nil for a file.
  package var averageBitrate: Int64?
  /// The media played of each variant of a stream.
  package var playedVariants: [PlayedVariant] = []
  /// The variants in the order in which they came under the playhead.
  package var shownVariants: [ShownVariant] = []
  public var hasFailed = false

  /// Those of an item that played nothing.
  package init(stallDuration: TimeSpan = .zero) { self.stallDuration = stallDuration }

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

struct ArrivedSegment {
  var kind: TrackKind
  var bytes: Int64
  var duration: MediaTime
  var requested: Instant
  var firstByte: Instant
}

/// The running sums of one event of an access log.
struct AccessTally {
  var requests: Int64 = 0
  var bytes: Int64 = 0
  var transfer = TimeSpan.zero
  var stalls: Int64 = 0
  var overdue: Int64 = 0
  var offset = MediaTime.zero
  var started: Instant?
  var startup: TimeSpan?
  var switchBitrate: Int64?
  /// The media watched and the bytes received before the event began.
  var watchedBefore = MediaTime.zero
  var receivedBefore: Int64 = 0
  private var main = Amount()
  private var audio = Amount()
  private var rates = RateStatistics()

  /// Bytes of a track with the media that they are.
  private struct Amount {
    var bytes: Int64 = 0
    var duration = MediaTime.zero

    mutating func merge(_ other: Amount) {
      bytes += other.bytes
      duration = duration + other.duration
    }

    var bitRate: Int64? {
      SimulatedPlayback.bitRate(bytes, over: TimeSpan(nanoseconds: duration.nanoseconds))
    }
  }

  /// - Parameter span: The time since the last transfer ended, or this one began.
  mutating func add(_ segment: ArrivedSegment, over span: TimeSpan, at now: Instant) {
    requests += 1
    add(segment.bytes, over: span)
    rates.add(bytes: segment.bytes, over: now - segment.firstByte)
    if (now - segment.requested).nanoseconds > segment.duration.nanoseconds { overdue += 1 }
    let amount = Amount(bytes: segment.bytes, duration: segment.duration)
    switch segment.kind {
    case .main: main.merge(amount)
    case .audio: audio.merge(amount)
    case .subtitles: break
    }
  }

  /// Adds a transfer of a stream that ended.
  mutating func add(_ bytes: Int64, over span: TimeSpan) {
    self.bytes += bytes
    transfer += span
  }

  /// Adds what came in elsewhere.
  mutating func merge(_ other: AccessTally) {
    requests += other.requests
    bytes += other.bytes
    transfer += other.transfer
    overdue += other.overdue
    main.merge(other.main)
    audio.merge(other.audio)
    rates.merge(other.rates)
  }

  func event(of source: LogKeeper.Source, watched: MediaTime) -> AccessLogEvent {
    let isFile = source.type == .file
    return AccessLogEvent(
      numberOfMediaRequests: requests, playbackStartDate: started, uri: source.uri,
      playbackStartOffset: offset, segmentsDownloadedDuration: isFile ? nil : main.duration,
      durationWatched: watched, numberOfStalls: stalls, numberOfBytesTransferred: bytes,
      transferDuration: transfer,
      observedBitrate: isFile ? bitRate(bytes, over: transfer) : rates.mean,
      observedMaxBitrate: rates.most, observedMinBitrate: rates.least,
      observedBitrateStandardDeviation: rates.standardDeviation,
      indicatedBitrate: isFile ? nil : source.indicated,
      indicatedAverageBitrate: isFile ? nil : source.indicatedAverage,
      averageVideoBitrate: isFile ? source.indicatedAverage : main.bitRate,
      averageAudioBitrate: audio.bitRate, startupTime: startup,
      downloadOverdue: isFile ? nil : overdue, playbackType: source.type,
      switchBitrate: switchBitrate)
  }
}

/// The spread of the throughput over segments, without keeping any of them.
private struct RateStatistics {
  private var count: Int64 = 0
  /// Of segments that took time, so that the mean lies between the least and the most.
  private var bytes: Int64 = 0
  private var span = TimeSpan.zero
  private var sum: Int128 = 0
  private var squares: Int128 = 0
  private(set) var least: Int64?
  private(set) var most: Int64?

  /// Bytes that arrive in no time say nothing of the throughput.
  mutating func add(bytes: Int64, over span: TimeSpan) {
    if span <= .zero || bytes <= 0 { return }
    // Squares above a terabit a second could not be summed.
    let rate = min(bitRate(bytes, over: span) ?? 0, 1_000_000_000_000)
    count += 1
    self.bytes += bytes
    self.span += span
    sum += Int128(rate)
    squares += Int128(rate) &* Int128(rate)
    least = min(least ?? rate, rate)
    most = max(most ?? rate, rate)
  }

  mutating func merge(_ other: RateStatistics) {
    count += other.count
    bytes += other.bytes
    span += other.span
    sum += other.sum
    squares += other.squares
    if let rate = other.least { least = min(least ?? rate, rate) }
    if let rate = other.most { most = max(most ?? rate, rate) }
  }

  var mean: Int64? { bitRate(bytes, over: span).map { min($0, 1_000_000_000_000) } }

  var standardDeviation: Int64? {
    if count == 0 { return nil }
    let variance = (Int128(count) * squares - sum * sum) / (Int128(count) * Int128(count))
    return Int64(integerSquareRoot(variance))
  }
}

/// In bit/s, rounded down; nil where it took no time.
func bitRate(_ bytes: Int64, over span: TimeSpan) -> Int64? {
  span > .zero
    ? scaled(bytes, by: 8_000_000_000, over: span.nanoseconds, rounding: .down) : nil
}

/// The final events of an access log: the last thousand, and before them one that sums up the rest.
///
/// A loop that goes on for a year begins another event each time round.
struct ClosedEvents {
  private var earlier: AccessLogEvent?
  private var recent: [AccessLogEvent] = []
  /// The place of the oldest, once all places are taken.
  private var oldest = 0

  private static let most = 1_000

  mutating func append(_ event: consuming AccessLogEvent) {
    if recent.count < Self.most { return recent.append(event) }
    let leaving = recent[oldest]
    if earlier == nil { earlier = leaving } else { earlier?.absorb(leaving) }
    recent[oldest] = event
    oldest = oldest + 1 == Self.most ? 0 : oldest + 1
  }

  /// In the order in which they came.
  var all: [AccessLogEvent] {
    guard let earlier else { return recent }
    return [earlier] + recent[oldest...] + recent[..<oldest]
  }
}

extension AccessLogEvent {
  /// Merges with the next event: counts and spans are sums, rates are means over what was watched.
  fileprivate mutating func absorb(_ later: AccessLogEvent) {
    let watched = (durationWatched, later.durationWatched)
    indicatedBitrate = mean(indicatedBitrate, later.indicatedBitrate, over: watched)
    indicatedAverageBitrate = mean(
      indicatedAverageBitrate, later.indicatedAverageBitrate, over: watched)
    averageVideoBitrate = mean(averageVideoBitrate, later.averageVideoBitrate, over: watched)
    averageAudioBitrate = mean(averageAudioBitrate, later.averageAudioBitrate, over: watched)
    numberOfMediaRequests += later.numberOfMediaRequests
    playbackStartDate = playbackStartDate ?? later.playbackStartDate
    segmentsDownloadedDuration = sum(
      segmentsDownloadedDuration, later.segmentsDownloadedDuration
    ) { $0 + $1 }
    durationWatched = durationWatched + later.durationWatched
    numberOfStalls += later.numberOfStalls
    numberOfBytesTransferred += later.numberOfBytesTransferred
    transferDuration += later.transferDuration
    observedBitrate = bitRate(numberOfBytesTransferred, over: transferDuration)
    observedMaxBitrate = sum(observedMaxBitrate, later.observedMaxBitrate) { max($0, $1) }
    observedMinBitrate = sum(observedMinBitrate, later.observedMinBitrate) { min($0, $1) }
    observedBitrateStandardDeviation = nil
    startupTime = startupTime ?? later.startupTime
    downloadOverdue = sum(downloadOverdue, later.downloadOverdue) { $0 + $1 }
  }
}

private func sum<Value>(_ a: Value?, _ b: Value?, _ join: (Value, Value) -> Value) -> Value? {
  guard let a else { return b }
  return b.map { join(a, $0) } ?? a
}

private func mean(_ a: Int64?, _ b: Int64?, over spans: (MediaTime, MediaTime)) -> Int64? {
  sum(a, b) { a, b in
    let (first, second) = (Int128(spans.0.nanoseconds), Int128(spans.1.nanoseconds))
    if first + second <= 0 { return a }
    return Int64(
      clamping: quotient(Int128(a) * first + Int128(b) * second, first + second, rounding: .down))
  }
}

/// The errors of an item's network access, including those that it recovered from.
public struct ErrorLog: Hashable, Sendable {
  /// Never empty: an item with which nothing went wrong has no log.
  public var events: [ErrorLogEvent]

  package init(events: [ErrorLogEvent]) { self.events = events }
}

/// One error, in the words of AVPlayerItemErrorLogEvent.
///
/// Comments are as Apple shows them (WWDC18 502); status codes, undocumented, as apps report them.
public struct ErrorLogEvent: Hashable, Sendable {
  /// The instant of the run.
  public var date: Instant
  public var uri: String
  /// The HTTP status, or the code that apps report for this error.
  public var statusCode: Int64
  public var domain: String
  public var comment: String

  package init(date: Instant, uri: String, statusCode: Int64, domain: String, comment: String) {
    self.date = date
    self.uri = uri
    self.statusCode = statusCode
    self.domain = domain
    self.comment = comment
  }

  private static let mediaDomain = "CoreMediaErrorDomain"
  private static let networkDomain = "NSURLErrorDomain"

  private init(_ uri: String, _ code: Int64, _ comment: String, at now: Instant) {
    self.init(date: now, uri: uri, statusCode: code, domain: Self.mediaDomain, comment: comment)
  }

  /// A media file of which nothing came for so long.
  static func mediaFileNotReceived(_ uri: String, within span: TimeSpan, at now: Instant) -> Self {
    let seconds = decimalText(span.nanoseconds, places: 9)
    return ErrorLogEvent(uri, -12889, "media file not received in \(seconds) seconds", at: now)
  }

  /// A live playlist that was read twice and had not changed.
  static func playlistUnchanged(_ uri: String, at now: Instant) -> ErrorLogEvent {
    ErrorLogEvent(uri, -12888, "playlist file unchanged for two consecutive reads", at: now)
  }

  /// A segment that needs more than its variant declares: a risk of stalls and no more.
  static func segmentExceedsBandwidth(_ uri: String, at now: Instant) -> ErrorLogEvent {
    ErrorLogEvent(uri, -12318, "segment exceeds specified bandwidth for variant", at: now)
  }

  /// A request that broke.
  init(_ uri: String, _ failure: TransferFailure, at now: Instant) {
    let (code, domain, comment): (Int64, String, String) =
      switch failure {
      case .httpStatus(let status): Self.http(status)
      case .connectionReset: (-1005, Self.networkDomain, "the network connection was lost")
      case .timedOut: (-1001, Self.networkDomain, "the request timed out")
      case .impossibleSize: (-1011, Self.networkDomain, "bad server response")
      case .tooManyTransfers: (-1004, Self.networkDomain, "could not connect to the server")
      }
    self.init(date: now, uri: uri, statusCode: code, domain: domain, comment: comment)
  }

  private static func http(_ status: Int32) -> (Int64, String, String) {
    switch status {
    case 401: (-12937, mediaDomain, "HTTP 401: authentication error")
    case 403: (-12660, mediaDomain, "HTTP 403: forbidden")
    case 404: (-12938, mediaDomain, "HTTP 404: file not found")
    default: (-12666, mediaDomain, "unrecognized http response \(status)")
    }
  }
}

import StreamingMedia
import VirtualTime

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
      if duration <= .zero { return nil }
      return scaled(bytes, by: 8_000_000_000, over: duration.nanoseconds, rounding: .down)
    }
  }

  mutating func add(_ segment: ArrivedSegment, at now: Instant) {
    requests += 1
    add(segment.bytes, over: now - segment.firstByte)
    rates.add(bytes: segment.bytes, over: now - segment.firstByte)
    if (now - segment.requested).nanoseconds > segment.duration.nanoseconds { overdue += 1 }
    switch segment.kind {
    case .main:
      main.bytes += segment.bytes
      main.duration = main.duration + segment.duration
    case .audio:
      audio.bytes += segment.bytes
      audio.duration = audio.duration + segment.duration
    case .subtitles: break
    }
  }

  /// Adds a transfer of a stream that ended, from its first byte to its last.
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
    least = [least, other.least].compactMap { $0 }.min()
    most = [most, other.most].compactMap { $0 }.max()
  }

  var mean: Int64? { bitRate(bytes, over: span).map { min($0, 1_000_000_000_000) } }

  var standardDeviation: Int64? {
    if count == 0 { return nil }
    let variance = (Int128(count) * squares - sum * sum) / (Int128(count) * Int128(count))
    return squareRoot(max(0, variance))
  }

  /// The root, rounded down.
  private func squareRoot(_ square: Int128) -> Int64 {
    var (low, high): (Int64, Int64) = (0, 1_000_000_000_001)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if Int128(middle) * Int128(middle) <= square { low = middle } else { high = middle }
    }
    return low
  }
}

/// In bit/s, rounded down; nil where it took no time.
func bitRate(_ bytes: Int64, over span: TimeSpan) -> Int64? {
  span > .zero
    ? scaled(bytes, by: 8_000_000_000, over: span.nanoseconds, rounding: .down) : nil
}

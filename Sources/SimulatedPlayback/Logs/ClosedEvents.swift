import VirtualTime

/// The events of an access log that are final: the last thousand, and before them one that sums up
/// whatever came earlier.
///
/// A loop that goes on for a year begins another event each time round.
struct ClosedEvents {
  private var earlier: AccessLogEvent?
  private var recent: [AccessLogEvent] = []
  /// The place of the oldest, once all places are taken.
  private var oldest = 0

  private static let most = 1_000

  mutating func append(_ event: AccessLogEvent) {
    if recent.count < Self.most { return recent.append(event) }
    let leaving = recent[oldest]
    if earlier == nil { earlier = leaving } else { earlier?.absorb(leaving) }
    recent[oldest] = event
    oldest = oldest + 1 == Self.most ? 0 : oldest + 1
  }

  /// In the order in which they came.
  var all: [AccessLogEvent] {
    (earlier.map { [$0] } ?? []) + recent[oldest...] + recent[..<oldest]
  }
}

extension AccessLogEvent {
  /// Becomes one with the event that followed it: counts and spans are sums, rates are means over
  /// what was watched.
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

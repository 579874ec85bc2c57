package import SimulatedPlayback
import VirtualTime

/// A field of an access log's event, under the name of AVPlayerItemAccessLogEvent.
///
/// The five that a simulation cannot know are not among them.
package enum AccessLogField: String, Sendable, CaseIterable {
  case playbackStartDate
  case uri = "URI"
  case numberOfMediaRequests
  case playbackStartOffset
  case segmentsDownloadedDuration
  case durationWatched
  case numberOfStalls
  case numberOfBytesTransferred
  case transferDuration
  case observedBitrate
  case observedMaxBitrate
  case observedMinBitrate
  case observedBitrateStandardDeviation
  case indicatedBitrate
  case indicatedAverageBitrate
  case averageVideoBitrate
  case averageAudioBitrate
  case startupTime
  case downloadOverdue
  case playbackType
  case switchBitrate

  /// What stands there: bytes, counts and bit/s as they are, times in nanoseconds.
  package func value(of event: AccessLogEvent) -> PropertyValue {
    switch self {
    case .playbackStartDate: time(event.playbackStartDate?.nanoseconds)
    case .uri: .text(event.uri)
    case .numberOfMediaRequests: .count(event.numberOfMediaRequests)
    case .playbackStartOffset: .time(event.playbackStartOffset.nanoseconds)
    case .segmentsDownloadedDuration: time(event.segmentsDownloadedDuration?.nanoseconds)
    case .durationWatched: .time(event.durationWatched.nanoseconds)
    case .numberOfStalls: .count(event.numberOfStalls)
    case .numberOfBytesTransferred: .count(event.numberOfBytesTransferred)
    case .transferDuration: .time(event.transferDuration.nanoseconds)
    case .observedBitrate: count(event.observedBitrate)
    case .observedMaxBitrate: count(event.observedMaxBitrate)
    case .observedMinBitrate: count(event.observedMinBitrate)
    case .observedBitrateStandardDeviation: count(event.observedBitrateStandardDeviation)
    case .indicatedBitrate: count(event.indicatedBitrate)
    case .indicatedAverageBitrate: count(event.indicatedAverageBitrate)
    case .averageVideoBitrate: count(event.averageVideoBitrate)
    case .averageAudioBitrate: count(event.averageAudioBitrate)
    case .startupTime: time(event.startupTime?.nanoseconds)
    case .downloadOverdue: count(event.downloadOverdue)
    case .playbackType: .text(event.playbackType.rawValue)
    case .switchBitrate: count(event.switchBitrate)
    }
  }

  private func count(_ value: Int64?) -> PropertyValue { value.map { .count($0) } ?? .null }

  private func time(_ value: Int64?) -> PropertyValue { value.map { .time($0) } ?? .null }
}

/// A field of an error log's event, under the name of AVPlayerItemErrorLogEvent.
package enum ErrorLogField: String, Sendable, CaseIterable {
  case date
  case uri = "URI"
  case errorStatusCode
  case errorDomain
  case errorComment

  package func value(of event: ErrorLogEvent) -> PropertyValue {
    switch self {
    case .date: .time(event.date.nanoseconds)
    case .uri: .text(event.uri)
    case .errorStatusCode: .count(event.statusCode)
    case .errorDomain: .text(event.domain)
    case .errorComment: .text(event.comment)
    }
  }
}

// MARK: - As properties

extension AccessLogField {
  var kind: PropertyKind {
    switch self {
    case .playbackStartDate, .segmentsDownloadedDuration, .startupTime: .nullable(.time)
    case .playbackStartOffset, .durationWatched, .transferDuration: .time
    case .uri: .text
    case .numberOfMediaRequests, .numberOfStalls: .count
    case .downloadOverdue: .nullable(.count)
    case .numberOfBytesTransferred: .bytes
    case .observedBitrate, .observedMaxBitrate, .observedMinBitrate,
      .observedBitrateStandardDeviation, .indicatedBitrate, .indicatedAverageBitrate,
      .averageVideoBitrate, .averageAudioBitrate, .switchBitrate:
      .nullable(.bitRate)
    case .playbackType: .word(["LIVE", "VOD", "FILE"])
    }
  }

  var summary: String {
    switch self {
    case .playbackStartDate: "When playback of it began, from the start of the run; null before."
    case .uri: "The playlist of its variant."
    case .numberOfMediaRequests: "The segments that came in; of a file its requests."
    case .playbackStartOffset: "Where the playhead stood when it began."
    case .segmentsDownloadedDuration: "The media of its segments."
    case .durationWatched: "The media that was played."
    case .numberOfStalls: "Stalls."
    case .numberOfBytesTransferred: "Bytes of media that were transferred."
    case .transferDuration: "Time in which media was coming in."
    case .observedBitrate: "Its bytes over that time."
    case .observedMaxBitrate: "The throughput of its fastest segment."
    case .observedMinBitrate: "The throughput of its slowest segment."
    case .observedBitrateStandardDeviation: "Standard deviation of the segments' throughput."
    case .indicatedBitrate: "BANDWIDTH of the variant."
    case .indicatedAverageBitrate: "The average that the playlist declares."
    case .averageVideoBitrate: "The bit rate of its segments, with muxed sound."
    case .averageAudioBitrate: "The bit rate of its separate sound."
    case .startupTime: "From the first request for media to the first prediction to keep up."
    case .downloadOverdue: "Segments that took longer to come than they play."
    case .playbackType: "Kind of what is played: file, video on demand or live."
    case .switchBitrate: "The throughput that brought about the switch."
    }
  }
}

extension ErrorLogField {
  var kind: PropertyKind {
    switch self {
    case .date: .time
    case .uri, .errorDomain, .errorComment: .text
    case .errorStatusCode: .whole
    }
  }

  var summary: String {
    switch self {
    case .date: "When it happened, from the start of the run."
    case .uri: "What was asked for."
    case .errorStatusCode: "The status, such as -12938."
    case .errorDomain: "Whose status it is."
    case .errorComment: "What it says."
    }
  }
}

package import ExactText
package import SimulatedPlayback

/// A log event's field, named as AVFoundation's: expectations, output, traces and help use its row.
package struct LogField<Event>: Sendable {
  package let name: String
  /// Name in the extended log format; nil where it has none.
  package let column: String?
  let about: String
  private let reading: Reading<Event>

  init(_ name: String, column: String? = nil, _ about: String, _ reading: Reading<Event>) {
    (self.name, self.column, self.about, self.reading) = (name, column, about, reading)
  }

  package var kind: PropertyKind { reading.kind }

  /// Bytes, counts and bit/s as they are, times in nanoseconds.
  package func value(of event: Event) -> PropertyValue { reading.value(event) ?? .null }

  package func read(_ member: JSONValue, into event: inout Event) {
    if let value = PropertyValue(member, of: kind) { put(value, into: &event) }
  }

  package func put(_ value: PropertyValue, into event: inout Event) {
    reading.restore?(&event, value)
  }
}

extension AccessLogEvent {
  /// The fields of AVPlayerItemAccessLogEvent, but for five that a simulation cannot know.
  package static let fields: [LogField<AccessLogEvent>] = {
    typealias Row = LogField<AccessLogEvent>
    return [
      Row(
        "playbackStartDate",
        "Time from the start of the run to its playback; null before.",
        .stored { $1(&$0.playbackStartDate) }),
      Row("URI", column: "uri", "The playlist of its variant.", .stored { $1(&$0.uri) }),
      Row(
        "numberOfMediaRequests", column: "sc-count", "Segments received; of a file its requests.",
        .stored { $1(&$0.numberOfMediaRequests) }),
      Row(
        "playbackStartOffset", column: "c-start-time", "Position of the playhead when it began.",
        .stored { $1(&$0.playbackStartOffset) }),
      Row(
        "segmentsDownloadedDuration", column: "c-duration-downloaded", "The media of its segments.",
        .stored { $1(&$0.segmentsDownloadedDuration) }),
      Row(
        "durationWatched", column: "c-duration-watched", "The media that was played.",
        .stored { $1(&$0.durationWatched) }),
      Row("numberOfStalls", column: "c-stalls", "Stalls.", .stored { $1(&$0.numberOfStalls) }),
      Row(
        "numberOfBytesTransferred", column: "bytes", "Bytes of media that were transferred.",
        .stored(.bytes) { $1(&$0.numberOfBytesTransferred) }),
      Row(
        "transferDuration", column: "c-transfer-duration", "Time in which media was coming in.",
        .stored { $1(&$0.transferDuration) }),
      Row(
        "observedBitrate", column: "c-observed-bitrate", "Its bytes over that time.",
        .stored(.nullable(.bitRate)) { $1(&$0.observedBitrate) }),
      Row(
        "observedMaxBitrate", column: "c-observed-max-bitrate",
        "The throughput of its fastest segment.",
        .stored(.nullable(.bitRate)) { $1(&$0.observedMaxBitrate) }),
      Row(
        "observedMinBitrate", column: "c-observed-min-bitrate",
        "The throughput of its slowest segment.",
        .stored(.nullable(.bitRate)) { $1(&$0.observedMinBitrate) }),
      Row(
        "observedBitrateStandardDeviation", column: "c-observed-bitrate-sd",
        "Standard deviation of the segments' throughput.",
        .stored(.nullable(.bitRate)) { $1(&$0.observedBitrateStandardDeviation) }),
      Row(
        "indicatedBitrate", column: "sc-indicated-bitrate", "BANDWIDTH of the variant.",
        .stored(.nullable(.bitRate)) { $1(&$0.indicatedBitrate) }),
      Row(
        "indicatedAverageBitrate", column: "sc-indicated-avg-bitrate",
        "The average that the playlist declares.",
        .stored(.nullable(.bitRate)) { $1(&$0.indicatedAverageBitrate) }),
      Row(
        "averageVideoBitrate", column: "c-avg-video-bitrate",
        "The bit rate of its segments, with muxed sound.",
        .stored(.nullable(.bitRate)) { $1(&$0.averageVideoBitrate) }),
      Row(
        "averageAudioBitrate", column: "c-avg-audio-bitrate", "The bit rate of its separate sound.",
        .stored(.nullable(.bitRate)) { $1(&$0.averageAudioBitrate) }),
      Row(
        "startupTime", column: "c-startup-time",
        "From the first request for media to the first prediction to keep up.",
        .stored { $1(&$0.startupTime) }),
      Row(
        "downloadOverdue", column: "c-overdue", "Segments that took longer to come than they play.",
        .stored { $1(&$0.downloadOverdue) }),
      Row(
        "playbackType", column: "s-playback-type", "Kind of media: file, video on demand or live.",
        .stored(.word(["LIVE", "VOD", "FILE"])) { $1(&$0.playbackType) }),
      Row(
        "switchBitrate", column: "c-switch-bitrate",
        "The throughput that brought about the switch.",
        .stored(.nullable(.bitRate)) { $1(&$0.switchBitrate) }),
    ]
  }()
}

extension ErrorLogEvent {
  package static let fields: [LogField<ErrorLogEvent>] = {
    typealias Row = LogField<ErrorLogEvent>
    return [
      Row("date", "Time of the entry, from the start of the run.", .stored { $1(&$0.date) }),
      Row("URI", column: "uri", "URI of the request.", .stored { $1(&$0.uri) }),
      Row("errorStatusCode", "The status, such as -12938.", .stored(.whole) { $1(&$0.statusCode) }),
      Row("errorDomain", "Whose status it is.", .stored { $1(&$0.domain) }),
      Row("errorComment", "Description of the error.", .stored { $1(&$0.comment) }),
    ]
  }()
}

package import ExactText
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// The input of ITU-T P.1203 at mode 0, as the standard's public software reads it.
///
/// The model itself may not be shipped; its input is no more than what a session was.
package struct P1203Input: Hashable, Sendable {
  package var session: ViewedSession
  /// In pixels, by segment; nil where the playlist says none.
  package var resolutions: [String?]
  package var codec: String
  /// In thousandths.
  package var framesPerSecond: Int64
  /// In bit/s; nil without sound apart from the picture.
  package var audioBitsPerSecond: Int64?

  package init(_ scenario: Scenario, _ outcome: RunOutcome) {
    session = ViewedSession(outcome)
    codec = "h264"
    framesPerSecond = 24_000
    guard case .stream(let settings) = scenario.item.source else {
      resolutions = session.segments.map { _ in nil }
      return
    }
    let variants = settings.presentation.variants
    resolutions = session.segments.map { segment in
      let variant = variants.first { $0.attributes.nominalBandwidth == segment.bitsPerSecond }
      return variant?.attributes.resolution.map { "\($0.width)x\($0.height)" }
    }
    if let frames = variants.compactMap({ $0.attributes.frameRate }).first {
      framesPerSecond = frames
    }
    audioBitsPerSecond = outcome.watchedPeriods.compactMap { $0.averageAudioBitrate }.first
  }
}

extension JSONWriter {
  /// Writes the input as a document.
  package mutating func p1203(_ input: P1203Input) {
    beginObject()
    key("I11")
    stream { writer in
      if let bits = input.audioBitsPerSecond { writer.audio(input, bits) }
    }
    key("I13")
    stream { $0.pictures(input) }
    key("I23")
    stalling(input.session)
    key("IGen")
    beginObject()
    for (name, value) in [
      ("device", "pc"), ("displaySize", "1920x1080"), ("viewingDistance", "150cm"),
    ] {
      key(name)
      string(value)
    }
    endObject()
    endObject()
  }

  private mutating func stream(_ segments: (inout JSONWriter) -> Void) {
    beginObject()
    key("segments")
    beginArray()
    segments(&self)
    endArray()
    key("streamId")
    integer(42)
    endObject()
  }

  private mutating func audio(_ input: P1203Input, _ bitsPerSecond: Int64) {
    var start = MediaTime.zero
    for segment in input.session.segments {
      member("aaclc", bitsPerSecond, from: start, segment.length)
      endObject()
      start = start + segment.length
    }
  }

  private mutating func pictures(_ input: P1203Input) {
    var start = MediaTime.zero
    for (segment, resolution) in zip(input.session.segments, input.resolutions) {
      member(input.codec, segment.bitsPerSecond, from: start, segment.length)
      key("fps")
      decimal(input.framesPerSecond, places: 3)
      key("resolution")
      string(resolution ?? "1920x1080")
      endObject()
      start = start + segment.length
    }
  }

  /// Opens a segment, which the caller closes.
  private mutating func member(
    _ codec: String, _ bitsPerSecond: Int64, from start: MediaTime, _ length: MediaTime
  ) {
    beginObject()
    key("bitrate")
    decimal(bitsPerSecond, places: 3)
    key("codec")
    string(codec)
    key("duration")
    seconds(length.nanoseconds)
    key("start")
    seconds(start.nanoseconds)
  }

  /// The initial loading stands at the beginning of the media.
  private mutating func stalling(_ session: ViewedSession) {
    beginObject()
    key("stalling")
    beginArray()
    let initial = session.startup.map { ViewedSession.Stall(place: .zero, length: $0) }
    for stall in (initial.map { [$0] } ?? []) + session.stalls where stall.length > .zero {
      beginArray()
      seconds(stall.place.nanoseconds)
      seconds(stall.length.nanoseconds)
      endArray()
    }
    endArray()
    key("streamId")
    integer(42)
    endObject()
  }
}

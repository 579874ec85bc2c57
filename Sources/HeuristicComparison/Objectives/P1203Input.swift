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

extension P1203Input {
  package var document: JSONTree {
    [
      "I11": Self.stream(
        "segments",
        audioBitsPerSecond.map { bits in segments { _ in ("aaclc", bits, nil) } } ?? []),
      "I13": Self.stream(
        "segments",
        segments { place in
          (codec, session.segments[place].bitsPerSecond, resolutions[place] ?? "1920x1080")
        }),
      "I23": stalling,
      "IGen": ["device": "pc", "displaySize": "1920x1080", "viewingDistance": "150cm"],
    ]
  }

  private static func stream(_ name: String, _ parts: [JSONTree]) -> JSONTree {
    [name: .array(parts), "streamId": .whole(42)]
  }

  /// Only a picture has a resolution.
  private func segments(
    _ facts: (Int) -> (codec: String, bitsPerSecond: Int64, resolution: String?)
  ) -> [JSONTree] {
    var start = MediaTime.zero
    return session.segments.indices.map { place in
      let (facts, length) = (facts(place), session.segments[place].length)
      defer { start = start + length }
      return [
        "bitrate": .decimal(facts.bitsPerSecond, places: 3),
        "codec": .string(facts.codec),
        "duration": .seconds(length.nanoseconds),
        "start": .seconds(start.nanoseconds),
        "fps": facts.resolution == nil ? nil : .decimal(framesPerSecond, places: 3),
        "resolution": facts.resolution.map { .string($0) },
      ]
    }
  }

  /// The initial loading stands at the beginning of the media.
  private var stalling: JSONTree {
    let initial = session.startup.map { ViewedSession.Stall(place: .zero, length: $0) }
    let stalls = (initial.map { [$0] } ?? []) + session.stalls
    return Self.stream(
      "stalling",
      stalls.filter { $0.length > .zero }.map {
        [.seconds($0.place.nanoseconds), .seconds($0.length.nanoseconds)]
      })
  }
}

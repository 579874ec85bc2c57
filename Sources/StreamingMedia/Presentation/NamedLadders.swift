public import VirtualTime

/// Ladders that talks and guides have made known.
public enum NamedLadder: String, CaseIterable, Hashable, Sendable {
  /// The six rungs of "Advances in AVFoundation Playback" (2016), as its slides list them.
  case talk = "WWDC 2016"
  /// The H.264 ladder of Apple's HLS authoring specification.
  case appleH264 = "Apple H.264"
  /// The HEVC ladder of Apple's HLS authoring specification.
  case appleHEVC = "Apple HEVC"
  /// The tree of the talk's first slide: three picture rates, stereo and surround sound apart.
  case tree = "WWDC 2016 tree"

  /// The rungs from the lowest to the highest, as the guides list them.
  package var rungs: [LadderRung] {
    switch self {
    case .talk: Self.talkRungs
    case .appleH264: Self.appleH264Rungs
    case .appleHEVC: Self.appleHEVCRungs
    case .tree:
      // K3: "video 6Mbit / 4Mbit / 2Mbit playlist"; the picture sizes are our assumption.
      [
        Self.rung(1920, 1080, 6_000, "avc1.640028"), Self.rung(1280, 720, 4_000, "avc1.64001f"),
        Self.rung(960, 540, 2_000, "avc1.4d401f"),
      ]
    }
  }

  package var audio: [LadderAudio] {
    switch self {
    // V11: the buffering times of the slide are those of the picture alone.
    case .talk: []
    case .appleH264, .appleHEVC: [Self.stereo(group: "audio")]
    case .tree:
      [
        Self.stereo(group: "stereo"),
        LadderAudio(
          group: "surround", name: "Surround", bitRate: 384_000, codec: "ac-3", channels: 6,
          sampleRate: 48_000),
      ]
    }
  }

  // The slides of 2016 have 10 s segments; the authoring specification says 6 s (7.5).
  package var segmentDuration: MediaTime {
    switch self {
    case .talk, .tree: .seconds(10)
    case .appleH264, .appleHEVC: .seconds(6)
    }
  }

  /// The ladder for a presentation of some length.
  public func description(
    duration: MediaTime, sizes: LadderSizes = .constant
  ) -> LadderDescription {
    LadderDescription(
      rungs: rungs, audio: audio, segmentDuration: segmentDuration, duration: duration,
      sizes: sizes)
  }

  private static func rung(
    _ width: Int32, _ height: Int32, _ kilobitsPerSecond: Int64, _ codec: String
  ) -> LadderRung {
    LadderRung(
      resolution: PixelSize(width: width, height: height), bitRate: kilobitsPerSecond * 1_000,
      codecs: [codec])
  }

  // Authoring specification: stereo AAC has 32 to 160 kbit/s in total.
  private static func stereo(group: String) -> LadderAudio {
    LadderAudio(group: group, name: "Stereo", bitRate: 128_000, sampleRate: 48_000)
  }

  private static let talkRungs = [
    rung(400, 224, 110, "avc1.42c00d"), rung(400, 224, 400, "avc1.42c00d"),
    rung(640, 360, 600, "avc1.4d401e"), rung(960, 540, 1_800, "avc1.4d401f"),
    rung(1280, 720, 4_500, "avc1.64001f"), rung(1920, 1080, 11_000, "avc1.640028"),
  ]

  private static let appleH264Rungs = [
    rung(416, 234, 145, "avc1.42c00d"), rung(640, 360, 365, "avc1.4d401e"),
    rung(768, 432, 730, "avc1.4d401e"), rung(768, 432, 1_100, "avc1.4d401e"),
    rung(960, 540, 2_000, "avc1.4d401f"), rung(1280, 720, 3_000, "avc1.64001f"),
    rung(1280, 720, 4_500, "avc1.64001f"), rung(1920, 1080, 6_000, "avc1.640028"),
    rung(1920, 1080, 7_800, "avc1.640028"),
  ]

  private static let appleHEVCRungs = [
    rung(640, 360, 145, "hvc1.2.4.L63"), rung(768, 432, 300, "hvc1.2.4.L90"),
    rung(960, 540, 600, "hvc1.2.4.L90"), rung(960, 540, 900, "hvc1.2.4.L90"),
    rung(960, 540, 1_600, "hvc1.2.4.L90"), rung(1280, 720, 2_400, "hvc1.2.4.L93"),
    rung(1280, 720, 3_400, "hvc1.2.4.L93"), rung(1920, 1080, 4_500, "hvc1.2.4.L120"),
    rung(1920, 1080, 5_800, "hvc1.2.4.L120"), rung(2560, 1440, 8_100, "hvc1.2.4.L150"),
    rung(3840, 2160, 11_600, "hvc1.2.4.L150"), rung(3840, 2160, 16_800, "hvc1.2.4.L150"),
  ]
}

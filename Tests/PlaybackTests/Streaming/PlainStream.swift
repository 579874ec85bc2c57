import SimulatedWorld

/// A stream of 24 seconds with one variant, and what is asked for besides its segments.
enum PlainStream {
  enum Key { case announced, preloaded, unannounced }

  static func source(
    segment: Int64, bitRate: Int64 = 800_000, hasAudio: Bool, key: Key?
  ) throws -> MediaSource {
    var ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: bitRate)],
      audio: hasAudio ? [LadderAudio(name: "Stereo", bitRate: 100_000)] : [],
      segmentDuration: .seconds(segment), duration: .seconds(24))
    ladder.encryption = key.map {
      LadderEncryption(
        key: EncryptionKey(method: .sampleAES, uri: "skd://movie"), isAnnounced: $0 != .unannounced)
    }
    var stream = StreamSettings(presentation: try Presentation(ladder))
    stream.preloadsKeys = key == .preloaded
    return .stream(stream)
  }
}

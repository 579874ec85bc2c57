/// Audio property that must be equal on both sides of a boundary for a gapless transition.
package enum AudioTrait: String, Hashable, Sendable, CaseIterable {
  // WWDC21 10142: the use of FairPlay Streaming, the codec in CODECS, the channels in CHANNELS.
  case fairPlay
  case codec
  case channels
  // WWDC21 10142: differing sample rates and bit depths "may inhibit the gapless transition".
  case sampleRate
  case bitDepth

  /// Whether a difference need not prevent the transition, but may.
  package var mayInhibitOnly: Bool {
    switch self {
    case .fairPlay, .codec, .channels: false
    case .sampleRate, .bitDepth: true
    }
  }
}

/// Whether what may inhibit a gapless transition is taken to prevent it.
public enum GaplessStrictness: Hashable, Sendable, CaseIterable {
  /// It prevents it: "the same advice applies to these traits, too".
  case strict
  /// It does no harm.
  case lenient
}

/// The sound that a variant is played with, as its playlists declare it.
package struct AudioTraits: Hashable, Sendable {
  package var usesFairPlay: Bool
  /// Audio codecs of CODECS, sorted; empty where CODECS lists none.
  package var codecs: [String]
  /// Nil where nothing is declared, here and below.
  package var channels: Int64?
  /// In samples a second.
  package var sampleRate: Int64?
  package var bitDepth: Int64?

  /// A trait as it is declared; nil where it is not.
  package func value(of trait: AudioTrait) -> String? {
    switch trait {
    case .fairPlay: usesFairPlay ? "FairPlay" : "no FairPlay"
    case .codec: codecs.isEmpty ? nil : codecs.joined(separator: ", ")
    case .channels: channels.map { "\($0)" }
    case .sampleRate: sampleRate.map { "\($0)" }
    case .bitDepth: bitDepth.map { "\($0)" }
    }
  }

  /// The traits in which another sound is not the same, the gravest first.
  ///
  /// A trait that only one side declares counts as different: equality is not guaranteed.
  package func differences(from other: AudioTraits) -> [AudioTrait] {
    AudioTrait.allCases.filter { value(of: $0) != other.value(of: $0) }
  }

  /// The differences that prevent a gapless transition.
  package func obstacles(
    to other: AudioTraits, _ strictness: GaplessStrictness = .strict
  ) -> [AudioTrait] {
    differences(from: other).filter { strictness == .strict || !$0.mayInhibitOnly }
  }
}

extension EncryptionKey {
  /// Whether the key is had by FairPlay Streaming: by its format, or by the scheme of its URI.
  package var isFairPlay: Bool {
    format == "com.apple.streamingkeydelivery" || URIReference(uri).scheme == "skd"
  }
}

extension Presentation {
  /// The sound that a variant is played with.
  ///
  /// - Parameter language: wanted language; nil leaves it to the playlist.
  package func audioTraits(of variant: Int, language: String? = nil) -> AudioTraits {
    let rendition = rendition(of: .audio, for: variant, language: language)
      .map { renditions[$0] }
    let attributes = rendition?.attributes
    // Keys of the sound's own playlist, and those that are announced for all.
    let keys = lists[rendition?.list ?? variants[variant].list].keys + sessionKeys
    return AudioTraits(
      usesFairPlay: keys.contains { $0.isFairPlay },
      codecs: variants[variant].attributes.codecs.filter { CodecFamily($0).isAudio }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
      channels: attributes?.channelCount.map { Int64($0) }, sampleRate: attributes?.sampleRate,
      bitDepth: attributes?.bitDepth)
  }
}

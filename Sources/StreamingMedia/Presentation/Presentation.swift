package import VirtualTime

/// A multivariant playlist and all that hangs from it, as a player streams it.
public struct Presentation: Hashable, Sendable {
  package var uri: String
  /// In the order of the playlist, which is the only default there is.
  package var variants: [Variant]
  package let renditions: [Rendition]
  /// The renditions of each kind and group, in playlist order.
  private let groups: RenditionGroups
  /// Segment lists that variants and renditions refer to by index: one for each media playlist.
  package var lists: [SegmentList]
  /// The keys that the multivariant playlist announces, so that they can be fetched early.
  package var sessionKeys: [EncryptionKey]
  package var start: StartPoint?
  /// The size of the multivariant playlist, uncompressed; 0 where there is none.
  package var playlistBytes: Int64
  package var liveTags = LiveTags()
  /// Whether sound and pictures of a segment come interleaved, as in a transport stream.
  package var isInterleaved = false

  package init(
    uri: String, variants: [Variant], renditions: [Rendition] = [], lists: [SegmentList],
    sessionKeys: [EncryptionKey] = [], start: StartPoint? = nil, playlistBytes: Int64 = 0
  ) {
    assert(variants.allSatisfy { lists.indices.contains($0.list) }, "a variant has a list")
    assert(
      renditions.allSatisfy { $0.list.map(lists.indices.contains) ?? true },
      "the list of a rendition is one of the presentation")
    self.uri = uri
    self.variants = variants
    self.renditions = renditions
    groups = RenditionGroups(renditions)
    self.lists = lists
    self.sessionKeys = sessionKeys
    self.start = start
    self.playlistBytes = playlistBytes
  }
}

/// The places of the renditions of each kind and group, in playlist order.
struct RenditionGroups: Hashable, Sendable, CustomDebugStringConvertible {
  private var places: [RenditionGroup: [Int]] = [:]

  init(_ renditions: [Rendition]) {
    for (place, rendition) in renditions.enumerated() {
      let group = RenditionGroup(kind: rendition.attributes.kind, name: rendition.attributes.group)
      places[group, default: []].append(place)
    }
  }

  subscript(group: RenditionGroup) -> [Int] { places[group] ?? [] }

  /// The text of a dictionary would have another order in each run.
  var debugDescription: String { "\(places.count) groups" }
}

/// The traits of renditions that can replace each other.
struct RenditionGroup: Hashable {
  let kind: RenditionKind
  let name: String
}

/// A variant with the segments of its own playlist.
package struct Variant: Hashable, Sendable {
  package var attributes: PlaylistVariant
  /// Into the lists of its presentation.
  package var list: Int
}

extension PlaylistVariant {
  /// The rate that a ladder is named by: the average where it is declared, else the peak.
  package var nominalBandwidth: Int64 { averageBandwidth ?? bandwidth }

  /// Whether its codecs say that there is sound and no picture.
  package var isAudioOnly: Bool {
    resolution == nil && codecs.areAudioOnly
  }

  /// The group of renditions of a kind that it names.
  func group(of kind: RenditionKind) -> RenditionGroup? {
    let name =
      switch kind {
      case .audio: audioGroup
      case .video: videoGroup
      case .subtitles: subtitleGroup
      case .closedCaptions: closedCaptionGroup
      }
    return name.map { RenditionGroup(kind: kind, name: $0) }
  }
}

/// A rendition of a group with the segments of its own playlist.
package struct Rendition: Hashable, Sendable {
  package var attributes: PlaylistRendition
  /// Into the lists of its presentation; nil where it is muxed into the variants.
  package var list: Int?
}

extension Presentation {
  /// The length of the longest of the variants' lists.
  package var duration: MediaTime {
    variants.map { lists[$0.list].duration }.max() ?? .zero
  }

  /// The nominal bit rates of the variants, in playlist order.
  package var nominalBandwidths: [Int64] {
    variants.indices.map { variants[$0].attributes.nominalBandwidth }
  }

  /// The longest target duration of all but subtitles, which may have another one (§6.2.4).
  package var targetDuration: MediaTime {
    let beside = renditions.filter { $0.attributes.kind != .subtitles }.compactMap { $0.list }
    return (variants.map { $0.list } + beside).map { lists[$0].targetDuration }.max() ?? .zero
  }

  /// Whether more segments may be added.
  package var isLive: Bool {
    variants.contains { !lists[$0.list].isComplete }
  }

  /// The renditions of one kind that a variant can be played with, in playlist order.
  package func renditions(of kind: RenditionKind, for variant: Int) -> [Int] {
    variants[variant].attributes.group(of: kind).map { groups[$0] } ?? []
  }

  /// The rendition that is played when nobody chooses: the language wanted, else the default, else
  /// the first that may be selected automatically, else, for audio and video, the first.
  package func rendition(
    of kind: RenditionKind, for variant: Int, language: String? = nil
  ) -> Int? {
    let all = renditions(of: kind, for: variant)
    if let language,
      let match = all.first(where: {
        renditions[$0].attributes.language == language && !renditions[$0].attributes.isForced
      })
    {
      return match
    }
    if let chosen = all.first(where: { renditions[$0].attributes.isDefault }) { return chosen }
    switch kind {
    // Nobody reads subtitles who has not asked for them.
    case .subtitles, .closedCaptions: return nil
    case .audio, .video:
      return all.first { renditions[$0].attributes.isAutoselect } ?? all.first
    }
  }

  // RFC 8216 §4.3.4.2: AUDIO names "the set of audio Renditions that SHOULD be used when playing
  // the presentation". A variant of sound alone has nothing besides: it is one of them, whether its
  // own playlist is the rendition's (§4.3.4.2.1: or has it, where there is no URI) or not.
  /// The list of the rendition that a variant of sound alone is played by; nil for other variants,
  /// and where the sound is in the variant's own list only.
  package func soundAlone(of variant: Int, language: String? = nil) -> Int? {
    guard variants[variant].attributes.isAudioOnly else { return nil }
    return rendition(of: .audio, for: variant, language: language)
      .flatMap { renditions[$0].list }
  }
}

extension [String] {
  /// Whether these are codecs, and of sound alone.
  var areAudioOnly: Bool {
    !isEmpty && allSatisfy { CodecFamily($0).isAudio }
  }
}

/// Codec family with its media type, by the first part of the codec's name (RFC 6381).
public enum CodecFamily: Hashable, Sendable, CaseIterable {
  case h264
  case hevc
  case dolbyVision
  case av1
  case vp9
  case aac
  case dolbyDigital
  case otherAudio
  case text
  case other

  /// The family of a codec such as `avc1.64001f`.
  package init(_ codec: String) {
    let name = String(decoding: codec.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
    self =
      switch name {
      case "avc1", "avc3": .h264
      case "hvc1", "hev1": .hevc
      case "dvh1", "dvhe", "dav1", "dva1", "dvav": .dolbyVision
      case "av01": .av1
      case "vp09", "vp9": .vp9
      case "mp4a": .aac
      case "ac-3", "ec-3", "ac-4": .dolbyDigital
      case "fLaC", "alac", "Opus", "opus", "mp3", "usac": .otherAudio
      case "wvtt", "stpp": .text
      default: .other
      }
  }

  package var isAudio: Bool {
    switch self {
    case .aac, .dolbyDigital, .otherAudio: true
    case .h264, .hevc, .dolbyVision, .av1, .vp9, .text, .other: false
    }
  }
}

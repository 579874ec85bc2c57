/// A playlist whose URIs are media playlists, one for each variant.
package struct MultivariantPlaylist: Hashable, Sendable {
  /// In the order of the playlist, which is the only default there is.
  package var variants: [PlaylistVariant] = []
  package var iFrameVariants: [PlaylistVariant] = []
  package var renditions: [PlaylistRendition] = []
  package var sessionKeys: [EncryptionKey] = []
  package var sessionKeyLines: [Int32] = []
  package var start: StartPoint?
  package var variables: [PlaylistVariable] = []
}

/// A combination of renditions that can be played, from EXT-X-STREAM-INF.
package struct PlaylistVariant: Hashable, Sendable {
  package var uri = ""
  /// The peak segment bit rate of all its renditions together, in bit/s.
  package var bandwidth: Int64 = 0
  package var averageBandwidth: Int64?
  /// The author's preference from SCORE, in millionths.
  package var score: Int64?
  package var codecs: [String] = []
  package var supplementalCodecs: [String] = []
  package var resolution: PixelSize?
  /// In thousandths of a frame a second.
  package var frameRate: Int64?
  package var copyProtection: CopyProtection?
  package var videoRange: VideoRange = .standard
  package var audioGroup: String?
  package var videoGroup: String?
  package var subtitleGroup: String?
  package var closedCaptionGroup: String?
  package var pathway: String?
  package var stableIdentifier: String?
  package var name: String?
  package var line: Int32 = 0
}

package enum RenditionKind: String, Hashable, CaseIterable, Sendable {
  case audio = "AUDIO"
  case video = "VIDEO"
  case subtitles = "SUBTITLES"
  case closedCaptions = "CLOSED-CAPTIONS"
}

/// One rendition of a group, from EXT-X-MEDIA.
package struct PlaylistRendition: Hashable, Sendable {
  package var kind: RenditionKind
  package var group: String
  package var name: String
  /// Nil where the rendition is in the variants' own playlists.
  package var uri: String?
  package var language: String?
  package var associatedLanguage: String?
  package var isDefault: Bool = false
  package var isAutoselect: Bool = false
  package var isForced: Bool = false
  package var inStreamIdentifier: String?
  package var characteristics: [String] = []
  /// The parameters of CHANNELS; the first is the count.
  package var channels: [String] = []
  package var bitDepth: Int64?
  package var sampleRate: Int64?
  package var stableIdentifier: String?
  package var line: Int32 = 0

  /// Number of channels of the rendition; nil where CHANNELS does not give it.
  package var channelCount: Int32? {
    channels.first.flatMap { Int32($0) }
  }
}

/// A playlist whose URIs are media playlists, one for each variant.
public struct MultivariantPlaylist: Hashable, Sendable {
  public var version: Int32 = 1
  /// In the order of the playlist, which is the only default there is.
  public var variants: [PlaylistVariant] = []
  public var iFrameVariants: [PlaylistVariant] = []
  public var renditions: [PlaylistRendition] = []
  public var sessionKeys: [EncryptionKey] = []
  /// Where each of them stands.
  public var sessionKeyLines: [Int32] = []
  public var sessionData: [SessionData] = []
  public var contentSteering: ContentSteering?
  public var hasIndependentSegments = false
  public var start: StartPoint?
  public var variables: [PlaylistVariable] = []
  public var unrecognisedTags: [UnrecognisedTag] = []

  /// An empty playlist.
  public init() {}
}

/// A combination of renditions that can be played, from EXT-X-STREAM-INF.
public struct PlaylistVariant: Hashable, Sendable {
  public var uri = ""
  /// The peak segment bit rate of all its renditions together, in bit/s.
  public var bandwidth: Int64 = 0
  public var averageBandwidth: Int64?
  /// What the author prefers, in millionths.
  public var score: Int64?
  public var codecs: [String] = []
  public var supplementalCodecs: [String] = []
  public var resolution: PixelSize?
  /// In thousandths of a frame a second.
  public var frameRate: Int64?
  public var copyProtection: CopyProtection?
  public var videoRange: VideoRange = .standard
  public var audioGroup: String?
  public var videoGroup: String?
  public var subtitleGroup: String?
  public var closedCaptionGroup: String?
  public var pathway: String?
  public var stableIdentifier: String?
  public var name: String?
  public var line: Int32 = 0

  /// A variant of which nothing is known.
  public init() {}
}

/// What a rendition is for.
public enum RenditionKind: String, Hashable, Sendable {
  case audio = "AUDIO"
  case video = "VIDEO"
  case subtitles = "SUBTITLES"
  case closedCaptions = "CLOSED-CAPTIONS"
}

/// One rendition of a group, from EXT-X-MEDIA.
public struct PlaylistRendition: Hashable, Sendable {
  public var kind: RenditionKind
  public var group: String
  public var name: String
  /// Nil where the rendition is in the variants' own playlists.
  public var uri: String?
  public var language: String?
  public var associatedLanguage: String?
  public var isDefault: Bool
  public var isAutoselect: Bool
  public var isForced: Bool
  public var inStreamIdentifier: String?
  public var characteristics: [String]
  /// The parameters of CHANNELS; the first is the count.
  public var channels: [String]
  public var bitDepth: Int64?
  public var sampleRate: Int64?
  public var stableIdentifier: String?
  public var line: Int32

  public init(
    kind: RenditionKind, group: String, name: String, uri: String? = nil, language: String? = nil,
    associatedLanguage: String? = nil, isDefault: Bool = false, isAutoselect: Bool = false,
    isForced: Bool = false, inStreamIdentifier: String? = nil, characteristics: [String] = [],
    channels: [String] = [], bitDepth: Int64? = nil, sampleRate: Int64? = nil,
    stableIdentifier: String? = nil, line: Int32 = 0
  ) {
    self.kind = kind
    self.group = group
    self.name = name
    self.uri = uri
    self.language = language
    self.associatedLanguage = associatedLanguage
    self.isDefault = isDefault
    self.isAutoselect = isAutoselect
    self.isForced = isForced
    self.inStreamIdentifier = inStreamIdentifier
    self.characteristics = characteristics
    self.channels = channels
    self.bitDepth = bitDepth
    self.sampleRate = sampleRate
    self.stableIdentifier = stableIdentifier
    self.line = line
  }

  /// How many channels the rendition has, where it says so.
  public var channelCount: Int32? {
    channels.first.flatMap { Int32($0) }
  }
}

/// A datum of the whole session.
public struct SessionData: Hashable, Sendable {
  /// The datum itself, or where it is.
  public enum Content: Hashable, Sendable {
    case value(String)
    case uri(String)
  }

  public var identifier: String
  public var content: Content
  public var language: String?
}

/// Where to ask which pathway to take.
public struct ContentSteering: Hashable, Sendable {
  public var serverURI: String
  public var pathway: String?
}

public import VirtualTime

/// A playlist whose URIs are segments.
public struct MediaPlaylist: Hashable, Sendable {
  public var version: Int32 = 1
  public var targetDuration: MediaTime = .zero
  public var mediaSequence: Int64 = 0
  public var discontinuitySequence: Int64 = 0
  public var type: PlaylistType?
  public var isIFramesOnly = false
  /// Whether nothing will be added.
  public var hasEnd = false
  public var hasIndependentSegments = false
  public var start: StartPoint?
  public var partTarget: MediaTime?
  public var serverControl: ServerControl?

  public var segments: [PlaylistSegment] = []
  public var parts: [PartialSegment] = []
  /// The first of the parts whose segment is not there yet.
  public var firstTrailingPart = 0
  public var maps: [InitializationSection] = []
  /// The sets of keys that segments and maps point into; the first is empty.
  public var keySets: [[EncryptionKey]] = [[]]

  public var skip: SkippedSegments?
  public var preloadHints: [PreloadHint] = []
  public var renditionReports: [RenditionReport] = []
  public var dateRanges: [DateRange] = []
  public var variables: [PlaylistVariable] = []
  public var unrecognisedTags: [UnrecognisedTag] = []

  /// An empty playlist.
  public init() {}
}

/// How a media playlist may change, from EXT-X-PLAYLIST-TYPE.
public enum PlaylistType: String, Hashable, Sendable {
  case event = "EVENT"
  case videoOnDemand = "VOD"
}

/// A segment as a media playlist lists it.
public struct PlaylistSegment: Hashable, Sendable {
  public var uri: String
  public var title: String
  public var duration: MediaTime
  /// Where it starts, counted from the first segment of the playlist.
  public var start: MediaTime
  public var byteRange: ByteRange?
  /// What EXT-X-BITRATE says, in kbit/s.
  public var kilobitsPerSecond: Int64?
  /// Into `maps`.
  public var map: Int32?
  /// Into `keySets`.
  public var keySet: Int32
  public var isDiscontinuity: Bool
  public var isGap: Bool
  /// Nanoseconds since 1970 in UTC at its start, where EXT-X-PROGRAM-DATE-TIME says so.
  public var programDateTime: Int64?
  /// Into `parts`.
  public var parts: Range<Int>
  public var line: Int32
}

/// What a decoder needs before the segments, from EXT-X-MAP.
public struct InitializationSection: Hashable, Sendable {
  public var uri: String
  public var byteRange: ByteRange?
  /// Into `keySets`.
  public var keySet: Int32
}

/// A part of a segment that is published before the segment is whole.
public struct PartialSegment: Hashable, Sendable {
  public var uri: String
  public var duration: MediaTime
  public var byteRange: ByteRange?
  public var isIndependent: Bool
  public var isGap: Bool
}

/// What the server offers for low latency.
public struct ServerControl: Hashable, Sendable {
  public var canBlockReload: Bool
  public var canSkipUntil: MediaTime?
  public var canSkipDateRanges: Bool
  public var holdBack: MediaTime?
  public var partHoldBack: MediaTime?
}

/// A resource that the server is about to publish.
public struct PreloadHint: Hashable, Sendable {
  /// What kind of resource it is.
  public enum Kind: String, Hashable, Sendable {
    case part = "PART"
    case map = "MAP"
  }

  public var kind: Kind
  public var uri: String
  public var start: Int64
  /// Nil where it goes to the end of the resource.
  public var length: Int64?
}

/// How far another rendition has got.
public struct RenditionReport: Hashable, Sendable {
  public var uri: String
  public var lastMediaSequence: Int64?
  public var lastPart: Int64?

  public init(uri: String, lastMediaSequence: Int64?, lastPart: Int64?) {
    self.uri = uri
    self.lastMediaSequence = lastMediaSequence
    self.lastPart = lastPart
  }
}

/// What a delta update leaves out.
public struct SkippedSegments: Hashable, Sendable {
  public var count: Int64
  public var removedDateRanges: [String]
  public var line: Int32
}

/// A span of the programme with attributes of its own.
public struct DateRange: Hashable, Sendable {
  public var id: String
  public var classification: String?
  /// Nanoseconds since 1970 in UTC.
  public var start: Int64?
  public var end: Int64?
  public var duration: MediaTime?
  public var plannedDuration: MediaTime?
  public var endsOnNext: Bool
  public var cue: String?
  /// The attributes that start with X- and the SCTE-35 ones, as they are written.
  public var clientAttributes: [PlaylistVariable]
}

extension MediaPlaylist {
  /// The length of all segments together.
  public var duration: MediaTime {
    guard let last = segments.last else { return .zero }
    return last.start + last.duration
  }

  // §4.4.3.8: an absent HOLD-BACK means three target durations.
  /// How far from the end of a live playlist playback should start.
  public var holdBack: MediaTime {
    serverControl?.holdBack ?? MediaTime(nanoseconds: 3 * targetDuration.nanoseconds)
  }
}

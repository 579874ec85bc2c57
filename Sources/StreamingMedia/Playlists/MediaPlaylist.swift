package import VirtualTime

/// A playlist whose URIs are segments.
package struct MediaPlaylist: Hashable, Sendable {
  package var targetDuration: MediaTime = .zero
  package var mediaSequence: Int64 = 0
  package var discontinuitySequence: Int64 = 0
  package var type: PlaylistType?
  /// Whether nothing will be added.
  package var hasEnd = false
  package var start: StartPoint?
  package var partTarget: MediaTime?
  package var serverControl: ServerControl?

  package var segments: [PlaylistSegment] = []
  package var partCount = 0
  package var maps: [InitializationSection] = []
  /// The sets of keys that segments and maps point into; the first is empty.
  package var keySets: [[EncryptionKey]] = [[]]

  package var skip: SkippedSegments?
  package var preloadHints: [PreloadHint] = []
  package var renditionReports: [RenditionReport] = []
  /// The CLASS of each span of the programme, from EXT-X-DATERANGE.
  package var dateRangeClasses: [String?] = []

  package init() {}
}

/// Permitted changes of a media playlist, from EXT-X-PLAYLIST-TYPE.
package enum PlaylistType: String, Hashable, Sendable {
  case event = "EVENT"
  case videoOnDemand = "VOD"
}

package struct PlaylistSegment: Hashable, Sendable {
  package var uri: String
  package var duration: MediaTime
  /// Start of the segment, counted from the first segment of the playlist.
  package var start: MediaTime
  package var byteRange: ByteRange?
  /// Bit rate from EXT-X-BITRATE, in kbit/s.
  package var kilobitsPerSecond: Int64?
  /// Into `maps`.
  package var map: Int32?
  /// Into `keySets`.
  package var keySet: Int32
  package var isDiscontinuity: Bool
  package var isGap: Bool
  /// Nanoseconds since 1970 in UTC at its start, where EXT-X-PROGRAM-DATE-TIME says so.
  package var programDateTime: Int64?
  package var line: Int32
}

/// Initialization section that a decoder needs before the segments, from EXT-X-MAP.
package struct InitializationSection: Hashable, Sendable {
  package var uri: String
  package var byteRange: ByteRange?
}

/// Low-latency features of the server, from EXT-X-SERVER-CONTROL.
package struct ServerControl: Hashable, Sendable {
  package var canBlockReload: Bool
  package var canSkipUntil: MediaTime?
  package var canSkipDateRanges: Bool
  package var holdBack: MediaTime?
  package var partHoldBack: MediaTime?
}

/// A resource that the server is about to publish.
package enum PreloadHint: String, Hashable, Sendable {
  case part = "PART"
  case map = "MAP"
}

/// Progress of another rendition, from EXT-X-RENDITION-REPORT.
package struct RenditionReport: Hashable, Sendable {
  package var uri: String
  package var lastMediaSequence: Int64?
  package var lastPart: Int64?

  package init(uri: String, lastMediaSequence: Int64?, lastPart: Int64?) {
    self.uri = uri
    self.lastMediaSequence = lastMediaSequence
    self.lastPart = lastPart
  }
}

/// Segments that a delta update omits, from EXT-X-SKIP.
package struct SkippedSegments: Hashable, Sendable {
  package var count: Int64
  package var line: Int32
}

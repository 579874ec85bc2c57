/// The tags of RFC 8216 and of its successor draft, `draft-pantos-hls-rfc8216bis`.
package enum PlaylistTag: String, CaseIterable, Sendable {
  case header = "EXTM3U"
  case version = "EXT-X-VERSION"
  case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
  case start = "EXT-X-START"
  case define = "EXT-X-DEFINE"

  case targetDuration = "EXT-X-TARGETDURATION"
  case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
  case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
  case endList = "EXT-X-ENDLIST"
  case playlistType = "EXT-X-PLAYLIST-TYPE"
  case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
  case partInformation = "EXT-X-PART-INF"
  case serverControl = "EXT-X-SERVER-CONTROL"

  case segment = "EXTINF"
  case byteRange = "EXT-X-BYTERANGE"
  case discontinuity = "EXT-X-DISCONTINUITY"
  case key = "EXT-X-KEY"
  case map = "EXT-X-MAP"
  case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
  case gap = "EXT-X-GAP"
  case bitRate = "EXT-X-BITRATE"
  case part = "EXT-X-PART"

  case dateRange = "EXT-X-DATERANGE"
  case skip = "EXT-X-SKIP"
  case preloadHint = "EXT-X-PRELOAD-HINT"
  case renditionReport = "EXT-X-RENDITION-REPORT"

  case rendition = "EXT-X-MEDIA"
  case variant = "EXT-X-STREAM-INF"
  case iFrameVariant = "EXT-X-I-FRAME-STREAM-INF"
  case sessionData = "EXT-X-SESSION-DATA"
  case sessionKey = "EXT-X-SESSION-KEY"
  case contentSteering = "EXT-X-CONTENT-STEERING"
}

/// The kinds of playlist that a tag may appear in.
enum TagScope {
  case eitherPlaylist
  case mediaPlaylist
  case multivariantPlaylist
}

extension PlaylistTag {
  var scope: TagScope {
    switch section.part {
    case ...2: .eitherPlaylist
    case ...5: .mediaPlaylist
    case _: .multivariantPlaylist
    }
  }

  // RFC 8216 §4.3.3: "There MUST NOT be more than one Media Playlist tag of each type in any
  // Media Playlist." §4.3.1.2 and §4.3.5 say the same of the version and of what both kinds share.
  var standsOnce: Bool {
    switch self {
    case .header, .version, .independentSegments, .start, .targetDuration, .mediaSequence,
      .discontinuitySequence, .endList, .playlistType, .iFramesOnly, .partInformation,
      .serverControl, .skip, .contentSteering:
      true
    case .define, .segment, .byteRange, .discontinuity, .key, .map, .programDateTime, .gap,
      .bitRate, .part, .dateRange, .preloadHint, .renditionReport, .rendition, .variant,
      .iFrameVariant, .sessionData, .sessionKey:
      false
    }
  }

  /// The section of the draft that defines the tag.
  package var clause: String { "§4.4.\(section.part).\(section.number)" }

  /// Sections 4.4.1 and 4.4.2 are of both kinds of playlist, 4.4.3 to 4.4.5 of media playlists.
  private var section: (part: Int, number: Int) {
    switch self {
    case .header: (1, 1)
    case .version: (1, 2)
    case .independentSegments: (2, 1)
    case .start: (2, 2)
    case .define: (2, 3)
    case .targetDuration: (3, 1)
    case .mediaSequence: (3, 2)
    case .discontinuitySequence: (3, 3)
    case .endList: (3, 4)
    case .playlistType: (3, 5)
    case .iFramesOnly: (3, 6)
    case .partInformation: (3, 7)
    case .serverControl: (3, 8)
    case .segment: (4, 1)
    case .byteRange: (4, 2)
    case .discontinuity: (4, 3)
    case .key: (4, 4)
    case .map: (4, 5)
    case .programDateTime: (4, 6)
    case .gap: (4, 7)
    case .bitRate: (4, 8)
    case .part: (4, 9)
    case .dateRange: (5, 1)
    case .skip: (5, 2)
    case .preloadHint: (5, 3)
    case .renditionReport: (5, 4)
    case .rendition: (6, 1)
    case .variant: (6, 2)
    case .iFrameVariant: (6, 3)
    case .sessionData: (6, 4)
    case .sessionKey: (6, 5)
    case .contentSteering: (6, 6)
    }
  }
}

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

  var scope: TagScope {
    switch section.part {
    case ...2: .eitherPlaylist
    case ...5: .mediaPlaylist
    case _: .multivariantPlaylist
    }
  }

  // RFC 8216 §4.3.3: "There MUST NOT be more than one Media Playlist tag of each type in any
  // Media Playlist." §4.3.1.2 and §4.3.5 say the same of the version and of what both kinds share.
  /// Sections 4.4.1 and 4.4.2 are of both kinds of playlist, 4.4.3 to 4.4.5 of media playlists.
  var section: (part: Int, number: Int, standsOnce: Bool) {
    switch self {
    case .header: (1, 1, true)
    case .version: (1, 2, true)
    case .independentSegments: (2, 1, true)
    case .start: (2, 2, true)
    case .define: (2, 3, false)
    case .targetDuration: (3, 1, true)
    case .mediaSequence: (3, 2, true)
    case .discontinuitySequence: (3, 3, true)
    case .endList: (3, 4, true)
    case .playlistType: (3, 5, true)
    case .iFramesOnly: (3, 6, true)
    case .partInformation: (3, 7, true)
    case .serverControl: (3, 8, true)
    case .segment: (4, 1, false)
    case .byteRange: (4, 2, false)
    case .discontinuity: (4, 3, false)
    case .key: (4, 4, false)
    case .map: (4, 5, false)
    case .programDateTime: (4, 6, false)
    case .gap: (4, 7, false)
    case .bitRate: (4, 8, false)
    case .part: (4, 9, false)
    case .dateRange: (5, 1, false)
    case .skip: (5, 2, true)
    case .preloadHint: (5, 3, false)
    case .renditionReport: (5, 4, false)
    case .rendition: (6, 1, false)
    case .variant: (6, 2, false)
    case .iFrameVariant: (6, 3, false)
    case .sessionData: (6, 4, false)
    case .sessionKey: (6, 5, false)
    case .contentSteering: (6, 6, true)
    }
  }
}

enum TagScope {
  case eitherPlaylist
  case mediaPlaylist
  case multivariantPlaylist
}

struct MultivariantPlaylistReader: PlaylistReader {
  var state: PlaylistState
  private var playlist = MultivariantPlaylist()
  private var pending: Pending?

  /// A variant whose URI is on the next line.
  private enum Pending {
    case variant(PlaylistVariant)
    /// Its URI goes with it.
    case ignored
  }

  init(state: PlaylistState) { self.state = state }

  static let otherScope = TagScope.mediaPlaylist

  mutating func finish() -> Playlist {
    judgePending()
    playlist.start = state.start
    playlist.variables = state.variables
    judgeGroupReferences()
    judgeGroupMembers()
    return .multivariant(playlist)
  }

  mutating func read(_ tag: PlaylistTag, _ line: PlaylistLine) {
    switch tag {
    case .version: state.readVersion(line)
    case .start: state.readStart(line)
    case .define: state.readDefine(line)
    case .rendition: readRendition(line)
    case .variant: readVariant(line)
    case .iFrameVariant: readIFrameVariant(line)
    case .sessionData: readSessionData(line)
    case .sessionKey: readSessionKey(line)
    case .contentSteering: readContentSteering(line)
    case .header, .independentSegments, .targetDuration, .mediaSequence, .discontinuitySequence,
      .endList, .playlistType, .iFramesOnly, .partInformation, .serverControl, .segment, .byteRange,
      .discontinuity, .key, .map, .programDateTime, .gap, .bitRate, .part, .dateRange, .skip,
      .preloadHint, .renditionReport:
      break
    }
  }

  private mutating func readVariant(_ line: PlaylistLine) {
    judgePending()
    var list = AttributeList(line, state: &state)
    var variant = list.variant()
    variant.frameRate = list.decimal("FRAME-RATE", places: 3)
    variant.audioGroup = list.quoted("AUDIO")
    variant.subtitleGroup = list.quoted("SUBTITLES")
    variant.closedCaptionGroup = list.quotedOrNone("CLOSED-CAPTIONS")
    pending = state.accept(list) ? .variant(variant) : .ignored
  }

  // §4.4.6.2: "The URI line is REQUIRED."
  private mutating func judgePending() {
    if case .variant(let variant) = pending {
      state.journal.fault(.variantWithoutURI, line: variant.line, tag: .variant)
    }
    pending = nil
  }

  mutating func readURI(_ line: PlaylistLine) {
    let announced = pending
    pending = nil
    switch announced {
    case .ignored: return
    // §4.1: a playlist is a multivariant one if "all URI lines in the Playlist identify Media
    // Playlists"; one that nothing announces does not.
    case nil: state.fault(.uriWithoutVariant, line)
    case .variant(var variant):
      guard state.hasRoom(playlist.variants.count, for: "variants", line: line),
        let uri = state.uri(line)
      else { return }
      variant.uri = uri
      if let average = variant.averageBandwidth, average > variant.bandwidth {
        state.journal.remark(
          .rule("AVERAGE-BANDWIDTH is above BANDWIDTH"), line: variant.line, tag: .variant)
      }
      if variant.score != nil, !playlist.variants.contains(where: { $0.score != nil }) {
        state.journal.remark(
          .notSimulated("SCORE; variants are chosen by bit rate"), line: variant.line,
          tag: .variant)
      }
      playlist.variants.append(variant)
    }
  }

  // §4.4.6.3: the attributes of EXT-X-STREAM-INF without those of audio, frame rate and the like,
  // and with a URI.
  private mutating func readIFrameVariant(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    var variant = list.variant()
    variant.uri = list.quoted("URI", .required) ?? ""
    guard state.accept(list, after: playlist.iFrameVariants.count, of: "variants") else { return }
    if playlist.iFrameVariants.isEmpty {
      state.remark(.notSimulated("I-frame playlists are not loaded"), line)
    }
    playlist.iFrameVariants.append(variant)
  }

  private mutating func readRendition(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let kind = list.enumerated("TYPE", as: RenditionKind.self, .required)
    // §4.4.6.1: URI is REQUIRED for subtitles, INSTREAM-ID for closed captions.
    let rendition = PlaylistRendition(
      kind: kind ?? .audio, group: list.quoted("GROUP-ID", .required) ?? "",
      name: list.quoted("NAME", .required) ?? "",
      uri: list.quoted("URI", kind == .subtitles ? .required : .optional),
      language: list.quoted("LANGUAGE"), associatedLanguage: list.quoted("ASSOC-LANGUAGE"),
      isDefault: list.flag("DEFAULT"), isAutoselect: list.flag("AUTOSELECT"),
      isForced: list.flag("FORCED"),
      inStreamIdentifier: list.quoted(
        "INSTREAM-ID", kind == .closedCaptions ? .required : .optional),
      characteristics: commaSeparated(list.quoted("CHARACTERISTICS")),
      channels: commaSeparated(list.quoted("CHANNELS"), by: "/"),
      bitDepth: list.integer("BIT-DEPTH"), sampleRate: list.integer("SAMPLE-RATE"),
      stableIdentifier: list.quoted("STABLE-RENDITION-ID"), line: line.number)
    guard state.accept(list, after: playlist.renditions.count, of: "renditions") else { return }
    judge(rendition)
    if kind == .video, !playlist.renditions.contains(where: { $0.kind == .video }) {
      state.remark(.notSimulated("VIDEO renditions are not loaded"), line)
    }
    playlist.renditions.append(rendition)
  }

  private mutating func judge(_ rendition: PlaylistRendition) {
    if rendition.kind == .closedCaptions, rendition.uri != nil {
      remark("closed captions are in the video and must not have a URI", rendition)
    }
    if rendition.kind != .closedCaptions, rendition.inStreamIdentifier != nil {
      remark("INSTREAM-ID is for closed captions", rendition)
    }
    if rendition.kind != .subtitles, rendition.isForced {
      remark("FORCED is for subtitles", rendition)
    }
  }

  private mutating func readSessionData(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    _ = list.quoted("DATA-ID", .required)
    let value = list.quoted("VALUE")
    let uri = list.quoted("URI")
    _ = list.quoted("LANGUAGE")
    _ = list.enumerated("FORMAT", as: SessionDataFormat.self)
    // §4.4.6.4: "Each EXT-X-SESSION-DATA tag MUST contain either a VALUE or URI attribute, but not
    // both."
    if (value == nil) == (uri == nil) {
      list.remark(.tagIgnored("it needs either VALUE or URI"))
    }
    _ = state.accept(list)
  }

  private mutating func readSessionKey(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    let key = list.encryptionKey()
    // §4.4.6.5: "The value of the METHOD attribute MUST NOT be NONE."
    if key?.method == EncryptionMethod.none {
      list.remark(.tagIgnored("the method of a session key must not be NONE"))
    }
    guard state.accept(list, after: playlist.sessionKeys.count, of: "session keys"),
      let key, key.method != .none
    else { return }
    playlist.sessionKeys.append(key)
    playlist.sessionKeyLines.append(line.number)
  }

  private mutating func readContentSteering(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &state)
    _ = list.quoted("SERVER-URI", .required)
    _ = list.quoted("PATHWAY-ID")
    if state.accept(list) {
      state.remark(.notSimulated("content steering changes no pathway"), line)
    }
  }

  // §4.4.6.2: the value of AUDIO, VIDEO and so on "MUST match the value of the GROUP-ID attribute
  // of an EXT-X-MEDIA tag elsewhere in the Multivariant Playlist".
  private mutating func judgeGroupReferences() {
    let groups = Set(playlist.renditions.map { RenditionGroup(kind: $0.kind, name: $0.group) })
    for variant in playlist.variants {
      for group in RenditionKind.allCases.compactMap(variant.group) where !groups.contains(group) {
        state.journal.remark(
          .unmatchedGroup(attribute: group.kind.rawValue, group: group.name), line: variant.line,
          tag: .variant)
      }
    }
  }

  // §4.4.6.1.1: "All EXT-X-MEDIA tags in the same Group MUST have different NAME attributes. A
  // Group MUST NOT have more than one member with a DEFAULT attribute of YES."
  private mutating func judgeGroupMembers() {
    var names: Set<[String]> = []
    var defaults: Set<[String]> = []
    for rendition in playlist.renditions {
      let group = [rendition.kind.rawValue, rendition.group]
      if !names.insert(group + [rendition.name]).inserted {
        remark("another member of the group has the same name", rendition)
      }
      if rendition.isDefault, !defaults.insert(group).inserted {
        remark("another member of the group is the default", rendition)
      }
    }
  }

  private mutating func remark(_ rule: String, _ rendition: PlaylistRendition) {
    state.journal.remark(.rule(rule), line: rendition.line, tag: .rendition)
  }
}

extension AttributeList {
  /// The attributes that EXT-X-STREAM-INF and EXT-X-I-FRAME-STREAM-INF share.
  fileprivate mutating func variant() -> PlaylistVariant {
    var variant = PlaylistVariant()
    variant.line = line.number
    variant.bandwidth = integer("BANDWIDTH", .required) ?? 0
    variant.averageBandwidth = integer("AVERAGE-BANDWIDTH")
    variant.score = decimal("SCORE", places: 6)
    variant.codecs = commaSeparated(quoted("CODECS"))
    variant.supplementalCodecs = commaSeparated(quoted("SUPPLEMENTAL-CODECS"))
    variant.resolution = resolution("RESOLUTION")
    variant.copyProtection = enumerated("HDCP-LEVEL", as: CopyProtection.self)
    _ = quoted("ALLOWED-CPC")
    variant.videoRange = enumerated("VIDEO-RANGE", as: VideoRange.self) ?? .standard
    _ = quoted("REQ-VIDEO-LAYOUT")
    variant.videoGroup = quoted("VIDEO")
    variant.pathway = quoted("PATHWAY-ID")
    variant.stableIdentifier = quoted("STABLE-VARIANT-ID")
    variant.name = quoted("NAME")
    return variant
  }
}

/// The items of a list within a quoted string, without white space around them.
private func commaSeparated(_ text: String?, by separator: Unicode.Scalar = ",") -> [String] {
  Array((text ?? "").utf8).split(separator: UInt8(ascii: separator)).map {
    String(decoding: trimmed($0), as: UTF8.self)
  }
}

private enum SessionDataFormat: String {
  case json = "JSON"
  case raw = "RAW"
}

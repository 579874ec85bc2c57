import LinkConditioner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension Decode {
  /// HTTP Live Streaming: real playlists, or a ladder and how its playlists and keys travel.
  static func stream(_ node: DocumentNode, _ shelf: FileShelf) -> StreamSettings? {
    node.object { object in
      if object.has("playlists") { return realPlaylists(&object, shelf) }
      let key = object.optional("key", as: keyPart)
      let live = object.optional("live", as: Decode.live)?.over(LiveTags(), from: nil)
      let description = ladderDescription(&object, key, live)
      let order = object.child("order")
      let size = object.optional("playlistBytes", as: fileBytes)
      if object.has("playlistBytes"), live?.tags.canSkipUntil != nil {
        object.refuse(
          key: "playlistBytes", "a delta update is as large as its text",
          expected: "no size beside “canSkipUntil”")
      }
      let encoding = object.optional("gzip", default: .plain, as: gzip)
      let padding = object.optional("audioPadding", as: encoderPadding)
      guard let description, var presentation = presentation(description, node) else { return nil }
      if let order { presentation = ordered(presentation, order) ?? presentation }
      if let start = live?.tags.start { presentation.setStart(start) }
      if let size { presentation.setPlaylistBytes(size) }
      var settings = StreamSettings(
        presentation: presentation, playlistEncoding: encoding,
        keyExchange: KeyExchange(thinkTime: key?.thinkTime ?? .zero))
      if let live {
        settings.live = live.stream(of: presentation)
        settings.live?.playlistBytes = size
      }
      settings.encoderPadding = padding
      return settings
    }
  }

  private static func realPlaylists(
    _ object: inout DocumentObject, _ shelf: FileShelf
  ) -> StreamSettings? {
    if object.has("ladder") {
      object.refuse(
        key: "ladder", "cannot stand beside “playlists”", expected: "only one of the two")
    }
    let node = object.child("playlists")
    let presentation = object.required("playlists", as: PlaylistDecoding(shelf: shelf).presentation)
    let order = object.child("order")
    let encoding = object.optional("gzip", default: .plain, as: gzip)
    let keys = object.optional("live", as: Decode.live)
    guard var presentation else { return nil }
    if let order { presentation = ordered(presentation, order) ?? presentation }
    let live = keys?.over(presentation.liveTags, from: node)
    if let live { presentation.start = live.tags.start }
    if let part = live?.tags.partDuration {
      for index in presentation.lists.indices { presentation.lists[index].partDuration = part }
    }
    var settings = StreamSettings(presentation: presentation, playlistEncoding: encoding)
    settings.live = live?.stream(of: presentation)
    return settings
  }

  private static func ladderDescription(
    _ object: inout DocumentObject, _ key: KeyPart?, _ live: LivePart?
  ) -> LadderDescription? {
    let rungs = object.exactlyOne(of: [("ladder", ladder), ("playlists", { _ in nil })])
    let duration = object.required("duration", as: mediaDuration)
    let segmentDuration = object.optional("segmentDuration", as: mediaDuration)
    let sizes = object.optional("sizes", default: .constant, as: ladderSizes)
    let audio = object.optional("audio", as: list(of: ladderAudio))
    let subtitles = object.optional("subtitles", as: list(of: ladderSubtitles))
    guard let rungs, let duration else { return nil }
    var description = rungs.description(duration, sizes)
    if let segmentDuration { description.segmentDuration = segmentDuration }
    if let audio { description.audio = audio }
    if let subtitles { description.subtitles = subtitles }
    description.partDuration = live?.tags.partDuration
    if let key {
      description.encryption = LadderEncryption(
        key: EncryptionKey(method: .sampleAES, uri: "skd://key"), isAnnounced: key.isAnnounced)
    }
    return description
  }

  /// Where the arithmetic of a ladder says no, its own words say why.
  private static func presentation(
    _ description: LadderDescription, _ node: DocumentNode
  ) -> Presentation? {
    let lists = Int64(
      description.rungs.count + description.audio.count + description.subtitles.count)
    let length = Int128(description.duration.nanoseconds)
    let segments = length / Int128(description.segmentDuration.nanoseconds) + 1
    guard segments * Int128(lists) <= Int128(ScenarioLimits.mostSegments) else {
      node.refuse(
        "the playlists have too many segments",
        expected: "at most \(ScenarioLimits.mostSegments) in all of them together")
      return nil
    }
    do throws(LadderFault) {
      return try Presentation(description)
    } catch {
      node.refuse(error.message)
      return nil
    }
  }
}

// MARK: - The ladder

/// The rungs of a stream, by the name of their ladder or one by one.
private enum LadderPart {
  case named(NamedLadder)
  case listed([LadderRung])

  func description(_ duration: MediaTime, _ sizes: LadderSizes) -> LadderDescription {
    switch self {
    case .named(let ladder): ladder.description(duration: duration, sizes: sizes)
    // HLS authoring specification 7.5: segments of 6 s.
    case .listed(let rungs):
      LadderDescription(
        rungs: rungs, segmentDuration: .seconds(6), duration: duration, sizes: sizes)
    }
  }
}

extension Decode {
  static let ladderNames: [(word: String, value: NamedLadder)] = [
    ("talk", .talk), ("appleH264", .appleH264), ("appleHEVC", .appleHEVC), ("tree", .tree),
  ]

  private static func ladder(_ node: DocumentNode) -> LadderPart? {
    if case .array = node.value.content {
      return list(atLeast: 1, of: rung)(node).map { .listed($0) }
    }
    return choice(ladderNames)(node).map { .named($0) }
  }

  private static func rung(_ node: DocumentNode) -> LadderRung? {
    node.object { object in
      let rate = object.required("bitrate", as: ladderBitRate)
      let resolution = object.optional("resolution", as: pixelSize)
      let codecs = object.optional("codecs", default: [], as: list(of: nonEmptyText))
      let bytes = object.optional("segmentBytes", default: [], as: list(atLeast: 1, of: fileBytes))
      let audio = object.optional("audioBitrate", default: 0, as: ladderBitRate)
      let range = object.optional("videoRange", default: .standard, as: videoRange)
      return rate.map {
        LadderRung(
          resolution: resolution, bitRate: $0, audioBitRate: audio, codecs: codecs,
          videoRange: range, segmentBytes: bytes)
      }
    }
  }

  private static func ladderAudio(_ node: DocumentNode) -> LadderAudio? {
    node.object { object in
      let name = object.required("name", as: nonEmptyText)
      let language = object.optional("language", as: nonEmptyText)
      let rate = object.required("bitrate", as: ladderBitRate)
      let channels = object.optional("channels", default: 2, as: count(in: 1...64))
      let codec = object.optional("codec", default: "mp4a.40.2", as: audioCodec)
      let group = object.optional("group", default: "audio", as: nonEmptyText)
      let sampleRate = object.optional("sampleRate", as: count(in: 1...1_000_000))
      let bitDepth = object.optional("bitDepth", as: count(in: 1...64))
      guard let name, let rate else { return nil }
      return LadderAudio(
        group: group, name: name, language: language, bitRate: rate, codec: codec,
        channels: Int32(clamping: channels), sampleRate: sampleRate, bitDepth: bitDepth)
    }
  }

  private static func audioCodec(_ node: DocumentNode) -> String? {
    checked(nonEmptyText, expected: "a codec of sound, such as “mp4a.40.5” or “ec-3”") {
      CodecFamily($0).isAudio
    }(node)
  }

  /// The samples that the encoder of the sound added.
  private static func encoderPadding(_ node: DocumentNode) -> EncoderPadding? {
    node.object { object in
      let samples = count(in: 0...1_000_000)
      let priming = object.optional("priming", default: 0, as: samples)
      let remainder = object.optional("remainder", default: 0, as: samples)
      let rate = object.required("sampleRate", as: count(in: 1...1_000_000))
      let isEdited = object.required("editList", as: boolean)
      guard let rate, let isEdited else { return nil }
      return EncoderPadding(
        priming: priming, remainder: remainder, sampleRate: rate, hasEditList: isEdited)
    }
  }

  private static func ladderSubtitles(_ node: DocumentNode) -> LadderSubtitles? {
    node.object { object in
      let name = object.required("name", as: nonEmptyText)
      let language = object.optional("language", as: nonEmptyText)
      let rate = object.optional("bitrate", default: 1_000, as: ladderBitRate)
      return name.map { LadderSubtitles(name: $0, language: language, bitRate: rate) }
    }
  }

  private static func ladderSizes(_ node: DocumentNode) -> LadderSizes? {
    guard case .object = node.value.content else { return choice([("constant", .constant)])(node) }
    return node.object { object in
      let peak = object.required("peak", as: wholePercent(in: 100...1_000))
      let seed = object.optional("seed", default: 0, as: Decode.seed)
      return peak.map { .variable(seed: seed, peakPercent: $0) }
    }
  }

  private static func ladderBitRate(_ node: DocumentNode) -> Int64? {
    wholeBitRate(in: 1...1_000_000_000_000, "a whole bit rate from 1 bit/s to 1000 Gbit/s")(node)
  }
}

// MARK: - Playlists and keys

extension Decode {
  /// A key for the whole presentation.
  private struct KeyPart {
    var isAnnounced: Bool
    var thinkTime: TimeSpan
  }

  private static func keyPart(_ node: DocumentNode) -> KeyPart? {
    node.object { object in
      let isAnnounced = object.required("announced", as: boolean)
      let thinkTime = object.optional("thinkTime", default: .zero, as: runSpan)
      return isAnnounced.map { KeyPart(isAnnounced: $0, thinkTime: thinkTime) }
    }
  }

  private static func gzip(_ node: DocumentNode) -> PlaylistEncoding? {
    wholePercent(in: 1...100)(node).map { .gzip(percent: $0) }
  }

  /// The variants in another order: Option A and Option B of the talk.
  private static func ordered(
    _ presentation: Presentation, _ node: DocumentNode
  ) -> Presentation? {
    guard case .object = node.value.content else {
      return choice([("listed", presentation), ("fromHighest", presentation.sortedFromHighest())])(
        node)
    }
    let last = Int64(presentation.variants.count - 1)
    return node.object { object in
      let screen = object.exactlyOne(of: [
        ("first", { count(in: 0...last)($0).map { OrderPart.first(Int($0)) } }),
        ("acceptableOn", { pixelSize($0).map { OrderPart.acceptable(on: $0) } }),
      ])
      let least = object.optional(
        "leastShare", default: 50, as: wholePercent(in: 1...100))
      let rate = object.optional("lastBitrate", as: bitRateLimit)
      return screen?.applied(to: presentation, leastPercent: least, lastBitRate: rate)
    }
  }
}

/// Which variant comes first.
private enum OrderPart {
  case first(Int)
  /// What an app chooses for a screen.
  case acceptable(on: PixelSize)

  func applied(
    to presentation: Presentation, leastPercent: Int64, lastBitRate: Int64?
  ) -> Presentation {
    switch self {
    case .first(let index): return presentation.preferring(index)
    case .acceptable(let screen):
      let policy = AcceptableStart(
        screen: screen, leastPercent: leastPercent, lastBitRate: lastBitRate)
      return presentation.variant(startingAt: policy).map(presentation.preferring) ?? presentation
    }
  }
}

extension Presentation {
  fileprivate mutating func setStart(_ point: StartPoint) {
    start = point
    playlistBytes = Int64(multivariantText().utf8.count)
  }

  fileprivate mutating func setPlaylistBytes(_ bytes: Int64) {
    playlistBytes = bytes
    for index in lists.indices { lists[index].playlistBytes = bytes }
  }
}

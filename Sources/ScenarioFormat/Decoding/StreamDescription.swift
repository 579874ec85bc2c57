import ExactText
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// Decoded keys of HTTP Live Streaming: real playlists, or a ladder, and the transport of its
/// playlists and keys.
struct StreamDescription {
  var ladder: LadderChoice?
  /// Read when the rest is known.
  var playlists: DocumentNode?
  var duration: MediaTime?
  var segmentDuration: MediaTime?
  var sizes = LadderSizes.constant
  var audio: [LadderAudio]?
  var subtitles: [LadderSubtitles]?
  var key: ContentKeyDescription?
  var playlistBytes: Int64?
  var padding: EncoderPadding?
  var order = VariantOrder.listed
  var encoding = PlaylistEncoding.plain
  var live: LiveDescription?
  var hasPlaylists = false
  var isInterleaved = false
  var seenSizes: [SeenSegmentSizes] = []

  static let form = KeyTable<Self>(
    "stream", "A presentation of playlists and segments: a ladder, or real playlists."
  ) {
    Key.oneOf(
      "ladder", { $0.ladder = $1 }, LadderChoice.form,
      "The variants in playlist order: a known ladder, or rung by rung."
    ).needing("duration")
    Key.oneOf(
      "playlists", { $0.playlists = $1 }, .later(.text("playlists/parts")),
      "Real playlists instead of a ladder: a multivariant or a media playlist, or a folder with "
        + "a master.m3u8; the path begins where the scenario lies.")
    Key.optional(
      "duration", { $0.duration = $1 }, Form.mediaDuration.examples("2 s").orNothing,
      notBeside: "playlists", "Duration, at most 30 days.")
    Key.optional(
      "segmentDuration", { $0.segmentDuration = $1 }, .mediaDuration.examples("4 s"),
      notBeside: "playlists", "The length of a segment; that of the known ladder, or 6 s.")
    Key.optional(
      "sizes", { $0.sizes = $1 }, LadderSizes.form, absent: "constant",
      notBeside: "playlists", "Distribution of bytes over segments.")
    Key.optional(
      "audio", { $0.audio = $1 }, .list(of: LadderAudio.form), notBeside: "playlists",
      "Separate audio renditions, instead of those of the known ladder; an empty list has audio "
        + "muxed in. An audio-only rung is one of them, at its bit rate.")
    Key.optional(
      "subtitles", { $0.subtitles = $1 }, .list(of: LadderSubtitles.form),
      notBeside: "playlists",
      "Subtitles, each with a playlist of its own.")
    Key.optional(
      "key", { $0.key = $1 }, ContentKeyDescription.form, notBeside: "playlists",
      "A content key for all segments.")
    Key.optional(
      "playlistBytes", { $0.playlistBytes = $1 }, .bytes, notBeside: "playlists",
      "The size of every playlist; by default that of its text.")
    Key.optional(
      "audioPadding", { $0.padding = $1 }, EncoderPadding.form, notBeside: "playlists",
      "Encoder delay before the sound's start, and padding after its end.")
    Key.optional(
      "segmentBytes", { $0.seenSizes = $1 }, .list(of: SeenSegmentSizes.form),
      absent: [], notBeside: "ladder",
      "Sizes of the segments of real playlists, such as a log has them, instead of what the "
        + "playlists say.")
    Key.optional(
      "order", { $0.order = $1 }, VariantOrder.form, absent: "listed",
      "The order of the variants in the multivariant playlist.")
    Key.optional(
      "gzip", { $0.encoding = .gzip(percent: $1) }, .percent(in: 1...100),
      "Playlists travel compressed to this share of their size.")
    Key.optional(
      "playlistsAreThere", { $0.hasPlaylists = $1 }, .boolean, absent: false, notBeside: "live",
      "Whether the player has all playlists before it begins, so that the first request is for a "
        + "segment, as in simulators that know no playlists.")
    Key.optional(
      "interleaved", { $0.isInterleaved = $1 }, .boolean, absent: false,
      "Whether audio and video are interleaved in a segment, as in a transport stream: a player "
        + "with interleavedFrom in its streamFetch then counts received parts of a segment.")
    Key.optional(
      "live", { $0.live = $1 }, LiveDescription.form,
      "Live publishing; the stream ends when its whole duration is encoded. Live tags of real "
        + "playlists count unless a key here overrides them; null ignores them.")
  }.form(StreamDescription()) { part, object in
    object.has("playlists") ? part.realPlaylists(&object) : part.ladder(&object)
  }

  private func realPlaylists(_ object: inout DocumentObject) -> StreamSettings? {
    guard let playlists,
      var presentation = PlaylistDecoding(shelf: playlists.shelf).presentation(playlists)
    else { return nil }
    for (place, sizes) in seenSizes.enumerated()
    where !sizes.apply(to: &presentation, playlists.shelf) {
      object.refuse(
        key: "segmentBytes", "no media playlist is called \(quotation(of: sizes.playlist))",
        expected: "in number \(place + 1) the path of one, as it is seen from the scenario")
    }
    presentation = order.applied(to: presentation) ?? presentation
    presentation.isInterleaved = isInterleaved
    let live = self.live?.over(presentation.liveTags, from: playlists)
    if let live { presentation.start = live.tags.start }
    if let part = live?.tags.partDuration {
      for index in presentation.lists.indices { presentation.lists[index].partDuration = part }
    }
    return settings(presentation, live)
  }

  private func ladder(_ object: inout DocumentObject) -> StreamSettings? {
    let live = self.live?.over(LiveTags(), from: nil)
    if object.has("playlistBytes"), live?.tags.canSkipUntil != nil {
      object.refuse(
        key: "playlistBytes", "a delta update is as large as its text",
        expected: "no size beside “canSkipUntil”")
    }
    guard let ladder,
      var presentation = presentation(
        description(ladder, duration ?? standIn(for: ladder), live?.tags.partDuration),
        object.node)
    else { return nil }
    presentation = order.applied(to: presentation) ?? presentation
    presentation.isInterleaved = isInterleaved
    if let start = live?.tags.start {
      presentation.start = start
      presentation.playlistBytes = Int64(presentation.multivariantText().utf8.count)
    }
    if let bytes = playlistBytes {
      presentation.playlistBytes = bytes
      for index in presentation.lists.indices { presentation.lists[index].playlistBytes = bytes }
    }
    return settings(presentation, live)
  }

  private func settings(_ presentation: Presentation, _ live: LiveDescription?) -> StreamSettings {
    var settings = StreamSettings(
      presentation: presentation, playlistEncoding: encoding,
      keyExchange: KeyExchange(thinkTime: key?.thinkTime ?? .zero),
      live: live?.stream(of: presentation))
    settings.encoderPadding = padding
    settings.hasPlaylists = hasPlaylists
    settings.live?.playlistBytes = playlistBytes
    return settings
  }

  /// Replaces a wrong, reported duration: so long that nothing else seems wrong because of it.
  private func standIn(for ladder: LadderChoice) -> MediaTime {
    let any = description(ladder, .seconds(1), nil)
    let lists = Int64(any.rungs.count + any.audio.count + any.subtitles.count)
    let segments = min(10_000, ScenarioLimits.mostSegments / max(1, lists) - 1)
    return MediaTime(
      nanoseconds: Int64(
        min(
          Int128(ScenarioLimits.longestMedia.nanoseconds),
          Int128(any.segmentDuration.nanoseconds) * Int128(max(1, segments)))))
  }

  private func description(
    _ ladder: LadderChoice, _ duration: MediaTime, _ partDuration: MediaTime?
  ) -> LadderDescription {
    var description = ladder.description(duration, sizes)
    if let segmentDuration { description.segmentDuration = segmentDuration }
    if let audio { description.audio = audio }
    if let subtitles { description.subtitles = subtitles }
    description.partDuration = partDuration
    if let key {
      description.encryption = LadderEncryption(
        key: EncryptionKey(method: .sampleAES, uri: "skd://key"), isAnnounced: key.isAnnounced)
    }
    return description
  }

  /// Builds the presentation of a ladder; a `LadderFault` is reported with its own message.
  private func presentation(
    _ description: LadderDescription, _ node: DocumentNode
  ) -> Presentation? {
    let lists = Int64(
      description.rungs.count + description.audio.count + description.subtitles.count)
    let length = Int128(description.duration.nanoseconds)
    let segments = length / Int128(description.segmentDuration.nanoseconds) + 1
    guard segments * Int128(lists) <= Int128(ScenarioLimits.mostSegments) else {
      return node.refuse(
        "the playlists have too many segments",
        expected: "at most \(ScenarioLimits.mostSegments) in all of them together")
    }
    do throws(LadderFault) {
      return try Presentation(description)
    } catch {
      guard case .partDurationOutOfRange = error,
        let part = node.member("live")?.member("parts")?.member("duration")
      else { return node.refuse(error.message) }
      let segment = decimalText(description.segmentDuration.nanoseconds, places: 9)
      return part.refuse(error.message, expected: "10 ms to \(segment) s")
    }
  }
}

/// Sizes of the segments of a playlist, null where they are not known.
struct SeenSegmentSizes {
  var playlist = ""
  var bytes: [Int64?] = []
  var maps: [Int64?] = []

  static let form = KeyTable<Self>("segmentBytes", "Sizes of the segments of a playlist.") {
    Key.required(
      "playlist", { $0.playlist = $1 }, .text("film/video.m3u8"),
      "The media playlist, by its path from where the scenario lies.")
    Key.optional(
      "bytes", { $0.bytes = $1 }, .list(of: .nullable(.bytes)),
      "The size of each segment from the first on; null leaves it as the playlist has it.")
    Key.optional(
      "maps", { $0.maps = $1 }, .list(of: .nullable(.bytes)),
      "The size of each initialization section in the order of the playlist.")
  }.form(SeenSegmentSizes())

  /// False where no playlist has the name.
  func apply(to presentation: inout Presentation, _ shelf: FileShelf) -> Bool {
    var isFound = false
    for list in presentation.lists.indices {
      guard let path = URIReference(presentation.lists[list].uri).filePath,
        isSameText(path, playlist)
      else { continue }
      isFound = true
      if bytes.count > presentation.lists[list].segments.count {
        let words = "“segmentBytes” has more sizes than there are segments"
        shelf.note(words, of: playlist, at: playlist)
      }
      for (index, size) in zip(presentation.lists[list].segments.indices, bytes) {
        guard let size else { continue }
        presentation.lists[list].segments[index].bytes = size
        presentation.lists[list].segments[index].sizeSource = .stated
      }
      for (index, size) in zip(presentation.lists[list].maps.indices, maps) {
        presentation.lists[list].maps[index].bytes =
          size ?? presentation.lists[list].maps[index].bytes
      }
    }
    return isFound
  }
}

struct ContentKeyDescription {
  var isAnnounced = false
  var thinkTime = TimeSpan.zero

  static let form = KeyTable<Self>("contentKey", "A content key.") {
    Key.required(
      "announced", { $0.isAnnounced = $1 }, .boolean,
      "Whether the multivariant playlist has it already.")
    Key.optional(
      "thinkTime", { $0.thinkTime = $1 }, .span, absent: "0 s", "Response time of the key server.")
  }.form(ContentKeyDescription())
}

/// The order of the variants: Option A and Option B of the talk.
enum VariantOrder {
  case listed
  case fromHighest
  /// The variant that is put first, which there has to be.
  case first(DocumentNode)
  case acceptable(AcceptableStart)

  static let form = Form.object(
    OrderDescription.form,
    or: Form<Bool>.words([("listed", false), ("fromHighest", true)])
      .map { $0 ? VariantOrder.fromHighest : .listed })

  /// The variants in this order; nil where it names one that is not there, which is reported.
  func applied(to presentation: Presentation) -> Presentation? {
    switch self {
    case .listed: return presentation
    case .fromHighest: return presentation.sortedFromHighest()
    case .first(let node):
      return Decode.whole(node, in: 0...Int64(presentation.variants.count - 1))
        .map { presentation.preferring(Int($0)) }
    case .acceptable(let start):
      return presentation.variant(startingAt: start).map(presentation.preferring) ?? presentation
    }
  }
}

private struct OrderDescription {
  var first: DocumentNode?
  var screen: PixelSize?
  var leastPercent: Int64 = 50
  var lastBitRate: Int64?

  static let form = KeyTable<Self>("order", "The variant that is listed first.") {
    Key.oneOf(
      "first", { $0.first = $1 }, .later(.whole(from: 0, through: nil)),
      "The variant that is put first, from 0.")
    Key.oneOf(
      "acceptableOn", { $0.screen = $1 }, .pixels,
      "The screen for which an app puts the least acceptable variant first, or the highest above "
        + "it that the last bit rate sustains.")
    Key.optional(
      "leastShare", { $0.leastPercent = $1 }, .percent(in: 1...100).examples("50 %"),
      absent: "50 %", "Least acceptable share of each side of the screen.")
    Key.optional(
      "lastBitrate", { $0.lastBitRate = $1 }, .bitRateLimit,
      "Throughput observed by the previous playback.")
  }.form(OrderDescription()) { part, _ -> VariantOrder? in
    if let first = part.first { return .first(first) }
    return part.screen.map {
      .acceptable(
        AcceptableStart(screen: $0, leastPercent: part.leastPercent, lastBitRate: part.lastBitRate))
    }
  }
}

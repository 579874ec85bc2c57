extension Schema {
  /// A ladder or real playlists, and how they travel.
  static var stream: Schema { anyOf([object(ladderKeys), object(playlistKeys)]) }

  private static var playlistKeys: [SchemaKey] {
    [
      .required(
        "playlists", text("playlists/parts"),
        "Real playlists instead of a ladder: a multivariant playlist, a media playlist alone, or a "
          + "folder with a master.m3u8; the path begins where the scenario lies.")
    ]
      + travelKeys(
        SchemaKey("duration", partDuration, "The length of a part; PART-TARGET as a rule."))
  }

  private static var ladderKeys: [SchemaKey] {
    [
      .required(
        "ladder", anyOf([words(Decode.ladderNames.map { $0.word }), list(of: rung, atLeast: 1)]),
        "The variants in playlist order: a known ladder, or rung by rung."),
      .required("duration", time.examples("2 s"), "How long it plays, at most 30 days."),
      SchemaKey(
        "segmentDuration", time.examples("4 s"),
        "The length of a segment; that of the known ladder, or 6 s."),
      SchemaKey("sizes", sizes, "How bytes are spread over segments; constant as a rule."),
      SchemaKey(
        "audio", list(of: audio),
        "Separate audio renditions, instead of those of the known ladder; an empty list has audio "
          + "muxed in. A rung of sound alone is one of them, and has its bit rate."),
      SchemaKey("subtitles", list(of: subtitles), "Subtitles, each with a playlist of its own."),
      SchemaKey("key", key, "A content key for all segments."),
      SchemaKey(
        "playlistBytes", reference("size"),
        "The size of every playlist; as large as its text unless said otherwise."),
      SchemaKey(
        "audioPadding", audioPadding,
        "What the encoder added to the sound before its start and after its end."),
    ] + travelKeys(.required("duration", partDuration, "The length of a part."))
  }

  private static func travelKeys(_ partDuration: SchemaKey) -> [SchemaKey] {
    [
      SchemaKey(
        "order",
        anyOf([
          words(["listed", "fromHighest"]),
          object([.required("first", integer(from: 0), "The variant that is put first, from 0.")]),
          acceptable,
        ]),
        "The order of the variants in the multivariant playlist; as listed unless said otherwise."),
      SchemaKey(
        "gzip", percent("30 %"), "Playlists travel compressed to this share of their size."),
      SchemaKey(
        "live", live(partDuration),
        "The stream comes into being while it is watched; it ends when all of its duration is "
          + "encoded. What real playlists say of live serving counts where no key here says "
          + "otherwise; null takes it away."),
    ]
  }

  private static let rung = object([
    .required("bitrate", reference("bitRate"), "The average bit rate."),
    SchemaKey("resolution", pixels, "The size of the picture."),
    SchemaKey("codecs", list(of: text("avc1.64001f")), "What it is coded with."),
    SchemaKey(
      "segmentBytes",
      list(of: reference("size"), atLeast: 1).examples(
        .array([JSONValue(.string("250 KB"))])),
      "The size of each of its segments, sound included, instead of what the bit rate makes."),
    SchemaKey(
      "audioBitrate", reference("bitRate"), "The average bit rate of the sound that is muxed in."),
    SchemaKey("videoRange", videoRange, "The range of its picture; SDR unless said otherwise."),
  ])

  private static let videoRange = words(Decode.videoRangeWords.map { $0.word })

  private static let acceptable = object([
    .required(
      "acceptableOn", pixels,
      "The screen for which an app puts the least acceptable variant first, or the highest above "
        + "it that the last bit rate sustains."),
    SchemaKey(
      "leastShare", percent("50 %"),
      "How much of each side of the screen is acceptable; 50 % unless said otherwise."),
    SchemaKey("lastBitrate", reference("bitRate"), "What the previous playback observed."),
  ])

  private static let subtitles = object([
    .required("name", text("English"), "What they are called."),
    SchemaKey("language", text("en"), "Their language."),
    SchemaKey("bitrate", reference("bitRate"), "The average bit rate; 1 kbit/s as a rule."),
  ])

  private static let audio = object([
    .required("name", text("Stereo"), "What it is called."),
    SchemaKey("language", text("en"), "Its language."),
    .required("bitrate", reference("bitRate"), "The average bit rate."),
    SchemaKey("channels", integer(from: 1, through: 64), "How many; 2 unless said otherwise."),
    SchemaKey(
      "codec", text("mp4a.40.5"), "What it is coded with; mp4a.40.2 unless said otherwise."),
    SchemaKey(
      "group", text("surround"),
      "Every rung is offered once with each group; all are of one unless said otherwise."),
    SchemaKey("sampleRate", integer(from: 1, through: 1_000_000), "In samples a second."),
    SchemaKey("bitDepth", integer(from: 1, through: 64), "In bits a sample."),
  ])

  private static let audioPadding = object([
    SchemaKey(
      "priming", integer(from: 0, through: 1_000_000), "Samples before the start; 0 as a rule."),
    SchemaKey(
      "remainder", integer(from: 0, through: 1_000_000), "Samples after the end; 0 as a rule."),
    .required("sampleRate", integer(from: 1, through: 1_000_000), "In samples a second."),
    .required("editList", boolean, "Whether an edit list says which they are, so they are cut."),
  ])

  private static let sizes = anyOf([
    constant("constant"),
    object([
      .required("peak", percent("150 %"), "The peak, as a share of the average from 100 % up."),
      SchemaKey("seed", integer(from: 0), "The seed of the sizes; 0 as a rule."),
    ]),
  ])

  private static func live(_ partDuration: SchemaKey) -> Schema {
    object(
      liveKeys + [
        SchemaKey(
          "parts", nullable(parts(partDuration)),
          "Low latency: segments are published part by part.")
      ])
  }

  private static let liveKeys = [
    SchemaKey(
      "window", time.examples("36 s"),
      "How much media a playlist lists, at least three target durations; six segments as a rule, "
        + "more where real playlists hold clients back farther."),
    SchemaKey(
      "playlistType", words(["sliding", "event"]),
      "Whether old segments leave the playlist: they do, unless it is an event's."),
    SchemaKey(
      "keepsRemovedSegments", time.examples("42 s"),
      "How long a segment stays when it has left the playlist, and is not found after that; as a "
        + "rule as long as it lasts itself and the longest playlist that had it."),
    SchemaKey(
      "startsWith", time.examples("4 s"),
      "How much media there is when the run begins; a whole window as a rule."),
    SchemaKey(
      "encoderStops", list(of: encoderStop), "When the encoder stands still, and for how long."),
    SchemaKey(
      "stalePlaylists", list(of: stalePlaylist),
      "When the playlist of a variant is not renewed, though the encoder goes on; a blocking "
        + "reload passes that by."),
    SchemaKey(
      "holdBack", nullable(time.examples("40 s")),
      "HOLD-BACK: how far from the end clients should play; three target durations without."),
    SchemaKey(
      "canSkipUntil", nullable(time.examples("1 min")),
      "CAN-SKIP-UNTIL: delta updates leave out what lies farther from the end, at least six target "
        + "durations; there are none without."),
    SchemaKey(
      "start",
      anyOf([
        reference("signedTime"),
        object([
          .required("offset", reference("signedTime"), "Where; from the end where negative."),
          SchemaKey("precise", boolean, "Whether within the segment as well."),
        ]), .null,
      ]), "EXT-X-START: where clients should begin, from the end where negative."),
  ]

  private static let stalePlaylist = object([
    .required(
      "variant", integer(from: 0), "Which, counted from 0 in the order of the playlist."),
    .required("from", time, "When it begins."),
    .required("for", time, "How long it lasts."),
  ])

  private static let encoderStop = object([
    .required("from", time, "When it begins."),
    .required("for", time, "How long it lasts."),
  ])

  private static let partDuration = time.examples("1 s")

  private static func parts(_ duration: SchemaKey) -> Schema { object([duration] + partKeys) }

  private static let partKeys = [
    SchemaKey(
      "holdBack", time.examples("3 s"),
      "PART-HOLD-BACK: how far from the end clients should play; three parts as a rule."),
    SchemaKey(
      "blockingReload", boolean,
      "Whether the server holds a playlist until it has something new; it does as a rule."),
    SchemaKey(
      "preloadHints", boolean,
      "Whether the next part is named, and may be asked for, before it is there; so as a rule."),
    SchemaKey(
      "renditionReports", boolean,
      "Whether each playlist says how far the others have got; it does as a rule."),
  ]

  private static let key = object([
    .required("announced", boolean, "Whether the multivariant playlist has it already."),
    SchemaKey("thinkTime", time, "How long the key server takes; no time as a rule."),
  ])

  /// A whole percentage, which has bounds that only the reader knows.
  private static func percent(_ example: String) -> Schema {
    pattern("^\(part(.percentage))$").examples(example)
  }

  private static let pixels = pattern("^[0-9]{1,5} *x *[0-9]{1,5}$").examples("1280x720")

  /// The layer that shows the picture.
  static let layer = object([
    .required("size", pixels, "Its width and height in points."),
    SchemaKey("scale", integer(from: 1, through: 10), "The scale of its contents; 1 as a rule."),
  ])

  static let variantKeys = [
    SchemaKey(
      "startsOnFirstEligibleVariant", boolean,
      "Whether a stream begins with the first eligible variant, as it always did before iOS 13."),
    SchemaKey(
      "preferredPeakBitRate", reference("bitRate"),
      "The most that a variant may need; zero sets no limit."),
    SchemaKey("preferredMaximumResolution", pixels, "The largest picture that is wanted."),
    SchemaKey(
      "preferredPeakBitRateForExpensiveNetworks", reference("bitRate"),
      "The same where the path is expensive; the smaller of the two rules."),
    SchemaKey(
      "preferredMaximumResolutionForExpensiveNetworks", pixels,
      "The same where the path is expensive; the smaller of the two rules."),
    SchemaKey(
      "codecs", list(of: words(Decode.codecFamilies.map { $0.word })),
      "What the device decodes; all of these unless said otherwise."),
    SchemaKey(
      "videoRanges", list(of: videoRange, atLeast: 1),
      "The ranges that the display shows; all of them unless said otherwise."),
    SchemaKey("audioLanguage", text("en"), "The language of the sound that is selected."),
    SchemaKey("subtitleLanguage", text("en"), "That of the subtitles; none unless said otherwise."),
    SchemaKey("layer", layer, "The layer that shows the picture; none unless said otherwise."),
    SchemaKey(
      "observedBitrate", reference("bitRate"),
      "What the previous playback observed: the start of a stream goes by it from iOS 13 on."),
    SchemaKey(
      "adaptation", words(["throughput", "fixed"]),
      "Which variant comes next: by throughput unless said otherwise, or always the first choice."),
    SchemaKey(
      "mediaTimeout", nullable(time),
      "A media file of which nothing comes for so long is given up; 15 s as a rule, null for never."
    ),
    SchemaKey(
      "variantRecovery", time,
      "When a variant that did not come is tried again; 30 s as a rule, and each time twice as "
        + "long."),
    SchemaKey(
      "preloadsKeys", boolean, "Whether content keys that are announced are fetched early."),
  ]
}

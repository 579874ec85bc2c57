extension Schema {
  static var media: Schema {
    object(
      [
        SchemaKey("local", reference("file"), "A file that is wholly there."),
        SchemaKey("progressive", reference("file"), "A file that is downloaded while it plays."),
        SchemaKey("hls", reference("stream"), "HTTP Live Streaming."),
      ],
      oneOf: [["local"], ["progressive"], ["hls"]])
  }

  static let mediaParts: [SchemaKey] = [
    SchemaKey(
      "file",
      object(
        [
          SchemaKey("duration", time.examples("2 s"), "How long it plays, at most 30 days."),
          SchemaKey("bitrate", reference("bitRate"), "A constant bit rate."),
          SchemaKey("size", reference("size"), "The size of all media, spread evenly."),
          SchemaKey(
            "sizesPerSecond",
            list(of: reference("size"), atLeast: 1)
              .examples(.array([JSONValue(.string("250 KB")), JSONValue(.string("90 KB"))])),
            "The size of each second of media; the last may last for less than one."),
          SchemaKey("headAtom", headAtom, "What must be read before anything can be played."),
          SchemaKey("tracks", tracks, "How long its tracks last, where they are uneven."),
        ],
        oneOf: [["duration", "bitrate"], ["duration", "size"], ["sizesPerSecond"]]),
      "A file of one rendition."),
    SchemaKey("stream", stream, "A presentation of playlists and segments."),
  ]

  private static var tracks: Schema {
    object([
      SchemaKey("video", trackLength, "As long as the file unless said otherwise."),
      SchemaKey("audio", trackLength, "As long as the file unless said otherwise."),
    ])
  }

  private static var trackLength: Schema {
    anyOf([
      time.examples("1.8 s"),
      object([
        .required("media", time.examples("2 s"), "What there is of media in it."),
        .required("editList", time.examples("1.8 s"), "What the edit list makes of it."),
      ]),
    ])
  }

  private static var headAtom: Schema {
    object([
      .required("size", reference("size"), "Its size, beside that of the media."),
      SchemaKey(
        "at", words(["front", "end"]),
        "Where it lies (front unless said otherwise); at the end it costs a further request."),
    ])
  }
}

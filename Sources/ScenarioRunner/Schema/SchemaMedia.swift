import StreamingMedia

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
          SchemaKey("tracks", list(of: track), "What is known of its tracks."),
        ],
        oneOf: [["duration", "bitrate"], ["duration", "size"], ["sizesPerSecond"]]),
      "A file of one rendition."),
    SchemaKey("stream", stream, "A presentation of playlists and segments."),
  ]

  private static var track: Schema {
    object([
      .required("kind", words(MediaTrack.Kind.allCases.map { $0.rawValue }), "What it is for."),
      .required("name", text("English"), "What it is called."),
      SchemaKey("language", text("en"), "Its language."),
      SchemaKey("colour", colour, "How its picture is to be understood."),
      SchemaKey(
        "duration", time.examples("1.8 s"), "How long it is, if not as long as the file."),
      SchemaKey(
        "editList", time.examples("1.7 s"), "How much of it is presented, by the edit list."),
    ])
  }

  static var colour: Schema {
    let names = ColourTriple.named.map { $0.name }
    return anyOf([words(names), pattern("^[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}$").examples("12-1-1")])
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

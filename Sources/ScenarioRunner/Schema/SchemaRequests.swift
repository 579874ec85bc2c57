extension Schema {
  static var requests: Schema {
    object([
      SchemaKey("http", words(["1.1", "2"]), "The version; 1.1 unless said otherwise."),
      SchemaKey(
        "connectionsPerHost", integer(from: 1, through: Decode.RequestLimits.mostConnections),
        "The most connections to a host with HTTP/1.1; 6 unless said otherwise."),
      SchemaKey(
        "tls", words(["none", "1.2", "1.3"]),
        "What securing a connection costs; nothing unless said otherwise."),
      SchemaKey(
        "idleTimeout", time, "How long a connection that nobody uses stays open; 60 s as a rule."),
      SchemaKey(
        "congestionControl", words(["cubic", "reno"]), "For tcp alone; cubic as a rule."),
      SchemaKey(
        "initialWindow", integer(from: 1, through: Decode.RequestLimits.largestInitialWindow),
        "The segments that may be under way before anything is heard, for tcp; 10 as a rule."),
      SchemaKey(
        "slowStartAfterIdle", boolean,
        "Whether a pause shrinks the window, for tcp; true unless said otherwise."),
      SchemaKey(
        "idleLink", words(["serialises", "passesAtOnce"]),
        "What happens to a packet that finds the link idle, for tcp; serialised as a rule."),
      SchemaKey(
        "lossPosition", words(["beforeQueue", "afterQueue"]),
        "Where packets are lost at random, for tcp; before the queue unless said otherwise."),
      SchemaKey(
        "timeouts",
        object([
          SchemaKey("firstByte", time, "From the request to the first byte of the response."),
          SchemaKey("idle", time, "Without a byte while the response is being read."),
          SchemaKey("whole", time, "From the request to the last byte."),
        ]),
        "How long the client waits before it gives a request up; for ever unless said otherwise."),
    ])
  }

  static var faults: Schema {
    let request = integer(from: 1, through: ScenarioLimits.mostEvents)
    let behind = object([
      .required("after", reference("size"), "How much of the body comes before.")
    ])
    return list(
      of: object(
        [
          SchemaKey(
            "status", integer(from: 400, through: 599), "The server answers with this error."),
          SchemaKey("reset", behind, "The connection is reset."),
          SchemaKey("stall", behind, "Nothing more comes."),
          SchemaKey("slowFirstByte", time, "The server thinks that much longer."),
          SchemaKey(
            "requests", anyOf([request, list(of: request, atLeast: 2, atMost: 2)]),
            "Which of the requests it is about, from 1: one, or the first and the last."),
          SchemaKey(
            "url", text("movie.mp4*"),
            "What the requests are called, * for anything: movie.mp4, and movie.mp4#head for a "
              + "head atom alone; leaked-1.mp4 of the first leaked player. In a stream what they "
              + "are for, such as mediaSegment, or where: video-2/segment14.m4s, "
              + "video-2/playlist.m3u8, audio-0/*."),
          SchemaKey("chance", reference("percentage"), "How likely it is; certain as a rule."),
        ], oneOf: [["status"], ["reset"], ["stall"], ["slowFirstByte"]]))
  }

  static var traffic: Schema {
    list(
      of: object([
        .required("name", text("updates"), "What the script calls it."),
        SchemaKey("from", time, "When it begins; at the start unless said otherwise."),
        SchemaKey("to", time, "When it is broken off; not before its bytes are there as a rule."),
        SchemaKey(
          "bytes", reference("size"), "How much each connection brings; without end as a rule."),
        SchemaKey(
          "connections", integer(from: 1, through: 100), "How many connections; one as a rule."),
      ]))
  }

  static var leakedPlayers: Schema {
    list(
      of: object([
        .required("media", media, "What it loads."),
        SchemaKey("from", time, "When it began to load; at the start unless said otherwise."),
      ]))
  }
}

extension Schema {
  static var assets: Schema {
    list(
      of: object([
        .required("name", text("film"), "What items call it."),
        .required("media", media, "What it is."),
      ]))
  }

  static var items: Schema {
    list(
      of: object([
        .required("name", text("clip"), "What the queue and the script call it."),
        SchemaKey(
          "asset", text("film"), "What it is made from; the scenario's media unless said otherwise."
        ),
        SchemaKey("startTime", time.examples("0.5 s"), "Where its playback begins."),
        SchemaKey("forwardPlaybackEndTime", endTime, "Where its playback ends."),
        SchemaKey(
          "copies", integer(from: 1, through: QueueDecoding.mostCopies),
          "How many items of the kind there are; 1 unless said otherwise."),
        SchemaKey(
          "ownAssets", boolean, "Whether each of them is made from an asset of its own."),
      ]))
  }

  static var queue: Schema { list(of: text("clip")) }

  static var looping: Schema {
    let ways = words(LoopingPlan.Way.allCases.map { $0.word })
    return anyOf([
      ways,
      object([
        .required("way", ways, "Who does it: the app in two ways, or AVPlayerLooper."),
        SchemaKey(
          "copies", integer(from: 3, through: 1_000), "How many items go round; 3 as a rule."),
        SchemaKey(
          "timeRange",
          list(of: time, atLeast: 2, atMost: 2).examples(
            .array([JSONValue(.string("0.5 s")), JSONValue(.string("1.5 s"))])),
          "The part of the media that a looper loops."),
        SchemaKey(
          "loopingItems", words(["precedeExistingItems", "followExistingItems"]),
          "Where the copies of a looper go; before what is in the queue unless said otherwise."),
        SchemaKey(
          "durationLoadedAfter", time,
          "How long a looper takes to know the duration; no time where it was loaded before."),
        SchemaKey(
          "begins", words(["atStart", "byScript"]),
          "Whether it begins at the start, or with a startLooping of the script."),
      ]),
    ])
  }

  /// Where playback of an item ends.
  static var endTime: Schema {
    anyOf([time.examples("1 s"), words(["shortestTrack"])])
  }
}

extension Schema {
  static var expectations: Schema {
    list(
      of: anyOf([
        object([.required("at", reference("moment"), "When it is so.")] + properties { $0 != .end })
          .with("minProperties", .number("2")),
        object([.required("at", constant("end"), "In the end.")] + properties { _ in true })
          .with("minProperties", .number("2")),
        object(properties { $0.isSummary }).with("minProperties", .number("1")),
        object([
          .required(
            "order", list(of: reference("event"), atLeast: 2),
            "These events in this order, with anything between.")
        ]),
        object([
          .required("count", reference("event"), "The event that is counted."),
          .required("is", reference("countClaim"), "How often it occurs."),
        ]),
      ]))
  }

  static let expectationParts: [SchemaKey] =
    [
      SchemaKey("moment", moment, "A time of the run, or what it follows."),
      SchemaKey(
        "event", event,
        "An event of the trace, perhaps with members and their values, all of which it must have."),
    ] + claims

  private static func properties(_ isIncluded: (PlayerProperty) -> Bool) -> [SchemaKey] {
    PlayerProperty.allCases.filter(isIncluded).map {
      SchemaKey($0.name, $0.kind.claim, $0.summary)
    }
  }

  private static var moment: Schema {
    anyOf([
      time,
      object([
        .required("after", text("start"), "The step it follows, by name or by what it does."),
        SchemaKey("by", time, "How long after it; at once unless said otherwise."),
      ]),
      object([
        .required("event", reference("event"), "The event it follows."),
        SchemaKey("number", integer(from: 1), "Which of them; the first unless said otherwise."),
        SchemaKey("by", time, "How long after it; at once unless said otherwise."),
      ]),
    ])
  }

  /// Which event has which members is left to the reader.
  private static var event: Schema {
    var members: [String] = []
    for member in EventShape.all.flatMap({ $0.members })
    where !members.contains(where: { isSameText($0, member.name) }) {
      members.append(member.name)
    }
    let value = #"('[^']*'|"[^"]*"|[^ '"][^ ]*( +[^ =]+)*)"#
    return pattern(
      "^ *(\(choice(EventShape.all.map { $0.name })))( +(\(choice(members))) *= *\(value))* *$"
    )
    .examples("stall", "timeControlStatus status=playing", "variantSwitch from=1 to=0")
  }
}

// MARK: - Claims

extension Schema {
  /// What a value can be held against, by its sort.
  fileprivate static let claims: [SchemaKey] = [
    claim("timeClaim", time, "A time, or bounds for it."),
    claim("differenceClaim", reference("signedTime"), distance: time, "A difference of times."),
    claim("countClaim", integer(from: 0), "A count, or bounds for it."),
    claim(
      "numberClaim", Schema().with("type", .string("integer")).examples(.number("-12938")),
      "A whole number, or bounds for it."),
    claim("sizeClaim", reference("size"), "A size, or bounds for it."),
    claim("rateClaim", playbackRate, "A rate, or bounds for it."),
    claim("shareClaim", reference("percentage"), "A share, or bounds for it."),
    optional("optionalTimeClaim", "timeClaim", "A time, bounds for it, or null."),
    claim("bitRateClaim", reference("bitRate"), "A bit rate, or bounds for it."),
    optional("optionalCountClaim", "countClaim", "A count, bounds for it, or null."),
    optional("optionalBitRateClaim", "bitRateClaim", "A bit rate, bounds for it, or null."),
    SchemaKey("accessLogClaim", entries(of: .access), "An object for each event of the log."),
    SchemaKey("errorLogClaim", entries(of: .error), "An object for each event of the log."),
    SchemaKey("booleanClaim", plainClaim(boolean, "booleanClaim"), "True or false."),
    SchemaKey("textClaim", plainClaim(text("0.0s"), "textClaim"), "A text, as it is shown."),
    SchemaKey(
      "rangesClaim",
      plainClaim(
        list(of: list(of: time, atLeast: 2, atMost: 2))
          .examples(
            .array([
              JSONValue(.array([JSONValue(.string("0 s")), JSONValue(.string("3.3 s"))]))
            ])),
        "rangesClaim"),
      "Ranges of media in rising order."),
  ]

  private static func optional(
    _ name: String, _ claim: String, _ description: String
  ) -> SchemaKey {
    SchemaKey(
      name,
      anyOf([
        null, reference(claim),
        object([.required("not", reference(name), "Anything but that.")]),
      ]), description)
  }

  private static func claim(
    _ name: String, _ value: Schema, distance: Schema? = nil, _ description: String
  ) -> SchemaKey {
    let bound = value
    return SchemaKey(
      name,
      anyOf([
        value,
        object([
          .required(
            "between", list(of: bound, atLeast: 2, atMost: 2), "The least and the most.")
        ]),
        object([.required("atLeast", bound, "That or more.")]),
        object([.required("atMost", bound, "That or less.")]),
        object([
          .required("about", bound, "That, give or take."),
          .required("within", distance ?? value, "How far it may be from it."),
        ]),
        object([.required("not", reference(name), "Anything but that.")]),
      ]), description)
  }

  /// An object for each entry of a log.
  private static func entries(of log: LogKind) -> Schema {
    list(of: object(log.fields.map { SchemaKey($0.name, $0.kind.claim, $0.summary) }))
  }

  /// A value, or anything but one.
  fileprivate static func plainClaim(_ value: Schema, _ name: String) -> Schema {
    anyOf([value, object([.required("not", reference(name), "Anything but that.")])])
  }

  /// One of several words, or anything but one of them.
  fileprivate static func wordClaim(_ value: Schema) -> Schema {
    anyOf([value, object([.required("not", value, "Anything but that.")])])
  }
}

extension PropertyKind {
  fileprivate var claim: Schema {
    switch self {
    case .boolean: .reference("booleanClaim")
    case .word(let words): .wordClaim(.words(words))
    case .text: .reference("textClaim")
    case .count: .reference("countClaim")
    case .whole: .reference("numberClaim")
    case .entries(.access): .reference("accessLogClaim")
    case .entries(.error): .reference("errorLogClaim")
    case .bytes: .reference("sizeClaim")
    case .bitRate: .reference("bitRateClaim")
    case .time: .reference("timeClaim")
    case .difference: .reference("differenceClaim")
    case .rate: .reference("rateClaim")
    case .share: .reference("shareClaim")
    case .ranges: .reference("rangesClaim")
    case .nullable(.word(let words)): .wordClaim(.nullable(.words(words)))
    case .nullable(.count): .reference("optionalCountClaim")
    case .nullable(.bitRate): .reference("optionalBitRateClaim")
    case .nullable(.entries(.access)): .nullable(.reference("accessLogClaim"))
    case .nullable(.entries(.error)): .nullable(.reference("errorLogClaim"))
    case .nullable: .reference("optionalTimeClaim")
    }
  }
}

extension PlayerProperty {
  fileprivate var summary: String {
    switch self {
    case .present(let property): property.summary
    case .booked(let property): property.summary
    case .queued(let property): property.summary
    case .foretold(let property): property.summary
    case .end: "Why the run ended."
    }
  }
}

extension PresentProperty {
  fileprivate var summary: String {
    switch self {
    case .timeControlStatus: "Whether it plays, waits to play, or is paused."
    case .reasonForWaitingToPlay: "Why it waits; null unless it does."
    case .rate: "The rate the app asked for."
    case .timebaseRate: "The rate at which playback actually occurs."
    case .currentTime: "Where the playhead is."
    case .loadedTimeRanges: "The media that is loaded."
    case .isPlaybackLikelyToKeepUp: "The heuristic's prediction."
    case .isPlaybackBufferFull: "Whether the buffer holds as much as it is going to."
    case .isPlaybackBufferEmpty: "Whether nothing is left under the playhead."
    case .shownCurrentTime: "The current time as the engineering screen shows it."
    case .shownLoadedTimeRanges: "The loaded ranges as the engineering screen shows them."
    case .loadedEnd: "The end of the contiguous media at the playhead."
    case .bufferAhead: "How much contiguous media lies ahead of the playhead."
    case .status: "Where the item stands in its life."
    case .automaticallyWaitsToMinimizeStalling: "What the property of that name says."
    case .defaultRate: "The rate that play asks for."
    case .variant: "Which variant the next segment is of, in playlist order from 0."
    case .indicatedBitrate: "The bit rate that the playlist declares for that variant."
    case .observedBitrate: "The throughput that the segments show."
    case .timeOffsetFromLive: "How far the playhead is behind what is being encoded."
    case .recommendedTimeOffsetFromLive: "How far from the live edge it had better be."
    case .seekableTimeRanges: "Where a seek may go."
    }
  }
}

extension BookedProperty {
  fileprivate var summary: String {
    switch self {
    case .startupDelay: "From the first request to play until playback moved; null if never."
    case .startupStageCount: "How many requests, one after the other, that was waited for."
    case .stallCount: "How often playback ran dry before the end."
    case .stalled: "How long it stood still after running dry."
    case .waiting: "How long it waited to play, for whatever reason."
    case .played: "How long it played."
    case .paused: "How long it was paused."
    case .seekWaiting: "How long it waited after seeks out of the buffer."
    case .rebufferRatio: "Stalled time over stalled and played time."
    case .bytesTransferred: "What the link delivered to the item."
    case .bytesAbandoned: "What of that were parts of segments that were given up."
    case .requestCount: "How many requests were made."
    case .variantSwitchCount: "How often a segment of another variant came into the buffer."
    case .timeWeightedIndicatedBitrate:
      "What the variants declare, weighted with the media watched."
    case .accessLog: "The access log, an object for each event; null before the item is ready."
    case .errorLog: "The error log, with an object for each event; null while nothing went wrong."
    }
  }
}

extension QueueProperty {
  fileprivate var summary: String {
    switch self {
    case .currentItem: "The current item by its name; “none” where there is none."
    case .items: "The names of the items in the queue, the current one first, with commas between."
    case .itemCount: "How many items stand in the queue, the current one included."
    case .longestQueue: "The most items that stood in the queue at a time."
    case .transitionCount: "How often media moved again after an end."
    case .gap: "How long it stood between ends and the next motion, altogether."
    case .loopCount: "How often what goes round has come round."
    case .parseCount: "How often the index of an asset was read through."
    case .looperStatus: "The status of the looper; “none” without one."
    case .emptyVideo: "How long played media had no picture any more."
    case .silentAudio: "How long played media had no sound any more."
    case .pipeline: "How long it stood for its pipeline after the first motion."
    case .pipelineBuildCount: "How often its pipeline was set up."
    case .prerollCount: "How often its pipeline was filled."
    }
  }
}

extension ForetoldProperty {
  fileprivate var summary: String {
    switch self {
    case .projectionError: "How far the last projection by the timebase was off."
    case .projectionErrorByRequestedRate: "How far the one by the requested rate was off."
    }
  }
}

extension Schema {
  static var expectations: Schema {
    list(
      of: anyOf([
        object(
          [.required("at", reference("moment"), "When it is so.")]
            + properties { $0.scope != .end }
        ).with("minProperties", .number("2")),
        object([.required("at", constant("end"), "In the end.")] + properties { _ in true })
          .with("minProperties", .number("2")),
        object(properties { $0.scope != .moment }).with("minProperties", .number("1")),
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
    PlayerProperty.all.filter(isIncluded).map {
      SchemaKey($0.name, $0.kind.claim, $0.about)
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

import LinkConditioner

extension Schema {
  static var link: Schema {
    object(
      conditionKeys + [
        SchemaKey(
          "switchedOn", boolean,
          "Whether the link is conditioned from the start (true unless said otherwise); if not, it "
            + "is perfect until the script switches it on."),
        SchemaKey(
          "schedule", reference("schedule"), "How the downlink's bandwidth changes by itself."),
        SchemaKey("trace", reference("linkTrace"), "A recorded link, or a profile, from a file."),
        SchemaKey(
          "outages", list(of: outage), "Stretches of the run in which nothing gets through."),
        SchemaKey(
          "expensive", boolean, "Whether the path is one that costs, such as a cellular one."),
      ])
  }

  static let linkParts: [SchemaKey] = [
    SchemaKey(
      "conditions", object(conditionKeys), "What a link is like; what is not said is perfect."),
    SchemaKey("direction", object(directionKeys), "One direction of a link."),
    SchemaKey("schedule", schedule, "Bandwidths one after the other."),
    SchemaKey("linkTrace", linkTrace, "A file with a recorded link, and how to read it."),
  ]

  private static var conditionKeys: [SchemaKey] {
    [
      SchemaKey(
        "profile",
        anyOf([words(Profile.names).examples("Slow Server", "3G"), text("lte")]),
        "A profile of the catalogue by name; the other keys change what it says."),
      SchemaKey("bandwidth", reference("bandwidth"), "The bandwidth of each direction."),
      SchemaKey(
        "relativeBandwidth", reference("percentage"),
        "The downlink's bandwidth as a share of the media's average bit rate."),
      SchemaKey("delay", time, "The one-way delay of each direction."),
      SchemaKey("loss", reference("percentage"), "The share of packets lost in each direction."),
      SchemaKey(
        "downlink", reference("direction"), "The direction that brings the media."),
      SchemaKey("uplink", reference("direction"), "The direction that carries the requests."),
      SchemaKey("dnsDelay", time, "What looking up a new host costs."),
    ]
  }

  private static let directionKeys = [
    SchemaKey("bandwidth", reference("bandwidth"), "How many bits it carries in a second."),
    SchemaKey("delay", time, "How long a bit is on its way."),
    SchemaKey("loss", reference("percentage"), "The share of packets lost."),
    SchemaKey(
      "queue", integer(from: 0, through: 1_000_000),
      "How many packets may wait; further ones are dropped."),
  ]

  private static var schedule: Schema {
    object([
      .required(
        "steps",
        list(
          of: object([
            .required("for", time, "How long the step lasts."),
            .required("bandwidth", reference("bandwidth"), "The bandwidth in this step."),
            SchemaKey(
              "latency", time, "What a request made in it waits on top of the link's delays."),
          ]), atLeast: 1),
        "The steps in their order."),
      SchemaKey(
        "then", words(["hold", "repeat"]),
        "After the last step: it goes on (hold, unless said otherwise), or the first comes again."),
      SchemaKey(
        "clock", words(["wall", "pausedDuringLatency"]),
        "Whether its time passes always (wall, unless said otherwise), or not while a request "
          + "waits for its response."),
      SchemaKey("offset", time, "How far into the steps it begins; at their start as a rule."),
    ])
  }

  private static var linkTrace: Schema {
    anyOf([
      object([
        .required("file", text("traces/tunnel.csv"), "Its path from where the scenario lies."),
        SchemaKey(
          "format", words(TraceFormat.allCases.map { $0.name }).examples("csv"),
          "Its format; as the content looks unless said otherwise."),
        SchemaKey(
          "interval", words(["starts", "ends"]),
          "Whether a sample's time is where it begins to hold or where it ends."),
        SchemaKey(
          "then", words(["hold", "repeat"]),
          "After the last sample: it goes on, or the first comes again."),
        SchemaKey(
          "clock", words(["wall", "pausedDuringLatency"]),
          "Whether its time passes always, or not while a request waits for its response."),
        SchemaKey(
          "payload", reference("percentage"), "How much of each rate is payload; all as a rule."),
      ]),
      object([
        .required(
          "file", text("traces/hotel.plist"),
          "A property list of the Network Link Conditioner, from where the scenario lies."),
        SchemaKey("format", constant("nlc"), "Its format."),
        SchemaKey(
          "profile", text("Hotel Wi-Fi"), "Which of its profiles; the first as a rule."),
      ]),
    ])
  }

  private static var outage: Schema {
    object([
      .required("from", time, "When it begins."),
      .required("for", time, "How long it lasts."),
    ])
  }
}

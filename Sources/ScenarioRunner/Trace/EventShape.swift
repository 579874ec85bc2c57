import ExactText

/// A kind of line in a trace: its name, and the members that it can have, in their order.
struct EventShape: Sendable {
  struct Member: Sendable {
    enum Sort: Sendable {
      case flag
      case number
      /// A name or a text, which may hold spaces.
      case text
    }

    let name: String
    let sort: Sort

    static func flag(_ name: String) -> Member { Member(name: name, sort: .flag) }
    static func number(_ name: String) -> Member { Member(name: name, sort: .number) }
    static func text(_ name: String) -> Member { Member(name: name, sort: .text) }
  }

  let name: String
  let members: [Member]
  /// Whether it says in a queue of which item it speaks.
  let namesItem: Bool

  private init(_ name: String, _ members: [Member]) {
    self.name = name
    self.members = members
    namesItem = members.contains { isSameText($0.name, "item") }
  }

  func member(_ name: String) -> Member? { members.first { isSameText($0.name, name) } }

  static func named(_ name: String) -> EventShape? { all.first { isSameText($0.name, name) } }
}

// MARK: - A row for each

extension EventShape {
  // What the app does, and what the scenario does to the link.
  static let app = EventShape(
    "app",
    [
      .text("do"), .number("rate"), .number("time"), .number("ahead"), .text("to"), .text("track"),
      .text("by"), .text("key"), .text("traffic"), .text("item"), .text("afterItem"),
    ])
  static let tap = EventShape("tap", [.text("step")])
  static let refused = EventShape("refused", [.text("why"), .text("link")])
  static let projection = EventShape(
    "projection", [.number("time"), .number("byTimebase"), .number("byRate")])
  static let link = EventShape(
    "link",
    [
      .flag("on"), .flag("outage"), .text("trace"), .text("format"), .text("interval"),
      .text("then"), .text("clock"),
    ])
  static let traffic = EventShape("traffic", [.text("name"), .flag("active")])

  // The player.
  static let rateChange = EventShape("rateChange", [.number("rate"), .number("previous")])
  static let timeControlStatus = EventShape(
    "timeControlStatus", [.text("status"), .text("reason"), .text("rule"), .text("clause")])
  static let timebase = EventShape("timebase", [.number("rate"), .number("time")])
  static let automaticallyWaits = EventShape("automaticallyWaits", [.flag("value")])
  static let stall = EventShape("stall", [.number("time"), .text("clause")])
  static let pipeline = EventShape("pipeline", [.text("work"), .number("until"), .text("item")])
  static let pictureColour = EventShape(
    "pictureColour",
    [
      .text("to"), .text("source"), .text("codePoints"), .flag("wideGamut"), .text("given"),
      .flag("converted"), .flag("clamped"), .text("warning"),
    ])

  // Its items.
  static let currentItem = EventShape("currentItem", [.flag("present"), .text("item")])
  static let itemStatus = EventShape(
    "itemStatus", [.text("status"), .text("error"), .text("item")])
  static let likelyToKeepUp = EventShape(
    "likelyToKeepUp", [.flag("value"), .text("clause"), .number("loadedEnd")])
  static let playbackBufferEmpty = EventShape("playbackBufferEmpty", [.flag("value")])
  static let playbackBufferFull = EventShape("playbackBufferFull", [.flag("value")])
  static let timeJumped = EventShape("timeJumped", [.number("time")])
  static let didPlayToEndTime = EventShape("didPlayToEndTime", [.number("time"), .text("item")])
  static let failedToPlayToEndTime = EventShape(
    "failedToPlayToEndTime", [.text("error"), .text("item")])
  static let seek = EventShape("seek", [.number("to")])
  static let seekDidComplete = EventShape(
    "seekDidComplete", [.number("to"), .flag("finished"), .flag("didSeekInBuffer")])
  static let itemTransition = EventShape(
    "itemTransition",
    [
      .number("gap"), .text("kind"), .text("reason"), .number("silence"), .number("loop"),
      .text("item"),
    ])
  static let emptyTrack = EventShape(
    "emptyTrack", [.text("track"), .number("from"), .number("to"), .text("item")])
  static let mediaSelection = EventShape(
    "mediaSelection", [.text("track"), .text("language"), .number("discarded")])
  static let newErrorLogEntry = EventShape(
    "newErrorLogEntry",
    [.text("uri"), .number("errorStatusCode"), .text("errorDomain"), .text("errorComment")])

  // Requests.
  static let requestStart = EventShape(
    "requestStart",
    [
      .number("request"), .number("firstByte"), .text("resource"), .number("size"), .text("track"),
      .number("after"), .text("item"),
    ])
  static let responseStart = EventShape("responseStart", [.number("request")])
  static let mediaResourceRequest = EventShape(
    "mediaResourceRequest", [.number("request"), .number("bytes")] + timings)
  static let requestCancel = EventShape(
    "requestCancel", [.number("request"), .number("bytes")] + timings)
  static let requestError = EventShape(
    "requestError",
    [.number("request"), .text("error"), .number("bytes"), .number("retry")] + timings)
  static let requestFault = EventShape(
    "requestFault",
    [.number("request"), .text("fault"), .number("status"), .number("after"), .number("by")])
  static let requestRetry = EventShape("requestRetry", [.number("request"), .number("after")])
  static let reading = EventShape("reading", [.flag("suspended")])

  // Streams.
  static let variantChoice = EventShape("variantChoice", [.number("variant"), .text("clause")])
  static let variantSwitchStart = EventShape(
    "variantSwitchStart", [.number("from"), .number("to"), .text("clause")])
  static let variantSwitch = EventShape("variantSwitch", [.number("from"), .number("to")])
  static let segmentAbandon = EventShape(
    "segmentAbandon",
    [.number("request"), .number("bytes"), .number("size"), .text("clause")])
  static let playlist = EventShape(
    "playlist",
    [
      .number("request"), .flag("changed"), .number("mediaSequence"), .number("segments"),
      .number("parts"), .number("end"), .flag("ended"), .text("directives"), .number("skipped"),
      .number("saved"),
    ])
  static let playlistDelta = EventShape(
    "playlistDelta", [.number("request"), .flag("usable"), .number("skipped")])
  static let livePosition = EventShape("livePosition", [.number("time"), .text("reason")])

  /// What a policy that runs outside answered; a replay goes by it.
  static let policyAnswer = EventShape(
    "policyAnswer",
    [.number("question"), .text("seat"), .text("value"), .number("until"), .text("reason")])

  /// What a decision of a player leads to.
  static let consequences = [
    timeControlStatus, stall, variantSwitch, didPlayToEndTime, failedToPlayToEndTime,
  ]

  /// What ends a request says what its steps took.
  private static let timings: [Member] = [
    .number("domainLookup"), .number("waiting"), .number("connect"), .number("secureConnection"),
    .number("timeToFirstByte"), .number("transfer"), .number("connection"),
    .flag("isReusedConnection"),
  ]

  /// Every event but the summary.
  static let all = [
    app, tap, link, traffic, currentItem, itemStatus, rateChange, timeControlStatus, timebase,
    likelyToKeepUp, playbackBufferEmpty, playbackBufferFull, automaticallyWaits, stall, timeJumped,
    didPlayToEndTime, failedToPlayToEndTime, seek, seekDidComplete, requestStart, responseStart,
    mediaResourceRequest, requestCancel, requestError, requestFault, requestRetry, reading,
    variantChoice, variantSwitchStart, variantSwitch, segmentAbandon, mediaSelection, playlist,
    playlistDelta, livePosition, newErrorLogEntry, pipeline, itemTransition, emptyTrack,
    pictureColour, projection, refused, policyAnswer,
  ]
}

// MARK: - What is written

extension EventShape {
  /// Whether an event is one of those that a pattern may ask for, and its members are of the row.
  static func allows(_ event: TraceEvent) -> Bool {
    guard let shape = named(event.name) else { return false }
    return event.members.allSatisfy { key, value in
      switch (shape.member(key)?.sort, value) {
      case (.flag, .boolean), (.number, .count), (.number, .seconds), (.number, .rate): true
      case (.text, _), (.flag, .null), (.number, .null): true
      case (.flag, _), (.number, _), (nil, _): false
      }
    }
  }
}

extension EventPattern {
  /// The player came into a state.
  static func became(_ status: String) -> EventPattern {
    EventPattern(
      event: EventShape.timeControlStatus.name, members: [Member(name: "status", value: status)])
  }
}

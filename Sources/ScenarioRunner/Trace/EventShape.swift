/// What the lines of a trace of one name look like: the members that they can have.
struct EventShape {
  struct Member {
    enum Sort {
      case flag
      case number
      /// A name or a text, which may hold spaces.
      case text
    }

    let name: String
    let sort: Sort
  }

  let name: String
  let members: [Member]

  private init(
    _ name: String, flags: [String] = [], numbers: [String] = [], texts: [String] = []
  ) {
    self.name = name
    members =
      texts.map { Member(name: $0, sort: .text) } + numbers.map { Member(name: $0, sort: .number) }
      + flags.map { Member(name: $0, sort: .flag) }
  }

  func member(_ name: String) -> Member? { members.first { isSameText($0.name, name) } }

  static func named(_ name: String) -> EventShape? { all.first { isSameText($0.name, name) } }
}

extension EventShape {
  /// Every event but the summary, and every member that one of its lines may have.
  static let all = [
    EventShape(
      "app", numbers: ["rate", "time", "ahead"],
      texts: ["do", "to", "track", "by", "key", "traffic", "item", "afterItem"]),
    EventShape(
      "link", flags: ["on", "outage"], texts: ["trace", "format", "interval", "then", "clock"]),
    EventShape("traffic", flags: ["active"], texts: ["name"]),
    EventShape("currentItem", flags: ["present"], texts: ["item"]),
    EventShape("itemStatus", texts: ["status", "error", "item"]),
    EventShape("rateChange", numbers: ["rate", "previous"]),
    EventShape("timeControlStatus", texts: ["status", "reason", "rule"]),
    EventShape("timebase", numbers: ["rate", "time"]),
    EventShape("likelyToKeepUp", flags: ["value"], numbers: ["loadedEnd"], texts: ["clause"]),
    EventShape("playbackBufferEmpty", flags: ["value"]),
    EventShape("playbackBufferFull", flags: ["value"]),
    EventShape("automaticallyWaits", flags: ["value"]),
    EventShape("stall", numbers: ["time"]),
    EventShape("timeJumped", numbers: ["time"]),
    EventShape("didPlayToEndTime", numbers: ["time"], texts: ["item"]),
    EventShape("failedToPlayToEndTime", texts: ["error", "item"]),
    EventShape("seek", numbers: ["to"]),
    EventShape("seekDidComplete", flags: ["finished", "didSeekInBuffer"], numbers: ["to"]),
    EventShape(
      "requestStart", numbers: ["request", "firstByte", "size", "after"],
      texts: ["resource", "track", "item"]),
    EventShape("responseStart", numbers: ["request"]),
    endOfRequest("mediaResourceRequest"),
    endOfRequest("requestCancel"),
    endOfRequest("requestError", numbers: ["retry"], texts: ["error"]),
    EventShape("requestFault", numbers: ["request", "status", "after", "by"], texts: ["fault"]),
    EventShape("requestRetry", numbers: ["request", "after"]),
    EventShape("reading", flags: ["suspended"]),
    EventShape("variantChoice", numbers: ["variant"], texts: ["reason"]),
    EventShape("variantSwitchStart", numbers: ["from", "to"]),
    EventShape("variantSwitch", numbers: ["from", "to"]),
    EventShape("segmentAbandon", numbers: ["request", "bytes", "size"]),
    EventShape("mediaSelection", numbers: ["discarded"], texts: ["track", "language"]),
    EventShape(
      "playlist", flags: ["changed", "ended"],
      numbers: ["request", "mediaSequence", "segments", "parts", "end", "skipped", "saved"],
      texts: ["directives"]),
    EventShape("playlistDelta", flags: ["usable"], numbers: ["request", "skipped"]),
    EventShape("livePosition", numbers: ["time"], texts: ["reason"]),
    EventShape(
      "newErrorLogEntry", numbers: ["errorStatusCode"],
      texts: ["uri", "errorDomain", "errorComment"]),
    EventShape("pipeline", numbers: ["until"], texts: ["work", "item"]),
    EventShape("itemTransition", numbers: ["gap", "silence", "loop"], texts: ["kind", "item"]),
    EventShape("emptyTrack", numbers: ["from", "to"], texts: ["track", "item"]),
    EventShape(
      "pictureColour", flags: ["wideGamut", "converted", "clamped"],
      texts: ["to", "source", "codePoints", "given", "warning"]),
    EventShape("projection", numbers: ["time", "byTimebase", "byRate"]),
    EventShape("refused", texts: ["why", "link"]),
  ]

  /// What ends a request says what its steps took.
  private static func endOfRequest(
    _ name: String, numbers: [String] = [], texts: [String] = []
  ) -> EventShape {
    EventShape(
      name, flags: ["isReusedConnection"],
      numbers: ["request", "bytes"] + numbers + [
        "domainLookup", "waiting", "connect", "secureConnection", "timeToFirstByte", "transfer",
        "connection",
      ],
      texts: texts)
  }

  /// Whether an event has the members that one of its name can have.
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

import Autowait
package import ExactText
import LinkConditioner
import PlayerPolicies
import SimulatedPlayback
import StreamingMedia

/// A kind of line in a trace: its name, and the members that it can have, in their order.
package struct EventShape: Sendable {
  package struct Member: Sendable {
    package enum Sort: Sendable {
      case flag
      case number
      /// A name or a text, which may hold spaces.
      case text
      // Perf: most lines are written or read without a look at the words that there could be.
      case words(@Sendable () -> [String])
    }

    package let key: QuotedText
    package let sort: Sort

    package var name: String { key.text }

    static func flag(_ name: String) -> Member { Member(key: QuotedText(name), sort: .flag) }
    static func number(_ name: String) -> Member { Member(key: QuotedText(name), sort: .number) }
    static func text(_ name: String) -> Member { Member(key: QuotedText(name), sort: .text) }
    static func words<Word: CaseIterable & RawRepresentable<String> & Sendable>(
      _ name: String, _ type: Word.Type
    ) -> Member {
      words(name, type.allCases.map { $0.word })
    }
    static func words(
      _ name: String, _ words: @autoclosure @escaping @Sendable () -> [String]
    ) -> Member {
      Member(key: QuotedText(name), sort: .words(words))
    }
  }

  package let word: QuotedText
  package let members: [Member]
  /// Whether it says in a queue of which item it speaks.
  package let namesItem: Bool

  private init(_ name: String, _ members: Member..., then others: [Member] = []) {
    word = QuotedText(name)
    self.members = members + others
    namesItem = self.members.contains { isSameText($0.name, "item") }
  }

  package var name: String { word.text }

  package func member(_ name: String) -> Member? { members.first { isSameText($0.name, name) } }

  package static func named(_ name: String) -> EventShape? {
    // Perf: what stands behind it is not made.
    makers.lazy.map { $0() }.first { isSameText($0.name, name) }
  }

  // Actions of the app, and changes that the scenario makes to the link.
  package static let app = EventShape(
    "app", .words("do", AppVerb.all.map { $0.name }), .number("rate"), .number("time"),
    .number("ahead"), .text("to"), .number("toleranceBefore"), .number("toleranceAfter"),
    .flag("shouldResume"), .flag("backgroundAudio"), .number("leaked"), .text("track"),
    .words("by", Suspension.allCases.map { $0.word }), .words("key", AssetKey.self),
    .text("traffic"), .text("item"), .text("afterItem"), .text("step"))
  package static let tap = EventShape("tap", .text("step"))
  package static let refused = EventShape("refused", .text("why"), .text("link"))
  package static let projection = EventShape(
    "projection", .number("time"), .number("byTimebase"), .number("byRate"))
  package static let link = EventShape(
    "link", .flag("on"), .flag("outage"), .text("trace"),
    .words("format", TraceFormat.allCases.map { $0.rawValue }),
    .words("interval", TraceReading.Interval.self), .words("then", RateSchedule.Ending.self),
    .words("clock", RateSchedule.Clock.self), .text("answers"))
  /// The downlink's rate from an instant on in bit/s, or that it is not recorded any further. No
  /// pattern may ask for it: steps of a schedule are no events.
  package static let linkRate = EventShape("linkRate", .number("rate"))
  package static let traffic = EventShape("traffic", .text("name"), .flag("active"))

  // The player.
  package static let rateChange = EventShape(
    "rateChange", .number("rate"), .number("previous"), .words("reason", RateChangeReason.self))
  package static let timeControlStatus = EventShape(
    "timeControlStatus", .words("status", TimeControl.words), .words("reason", WaitingReason.self),
    .words("rule", TransitionRule.self), .words("clause", ReadinessClause.self))
  package static let timebase = EventShape(
    "timebase", .number("rate"), .number("time"), .number("hostTime"))
  package static let automaticallyWaits = EventShape("automaticallyWaits", .flag("value"))
  package static let stall = EventShape(
    "stall", .number("time"), .words("clause", StallClause.self))
  package static let pipeline = EventShape(
    "pipeline", .words("work", PipelineWork.self), .number("until"), .text("item"))
  package static let prerollDidComplete = EventShape("prerollDidComplete", .flag("finished"))
  package static let pictureColour = EventShape(
    "pictureColour", .words("to", PictureTaker.self), .text("source"), .text("codePoints"),
    .flag("wideGamut"), .text("given"), .flag("converted"), .flag("clamped"),
    .words("warning", DeliveredColour.Warning.self))

  package static let currentItem = EventShape("currentItem", .flag("present"), .text("item"))
  package static let itemStatus = EventShape(
    "itemStatus", .words("status", ItemStatus.words), .text("error"), .text("item"))
  package static let likelyToKeepUp = EventShape(
    "likelyToKeepUp", .flag("value"), .words("clause", ReadinessClause.self), .number("loadedEnd"),
    .number("estimate"))
  package static let forecast = EventShape("forecast", .number("late"), .number("estimate"))
  package static let playbackBufferEmpty = EventShape("playbackBufferEmpty", .flag("value"))
  package static let playbackBufferFull = EventShape("playbackBufferFull", .flag("value"))
  package static let timeJumped = EventShape("timeJumped", .number("time"))
  package static let loadedTimeRanges = EventShape(
    "loadedTimeRanges", .number("time"), .number("ahead"), .text("ranges"), .number("bendAt"),
    .number("bendAhead"))
  package static let didPlayToEndTime = EventShape(
    "didPlayToEndTime", .number("time"), .text("item"))
  package static let failedToPlayToEndTime = EventShape(
    "failedToPlayToEndTime", .text("error"), .text("item"))
  package static let seek = EventShape("seek", .number("to"))
  package static let seekDidComplete = EventShape(
    "seekDidComplete", .number("to"), .flag("finished"), .flag("didSeekInBuffer"))
  package static let itemTransition = EventShape(
    "itemTransition", .number("gap"), .words("kind", ItemTransition.Kind.self),
    .words("reason", ItemTransition.Reason.self), .number("silence"), .number("loop"),
    .text("fromItem"), .text("item"))
  package static let emptyTrack = EventShape(
    "emptyTrack", .words("track", tracks), .number("from"), .number("to"), .text("item"))
  package static let mediaSelection = EventShape(
    "mediaSelection", .words("track", tracks), .text("language"), .number("discarded"))
  package static let newErrorLogEntry = EventShape(
    "newErrorLogEntry", .text("uri"), .number("errorStatusCode"), .text("errorDomain"),
    .text("errorComment"))

  package static let requestStart = EventShape(
    "requestStart", .number("request"), .number("firstByte"), .words("resource", ResourceKind.self),
    .number("size"), .words("track", ["main", "audio", "subtitles"]), .number("after"),
    .number("variant"), .number("from"), .number("to"), .text("uri"), .text("item"))
  package static let responseStart = EventShape("responseStart", .number("request"), then: timings)
  package static let mediaResourceRequest = EventShape(
    "mediaResourceRequest", .number("request"), .number("bytes"), then: timings)
  package static let requestCancel = EventShape(
    "requestCancel", .number("request"), .number("bytes"), then: timings)
  package static let requestError = EventShape(
    "requestError", .number("request"), .text("error"), .number("bytes"), .number("retry"),
    then: timings)
  package static let requestFault = EventShape(
    "requestFault", .number("request"), .words("fault", Fault.Name.self), .number("status"),
    .number("after"), .number("by"))
  package static let requestRetry = EventShape("requestRetry", .number("request"), .number("after"))
  package static let reading = EventShape(
    "reading", .flag("suspended"), .words("clause", FetchClause.self))

  // Streams.
  package static let variantChoice = EventShape(
    "variantChoice", .number("variant"), .words("clause", FirstVariantClause.self),
    .number("estimate"), .text("item"))
  package static let variantSwitchStart = EventShape(
    "variantSwitchStart", .number("from"), .number("to"),
    .words("clause", SwitchReason.all.map { $0.word }), .number("estimate"), .text("item"))
  package static let variantStay = EventShape(
    "variantStay", .number("variant"), .words("clause", VariantClause.self), .number("estimate"))
  package static let variantSwitch = EventShape("variantSwitch", .number("from"), .number("to"))
  package static let segmentAbandon = EventShape(
    "segmentAbandon", .number("request"), .number("bytes"), .number("size"),
    .words("clause", AbandonClause.self))
  package static let playlist = EventShape(
    "playlist", .number("request"), .flag("changed"), .number("mediaSequence"), .number("segments"),
    .number("parts"), .number("end"), .flag("ended"), .text("directives"), .number("skipped"),
    .number("saved"))
  package static let playlistDelta = EventShape(
    "playlistDelta", .number("request"), .flag("usable"), .number("skipped"))
  package static let livePosition = EventShape(
    "livePosition", .number("time"), .words("reason", LiveMoveReason.words))

  /// The answer of an external policy; a replay uses it.
  package static let policyAnswer = EventShape(
    "policyAnswer", .number("question"), .words("seat", PolicySeat.self), .text("value"),
    .number("beyond"), .number("until"), .text("reason"))

  /// The events that a player's decision leads to.
  package static let consequences = [
    timeControlStatus, stall, variantSwitch, didPlayToEndTime, failedToPlayToEndTime,
  ]

  private static let tracks = ["video", "audio", "subtitles"]

  /// The timings of a request's steps in a line about its end.
  package enum Timing: Int {
    case lookup, waiting, connect, security, response, transfer, connection, isReused

    package var key: QuotedText { EventShape.timings[rawValue].key }
  }

  /// In the order of `Timing`.
  private static let timings: [Member] = [
    .number("domainLookup"), .number("waiting"), .number("connect"), .number("secureConnection"),
    .number("timeToFirstByte"), .number("transfer"), .number("connection"),
    .flag("isReusedConnection"),
  ]

  package static var all: [EventShape] { makers.map { $0() } }

  private static let makers: [@Sendable () -> EventShape] = [
    { app }, { tap }, { link }, { traffic }, { currentItem }, { itemStatus }, { rateChange },
    { timeControlStatus }, { timebase }, { likelyToKeepUp }, { forecast }, { playbackBufferEmpty },
    { playbackBufferFull }, { automaticallyWaits }, { stall }, { timeJumped }, { loadedTimeRanges },
    { didPlayToEndTime }, { failedToPlayToEndTime }, { seek }, { seekDidComplete },
    { requestStart }, { responseStart }, { mediaResourceRequest }, { requestCancel },
    { requestError }, { requestFault }, { requestRetry }, { reading }, { variantChoice },
    { variantSwitchStart }, { variantStay }, { variantSwitch }, { segmentAbandon },
    { mediaSelection }, { playlist }, { prerollDidComplete }, { playlistDelta }, { livePosition },
    { newErrorLogEntry }, { pipeline }, { itemTransition }, { emptyTrack }, { pictureColour },
    { projection }, { refused }, { policyAnswer },
  ]
}

extension EventPattern {
  static func became(_ status: String) -> EventPattern {
    EventPattern(
      event: EventShape.timeControlStatus.name, members: [Member(name: "status", value: status)])
  }
}

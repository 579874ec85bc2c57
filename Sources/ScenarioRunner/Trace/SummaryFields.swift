import ExactText
import LinkConditioner
import PlayerPolicies
import Recording
import ScenarioFormat
import SimulatedPlayback
import VirtualTime

// The books and the logs of a player at the end of a run, as the last line of its trace has them
// beside the figures: `report` reads them back by the same description.

/// The books of a player beside its figures.
struct ClosedBooks {
  var summary: PlayerSummary
  /// The first call to play, and the time that is booked as startup.
  var asked: Instant?
  var startupSpans: [Range<Instant>] = []
  var itemLogs: [ItemLogs] = []
  /// The place of the current item's logs among them.
  var currentLogs: Int64?

  /// Members of the summary line that are no figures.
  static func members(_ pass: inout FieldPass, _ books: inout ClosedBooks) {
    pass.time("askedSeconds", &books.asked)
    pass.list("startupSpans", &books.startupSpans, .zero..<Instant.zero) { pass, span in
      var (start, end) = (span.lowerBound, span.upperBound)
      pass.time("start", &start)
      pass.time("end", &end)
      span = start..<max(start, end)
    }
    pass.time("startupSeconds", &books.summary.startup)
    pass.list("stalls", &books.summary.stalls, PlayerBooks.Stall.blank) { $1.members(&$0) }
    pass.time("pausedToStartSeconds", &books.summary.pausedFor.startup)
    pass.time("pausedStalledSeconds", &books.summary.pausedFor.stalled)
    pass.time("pausedSeekingSeconds", &books.summary.pausedFor.seeking)
    pass.count("bytesWasted", &books.summary.bytesWasted)
    let blank = ItemLogs(
      player: nil, item: nil,
      logs: RunLogs(
        accessLog: nil, errorLog: nil,
        indicators: PlaybackIndicators()),
      startup: nil, playedSource: nil)
    pass.count("currentItem", &books.currentLogs)
    pass.list("items", &books.itemLogs, blank) { $1.members(&$0) }
  }
}

extension PlayerBooks.Stall {
  fileprivate static let blank = PlayerBooks.Stall(
    start: .zero, place: .zero, clause: .dry)

  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.time("startSeconds", &start)
    pass.time("endSeconds", &end)
    pass.time("stalledSeconds", &length)
    pass.time("mediaSeconds", &place)
    pass.word("clause", &clause)
  }
}

extension ItemLogs {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.text("item", &item)
    pass.time("startupDelaySeconds", &startup)
    pass.text("media", &playedMedia)
    pass.part("accessLog", &logs.accessLog, AccessLog(events: [])) { pass, log in
      pass.list("events", &log.events, AccessLogEvent(uri: "", playbackType: .file)) {
        $1.members(&$0)
      }
    }
    pass.part("errorLog", &logs.errorLog, ErrorLog(events: [])) { pass, log in
      let blank = ErrorLogEvent(date: .zero, uri: "", statusCode: 0, domain: "", comment: "")
      pass.list("events", &log.events, blank) { $1.members(&$0) }
    }
    logs.indicators.members(&pass)
    if pass.reads { logs.indicators.sumUp(logs.accessLog) }
  }
}

extension PlaybackIndicators {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.time("stallDuration", &stallDuration)
    pass.flag("hasFailed", &hasFailed)
    pass.count("averageBitrate", &averageBitrate)
    let played = PlayedVariant(bitRate: 0, nominal: 0, media: .zero)
    pass.list("playedVariants", &playedVariants, played) { pass, variant in
      pass.count("bitrate", &variant.bitRate)
      pass.count("nominal", &variant.nominal)
      pass.time("media", &variant.media)
    }
    let shown = ShownVariant(start: .zero, variant: 0)
    pass.list("shownVariants", &shownVariants, shown) { pass, variant in
      pass.time("start", &variant.start)
      pass.count("variant", &variant.variant)
    }
  }
}

extension ErrorLogEvent {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.time("date", &date)
    pass.text("URI", &uri)
    pass.count("errorStatusCode", &statusCode)
    pass.text("errorDomain", &domain)
    pass.text("errorComment", &comment)
  }
}

extension AccessLogEvent {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.time("playbackStartDate", &playbackStartDate)
    pass.text("URI", &uri)
    pass.count("numberOfMediaRequests", &numberOfMediaRequests)
    pass.time("playbackStartOffset", &playbackStartOffset)
    pass.time("segmentsDownloadedDuration", &segmentsDownloadedDuration)
    pass.time("durationWatched", &durationWatched)
    pass.count("numberOfStalls", &numberOfStalls)
    pass.count("numberOfBytesTransferred", &numberOfBytesTransferred)
    pass.time("transferDuration", &transferDuration)
    pass.count("observedBitrate", &observedBitrate)
    pass.count("observedMaxBitrate", &observedMaxBitrate)
    pass.count("observedMinBitrate", &observedMinBitrate)
    pass.count("observedBitrateStandardDeviation", &observedBitrateStandardDeviation)
    pass.count("indicatedBitrate", &indicatedBitrate)
    pass.count("indicatedAverageBitrate", &indicatedAverageBitrate)
    pass.count("averageVideoBitrate", &averageVideoBitrate)
    pass.count("averageAudioBitrate", &averageAudioBitrate)
    pass.time("startupTime", &startupTime)
    pass.count("downloadOverdue", &downloadOverdue)
    pass.word("playbackType", &playbackType)
    pass.count("switchBitrate", &switchBitrate)
  }
}

extension PlayerSummary {
  /// Reads the figures of a player, under the names that they have in results.
  init(_ figures: JSONValue) {
    func count(_ name: String) -> Int64 { figures[name]?.units(places: 0) ?? 0 }
    func nanoseconds(_ name: String) -> Int64? {
      figures[name + "Seconds"]?.units(places: 9)
    }
    func span(_ name: String) -> TimeSpan { TimeSpan(nanoseconds: nanoseconds(name) ?? 0) }
    func media(_ name: String) -> MediaTime { MediaTime(nanoseconds: nanoseconds(name) ?? 0) }
    let delay = nanoseconds("startupDelay").map { TimeSpan(nanoseconds: $0) }
    self.init()
    outcome = figures["outcome"]?.string.flatMap { PlaybackOutcome(rawValue: $0) } ?? .played
    startupDelay = delay
    tapToMotion = nanoseconds("tapToMotion").map { TimeSpan(nanoseconds: $0) }
    isTapKnown = figures["tapToMotionSeconds"] != nil
    startupCount = max(count("startupCount"), delay == nil ? 0 : 1)
    laterStartups = span("laterStartups")
    startup = delay ?? .zero
    stallCount = count("stallCount")
    stalled = span("stalled")
    waiting = span("waiting")
    played = span("played")
    paused = span("paused")
    seekWaiting = span("seekWaiting")
    bytesTransferred = count("bytesTransferred")
    bytesAbandoned = count("bytesAbandoned")
    bytesDiscarded = count("bytesDiscarded")
    playlistBytesSaved = count("playlistBytesSaved")
    requestCount = count("requestCount")
    variantSwitchCount = count("variantSwitchCount")
    pipeline = span("pipeline")
    transitionCount = count("transitionCount")
    totalGap = span("gap")
    loopCount = count("loopCount")
    longestQueue = count("longestQueue")
    emptyVideo = media("emptyVideo")
    silentAudio = media("silentAudio")
    timeOffsetFromLive = nanoseconds("timeOffsetFromLive").map { MediaTime(nanoseconds: $0) }
    averageBitRate = figures["averageBitrate"]?.units(places: 0).map { .bitsPerSecond($0) }
  }
}

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

  /// As the summary line has them.
  var document: JSONTree { FieldPass.written(self, Self.members) }

  /// Members of the summary line that are no figures.
  static func members(_ pass: inout FieldPass, _ books: inout ClosedBooks) {
    pass.member("askedSeconds", &books.asked)
    pass.list("startupSpans", &books.startupSpans, .zero..<Instant.zero) { pass, span in
      var (start, end) = (span.lowerBound, span.upperBound)
      pass.member("start", &start)
      pass.member("end", &end)
      span = start..<max(start, end)
    }
    pass.member("startupSeconds", &books.summary.startup)
    pass.list("stalls", &books.summary.stalls, PlayerBooks.Stall.blank) { $1.members(&$0) }
    pass.member("pausedToStartSeconds", &books.summary.pausedFor.startup)
    pass.member("pausedStalledSeconds", &books.summary.pausedFor.stalled)
    pass.member("pausedSeekingSeconds", &books.summary.pausedFor.seeking)
    pass.member("bytesWasted", &books.summary.bytesWasted)
    let blank = ItemLogs(
      player: nil, item: nil, logs: RunLogs(), startup: nil, playedSource: nil)
    pass.member("currentItem", &books.currentLogs)
    pass.list("items", &books.itemLogs, blank) { $1.members(&$0) }
  }
}

extension PlayerBooks.Stall {
  fileprivate static let blank = PlayerBooks.Stall(
    start: .zero, place: .zero, clause: .dry)

  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.member("startSeconds", &start)
    pass.member("endSeconds", &end)
    pass.member("stalledSeconds", &length)
    pass.member("mediaSeconds", &place)
    pass.member("clause", &clause)
  }
}

extension ItemLogs {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.member("item", &item)
    pass.member("startupDelaySeconds", &startup)
    pass.member("media", &playedMedia)
    pass.part("accessLog", &logs.accessLog, AccessLog(events: [])) { pass, log in
      pass.list("events", &log.events, AccessLogEvent(uri: "", playbackType: .file)) {
        $0.fields(AccessLogEvent.fields, &$1)
      }
    }
    pass.part("errorLog", &logs.errorLog, ErrorLog(events: [])) { pass, log in
      let blank = ErrorLogEvent(date: .zero, uri: "", statusCode: 0, domain: "", comment: "")
      pass.list("events", &log.events, blank) { $0.fields(ErrorLogEvent.fields, &$1) }
    }
    logs.indicators.members(&pass)
    if pass.reads { logs.indicators.sumUp(logs.accessLog) }
  }
}

extension PlaybackIndicators {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.member("stallDuration", &stallDuration)
    pass.member("hasFailed", &hasFailed)
    pass.member("averageBitrate", &averageBitrate)
    let played = PlayedVariant(bitRate: 0, nominal: 0, media: .zero)
    pass.list("playedVariants", &playedVariants, played) { pass, variant in
      pass.member("bitrate", &variant.bitRate)
      pass.member("nominal", &variant.nominal)
      pass.member("media", &variant.media)
    }
    let shown = ShownVariant(start: .zero, variant: 0)
    pass.list("shownVariants", &shownVariants, shown) { pass, variant in
      pass.member("start", &variant.start)
      pass.member("variant", &variant.variant)
    }
  }
}

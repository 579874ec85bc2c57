import Autowait
import ExactText
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

/// What can be expected of a player, under the names of AVPlayer and of the figures: a row for
/// each.
package struct PlayerProperty: Sendable {
  /// The key in a scenario.
  package let name: String
  let kind: PropertyKind
  /// What it says, in a sentence.
  let about: String
  var scope = Scope.moment
  /// What it is now; nil where it has no value yet.
  let value: @Sendable (PropertySource) -> PropertyValue?

  /// What an expectation of it needs.
  enum Scope {
    /// A moment: it is what it is then.
    case moment
    /// Nothing: it says something of the run up to a moment, so that the end is meant where none
    /// is named.
    case summary
    /// That, and the events of the run.
    case summaryOfEvents
    /// No moment but the end, before which nobody knows it.
    case end
  }

  /// The property of a name, if there is one.
  package static func named(_ name: String) -> PlayerProperty? {
    all.first { isSameText($0.name, name) }
  }
}

/// What properties are read from.
struct PropertySource {
  let session: RunSession
  /// Why the run ended; nil while it goes on.
  let end: EndReason?

  var player: SimulatedPlayer { session.player }
  var core: PlayerCore { session.player.core }
  var now: Instant { session.world.now }
}

// MARK: - All of them

extension PlayerProperty {
  package static let all = present + booked + queued + [end] + foretold

  private static let present: [PlayerProperty] = [
    PlayerProperty(
      "timeControlStatus", .word(["paused", "waiting", "playing"]),
      "Whether it plays, waits to play, or is paused."
    ) { .text($0.core.machine.control.word) },
    PlayerProperty(
      "reasonForWaitingToPlay", .nullable(.word(WaitingReason.allCases.map { $0.word })),
      "Why it waits; null unless it does."
    ) { .word($0.core.machine.control.reason?.word) },
    .rate("rate", "The rate the app asked for.") { $0.core.rate },
    .rate("timebaseRate", "The rate at which playback actually occurs.") { $0.core.timebaseRate },
    .time("currentTime", "Where the playhead is.") { $0.player.currentTime() },
    .ranges("loadedTimeRanges", "The media that is loaded.") { $0.player.loadedTimeRanges },
    .flag("isPlaybackLikelyToKeepUp", "The heuristic's prediction.") {
      $0.core.isPlaybackLikelyToKeepUp
    },
    .flag("isPlaybackBufferFull", "Whether the buffer holds as much as it is going to.") {
      $0.core.isPlaybackBufferFull
    },
    .flag("isPlaybackBufferEmpty", "Whether nothing is left under the playhead.") {
      $0.core.isPlaybackBufferEmpty
    },
    // What the engineering screen shows, to its one decimal.
    .text("shownCurrentTime", "The current time as the engineering screen shows it.") {
      shown($0.player.currentTime())
    },
    .text("shownLoadedTimeRanges", "The loaded ranges as the engineering screen shows them.") {
      shown($0.player.loadedTimeRanges)
    },
    .time("loadedEnd", "The end of the contiguous media at the playhead.") {
      $0.core.loadedEnd(at: $0.now)
    },
    .time("bufferAhead", "How much contiguous media lies ahead of the playhead.") {
      $0.core.ahead(at: $0.now)
    },
    PlayerProperty(
      "status", .word(["unknown", "readyToPlay", "failed"]), "Where the item stands in its life."
    ) { .text($0.core.status.word) },
    .flag(
      "automaticallyWaitsToMinimizeStalling", "What the property of that name says."
    ) { $0.core.waitsProperty },
    .rate("defaultRate", "The rate that play asks for.") { $0.core.defaultRate },
    PlayerProperty(
      "variant", .nullable(.count),
      "Which variant the next segment is of, in playlist order from 0."
    ) { .whole($0.core.currentItem?.variant.map { Int64($0) }) },
    PlayerProperty(
      "indicatedBitrate", .nullable(.bitRate),
      "The bit rate that the playlist declares for that variant."
    ) { .whole($0.core.currentItem?.indicatedBitRate) },
    PlayerProperty(
      "observedBitrate", .nullable(.bitRate), "The throughput that the segments show."
    ) { .whole($0.core.currentItem?.observedBitRate(at: $0.now)) },
    PlayerProperty(
      "recommendedTimeOffsetFromLive", .nullable(.time),
      "How far from the live edge it had better be."
    ) { .media($0.core.currentItem?.recommendedTimeOffsetFromLive) },
    .ranges("seekableTimeRanges", "Where a seek may go.") {
      $0.core.currentItem?.seekableTimeRanges ?? []
    },
  ]

  /// What is booked of the run so far.
  private static let booked: [PlayerProperty] =
    Figure.all.map { figure in
      PlayerProperty(
        figure.name, figure.kind, figure.about, figure.isOfMoment ? .moment : .summary
      ) { figure.value(PlayerSummary($0.core, at: $0.now)) }
    } + [
      PlayerProperty(
        "startupStageCount", .count, "How many requests, one after the other, that was waited for.",
        .summaryOfEvents
      ) { .count($0.session.startup.report.stageCount) },
      PlayerProperty(
        "timeWeightedIndicatedBitrate", .nullable(.bitRate),
        "What the variants declare, weighted with the media watched.", .summary
      ) { .whole($0.player.indicators.timeWeightedIndicatedBitrate) },
      PlayerProperty(
        "accessLog", .nullable(.entries(.access)),
        "The access log, an object for each event; null before the item is ready.", .summary
      ) { .log($0.player.accessLog?.events.map { LogEntry($0) }) },
      PlayerProperty(
        "errorLog", .nullable(.entries(.error)),
        "The error log, with an object for each event; null while nothing went wrong.", .summary
      ) { .log($0.player.errorLog?.events.map { LogEntry($0) }) },
    ]

  /// What is played one after another, and what lies between.
  private static let queued: [PlayerProperty] = [
    .text("currentItem", "The current item by its name; “none” where there is none.") { source in
      source.player.currentItem?.number.map { source.session.name(of: $0) } ?? "none"
    },
    .text(
      "items", "The names of the items in the queue, the current one first, with commas between."
    ) { source in
      joined(source.core.items.map { source.session.name(of: $0.number ?? 0) }, by: ", ")
    },
    PlayerProperty(
      "itemCount", .count, "How many items stand in the queue, the current one included."
    ) { .count(Int64($0.core.items.count)) },
    PlayerProperty(
      "looperStatus", .word(["none", "unknown", "ready", "failed", "cancelled"]),
      "The status of the looper; “none” without one."
    ) { .text($0.session.looperStatus?.word ?? "none") },
    PlayerProperty(
      "parseCount", .count, "How often the index of an asset was read through.", .summary
    ) { .count($0.core.parseCount) },
    PlayerProperty(
      "pipelineBuildCount", .count, "How often its pipeline was set up.", .summary
    ) { .count($0.core.pipelineBuildCount) },
    PlayerProperty(
      "prerollCount", .count, "How often its pipeline was filled.", .summary
    ) { .count($0.core.prerollCount) },
  ]

  private static let end = PlayerProperty(
    "end", .word(EndReason.allCases.map { $0.rawValue }), "Why the run ended.", .end
  ) { $0.end.map { .text($0.word) } }

  /// What the last `project` step foretold: the difference to where the playhead then was.
  private static let foretold: [PlayerProperty] = [
    PlayerProperty(
      "projectionError", .difference, "How far the last projection by the timebase was off.",
      .summary
    ) { $0.projectionError { $0.byTimebase } },
    PlayerProperty(
      "projectionErrorByRequestedRate", .difference,
      "How far the one by the requested rate was off.", .summary
    ) { $0.projectionError { $0.byRate } },
  ]
}

extension PropertySource {
  fileprivate func projectionError(
    _ projected: (RunSession.Projection) -> MediaTime
  ) -> PropertyValue? {
    guard let last = session.projections.last(where: { $0.actual != nil }),
      let actual = last.actual
    else { return nil }
    return .time((projected(last) - actual).nanoseconds)
  }
}

// MARK: - Rows

extension PlayerProperty {
  private init(
    _ name: String, _ kind: PropertyKind, _ about: String, _ scope: Scope = .moment,
    _ value: @escaping @Sendable (PropertySource) -> PropertyValue?
  ) {
    self.init(name: name, kind: kind, about: about, scope: scope, value: value)
  }

  private static func flag(
    _ name: String, _ about: String, _ value: @escaping @Sendable (PropertySource) -> Bool
  ) -> PlayerProperty {
    PlayerProperty(name, .boolean, about) { .boolean(value($0)) }
  }

  private static func text(
    _ name: String, _ about: String, _ value: @escaping @Sendable (PropertySource) -> String
  ) -> PlayerProperty {
    PlayerProperty(name, .text, about) { .text(value($0)) }
  }

  private static func time(
    _ name: String, _ about: String, _ value: @escaping @Sendable (PropertySource) -> MediaTime
  ) -> PlayerProperty {
    PlayerProperty(name, .time, about) { .media(value($0)) }
  }

  private static func rate(
    _ name: String, _ about: String, _ value: @escaping @Sendable (PropertySource) -> PlaybackRate
  ) -> PlayerProperty {
    PlayerProperty(name, .rate, about) { .rate(value($0)) }
  }

  private static func ranges(
    _ name: String, _ about: String,
    _ value: @escaping @Sendable (PropertySource) -> [Range<MediaTime>]
  ) -> PlayerProperty {
    PlayerProperty(name, .ranges, about) { source in
      .ranges(value(source).map { $0.lowerBound.nanoseconds..<$0.upperBound.nanoseconds })
    }
  }
}

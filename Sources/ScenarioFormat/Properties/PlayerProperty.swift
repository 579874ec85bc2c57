import Autowait
import SimulatedPlayback
package import SimulatedWorld
package import VirtualTime

/// A property of a player that a scenario can check, named as AVPlayer's or a figure's: a row each.
package struct PlayerProperty: Sendable {
  package let name: String
  let kind: PropertyKind
  let about: String
  package var scope = Scope.moment
  var namesItems = false
  /// The events of the trace that make it what it is, where there are such.
  package var evidence: EventPattern? = nil
  /// The current value; nil where it has none yet.
  package let value: @Sendable (PropertySource) -> PropertyValue?

  /// The moment or the events that an expectation of it needs.
  package enum Scope {
    /// A moment: it is what it is then.
    case moment
    /// Nothing: it says something of the run up to a moment; the end is meant where none is named.
    case summary
    /// That, and the events of the run.
    case summaryOfEvents
    /// No moment but the end, before which nobody knows it.
    case end
  }
}

/// The source of property values: a player at a moment, and the state of its run.
package struct PropertySource {
  let player: SimulatedPlayer
  let now: Instant
  /// The reason the run ended; nil while it goes on.
  let end: EndReason?
  let looper: SimulatedPlayerLooper.Status?
  /// The last projection that has been held against what came.
  let projection: Projection?
  let name: (Int32) -> String
  /// The number of sequential requests that the start has waited for.
  let stageCount: () -> Int64

  package init(
    _ player: SimulatedPlayer, at now: Instant, end: EndReason?,
    looper: SimulatedPlayerLooper.Status?,
    projection: Projection?, name: @escaping (Int32) -> String,
    stageCount: @escaping () -> Int64
  ) {
    self.player = player
    self.now = now
    self.end = end
    self.looper = looper
    self.projection = projection
    self.name = name
    self.stageCount = stageCount
  }

  var core: PlayerCore { player.core }
}

/// The playhead positions projected by a `project` step, and the actual position: nil before its
/// instant has come.
package typealias Projection = (byTimebase: MediaTime, byRate: MediaTime, actual: MediaTime?)

extension PlayerProperty {
  package static let all = changed(present) {
    $0 += booked
    $0 += queued
    $0.append(end)
    $0 += foretold
  }

  private static let present: [PlayerProperty] = [
    Self(
      "timeControlStatus", "Whether it plays, waits to play, or is paused.",
      .init(kind: .word(TimeControl.words)) { .text($0.core.machine.control.word) }),
    Self(
      "reasonForWaitingToPlay", "Reason for waiting; null while it does not wait.",
      .made(.nullable(.word(WaitingReason.allCases.map { $0.word }))) {
        $0.core.machine.control.reason?.word
      }),
    Self("rate", "The rate the app asked for.", .init(kind: .rate) { .rate($0.core.rate) }),
    Self(
      "timebaseRate", "The rate at which playback actually occurs.",
      .init(kind: .rate) { .rate($0.core.timebaseRate) }),
    Self("currentTime", "Position of the playhead.", .made { $0.player.currentTime() }),
    Self("loadedTimeRanges", "The media that is loaded.", .ranges { $0.player.loadedTimeRanges }),
    Self(
      "isPlaybackLikelyToKeepUp", "The heuristic's prediction.",
      .made { $0.core.isPlaybackLikelyToKeepUp }),
    Self(
      "isPlaybackBufferFull", "Whether the buffer holds as much as it is going to.",
      .made { $0.core.isPlaybackBufferFull }),
    Self(
      "isPlaybackBufferEmpty", "Whether nothing is left under the playhead.",
      .made { $0.core.isPlaybackBufferEmpty }),
    // The value on the engineering screen, to its one decimal.
    Self(
      "shownCurrentTime", "The current time as the engineering screen shows it.",
      .made { shown($0.player.currentTime()) }),
    Self(
      "shownLoadedTimeRanges", "The loaded ranges as the engineering screen shows them.",
      .made { shown($0.player.loadedTimeRanges) }),
    Self(
      "loadedEnd", "The end of the contiguous media at the playhead.",
      .made { $0.core.loadedEnd(at: $0.now) }),
    Self(
      "bufferAhead", "Contiguous media ahead of the playhead.",
      .made { $0.core.ahead(at: $0.now) }),
    Self(
      "bufferBytes", "Bytes of media held ahead of the playhead.",
      .made(.bytes) { $0.core.currentItem?.bytesAhead(at: $0.now) ?? 0 }),
    Self(
      "status", "Status of the item.",
      .init(kind: .word(ItemStatus.words)) { .text($0.core.status.word) }),
    Self(
      "itemStartupDelay", "Startup delay of the current item; null before it moved.",
      .made { $0.core.currentItem?.startup }),
    Self(
      "automaticallyWaitsToMinimizeStalling", "AVPlayer's property of that name.",
      .made { $0.core.waitsProperty }),
    Self(
      "defaultRate", "The rate that play asks for.",
      .init(kind: .rate) { .rate($0.core.defaultRate) }),
    Self(
      "variant", "The variant of the next segment, in playlist order from 0.",
      .made { $0.core.currentItem?.variant.map { Int64($0) } }),
    Self(
      "indicatedBitrate", "BANDWIDTH of that variant, as in the access log.",
      .made(.nullable(.bitRate)) { $0.core.currentItem?.indicatedBitRate }),
    Self(
      "observedBitrate", "The throughput that the segments show.",
      .made(.nullable(.bitRate)) { $0.core.currentItem?.observedBitRate }),
    Self(
      "recommendedTimeOffsetFromLive", "Distance from the live edge that the server recommends.",
      .made { $0.core.currentItem?.recommendedOffset }),
    Self(
      "seekableTimeRanges", "Ranges to which a seek may go.",
      .ranges { $0.core.currentItem?.seekableTimeRanges ?? [] }),
  ]

  /// The totals of the run so far.
  private static let booked: [PlayerProperty] =
    Figure.all.map { figure in
      Self(
        figure.name, figure.about,
        .init(kind: figure.kind) { figure.value(PlayerSummary($0.core, at: $0.now)) },
        figure.isOfMoment ? .moment : .summary, evidence: figure.evidence)
    } + [
      Self(
        "startupStageCount", "Number of requests, one after the other, that the start waited for.",
        .made { $0.stageCount() }, .summaryOfEvents),
      Self(
        "timeWeightedIndicatedBitrate",
        "Declared bit rate of the variants, weighted with the media watched.",
        .made(.nullable(.bitRate)) { $0.player.indicators.timeWeightedIndicatedBitrate },
        .summary),
      Self(
        "accessLog", "The access log, an object for each event; null before the item is ready.",
        .log(.access) { $0.player.accessLog?.events.map { LogEntry($0) } }, .summary),
      Self(
        "errorLog", "The error log, with an object for each event; null while nothing went wrong.",
        .log(.error) { $0.player.errorLog?.events.map { LogEntry($0) } }, .summary),
    ]

  /// Properties of the play queue, of the looper and of the pipeline.
  private static let queued: [PlayerProperty] = [
    Self(
      "currentItem", "The current item by its name; “none” where there is none.",
      .made { $0.player.currentItem?.number.map($0.name) ?? "none" }, namesItems: true),
    Self(
      "items", "The names of the items in the queue, the current one first, with commas between.",
      .made { source in
        joined(source.core.items.map { source.name($0.number ?? 0) }, by: ", ")
      }, namesItems: true),
    Self(
      "itemCount", "Number of items in the queue, the current one included.",
      .made { Int64($0.core.items.count) }),
    Self(
      "looperStatus", "The status of the looper; “none” without one.",
      .init(kind: .word(["none", "unknown", "ready", "failed", "cancelled"])) {
        .text($0.looper?.word ?? "none")
      }),
    Self(
      "parseCount", "Number of times that the index of an asset was parsed.",
      .made { $0.core.pipeline.parseCount }, .summary),
    Self(
      "pipelineBuildCount", "Number of times that its pipeline was set up.",
      .made { $0.core.pipeline.buildCount }, .summary),
    Self(
      "prerollCount", "Number of times that its pipeline was filled.",
      .made { $0.core.pipeline.prerollCount }, .summary),
  ]

  private static let end = Self(
    "end", "Reason for the end of the run.",
    .init(kind: .word(EndReason.allCases.map { $0.rawValue })) { $0.end.map { .text($0.word) } },
    .end)

  /// Errors of the last `project` step: the projected minus the actual playhead position.
  private static let foretold: [PlayerProperty] = [
    Self(
      "projectionError", "Error of the last projection by the timebase.",
      .init(kind: .difference) { $0.projectionError { $0.byTimebase } }, .summary),
    Self(
      "projectionErrorByRequestedRate", "Error of the projection by the requested rate.",
      .init(kind: .difference) { $0.projectionError { $0.byRate } }, .summary),
  ]
}

extension PropertySource {
  fileprivate func projectionError(_ projected: (Projection) -> MediaTime) -> PropertyValue? {
    guard let projection, let actual = projection.actual else { return nil }
    return .time((projected(projection) - actual).nanoseconds)
  }
}

extension PlayerProperty {
  private init(
    _ name: String, _ about: String, _ reading: Reading<PropertySource>, _ scope: Scope = .moment,
    namesItems: Bool = false, evidence: EventPattern? = nil
  ) {
    self.init(
      name: name, kind: reading.kind, about: about, scope: scope, namesItems: namesItems,
      evidence: evidence, value: reading.value)
  }
}

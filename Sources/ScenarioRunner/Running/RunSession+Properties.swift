import Autowait
package import SimulatedPlayback
import SimulatedWorld
import VirtualTime

// Reading the properties that expectations speak of.

extension RunSession {
  /// A property now; nil where it has no value yet.
  func value(of property: PlayerProperty, end: EndReason?) -> PropertyValue? {
    switch property {
    case .present(let property): present(property)
    case .booked(let property): booked(property)
    case .queued(let property): queued(property)
    case .foretold(let property): foretold(property)
    case .end: end.map { .text($0.word) }
    }
  }

  private func present(_ property: PresentProperty) -> PropertyValue {
    let core = player.core
    return switch property {
    case .timeControlStatus: .text(core.machine.control.word)
    case .reasonForWaitingToPlay:
      core.machine.control.reason.map { .text($0.word) } ?? .null
    case .rate: .rate(core.rate)
    case .timebaseRate: .rate(core.timebaseRate)
    case .currentTime: .time(player.currentTime().nanoseconds)
    case .loadedTimeRanges: ranges(player.loadedTimeRanges)
    case .isPlaybackLikelyToKeepUp: .boolean(core.isPlaybackLikelyToKeepUp)
    case .isPlaybackBufferFull: .boolean(core.isPlaybackBufferFull)
    case .isPlaybackBufferEmpty: .boolean(core.isPlaybackBufferEmpty)
    case .shownCurrentTime: .text(shown(player.currentTime()))
    case .shownLoadedTimeRanges: .text(shown(player.loadedTimeRanges))
    case .loadedEnd: .time(core.loadedEnd(at: world.now).nanoseconds)
    case .bufferAhead: .time(core.ahead(at: world.now).nanoseconds)
    case .status: .text(core.status.word)
    case .automaticallyWaitsToMinimizeStalling: .boolean(core.waitsProperty)
    case .defaultRate: .rate(core.defaultRate)
    case .variant: core.variant.map { .count(Int64($0)) } ?? .null
    case .indicatedBitrate: core.indicatedBitRate.map { .count($0) } ?? .null
    case .observedBitrate: core.observedBitRate.map { .count($0) } ?? .null
    case .timeOffsetFromLive: offset(core.timeOffsetFromLive(at: world.now))
    case .recommendedTimeOffsetFromLive: offset(core.recommendedTimeOffsetFromLive)
    case .seekableTimeRanges: ranges(core.seekableTimeRanges)
    }
  }

  private func offset(_ time: MediaTime?) -> PropertyValue {
    time.map { .time($0.nanoseconds) } ?? .null
  }

  private func entries(_ entries: [LogEntry]?) -> PropertyValue {
    entries.map { .entries($0) } ?? .null
  }

  private func ranges(_ ranges: [Range<MediaTime>]) -> PropertyValue {
    .ranges(ranges.map { $0.lowerBound.nanoseconds..<$0.upperBound.nanoseconds })
  }

  private func booked(_ property: BookedProperty) -> PropertyValue {
    let summary = PlayerSummary(player.core, at: world.now)
    return switch property {
    case .startupDelay: summary.startupDelay.map { .time($0.nanoseconds) } ?? .null
    case .stallCount: .count(summary.stallCount)
    case .stalled: .time(summary.stalled.nanoseconds)
    case .waiting: .time(summary.waiting.nanoseconds)
    case .played: .time(summary.played.nanoseconds)
    case .paused: .time(summary.paused.nanoseconds)
    case .seekWaiting: .time(summary.seekWaiting.nanoseconds)
    case .rebufferRatio: .share(summary.rebufferShare)
    case .bytesTransferred: .count(summary.bytesTransferred)
    case .bytesAbandoned: .count(summary.bytesAbandoned)
    case .requestCount: .count(summary.requestCount)
    case .variantSwitchCount: .count(summary.variantSwitchCount)
    case .startupStageCount: .count(startup.report.stageCount)
    case .timeWeightedIndicatedBitrate:
      player.indicators.timeWeightedIndicatedBitrate.map { .count($0) } ?? .null
    case .accessLog: entries(player.accessLog?.events.map { LogEntry($0) })
    case .errorLog: entries(player.errorLog?.events.map { LogEntry($0) })
    }
  }

  private func foretold(_ property: ForetoldProperty) -> PropertyValue? {
    switch property {
    case .projectionError: projectionError { $0.byTimebase }
    case .projectionErrorByRequestedRate: projectionError { $0.byRate }
    }
  }

  /// How far the last projection was from where the playhead then was.
  private func projectionError(
    _ projected: (Projection) -> MediaTime
  ) -> PropertyValue? {
    guard let last = projections.last(where: { $0.actual != nil }), let actual = last.actual
    else { return nil }
    return .time((projected(last) - actual).nanoseconds)
  }
}

extension ItemStatus {
  package var word: String {
    switch self {
    case .unknown: "unknown"
    case .readyToPlay: "readyToPlay"
    case .failed: "failed"
    }
  }
}

import Autowait
public import SimulatedPlayback
import SimulatedWorld
import VirtualTime

// Reading the properties that expectations speak of.

extension RunSession {
  /// A property now; nil where it has no value yet.
  func value(of property: PlayerProperty, end: EndReason?) -> PropertyValue? {
    let core = player.core
    switch property {
    case .timeControlStatus: return .text(core.machine.control.word)
    case .reasonForWaitingToPlay:
      return core.machine.control.reason.map { .text($0.word) } ?? .null
    case .rate: return .rate(core.rate)
    case .timebaseRate: return .rate(core.timebaseRate)
    case .currentTime: return .time(player.currentTime().nanoseconds)
    case .loadedTimeRanges: return ranges(player.loadedTimeRanges)
    case .isPlaybackLikelyToKeepUp: return .boolean(core.isPlaybackLikelyToKeepUp)
    case .isPlaybackBufferFull: return .boolean(core.isPlaybackBufferFull)
    case .isPlaybackBufferEmpty: return .boolean(core.isPlaybackBufferEmpty)
    case .shownCurrentTime: return .text(shown(player.currentTime()))
    case .shownLoadedTimeRanges: return .text(shown(player.loadedTimeRanges))
    case .loadedEnd: return .time(core.loadedEnd(at: world.now).nanoseconds)
    case .bufferAhead: return .time(core.ahead(at: world.now).nanoseconds)
    case .status: return .text(core.status.word)
    case .automaticallyWaitsToMinimizeStalling: return .boolean(core.waitsProperty)
    case .defaultRate: return .rate(core.defaultRate)
    case .variant: return core.variant.map { .count(Int64($0)) } ?? .null
    case .indicatedBitrate: return core.indicatedBitRate.map { .count($0) } ?? .null
    case .observedBitrate: return core.observedBitRate.map { .count($0) } ?? .null
    case .startupStageCount: return .count(startup.report.stageCount)
    case .timeOffsetFromLive: return offset(core.timeOffsetFromLive(at: world.now))
    case .recommendedTimeOffsetFromLive: return offset(core.recommendedTimeOffsetFromLive)
    case .seekableTimeRanges: return ranges(core.seekableTimeRanges)
    case .startupDelay, .stallCount, .stalledTime, .waitingTime, .playedTime, .pausedTime,
      .seekWaitingTime, .rebufferRatio, .bytesTransferred, .bytesAbandoned, .requestCount,
      .variantSwitchCount:
      return booked(property)
    case .currentItem, .items, .itemCount, .longestQueue, .transitionCount, .totalGap, .loopCount,
      .parseCount, .looperStatus, .emptyVideoTime, .silentAudioTime, .pipelineTime,
      .pipelineBuildCount, .prerollCount:
      return QueueProperty(rawValue: property.rawValue).map { queued($0) }
    case .timeWeightedIndicatedBitrate:
      return player.indicators.timeWeightedIndicatedBitrate.map { .count($0) } ?? .null
    case .accessLog: return entries(player.accessLog?.events.map { LogEntry($0) })
    case .errorLog: return entries(player.errorLog?.events.map { LogEntry($0) })
    case .end: return end.map { .text($0.word) }
    case .projectionError: return projectionError { $0.byTimebase }
    case .projectionErrorByRequestedRate: return projectionError { $0.byRate }
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

  private func booked(_ property: PlayerProperty) -> PropertyValue? {
    let summary = PlayerSummary(player.core, at: world.now)
    switch property {
    case .startupDelay: return summary.startupDelay.map { .time($0.nanoseconds) } ?? .null
    case .stallCount: return .count(summary.stallCount)
    case .stalledTime: return .time(summary.stalled.nanoseconds)
    case .waitingTime: return .time(summary.waiting.nanoseconds)
    case .playedTime: return .time(summary.played.nanoseconds)
    case .pausedTime: return .time(summary.paused.nanoseconds)
    case .seekWaitingTime: return .time(summary.seekWaiting.nanoseconds)
    case .rebufferRatio: return .share(summary.rebufferShare)
    case .bytesTransferred: return .count(summary.bytesTransferred)
    case .bytesAbandoned: return .count(summary.bytesAbandoned)
    case .requestCount: return .count(summary.requestCount)
    case .variantSwitchCount: return .count(summary.variantSwitchCount)
    case .timeControlStatus, .reasonForWaitingToPlay, .rate, .timebaseRate, .currentTime,
      .loadedTimeRanges, .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull,
      .isPlaybackBufferEmpty, .shownCurrentTime, .shownLoadedTimeRanges, .loadedEnd,
      .bufferAhead, .status, .automaticallyWaitsToMinimizeStalling, .defaultRate, .variant,
      .indicatedBitrate, .observedBitrate, .startupStageCount, .timeOffsetFromLive,
      .recommendedTimeOffsetFromLive,
      .seekableTimeRanges, .timeWeightedIndicatedBitrate, .accessLog, .errorLog, .end,
      .currentItem, .items, .itemCount, .longestQueue, .transitionCount, .totalGap, .loopCount,
      .parseCount, .looperStatus, .emptyVideoTime, .silentAudioTime, .pipelineTime,
      .pipelineBuildCount, .prerollCount,
      .projectionError, .projectionErrorByRequestedRate:
      return nil
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
  public var word: String {
    switch self {
    case .unknown: "unknown"
    case .readyToPlay: "readyToPlay"
    case .failed: "failed"
    }
  }
}

/// What sort of value a property has, and with it how an expectation writes it.
indirect enum PropertyKind {
  case boolean
  case word([String])
  /// As the engineering screen shows it.
  case text
  case count
  case bytes
  case bitRate
  case time
  /// A time that may lie before zero.
  case difference
  case rate
  case share
  case ranges
  /// That, or null.
  case nullable(PropertyKind)

  /// Whether one value can be more than another.
  var isOrdered: Bool {
    switch self {
    case .boolean, .word, .text, .ranges: false
    case .count, .bytes, .bitRate, .time, .difference, .rate, .share: true
    case .nullable(let kind): kind.isOrdered
    }
  }
}

extension PlayerProperty {
  var kind: PropertyKind {
    switch self {
    case .timeControlStatus: .word(["paused", "waiting", "playing"])
    case .reasonForWaitingToPlay:
      .nullable(.word(["toMinimizeStalls", "evaluatingBufferingRate", "noItemToPlay"]))
    case .status: .word(["unknown", "readyToPlay", "failed"])
    case .end: .word(["finished", "horizon", "budget", "idle"])
    case .rate, .timebaseRate, .defaultRate: .rate
    case .currentTime, .loadedEnd, .bufferAhead: .time
    case .stalledTime, .waitingTime, .playedTime, .pausedTime, .seekWaitingTime: .time
    case .pipelineTime, .totalGap, .emptyVideoTime, .silentAudioTime: .time
    case .currentItem, .items: .text
    case .looperStatus: .word(["none", "unknown", "ready", "failed", "cancelled"])
    case .itemCount, .longestQueue, .transitionCount, .loopCount, .parseCount: .count
    case .startupDelay: .nullable(.time)
    case .loadedTimeRanges: .ranges
    case .shownCurrentTime, .shownLoadedTimeRanges: .text
    case .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull, .isPlaybackBufferEmpty: .boolean
    case .automaticallyWaitsToMinimizeStalling: .boolean
    case .stallCount, .requestCount, .variantSwitchCount: .count
    case .pipelineBuildCount, .prerollCount: .count
    case .variant: .nullable(.count)
    case .indicatedBitrate, .observedBitrate: .nullable(.bitRate)
    case .bytesTransferred: .bytes
    case .rebufferRatio: .share
    case .projectionError, .projectionErrorByRequestedRate: .difference
    }
  }

  /// Whether it says something of the run up to a moment, so that the end is meant where no
  /// moment is named.
  var isSummary: Bool {
    switch self {
    case .timeControlStatus, .reasonForWaitingToPlay, .rate, .timebaseRate, .currentTime,
      .loadedTimeRanges, .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull,
      .isPlaybackBufferEmpty, .shownCurrentTime, .shownLoadedTimeRanges, .loadedEnd,
      .bufferAhead, .status, .automaticallyWaitsToMinimizeStalling, .defaultRate, .variant,
      .indicatedBitrate, .observedBitrate, .currentItem, .items, .itemCount, .looperStatus:
      false
    case .startupDelay, .stallCount, .stalledTime, .waitingTime, .playedTime, .pausedTime,
      .seekWaitingTime, .rebufferRatio, .bytesTransferred, .requestCount,
      .variantSwitchCount, .longestQueue, .transitionCount, .totalGap, .loopCount, .parseCount,
      .emptyVideoTime, .silentAudioTime, .pipelineTime, .pipelineBuildCount, .prerollCount, .end,
      .projectionError, .projectionErrorByRequestedRate:
      true
    }
  }
}

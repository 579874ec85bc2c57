import Autowait

/// What sort of value a property has, and with it how an expectation writes it.
indirect enum PropertyKind: Sendable {
  case boolean
  case word([String])
  /// As the engineering screen shows it.
  case text
  case count
  /// A number that may be below zero.
  case whole
  case bytes
  case bitRate
  case time
  /// A time that may lie before zero.
  case difference
  case rate
  case share
  case ranges
  /// The entries of a log.
  case entries(LogKind)
  /// That, or null.
  case nullable(PropertyKind)

  /// Whether one value can be more than another.
  var isOrdered: Bool {
    switch self {
    case .boolean, .word, .text, .ranges, .entries: false
    case .count, .whole, .bytes, .bitRate, .time, .difference, .rate, .share: true
    case .nullable(let kind): kind.isOrdered
    }
  }
}

/// One of the logs of an item, with what its entries hold.
enum LogKind {
  case access
  case error

  var fields: [(name: String, kind: PropertyKind, summary: String)] {
    switch self {
    case .access: AccessLogField.allCases.map { ($0.rawValue, $0.kind, $0.summary) }
    case .error: ErrorLogField.allCases.map { ($0.rawValue, $0.kind, $0.summary) }
    }
  }
}

extension PlayerProperty {
  var kind: PropertyKind {
    switch self {
    case .present(let property): property.kind
    case .booked(let property): property.kind
    case .queued(let property): property.kind
    case .foretold: .difference
    case .end: .word(["finished", "horizon", "budget", "idle"])
    }
  }

  /// Whether it says something of the run up to a moment, so that the end is meant where no
  /// moment is named.
  var isSummary: Bool {
    switch self {
    case .present: false
    case .booked, .foretold, .end: true
    case .queued(let property): property.isSummary
    }
  }
}

extension PresentProperty {
  fileprivate var kind: PropertyKind {
    switch self {
    case .timeControlStatus: .word(["paused", "waiting", "playing"])
    case .reasonForWaitingToPlay:
      .nullable(.word(WaitingReason.allCases.map { $0.word }))
    case .status: .word(["unknown", "readyToPlay", "failed"])
    case .rate, .timebaseRate, .defaultRate: .rate
    case .currentTime, .loadedEnd, .bufferAhead: .time
    case .timeOffsetFromLive, .recommendedTimeOffsetFromLive: .nullable(.time)
    case .loadedTimeRanges, .seekableTimeRanges: .ranges
    case .shownCurrentTime, .shownLoadedTimeRanges: .text
    case .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull, .isPlaybackBufferEmpty: .boolean
    case .automaticallyWaitsToMinimizeStalling: .boolean
    case .variant: .nullable(.count)
    case .indicatedBitrate, .observedBitrate: .nullable(.bitRate)
    }
  }
}

extension BookedProperty {
  fileprivate var kind: PropertyKind {
    switch self {
    case .startupDelay: .nullable(.time)
    case .stalled, .waiting, .played, .paused, .seekWaiting: .time
    case .stallCount, .startupStageCount, .requestCount, .variantSwitchCount: .count
    case .bytesTransferred, .bytesAbandoned: .bytes
    case .rebufferRatio: .share
    case .timeWeightedIndicatedBitrate: .nullable(.bitRate)
    case .accessLog: .nullable(.entries(.access))
    case .errorLog: .nullable(.entries(.error))
    }
  }
}

extension QueueProperty {
  fileprivate var kind: PropertyKind {
    switch self {
    case .currentItem, .items: .text
    case .looperStatus: .word(["none", "unknown", "ready", "failed", "cancelled"])
    case .itemCount, .longestQueue, .transitionCount, .loopCount, .parseCount: .count
    case .pipelineBuildCount, .prerollCount: .count
    case .pipeline, .gap, .emptyVideo, .silentAudio: .time
    }
  }

  fileprivate var isSummary: Bool {
    switch self {
    case .currentItem, .items, .itemCount, .looperStatus: false
    case .longestQueue, .transitionCount, .gap, .loopCount, .parseCount, .emptyVideo,
      .silentAudio, .pipeline, .pipelineBuildCount, .prerollCount:
      true
    }
  }
}

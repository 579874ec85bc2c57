import SimulatedPlayback

/// What an app can do, in groups, each of which is read in one place.
enum AppVerb: Hashable, CaseIterable {
  case player(PlayerVerb)
  case live(LiveVerb)
  case queue(QueueVerb)
  case link(LinkVerb)

  static let allCases: [AppVerb] =
    PlayerVerb.allCases.map { .player($0) } + LiveVerb.allCases.map { .live($0) }
    + QueueVerb.allCases.map { .queue($0) } + LinkVerb.allCases.map { .link($0) }

  /// What scenarios call it.
  var name: String {
    switch self {
    case .player(let verb): verb.rawValue
    case .live(let verb): verb.rawValue
    case .queue(let verb): verb.rawValue
    case .link(let verb): verb.rawValue
    }
  }

  /// Every key that some verb takes.
  static let argumentKeys = [
    "to", "rate", "time", "hostTime", "traffic", "track", "by", "ahead", "keys",
    "item", "afterItem",
  ]
}

extension AppVerb {
  /// Whether it is about one item, which may be named.
  var concernsItem: Bool {
    switch self {
    case .player(let verb): verb.concernsItem
    case .live(let verb): verb != .seekToLive
    case .queue, .link: false
    }
  }
}

extension PlayerVerb {
  fileprivate var concernsItem: Bool {
    switch self {
    case .setForwardPlaybackEndTime, .setPreferredForwardBufferDuration, .setPreferredPeakBitRate,
      .selectAudio, .selectSubtitles, .setTrackEnabled:
      true
    case .play, .pause, .playImmediately, .setRate, .setDefaultRate, .seek,
      .setAutomaticallyWaitsToMinimizeStalling, .setActionAtItemEnd, .setLayer,
      .setExpensiveNetwork, .setNetworkResourcePriority, .beginSuspension, .endSuspension,
      .setRateAtHostTime, .loadValues, .setItem, .removeItem, .project:
      false
    }
  }
}

/// What it can do with a player and its item.
enum PlayerVerb: String, CaseIterable {
  case play
  case pause
  case playImmediately
  case setRate
  case setDefaultRate
  case seek
  case setAutomaticallyWaitsToMinimizeStalling
  case setForwardPlaybackEndTime
  case setActionAtItemEnd
  case setPreferredForwardBufferDuration
  case setPreferredPeakBitRate
  case setLayer
  case selectAudio
  case selectSubtitles
  case setExpensiveNetwork
  case setNetworkResourcePriority
  case setTrackEnabled
  case beginSuspension
  case endSuspension
  case setRateAtHostTime
  case loadValues
  case setItem
  case removeItem
  case project
}

/// What it can do about a live stream.
enum LiveVerb: String, CaseIterable {
  case seekToLive
  case setAutomaticallyPreservesTimeOffsetFromLive
  case setConfiguredTimeOffsetFromLive
  case setCanUseNetworkResourcesForLiveStreamingWhilePaused
}

/// What changes what is played after what.
enum QueueVerb: String, CaseIterable {
  case insert
  case remove
  case removeAllItems
  case advanceToNextItem
  case startLooping
  case disableLooping
}

/// What changes the link, and who else is on it.
enum LinkVerb: String, CaseIterable {
  case switchLink
  case changeLink
  case changeSchedule
  case suspendTraffic
  case resumeTraffic
  case stopTraffic
}

// MARK: - The verb of an action

extension AppAction {
  /// The verb as scenario files have it.
  package var word: String { verb.name }

  private var verb: AppVerb {
    switch self {
    case .play: .player(.play)
    case .pause: .player(.pause)
    case .playImmediately: .player(.playImmediately)
    case .setRate: .player(.setRate)
    case .setDefaultRate: .player(.setDefaultRate)
    case .seek: .player(.seek)
    case .setWaitsAutomatically: .player(.setAutomaticallyWaitsToMinimizeStalling)
    case .setForwardPlaybackEndTime: .player(.setForwardPlaybackEndTime)
    case .setActionAtItemEnd: .player(.setActionAtItemEnd)
    case .setPreferredForwardBufferDuration: .player(.setPreferredForwardBufferDuration)
    case .setPreferredPeakBitRate: .player(.setPreferredPeakBitRate)
    case .setLayer: .player(.setLayer)
    case .select(let selection):
      switch selection.kind {
      case .main, .audio: .player(.selectAudio)
      case .subtitles: .player(.selectSubtitles)
      }
    case .setExpensiveNetwork: .player(.setExpensiveNetwork)
    case .setNetworkResourcePriority: .player(.setNetworkResourcePriority)
    case .loadValues: .player(.loadValues)
    case .setTrackEnabled: .player(.setTrackEnabled)
    case .beginSuspension: .player(.beginSuspension)
    case .endSuspension: .player(.endSuspension)
    case .setRateAtHostTime: .player(.setRateAtHostTime)
    case .setItem: .player(.setItem)
    case .removeItem: .player(.removeItem)
    case .project: .player(.project)
    case .live(let action): .live(action.verb)
    case .edit(let edit): .queue(edit.verb)
    case .switchLink: .link(.switchLink)
    case .changeLink: .link(.changeLink)
    case .changeSchedule: .link(.changeSchedule)
    case .suspendTraffic: .link(.suspendTraffic)
    case .resumeTraffic: .link(.resumeTraffic)
    case .stopTraffic: .link(.stopTraffic)
    }
  }
}

extension AppAction.LiveAction {
  fileprivate var verb: LiveVerb {
    switch self {
    case .seekToLive: .seekToLive
    case .setPreservesOffset: .setAutomaticallyPreservesTimeOffsetFromLive
    case .setConfiguredOffset: .setConfiguredTimeOffsetFromLive
    case .setUsesNetworkWhilePaused: .setCanUseNetworkResourcesForLiveStreamingWhilePaused
    }
  }
}

extension QueueEdit {
  fileprivate var verb: QueueVerb {
    switch self {
    case .insert: .insert
    case .remove: .remove
    case .removeAllItems: .removeAllItems
    case .advanceToNextItem: .advanceToNextItem
    case .startLooping: .startLooping
    case .disableLooping: .disableLooping
    }
  }
}

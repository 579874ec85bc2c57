import Autowait
import ExactText
import SimulatedPlayback
import StreamingMedia
import VirtualTime

// Behaviours that a player lacks, and that it would not show here if it had them.

extension PlayedMedia {
  /// What a player lacks in vain, with the place of the key that says so.
  var missingInVain: [RunWarning] {
    if scenario.player.without.isEmpty { return [] }
    return Behaviour.allCases.filter { scenario.player.without.contains($0) }.compactMap {
      guard let why = $0.idle?.why(self, nil) else { return nil }
      return RunWarning(
        position: placeOfWithout,
        message: "without \(quotation(of: $0.name)) nothing is different: \(why)")
    }
  }

  private var placeOfWithout: TextPosition? {
    scenario.idleKeys.first {
      isSameText($0.name, "without") && ($0.path.player != nil) == isFurther
        && scenario.player.without == player(of: $0.path).player.without
    }?.position
  }

  private func player(of path: DocumentPath) -> Scenario {
    path.player.flatMap { host.others.indices.contains($0) ? host.others[$0].scenario : nil }
      ?? host
  }

  fileprivate func concerns(_ concern: AppAction.Concern) -> Bool {
    scenario.script.contains { $0.action.concern == concern }
  }
}

extension Behaviour {
  /// When nobody would see it; nil where only a run can tell.
  fileprivate var idle: Idle? {
    switch self {
    case .layerSize, .peakBitRateLimit, .previousObservation, .adaptation, .rescue,
      .segmentAbandonment, .expensiveNetworkLimits:
      .nothingToChoose
    case .deviceSupport, .variantFallback, .variantRecovery, .mediaTimeout, .soundAloneOnce,
      .gapAvoidance, .languageChangeDiscards:
      .withoutStream
    case .liveHoldBack, .hastenedReload, .openLiveEdge, .slidOutReload, .windowFollowing,
      .offsetPreservation, .quietPause, .playlistEnd, .staleFallback:
      .onDemand
    case .partialSegments, .blockingReload, .renditionReports, .preloadHints: .withoutParts
    case .deltaUpdates: .withoutDeltas
    case .keyPreloading: .withoutKeys
    case .preroll: .withoutPreroll
    case .prerollAhead, .deepLookAhead: .withoutQueue.or(.withoutPreroll)
    case .nextItemDownload, .assetSharing: .withoutSuccessor
    case .gaplessStreams, .streamGapBeforeIOS15, .audioTraits, .continuityBeforeQuality,
      .encoderPadding, .encoderEditLists:
      .withoutFollowingStream
    case .observationAcrossItems: .withoutStream.or(.withoutSuccessor)
    case .pipelineBuild, .lateLayerRebuild: .withoutBuild
    case .stillFrame: .withoutStillFrame
    case .trackDurations, .editLists: .withoutTracks
    case .trackChangePause, .smoothTrackChanges, .keyFrameSnap: .withoutTrackChange
    case .forwardPlaybackEndTime: .withoutEndTime
    case .notificationLatency, .commandLatency: .withoutNotifications
    case .speculativeLoading: .withoutQuestion
    case .forwardBufferLimit: .withoutBufferLimit
    case .streamWaiting: .withoutStream.or(.waitsAnyway)
    case .frameworkWaiting: .waitsAnyway
    case .interstitialSuspension: .neverInterrupted
    case .coordinatedSuspension: .neverCoordinated
    case .colourTags, .workingSpace, .wideColourPassThrough, .compositionColour, .untaggedWarning,
      .clampTo709:
      .withoutPictures
    case .networkResourcePriority: .alone
    case .waitingForItem, .playingOutTheBuffer: nil
    }
  }
}

extension Idle {
  fileprivate static let withoutParts = Idle("no stream here is live in parts") { media in
    media.streams.allSatisfy { $0.live?.parts == nil }
  }
  fileprivate static let withoutDeltas = Idle("no server makes delta updates here") { media in
    media.streams.allSatisfy { $0.live?.canSkipUntil == nil }
  }
  fileprivate static let withoutSuccessor = Idle("one item is played, and no other") { media in
    media.scenario.queue == nil && media.scenario.singles.isEmpty && !media.concerns(.item)
  }
  fileprivate static let withoutBuild = Idle("setting a pipeline up takes no time") {
    $0.scenario.player.pipeline.build == .zero
  }
  fileprivate static let withoutStillFrame = Idle("a still frame takes no time") {
    $0.scenario.player.pipeline.stillFrame == .zero
  }
  fileprivate static let withoutTracks = Idle("nothing is said of any tracks") { !$0.hasTracks }
  fileprivate static let withoutTrackChange = Idle("nothing changes what is played") {
    !$0.concerns(.tracks) && !$0.concerns(.layer)
  }
  fileprivate static let withoutEndTime = Idle("nothing says where playback ends") { media in
    !media.items.contains { $0.saysEnd } && media.scenario.looping?.isOfPart != true
      && !media.concerns(.end)
  }
  fileprivate static let withoutQuestion = Idle("no step asks for values of an asset") {
    !$0.concerns(.values)
  }
  fileprivate static let withoutBufferLimit = Idle("nobody says how much to buffer") { media in
    !media.items.contains { $0.limitsBuffer } && !media.concerns(.buffer)
  }
  fileprivate static let waitsAnyway = Idle("from iOS 10 on every player waits by itself") {
    $0.contract.waitsByDefault
  }
  fileprivate static let neverInterrupted = Idle("no interstitial holds playback up") { media in
    !media.host.others.contains { $0.interstitial != nil }
      && !media.concerns(.suspension(.interstitialEvent))
  }
  fileprivate static let neverCoordinated = Idle("nothing coordinates playback") {
    !$0.concerns(.suspension(.coordinatedPlayback))
  }
  fileprivate static let withoutPictures = Idle("nothing takes pictures or shows them") { media in
    media.scenario.player.display == nil
      && media.items.allSatisfy { $0.pictures == PictureUse() }
  }
}

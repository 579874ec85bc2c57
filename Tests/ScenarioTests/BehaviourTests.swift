import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing

/// Each behaviour is broken in turn, and the scenarios that show it fail.
@Suite struct BehaviourTests {
  /// A behaviour, and the scenarios that do not come true without it.
  struct Showing: Sendable, CustomTestStringConvertible {
    var behaviour: Behaviour
    var scenarios: [String]

    init(_ behaviour: Behaviour, shownBy scenarios: String...) {
      self.behaviour = behaviour
      self.scenarios = scenarios
    }

    var testDescription: String { behaviour.name }
  }

  static let showings = [
    // H6
    Showing(.keyPreloading, shownBy: "hls-key-announced-preloaded"),
    // V3, V4
    Showing(.layerSize, shownBy: "hls-layer-caps-the-picture", "hls-layer-shrinks"),
    // V12
    Showing(.previousObservation, shownBy: "hls-previous-observed-bitrate"),
    // V14
    Showing(
      .peakBitRateLimit, shownBy: "hls-option-a-with-reset", "hls-option-a-without-reset"),
    // V9, V16
    Showing(
      .adaptation, shownBy: "hls-first-applicable-then-up", "hls-unsustained-rung-goes-down",
      "gapless-continuity-before-quality"),
    // L1
    Showing(
      .notificationLatency, shownBy: "loop-rewind", "loop-treadmill",
      "play-waits-for-the-notification"),
    Showing(
      .commandLatency, shownBy: "loop-rewind", "loop-treadmill",
      "play-waits-for-the-notification"),
    // L2
    Showing(.preroll, shownBy: "loop-rewind", "queue-next-item-late"),
    // L3
    Showing(
      .prerollAhead, shownBy: "queue-next-item-prepared", "loop-treadmill", "loop-looper"),
    // L4
    Showing(.deepLookAhead, shownBy: "queue-short-item"),
    // L6
    Showing(
      .assetSharing, shownBy: "queue-one-asset", "loop-treadmill", "gapless-scenes-of-one-asset"),
    // L7
    Showing(.nextItemDownload, shownBy: "queue-is-no-playlist", "queue-next-download"),
    // L12
    Showing(.trackDurations, shownBy: "loop-uneven-video", "loop-uneven-audio"),
    // L13
    Showing(.editLists, shownBy: "loop-edit-list"),
    // L14
    Showing(
      .forwardPlaybackEndTime, shownBy: "loop-trimmed", "loop-looper-time-range",
      "queue-scenes-of-one-file"),
    // H3, H4, H7
    Showing(.speculativeLoading, shownBy: "hls-title-card-loads-values"),
    // H8
    Showing(
      .forwardBufferLimit, shownBy: "hls-title-card-preloads-segments",
      "hls-title-card-forgets-the-reset"),
    // H9, T4
    Showing(
      .languageChangeDiscards, shownBy: "hls-language-change-in-time",
      "hls-language-change-too-late", "hls-language-selected-late"),
    Showing(
      .deviceSupport, shownBy: "hls-codecs-of-the-device", "hls-ranges-of-the-display",
      "display-of-standard-range"),
    Showing(
      .expensiveNetworkLimits, shownBy: "hls-expensive-network", "hls-expensive-from-the-start"),
    // E4
    Showing(.rescue, shownBy: "hls-goes-down-before-it-stalls"),
    // Live
    Showing(
      .liveHoldBack, shownBy: "hls-live-starts-three-target-durations-back", "hls-live-hold-back",
      "hls-live-low-latency"),
    Showing(.hastenedReload, shownBy: "hls-live-encoder-stops"),
    Showing(.staleFallback, shownBy: "hls-live-stale-playlist"),
    Showing(.openLiveEdge, shownBy: "hls-live-edge-is-not-full"),
    Showing(
      .windowFollowing, shownBy: "hls-live-paused-without-network", "hls-live-removed-segments"),
    Showing(.slidOutReload, shownBy: "hls-live-removed-segments"),
    Showing(.offsetPreservation, shownBy: "hls-live-offset-kept"),
    Showing(.quietPause, shownBy: "hls-live-paused-without-network"),
    Showing(.playlistEnd, shownBy: "hls-live-event-ends"),
    Showing(.partialSegments, shownBy: "hls-live-low-latency"),
    Showing(.blockingReload, shownBy: "hls-live-low-latency-without-hints"),
    Showing(.preloadHints, shownBy: "hls-live-low-latency"),
    Showing(.deltaUpdates, shownBy: "hls-live-delta-updates"),
    Showing(.renditionReports, shownBy: "hls-live-rendition-reports"),
    // WWDC17 514, §2.8
    Showing(
      .variantFallback, shownBy: "errors-segments-of-a-variant-not-found",
      "errors-a-playlist-not-found", "errors-a-media-file-not-received"),
    Showing(
      .variantRecovery, shownBy: "errors-a-variant-comes-back", "errors-a-gap-in-a-playlist"),
    // RFC 8216 §4.3.4.2, AUDIO
    Showing(.soundAloneOnce, shownBy: "hls-sound-alone-is-a-rendition"),
    Showing(.gapAvoidance, shownBy: "errors-a-gap-in-a-playlist"),
    Showing(.playingOutTheBuffer, shownBy: "errors-everything-not-found"),
    // WWDC18 502, §2.10
    Showing(.mediaTimeout, shownBy: "errors-a-media-file-not-received"),
    // E20
    Showing(.segmentAbandonment, shownBy: "errors-a-segment-is-given-up"),
    // C2, C6
    Showing(.streamWaiting, shownBy: "hls-waits-under-any-contract"),
    Showing(.frameworkWaiting, shownBy: "app-on-avkit-before-ios-10"),
    // F1, F2
    Showing(
      .pipelineBuild, shownBy: "local-startup-item-first", "local-startup-final-goal-first",
      "local-startup-video-output"),
    Showing(.lateLayerRebuild, shownBy: "local-startup-item-first"),
    // F3
    Showing(
      .waitingForItem, shownBy: "local-startup-play-before-the-item", "play-before-the-item"),
    // F4
    Showing(
      .stillFrame, shownBy: "local-startup-item-first", "local-startup-final-goal-first"),
    // T1, T3
    Showing(
      .trackChangePause, shownBy: "track-changes-before-ios-10",
      "track-change-snaps-to-a-key-frame"),
    Showing(.keyFrameSnap, shownBy: "track-change-snaps-to-a-key-frame"),
    // AVPlayer.WaitingReason.interstitialEvent
    Showing(
      .interstitialSuspension, shownBy: "interstitial-suspends-the-primary",
      "interstitial-ends-on-an-empty-buffer", "interstitial-with-media-of-its-own"),
    // AVPlayer.WaitingReason.waitingForCoordinatedPlayback
    Showing(.coordinatedSuspension, shownBy: "coordinated-playback-waits-for-participants"),
    // W1, W2, W4
    Showing(
      .colourTags, shownBy: "colour-of-standard-definition", "colour-of-high-definition",
      "colour-p3-clamped"),
    // W5
    Showing(.workingSpace, shownBy: "colour-working-space", "colour-of-high-definition"),
    // W6
    Showing(
      .wideColourPassThrough, shownBy: "colour-p3-passes-through", "colour-composition"),
    // W7
    Showing(.compositionColour, shownBy: "colour-composition"),
    // W8
    Showing(.untaggedWarning, shownBy: "colour-untagged"),
    // W9
    Showing(.clampTo709, shownBy: "colour-p3-clamped", "colour-p3-passes-through"),
    // G1
    Showing(.streamGapBeforeIOS15, shownBy: "gapless-before-ios-15"),
    // G2, G5, G8, G10, G11, G12
    Showing(
      .gaplessStreams, shownBy: "gapless-queue-of-two-streams", "gapless-in-and-out-points",
      "gapless-workout-edited", "gapless-continuity-before-quality",
      "gapless-sample-rates-lenient"),
    // G3, G4, G9
    Showing(
      .audioTraits, shownBy: "gapless-each-trait-alone", "gapless-no-matching-sound",
      "gapless-sample-rates-strict"),
    // G6
    Showing(.encoderPadding, shownBy: "gapless-padding-without-edit-list"),
    Showing(.encoderEditLists, shownBy: "gapless-padding-with-edit-list"),
    // G7
    Showing(.continuityBeforeQuality, shownBy: "gapless-continuity-before-quality"),
    // G9
    Showing(.observationAcrossItems, shownBy: "gapless-no-matching-sound"),
    // AVPlayer.networkResourcePriority
    Showing(
      .networkResourcePriority, shownBy: "network-priority-high-starts-first",
      "network-priority-low-waits", "network-priority-raised"),
    // T2
    Showing(.smoothTrackChanges, shownBy: "track-changes-from-ios-10"),
  ]

  @Test(arguments: Seeds.cases(of: showings))
  func `without a behaviour the scenarios that show it fail`(
    showing: Showing
  ) throws {
    for name in showing.scenarios {
      var scenario = try ShippedScenario.named(name).read()
      scenario.player.without.insert(showing.behaviour)
      let outcome = try run(scenario)
      #expect(!outcome.failures.isEmpty, "\(name) does without \(showing.behaviour.name)")
      #expect(outcome.faults == [])
    }
  }

  @Test func `every behaviour is shown by a scenario, and listed once`() {
    for behaviour in Behaviour.allCases {
      let rows = Self.showings.filter { $0.behaviour == behaviour && !$0.scenarios.isEmpty }
      #expect(rows.count == 1, "\(behaviour.name)")
    }
  }

  @Test func `a scenario names what its player lacks`() throws {
    let text = try ShippedScenario.named("hls-key-announced-preloaded").text.replacing(
      #""player": {"#, with: #""player": { "without": ["keyPreloading"],"#)
    let scenario = try readScenario([UInt8](text.utf8), file: "a.json")
    #expect(try !run(scenario).failures.isEmpty)
  }
}

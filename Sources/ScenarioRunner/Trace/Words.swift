package import Autowait
package import LinkConditioner
package import SimulatedPlayback
package import SimulatedWorld
package import StreamingMedia
package import VirtualTime

// The words for our enums in traces, summaries and on screens. Written out, because the browser
// build has no reflection, and because a renamed case must not change a trace.

extension TimeControl {
  package var word: String {
    switch self {
    case .paused: "paused"
    case .waiting: "waiting"
    case .playing: "playing"
    }
  }

  package var reason: WaitingReason? {
    switch self {
    case .waiting(let reason): reason
    case .paused, .playing: nil
    }
  }
}

extension WaitingReason {
  package var word: String {
    switch self {
    case .toMinimizeStalls: "toMinimizeStalls"
    case .evaluatingBufferingRate: "evaluatingBufferingRate"
    case .noItemToPlay: "noItemToPlay"
    case .interstitialEvent: "interstitialEvent"
    case .waitingForCoordinatedPlayback: "waitingForCoordinatedPlayback"
    }
  }

  /// As the demo's screen has it.
  package var title: String {
    switch self {
    case .toMinimizeStalls: "Minimizing Stalls"
    case .evaluatingBufferingRate: "Evaluating Buffering Rate"
    case .noItemToPlay: "No Item To Play"
    case .interstitialEvent: "Interstitial Event"
    case .waitingForCoordinatedPlayback: "Waiting for Coordinated Playback"
    }
  }
}

extension Suspension {
  package var word: String {
    switch self {
    case .interstitialEvent: "interstitialEvent"
    case .coordinatedPlayback: "coordinatedPlayback"
    }
  }
}

extension KeepUpClause {
  package var word: String {
    switch self {
    case .nothingLoaded: "nothingLoaded"
    case .everythingLoaded: "everythingLoaded"
    case .noThroughput: "noThroughput"
    case .everyByteInTime: "everyByteInTime"
    case .someByteLate: "someByteLate"
    case .thresholdReached: "thresholdReached"
    case .belowThreshold: "belowThreshold"
    case .stillPlaying: "stillPlaying"
    case .anythingLoaded: "anythingLoaded"
    case .notEverythingLoaded: "notEverythingLoaded"
    case .noWholeSegment: "noWholeSegment"
    case .throughputSustains: "throughputSustains"
    case .throughputFallsShort: "throughputFallsShort"
    }
  }
}

extension TransitionRule {
  package var word: String {
    switch self {
    case .waitsForBuffer: "waitsForBuffer"
    case .startsLikelyOrFull: "startsLikelyOrFull"
    case .evaluatesFirst: "evaluatesFirst"
    case .evaluatedReady: "evaluatedReady"
    case .evaluatedUnready: "evaluatedUnready"
    case .waitedEnough: "waitedEnough"
    case .stallWaits: "stallWaits"
    case .waitsForItem: "waitsForItem"
    case .itemEndsWait: "itemEndsWait"
    case .itemNeedsBuffer: "itemNeedsBuffer"
    case .itemIsEvaluated: "itemIsEvaluated"
    case .startsAtOnce: "startsAtOnce"
    case .emptyStaysPaused: "emptyStaysPaused"
    case .noItemStaysPaused: "noItemStaysPaused"
    case .stallPauses: "stallPauses"
    case .switchedOffStarts: "switchedOffStarts"
    case .switchedOffPauses: "switchedOffPauses"
    case .followsHostTime: "followsHostTime"
    case .immediateStarts: "immediateStarts"
    case .immediateEmptyWaits: "immediateEmptyWaits"
    case .immediateEmptyPauses: "immediateEmptyPauses"
    case .pausedByApp: "pausedByApp"
    case .rateChangedPlaying: "rateChangedPlaying"
    case .rateChangedWaiting: "rateChangedWaiting"
    case .endAdvances: "endAdvances"
    case .endPauses: "endPauses"
    case .endRunsOn: "endRunsOn"
    case .seekWaits: "seekWaits"
    case .seekPauses: "seekPauses"
    case .itemRemovedWaits: "itemRemovedWaits"
    case .itemRemovedPauses: "itemRemovedPauses"
    case .itemFailedPauses: "itemFailedPauses"
    case .failedItemStaysPaused: "failedItemStaysPaused"
    case .suspended: "suspended"
    case .waitsForSuspension: "waitsForSuspension"
    case .suspensionEndsReady: "suspensionEndsReady"
    case .suspensionEndsUnready: "suspensionEndsUnready"
    }
  }
}

extension PipelineWork {
  package var word: String {
    switch self {
    case .build: "build"
    case .rebuild: "rebuild"
    case .stillFrame: "stillFrame"
    case .preroll: "preroll"
    }
  }
}

extension EndReason {
  package var word: String {
    switch self {
    case .finished: "finished"
    case .horizon: "horizon"
    case .budget: "budget"
    case .idle: "idle"
    }
  }
}

extension Fidelity {
  package var word: String {
    switch self {
    case .fluid: "fluid"
    case .tcp: "tcp"
    }
  }
}

extension PlaybackFailure {
  package var words: String {
    switch self {
    case .mediaUnavailable(let reason): "the media could not be loaded: \(reason.words)"
    case .noPlayableVariant: "no variant of the stream can be played here"
    }
  }
}

extension TransferFailure {
  package var words: String {
    switch self {
    case .impossibleSize: "a response of an impossible size"
    case .tooManyTransfers: "too many transfers at a time"
    case .httpStatus(let code): "HTTP \(code)"
    case .connectionReset: "the connection was reset"
    case .timedOut: "the request timed out"
    }
  }
}

extension PlayerError {
  package var words: String {
    switch self {
    case .waitsAutomatically:
      "setRate(_:time:atHostTime:) needs automaticallyWaitsToMinimizeStalling to be false"
    case .negativeTime: "a seek goes to a time that is not negative"
    case .advanceNeedsQueue: "only a queue can advance at the end of an item"
    case .unknownToSDK: "the SDK that the app is linked against does not have it"
    case .needsQueue: "only a player with a queue takes this"
    case .alreadyEnqueued: "the item stands in the queue already"
    case .notEnqueued: "the item to insert behind is not in the queue"
    case .belongsToAnotherPlayer: "the item belongs to another player"
    }
  }
}

extension ItemTransition.Kind {
  package var word: String {
    switch self {
    case .seamless: "seamless"
    case .audibleGlitch: "audibleGlitch"
    case .hiccup: "hiccup"
    case .buffering: "buffering"
    }
  }
}

extension LoopingPlan.Way {
  package var word: String {
    switch self {
    case .rewind: "rewind"
    case .treadmill: "treadmill"
    case .looper: "looper"
    }
  }
}

extension SimulatedPlayerLooper.Status {
  package var word: String {
    switch self {
    case .unknown: "unknown"
    case .ready: "ready"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

extension LooperError {
  package var words: String {
    switch self {
    case .emptyMedia: "a looper needs media that lasts"
    case .emptyRange: "a looper needs a range that is not empty"
    case .rangeOutsideMedia: "a looper's range lies within the media"
    case .tooFewReplicas: "a looper makes at least three copies"
    }
  }
}

extension ActionAtItemEnd {
  package var word: String {
    switch self {
    case .advance: "advance"
    case .pause: "pause"
    case .none: "none"
    }
  }
}

extension ResourceKind {
  package var word: String { label }
}

extension TrackKind {
  package var word: String {
    switch self {
    case .main: "main"
    case .audio: "audio"
    case .subtitles: "subtitles"
    }
  }
}

extension InitialVariant.Reason {
  package var word: String {
    switch self {
    case .firstEligible: "firstEligible"
    case .lowestOfAll: "lowestOfAll"
    case .sustainedByObservation: "sustainedByObservation"
    case .sustainedByAssumption: "sustainedByAssumption"
    case .lowestEligible: "lowestEligible"
    case .continuesSound: "continuesSound"
    }
  }
}

extension TraceReading.Interval {
  package var word: String {
    switch self {
    case .starts: "starts"
    case .ends: "ends"
    case .explicit: "explicit"
    }
  }
}

extension RateSchedule.Ending {
  package var word: String {
    switch self {
    case .loops: "repeat"
    case .holds: "hold"
    }
  }
}

extension RateSchedule.Clock {
  package var word: String {
    switch self {
    case .wall: "wall"
    case .pausedDuringLatency: "pausedDuringLatency"
    }
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

extension LiveMoveReason {
  var word: String {
    switch self {
    case .begins(let reason): reason.word
    case .windowSlid: "windowSlid"
    case .preservesOffset: "preservesOffset"
    }
  }
}

extension LiveStartReason {
  var word: String {
    switch self {
    case .startTime: "startTime"
    case .configuredOffset: "configuredOffset"
    case .startPoint: "startPoint"
    case .partHoldBack: "partHoldBack"
    case .holdBack: "holdBack"
    case .threeTargetDurations: "threeTargetDurations"
    }
  }
}

extension PictureTaker {
  var word: String {
    switch self {
    case .display: "display"
    case .composition: "composition"
    case .videoOutput: "videoOutput"
    }
  }
}

extension DeliveredColour.Warning {
  var word: String {
    switch self {
    case .untagged: "untagged"
    case .clampsWideColour: "clampsWideColour"
    case .widerThanNeeded: "widerThanNeeded"
    }
  }
}

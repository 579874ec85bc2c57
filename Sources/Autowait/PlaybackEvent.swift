package import VirtualTime

/// Something that can move the autowait machine.
package enum PlaybackEvent: Hashable, Sendable {
  /// The app set the rate; `play()` is this with the default rate, `pause()` with zero.
  case setRate(PlaybackRate)
  case playImmediately(PlaybackRate)
  /// The app called `setRate(_:time:atHostTime:)`, which waits for its first byte.
  case awaitsHostTime
  /// The app called `setRate(_:time:atHostTime:)`: an external timeline governs.
  case setRateAtHostTime(PlaybackRate)
  case setWaitsAutomatically(Bool)
  /// Another item begins, and not because one before it ended: its start is waited for.
  case itemBegins
  case itemArrived
  /// The current item is given up; another may take its place.
  case itemLeft
  case itemRemoved
  case itemFailed
  case bufferChanged
  case ranDry(DryCause)
  case moved
  /// A playhead that is faster than the clock has come to the live edge.
  case reachedLiveEdge
  case systemHalted(SystemHalt)
  case evaluationEnded
  case reachedEnd(ActionAtItemEnd)
  case suspensionBegan(Suspension)
  case suspensionEnded(Suspension)
}

/// The system's reason for bringing playback to rest, as `AVPlayer` names it.
public enum SystemHalt: String, Hashable, Sendable, CaseIterable {
  case audioSessionInterrupted
  case appBackgrounded
}

/// The machine's view of the current item at an event.
package struct CurrentItem: Hashable, Sendable {
  package var buffer: BufferCondition
  /// Whether it cannot be played, which is terminal for it.
  package var hasFailed: Bool
  package var hasHadMedia: Bool
  /// Whether nothing is left to find out: all of it is there, or enough of it and it has played.
  package var isDecided: Bool

  package init(
    _ buffer: BufferCondition, hasFailed: Bool = false, hasHadMedia: Bool = true,
    isDecided: Bool = false
  ) {
    self.buffer = buffer
    self.hasFailed = hasFailed
    self.hasHadMedia = hasHadMedia
    self.isDecided = isDecided
  }
}

/// The purpose of a wait while the playhead stands still.
package enum WaitPurpose: Hashable, Sendable, CaseIterable {
  /// Nothing has moved yet.
  case start
  /// It ran dry.
  case resume
  /// It was moved to where nothing is loaded.
  case seek
  /// Media has moved, and neither of these: the app had paused, or the next item begins.
  case goOn
}

/// The reason why the playhead has nothing loaded under it.
package enum DryCause: Hashable, Sendable, CaseIterable {
  /// It consumed what was there: a stall.
  case consumed
  /// It was moved to where nothing is loaded: not a stall.
  case soughtAway
}

/// The action at the end of an item.
public enum ActionAtItemEnd: String, Hashable, Sendable, CaseIterable {
  case advance
  case pause
  case none
}

/// The row of the transition table that fired: the reason in every verdict of the machine.
public enum TransitionRule: String, Hashable, Sendable, CaseIterable {
  // Automatic waiting is on.
  case waitsForBuffer
  case startsLikelyOrFull
  case evaluatesFirst
  case evaluatedReady
  case evaluatedUnready
  case decidedEarly
  case waitedEnough
  case stallWaits
  case waitsForItem
  case itemEndsWait
  case itemNeedsBuffer
  case itemIsEvaluated
  // Automatic waiting is off.
  case startsAtOnce
  case emptyStaysPaused
  case noItemStaysPaused
  case wishIsKept
  case firstMediaStarts
  case stallPauses
  case switchedOffStarts
  case switchedOffPauses
  case followsHostTime
  // In either mode.
  case immediateStarts
  case immediateEmptyWaits
  case immediateEmptyPauses
  case pausedByApp
  case rateChangedPlaying
  case rateChangedWaiting
  case endAdvances
  case endPauses
  case endRunsOn
  case seekWaits
  case seekPauses
  case itemRemovedWaits
  case itemRemovedPauses
  case itemFailedPauses
  case liveEdgeSlows
  case interruptionPauses
  case backgroundPauses
  case failedItemStaysPaused
  case suspended
  case waitsForSuspension
  case suspensionEndsReady
  case suspensionEndsUnready

  /// Whether it is, with automatic waiting on, what is said of the buffer that decides.
  package var goesByReadiness: Bool {
    switch self {
    case .waitsForBuffer, .startsLikelyOrFull, .evaluatedReady, .evaluatedUnready, .waitedEnough,
      .itemEndsWait, .itemNeedsBuffer, .suspensionEndsReady, .suspensionEndsUnready,
      .decidedEarly:
      true
    case .evaluatesFirst, .stallWaits, .waitsForItem, .itemIsEvaluated, .startsAtOnce,
      .emptyStaysPaused, .noItemStaysPaused, .stallPauses, .switchedOffStarts, .switchedOffPauses,
      .followsHostTime, .immediateStarts, .immediateEmptyWaits, .immediateEmptyPauses,
      .pausedByApp, .rateChangedPlaying, .rateChangedWaiting, .endAdvances, .endPauses,
      .endRunsOn, .seekWaits, .seekPauses, .itemRemovedWaits, .itemRemovedPauses,
      .itemFailedPauses, .failedItemStaysPaused, .suspended, .waitsForSuspension, .wishIsKept,
      .firstMediaStarts, .liveEdgeSlows, .interruptionPauses, .backgroundPauses:
      false
    }
  }
}

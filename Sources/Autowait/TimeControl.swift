/// The reason why a player that was asked to play does not: those of `AVPlayer.WaitingReason`.
public enum WaitingReason: String, Hashable, Sendable, CaseIterable {
  /// Playing now would likely run dry before the end.
  case toMinimizeStalls
  /// The brief period in which it is not yet known whether playing would run dry.
  case evaluatingBufferingRate
  case noItemToPlay
  /// Something else is played instead for a while (iOS 15).
  case interstitialEvent
  /// Somebody else who watches the same is not ready (iOS 15).
  case waitingForCoordinatedPlayback
}

/// Something outside the player for which it has to wait, whatever its buffer holds.
public enum Suspension: String, Hashable, Sendable, CaseIterable {
  // AVPlayerInterstitialEventController: the primary player is suspended while an interstitial
  // plays, and its reason for waiting says so.
  case interstitialEvent
  // AVPlayerPlaybackCoordinator: a participant is not ready.
  case coordinatedPlayback

  package var reason: WaitingReason {
    switch self {
    case .interstitialEvent: .interstitialEvent
    case .coordinatedPlayback: .waitingForCoordinatedPlayback
    }
  }
}

package struct Suspensions: Hashable, Sendable {
  package private(set) var hasInterstitial = false
  package private(set) var awaitsParticipants = false

  /// The waiting reason to report. Where both hold, the interstitial comes first: our assumption.
  package var reason: WaitingReason? {
    if hasInterstitial { return .interstitialEvent }
    return awaitsParticipants ? .waitingForCoordinatedPlayback : nil
  }

  mutating func set(_ suspension: Suspension, _ holds: Bool) {
    switch suspension {
    case .interstitialEvent: hasInterstitial = holds
    case .coordinatedPlayback: awaitsParticipants = holds
    }
  }
}

/// The player's state, with the reason where it differs from the state asked for.
public enum TimeControl: Hashable, Sendable {
  case paused
  case waiting(WaitingReason)
  // "timeControlStatus will become waiting or playing depending on whether sufficient media data
  // has been buffered" (AVPlayer.rate), and none of the five reasons is documented for a player
  // that does not wait by itself: that it waits and says no reason is our assumption.
  /// It was asked to play before there was any media, and does not wait for more than the first.
  case awaitingMedia
  case playing

  /// Whether it was asked to play and does not.
  package var isWaiting: Bool {
    switch self {
    case .waiting, .awaitingMedia: true
    case .paused, .playing: false
    }
  }

  package var reason: WaitingReason? { if case .waiting(let reason) = self { reason } else { nil } }
}

/// The three independent things that are said of a buffer, and whether the playhead is at the end.
///
/// Apple documents the booleans as independent: any combination may be seen.
@usableFromInline package struct BufferCondition: Hashable, Sendable {
  /// The playhead has consumed all contiguous media.
  package var isEmpty: Bool
  /// The buffer holds as much as it is going to; reading is suspended.
  package var isFull: Bool
  /// The heuristic's prediction.
  package var isLikelyToKeepUp: Bool
  /// Nothing is left to play, so an empty buffer is no stall.
  package var isAtEnd: Bool
  /// The player's policy starts when the buffer is full, whatever the prediction.
  package var startsWhenFull: Bool

  @usableFromInline package init(
    isEmpty: Bool, isFull: Bool, isLikelyToKeepUp: Bool, isAtEnd: Bool = false,
    startsWhenFull: Bool = true
  ) {
    self.isEmpty = isEmpty
    self.isFull = isFull
    self.isLikelyToKeepUp = isLikelyToKeepUp
    self.isAtEnd = isAtEnd
    self.startsWhenFull = startsWhenFull
  }

  /// Before the first byte.
  package static let nothing = BufferCondition(
    isEmpty: true, isFull: false, isLikelyToKeepUp: false)

  /// Whether an impatient player starts: something is there, or nothing is left to come.
  package var holdsAnything: Bool { !isEmpty || isAtEnd }

  /// Whether a patient player starts.
  ///
  /// "Wait until playbackLikelyToKeepUp is true or playbackBufferFull is true" (WWDC16 503); to
  /// start, the first byte must be there.
  package var permitsPlaying: Bool {
    isAtEnd || (!isEmpty && (isLikelyToKeepUp || isFull && startsWhenFull))
  }
}

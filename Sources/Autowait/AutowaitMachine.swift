package import VirtualTime

/// The player's state machine: what `AVPlayer` does with `automaticallyWaitsToMinimizeStalling`.
///
/// A value, free of everything else: events in, the rule that fired out. `rate` is what the app
/// asked for, `timebaseRate` is what happens, and `control` says why they differ. The three are
/// never set apart, so they are always consistent:
///
/// - `rate` is zero exactly when paused,
/// - `timebaseRate` is not zero only while playing.
package struct AutowaitMachine: Hashable, Sendable {
  package private(set) var control: TimeControl = .paused
  /// The rate the app asked for.
  package private(set) var rate: PlaybackRate = .zero
  package private(set) var waitsAutomatically: Bool
  package private(set) var purpose = WaitPurpose.start
  /// Whether somebody asks for motion: not before the app does, once it paused, or after an end.
  package private(set) var isWanted = false
  package private(set) var suspensions = Suspensions()
  /// Whether a start from paused is preceded by the brief evaluation.
  package let evaluatesFirst: Bool

  package init(waitsAutomatically: Bool = true, evaluatesFirst: Bool = false) {
    self.waitsAutomatically = waitsAutomatically
    self.evaluatesFirst = evaluatesFirst
  }

  /// The rate at which playback is actually occurring.
  package var timebaseRate: PlaybackRate { control == .playing ? rate : .zero }

  /// The purpose that passing time counts to; nil while media moves or no motion is wanted.
  package var waitsOut: WaitPurpose? { control == .playing || !isWanted ? nil : purpose }

  /// Takes an event; answers with the row of the table that fired, nil if none did.
  ///
  /// - Parameter item: The facts about the current item; nil without one. It is not kept.
  package mutating func handle(_ event: PlaybackEvent, _ item: CurrentItem?) -> TransitionRule? {
    defer { assert(isConsistent, "after \(event), \(control) contradicts the rate \(rate)") }
    switch event {
    case .setRate(let rate): return rate.isZero ? pause() : play(at: rate, item)
    case .playImmediately(let rate): return playImmediately(at: rate, item)
    case .awaitsHostTime:
      isWanted = true
      return nil
    case .setRateAtHostTime(let rate): return setRateAtHostTime(rate, item)
    case .setWaitsAutomatically(let waits): return setWaitsAutomatically(waits, item)
    case .itemBegins:
      purpose = .start
      return nil
    case .itemArrived: return itemArrived(item)
    case .itemLeft:
      giveUp()
      return nil
    case .itemRemoved: return itemRemoved()
    case .itemFailed:
      if item == nil { return nil }
      giveUp()
      return control == .paused ? nil : halt(.itemFailedPauses)
    case .bufferChanged: return bufferChanged(item)
    case .ranDry(let cause): return ranDry(cause, item)
    case .moved:
      isWanted = true
      purpose = .goOn
      return nil
    case .reachedLiveEdge:
      // "PlayheadReachedLiveEdge" is among the reasons why a rate changes; it goes back to 1.
      if control != .playing || rate.numerator <= rate.denominator { return nil }
      rate = .normal
      return .liveEdgeSlows
    case .systemHalted(let halt): return systemHalted(halt)
    case .evaluationEnded:
      guard control == .waiting(.evaluatingBufferingRate) else { return nil }
      // "When the brief initial monitoring period is over, either playback will begin or the value
      // will switch to toMinimizeStalls."
      return permitsPlaying(item)
        ? move(.evaluatedReady) : wait(.toMinimizeStalls, .evaluatedUnready)
    case .reachedEnd(let action): return reachedEnd(action)
    case .suspensionBegan(let suspension): return suspend(suspension, item)
    case .suspensionEnded(let suspension): return endSuspension(suspension, item)
    }
  }

  private var isConsistent: Bool {
    switch control {
    case .paused: rate.isZero
    case .playing: !rate.isZero
    case .awaitingMedia: !rate.isZero && !waitsAutomatically
    case .waiting(.toMinimizeStalls), .waiting(.noItemToPlay): !rate.isZero && waitsAutomatically
    case .waiting(.evaluatingBufferingRate):
      !rate.isZero && waitsAutomatically && evaluatesFirst
    case .waiting(.interstitialEvent): !rate.isZero && suspensions.hasInterstitial
    case .waiting(.waitingForCoordinatedPlayback):
      !rate.isZero && suspensions.awaitsParticipants
    }
  }

  /// Nothing is waited out any more: the item ended, failed or left.
  private mutating func giveUp() { if purpose != .start { purpose = .goOn } }

  private mutating func pause() -> TransitionRule? {
    isWanted = false
    return control == .paused ? nil : halt(.pausedByApp)
  }

  private mutating func play(at newRate: PlaybackRate, _ item: CurrentItem?) -> TransitionRule? {
    isWanted = true
    if control != .paused && rate == newRate { return nil }
    rate = newRate
    switch control {
    case .paused: return start(item)
    case .waiting, .awaitingMedia: return .rateChangedWaiting
    // "Rate changes take effect immediately" while playing (AVPlayer.TimeControlStatus.playing).
    case .playing: return .rateChangedPlaying
    }
  }

  /// Leaves paused, with the rate already set.
  private mutating func start(_ item: CurrentItem?) -> TransitionRule {
    if item?.hasFailed == true { return halt(.failedItemStaysPaused) }
    guard let item else {
      // The reason is documented for automatic waiting only; that the wish is kept without it as
      // well is our assumption.
      return waitsAutomatically ? wait(.noItemToPlay, .waitsForItem) : keepWish()
    }
    if let reason = suspensions.reason { return wait(reason, .waitsForSuspension) }
    guard waitsAutomatically else {
      // "Will cause playback to start immediately as long as the playback buffer is not empty".
      return item.buffer.holdsAnything ? move(.startsAtOnce) : startOnNothing(item)
    }
    if evaluatesFirst && !item.isDecided {
      return wait(.evaluatingBufferingRate, .evaluatesFirst)
    }
    return item.buffer.permitsPlaying
      ? move(.startsLikelyOrFull) : wait(.toMinimizeStalls, .waitsForBuffer)
  }

  /// Without automatic waiting, and with nothing under the playhead.
  ///
  /// Before its first media the app's wish is kept: status paused is left once play is invoked "and
  /// sufficient media data has been buffered" (AVPlayer.TimeControlStatus.paused). That it is not
  /// kept where media has been there, as after a stall, is our assumption.
  private mutating func startOnNothing(_ item: CurrentItem) -> TransitionRule {
    item.hasHadMedia ? halt(.emptyStaysPaused) : keepWish()
  }

  private mutating func keepWish() -> TransitionRule {
    control = .awaitingMedia
    return .wishIsKept
  }

  private mutating func playImmediately(
    at newRate: PlaybackRate, _ item: CurrentItem?
  ) -> TransitionRule? {
    if newRate.isZero { return pause() }
    if control == .playing { return play(at: newRate, item) }
    isWanted = true
    rate = newRate
    guard let item, !item.hasFailed else { return start(item) }
    // That nobody plays on past a suspension is our assumption.
    if let reason = suspensions.reason {
      return control == .paused ? wait(reason, .waitsForSuspension) : .rateChangedWaiting
    }
    if item.buffer.holdsAnything { return move(.immediateStarts) }
    // "The receiver will act as if the buffer became empty during playback, except that no
    // AVPlayerItemPlaybackStalledNotification will be posted."
    return waitsAutomatically
      ? wait(.toMinimizeStalls, .immediateEmptyWaits) : halt(.immediateEmptyPauses)
  }

  /// Without effect while automatic waiting is on: whoever asks is refused before it comes to this.
  private mutating func setRateAtHostTime(
    _ newRate: PlaybackRate, _ item: CurrentItem?
  ) -> TransitionRule? {
    if waitsAutomatically { return nil }
    if newRate.isZero { return pause() }
    isWanted = true
    guard let item else { return halt(.noItemStaysPaused) }
    if item.hasFailed { return halt(.failedItemStaysPaused) }
    rate = newRate
    // Nobody plays past a suspension, by whatever clock: our assumption.
    if let reason = suspensions.reason {
      return control == .waiting(reason) ? .rateChangedWaiting : wait(reason, .waitsForSuspension)
    }
    // "The player will not ensure that media data is loaded before the timebase starts moving."
    return move(.followsHostTime)
  }

  private mutating func setWaitsAutomatically(
    _ waits: Bool, _ item: CurrentItem?
  ) -> TransitionRule? {
    if waits == waitsAutomatically { return nil }
    waitsAutomatically = waits
    if waits { return control == .awaitingMedia ? start(item) : nil }
    guard case .waiting(let reason) = control else { return nil }
    switch reason {
    case .toMinimizeStalls, .evaluatingBufferingRate:
      // "Attempt playback at the specified rate immediately"; paused where there is nothing to
      // play any more is our assumption.
      if item?.buffer.holdsAnything == true { return move(.switchedOffStarts) }
      return item?.hasHadMedia == false ? keepWish() : halt(.switchedOffPauses)
    case .noItemToPlay: return keepWish()
    case .interstitialEvent, .waitingForCoordinatedPlayback: return nil
    }
  }

  private mutating func itemArrived(_ item: CurrentItem?) -> TransitionRule? {
    guard let item, control != .paused else { return nil }
    if let reason = suspensions.reason { return wait(reason, .waitsForSuspension) }
    if evaluatesFirst, waitsAutomatically, !item.isDecided {
      return wait(.evaluatingBufferingRate, .itemIsEvaluated)
    }
    let canMove = waitsAutomatically ? item.buffer.permitsPlaying : item.buffer.holdsAnything
    if canMove { return move(.itemEndsWait) }
    if waitsAutomatically { return wait(.toMinimizeStalls, .itemNeedsBuffer) }
    return control == .awaitingMedia && !item.hasHadMedia ? nil : startOnNothing(item)
  }

  private mutating func itemRemoved() -> TransitionRule? {
    giveUp()
    // Interstitials are events of the item that they interrupt.
    suspensions.set(.interstitialEvent, false)
    switch control {
    case .paused, .waiting(.noItemToPlay), .awaitingMedia: return nil
    case .waiting, .playing:
      return waitsAutomatically
        ? wait(.noItemToPlay, .itemRemovedWaits) : halt(.itemRemovedPauses)
    }
  }

  /// "AVPlayer can reset the desired rate to 0.0 when a change in overall state requires playback
  /// to be halted, such as … interruption" (AVPlayer.rate).
  private mutating func systemHalted(_ halted: SystemHalt) -> TransitionRule? {
    isWanted = false
    if control == .paused { return nil }
    switch halted {
    case .audioSessionInterrupted: return halt(.interruptionPauses)
    case .appBackgrounded: return halt(.backgroundPauses)
    }
  }

  private func permitsPlaying(_ item: CurrentItem?) -> Bool { item?.buffer.permitsPlaying ?? false }

  private mutating func bufferChanged(_ item: CurrentItem?) -> TransitionRule? {
    switch control {
    case .waiting(.toMinimizeStalls): return permitsPlaying(item) ? move(.waitedEnough) : nil
    case .awaitingMedia:
      return item?.buffer.holdsAnything == true ? move(.firstMediaStarts) : nil
    case .waiting(.evaluatingBufferingRate):
      return item?.isDecided == true && permitsPlaying(item) ? move(.decidedEarly) : nil
    case .paused, .playing, .waiting(.noItemToPlay), .waiting(.interstitialEvent),
      .waiting(.waitingForCoordinatedPlayback):
      return nil
    }
  }

  private mutating func ranDry(_ cause: DryCause, _ item: CurrentItem?) -> TransitionRule? {
    if item == nil { return nil }
    // Before anything has moved it is still the start that is waited for.
    if purpose != .start { purpose = cause == .consumed ? .resume : .seek }
    guard control == .playing else { return nil }
    switch (cause, waitsAutomatically) {
    // "The rate property will stay set to 1. And so it will again buffer and automatically
    // resume when sufficiently buffered" (WWDC16 503).
    case (.consumed, true): return wait(.toMinimizeStalls, .stallWaits)
    // "AVPlayer can reset the desired rate to 0.0 … when the playback buffer becomes empty and
    // playback stalls while automaticallyWaitsToMinimizeStalling is NO."
    case (.consumed, false): return halt(.stallPauses)
    case (.soughtAway, true): return wait(.toMinimizeStalls, .seekWaits)
    case (.soughtAway, false): return halt(.seekPauses)
    }
  }

  private mutating func reachedEnd(_ action: ActionAtItemEnd) -> TransitionRule? {
    guard control == .playing else { return nil }
    switch action {
    case .advance: return .endAdvances
    case .pause:
      giveUp()
      isWanted = false
      return halt(.endPauses)
    case .none: return .endRunsOn
    }
  }

  private mutating func suspend(_ suspension: Suspension, _ item: CurrentItem?) -> TransitionRule? {
    suspensions.set(suspension, true)
    guard item != nil, control != .paused, let reason = suspensions.reason,
      control != .waiting(reason)
    else { return nil }
    return wait(reason, .suspended)
  }

  /// Plays on as after any wait: by what is in the buffer, in either mode.
  private mutating func endSuspension(
    _ suspension: Suspension, _ item: CurrentItem?
  ) -> TransitionRule? {
    suspensions.set(suspension, false)
    guard let item, control == .waiting(suspension.reason) else { return nil }
    if let reason = suspensions.reason { return wait(reason, .suspended) }
    if waitsAutomatically {
      return item.buffer.permitsPlaying
        ? move(.suspensionEndsReady) : wait(.toMinimizeStalls, .suspensionEndsUnready)
    }
    return item.buffer.holdsAnything ? move(.suspensionEndsReady) : startOnNothing(item)
  }

  private mutating func move(_ rule: TransitionRule) -> TransitionRule {
    control = .playing
    return rule
  }

  private mutating func wait(_ reason: WaitingReason, _ rule: TransitionRule) -> TransitionRule {
    control = .waiting(reason)
    return rule
  }

  private mutating func halt(_ rule: TransitionRule) -> TransitionRule {
    control = .paused
    rate = .zero
    return rule
  }
}

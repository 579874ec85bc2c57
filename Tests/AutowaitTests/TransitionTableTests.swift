import Autowait
import Testing
import VirtualTime

/// The rows of the table in the order in which the design gives them.
@Suite struct TransitionTableTests {
  let enough = BufferCondition(isEmpty: false, isFull: false, isLikelyToKeepUp: true)
  let full = BufferCondition(isEmpty: false, isFull: true, isLikelyToKeepUp: false)
  let little = BufferCondition(isEmpty: false, isFull: false, isLikelyToKeepUp: false)
  let ended = BufferCondition(
    isEmpty: true, isFull: true, isLikelyToKeepUp: true, isAtEnd: true)

  /// A machine with an item, after some events.
  private func machine(
    waits: Bool = true, evaluates: Bool = false, _ buffer: BufferCondition?,
    _ events: DrivenMachine.Happening...
  ) -> DrivenMachine {
    var machine = DrivenMachine(waitsAutomatically: waits, evaluatesFirst: evaluates)
    if let buffer { _ = machine.handle(.arrived(buffer)) }
    for event in events { _ = machine.handle(event) }
    return machine
  }

  private func expect(
    _ machine: DrivenMachine, on event: DrivenMachine.Happening, _ rule: TransitionRule?,
    _ control: TimeControl, rate: PlaybackRate = .normal,
    at place: SourceLocation = #_sourceLocation
  ) {
    var machine = machine
    #expect(machine.handle(event) == rule, sourceLocation: place)
    #expect(machine.control == control, sourceLocation: place)
    #expect(machine.rate == (control == .paused ? .zero : rate), sourceLocation: place)
  }

  private let play = DrivenMachine.Happening.setRate(.normal)

  @Test func `waiting on, paused: play waits while neither likely to keep up nor full`() {
    expect(machine(little), on: play, .waitsForBuffer, .waiting(.toMinimizeStalls))
    expect(machine(.nothing), on: play, .waitsForBuffer, .waiting(.toMinimizeStalls))
  }

  @Test func `waiting on, paused: play starts when likely to keep up or full`() {
    expect(machine(enough), on: play, .startsLikelyOrFull, .playing)
    expect(machine(full), on: play, .startsLikelyOrFull, .playing)
  }

  @Test func `waiting on, paused: play goes through the evaluation where one is configured`() {
    let evaluating = machine(evaluates: true, enough, play)
    #expect(evaluating.control == .waiting(.evaluatingBufferingRate))
    expect(evaluating, on: .changed(enough), nil, .waiting(.evaluatingBufferingRate))
    expect(evaluating, on: .event(.evaluationEnded), .evaluatedReady, .playing)
    expect(
      machine(evaluates: true, little, play), on: .event(.evaluationEnded), .evaluatedUnready,
      .waiting(.toMinimizeStalls))
  }

  @Test func `waiting on, waiting: starts when likely to keep up or full`() {
    expect(machine(little, play), on: .changed(enough), .waitedEnough, .playing)
    expect(machine(little, play), on: .changed(full), .waitedEnough, .playing)
    expect(machine(little, play), on: .changed(little), nil, .waiting(.toMinimizeStalls))
  }

  @Test func `waiting on, playing: dry before the end waits, the rate stays`() {
    let playing = machine(enough, .setRate(PlaybackRate(2)))
    expect(
      playing, on: .ranDry(.consumed, .nothing), .stallWaits, .waiting(.toMinimizeStalls),
      rate: PlaybackRate(2))
    let stalled = machine(enough, play, .ranDry(.consumed, .nothing))
    expect(stalled, on: .changed(little), nil, .waiting(.toMinimizeStalls))
    expect(stalled, on: .changed(enough), .waitedEnough, .playing)
  }

  @Test func `waiting on: play without an item waits for one`() {
    expect(machine(nil), on: play, .waitsForItem, .waiting(.noItemToPlay))
    expect(machine(nil, play), on: .arrived(enough), .itemEndsWait, .playing)
    expect(
      machine(nil, play), on: .arrived(little), .itemNeedsBuffer, .waiting(.toMinimizeStalls))
    expect(
      machine(evaluates: true, nil, play), on: .arrived(enough), .itemIsEvaluated,
      .waiting(.evaluatingBufferingRate))
    expect(machine(enough, play), on: .removed, .itemRemovedWaits, .waiting(.noItemToPlay))
  }

  @Test func `waiting off, paused: play starts at once on anything`() {
    expect(machine(waits: false, little), on: play, .startsAtOnce, .playing)
  }

  @Test func `waiting off, paused: play on nothing stays paused`() {
    expect(machine(waits: false, .nothing), on: play, .emptyStaysPaused, .paused)
  }

  @Test func `waiting off, paused: play before the first media is kept until that comes`() {
    let young = CurrentItem(.nothing, hasHadMedia: false)
    for item in [nil, young] {
      var machine = machine(waits: false, nil)
      machine.item = item
      expect(machine, on: play, .wishIsKept, .awaitingMedia)
      _ = machine.handle(play)
      expect(
        machine, on: .setRate(PlaybackRate(2)), .rateChangedWaiting, .awaitingMedia,
        rate: PlaybackRate(2))
      expect(machine, on: .setRate(.zero), .pausedByApp, .paused)
      expect(
        machine, on: .playImmediately(.normal), item == nil ? .wishIsKept : .immediateEmptyPauses,
        item == nil ? .awaitingMedia : .paused)
    }
    var kept = machine(waits: false, nil)
    kept.item = young
    _ = kept.handle(play)
    expect(kept, on: .changed(.nothing), nil, .awaitingMedia)
    expect(kept, on: .changed(little), .firstMediaStarts, .playing)
    expect(
      kept, on: .event(.setWaitsAutomatically(true)), .waitsForBuffer, .waiting(.toMinimizeStalls))
    var without = machine(waits: false, nil)
    _ = without.handle(play)
    expect(without, on: .arrived(little), .itemEndsWait, .playing)
    expect(
      without, on: .event(.setWaitsAutomatically(true)), .waitsForItem, .waiting(.noItemToPlay))
  }

  @Test func `where nothing is left to find out there is no evaluation`() {
    let decided = CurrentItem(enough, isDecided: true)
    var machine = DrivenMachine(evaluatesFirst: true)
    machine.item = decided
    expect(machine, on: play, .startsLikelyOrFull, .playing)
    var evaluating = self.machine(evaluates: true, enough, play)
    evaluating.item = decided
    expect(evaluating, on: .changed(enough), .decidedEarly, .playing)
  }

  @Test func `waiting off, playing: dry before the end pauses, and nothing resumes it`() {
    expect(
      machine(waits: false, little, play), on: .ranDry(.consumed, .nothing), .stallPauses, .paused)
    let stalled = machine(waits: false, little, play, .ranDry(.consumed, .nothing))
    expect(stalled, on: .changed(enough), nil, .paused)
  }

  @Test func `switched off while waiting: plays what is there, else pauses`() {
    let off = DrivenMachine.Happening.event(.setWaitsAutomatically(false))
    expect(machine(little, play), on: off, .switchedOffStarts, .playing)
    expect(machine(.nothing, play), on: off, .switchedOffPauses, .paused)
    expect(machine(nil, play), on: off, .wishIsKept, .awaitingMedia)
    expect(machine(evaluates: true, little, play), on: off, .switchedOffStarts, .playing)
  }

  @Test(arguments: [true, false])
  func `playImmediately on anything plays`(_ waits: Bool) {
    expect(machine(waits: waits, little), on: .playImmediately(.normal), .immediateStarts, .playing)
    if waits {
      expect(machine(little, play), on: .playImmediately(.normal), .immediateStarts, .playing)
    }
  }

  @Test func `playImmediately on nothing is as a stall of the mode in force`() {
    let event = DrivenMachine.Happening.playImmediately(.normal)
    expect(machine(.nothing), on: event, .immediateEmptyWaits, .waiting(.toMinimizeStalls))
    expect(machine(waits: false, .nothing), on: event, .immediateEmptyPauses, .paused)
    expect(machine(nil), on: event, .waitsForItem, .waiting(.noItemToPlay))
  }

  @Test func `pause pauses whatever the player was doing`() {
    for event in [DrivenMachine.Happening.setRate(.zero), .playImmediately(.zero)] {
      expect(machine(little, play), on: event, .pausedByApp, .paused)
      expect(machine(enough, play), on: event, .pausedByApp, .paused)
      expect(machine(waits: false, little, play), on: event, .pausedByApp, .paused)
      expect(machine(enough), on: event, nil, .paused)
    }
  }

  @Test func `another rate while playing is taken at once`() {
    let double = PlaybackRate(2)
    expect(
      machine(enough, play), on: .setRate(double), .rateChangedPlaying, .playing, rate: double)
    expect(
      machine(little, play), on: .setRate(double), .rateChangedWaiting,
      .waiting(.toMinimizeStalls), rate: double)
    expect(machine(enough, play), on: play, nil, .playing)
  }

  @Test func `the end does what the action says`() {
    expect(machine(enough, play), on: .event(.reachedEnd(.pause)), .endPauses, .paused)
    expect(machine(enough, play), on: .event(.reachedEnd(.none)), .endRunsOn, .playing)
    expect(machine(enough, play), on: .event(.reachedEnd(.advance)), .endAdvances, .playing)
    expect(machine(enough), on: .event(.reachedEnd(.pause)), nil, .paused)
    expect(machine(ended), on: play, .startsLikelyOrFull, .playing)
  }

  @Test func `a seek out of the buffer is as running dry under another name`() {
    let away = DrivenMachine.Happening.ranDry(.soughtAway, .nothing)
    expect(machine(enough, play), on: away, .seekWaits, .waiting(.toMinimizeStalls))
    expect(machine(waits: false, little, play), on: away, .seekPauses, .paused)
    expect(machine(enough), on: away, nil, .paused)
  }

  @Test func `a failed item is paused for good`() {
    expect(machine(enough, play), on: .failed, .itemFailedPauses, .paused)
    let failed = machine(enough, .failed)
    expect(failed, on: play, .failedItemStaysPaused, .paused)
    expect(failed, on: .playImmediately(.normal), .failedItemStaysPaused, .paused)
    var next = failed
    _ = next.handle(.removed)
    _ = next.handle(.arrived(enough))
    expect(next, on: play, .startsLikelyOrFull, .playing)
  }

  @Test func `an external timeline moves without looking at the buffer, waiting off`() {
    let event = DrivenMachine.Happening.event(.setRateAtHostTime(.normal))
    expect(machine(waits: false, .nothing), on: event, .followsHostTime, .playing)
    expect(machine(waits: false, nil), on: event, .noItemStaysPaused, .paused)
    expect(machine(enough), on: event, nil, .paused)
  }

  @Test(arguments: Suspension.allCases)
  func `a suspension waits, and what is in the buffer decides after it`(_ held: Suspension) {
    let began = DrivenMachine.Happening.event(.suspensionBegan(held))
    let ended = DrivenMachine.Happening.event(.suspensionEnded(held))
    expect(machine(enough, play), on: began, .suspended, .waiting(held.reason))
    expect(machine(enough, began), on: play, .waitsForSuspension, .waiting(held.reason))
    expect(machine(enough, play, began), on: ended, .suspensionEndsReady, .playing)
    expect(
      machine(enough, play, began, .changed(little)), on: ended, .suspensionEndsUnready,
      .waiting(.toMinimizeStalls))
    expect(machine(enough, play, began), on: .setRate(.zero), .pausedByApp, .paused)
    expect(machine(enough, began), on: ended, nil, .paused)
    expect(machine(waits: false, little, play), on: began, .suspended, .waiting(held.reason))
    expect(machine(waits: false, little, play, began), on: ended, .suspensionEndsReady, .playing)
    expect(
      machine(waits: false, little, play, began, .changed(.nothing)), on: ended,
      .emptyStaysPaused, .paused)
    expect(
      machine(enough, play, began), on: .playImmediately(PlaybackRate(2)), .rateChangedWaiting,
      .waiting(held.reason), rate: PlaybackRate(2))
    expect(machine(nil, play), on: began, nil, .waiting(.noItemToPlay))
  }

  @Test func `of two suspensions the interstitial is told first`() {
    let both = machine(
      enough, play, .event(.suspensionBegan(.coordinatedPlayback)),
      .event(.suspensionBegan(.interstitialEvent)))
    #expect(both.control == .waiting(.interstitialEvent))
    expect(
      both, on: .event(.suspensionEnded(.interstitialEvent)), .suspended,
      .waiting(.waitingForCoordinatedPlayback))
    expect(
      both, on: .event(.suspensionEnded(.coordinatedPlayback)), nil, .waiting(.interstitialEvent))
  }

  @Test func `an interstitial goes with its item, a coordination does not`() {
    for held in Suspension.allCases {
      let other = machine(enough, play, .event(.suspensionBegan(held)), .removed)
      #expect(other.control == .waiting(.noItemToPlay))
      let isKept = held == .coordinatedPlayback
      expect(
        other, on: .arrived(enough), isKept ? .waitsForSuspension : .itemEndsWait,
        isKept ? .waiting(.waitingForCoordinatedPlayback) : .playing)
    }
  }
}

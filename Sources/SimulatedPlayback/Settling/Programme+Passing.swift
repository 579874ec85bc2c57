import Autowait
import VirtualTime

// From one item to the next.

extension Programme {
  /// Takes the current item away, where there is one.
  ///
  /// - Parameter new: The one that takes its place at once; nil where none does.
  mutating func removeCurrent(for new: PlayerItem?, at now: Instant, on stage: inout Stage) {
    playback.hostStart = nil
    playback.transition = nil
    guard let old = item else { return }
    playback.closeTimebase(at: now)
    old.noteStopped(at: now, on: &stage)
    leave(old, for: new, at: now, on: &stage)
    if new != nil {
      // What is to be said of the buffer is said of the one that comes.
      playback.saidBefore = old.condition
      return
    }
    old.noteGone(at: now, on: &stage)
    playback.send(.itemRemoved, at: now, on: &stage)
  }

  /// Makes an item current that has its media open, where there is none.
  mutating func become(_ new: PlayerItem, at now: Instant, on stage: inout Stage) {
    playback.take(new, at: now)
    playback.itemBegins()
    hasPlayedOut = false
    playback.buildPipeline(for: new, at: now, on: &stage)
    steerLoading(new, at: now, on: &stage)
    playback.news = .arrived
  }

  /// Lets the next item take the place of the current one, whose timebase is closed.
  mutating func passOn(at now: Instant, on stage: inout Stage) {
    guard let old = item else { return }
    let successor = queue.items.first
    if let successor {
      StreamBoundary.prepare(from: old, to: successor, settings)
    } else {
      old.noteStopped(at: now, on: &stage)
    }
    leave(old, for: successor, at: now, on: &stage)
    guard let next = queue.removeFirst() else {
      hasPlayedOut = true
      old.noteGone(at: now, on: &stage)
      playback.send(.itemRemoved, at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: false), of: old.subject, at: now)
      return
    }
    let wasPlaying = playback.machine.control == .playing
    let plan = TransitionPlan(from: old, to: next, settings)
    playback.transition?.silence = plan.silence
    playback.transition?.obstacle = plan.obstacle
    if !plan.overlaps { next.filledAt = nil }
    if plan.pause > .zero {
      playback.work(.rebuild, of: old, lasting: plan.pause, at: now, on: &stage)
    }
    playback.saidBefore = old.condition
    follow(with: next, at: now, on: &stage)
    playback.news = .followed(wasPlaying: wasPlaying)
  }

  /// Makes an item of the queue current. The pipeline that is there goes on to serve it, which is
  /// our assumption.
  private mutating func follow(with next: PlayerItem, at now: Instant, on stage: inout Stage) {
    next.condition = .nothing
    playback.take(next, at: now)
    stage.log.note(.currentItem(isPresent: true), of: next.subject, at: now)
    steerLoading(next, at: now, on: &stage)
  }

  /// Takes leave of the current item.
  ///
  /// - Parameter next: The item that takes its place; nil where none does.
  private mutating func leave(
    _ old: PlayerItem, for next: PlayerItem?, at now: Instant, on stage: inout Stage
  ) {
    playback.leave(old, at: now, on: &stage)
    queue.close(old, for: next, at: now, on: &stage)
  }
}

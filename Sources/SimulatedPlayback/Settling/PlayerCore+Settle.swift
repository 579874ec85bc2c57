import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// The player is settled when nothing that is due at this instant is left undone. Every entry from
// outside ends here, so that whoever reads a property never sees a state in between.

extension PlayerCore {
  func settle(at now: Instant, on stage: inout Stage) {
    if asset != nil { loadAsset(at: now, on: &stage) }
    var turns = Turns(queued: queue.items.count)
    while doWhatIsDue(at: now, on: &stage) {
      if turns.take(queued: queue.items.count) { continue }
      due = now
      return
    }
    if let asset { due = min(due, asset.loader.retryInstant(after: now)) }
  }

  /// Tells the machine what has happened, and does what follows from it.
  func tell(_ new: News, at now: Instant, on stage: inout Stage) {
    news = new
    settle(at: now, on: &stage)
  }

  /// Goes through the duties up to the first that changes the state; false when none did, and it is
  /// known when something will be due.
  private func doWhatIsDue(at now: Instant, on stage: inout Stage) -> Bool {
    due = .distantFuture
    guard let item else { return announce(at: now, on: &stage) }
    let loader = item.loader
    var place: BufferPlace?
    var duty = Duty.first(hasNews: news != nil)
    while true {
      if perform(duty, item, loader, &place, at: now, on: &stage) { return true }
      guard let next = duty.next else { break }
      duty = next
    }
    due = nextInstant(item, loader, after: now)
    return false
  }

  /// Does one thing where it is due; true where the state has changed by it.
  private func perform(
    _ duty: Duty, _ item: PlayerItem, _ loader: MediaLoader, _ place: inout BufferPlace?,
    at now: Instant, on stage: inout Stage
  ) -> Bool {
    switch duty {
    case .giveUpFailed: return hasFailedBefore(item, at: now, on: &stage)
    case .load: load(item, loader, at: now, on: &stage)
    case .lookAhead: if settings.hasQueue { steerNext(at: now, on: &stage) }
    case .parse: parse(item, at: now)
    case .prerollAhead: if !queue.items.isEmpty { prerollAhead(at: now, on: &stage) }
    case .followLive: return item.isLive && followLive(at: now, on: &stage)
    case .leavePipeline:
      return item.timebase.rate.isZero && leavesPipeline(at: now, on: &stage)
    case .movePlayhead:
      let here = BufferPlace(of: item, loader, at: now)
      place = here
      return playheadIsDue(item, loader, here, at: now, on: &stage)
    case .completeSeek: if item.pendingSeek != nil { completeSeek(at: now, on: &stage) }
    case .startOnHostTime: return hostStart != nil && startOnHostTime(at: now, on: &stage)
    case .judge:
      judge(item, loader, place ?? BufferPlace(of: item, loader, at: now), at: now, on: &stage)
    case .adoptMode: if news?.bringsItem == true { adoptWaiting(at: now, on: &stage) }
    case .announce: return announce(at: now, on: &stage)
    case .noteReady: noteReady(item, at: now, on: &stage)
    case .notePictures:
      if item.takesPictures || settings.display != nil { notePictures(at: now, on: &stage) }
    case .failPlayedOut: return loader.failure != nil && failIfPlayedOut(at: now, on: &stage)
    case .restoreOffset: return item.isLive && restoreOffsetBeforeResuming(at: now, on: &stage)
    case .offerBuffer: return send(.bufferChanged, at: now, on: &stage)
    case .endEvaluation: return endEvaluation(at: now, on: &stage)
    }
    return false
  }

  private func endEvaluation(at now: Instant, on stage: inout Stage) -> Bool {
    machine.control == .waiting(.evaluatingBufferingRate) && evaluationEnds <= now
      && send(.evaluationEnded, at: now, on: &stage)
  }

  /// Tells the machine what there is to tell, with the buffer as it is known to be; false where
  /// there is nothing.
  private func announce(at now: Instant, on stage: inout Stage) -> Bool {
    guard let told = news else { return false }
    news = nil
    switch told {
    case .asked(let event, _), .suspension(let event):
      if item != nil { send(.bufferChanged, at: now, on: &stage) }
      send(event, at: now, on: &stage)
    case .arrived:
      send(.itemArrived, at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: true), of: subject, at: now)
    case .followed(let wasPlaying):
      takeOver(wasPlaying: wasPlaying, at: now, on: &stage)
    case .ranDry(let position):
      send(.ranDry(.consumed), at: now, on: &stage)
      stage.log.note(.stalled(position), of: subject, at: now)
    }
    return true
  }

  /// Lets the item that followed another play on, or wait.
  private func takeOver(wasPlaying: Bool, at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    let canPlay =
      machine.waitsAutomatically ? item.condition.permitsPlaying : item.condition.holdsAnything
    if machine.control == .playing && canPlay {
      send(.bufferChanged, at: now, on: &stage)
      followMachine(at: now, on: &stage)
    } else {
      send(.itemArrived, at: now, on: &stage)
    }
    if wasPlaying, item.timebase.rate.isZero {
      stage.log.note(.timebase(.zero, from: item.timebase.anchorTime), of: subject, at: now)
    }
  }
}

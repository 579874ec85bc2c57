import Autowait
package import VirtualTime

// The play queue, as AVQueuePlayer keeps it. "The current item is the one in the first position of
// the array" (WWDC16 503).

extension PlayerCore {
  /// The current item and those after it.
  package var items: [PlayerItem] {
    guard let item else { return [] }
    return [item] + queue.items
  }

  package var currentItem: PlayerItem? { item }

  /// Whether nothing is enqueued.
  package var isQueueEmpty: Bool { item == nil }

  /// Puts an item behind another, or at the end; into an empty queue it comes as the current one.
  package func insert(
    _ new: PlayerItem, after other: PlayerItem? = nil, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    try insert([new], after: other, at: now, on: &stage)
  }

  /// The same for several at once.
  package func insert(
    _ items: [PlayerItem], after other: PlayerItem? = nil, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if !settings.hasQueue { throw .needsQueue }
    var place = try queue.place(after: other, behind: item)
    for new in items {
      if let refusal = queue.refusal(of: new) { throw refusal }
    }
    begin(at: now)
    for new in items where !new.isEnqueued {
      open(new, at: now, on: stage)
      if item == nil {
        programme.become(new, at: now, on: &stage)
      } else {
        queue.insert(new, at: place)
        place += 1
      }
    }
    queue.noteLength(hasCurrent: item != nil)
    settle(at: now, on: &stage)
  }

  /// Whether an item could be put there.
  package func canInsert(_ new: PlayerItem, after other: PlayerItem? = nil) -> Bool {
    if let other, !other.isEnqueued || other.owner != index { return false }
    return settings.hasQueue && queue.refusal(of: new) == nil
  }

  /// Takes an item out; the current one gives way to the next.
  package func remove(_ old: PlayerItem, at now: Instant, on stage: inout Stage) {
    if old === item {
      advanceToNextItem(at: now, on: &stage)
      return
    }
    guard let place = queue.index(of: old) else { return }
    begin(at: now)
    _ = queue.remove(at: place)
    queue.close(old, for: item, at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// Empties the queue, which stops the player.
  package func removeAllItems(at now: Instant, on stage: inout Stage) {
    begin(at: now)
    while !queue.items.isEmpty {
      let last = queue.remove(at: queue.items.count - 1)
      queue.close(last, for: item, at: now, on: &stage)
    }
    replaceCurrentItem(with: nil, at: now, on: &stage)
    setRate(.zero, at: now, on: &stage)
  }

  /// Gives up the current item for the next.
  package func advanceToNextItem(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    begin(at: now)
    playback.hostStart = nil
    playback.closeTimebase(at: now)
    playback.awaitNext(after: item, at: now)
    programme.passOn(at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// Moves the playhead of an item, whether it is current or not.
  package func seek(
    _ item: PlayerItem, to time: MediaTime, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if item === self.item {
      try seek(to: time, at: now, on: &stage)
      return
    }
    if time < .zero { throw .negativeTime }
    item.place(at: time, now)
    if !item.isEnqueued { return }
    begin(at: now)
    queue.reconsider()
    settle(at: now, on: &stage)
  }
}

// MARK: - From one item to the next

extension PlayerCore {
  /// Makes an item current, or none; what is enqueued behind it stays.
  package func replaceCurrentItem(
    with settings: ItemSettings?, at now: Instant, on stage: inout Stage
  ) {
    replaceCurrent(settings.map { PlayerItem($0) }, at: now, on: &stage)
  }

  /// The same with an item that was there before, and may have been told how to be played.
  package func replaceCurrentItem(
    with new: PlayerItem, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if let refusal = queue.refusal(of: new) { throw refusal }
    replaceCurrent(new, at: now, on: &stage)
  }

  private func open(_ new: PlayerItem, at now: Instant, on stage: borrowing Stage) {
    queue.open(new, at: now)
    programme.tellSurroundings(new, on: stage)
  }

  private func replaceCurrent(_ new: PlayerItem?, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    let leaving = playback.subject
    // Opened before the other is left: what the two have in common goes on.
    if let new { open(new, at: now, on: stage) }
    programme.removeCurrent(for: new, at: now, on: &stage)
    if let new {
      programme.become(new, at: now, on: &stage)
    } else {
      playback.adoptWaiting(at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: false), of: leaving, at: now)
    }
    settle(at: now, on: &stage)
  }
}

extension PendingTransition {
  init(leaving item: PlayerItem, at now: Instant) {
    self.init(from: item.number ?? 0, goesRound: item.goesRound, instant: now)
  }
}

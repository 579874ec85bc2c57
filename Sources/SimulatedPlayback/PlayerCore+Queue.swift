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
    var place = try place(after: other)
    for new in items {
      if let refusal = refusal(of: new) { throw refusal }
    }
    begin(at: now)
    for new in items where !new.isEnqueued {
      open(new, at: now, on: stage)
      if item == nil {
        become(new, at: now, on: &stage)
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
    return settings.hasQueue && refusal(of: new) == nil
  }

  private func place(after other: PlayerItem?) throws(PlayerError) -> Int {
    guard let other, other !== item else { return other == nil ? queue.items.count : 0 }
    guard let place = queue.index(of: other) else { throw .notEnqueued }
    return place + 1
  }

  /// Why an item cannot come into the queue.
  private func refusal(of new: PlayerItem) -> PlayerError? {
    if let owner = new.owner, owner != index { return .belongsToAnotherPlayer }
    // "insert throws on duplicates" (AVQueuePlayer.insert).
    return new.isEnqueued ? .alreadyEnqueued : nil
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
    passOn(at: now, on: &stage)
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
    if let refusal = refusal(of: new) { throw refusal }
    replaceCurrent(new, at: now, on: &stage)
  }

  private func open(_ new: PlayerItem, at now: Instant, on stage: borrowing Stage) {
    queue.open(new, at: now)
    tellSurroundings(new, on: stage)
  }

  private func replaceCurrent(_ new: PlayerItem?, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    playback.hostStart = nil
    playback.transition = nil
    let leaving = playback.subject
    if let old = item {
      playback.closeTimebase(at: now)
      leave(old, at: now, on: &stage)
      playback.send(.itemRemoved, at: now, on: &stage)
    }
    if let new {
      open(new, at: now, on: stage)
      become(new, at: now, on: &stage)
    } else {
      playback.adoptWaiting(at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: false), of: leaving, at: now)
    }
    settle(at: now, on: &stage)
  }

  /// Makes an item current that has its media open, where there is none.
  private func become(_ new: PlayerItem, at now: Instant, on stage: inout Stage) {
    playback.take(new, at: now)
    hasPlayedOut = false
    playback.buildPipeline(for: new, at: now, on: &stage)
    steerLoading(new, at: now, on: &stage)
    playback.news = .arrived
  }

  /// Lets the next item take the place of the current one, whose timebase is closed.
  func passOn(at now: Instant, on stage: inout Stage) {
    guard let old = item else { return }
    let successor = queue.items.first
    if let successor { StreamBoundary.prepare(from: old, to: successor, settings) }
    leave(old, for: successor, at: now, on: &stage)
    guard let next = queue.removeFirst() else {
      hasPlayedOut = true
      playback.send(.itemRemoved, at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: false), of: old.subject, at: now)
      return
    }
    let wasPlaying = playback.machine.control == .playing
    let plan = TransitionPlan(from: old, to: next, settings)
    playback.transition?.silence = plan.silence
    if !plan.overlaps { next.filledAt = nil }
    if plan.pause > .zero {
      playback.work(.rebuild, of: old, lasting: plan.pause, at: now, on: &stage)
    }
    follow(with: next, at: now, on: &stage)
    playback.news = .followed(wasPlaying: wasPlaying)
  }

  /// Makes an item of the queue current. The pipeline that is there goes on to serve it, which is
  /// our assumption.
  private func follow(with next: PlayerItem, at now: Instant, on stage: inout Stage) {
    next.condition = .nothing
    playback.take(next, at: now)
    stage.log.note(.currentItem(isPresent: true), of: next.subject, at: now)
    steerLoading(next, at: now, on: &stage)
  }

  /// Takes leave of the current item.
  ///
  /// - Parameter next: The item of the queue that takes its place; nil where none does.
  private func leave(
    _ old: PlayerItem, for next: PlayerItem? = nil, at now: Instant, on stage: inout Stage
  ) {
    playback.leave(old, at: now, on: &stage)
    queue.close(old, for: next, at: now, on: &stage)
  }
}

extension PendingTransition {
  init(leaving item: PlayerItem, at now: Instant) {
    self.init(from: item.number ?? 0, goesRound: item.goesRound, instant: now)
  }
}

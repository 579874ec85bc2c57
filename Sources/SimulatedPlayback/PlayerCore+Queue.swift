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
      open(new, at: now)
      if item == nil {
        become(new, at: now, on: &stage)
      } else {
        queue.insert(new, at: place)
        place += 1
      }
    }
    longestQueue = max(longestQueue, Int64(queue.items.count) + (item == nil ? 0 : 1))
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
    close(old, at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// Empties the queue, which stops the player.
  package func removeAllItems(at now: Instant, on stage: inout Stage) {
    begin(at: now)
    while !queue.items.isEmpty {
      let last = queue.remove(at: queue.items.count - 1)
      close(last, at: now, on: &stage)
    }
    replaceCurrentItem(with: nil, at: now, on: &stage)
    setRate(.zero, at: now, on: &stage)
  }

  /// Gives up the current item for the next.
  package func advanceToNextItem(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    begin(at: now)
    hostStart = nil
    closeTimebase(at: now)
    if machine.control == .playing { transition = PendingTransition(leaving: item, at: now) }
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
  /// Lets the next item take the place of the current one, whose timebase is closed.
  func passOn(at now: Instant, on stage: inout Stage) {
    guard let old = item else { return }
    if let next = queue.items.first { prepareBoundary(from: old, to: next) }
    leave(old, at: now, on: &stage)
    guard let next = queue.removeFirst() else {
      hasPlayedOut = true
      send(.itemRemoved, at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: false), of: old.subject, at: now)
      return
    }
    let wasPlaying = machine.control == .playing
    let plan = TransitionPlan(from: old, to: next, settings)
    transition?.silence = plan.silence
    if !plan.overlaps { next.filledAt = nil }
    if plan.pause > .zero { work(.rebuild, of: old, lasting: plan.pause, at: now, on: &stage) }
    follow(with: next, at: now, on: &stage)
    news = .followed(wasPlaying: wasPlaying)
  }

  /// Makes an item of the queue current. The pipeline that is there goes on to serve it, which is
  /// our assumption.
  private func follow(with next: PlayerItem, at now: Instant, on stage: inout Stage) {
    item = next
    beginsLogs(of: next, at: now)
    next.condition = .nothing
    next.timebase.set(time: next.timebase.anchorTime, rate: .zero, at: now)
    books.placed(at: next.timebase.anchorTime)
    stage.log.note(.currentItem(isPresent: true), of: subject, at: now)
    steerLoading(at: now, on: &stage)
  }

  /// Takes leave of the current item.
  func leave(_ old: PlayerItem, at now: Instant, on stage: inout Stage) {
    if old.pendingSeek != nil { finishSeek(false, inBuffer: false, at: now, on: &stage) }
    books.left(at: old.timebase.anchorTime)
    old.timebase.set(time: old.timebase.anchorTime, rate: .zero, at: now)
    old.sitsAt = nil
    old.isStarved = false
    old.isPastEnd = false
    old.filledAt = nil
    send(.itemLeft, at: now, on: &stage)
    item = nil
    endsLogs(of: old, at: now)
    close(old, at: now, on: &stage)
  }

  /// Gives an item its number and its media.
  func open(_ new: PlayerItem, at now: Instant) {
    new.isEnqueued = true
    if settings.without.contains(.forwardPlaybackEndTime) {
      new.settings.forwardPlaybackEndTime = nil
    }
    new.owner = index
    if new.number == nil {
      new.number = itemCount
      itemCount += 1
    }
    let media = new.media ?? media(for: new.settings)
    let isFirstTime = new.media == nil
    new.media = media
    if isFirstTime { keepLogs(of: new, media, at: now) }
    shelf.take(media)
  }

  /// Every item has logs of its own; what the media brings is told to those of the one that is
  /// played, and before any is to those of the first.
  private func keepLogs(of new: PlayerItem, _ media: OpenMedia, at now: Instant) {
    let logs = media.loader.logs
    new.logs = media.isNew ? logs : LogKeeper(logs.source, duration: new.duration)
    if !media.isNew {
      new.receivedBefore = media.loader.received(at: now)
      new.receivedWhenLeft = new.receivedBefore
    }
    media.isNew = false
    new.logs?.moves(along: new.timebase)
  }

  private func media(for settings: ItemSettings) -> OpenMedia {
    let asset = self.settings.without.contains(.assetSharing) ? nil : settings.asset
    if let asset, settings.source.file != nil, let known = shelf.media(of: asset) { return known }
    return OpenMedia(
      asset: settings.source.file == nil ? nil : asset, loader: loader(for: settings))
  }

  func close(_ old: PlayerItem, at now: Instant, on stage: inout Stage) {
    old.isEnqueued = false
    old.filledAt = nil
    guard let media = old.media else { return }
    if loading === old { loading = nil }
    if media.users == 1 { media.loader.cancelAll(at: now, on: &stage) }
    _ = shelf.giveBack(media, at: now)
  }
}

extension PendingTransition {
  init(leaving item: PlayerItem, at now: Instant) {
    self.init(from: item.number ?? 0, goesRound: item.goesRound, instant: now)
  }
}

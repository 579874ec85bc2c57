import LinkConditioner
package import PlayerPolicies
import StreamingMedia
package import VirtualTime

/// The items that come after the current one, in their order, and the media that all are made of.
package struct PlayQueue: ~Copyable {
  let index: Int32
  package private(set) var items: [PlayerItem] = []
  /// The number of items, from the front, that want nothing more from the link.
  private var loadedCount = 0
  /// The one whose media comes in.
  package private(set) var loading: PlayerItem?
  /// The asset whose values the app requested before it made an item of it.
  private(set) var asset: LoadedAsset?
  private(set) var shelf: MediaShelf
  /// The number of items received so far.
  package private(set) var itemCount: Int32 = 0
  /// The most items that stood in the queue at a time, the current one included.
  package private(set) var longest: Int64 = 0

  /// - Parameter assets: The streams that other players share.
  package init(
    index: Int32, _ policy: PolicyDescription, _ registry: PolicyRegistry,
    sharing assets: AssetShelf = AssetShelf()
  ) {
    shelf = MediaShelf(policy, with: registry, sharing: assets)
    self.index = index
  }

  package func index(of item: PlayerItem) -> Int? {
    items.firstIndex { $0 === item }
  }

  /// The index at which an item is inserted after another, or at the end.
  ///
  /// - Parameter current: The item that plays, which stands before all of these.
  package func place(
    after other: PlayerItem?, behind current: PlayerItem?
  ) throws(PlayerError) -> Int {
    guard let other, other !== current else { return other == nil ? items.count : 0 }
    guard let place = index(of: other) else { throw .notEnqueued }
    return place + 1
  }

  /// The reason why an item cannot be inserted into the queue; nil where it can.
  package func refusal(of new: PlayerItem) -> PlayerError? {
    if let owner = new.owner, owner != index { return .belongsToAnotherPlayer }
    // "insert throws on duplicates" (AVQueuePlayer.insert).
    return new.isEnqueued ? .alreadyEnqueued : nil
  }

  package mutating func insert(_ item: PlayerItem, at index: Int) {
    items.insert(item, at: index)
    loadedCount = min(loadedCount, index)
  }

  package mutating func remove(at index: Int) -> PlayerItem {
    if index < loadedCount { loadedCount -= 1 }
    return items.remove(at: index)
  }

  package mutating func removeFirst() -> PlayerItem? {
    items.isEmpty ? nil : remove(at: 0)
  }

  /// Looks anew who wants something.
  mutating func reconsider() {
    loadedCount = 0
  }

  package mutating func noteLength(hasCurrent: Bool) {
    longest = max(longest, Int64(items.count) + (hasCurrent ? 1 : 0))
  }
}

// MARK: - The media of items

extension PlayQueue {
  package mutating func open(_ new: PlayerItem, at now: Instant) {
    new.isEnqueued = true
    new.owner = index
    if new.number == nil {
      new.number = itemCount
      itemCount += 1
    }
    let media =
      new.media
      ?? shelf.media(for: new.settings, asked: &asset, owner: index)
    if new.media == nil { new.open(media, at: now) }
    shelf.take(media)
  }

  /// Gives up an item's media.
  ///
  /// - Parameter current: The item that plays, or is about to; nil where none is.
  package mutating func close(
    _ old: PlayerItem, for current: PlayerItem?, at now: Instant, on stage: inout Stage
  ) {
    old.isEnqueued = false
    old.filledAt = nil
    guard let media = old.media else { return }
    if loading === old { loading = nil }
    // Shared requests go on if the current item wants them, or the one that loads.
    let goesOn =
      media.loader.sharesAsset(with: current?.loader)
      || media.loader.sharesAsset(with: loading?.loader)
    media.loader.cancelAll(keepingShared: goesOn, at: now, on: &stage)
    _ = shelf.giveBack(media, at: now)
  }

  /// Takes up an asset of which the app has asked something.
  mutating func take(
    _ item: ItemSettings, besides current: PlayerItem?, at now: Instant, on stage: inout Stage
  ) {
    if let early = asset?.loader {
      let isShared = early.sharesAsset(with: current?.loader)
      early.cancelAll(keepingShared: isShared, at: now, on: &stage)
      shelf.book(MediaFigures(of: early, at: now))
    }
    asset = LoadedAsset(source: item.source, loader: shelf.loader(for: item, owner: index))
  }

  /// The number of changes (a resource received, a request ended) in the streams that items are
  /// made of, whichever player sent the request.
  ///
  /// - Parameter current: The item that plays.
  func assetChanges(_ current: PlayerItem?) -> Int64 {
    var count = current?.opened?.assetChanges ?? 0
    if let loading { count += loading.loader.assetChanges }
    if let asset { count += asset.loader.assetChanges }
    return count
  }

  // MARK: Costs

  /// The figures of everything that was ever asked for, whatever has become of its item.
  func figures(at now: Instant) -> MediaFigures {
    var sum = shelf.figures(at: now)
    if let asset { sum += MediaFigures(of: asset.loader, at: now) }
    return sum
  }

  /// All of them but the bytes, which may be coming in.
  var counts: MediaFigures {
    var sum = shelf.counts
    if let asset { sum += MediaFigures(countsOf: asset.loader) }
    return sum
  }
}

// MARK: - Looking ahead

extension PlayQueue {
  /// Brings the media of the next item once that of the current one is there.
  ///
  /// "When the media download finishes for the current item, player will start downloading for the
  /// next one while the current one is still playing" (WWDC18 502).
  mutating func loadAhead(
    of item: PlayerItem, _ playback: inout Playback, at now: Instant, on stage: inout Stage
  ) {
    var next: PlayerItem?
    if isLoaded(item, at: now) {
      next = firstToLoad(after: item, &playback, at: now, on: &stage)
    }
    if let loading, loading !== next, loading.media !== item.media, loading.media !== next?.media,
      !isLoaded(loading, at: now)
    {
      // The current item comes first again, or another one has come between.
      let goesOn =
        loading.loader.sharesAsset(with: item.loader)
        || loading.loader.sharesAsset(with: next?.loader)
      loading.loader.cancelAll(keepingShared: goesOn, at: now, on: &stage)
    }
    loading = next
  }

  /// The first of the items to come that wants something, which is asked for.
  private mutating func firstToLoad(
    after current: PlayerItem, _ playback: inout Playback, at now: Instant, on stage: inout Stage
  ) -> PlayerItem? {
    while loadedCount < items.count {
      let next = items[loadedCount]
      let before = loadedCount == 0 ? current : items[loadedCount - 1]
      StreamBoundary.prepare(from: before, to: next, playback.settings)
      next.snapshot.rate = playback.wantedRate
      next.loader.steer(next.playhead(nil), at: now, on: &stage)
      next.lookAtBuffer(at: now)
      // "Once an item is enqueued it becomes eligible to be loaded and made ready" (AVQueuePlayer).
      playback.parse(next, at: now)
      next.noteReady(at: now, on: &stage)
      if !isLoaded(next, at: now) { return next }
      loadedCount += 1
    }
    return nil
  }

  /// Whether everything up to the end of an item is there, or nothing more will come.
  private func isLoaded(_ item: PlayerItem, at now: Instant) -> Bool {
    if item.loader.failure != nil { return true }
    return item.loader.isLoaded(from: item.time(at: now), to: item.end, at: now)
  }
}

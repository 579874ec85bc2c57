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
  ///
  /// "AVURLAsset is a lazy API. It doesn't begin loading … until someone asks" (WWDC16 503).
  private(set) var asset: MediaLoader?
  /// The player's policy: its knowledge of the link outlives the player's items.
  private let policy: PlayerPolicy
  /// The media that is open, in the order in which it was opened.
  private(set) var opened: [MediaLoader] = []
  /// Files that were opened once: unused ones are kept for the next item of their asset.
  private var known: [MediaLoader] = []
  /// The streams among the assets, and those that other players have as well.
  private let streams = AssetShelf()
  private let everybodys: AssetShelf
  /// The figures of closed media, and of assets that no item was made of.
  private var past = MediaFigures()
  /// The number of items received so far.
  package private(set) var itemCount: Int32 = 0
  /// The most items that stood in the queue at a time, the current one included.
  package private(set) var longest: Int64 = 0

  package init(
    index: Int32, _ policy: PolicyDescription, _ registry: PolicyRegistry,
    sharing assets: AssetShelf = AssetShelf()
  ) {
    self.policy = PlayerPolicy(policy, with: registry)
    everybodys = assets
    self.index = index
  }

  /// Whether there is no item to come, and no asset of which the app has asked something.
  var isEmpty: Bool { items.isEmpty && loading == nil && asset == nil }

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

  package mutating func removeFirst() -> PlayerItem? { items.isEmpty ? nil : remove(at: 0) }

  /// Looks anew who wants something.
  mutating func reconsider() { loadedCount = 0 }

  package mutating func noteLength(hasCurrent: Bool) {
    longest = max(longest, Int64(items.count) + (hasCurrent ? 1 : 0))
  }

  package mutating func open(_ new: PlayerItem, at now: Instant) {
    new.isEnqueued = true
    new.owner = index
    if new.number == nil {
      new.number = itemCount
      itemCount += 1
    }
    let media = new.opened ?? media(for: new.settings)
    if new.opened == nil { new.open(media, at: now) }
    take(media)
  }

  /// Gives up an item's media.
  package mutating func close(
    _ old: PlayerItem, for current: PlayerItem?, at now: Instant, on stage: inout Stage
  ) {
    old.isEnqueued = false
    old.filledAt = nil
    guard let media = old.opened else { return }
    if loading === old { loading = nil }
    // Shared requests go on if the current item wants them, or the one that loads.
    let goesOn =
      media.sharesAsset(with: current?.loader) || media.sharesAsset(with: loading?.loader)
    media.cancelAll(keepingShared: goesOn, at: now, on: &stage)
    giveBack(media, at: now)
  }

  /// Takes up an asset of which the app has asked something.
  mutating func take(
    _ item: ItemSettings, besides current: PlayerItem?, at now: Instant, on stage: inout Stage
  ) {
    if let early = asset {
      early.cancelAll(keepingShared: early.sharesAsset(with: current?.loader), at: now, on: &stage)
      past += MediaFigures(of: early, at: now)
    }
    asset = loader(for: item)
  }

  /// The number of changes (a resource received, a request ended) in the streams that items are
  /// made of, whichever player sent the request.
  func assetChanges(_ current: PlayerItem?) -> Int64 {
    var count = current?.opened?.assetChanges ?? 0
    if let loading { count += loading.loader.assetChanges }
    if let asset { count += asset.assetChanges }
    return count
  }

  /// The figures of everything that was ever asked for, whatever has become of its item.
  func figures(at now: Instant) -> MediaFigures {
    var sum = past
    for media in opened { sum += media.figures(at: now) }
    if let asset { sum += MediaFigures(of: asset, at: now) }
    return sum
  }

  /// All of them but the bytes, which may be coming in.
  var counts: MediaFigures {
    var sum = past
    for media in opened { sum += media.counts - media.booked }
    if let asset { sum += asset.counts }
    return sum
  }

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
    if let loading, loading !== next, loading.opened !== item.opened,
      loading.opened !== next?.opened,
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
      next.loader.steer(next, nil, at: now, on: &stage)
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

/// The costs of loading media, and the waste among them.
package struct MediaFigures: Hashable {
  package var bytes: Int64 = 0
  package var requests: Int64 = 0
  /// The number of segments buffered from another variant than the one before.
  package var variantSwitches: Int64 = 0
  /// Bytes of segments that were given up before they were whole.
  package var bytesAbandoned: Int64 = 0
  /// Bytes of segments that were thrown away before anything of them was played.
  package var bytesDiscarded: Int64 = 0
  /// Bytes of playlists that delta updates left out.
  package var playlistBytesSaved: Int64 = 0

  package init() {}

  init(of loader: MediaLoader, at now: Instant) {
    self = loader.counts
    bytes = loader.received(at: now)
  }

  static func - (a: MediaFigures, b: MediaFigures) -> MediaFigures {
    var difference = a
    difference.change(by: b, -)
    return difference
  }

  static func += (a: inout MediaFigures, b: MediaFigures) { a.change(by: b, +) }

  private mutating func change(by other: MediaFigures, _ join: (Int64, Int64) -> Int64) {
    bytes = join(bytes, other.bytes)
    requests = join(requests, other.requests)
    variantSwitches = join(variantSwitches, other.variantSwitches)
    bytesAbandoned = join(bytesAbandoned, other.bytesAbandoned)
    bytesDiscarded = join(bytesDiscarded, other.bytesDiscarded)
    playlistBytesSaved = join(playlistBytesSaved, other.playlistBytesSaved)
  }
}

/// The resources of streams that are loaded once for all items made from them.
///
/// An object: that of an app is the same for all its players.
package final class AssetShelf {
  private var streams: [(id: AssetID, asset: StreamAsset)] = []

  package init() {}

  /// The loaded resources of a stream; nil if the stream is not known.
  func stream(of id: AssetID, _ presentation: Presentation) -> StreamAsset? {
    let known = streams.first { $0.id == id }?.asset
    return known?.presentation == presentation ? known : nil
  }

  /// Keeps what is loaded of a stream for the next item of it.
  func keep(_ asset: StreamAsset, as id: AssetID) {
    if !streams.contains(where: { $0.id == id }) { streams.append((id, asset)) }
  }

  package var isEmpty: Bool { streams.isEmpty }
}

extension PlayQueue {
  /// The media that an item is made of: what is known of its asset, else new, or that whose values
  /// the app asked for before.
  private mutating func media(for item: ItemSettings) -> MediaLoader {
    let id = item.asset
    let isFile = item.source.file != nil
    if let id, isFile, let known = known.first(where: { $0.sharedAs == id }) { return known }
    let loader: MediaLoader
    if let early = asset, early.source.isSameMedia(as: item.source) {
      asset = nil
      loader = early
      if case .stream(let settings) = item.source { loader.stream?.adopt(settings) }
    } else {
      loader = self.loader(for: item)
    }
    if let id, let stream = loader.stream?.asset { shelf(of: id).keep(stream, as: id) }
    if isFile { loader.sharedAs = id }
    return loader
  }

  /// The loader of an item's media, which starts with the loaded resources of a known stream.
  private func loader(for item: ItemSettings) -> MediaLoader {
    switch item.source {
    case .local(let file):
      return FileLoader(file, isLocal: true, item, owner: index, policy: policy)
    case .progressive(let file):
      return FileLoader(file, isLocal: false, item, owner: index, policy: policy)
    case .stream(let settings):
      let known = item.asset.flatMap { shelf(of: $0).stream(of: $0, settings.presentation) }
      return StreamLoader(
        settings, of: known ?? StreamAsset(settings, retry: item.retry), retry: item.retry,
        host: item.host, owner: index, policy: policy)
    }
  }

  private func shelf(of id: AssetID) -> AssetShelf { id.isEverybodys ? everybodys : streams }

  private mutating func take(_ media: MediaLoader) {
    media.users += 1
    if media.users > 1 { return }
    opened.append(media)
    if let asset = media.sharedAs, !known.contains(where: { $0.sharedAs == asset }) {
      known.append(media)
    }
  }

  private mutating func giveBack(_ media: MediaLoader, at now: Instant) {
    media.users -= 1
    if media.users > 0 { return }
    past += media.figures(at: now)
    media.booked = MediaFigures(of: media, at: now)
    // The search is short: the media given back is mostly the one that was taken first.
    if let index = opened.firstIndex(where: { $0 === media }) { opened.remove(at: index) }
  }
}

extension PlayerItem {
  /// Opens its media, for good.
  ///
  /// Every item has logs of its own; what the media brings is told to those of the one that is
  /// played, and before any is to those of the first.
  func open(_ media: MediaLoader, at now: Instant) {
    opened = media
    logs = media.isNew ? media.logs : LogKeeper(media.logs.source)
    logs?.end = settings.playedEnd
    if !media.isNew {
      receivedBefore = media.received(at: now)
      receivedWhenLeft = receivedBefore
    }
    media.isNew = false
    logs?.moves(along: timebase, heldAt: nil)
    media.policy.running.serve(settings.heuristic)
  }
}

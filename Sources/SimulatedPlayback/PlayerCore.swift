package import Autowait
package import LinkConditioner
package import PlayerPolicies
import StreamingMedia
package import VirtualTime

/// A player on a stage: joins what is played, what comes after it, and the link.
///
/// It knows no event loop. Whoever runs it calls `wake(at:)` no later than `nextWake`, and hands it
/// the link's events.
package final class PlayerCore {
  package let index: Int32
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows a player.
  @exclusivity(unchecked) var programme: Programme
  /// The player's priority on the link; the owner of the link applies it.
  package var networkResourcePriority: NetworkResourcePriority
  /// The pixels of the layer that shows the picture; nil without one.
  @exclusivity(unchecked) var layer: PixelSize?
  /// Whether another app has the audio session.
  @exclusivity(unchecked) var isInterrupted = false
  let began: Instant
  /// The number of changes to the shared assets as of the last look.
  var heardAssetChanges: Int64 = 0

  /// - Parameters:
  ///   - registry: The implementations of the seats that its policy gives by name.
  ///   - assets: The streams that other players share.
  package init(
    index: Int32, settings: PlayerSettings = .init(), _ registry: PolicyRegistry = .none,
    sharing assets: AssetShelf = AssetShelf(), at now: Instant = .zero
  ) {
    self.index = index
    programme = Programme(index: index, settings, registry, sharing: assets, at: now)
    networkResourcePriority = settings.networkResourcePriority
    layer = settings.layer
    began = now
  }

  package var settings: PlayerSettings { programme.playback.settings }

  var item: PlayerItem? { programme.playback.item }

  package var actionAtItemEnd: ActionAtItemEnd { programme.actionAtItemEnd }

  func settle(at now: Instant, on stage: inout Stage) { programme.settle(at: now, on: &stage) }

  // MARK: Calls of the app

  /// `play()`: asks for `defaultRate`, or for 1 under a contract that knows no default rate.
  package func play(at now: Instant, on stage: inout Stage) {
    let rate = programme.playback.rateOfPlay
    ask(.setRate(rate), rate: rate, plays: true, at: now, on: &stage)
  }

  /// Sets what `play()` asks for: "setting it does not start playback", but a player that stands
  /// judges by it whether it would keep up.
  package func setDefaultRate(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    programme.playback.defaultRate = rate
    settle(at: now, on: &stage)
  }

  /// Sets the rate that the app asks for; zero pauses.
  package func setRate(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    ask(.setRate(rate), rate: rate, plays: false, at: now, on: &stage)
  }

  package func playImmediately(atRate rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    ask(.playImmediately(rate), rate: rate, plays: true, at: now, on: &stage)
  }

  /// - Parameter plays: Whether the app called a method that plays; to set a rate is none.
  private func ask(
    _ event: PlaybackEvent, rate: PlaybackRate, plays: Bool, at now: Instant,
    on stage: inout Stage
  ) {
    begin(at: now)
    if refuses(rate, at: now, on: &stage) { return }
    let isCall = rate.isZero || plays && !programme.playback.machine.rate.isZero
    programme.playback.prepareToAsk(for: rate, at: now, on: &stage)
    programme.tell(.asked(event, rate: rate, isCall: isCall), at: now, on: &stage)
  }

  package func setWaitsAutomatically(_ waits: Bool, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    programme.playback.setWaits(waits, at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  package func setActionAtItemEnd(
    _ action: ActionAtItemEnd, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if action == .advance && !settings.hasQueue { throw .advanceNeedsQueue }
    begin(at: now)
    programme.actionAtItemEnd = action
    // "Switching later to another action takes effect at once" (AVPlayer.actionAtItemEnd).
    if let item, item.isPastEnd, action != .none {
      programme.reachEnd(at: now, on: &stage)
      item.isPastEnd = false
    }
    settle(at: now, on: &stage)
  }

  package func perform(
    _ call: PlayerCall, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if call == .preroll, !programme.playback.machine.rate.isZero { throw .prerollNeedsPause }
    begin(at: now)
    switch call {
    case .cancelPendingSeeks:
      guard let target = item?.pendingSeek else { return }
      programme.playback.finishSeek(false, inBuffer: false, at: now, on: &stage)
      stage.log.note(.timeJumped(target), of: programme.playback.subject, at: now)
    case .preroll:
      if let item, !item.hasFailed {
        item.awaitsPreroll = true
      } else {
        stage.log.note(.prerolled(finished: false), of: programme.playback.subject, at: now)
      }
    case .cancelPendingPrerolls: item?.finishPreroll(false, at: now, on: &stage)
    case .halt(let halt):
      if halt == .audioSessionInterrupted { isInterrupted = true }
      programme.playback.hostStart = nil
      programme.playback.transition = nil
      programme.playback.leaveHostTimeline(at: now, on: &stage)
      programme.playback.send(.systemHalted(halt), at: now, on: &stage)
    case .endInterruption: isInterrupted = false
    }
    settle(at: now, on: &stage)
  }

  /// Holds the player up, or lets it go on.
  ///
  /// The app's rate stays what it is; what is loaded goes on being loaded.
  package func setSuspended(
    _ isSuspended: Bool, by suspension: Suspension, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if !settings.contract.knowsSuspensions { throw .unknownToSDK }
    begin(at: now)
    let event =
      isSuspended
      ? PlaybackEvent.suspensionBegan(suspension) : .suspensionEnded(suspension)
    programme.tell(.suspension(event), at: now, on: &stage)
  }

  // MARK: Events of the world

  /// The latest instant at which `wake` must be called.
  package var nextWake: Instant { programme.due }

  package func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    // The decisions of an instant follow all arrivals of that instant.
    if takes(event, at: now, on: &stage) { programme.mediaChanged(at: now) }
  }

  /// Hands an event to what it is for; true where the player has to look what follows from it.
  private func takes(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    // Perf: nothing but the stream that plays undisturbed has requests under way then.
    if let stream = programme.undisturbed?.stream {
      return stream._withUnsafeGuaranteedRef { $0.handle(event, at: now, on: &stage) }
    }
    if let asset = programme.queue.asset, asset.isLoadingValues(by: event.transfer) {
      return asset.handle(event, at: now, on: &stage)
    }
    // There is one item at a time that anything is asked for.
    if let loading = programme.queue.loading, loading.loader.knows(event.transfer) {
      return loading.loader.handle(event, at: now, on: &stage)
    }
    return item?.opened?.handle(event, at: now, on: &stage) ?? false
  }

  /// Does what is due at or before an instant.
  package func wake(at now: Instant, on stage: inout Stage) {
    begin(at: now)
    if programme.playsOn(at: now, on: &stage) { return }
    if let item { item.loader.wake(item, at: now, on: &stage) }
    if let loading = programme.queue.loading {
      loading.loader.wake(loading, at: now, on: &stage)
    }
    settle(at: now, on: &stage)
  }

  package func begin(at now: Instant) {
    // Perf: nearly half of the calls come at an instant that is booked already.
    if programme.playback.books.bookedUntil != now { programme.playback.begin(at: now) }
  }

  /// Ends the run for this player: books the rest.
  package func finish(at now: Instant) {
    begin(at: now)
    programme.playback.closeTimebase(at: now)
  }
}

extension LinkEvent {
  var transfer: TransferID {
    switch self {
    case .responded(let id, _), .completed(let id, _), .flowChanged(let id, _),
      .failed(let id, _, _, _):
      id
    }
  }
}

extension PlayerCore {
  /// Looks whether another player has brought what this one waits for.
  ///
  /// What one has under way nobody asks for once more; should it be given up, the other does.
  package func hearOfAssets(at now: Instant) {
    let count = programme.queue.assetChanges(item)
    if count == heardAssetChanges { return }
    heardAssetChanges = count
    programme.otherwiseDue = min(programme.otherwiseDue, now)
  }

  /// Asks for values of the media that an item will be made of: its duration, for example.
  ///
  /// Of a stream this fetches the multivariant playlist, and the keys that it announces where they
  /// are wanted early; of a file the head atom. What comes in belongs to the item that is made of
  /// the same media. The current item has asked for all that there is already.
  package func loadValues(of settings: ItemSettings, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    let isKnown = [programme.queue.asset?.source, item?.settings.source].contains {
      $0?.isSameMedia(as: settings.source) == true
    }
    if !isKnown {
      programme.queue.take(settings, besides: item, at: now, on: &stage)
    }
    settle(at: now, on: &stage)
  }

  /// Whether the values of some media are there; nil where they are not being loaded.
  package func hasValues(of source: MediaSource) throws(PlaybackFailure) -> Bool? {
    let asked = programme.queue.asset.flatMap { $0.source.isSameMedia(as: source) ? $0 : nil }
    let item = items.first { $0.settings.source.isSameMedia(as: source) }
    guard let loader = asked ?? item?.opened else { return nil }
    if let failure = loader.failure { throw failure }
    return loader.stream.map { $0.asset.resources[.master] == .there } ?? loader.isReady
  }
}

extension MediaSource {
  func isSameMedia(as other: MediaSource) -> Bool {
    switch (self, other) {
    case (.local(let a), .local(let b)), (.progressive(let a), .progressive(let b)): a == b
    case (.stream(let a), .stream(let b)): a.presentation == b.presentation
    case (.local, _), (.progressive, _), (.stream, _): false
    }
  }
}

// The readable state of a player at an instant, under the names that AVPlayer uses.

extension PlayerCore {
  package var machine: AutowaitMachine { programme.playback.machine }

  package var books: PlayerBooks { programme.playback.books }

  package var waitsProperty: Bool { programme.playback.waitsProperty }

  package var defaultRate: PlaybackRate { programme.playback.defaultRate }

  package var status: ItemStatus { item?.status ?? .unknown }

  package var hasItem: Bool { item != nil }

  package var rate: PlaybackRate { programme.playback.machine.rate }

  package var timebaseRate: PlaybackRate { item?.timebase.rate ?? .zero }

  package var isPlaybackLikelyToKeepUp: Bool { item?.condition.isLikelyToKeepUp ?? false }

  package var isPlaybackBufferFull: Bool { item?.condition.isFull ?? false }

  package var isPlaybackBufferEmpty: Bool { item?.condition.isEmpty ?? true }

  package func currentTime(at now: Instant) -> MediaTime { item?.time(at: now) ?? .zero }

  /// The end of the contiguous media that begins at the playhead.
  package func loadedEnd(at now: Instant) -> MediaTime { item?.loadedEnd(at: now) ?? .zero }

  /// Media between the playhead and the loaded edge.
  package func ahead(at now: Instant) -> MediaTime {
    max(.zero, loadedEnd(at: now) - currentTime(at: now))
  }

  /// The bytes received over the link for all media that was ever this player's.
  package func bytesTransferred(at now: Instant) -> Int64 { programme.queue.figures(at: now).bytes }

  /// The other figures of its media, the bytes aside.
  package var counts: MediaFigures { programme.queue.counts }
}

/// The outcome of playback.
public enum PlaybackOutcome: String, Hashable, Sendable, CaseIterable {
  /// It began, and nothing held it up in the end.
  case played
  /// The item that was to be played last could not be, or not to its end.
  case failed
  /// Nothing ever moved.
  case neverPlayed
  /// It was to go on in the end, and stood still.
  case stalled

  /// The outcome of a player's playback up to now.
  package init(of player: PlayerCore) {
    let books = player.books
    if player.status.isFailed || books.endedInFailure {
      self = .failed
      return
    }
    if !books.hasStarted {
      self = .neverPlayed
      return
    }
    // A player suspended from outside has not stalled; a start that was not requested is none.
    switch player.machine.waitsOut {
    case .resume: self = .stalled
    case .seek: self = player.machine.suspensions.reason == nil ? .stalled : .played
    case .start: self = player.isToPlay ? .stalled : .played
    case .goOn, nil: self = .played
    }
  }
}

extension PlayerCore {
  package var hasFailed: Bool { status.isFailed }

  /// Whether it was asked to play an item, and nobody holds it up.
  package var isToPlay: Bool {
    hasItem && machine.control != .paused && machine.suspensions.reason == nil
  }

  /// The user asks the app for something, which it will ask of the player.
  package func userTapped(at now: Instant) { programme.playback.books.userTapped(at: now) }

  package var isSeeking: Bool { item?.pendingSeek != nil }

  /// The number of segments, requests and ranges kept in its open media.
  package var keptCount: Int { programme.queue.opened.reduce(0) { $0 + $1.keptCount } }

  /// Whether it neither moves nor waits for anything but further items.
  package var isAtRest: Bool {
    programme.playback.machine.control == .paused || programme.hasPlayedOut
  }

  /// Whether media is to come for an item that is not current yet, or beside a full buffer.
  package var isLoadingAhead: Bool {
    programme.queue.loading != nil || item?.stream?.awaitsMedia ?? false
  }

  package func booksBalance(at now: Instant) -> Bool {
    programme.playback.books.balances(at: now, since: began)
  }

  /// Whether the playhead stands where the books of its media say.
  package func mediaBalances(at now: Instant) -> Bool {
    programme.playback.books.mediaBalances(item?.timebase ?? Timebase(), at: now)
  }

  package var itemCount: Int32 { programme.queue.itemCount }

  package var longestQueue: Int64 { programme.queue.longest }

  /// The pipeline: its work before media moves, and the number of times that was done.
  package var pipeline: Pipeline { programme.playback.pipeline }

  package var awaitsPipeline: Bool { programme.playback.awaitsPipeline }

  /// The latency between the player and its app, as far as it is set.
  package var latency: AppLatency { settings.latency }

  // The play queue, as AVQueuePlayer keeps it. "The current item is the one in the first position
  // of the array" (WWDC16 503).

  /// The current item and those after it.
  package var items: [PlayerItem] {
    guard let item else { return [] }
    return [item] + programme.queue.items
  }

  package var currentItem: PlayerItem? { item }

  /// Puts items behind another, or at the end; in an empty queue the first becomes the current one.
  package func insert(
    _ items: [PlayerItem], after other: PlayerItem? = nil, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if !settings.hasQueue { throw .needsQueue }
    var place = try programme.queue.place(after: other, behind: item)
    for new in items {
      if let refusal = programme.queue.refusal(of: new) { throw refusal }
    }
    begin(at: now)
    for new in items where !new.isEnqueued {
      open(new, at: now, on: stage)
      if item == nil {
        programme.become(new, at: now, on: &stage)
      } else {
        programme.queue.insert(new, at: place)
        place += 1
      }
    }
    programme.queue.noteLength(hasCurrent: item != nil)
    settle(at: now, on: &stage)
  }

  package func canInsert(_ new: PlayerItem, after other: PlayerItem? = nil) -> Bool {
    if let other, !other.isEnqueued || other.owner != index { return false }
    return settings.hasQueue && programme.queue.refusal(of: new) == nil
  }

  /// Takes an item out; the current one gives way to the next.
  package func remove(_ old: PlayerItem, at now: Instant, on stage: inout Stage) {
    if old === item {
      advanceToNextItem(at: now, on: &stage)
      return
    }
    guard let place = programme.queue.index(of: old) else { return }
    begin(at: now)
    _ = programme.queue.remove(at: place)
    programme.queue.close(old, for: item, at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// Empties the queue, which stops the player.
  package func removeAllItems(at now: Instant, on stage: inout Stage) {
    while !programme.queue.items.isEmpty {
      let last = programme.queue.remove(at: programme.queue.items.count - 1)
      programme.queue.close(last, for: item, at: now, on: &stage)
    }
    replaceCurrentItem(with: nil, at: now, on: &stage)
    setRate(.zero, at: now, on: &stage)
  }

  /// Gives up the current item for the next.
  package func advanceToNextItem(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    begin(at: now)
    programme.playback.hostStart = nil
    programme.playback.closeTimebase(at: now)
    programme.playback.awaitNext(after: item, at: now)
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
    programme.queue.reconsider()
    settle(at: now, on: &stage)
  }

  /// Makes an item current, or else the next of the queue; what is enqueued behind it stays.
  package func replaceCurrentItem(
    with settings: ItemSettings?, at now: Instant, on stage: inout Stage
  ) {
    replaceCurrent(settings.map { PlayerItem($0) }, at: now, on: &stage)
  }

  /// The same with an item that was there before, and may have been told how to be played; nothing
  /// happens where it is current already (AVPlayer.h: "a no-op").
  package func replaceCurrentItem(
    with new: PlayerItem, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if new === currentItem { return }
    if let refusal = programme.queue.refusal(of: new) { throw refusal }
    replaceCurrent(new, at: now, on: &stage)
  }

  private func open(_ new: PlayerItem, at now: Instant, on stage: borrowing Stage) {
    programme.queue.open(new, at: now)
    new.home = stage.home
    tellSurroundings(new, on: stage)
  }

  private func replaceCurrent(_ new: PlayerItem?, at now: Instant, on stage: inout Stage) {
    if new == nil, !programme.queue.items.isEmpty { return advanceToNextItem(at: now, on: &stage) }
    begin(at: now)
    let left = programme.playback.subject
    // Opened before the other is left: what the two have in common goes on.
    if let new { open(new, at: now, on: stage) }
    programme.removeCurrent(for: new, at: now, on: &stage)
    if let new {
      programme.become(new, at: now, on: &stage)
    } else {
      programme.playback.adoptWaiting(at: now, on: &stage)
      if left.item != nil { stage.log.note(.currentItem(isPresent: false), of: left, at: now) }
    }
    settle(at: now, on: &stage)
  }
}

package import Autowait
package import LinkConditioner
import StreamingMedia
package import VirtualTime

/// A player on a stage: joins the machine, the item and the link.
///
/// It knows no event loop. Whoever runs it calls `wake(at:)` no later than `nextWake`, and hands it
/// the link's events.
package final class PlayerCore {
  package let index: Int32
  package let settings: PlayerSettings
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a player.
  @exclusivity(unchecked) package internal(set) var machine: AutowaitMachine
  @exclusivity(unchecked) package internal(set) var books: PlayerBooks
  /// What `nextWake` answers: apart from it, because access is checked at run time from any module
  /// that sees what is stored.
  @exclusivity(unchecked) var due = Instant.distantFuture
  package internal(set) var waitsProperty: Bool
  package var defaultRate: PlaybackRate
  /// Who comes first on the link; whoever owns that shares it out.
  package var networkResourcePriority: NetworkResourcePriority
  package internal(set) var actionAtItemEnd: ActionAtItemEnd
  @exclusivity(unchecked) var item: PlayerItem?
  /// What the app has asked something of before it made an item of it.
  @exclusivity(unchecked) var asset: LoadedAsset?
  @exclusivity(unchecked) var pipeline = Pipeline()
  /// What comes after the current item.
  @exclusivity(unchecked) var queue = PlayQueue()
  @exclusivity(unchecked) var shelf = MediaShelf()
  /// The item to come whose media comes in.
  @exclusivity(unchecked) var loading: PlayerItem?
  @exclusivity(unchecked) var transition: PendingTransition?
  /// Whether the last item of the queue was played to its end.
  var hasPlayedOut = false
  /// How many items have come so far.
  package internal(set) var itemCount: Int32 = 0
  /// The most items that stood in the queue at a time.
  package internal(set) var longestQueue: Int64 = 0
  /// How often the index of an asset was read through.
  package internal(set) var parseCount: Int64 = 0
  /// Whether a layer shows the picture.
  package internal(set) var hasLayer: Bool
  /// What the machine has not been told yet.
  @exclusivity(unchecked) var news: News?
  var evaluationEnds = Instant.distantFuture
  @exclusivity(unchecked) var hostStart: HostStart?
  let began: Instant

  /// A start on an external timeline that waits for its first byte.
  struct HostStart {
    var rate: PlaybackRate
    var time: MediaTime?
  }

  package init(index: Int32, settings: PlayerSettings = .init(), at now: Instant = .zero) {
    self.index = index
    self.settings = settings
    waitsProperty = settings.waitsByDefault
    defaultRate = settings.defaultRate
    networkResourcePriority = settings.networkResourcePriority
    actionAtItemEnd = settings.actionAtItemEnd ?? (settings.hasQueue ? .advance : .pause)
    hasLayer = settings.hasLayer
    books = PlayerBooks(at: now)
    began = now
    machine = AutowaitMachine(
      waitsAutomatically: waitsProperty, evaluatesFirst: settings.evaluationPeriod > .zero)
  }

  // MARK: What the app asks

  /// `play()`: asks for `defaultRate`, or for 1 under a contract that knows no default rate.
  package func play(at now: Instant, on stage: inout Stage) {
    setRate(rateOfPlay, at: now, on: &stage)
  }

  /// What `play()` asks for.
  var rateOfPlay: PlaybackRate {
    settings.contract.playUsesDefaultRate && !defaultRate.isZero ? defaultRate : .normal
  }

  /// Sets what `play()` asks for: "setting it does not start playback", but a player that stands
  /// judges by it whether it would keep up.
  package func setDefaultRate(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    defaultRate = rate
    settle(at: now, on: &stage)
  }

  /// Sets the rate that the app asks for; zero pauses.
  package func setRate(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    ask(.setRate(rate), rate: rate, at: now, on: &stage)
  }

  package func playImmediately(
    atRate rate: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    ask(.playImmediately(rate), rate: rate, at: now, on: &stage)
  }

  package func setWaitsAutomatically(_ waits: Bool, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    if waits != waitsProperty {
      waitsProperty = waits
      // A start that would be refused now does not come either.
      if waits { hostStart = nil }
      stage.log.note(.waitsAutomatically(waits), of: subject, at: now)
    }
    adoptWaiting(at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  package func setActionAtItemEnd(
    _ action: ActionAtItemEnd, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if action == .advance && !settings.hasQueue { throw .advanceNeedsQueue }
    begin(at: now)
    actionAtItemEnd = action
    // "Switching later to another action takes effect at once" (AVPlayer.actionAtItemEnd).
    if item?.isPastEnd == true, action != .none {
      if machine.control == .playing { reachEnd(at: now, on: &stage) }
      item?.isPastEnd = false
    }
    settle(at: now, on: &stage)
  }

  /// Makes an item current, or none; what is enqueued behind it stays.
  package func replaceCurrentItem(
    with settings: ItemSettings?, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now)
    hostStart = nil
    transition = nil
    let leaving = subject
    if let old = item {
      closeTimebase(at: now)
      leave(old, at: now, on: &stage)
      send(.itemRemoved, at: now, on: &stage)
    }
    if let settings {
      let new = PlayerItem(settings)
      open(new, at: now)
      become(new, at: now, on: &stage)
    } else {
      adoptWaiting(at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: false), of: leaving, at: now)
    }
    settle(at: now, on: &stage)
  }

  /// Makes an item current that has its media open, where there is none.
  func become(_ new: PlayerItem, at now: Instant, on stage: inout Stage) {
    item = new
    beginsLogs(of: new, at: now)
    hasPlayedOut = false
    new.timebase.set(time: new.timebase.anchorTime, rate: .zero, at: now)
    books.placed(at: new.timebase.anchorTime)
    buildPipeline(for: new, at: now, on: &stage)
    steerLoading(at: now, on: &stage)
    news = .arrived
  }

  /// Gives the machine the mode that the contract makes of the property for this kind of media.
  func adoptWaiting(at now: Instant, on stage: inout Stage) {
    let waits = item.map { settings.waits(for: $0.settings.source.kind, property: waitsProperty) }
    send(.setWaitsAutomatically(waits ?? waitsProperty), at: now, on: &stage)
  }

  private func ask(
    _ event: PlaybackEvent, rate: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now)
    if item == nil, settings.without.contains(.waitingForItem) { return }
    hostStart = nil
    if !rate.isZero { books.appAsked(at: now) }
    // How long somebody pauses says nothing of the way from one item to the next.
    if rate.isZero { transition = nil }
    leaveHostTimeline(at: now)
    tell(.asked(event, rate: rate), at: now, on: &stage)
  }

  // MARK: What the world says

  /// The latest instant at which `wake` must be called.
  package var nextWake: Instant { due }

  package func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    // What is due at this instant is decided after everything that arrives in it has arrived.
    if takes(event, at: now, on: &stage) { due = now }
  }

  /// Hands an event to what it is for; true where the player has to look what follows from it.
  private func takes(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    if let asset, asset.knows(event) { return asset.loader.handle(event, at: now, on: &stage) }
    // There is one item at a time that anything is asked for.
    if let loading {
      return loading.loader.handle(event, at: now, on: &stage)
    }
    return item?.loader.handle(event, at: now, on: &stage) ?? false
  }

  /// Does what is due at or before an instant.
  package func wake(at now: Instant, on stage: inout Stage) {
    begin(at: now)
    if let item { item.loader.wake(item.playhead(hostStart), at: now, on: &stage) }
    if let loading { loading.loader.wake(loading.playhead(nil), at: now, on: &stage) }
    settle(at: now, on: &stage)
  }

  /// Closes the books for the time that has passed under the present state.
  package func begin(at now: Instant) {
    books.close(
      machine.control, waitingOut: machine.waitsOut, item?.timebase.rate ?? .zero, at: now)
  }

  /// Ends the run for this player: books the rest.
  package func finish(at now: Instant) {
    begin(at: now)
    closeTimebase(at: now)
  }
}

public import Autowait
public import LinkConditioner
import StreamingMedia
public import VirtualTime

/// A player on a stage: joins the machine, the item and the link.
///
/// It knows no event loop. Whoever runs it calls `wake(at:)` no later than `nextWake`, and hands it
/// the link's events.
public final class PlayerCore {
  public let index: Int32
  public let settings: PlayerSettings
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a player.
  @exclusivity(unchecked) public internal(set) var machine: AutowaitMachine
  @exclusivity(unchecked) public internal(set) var books: PlayerBooks
  /// The latest instant at which `wake` must be called.
  @exclusivity(unchecked) public internal(set) var nextWake = Instant.distantFuture
  public internal(set) var waitsProperty: Bool
  public var defaultRate: PlaybackRate
  public internal(set) var actionAtItemEnd: ActionAtItemEnd
  @exclusivity(unchecked) var item: PlayerItem?
  /// What the app has asked something of before it made an item of it.
  var asset: LoadedAsset?
  @exclusivity(unchecked) var pipeline = Pipeline()
  /// Whether a layer shows the picture.
  public internal(set) var hasLayer: Bool
  var evaluationEnds = Instant.distantFuture
  @exclusivity(unchecked) var hostStart: HostStart?
  let began: Instant

  /// A start on an external timeline that waits for its first byte.
  struct HostStart {
    var rate: PlaybackRate
    var time: MediaTime?
  }

  public init(index: Int32, settings: PlayerSettings = .init(), at now: Instant = .zero) {
    self.index = index
    self.settings = settings
    waitsProperty = settings.waitsByDefault
    defaultRate = settings.defaultRate
    actionAtItemEnd = settings.actionAtItemEnd
    hasLayer = settings.hasLayer
    books = PlayerBooks(at: now)
    began = now
    machine = AutowaitMachine(
      waitsAutomatically: waitsProperty, evaluatesFirst: settings.evaluationPeriod > .zero)
  }

  // MARK: What the app asks

  /// `play()`: asks for `defaultRate`, or for 1 under a contract that knows no default rate.
  public func play(at now: Instant, on stage: inout Stage) {
    setRate(rateOfPlay, at: now, on: &stage)
  }

  /// What `play()` asks for.
  var rateOfPlay: PlaybackRate {
    settings.contract.playUsesDefaultRate && !defaultRate.isZero ? defaultRate : .normal
  }

  /// Sets what `play()` asks for: "setting it does not start playback", but a player that stands
  /// judges by it whether it would keep up.
  public func setDefaultRate(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    begin(at: now, on: &stage)
    defaultRate = rate
    settle(at: now, on: &stage)
  }

  /// Sets the rate that the app asks for; zero pauses.
  public func setRate(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    ask(.setRate(rate), rate: rate, at: now, on: &stage)
  }

  public func playImmediately(
    atRate rate: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    ask(.playImmediately(rate), rate: rate, at: now, on: &stage)
  }

  public func setWaitsAutomatically(_ waits: Bool, at now: Instant, on stage: inout Stage) {
    begin(at: now, on: &stage)
    if waits != waitsProperty {
      waitsProperty = waits
      // A start that would be refused now does not come either.
      if waits { hostStart = nil }
      stage.log.note(.waitsAutomatically(waits), at: now)
    }
    adoptWaiting(at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  public func setActionAtItemEnd(
    _ action: ActionAtItemEnd, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if action == .advance { throw .advanceNeedsQueue }
    begin(at: now, on: &stage)
    actionAtItemEnd = action
    // "Switching later to another action takes effect at once" (AVPlayer.actionAtItemEnd).
    if item?.isPastEnd == true, action != .none {
      if machine.control == .playing { reachEnd(at: now, on: &stage) }
      item?.isPastEnd = false
    }
    settle(at: now, on: &stage)
  }

  /// Makes an item current, or none.
  public func replaceCurrentItem(
    with settings: ItemSettings?, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now, on: &stage)
    hostStart = nil
    if let old = item {
      closeTimebase(at: now)
      if old.pendingSeek != nil { finishSeek(false, inBuffer: false, at: now, on: &stage) }
      old.loader.cancelAll(at: now, on: &stage)
      books.left(at: old.timebase.anchorTime)
      item = nil
      books.gaveUp()
      send(.itemRemoved, at: now, on: &stage)
    }
    if let settings {
      arrive(settings, at: now, on: &stage)
    } else {
      adoptWaiting(at: now, on: &stage)
    }
    stage.log.note(.currentItem(isPresent: item != nil), at: now)
    settle(at: now, on: &stage)
  }

  private func arrive(_ settings: ItemSettings, at now: Instant, on stage: inout Stage) {
    let new = PlayerItem(settings, loader: loader(for: settings), at: now)
    item = new
    books.placed(at: new.timebase.anchorTime)
    buildPipeline(at: now, on: &stage)
    steerLoading(at: now, on: &stage)
    adoptWaiting(at: now, on: &stage)
    refreshCondition(at: now, on: &stage)
    if let condition = item?.condition {
      send(.itemArrived(condition), at: now, on: &stage)
    }
  }

  /// Gives the machine the mode that the contract makes of the property for this kind of media.
  private func adoptWaiting(at now: Instant, on stage: inout Stage) {
    let waits = item.map { settings.waits(for: $0.settings.source.kind, property: waitsProperty) }
    send(.setWaitsAutomatically(waits ?? waitsProperty), at: now, on: &stage)
  }

  private func ask(
    _ event: PlaybackEvent, rate: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now, on: &stage)
    if item == nil, settings.without.contains(.waitingForItem) { return }
    hostStart = nil
    if rate.isZero { books.appPaused() } else { books.appAskedToPlay(at: now) }
    leaveHostTimeline(at: now)
    // Whether it keeps up is judged at the rate that is asked for, before it is granted.
    refreshCondition(at: now, on: &stage, asked: rate)
    if let condition = item?.condition { send(.bufferChanged(condition), at: now, on: &stage) }
    send(event, at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  // MARK: What the world says

  public func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) {
    begin(at: now, on: &stage)
    let loader = assetKnows(event) ? asset?.loader : item?.loader
    let isNews = loader?.handle(event, at: now, on: &stage) ?? false
    // What is due at this instant is decided after everything that arrives in it has arrived.
    if isNews { nextWake = now }
  }

  /// Does what is due at or before an instant.
  public func wake(at now: Instant, on stage: inout Stage) {
    begin(at: now, on: &stage)
    if let playhead = item?.playhead(hostStart) {
      item?.loader.wake(playhead, at: now, on: &stage)
    }
    settle(at: now, on: &stage)
  }

  /// Closes the books for the time that has passed under the present state.
  public func begin(at now: Instant, on stage: inout Stage) {
    stage.log.player = index
    books.close(machine.control, timebaseRate, at: now)
  }

  /// Ends the run for this player: books the rest.
  public func finish(at now: Instant, on stage: inout Stage) {
    begin(at: now, on: &stage)
    closeTimebase(at: now)
  }
}

public import Autowait
public import SimulatedPlayback
public import StreamingMedia
public import VirtualTime

/// A player with the face of AVPlayer, in virtual time.
///
/// Calls act at the world's present instant; properties are read at it.
public class SimulatedPlayer {
  package let core: PlayerCore
  /// The world that the player was made in.
  public let world: World

  init(core: PlayerCore, world: World) {
    self.core = core
    self.world = world
    world.faces[Int(core.index)] = Unmanaged.passUnretained(self)
  }

  deinit {
    world.faces[Int(core.index)] = nil
    world.release(core)
  }

  /// Asks to play at the default rate.
  public func play() { world.direct { core.play(at: world.now, on: &$0) } }

  /// The user taps: what the app does before it asks to play is its own delay.
  public func userTaps() { core.userTapped(at: world.now) }

  /// Sets the rate to zero.
  public func pause() { rate = .zero }

  /// Plays what there is, without waiting for more.
  package func playImmediately(atRate rate: PlaybackRate = .normal) {
    world.direct { core.playImmediately(atRate: rate, at: world.now, on: &$0) }
  }

  /// The rate that the app asks for; what happens is `timebaseRate`.
  package var rate: PlaybackRate {
    get { core.rate }
    set { world.direct { core.setRate(newValue, at: world.now, on: &$0) } }
  }

  package var defaultRate: PlaybackRate {
    get { core.defaultRate }
    set { world.direct { core.setDefaultRate(newValue, at: world.now, on: &$0) } }
  }

  /// Whether playback waits until it is likely to keep up, and resumes by itself after a stall.
  public var automaticallyWaitsToMinimizeStalling: Bool {
    get { core.waitsProperty }
    set { world.direct { core.setWaitsAutomatically(newValue, at: world.now, on: &$0) } }
  }

  package func replaceCurrentItem(with item: ItemSettings?) {
    world.direct { core.replaceCurrentItem(with: item, at: world.now, on: &$0) }
  }

  /// Moves the playhead; a pending seek is superseded.
  package func seek(
    to time: MediaTime, within tolerance: SeekTolerance = .none
  ) throws(PlayerError) {
    try core.seek(to: time, within: tolerance, at: world.now, on: &world.stage)
    world.afterwards()
  }

  /// Cancels seeks, prerolls, or what the system does: brings playback to rest, and lets it go on.
  public func perform(_ call: PlayerCall) throws(PlayerError) {
    try core.perform(call, at: world.now, on: &world.stage)
    world.afterwards()
  }

  /// Ties the playhead to a timeline outside; refused while automatic waiting is on.
  public func setRate(
    _ rate: PlaybackRate, time: MediaTime? = nil, atHostTime hostTime: Instant? = nil
  ) throws(PlayerError) {
    // As with AVPlayer, an invalid time is the present one.
    let time = time?.nanoseconds == .min ? nil : time
    try core.setRate(rate, time: time, atHostTime: hostTime, at: world.now, on: &world.stage)
    world.afterwards()
  }

  /// The action at the end of an item; a queue alone can advance.
  public var actionAtItemEnd: ActionAtItemEnd {
    get { core.actionAtItemEnd }
    set {
      do throws(PlayerError) {
        try setActionAtItemEnd(newValue)
      } catch {
        preconditionFailure("actionAtItemEnd: only a queue can advance")
      }
    }
  }

  package func setActionAtItemEnd(_ action: ActionAtItemEnd) throws(PlayerError) {
    try core.setActionAtItemEnd(action, at: world.now, on: &world.stage)
    world.afterwards()
  }

  /// The same with an item that was there before, and may have been told how to be played.
  package func makeCurrent(_ item: SimulatedPlayerItem) throws(PlayerError) {
    try core.replaceCurrentItem(with: item, at: world.now, on: &world.stage)
    world.afterwards()
  }

  /// Changes how an item is played: one that is current, to come, or no player's yet.
  public func change(_ item: SimulatedPlayerItem, _ change: (inout ItemSettings) -> Void) {
    world.direct { core.change(item, at: world.now, on: &$0, change) }
  }

  /// The same for the current item; without effect where there is none.
  package func changeCurrent(_ change: (inout ItemSettings) -> Void) {
    if let currentItem { self.change(currentItem, change) }
  }

  /// Selects a language of the sound or the subtitles of the current item.
  public func select(_ selection: MediaSelection) { changeCurrent { _ = $0.select(selection) } }

  /// Asks for values of the asset that an item will be made of.
  ///
  /// "AVURLAsset is a lazy API. It doesn't begin loading … until someone asks" (WWDC16 503).
  public func loadValues(of item: ItemSettings) {
    world.direct { core.loadValues(of: item, at: world.now, on: &$0) }
  }

  /// Takes the pipeline apart and sets it up anew; the timebase stands until that is done.
  public func rebuildPipeline(for span: TimeSpan) {
    world.direct { core.rebuildPipeline(for: span, at: world.now, on: &$0) }
  }

  /// Attaches the layer that shows the picture, resizes it, or with nil takes it away.
  public func setLayer(_ pixels: PixelSize?) {
    world.direct { core.setLayer(pixels, at: world.now, on: &$0) }
  }

  /// Enables or disables a track of the current item.
  public func setTrack(_ track: Int, enabled: Bool) {
    changeCurrent { _ = $0.setTrack(track, enabled: enabled) }
  }

  /// Holds the player up for something outside it, or lets it go on.
  public func setSuspended(_ isSuspended: Bool, by suspension: Suspension) throws(PlayerError) {
    try core.setSuspended(isSuspended, by: suspension, at: world.now, on: &world.stage)
    world.afterwards()
  }

  /// Whether playback is paused, waits or progresses.
  public var timeControlStatus: TimeControlStatus { TimeControlStatus(core.machine.control) }

  /// Nil unless the status is waiting.
  public var reasonForWaitingToPlay: WaitingReason? { core.machine.control.reason }

  /// The rate at which playback is actually occurring.
  public var timebaseRate: PlaybackRate { core.timebaseRate }

  /// The position of the playhead; zero without an item.
  public func currentTime() -> MediaTime { core.currentTime(at: world.now) }

  package var loadedTimeRanges: [Range<MediaTime>] {
    currentItem?.loadedTimeRanges(at: world.now) ?? []
  }

  /// The time that the playhead will show, projected with the timebase.
  ///
  /// "Never use the player rate to project currentTime into the future; use currentItem's timebase
  /// rate" (WWDC16 503).
  public func projectedTime(at instant: Instant) -> MediaTime {
    currentItem?.timebase.time(at: instant) ?? .zero
  }

  /// The same projection with the rate the app asked for: wrong whenever the player waits.
  public func projectedTimeByRequestedRate(at instant: Instant) -> MediaTime {
    currentTime() + rate.media(in: instant - world.now)
  }

  /// Delivers each of this player's changes, in order.
  @discardableResult
  public func observe(_ handler: @escaping (PlaybackRecord) -> Void) -> ObservationToken {
    world.observe(core.index, handler)
  }

  /// The item that is played; nil where there is none.
  public var currentItem: SimulatedPlayerItem? { core.currentItem }

  /// The network activity of the current item; nil before it is ready to play.
  package var accessLog: AccessLog? { core.accessLog(at: world.now) }

  /// The network errors of the current item; nil while there are none.
  package var errorLog: ErrorLog? { core.errorLog() }

  /// The key performance indicators of the current item.
  public var indicators: PlaybackIndicators { core.indicators(at: world.now) }

  /// The key performance indicators of an item that this player has or had.
  public func indicators(of item: SimulatedPlayerItem) -> PlaybackIndicators {
    core.indicators(of: item, at: world.now)
  }

  /// The playback totals up to now.
  public var books: PlayerBooks {
    core.begin(at: world.now)
    return core.books
  }
}

/// An observation that can be ended.
public struct ObservationToken: Hashable, Sendable {
  let number: Int64
}

/// The three states of `AVPlayer.TimeControlStatus`.
public enum TimeControlStatus: Int, Sendable {
  case paused
  case waitingToPlayAtSpecifiedRate
  case playing

  package init(_ control: TimeControl) {
    switch control {
    case .paused: self = .paused
    case .waiting, .awaitingMedia: self = .waitingToPlayAtSpecifiedRate
    case .playing: self = .playing
    }
  }
}

// Playing live: without effect on a stream or a file that is all there.

extension SimulatedPlayer {
  /// The distance of the playhead behind the live encoder; nil where nothing is live.
  public var timeOffsetFromLive: MediaTime? { currentItem?.timeOffsetFromLive(at: world.now) }

  /// Seeks to where a live stream would begin now: what a seek to positive infinity does.
  public func seekToLive() { world.direct { core.seekToLive(at: world.now, on: &$0) } }
}

extension SimulatedPlayer {
  /// Calls back with the item that was current, of some, whenever another one becomes current.
  func observeCurrentItem(
    among items: @escaping () -> [SimulatedPlayerItem],
    _ changed: @escaping (SimulatedPlayerItem?) -> Void
  ) -> ObservationToken {
    var current = currentItem
    return observe { record in
      guard let isPresent = record.observation.isItemThere else { return }
      let old = current
      current = isPresent ? items().first { $0.number == record.item } : nil
      changed(old)
    }
  }

  func end(_ observation: inout ObservationToken?) {
    if let observation { world.stopObserving(observation) }
    observation = nil
  }

  /// Calls back when the playhead has come to a place.
  package func at(_ place: MediaTime, _ action: @escaping () -> Void) {
    world.when(.currentTime(place), of: self, action)
  }
}

extension PlaybackObservation {
  /// Whether there is an item now, where another became current or none did.
  package var isItemThere: Bool? {
    if case .currentItem(let isPresent) = self { isPresent } else { nil }
  }
}

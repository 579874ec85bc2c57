package import Autowait
package import LinkConditioner
package import PlayerPolicies
package import StreamingMedia
package import VirtualTime

/// A player on a stage: joins what is played, what comes after it, and the link.
///
/// It knows no event loop. Whoever runs it calls `wake(at:)` no later than `nextWake`, and hands it
/// the link's events.
package final class PlayerCore {
  package let index: Int32
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a player.
  @exclusivity(unchecked) var programme: Programme
  /// Who comes first on the link; whoever owns that shares it out.
  package var networkResourcePriority: NetworkResourcePriority
  let began: Instant
  /// How much had become of the assets that it shares when it last looked.
  var heardAssetChanges: Int64 = 0

  /// - Parameters:
  ///   - registry: What fills the seats of its policy that are names.
  ///   - assets: What other players have open as well.
  package init(
    index: Int32, settings: PlayerSettings = .init(), _ registry: PolicyRegistry = .none,
    sharing assets: AssetShelf = AssetShelf(), at now: Instant = .zero
  ) {
    self.index = index
    programme = Programme(index: index, settings, registry, sharing: assets, at: now)
    networkResourcePriority = settings.networkResourcePriority
    began = now
  }

  package var settings: PlayerSettings {
    _read { yield programme.playback.settings }
  }

  var item: PlayerItem? { programme.playback.item }

  var playback: Playback {
    _read { yield programme.playback }
    _modify { yield &programme.playback }
  }

  var queue: PlayQueue {
    _read { yield programme.queue }
    _modify { yield &programme.queue }
  }

  package var actionAtItemEnd: ActionAtItemEnd { programme.actionAtItemEnd }

  /// The pixels of the layer that shows the picture; nil without one.
  package var layer: PixelSize? { programme.layer }

  func settle(at now: Instant, on stage: inout Stage) { programme.settle(at: now, on: &stage) }

  private func tell(_ new: News, at now: Instant, on stage: inout Stage) {
    programme.tell(new, at: now, on: &stage)
  }

  // MARK: What the app asks

  /// `play()`: asks for `defaultRate`, or for 1 under a contract that knows no default rate.
  package func play(at now: Instant, on stage: inout Stage) {
    setRate(playback.rateOfPlay, at: now, on: &stage)
  }

  /// Sets what `play()` asks for: "setting it does not start playback", but a player that stands
  /// judges by it whether it would keep up.
  package func setDefaultRate(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    playback.defaultRate = rate
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

  private func ask(
    _ event: PlaybackEvent, rate: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    begin(at: now)
    if programme.refuses(rate, at: now, on: &stage) { return }
    playback.prepareToAsk(for: rate, at: now)
    tell(.asked(event, rate: rate), at: now, on: &stage)
  }

  package func setWaitsAutomatically(_ waits: Bool, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    playback.setWaits(waits, at: now, on: &stage)
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

  /// Does what is asked of the player beside rates, seeks and items.
  package func perform(
    _ call: PlayerCall, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if call == .preroll, !playback.machine.rate.isZero { throw .prerollNeedsPause }
    begin(at: now)
    programme.perform(call, at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  // A holding up from outside: an interstitial, or somebody who watches the same.
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
    tell(.suspension(event), at: now, on: &stage)
  }

  // MARK: What the world says

  /// The latest instant at which `wake` must be called.
  package var nextWake: Instant { programme.due }

  package func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    // What is due at this instant is decided after everything that arrives in it has arrived.
    if takes(event, at: now, on: &stage) { programme.due = now }
  }

  /// Hands an event to what it is for; true where the player has to look what follows from it.
  private func takes(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    if let asset = queue.asset, asset.knows(event) {
      return asset.loader.handle(event, at: now, on: &stage)
    }
    // There is one item at a time that anything is asked for.
    if let loading = queue.loading, loading.loader.knows(event) {
      return loading.loader.handle(event, at: now, on: &stage)
    }
    return item?.loader.handle(event, at: now, on: &stage) ?? false
  }

  /// Does what is due at or before an instant.
  package func wake(at now: Instant, on stage: inout Stage) {
    begin(at: now)
    if let item { item.loader.wake(item.playhead(playback.hostStart), at: now, on: &stage) }
    if let loading = queue.loading {
      loading.loader.wake(loading.playhead(nil), at: now, on: &stage)
    }
    settle(at: now, on: &stage)
  }

  /// Closes the books for the time that has passed under the present state.
  package func begin(at now: Instant) { playback.begin(at: now) }

  /// Ends the run for this player: books the rest.
  package func finish(at now: Instant) {
    begin(at: now)
    playback.closeTimebase(at: now)
  }
}

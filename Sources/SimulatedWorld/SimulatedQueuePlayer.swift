public import SimulatedPlayback
package import VirtualTime

/// An item with the face of AVPlayerItem.
public typealias SimulatedPlayerItem = PlayerItem

/// A player with the face of AVQueuePlayer: it plays one item after the other.
///
/// "The current item is the one in the first position of the array" (WWDC16 503).
public final class SimulatedQueuePlayer: SimulatedPlayer {
  /// The current item and those after it.
  public func items() -> [SimulatedPlayerItem] { core.items }

  /// Whether an item can come behind another: it stands in no queue and belongs to no other player.
  public func canInsert(
    _ item: SimulatedPlayerItem, after other: SimulatedPlayerItem? = nil
  ) -> Bool {
    core.canInsert(item, after: other)
  }

  /// Puts items behind another, or at the end of the queue, in their order.
  package func insert(
    _ items: [SimulatedPlayerItem], after other: SimulatedPlayerItem? = nil
  ) throws(PlayerError) {
    try core.insert(items, after: other, at: world.now, on: &world.stage)
    world.afterwards()
  }

  /// Takes an item out; the current one gives way to the next.
  public func remove(_ item: SimulatedPlayerItem) {
    world.direct { core.remove(item, at: world.now, on: &$0) }
  }

  /// Empties the queue, which stops the player.
  public func removeAllItems() { world.direct { core.removeAllItems(at: world.now, on: &$0) } }

  /// Gives up the current item for the next.
  public func advanceToNextItem() {
    world.direct { core.advanceToNextItem(at: world.now, on: &$0) }
  }
}

extension SimulatedPlayer {
  /// Moves the playhead of an item, whether it is current or not.
  package func seek(_ item: SimulatedPlayerItem, to time: MediaTime) throws(PlayerError) {
    try core.seek(item, to: time, at: world.now, on: &world.stage)
    world.afterwards()
  }
}

extension World {
  /// Puts a player with a play queue on the link.
  public func makeQueuePlayer(
    _ settings: PlayerSettings = PlayerSettings()
  ) -> SimulatedQueuePlayer {
    var settings = settings
    settings.hasQueue = true
    return SimulatedQueuePlayer(core: makeCore(settings), world: self)
  }

  /// Makes an item, which loads nothing before a player has it.
  public func makeItem(_ settings: ItemSettings) -> SimulatedPlayerItem {
    let item = SimulatedPlayerItem(settings)
    item.home = home
    return item
  }

  /// The way from an item to the world.
  package var home: BackReference { stage.home }

  /// Calls a player's core from above, as the players of the world do.
  package func direct<Failure: Error>(
    _ call: (inout Stage) throws(Failure) -> Void
  ) throws(Failure) {
    try call(&stage)
    afterwards()
  }

  /// An asset that several items can be made from, be they one player's or several players'.
  public func makeAsset() -> AssetID {
    assetCount += 1
    return AssetID(rawValue: assetCount, isEverybodys: true)
  }

  /// Does something after a span of time, or now where there is none.
  func later(by span: TimeSpan, _ action: @escaping () -> Void) {
    if span == .zero { action() } else { after(span, action) }
  }
}

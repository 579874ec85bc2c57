import SimulatedPlayback
import VirtualTime

/// Looping as the talk's code does it: a small number of items that go round in a play queue.
///
/// "When playback reaches the end of one item, it will be removed from the play queue as playback
/// advances to the next one. And when you get the notification that that has happened, you can take
/// that finished item, set its current time back to the start, and put it on the end of the play
/// queue to reuse it" (WWDC16 503).
package final class Treadmill {
  package let player: SimulatedQueuePlayer
  /// Whether the queue ran empty, which ends it.
  package private(set) var hasEnded = false
  package private(set) var callCount: Int64 = 0
  private let items: [SimulatedPlayerItem]
  private var observation: ObservationToken?

  /// Enqueues items, and puts each back at the end of the queue when it has been played.
  package init(_ player: SimulatedQueuePlayer, items: [SimulatedPlayerItem]) throws(PlayerError) {
    self.player = player
    self.items = items
    for item in items { item.goesRound = true }
    try player.setActionAtItemEnd(.advance)
    try player.insert(items)
    startObserving()
  }

  /// Puts nothing back any more, and takes out all but the one that plays.
  package func disableLooping() {
    stop()
    // From the back: the pipeline would be filled for each item that became the next.
    for item in player.items().dropFirst().reversed() where items.contains(where: { $0 === item }) {
      player.remove(item)
    }
  }

  private func stop() {
    hasEnded = true
    player.end(&observation)
  }

  private func startObserving() {
    observation = player.observeCurrentItem(among: { self.items }) { [self] in changed(from: $0) }
  }

  private func changed(from removed: SimulatedPlayerItem?) {
    callCount += 1
    guard let removed else { return }
    player.world.later(by: player.core.latency.notification) { [self] in heard(removed) }
  }

  private func heard(_ removed: SimulatedPlayerItem) {
    if hasEnded { return }
    if !player.core.hasItem {
      // "Play queue emptied out due to bad player item. End looping." (WWDC16 503)
      stop()
      return
    }
    player.world.later(by: player.core.latency.command) { [self] in putBack(removed) }
  }

  private func putBack(_ removed: SimulatedPlayerItem) {
    do throws(PlayerError) {
      try player.seek(removed, to: removed.settings.startTime ?? .zero)
      // "We are deactivating our KVO observer while we change the play queue to avoid any chance of
      // recursion" (WWDC16 503).
      player.end(&observation)
      try player.insert([removed])
    } catch {
      stop()
      return
    }
    if !hasEnded { startObserving() }
  }
}

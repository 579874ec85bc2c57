import Recording
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

// The items that are played, and what loops them.

extension RunSession {
  /// Makes the item current, or enqueues what stands in the queue from the start.
  func bringItem() {
    if scenario.queue == nil {
      let item = items.takeSingle()
      attempt { () throws(PlayerError) in try player.replaceCurrentItem(with: item) }
      return
    }
    let isBelt = scenario.looping?.way == .treadmill && scenario.looping?.beginsAtStart == true
    let kinds = isBelt ? [] : items.takeEnqueued()
    for kind in kinds { insert(kind, after: nil) }
  }

  /// Makes an item current in place of the one that is.
  func replaceItem(with name: String?) {
    let item = name.map { items.takeNamed($0, besides: player.currentItem) } ?? items.takeSingle()
    guard let item else { return refuse("the item is current already") }
    attempt { () throws(PlayerError) in try player.replaceCurrentItem(with: item) }
  }

  /// Leaves the player without an item.
  func takeItemAway() { player.replaceCurrentItem(with: nil) }

  func carryOut(_ edit: QueueEdit) {
    switch edit {
    case .insert(let name, let other):
      insert(items.items(named: name), after: other.flatMap { items.items(named: $0).last })
    case .remove(let name): for item in items.items(named: name) { queuePlayer?.remove(item) }
    case .removeAllItems: queuePlayer?.removeAllItems()
    case .advanceToNextItem: queuePlayer?.advanceToNextItem()
    case .startLooping:
      if isLooping { refuse("what is played is looped already") } else { startLooping() }
    case .disableLooping:
      if !isLooping { return refuse("nothing is looped") }
      loop?.stop()
      if loop?.looper == nil { loop = nil }
    }
  }

  private func insert(_ kind: [SimulatedPlayerItem], after other: SimulatedPlayerItem?) {
    guard let queuePlayer else { return }
    attempt { () throws(PlayerError) in try queuePlayer.insert(kind, after: other) }
  }

  /// Changes how the item of a name is played; without a name the current one, or where there is
  /// none yet, all that are still to come.
  func change(_ name: String?, _ change: (inout ItemSettings) -> Void) {
    let targets =
      name.map { items.items(named: $0) } ?? player.currentItem.map { [$0] } ?? items.all()
    for item in targets { player.change(item, change) }
  }

  // MARK: Looping

  private var isLooping: Bool { loop.map { $0.looper?.status != .cancelled } ?? false }

  func startLooping() {
    guard let plan = scenario.looping else { return }
    if plan.way == .rewind { loop = .rewind(RewindLoop(player)) }
    guard let queuePlayer else { return }
    switch plan.way {
    case .rewind: break
    case .treadmill:
      let belt = items.enqueued().flatMap { $0 }
      attempt { () throws(PlayerError) in
        loop = .treadmill(try Treadmill(queuePlayer, items: belt))
      }
    case .looper: startLooper(plan, queuePlayer)
    }
  }

  private func startLooper(_ plan: LoopingPlan, _ queuePlayer: SimulatedQueuePlayer) {
    var template = items.upcoming.settings
    template.asset = QueueReader.mediaAsset
    do throws(LooperError) {
      loop = .looper(
        try SimulatedPlayerLooper(
          player: queuePlayer, templateItem: template, timeRange: plan.timeRange,
          existingItemsOrdering: plan.loopsFirst
            ? .loopingItemsPrecedeExistingItems : .loopingItemsFollowExistingItems,
          replicaCount: plan.copies ?? SimulatedPlayerLooper.replicaCount,
          durationLoadedAfter: plan.durationLoadedAfter))
    } catch {
      refuse(error.words)
    }
  }

  // MARK: Names

  /// Names the item that a record is about, where events of its kind say that.
  func name(_ told: inout Record, _ shape: EventShape, _ record: PlaybackRecord) {
    if !shape.namesItem || record.observation == .currentItem(isPresent: false) { return }
    told.item = items.name(of: record.item, in: player.core)
    if case .itemTransition(let transition) = record.observation {
      told.itemBefore = items.name(of: transition.from, in: player.core)
    }
  }

  /// What an item that the player has is called.
  func name(of number: Int32) -> String { items.name(of: number, in: player.core) ?? "" }
}

/// Whoever loops what is played.
enum Loop {
  case rewind(RewindLoop)
  case treadmill(Treadmill)
  case looper(SimulatedPlayerLooper)

  var looper: SimulatedPlayerLooper? { if case .looper(let looper) = self { looper } else { nil } }

  func stop() {
    switch self {
    case .rewind(let loop): loop.stop()
    case .treadmill(let treadmill): treadmill.stop()
    case .looper(let looper): looper.disableLooping()
    }
  }
}

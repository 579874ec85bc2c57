import ExactText
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

// The play queue, and what goes round in it.

extension RunSession {
  /// Whoever loops what is played.
  enum Loop {
    case rewind(RewindLoop)
    case treadmill(Treadmill)
    case looper(SimulatedPlayerLooper)
  }

  /// Makes the item current, or enqueues what stands in the queue from the start.
  func bringItem() {
    guard let plan = scenario.queue else {
      let item = upcoming
      // Should it be asked for once more, that is another item of the same media.
      upcoming = SimulatedPlayerItem(item.settings)
      attempt { () throws(PlayerError) in try player.replaceCurrentItem(with: item) }
      brought.append(item)
      return
    }
    if scenario.looping?.way == .treadmill, scenario.looping?.beginsAtStart == true { return }
    for index in plan.enqueued { insert(at: index, after: nil) }
  }

  func carryOut(_ edit: QueueEdit) {
    switch edit {
    case .insert(let name, let other): insert(name, after: other)
    case .remove(let name): remove(name)
    case .removeAllItems: queuePlayer?.removeAllItems()
    case .advanceToNextItem: queuePlayer?.advanceToNextItem()
    case .startLooping: startLooping()
    case .disableLooping: stopLooping()
    }
  }

  private func insert(_ name: String, after other: String?) {
    guard let index = index(of: name) else { return }
    makeItems()
    insert(at: index, after: other.flatMap { self.index(of: $0) }.flatMap { items[$0].last })
  }

  private func remove(_ name: String) {
    guard let index = index(of: name) else { return }
    makeItems()
    for item in items[index] { queuePlayer?.remove(item) }
  }

  private func index(of name: String) -> Int? {
    scenario.queue?.items.firstIndex { isSameText($0.name, name) }
  }

  private func insert(at index: Int, after other: SimulatedPlayerItem?) {
    guard let queuePlayer else { return }
    makeItems()
    attempt { () throws(PlayerError) in
      try queuePlayer.insert(items[index], after: other)
    }
  }

  /// Changes how the item of a name is played; without a name the current one, or where there is
  /// none yet, all that are still to come.
  func change(_ name: String?, _ change: (inout ItemSettings) -> Void) {
    for item in targets(name) { player.change(item, change) }
  }

  private func targets(_ name: String?) -> [SimulatedPlayerItem] {
    if let name {
      makeItems()
      return index(of: name).map { items[$0] } ?? []
    }
    if let current = player.currentItem { return [current] }
    makeItems()
    return items.flatMap { $0 } + [upcoming]
  }

  /// Makes the scenario's items, once.
  private func makeItems() {
    guard let plan = scenario.queue, items.isEmpty else { return }
    items = plan.items.map { item in
      (0..<item.copies).map { _ in
        RunSession.item(item.settings, options)
      }
    }
  }

  // MARK: Looping

  func startLooping() {
    guard let plan = scenario.looping else { return }
    switch plan.way {
    case .rewind: loop = .rewind(RewindLoop(player))
    case .treadmill: startTreadmill()
    case .looper: startLooper(plan)
    }
  }

  private func startTreadmill() {
    guard let queuePlayer, let queue = scenario.queue else { return }
    makeItems()
    let belt = queue.enqueued.flatMap { items[$0] }
    attempt { () throws(PlayerError) in
      loop = .treadmill(try Treadmill(queuePlayer, items: belt))
    }
  }

  private func startLooper(_ plan: LoopingPlan) {
    guard let queuePlayer else { return }
    var template = upcoming.settings
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

  private func stopLooping() {
    switch loop {
    case .rewind(let loop): loop.stop()
    case .treadmill(let treadmill): treadmill.stop()
    case .looper(let looper): looper.disableLooping()
    case nil: break
    }
  }

  /// What the looper goes round with.
  var copies: [SimulatedPlayerItem] { looper?.loopingPlayerItems ?? [] }

  /// Nil without a looper.
  var looperStatus: SimulatedPlayerLooper.Status? { looper?.status }

  private var looper: SimulatedPlayerLooper? {
    if case .looper(let looper) = loop { looper } else { nil }
  }

  // MARK: Names

  /// The event with the name of the item that it speaks of.
  func named(_ event: TraceEvent, _ record: PlaybackRecord) -> TraceEvent {
    if !event.shape.namesItem || record.observation == .currentItem(isPresent: false) {
      return event
    }
    let number = Int(record.item)
    if number >= itemNames.count { learnNames() }
    // What is read of an asset before it has an item speaks of none.
    return number < itemNames.count ? event.with(item: itemNames[number]) : event
  }

  /// What an item is called: as the scenario has it, numbered where there are several of a kind.
  func name(of number: Int32) -> String {
    if Int(number) >= itemNames.count { learnNames() }
    return itemNames[Int(number)]
  }

  private func learnNames() {
    itemNames = Array(repeating: "", count: Int(player.core.itemCount))
    guard let plan = scenario.queue else {
      // Each is made of the media, and called as it is in a queue.
      for number in itemNames.indices { itemNames[number] = "media" }
      return
    }
    for (index, kind) in items.enumerated() {
      let name = plan.items[index].name
      for (place, item) in kind.enumerated() {
        guard let number = item.number else { continue }
        itemNames[Int(number)] = kind.count == 1 ? name : "\(name)-\(place + 1)"
      }
    }
    // Those that the scenario does not know are the looper's copies, in their order.
    var copy = 0
    for number in itemNames.indices where itemNames[number].isEmpty {
      copy += 1
      itemNames[number] = "copy-\(copy)"
    }
  }
}

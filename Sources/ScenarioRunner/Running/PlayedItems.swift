import ExactText
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld

struct PlayedItems {
  private let plan: QueuePlan?
  private let kinds: [QueuePlan.Item]
  private let heuristic: KeepUpHeuristic?
  /// The next single item, or the one a looper copies: it takes settings before it is current.
  private(set) var upcoming: SimulatedPlayerItem
  /// The single items that were made current, one after the other.
  private var single: [SimulatedPlayerItem] = []
  /// The items of the scenario's queue, by their place in its list; made when the first is needed.
  private var queued: [[SimulatedPlayerItem]] = []
  /// Those in whose place others of the same media have come, in the order in which that was.
  private var earlier: [(kind: Int, items: [SimulatedPlayerItem])] = []
  /// The scenario's items and what they are called, in the order in which they were made.
  private var named: [(name: String, item: SimulatedPlayerItem)] = []
  /// The app's own items that became current.
  private(set) var foreign: [SimulatedPlayerItem] = []
  /// The place among these after the item that became current last.
  private var next = 0
  private var names: [String] = []
  private var copyCount = 0

  init(_ scenario: borrowing Scenario, heuristic: KeepUpHeuristic?) {
    plan = scenario.queue
    kinds = scenario.namedItems
    self.heuristic = heuristic
    upcoming = Self.item(scenario.item, heuristic)
  }

  /// An item as it is before anything has been asked of it.
  private static func item(
    _ settings: ItemSettings, _ heuristic: KeepUpHeuristic?
  ) -> SimulatedPlayerItem {
    var settings = settings
    if let heuristic { settings.heuristic = heuristic }
    return SimulatedPlayerItem(settings)
  }

  /// The single item, which becomes current; the next time it is another item of the same media.
  mutating func takeSingle() -> SimulatedPlayerItem {
    let item = upcoming
    upcoming = SimulatedPlayerItem(item.settings)
    single.append(item)
    return item
  }

  /// The item of a name, for a player without a queue; of several the first that is not current.
  mutating func takeNamed(_ name: String, besides current: SimulatedPlayerItem?)
    -> SimulatedPlayerItem?
  {
    let item = items(named: name).first { $0 !== current }
    if plan == nil, let item, !single.contains(where: { $0 === item }) { single.append(item) }
    return item
  }

  /// The items of each kind that stands in the queue from the start.
  mutating func enqueued() -> [[SimulatedPlayerItem]] {
    makeQueued()
    return plan?.enqueued.map { queued[$0] } ?? []
  }

  /// The same, for the queue: in place of those that have been in it, others of the same media.
  mutating func takeEnqueued() -> [[SimulatedPlayerItem]] {
    makeQueued()
    for kind in plan?.enqueued ?? [] where queued[kind].contains(where: { $0.number != nil }) {
      earlier.append((kind, queued[kind]))
      queued[kind] = queued[kind].map { SimulatedPlayerItem($0.settings) }
      giveNames(kind)
    }
    return enqueued()
  }

  /// The items that the scenario gives a name; none where it has no such name.
  mutating func items(named name: String) -> [SimulatedPlayerItem] {
    makeQueued()
    guard let index = kinds.firstIndex(where: { isSameText($0.name, name) }) else { return [] }
    let standing = earlier.filter { $0.kind == index }.flatMap { $0.items.filter { $0.isEnqueued } }
    return standing + queued[index]
  }

  mutating func all() -> [SimulatedPlayerItem] {
    makeQueued()
    return queued.flatMap { $0 } + [upcoming]
  }

  private mutating func makeQueued() {
    if !queued.isEmpty { return }
    queued = kinds.map { kind in
      (0..<kind.copies).map { _ in Self.item(kind.settings, heuristic) }
    }
    for kind in kinds.indices { giveNames(kind) }
  }

  /// Those that were current, in the order in which they came, among them the copies of a looper.
  func played(_ copies: [SimulatedPlayerItem]) -> [SimulatedPlayerItem] {
    if plan == nil, foreign.isEmpty { return single }
    let own = plan == nil ? single : named.map { $0.item } + single + copies
    return (own + foreign)
      .filter { $0.number != nil }
      .sorted { ($0.number ?? 0) < ($1.number ?? 0) }
  }

  /// Notes a current item, which may be the app's own.
  mutating func note(_ item: SimulatedPlayerItem?) {
    let known = named.map { $0.item } + single + foreign
    if let item, !item.goesRound, !known.contains(where: { $0 === item }) { foreign.append(item) }
  }

  /// The name of an item: the scenario's, numbered where there are several of a kind.
  ///
  /// Nil where no item has the number, as in reads of an asset before it has an item.
  mutating func name(of number: Int32?, in core: PlayerCore) -> String? {
    guard let number else { return nil }
    let index = Int(number)
    if index >= names.count { learnNames(Int(core.itemCount)) }
    return index < names.count ? names[index] : nil
  }

  private mutating func giveNames(_ kind: Int) {
    let (name, items) = (kinds[kind].name, queued[kind])
    named += items.enumerated().map { (items.count == 1 ? name : "\(name)-\($0 + 1)", $1) }
  }

  /// Perf: items become current in their order, so that 4,000 are found with 4,000 looks.
  private mutating func learnNames(_ count: Int) {
    for number in Int32(names.count)..<Int32(count) {
      if let place = named[next...].firstIndex(where: { $0.item.number == number })
        ?? named.firstIndex(where: { $0.item.number == number })
      {
        names.append(named[place].name)
        next = place + 1
      } else if plan == nil {
        // Without a queue each is made of the media, and called as it is in a queue.
        names.append("media")
      } else {
        // Those that the scenario does not know are the looper's copies, in their order.
        copyCount += 1
        names.append("copy-\(copyCount)")
      }
    }
  }
}

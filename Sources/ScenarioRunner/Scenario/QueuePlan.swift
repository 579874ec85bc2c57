public import SimulatedPlayback
public import VirtualTime

/// The items that a scenario's queue is made of.
public struct QueuePlan: Sendable {
  /// Every item that the scenario names, whether it is enqueued from the start or not.
  public var items: [Item]
  /// Which of them stand in the queue from the start, in that order.
  public var enqueued: [Int]

  public struct Item: Sendable {
    public var name: String
    public var settings: ItemSettings
    /// How many of the kind there are: all stand beside each other.
    public var copies: Int

    public init(name: String, settings: ItemSettings, copies: Int) {
      self.name = name
      self.settings = settings
      self.copies = copies
    }
  }

  public init(items: [Item], enqueued: [Int]) {
    self.items = items
    self.enqueued = enqueued
  }
}

/// What an app can do with what is played one after another; items are named.
public enum QueueEdit: Hashable, Sendable {
  /// Puts an item behind another, or at the end of the queue.
  case insert(item: String, after: String?)
  case remove(item: String)
  case removeAllItems
  case advanceToNextItem
  case startLooping
  case disableLooping

  /// The verb's arguments as the trace has them.
  var members: [(String, TraceValue)] {
    switch self {
    case .insert(let item, let other):
      [("item", .text(item))] + (other.map { [("afterItem", .text($0))] } ?? [])
    case .remove(let item): [("item", .text(item))]
    case .removeAllItems, .advanceToNextItem, .startLooping, .disableLooping: []
    }
  }

  /// Whether only a player with a queue can be asked for it.
  var needsQueue: Bool {
    switch self {
    case .insert, .remove, .removeAllItems, .advanceToNextItem: true
    case .startLooping, .disableLooping: false
    }
  }
}

/// How a scenario loops what it plays.
public struct LoopingPlan: Hashable, Sendable {
  public enum Way: Hashable, Sendable, CaseIterable {
    /// The app rewinds when it hears of the end.
    case rewind
    /// The app puts each item that was played back at the end of the queue.
    case treadmill
    /// AVPlayerLooper does it.
    case looper
  }

  public var way: Way
  /// How many items go round; nil for what the way has as a rule.
  public var copies: Int?
  /// The part of the media that a looper loops.
  public var timeRange: Range<MediaTime>?
  /// Whether the copies of a looper come before what stands in the queue.
  public var loopsFirst = true
  /// How long it takes until a looper knows how long the media is.
  public var durationLoadedAfter = TimeSpan.zero
  /// Whether it begins at the start, or with a step of the script.
  public var beginsAtStart = true

  public init(way: Way) {
    self.way = way
  }
}

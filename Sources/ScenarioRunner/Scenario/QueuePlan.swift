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

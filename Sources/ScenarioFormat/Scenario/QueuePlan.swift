package import ExactText
package import SimulatedPlayback
package import VirtualTime

/// The items that a scenario's queue is made of.
package struct QueuePlan: Sendable {
  /// Every item that the scenario names, whether it is enqueued from the start or not.
  package var items: [Item]
  /// Which of them stand in the queue from the start, in that order.
  package var enqueued: [Int]

  package struct Item: Sendable {
    package var name: String
    package var settings: ItemSettings
    /// How many of the kind there are: all stand beside each other.
    package var copies: Int
    /// Where it stands in the file; nil for one that the scenario does not name.
    package var position: TextPosition?
  }
}

/// What an app can do with what is played one after another; items are named.
package enum QueueEdit: Hashable, Sendable {
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

  /// Whether it begins or ends a loop.
  var isOfLoop: Bool {
    switch self {
    case .startLooping, .disableLooping: true
    case .insert, .remove, .removeAllItems, .advanceToNextItem: false
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
package struct LoopingPlan: Hashable, Sendable {
  package enum Way: String, Hashable, Sendable, CaseIterable {
    /// The app rewinds when it hears of the end.
    case rewind
    /// The app puts each item that was played back at the end of the queue.
    case treadmill
    /// AVPlayerLooper does it.
    case looper
  }

  package var way: Way
  /// How many items go round; nil for what the way has as a rule.
  package var copies: Int?
  /// The part of the media that a looper loops.
  package var timeRange: Range<MediaTime>?
  /// Whether the copies of a looper come before what stands in the queue.
  package var loopsFirst = true
  /// How long it takes until a looper knows how long the media is.
  package var durationLoadedAfter = TimeSpan.zero
  /// Whether it begins at the start, or with a step of the script.
  package var beginsAtStart = true
}

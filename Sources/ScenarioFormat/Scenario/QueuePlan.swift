package import ExactText
package import SimulatedPlayback
package import VirtualTime

package struct QueuePlan: Sendable {
  /// Every item that the scenario names, whether it is enqueued from the start or not.
  package var items: [Item]
  /// The items that stand in the queue from the start, in that order, by their index.
  package var enqueued: [Int]

  package struct Item: Sendable {
    package var name: String
    package var settings: ItemSettings
    /// The number of copies of the item, all present at the same time.
    package var copies: Int
    /// The position in the file; nil for an item that the scenario does not name.
    package var position: TextPosition?
  }
}

/// An edit that an app can make to the play queue or to a loop; items are named.
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

  /// Whether it concerns a loop; all other edits need a player with a queue.
  var isOfLoop: Bool {
    switch self {
    case .startLooping, .disableLooping: true
    case .insert, .remove, .removeAllItems, .advanceToNextItem: false
    }
  }
}

package struct LoopingPlan: Hashable, Sendable {
  package enum Way: String, Hashable, Sendable, CaseIterable {
    /// The app rewinds when it hears of the end.
    case rewind
    /// The app puts each item that was played back at the end of the queue.
    case treadmill
    case looper
  }

  package var way: Way
  /// The number of items in the loop; nil for the default of `way`.
  package var copies: Int?
  package var timeRange: Range<MediaTime>?
  /// Whether the copies of a looper come before what stands in the queue.
  package var loopsFirst = true
  package var durationLoadedAfter = TimeSpan.zero
  /// Whether it begins at the start, or with a step of the script.
  package var beginsAtStart = true
}

import VirtualTime

/// The items that come after the current one, in their order.
struct PlayQueue {
  private(set) var items: [PlayerItem] = []
  /// How many of them, from the front, want nothing more from the link.
  private(set) var loadedCount = 0

  /// The first that may still want something.
  var nextToLoad: PlayerItem? {
    loadedCount < items.count ? items[loadedCount] : nil
  }

  /// Notes that the first that wanted something does no more.
  mutating func nextIsLoaded() {
    loadedCount += 1
  }

  /// The one before it; nil for the first, which comes after the current item.
  func item(before item: PlayerItem) -> PlayerItem? {
    guard let index = index(of: item), index > 0 else { return nil }
    return items[index - 1]
  }

  func index(of item: PlayerItem) -> Int? {
    items.firstIndex { $0 === item }
  }

  mutating func insert(_ item: PlayerItem, at index: Int) {
    items.insert(item, at: index)
    loadedCount = min(loadedCount, index)
  }

  mutating func remove(at index: Int) -> PlayerItem {
    if index < loadedCount { loadedCount -= 1 }
    return items.remove(at: index)
  }

  mutating func removeFirst() -> PlayerItem? {
    items.isEmpty ? nil : remove(at: 0)
  }

  /// Looks anew who wants something.
  mutating func reconsider() {
    loadedCount = 0
  }
}

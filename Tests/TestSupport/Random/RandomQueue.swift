extension RandomScenario {
  /// What a script needs to know of a queue.
  struct Queue {
    var items: [String]
    var isLooping = false
  }

  mutating func addQueue() -> Queue {
    var draw = draw("queue")
    if draw.chance(25), kind != .live { return addRewind() }
    let ways = ["treadmill", "looper"]
    let way = kind != .live && draw.chance(50) ? draw.one(of: ways) : nil
    var queue = Queue(items: [], isLooping: way != nil)
    if way == "looper", draw.chance(50) {
      set("looping", looper(&draw))
      return queue
    }
    queue.items = ["warm-up", "hills", "sprint", "cooldown"].prefix(draw.within(1...4)).map { $0 }
    let hasAsset = draw.chance(40)
    if hasAsset {
      let media = media(
        draw.one(of: [.local, .progressive, .stream]), rate: mediaRate,
        duration: draw.within(1_000...20_000), part: "asset")
      set("assets", [["name": "film", "media": media]])
    }
    let items = queue.items.map { item($0, hasAsset, &draw) }
    set("items", .array(items))
    if draw.chance(70) || way == nil {
      let enqueued = queue.items.prefix(draw.within(0...queue.items.count))
      set("queue", .array(enqueued.map { .text($0) }))
    }
    if let way { set("looping", way == "looper" ? looper(&draw) : .text(way)) }
    return queue
  }

  private mutating func addRewind() -> Queue {
    set("looping", "rewind")
    return Queue(items: [], isLooping: true)
  }

  private func item(_ name: String, _ hasAsset: Bool, _ draw: inout Draw) -> Sketch {
    var item: Sketch = ["name": .text(name)]
    if hasAsset, draw.chance(50) { item["asset"] = "film" }
    if draw.chance(25) { item["startTime"] = .milliseconds(draw.below(500)) }
    if draw.chance(40) { item["forwardPlaybackEndTime"] = .milliseconds(draw.within(501...9_000)) }
    if draw.chance(35) { item["copies"] = .number("\(draw.within(1...4))") }
    if draw.chance(20) { item["ownAssets"] = .boolean(draw.chance(70)) }
    return item
  }

  private func looper(_ draw: inout Draw) -> Sketch {
    var looper: Sketch = ["way": "looper"]
    if draw.chance(30) { looper["copies"] = .number("\(draw.within(3...6))") }
    if draw.chance(40) {
      let begins = draw.below(duration / 2)
      looper["timeRange"] = [
        .milliseconds(begins),
        .milliseconds(draw.within((begins + 100)...max(begins + 101, duration))),
      ]
    }
    if draw.chance(30) {
      looper["loopingItems"] = draw.one(of: ["precedeExistingItems", "followExistingItems"])
    }
    if draw.chance(30) { looper["durationLoadedAfter"] = .milliseconds(draw.below(2_000)) }
    if draw.chance(20) { looper["begins"] = "byScript" }
    return looper
  }
}

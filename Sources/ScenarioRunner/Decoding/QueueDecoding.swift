import Autowait
import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
import VirtualTime

/// What a scenario says of its queue, its items and the assets that they are made from.
struct QueuePart {
  var items: [QueuePlan.Item] = []
  var enqueued: [Int]?
  var looping: LoopingPlan?
  /// Whether the file says what only a player with a queue can do.
  var isAsked = false

  /// The plan; nil for a player without a queue.
  func plan(_ media: ItemSettings) -> QueuePlan? {
    if !isAsked && enqueued == nil { return nil }
    var items = self.items
    var enqueued = self.enqueued ?? Array(items.indices)
    if items.isEmpty && self.enqueued == nil && looping?.way != .looper {
      var settings = media
      settings.asset = QueueDecoding.mediaAsset
      // "A small number of AVPlayer items" (WWDC16 503): as many as a looper has.
      let belt = looping?.copies ?? SimulatedPlayerLooper.replicaCount
      items = [
        QueuePlan.Item(
          name: "media", settings: settings, copies: looping?.way == .treadmill ? belt : 1)
      ]
      enqueued = [0]
    }
    return QueuePlan(items: items, enqueued: enqueued)
  }
}

/// What a scenario says of a player, and of what it plays after what.
struct PlayingPart {
  let player: PlayerPart
  let items: PartNames
  private let queue: QueuePart

  init(_ object: inout DocumentObject, _ media: MediaSource?, _ shelf: FileShelf) {
    let mayQueue = object.has("queue") || object.has("looping")
    player = object.optional(
      "player", default: PlayerPart(),
      as: PlayerDecoding(media: media, mayQueue: mayQueue, languages: LanguageNames(media)).part)
    items = PartNames("item", in: object.child("items"), called: "items")
    let assets = PartNames("asset", in: object.child("assets"), called: "assets")
    queue = QueueDecoding(names: items, assets: assets, media: media, player: player, shelf: shelf)
      .part(&object)
  }

  /// Makes the player one with a queue, if anything is said that only such a player does.
  func addQueue(to scenario: inout Scenario) {
    var queue = queue
    let isEdited = scenario.script.contains { step in
      if case .edit(let edit) = step.action { edit.needsQueue } else { false }
    }
    queue.isAsked = queue.isAsked || isEdited
    scenario.queue = queue.plan(scenario.item)
    scenario.player.hasQueue = scenario.queue != nil
    scenario.looping = queue.looping
  }
}

/// Decodes the queue, given the names of its items and how the media becomes an item.
struct QueueDecoding {
  let names: PartNames
  /// The names of the further assets.
  let assets: PartNames
  let media: MediaSource?
  let player: PlayerPart
  let shelf: FileShelf

  /// The asset of the scenario's own media.
  static let mediaAsset = AssetID(rawValue: 0)
  /// The play queue is no playlist; this is many times what anybody would enqueue.
  static let mostCopies: Int64 = 100_000

  private struct Asset {
    var name: String
    var source: MediaSource
  }

  func part(_ object: inout DocumentObject) -> QueuePart {
    let found = object.optional("assets", default: []) { node -> [Asset]? in
      assets.check()
      return node.list(of: asset)
    }
    var part = QueuePart()
    part.items = object.optional("items", default: []) { node in
      names.check()
      return node.list { item($0, of: found) }
    }
    part.enqueued = object.optional("queue", as: enqueued)
    part.looping = object.optional("looping", as: looping)
    switch part.looping?.way {
    case .treadmill, .looper: part.isAsked = true
    case .rewind:
      if object.has("queue") {
        object.refuse(
          key: "looping", "rewinding loops a single item",
          expected: "no “queue” beside it, or “treadmill”")
      }
    case nil: break
    }
    return part
  }

  private func asset(_ node: DocumentNode) -> Asset? {
    node.object { object in
      let name = object.required("name", as: Decode.nonEmptyText)
      let source = object.required("media", as: Decode.media(shelf))
      guard let name, let source else { return nil }
      return Asset(name: name, source: source)
    }
  }

  private func item(_ node: DocumentNode, of found: [Asset]) -> QueuePlan.Item? {
    node.object { object in
      let name = object.required("name", as: Decode.nonEmptyText)
      let asset = object.optional("asset", as: assets.place)
      let label = asset.map { assets.name(at: $0) }
      let source =
        label.map { name in found.first { isSameText($0.name, name) }?.source } ?? media
      let start = object.optional("startTime", default: .zero, as: Decode.mediaPlace)
      let end = object.optional("forwardPlaybackEndTime", as: Decode.endTime(of: source?.file))
      let copies = object.optional(
        "copies", default: 1, as: Decode.count(in: 1...QueueDecoding.mostCopies))
      let hasOwn = object.optional("ownAssets", default: false, as: Decode.boolean)
      guard let name, let source else { return nil }
      var settings = player.item(source)
      settings.asset =
        hasOwn ? nil : asset.map { AssetID(rawValue: Int32($0 + 1)) } ?? QueueDecoding.mediaAsset
      if let label { settings.label = label }
      settings.startTime = start
      settings.forwardPlaybackEndTime = end ?? settings.forwardPlaybackEndTime
      let last = min(source.duration, settings.forwardPlaybackEndTime ?? source.duration)
      guard start < last else {
        node.refuse(
          "the item \(quotation(of: name)) ends where it begins",
          expected: "a “startTime” before its end")
        return nil
      }
      return QueuePlan.Item(name: name, settings: settings, copies: Int(copies))
    }
  }

  private func enqueued(_ node: DocumentNode) -> [Int]? {
    var found: [Int] = []
    return node.list { element in
      guard let index = names.place(element) else { return nil }
      guard !found.contains(index) else {
        element.refuse(
          "the item stands in the queue already",
          expected: "each once; “copies” makes several items of one kind")
        return nil
      }
      found.append(index)
      return index
    }
  }
}

// MARK: - Looping

extension QueueDecoding {
  /// A way by its name, or with what there is to say of it.
  private func looping(_ node: DocumentNode) -> LoopingPlan? {
    guard case .object = node.value.content else {
      return Decode.loopingWay(node).map { LoopingPlan(way: $0) }
    }
    return node.object { object in
      let way = object.required("way", as: Decode.loopingWay)
      var plan = LoopingPlan(way: way ?? .looper)
      plan.copies = object.optional("copies", as: Decode.count(in: 1...1_000)).map { Int($0) }
      plan.timeRange = object.optional("timeRange", as: timeRange)
      plan.loopsFirst = object.optional(
        "loopingItems", default: true,
        as: Decode.choice([("precedeExistingItems", true), ("followExistingItems", false)]))
      plan.durationLoadedAfter = object.optional(
        "durationLoadedAfter", default: .zero, as: Decode.runSpan)
      plan.beginsAtStart = object.optional(
        "begins", default: true, as: Decode.choice([("atStart", true), ("byScript", false)]))
      let least = SimulatedPlayerLooper.replicaCount
      if way == .looper, let copies = plan.copies, copies < least {
        object.refuse(
          key: "copies", "a looper makes \(copies) copies", expected: "\(least) at least")
      }
      return way == nil ? nil : plan
    }
  }

  private func timeRange(_ node: DocumentNode) -> Range<MediaTime>? {
    guard let ends = node.list(of: Decode.mediaPlace) else { return nil }
    let duration = media?.duration ?? .distantFuture
    guard ends.count == 2, ends[0] < ends[1], ends[1] <= duration else {
      node.refuse(
        "this is no range of the media",
        expected: "two times of it, the first before the second")
      return nil
    }
    return ends[0]..<ends[1]
  }
}

extension Decode {
  static func loopingWay(_ node: DocumentNode) -> LoopingPlan.Way? {
    choice(LoopingPlan.Way.allCases.map { ($0.word, $0) })(node)
  }

  /// Where playback of an item ends: a time, or where the first of its tracks does.
  static func endTime(of file: MediaFile?) -> (DocumentNode) -> MediaTime? {
    { node in
      if case .string(let word) = node.value.content, isSameText(word, "shortestTrack") {
        return file?.shortestTrack ?? .distantFuture
      }
      return mediaPlace(node)
    }
  }
}

/// The names of the things of a kind that there are: items, or assets.
///
/// They are read from the document, so that a mistake in one of them does not make a mistake of
/// every mention of it.
struct PartNames {
  /// What one of them is called, and where they stand.
  private let kind: String
  private let list: String
  private let names: [String]
  private let nodes: [DocumentNode]

  init(_ kind: String, in node: DocumentNode?, called list: String) {
    self.kind = kind
    self.list = list
    guard let node, case .array(let elements) = node.value.content else {
      (names, nodes) = ([], [])
      return
    }
    names = elements.map { element in
      if case .string(let name)? = element["name"]?.content { name } else { "" }
    }
    nodes = elements.enumerated().map { index, element in
      DocumentNode(element, at: node.path.appending(index: index), in: node.log)
    }
  }

  /// Reports two of one name.
  func check() {
    for (index, name) in names.enumerated()
    where !name.isEmpty && names[..<index].contains(where: { isSameText($0, name) }) {
      nodes[index].refuse(
        "two \(kind)s are called \(quotation(of: name))", expected: "a name for each")
    }
  }

  /// The name of one that there is.
  func name(_ node: DocumentNode) -> String? {
    place(node).map { names[$0] }
  }

  func name(at place: Int) -> String { names[place] }

  /// Its place in the list.
  func place(_ node: DocumentNode) -> Int? {
    guard let name = Decode.text(node) else { return nil }
    if let index = names.firstIndex(where: { isSameText($0, name) }) { return index }
    let names = names.filter { !$0.isEmpty }
    node.refuse(
      "no \(kind) is called \(quotation(of: name))",
      expected: names.isEmpty
        ? "a name that stands in \(quotation(of: list))" : alternatives(names),
      suggestion: nearestWord(to: name, among: names))
    return nil
  }
}

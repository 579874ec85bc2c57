import ExactText
package import SimulatedPlayback
import SimulatedWorld
import VirtualTime

/// Decoded keys of one player: the same for the first and for further ones.
///
/// Most of it refers to the media or to names, so it is read once those are known.
struct PlayingDescription {
  var media: DocumentNode?
  var player: DocumentNode?
  var assets: DocumentNode?
  var items: DocumentNode?
  var queue: DocumentNode?
  var looping: DocumentNode?
  var script: DocumentNode?
  var expectations: DocumentNode?

  static let mediaKey = Key<Self>.required(
    "media", { $0.media = $1 }, .later(Form.media.shape),
    "The media: one of local, progressive or hls.")

  @KeyRows<Self> static var itemKeys: KeyRows<Self> {
    Key.optional(
      "queue", { $0.queue = $1 }, .later(.list(of: .text("clip"))),
      "Items enqueued at the start, in order; by default all, if the script edits the queue or "
        + "the media loops.")
    Key.optional(
      "looping", { $0.looping = $1 }, .later(LoopingDescription.form.shape),
      "The way in which the media is looped.")
    Key.optional(
      "player", { $0.player = $1 }, .later(PlayerDescription.keys.shape),
      "The player, its contract, and the item in it.")
    Key.optional(
      "items", { $0.items = $1 }, .later(.list(of: ItemDescription.keys.shape)),
      "Items that the queue may hold, by name.")
    Key.optional(
      "assets", { $0.assets = $1 }, .later(AssetDescription.list.shape), "Further media, by name.")
  }

  @KeyRows<Self> static var scriptKeys: KeyRows<Self> {
    Key.optional(
      "script", { $0.script = $1 }, .later(.list(of: StepDescription.shape)), absent: [],
      "Actions of the app, in order.")
    Key.optional(
      "expect", { $0.expectations = $1 },
      .later(.list(of: ExpectationDescription.shape)), "Expectations of the run.")
  }
}

/// The media of a player, and the app's actions on that player.
struct Playing {
  let media: MediaSource?
  let player: PlayerDescription
  private let items: [QueuePlan.Item]
  private let enqueued: [Int]?
  private let looping: LoopingPlan?
  let script: [ScriptStep]
  let expectations: [Expectation]

  /// Reads what is described; `links` are those that the script may switch to.
  init(
    _ description: PlayingDescription, of media: MediaSource?, _ links: LinkDecoding,
    traffic: PartNames
  ) {
    self.media = media
    let way = description.looping.flatMap { ($0.member("way") ?? $0).plainText }
    let isRewound = way.map { isSameText($0, LoopingPlan.Way.rewind.word) } ?? false
    let first = PlayerDescription(
      of: media,
      mayQueue: description.queue != nil || description.looping != nil && !isRewound)
    let player = description.player.flatMap(first.read) ?? PlayerDescription(of: media)
    self.player = player
    let reader = QueueReader(
      items: PartNames("item", in: description.items, called: "items"),
      assets: PartNames("asset", in: description.assets, called: "assets"),
      media: media, player: player)
    let assets = description.assets.flatMap(AssetDescription.list.read) ?? []
    items = description.items.flatMap { reader.items($0, of: assets) } ?? []
    enqueued = description.queue.flatMap(reader.enqueued)
    looping = description.looping.flatMap(reader.looping)
    if looping?.way == .rewind, description.queue != nil {
      description.looping?.refuse(
        "rewinding loops a single item", expected: "no “queue” beside it, or “treadmill”")
    }
    let names = StepNames(in: description.script)
    let steps = ScriptDecoding(
      links: links, names: names, items: reader.items, traffic: traffic,
      tracks: PartNames(tracksOf: media), languages: LanguageNames(media))
    script = description.script.flatMap(steps.script) ?? []
    expectations =
      description.expectations.flatMap {
        $0.list { ExpectationDescription.expectation($0, names) }
      } ?? []
    if description.looping != nil { return }
    for (step, node) in zip(script, description.script?.elements ?? []) {
      guard case .edit(let edit) = step.action, edit.isOfLoop else { continue }
      node.member("do")?.refuse(
        "without “looping” the media does not loop", expected: "“looping” in the scenario")
    }
  }

  func add(to scenario: inout Scenario) {
    scenario.script = script
    scenario.expectations = expectations
    scenario.looping = looping
    scenario.queue = queue(scenario.item)
    if scenario.queue == nil { scenario.singles = items }
  }

  /// The plan of the queue; nil for a player without one.
  private func queue(_ media: ItemSettings) -> QueuePlan? {
    let isEdited = script.contains { step in
      if case .edit(let edit) = step.action { !edit.isOfLoop } else { false }
    }
    let isLooped = looping.map { $0.way != .rewind } ?? false
    guard isEdited || isLooped || enqueued != nil else { return nil }
    guard items.isEmpty && enqueued == nil && looping?.way != .looper else {
      return QueuePlan(items: items, enqueued: enqueued ?? Array(items.indices))
    }
    var settings = media
    settings.asset = QueueReader.mediaAsset
    // "A small number of AVPlayer items" (WWDC16 503): as many as a looper has.
    let belt = looping?.copies ?? SimulatedPlayerLooper.replicaCount
    let item = QueuePlan.Item(
      name: "media", settings: settings, copies: looping?.way == .treadmill ? belt : 1)
    return QueuePlan(items: [item], enqueued: [0])
  }
}

package struct QueueReader {
  let items: PartNames
  let assets: PartNames
  let media: MediaSource?
  let player: PlayerDescription

  package static let mediaAsset = AssetID(rawValue: 0)

  func items(_ node: DocumentNode, of found: [AssetDescription]) -> [QueuePlan.Item]? {
    node.checkNames("item")
    var sources: [[UInt8]: MediaSource] = [:]
    for asset in found.reversed() { sources[Array(asset.name.utf8)] = asset.source }
    return node.list { node in
      ItemDescription.keys.read(node, ItemDescription()) { item($0, of: sources, $1.node) }
    }
  }

  private func item(
    _ part: ItemDescription, of sources: [[UInt8]: MediaSource], _ node: DocumentNode
  ) -> QueuePlan.Item? {
    let asset = part.asset.flatMap(assets.place)
    let label = asset.map { assets.name(at: $0) }
    let source = label.map { sources[Array($0.utf8)] } ?? media
    let end = part.endTime.flatMap { Decode.endTime($0, of: source?.file) }
    guard !part.name.isEmpty, let source else { return nil }
    var settings = player.item(source)
    settings.asset =
      part.hasOwnAssets
      ? nil : asset.map { AssetID(rawValue: Int32($0 + 1)) } ?? Self.mediaAsset
    if let label { settings.label = label }
    settings.startTime = part.startTime
    settings.forwardPlaybackEndTime = end ?? settings.forwardPlaybackEndTime
    let last = min(source.duration, settings.forwardPlaybackEndTime ?? source.duration)
    guard part.startTime ?? .zero < last else {
      return node.refuse(
        "the item \(quotation(of: part.name)) ends where it begins",
        expected: "a “startTime” before its end")
    }
    return QueuePlan.Item(
      name: part.name, settings: settings, copies: part.copies, position: node.value.position)
  }

  func enqueued(_ node: DocumentNode) -> [Int]? {
    var found: [Int] = []
    return node.list { element in
      guard let index = items.place(element) else { return nil }
      guard !found.contains(index) else {
        return element.refuse(
          "the item stands in the queue already",
          expected: "each once; “copies” makes several items of one kind")
      }
      found.append(index)
      return index
    }
  }

  func looping(_ node: DocumentNode) -> LoopingPlan? {
    guard var part = LoopingDescription.form.read(node) else { return nil }
    if let range = part.timeRange { part.plan.timeRange = timeRange(range) }
    return part.plan
  }

  private func timeRange(_ node: DocumentNode) -> Range<MediaTime>? {
    guard let ends = node.list(of: Form.mediaPlace.read) else { return nil }
    guard ends.count == 2, ends[0] < ends[1], ends[1] <= media?.duration ?? .distantFuture else {
      return node.refuse(
        "this is no range of the media",
        expected: "two times of it, the first before the second")
    }
    return ends[0]..<ends[1]
  }
}

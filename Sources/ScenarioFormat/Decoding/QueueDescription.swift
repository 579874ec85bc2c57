import ExactText
import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
import VirtualTime

struct AssetDescription {
  var name = ""
  var source: MediaSource?

  static let form = KeyTable<Self>("asset", "Further media.") {
    Key.required("name", { $0.name = $1 }, .text("film"), "Name that items use for it.")
    Key.required("media", { $0.source = $1 }, .media, "Media of the asset.")
  }.form(AssetDescription())

  static let list = Form<[AssetDescription]>.named("asset", of: form)
}

struct ItemDescription {
  var name = ""
  /// Read when the assets are known.
  var asset: DocumentNode?
  var startTime: MediaTime?
  /// Read when the media of the item is known.
  var endTime: DocumentNode?
  var copies = 1
  var hasOwnAssets = false

  /// The queue is no playlist; this is many times what anybody would enqueue.
  private static let mostCopies: Int64 = 100_000

  static let keys = KeyTable<Self>("item", "An item that a queue can hold.") {
    Key.required("name", { $0.name = $1 }, .text("clip"), "Name in the queue and the script.")
    Key.optional(
      "asset", { $0.asset = $1 }, .later(.text("film")),
      "Asset of the item; by default the scenario's media.")
    Key.optional(
      "startTime", { $0.startTime = $1 }, .mediaPlace.examples("0.5 s"),
      "Start of its playback; by default at EXT-X-START, else at 0 s.")
    Key.optional(
      "forwardPlaybackEndTime", { $0.endTime = $1 }, .later(.endTime), "End of its playback.")
    Key.optional(
      "copies", { $0.copies = $1 }, .whole(in: 1...mostCopies), absent: 1, "Number of such items.")
    Key.optional(
      "ownAssets", { $0.hasOwnAssets = $1 }, .boolean, absent: false,
      "Whether each of them is made from an asset of its own.")
  }
}

struct LoopingDescription {
  var plan = LoopingPlan(way: .looper)
  /// Read when the media is known.
  var timeRange: DocumentNode?

  /// A way by its name, or with what there is to say of it.
  static let form = Form.object(
    keys.form(LoopingDescription()) { part, object in
      for (key, ways) in unread where object.has(key) && !ways.contains(part.plan.way) {
        object.refuse(
          key: key, "\(part.plan.way.gerund) reads no \(quotation(of: key))",
          expected: alternatives(ways.map { $0.word }) + " beside it")
      }
      let least = SimulatedPlayerLooper.replicaCount
      if part.plan.way == .looper, let copies = part.plan.copies, copies < least {
        object.refuse(
          key: "copies", "a looper makes \(copies) copies", expected: "\(least) at least")
      }
      return part
    }, or: Form<LoopingPlan.Way>.cases.map { LoopingDescription(plan: LoopingPlan(way: $0)) })

  /// The keys that some way does not read, with those that do.
  private static let unread: [(key: String, ways: [LoopingPlan.Way])] = [
    ("copies", [.treadmill, .looper]), ("timeRange", [.looper]), ("loopingItems", [.looper]),
    ("durationLoadedAfter", [.looper]),
  ]

  private static let keys = KeyTable<Self>("looping", "The way in which the media is looped.") {
    Key.required(
      "way", { $0.plan.way = $1 }, .cases,
      "The looping technique: two of the app's own, or AVPlayerLooper.")
    Key.optional(
      "copies", { $0.plan.copies = $1 }, .whole(in: 1...1_000),
      "Number of items in the loop; a looper has 3 at least, which is also the default.")
    Key.optional(
      "timeRange", { $0.timeRange = $1 },
      .later(.list(of: .time, atLeast: 2, atMost: 2).examples(["0.5 s", "1.5 s"])),
      "The part of the media that a looper loops.")
    Key.optional(
      "loopingItems", { $0.plan.loopsFirst = $1 },
      .words([("precedeExistingItems", true), ("followExistingItems", false)]),
      "Place of a looper's copies; by default before the other items.")
    Key.optional(
      "durationLoadedAfter", { $0.plan.durationLoadedAfter = $1 }, .span,
      "Time until a looper knows the duration; none where it was loaded before.")
    Key.optional(
      "begins", { $0.plan.beginsAtStart = $1 }, .words([("atStart", true), ("byScript", false)]),
      absent: "atStart", "Whether it begins at the start, or with a startLooping of the script.")
  }
}

extension LoopingPlan.Way {
  fileprivate var gerund: String {
    switch self {
    case .rewind: "rewinding"
    case .treadmill: "a treadmill"
    case .looper: "a looper"
    }
  }
}

extension Shape {
  static var endTime: Shape { .anyOf([.time.examples("1 s"), .words(["shortestTrack"])]) }
}

extension Decode {
  /// The end of an item's playback: a time, or the end of its shortest track.
  static func endTime(_ node: DocumentNode, of file: MediaFile?) -> MediaTime? {
    if case .string(let word) = node.content, isSameText(word, "shortestTrack") {
      return file?.shortestTrack ?? .distantFuture
    }
    return Form.mediaPlace.read(node)
  }
}

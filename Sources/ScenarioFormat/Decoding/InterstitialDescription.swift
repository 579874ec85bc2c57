import ExactText
import SimulatedPlayback
import StreamingMedia
import VirtualTime

struct InterstitialDescription {
  var time = MediaTime.zero
  var item: DocumentNode?
  var preload = MediaTime.zero
  var resumption = InterstitialPlan.Resumption.offset(.zero)
  var playoutLimit: MediaTime?

  /// Reads it, given the names of the items that the first player has.
  static func plan(_ node: DocumentNode, _ items: PartNames) -> InterstitialPlan? {
    keys.read(node, InterstitialDescription()) { part, object in
      let item = part.item.flatMap(items.name)
      if part.item != nil, item == nil { return nil }
      var plan = InterstitialPlan(time: part.time, position: object.node.value.position)
      plan.item = item
      plan.preload = part.preload
      plan.resumption = part.resumption
      plan.playoutLimit = part.playoutLimit
      return plan
    }
  }

  static let keys = KeyTable<Self>(
    "interstitial", "Media of a further player, for which the first one waits."
  ) {
    Key.required(
      "time", { $0.time = $1 }, .mediaPlace,
      "Start time in the media of the first player, once playback is there.")
    Key.optional(
      "item", { $0.item = $1 }, .later(.text("film")),
      "In which item of the first player, by its name; in the first that gets there otherwise.")
    Key.optional(
      "preload", { $0.preload = $1 }, .mediaPlace, absent: "0 s",
      "Time before that place at which its media begins to load, over the same link (assumed).")
    Key.optional(
      "resumptionOffset", { $0.resumption = $1 }, .resumption, absent: "0 s",
      "Offset at which the first player goes on; “asLongAsItTook” is for live streams.")
    Key.optional(
      "playoutLimit", { $0.playoutLimit = $1 }, .mediaDuration,
      "Longest time that is played of it; all by default.")
  }
}

extension Form<InterstitialPlan.Resumption> {
  fileprivate static var resumption: Form {
    let offset = Form<MediaTime>.mediaPlace
    let word = Form<InterstitialPlan.Resumption>.words([("asLongAsItTook", .asLongAsItTook)])
    return Form(.anyOf([offset.shape, word.shape])) { node in
      if node.plainText?.first?.isLetter == true { return word.read(node) }
      return offset.read(node).map { .offset($0) }
    }
  }
}

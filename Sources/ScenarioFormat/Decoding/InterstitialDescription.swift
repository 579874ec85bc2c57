import ExactText
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// Decoded keys of an interstitial that a further player plays.
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
    "interstitial", "When a further player plays, and the first one waits for it."
  ) {
    Key.required(
      "time", .mediaPlace,
      "Where in the media of the first player it begins, once playback is there."
    ) { $0.time = $1 }
    Key.optional(
      "item", .later(.text("film")),
      "In which item of the first player, by its name; in the first that gets there otherwise."
    ) { $0.item = $1 }
    Key.optional(
      "preload", .mediaPlace, absent: "0 s",
      "How far ahead of that place its media begins to load, over the same link; our assumption."
    ) { $0.preload = $1 }
    Key.optional(
      "resumptionOffset", .resumption, absent: "0 s",
      "Where the first player goes on, counted from there; “asLongAsItTook” is for live streams."
    ) { $0.resumption = $1 }
    Key.optional(
      "playoutLimit", .mediaDuration, "How much of it is played at most; all unless said otherwise."
    ) { $0.playoutLimit = $1 }
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

import ExactText
import VirtualTime

struct InterstitialDescription {
  var plan: InterstitialPlan
  var item: DocumentNode?

  /// Reads it, given the names of the items that the first player has.
  static func plan(_ node: DocumentNode, _ items: PartNames) -> InterstitialPlan? {
    let plan = InterstitialPlan(time: .zero, position: node.value.position)
    return keys.read(node, InterstitialDescription(plan: plan)) { part, _ in
      let item = part.item.flatMap(items.name)
      if part.item != nil, item == nil { return nil }
      return changed(part.plan) { $0.item = item }
    }
  }

  static let keys = KeyTable<Self>(
    "interstitial", "Media of a further player, for which the first one waits."
  ) {
    Key.required(
      "time", { $0.plan.time = $1 }, .mediaPlace,
      "Start time in the media of the first player, once playback is there.")
    Key.optional(
      "item", { $0.item = $1 }, .later(.text("film")),
      "In which item of the first player, by its name; in the first that gets there otherwise.")
    Key.optional(
      "preload", { $0.plan.preload = $1 }, .mediaPlace, absent: "0 s",
      "Time before that place at which its media begins to load, over the same link (assumed).")
    Key.optional(
      "resumptionOffset", { $0.plan.resumption = $1 }, .resumption, absent: "0 s",
      "Offset at which the first player goes on; “asLongAsItTook” is for live streams.")
    Key.optional(
      "playoutLimit", { $0.plan.playoutLimit = $1 }, .mediaDuration,
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

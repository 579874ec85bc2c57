/// A further player of the file: with media, a script, expectations and step names of its own.
struct OtherPlayerDescription {
  var name = ""
  var playing = PlayingDescription()
  var interstitial: DocumentNode?

  static let keys = KeyTable<Self>("otherPlayer", "A further player on the link.") {
    Key.required("name", { $0.name = $1 }, .text("preview"), "Name in the trace.")
    PlayingDescription.mediaKey.within { $1(&$0.playing) }
    PlayingDescription.itemKeys.within { $1(&$0.playing) }
    PlayingDescription.scriptKeys.within { $1(&$0.playing) }
    Key.optional(
      "interstitial", { $0.interstitial = $1 }, .later(InterstitialDescription.keys.shape),
      "Interstitial of the first player, which waits while this one plays.")
  }

  static func players(
    _ node: DocumentNode, _ links: LinkDecoding, traffic: PartNames, itemsOfFirst: PartNames
  ) -> [OtherPlaying]? {
    let form = keys.form(OtherPlayerDescription()) { part, _ in part }
    return Form.named("player", atMost: 16, of: form).read(node)?.map { part in
      let media = part.playing.media.flatMap(Form.media.read)
      return OtherPlaying(
        name: part.name, playing: Playing(part.playing, of: media, links, traffic: traffic),
        interstitial: part.interstitial.flatMap { InterstitialDescription.plan($0, itemsOfFirst) })
    }
  }
}

struct OtherPlaying {
  var name: String
  var playing: Playing
  var interstitial: InterstitialPlan?

  /// The player, in a scenario that is the first one's but for what is its own.
  func player(as first: Scenario) -> OtherPlayer {
    var own = first
    own.player = playing.player.settings
    if let media = playing.media { own.item = playing.player.item(media) }
    own.itemIsCurrentAtStart = playing.player.hasItem && interstitial == nil
    own.leakedPlayers = []
    playing.add(to: &own)
    return OtherPlayer(name: name, scenario: own, interstitial: interstitial)
  }
}

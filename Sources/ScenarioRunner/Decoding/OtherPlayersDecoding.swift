import LinkConditioner
import SimulatedPlayback
import SimulatedWorld
import StreamingMedia

/// A further player as it stands in the file.
struct OtherPlayerPart {
  var name: String
  var media: MediaSource
  var playing: PlayingPart
  var script: [ScriptStep]
  var expectations: [Expectation]

  var player: PlayerPart { playing.player }

  /// What the scenario is for this player.
  func scenario(as first: Scenario) -> Scenario {
    var own = first
    own.player = player.settings
    own.item = player.item(media)
    own.itemIsCurrentAtStart = player.hasItem
    own.script = script
    own.expectations = expectations
    own.leakedPlayers = []
    playing.addQueue(to: &own)
    return own
  }
}

/// Decodes further players: each has media, a script and expectations of its own, and names of
/// steps that are no other player's.
struct OtherPlayersDecoding {
  let links: LinkDecoding
  let traffic: DocumentNode?

  private static let mostPlayers = 16

  func players(_ node: DocumentNode) -> [OtherPlayerPart]? {
    Decode.namedList("player", atMost: Self.mostPlayers, name: { $0.name }, of: player)(node)
  }

  private func player(_ node: DocumentNode) -> OtherPlayerPart? {
    node.object { object in
      let name = object.required("name", as: Decode.nonEmptyText)
      let media = object.child("media").flatMap(Decode.media(links.shelf))
      _ = object.required("media") { _ in media }
      let playing = PlayingPart(&object, media, links.shelf)
      let names = StepNames(in: object.child("script"))
      let steps = ScriptDecoding(
        links: links, names: names, items: playing.items,
        traffic: PartNames("traffic", in: traffic, called: "traffic"),
        tracks: TrackNames(media), languages: LanguageNames(media))
      let script = object.optional("script", default: [], as: steps.script)
      let expectations = object.optional("expect", default: []) {
        $0.list(of: ExpectationDecoding(names: names).expectation)
      }
      guard let name, let media else { return nil }
      return OtherPlayerPart(
        name: name, media: media, playing: playing, script: script, expectations: expectations)
    }
  }
}

/// Priorities are shares of a fluid; packets know nothing of them.
func checkPriorities(
  of players: [PlayerPart], _ script: [ScriptStep], _ fidelity: Fidelity, _ node: DocumentNode
) {
  if fidelity == .fluid { return }
  var unknown: [String] = []
  if players.contains(where: { $0.settings.networkResourcePriority != .standard }) {
    unknown.append("networkResourcePriority")
  }
  if script.contains(where: { $0.action.setsPriority }) {
    unknown.append(PlayerVerb.setNetworkResourcePriority.rawValue)
  }
  for key in unknown { node.refuse("tcp knows no “\(key)”", expected: "“fluid”") }
}

extension AppAction {
  fileprivate var setsPriority: Bool {
    if case .setNetworkResourcePriority = self { true } else { false }
  }
}

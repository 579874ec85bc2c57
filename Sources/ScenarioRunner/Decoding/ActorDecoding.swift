import SimulatedPlayback
import SimulatedWorld
import StreamingMedia

/// What a player is and plays, what the app does with it, and what is expected of it.
struct ActorPart {
  var player: PlayerPart
  var queue: QueuePart
  var script: [ScriptStep]
  var expectations: [Expectation]

  /// Gives the scenario's player what it has of a queue.
  func enqueue(in scenario: inout Scenario) {
    var queue = queue
    queue.isAsked = queue.isAsked || script.contains { $0.action.needsQueue }
    scenario.queue = queue.plan(scenario.item)
    scenario.player.hasQueue = scenario.queue != nil
    scenario.looping = queue.looping
  }

  /// What the scenario is for this player.
  func scenario(like first: Scenario, playing media: MediaSource) -> Scenario {
    var own = first
    own.player = player.settings
    own.item = player.item(media)
    own.itemIsCurrentAtStart = player.hasItem
    own.script = script
    own.expectations = expectations
    own.leakedPlayers = []
    enqueue(in: &own)
    return own
  }
}

/// Decodes players: each has media, a script and expectations of its own, and names of steps and
/// items that are no other player's.
struct ActorDecoding {
  let links: LinkDecoding
  let traffic: DocumentNode?

  private static let mostPlayers = 16

  /// A further player, by its name.
  struct Other {
    var name: String
    var media: MediaSource
    var part: ActorPart
  }

  func part(_ object: inout DocumentObject, _ media: MediaSource?) -> ActorPart {
    let mayQueue = object.has("queue") || object.has("looping")
    let player = object.optional(
      "player", default: PlayerPart(), as: PlayerDecoding(media: media, mayQueue: mayQueue).part)
    let items = PartNames("item", in: object.child("items"), called: "items")
    let assets = PartNames("asset", in: object.child("assets"), called: "assets")
    let queue = QueueDecoding(names: items, assets: assets, media: media, player: player)
      .part(&object)
    let names = StepNames(in: object.child("script"))
    let steps = ScriptDecoding(
      links: links, names: names, items: items, traffic: TrafficNames(in: traffic),
      tracks: TrackNames(media))
    let script = object.optional("script", default: [], as: steps.script)
    let expectations = object.optional("expect", default: []) {
      $0.list(of: ExpectationDecoding(names: names).expectation)
    }
    return ActorPart(player: player, queue: queue, script: script, expectations: expectations)
  }

  func others(_ node: DocumentNode) -> [Other]? {
    guard let players = node.list(of: other) else { return nil }
    guard players.count <= Self.mostPlayers else {
      node.refuse(
        "the list has \(players.count) players", expected: "at most \(Self.mostPlayers)")
      return nil
    }
    for (index, player) in players.enumerated()
    where players[..<index].contains(where: { isSameText($0.name, player.name) }) {
      node.refuse(
        "two players are called \(quotation(of: player.name))", expected: "a name for each")
      return nil
    }
    return players
  }

  private func other(_ node: DocumentNode) -> Other? {
    node.object { object in
      let name = object.required("name", as: Decode.nonEmptyText)
      let media = object.child("media").flatMap(Decode.media)
      _ = object.required("media") { _ in media }
      let part = part(&object, media)
      guard let name, let media else { return nil }
      return Other(name: name, media: media, part: part)
    }
  }
}

/// Priorities are shares of a fluid; packets know nothing of them.
func refusePriorities(_ players: [ActorPart], _ node: DocumentNode) {
  if players.allSatisfy({ $0.player.settings.networkResourcePriority == .standard }) { return }
  node.refuse("tcp knows no “networkResourcePriority”", expected: "“fluid”")
}

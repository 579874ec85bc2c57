import ExactText
import LinkConditioner
import SimulatedPlayback
import VirtualTime

/// Reads a scenario file, or says everything that is wrong with it.
///
/// - Parameters:
///   - file: Name of the file in messages.
///   - files: The content of a file that the scenario names, by its path as it stands there; nil
///     where it cannot be read.
///   - cache: Documents of the same folder that were read before.
package func readScenario(
  _ bytes: [UInt8], file: String, keeping cache: ReadingCache = ReadingCache(),
  files: @escaping (String) -> [UInt8]? = { _ in nil }
) throws(DocumentError) -> Scenario {
  try decodeDocument(
    bytes[...], file: file, beside: FileShelf(keeping: cache, files),
    as: ScenarioDescription.read)
}

/// Decoded content of a file: a link, the media and actions of its players, and expectations.
struct ScenarioDescription {
  var name = ""
  var about = ""
  var skip: String?
  var seed: UInt64 = 0
  var fidelity = Fidelity.fluid
  var horizon = ScenarioLimits.standardHorizon
  var eventBudget = ScenarioLimits.standardEvents
  /// Parts that refer to the media, read once the media is known.
  var link: DocumentNode?
  var playing = PlayingDescription()
  var requests: RequestOptions?
  var faults: [FaultRule] = []
  var traffic: [TrafficPlan] = []
  var leakedPlayers: DocumentNode?
  var players: DocumentNode?

  static func read(_ node: DocumentNode) -> Scenario? {
    keys.read(node, ScenarioDescription()) { part, object in part.scenario(&object) }
  }

  static let keys = KeyTable<Self>(
    "scenario", "One run: a link, a piece of media, a player, the app's actions."
  ) {
    Key.optional(
      "$schema", { _, _ in }, Form(.text("scenario.schema.json"), Decode.text),
      "Path of the schema, for editors.")
    Key.required("scenario", { $0.name = $1 }, .text("A name"), "The name of the scenario.")
    Key.required("about", { $0.about = $1 }, .text("A sentence."), "A sentence about its purpose.")
    Key.optional(
      "tags", { _, _ in }, .list(of: .text("slow")), absent: [],
      "Words by which 'goldilocks test --tag' chooses scenarios.")
    Key.optional(
      "skip", { $0.skip = $1 }, .text("waits for the new player"),
      "The reason why 'goldilocks test' leaves it out.")
    Key.optional("seed", { $0.seed = $1 }, .seed, absent: 0, "The seed of everything random.")
    Key.optional(
      "fidelity", { $0.fidelity = $1 }, .words([("fluid", .fluid), ("tcp", .tcp)]), absent: "fluid",
      "Fidelity of the link.")
    Key.optional(
      "horizon", { $0.horizon = $1 }, .spanAboveZero, absent: "1 h",
      "The run ends here at the latest.")
    Key.optional(
      "eventBudget", { $0.eventBudget = $1 }, .whole(in: 1...ScenarioLimits.mostEvents),
      absent: 10_000_000, "Most events and packet moves of the run.")
    PlayingDescription.mediaKey.within { $1(&$0.playing) }
    Key.required("link", { $0.link = $1 }, .later(LinkDescription.keys.shape), "The link.")
    PlayingDescription.itemKeys.within { $1(&$0.playing) }
    Key.optional(
      "requests", { $0.requests = $1 }, RequestDescription.form, only: .remote,
      "Transport of requests over the link.")
    Key.optional(
      "faults", { $0.faults = $1 }, .list(of: FaultRule.form), absent: [],
      only: .remote, "Faults; the first rule that fits a request decides.")
    Key.optional(
      "traffic", { $0.traffic = $1 }, TrafficPlan.list, absent: [], only: .remote,
      "Competing downloads over the same link.")
    Key.optional(
      "leakedPlayers", { $0.leakedPlayers = $1 }, .later(LeakedDescription.list.shape),
      absent: [], "Players that were never released and go on filling their buffers.")
    PlayingDescription.scriptKeys.within { $1(&$0.playing) }
    Key.optional(
      "players", { $0.players = $1 }, .later(.list(of: OtherPlayerDescription.keys.shape)),
      absent: [],
      "Further players on the same link, each with a script and expectations of its own.")
  }

  /// Reads what refers to something else, and joins it all.
  private func scenario(_ object: inout DocumentObject) -> Scenario? {
    let media = self.playing.media.flatMap(object.node.shelf.kept.media)
    let links = LinkDecoding(file: media?.file, isFile: media?.kind != .stream)
    let link = self.link.flatMap(links.plan)
    let traffic = PartNames("traffic", in: object.child("traffic"), called: "traffic")
    let playing = Playing(self.playing, of: media, links, traffic: traffic)
    let leaked = leakedPlayers.flatMap(LeakedDescription.list.read)
    let others =
      players.flatMap {
        OtherPlayerDescription.players(
          $0, links, traffic: traffic,
          itemsOfFirst: PartNames("item", in: self.playing.items, called: "items"))
      } ?? []
    guard let media, let link else { return nil }
    let steps = playing.script + others.flatMap { $0.playing.script }
    checkRates(of: link, and: steps, at: self.link)
    checkPriorities(
      of: [playing.player] + others.map { $0.playing.player }, steps, fidelity,
      object.child("fidelity") ?? object.node)
    var scenario = Scenario(
      name: name, about: about, seed: seed, fidelity: fidelity,
      limits: RunLimits(horizon: .zero + horizon, eventBudget: eventBudget), link: link,
      player: playing.player.settings, item: playing.player.item(media),
      itemIsCurrentAtStart: playing.player.hasItem, script: [], expectations: [],
      document: object.node.value)
    scenario.skip = skip
    playing.add(to: &scenario)
    scenario.requests = requests?.overLink(fidelity)
    scenario.faults = FaultPlan(faults)
    scenario.scopedKeys = object.node.log.scopedKeys
    scenario.traffic = self.traffic
    scenario.leakedPlayers = leaked ?? []
    scenario.files = object.node.shelf.files
    scenario.notes = object.node.shelf.notes
    scenario.others = others.map { $0.player(as: scenario) }
    return scenario
  }
}

extension DocumentPath {
  /// The index of the further player that the path belongs to; nil for the first player.
  var player: Int? {
    guard steps.count > 1, steps[0] == .key("players"), case .index(let index) = steps[1] else {
      return nil
    }
    return index
  }
}

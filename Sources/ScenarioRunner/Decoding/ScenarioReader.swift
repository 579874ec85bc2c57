import LinkConditioner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// Reads a scenario file, or says everything that is wrong with it.
///
/// - Parameters:
///   - file: What messages call the file.
///   - files: The content of a file that the scenario names, by its path as it stands there; nil
///     where it cannot be read.
package func readScenario(
  _ bytes: [UInt8], file: String, files: @escaping (String) -> [UInt8]? = { _ in nil }
) throws(DocumentError) -> Scenario {
  let shelf = FileShelf(files)
  return try decodeDocument(bytes[...], file: file) { scenario($0, shelf) }
}

/// Reads a scenario out of a document that has been read, such as the header of a trace.
package func readScenario(
  _ document: JSONValue, file: String, files: @escaping (String) -> [UInt8]? = { _ in nil }
) throws(DocumentError) -> Scenario {
  let shelf = FileShelf(files)
  return try decodeDocument(document, file: file) { scenario($0, shelf) }
}

private func scenario(_ node: DocumentNode, _ shelf: FileShelf) -> Scenario? {
  node.object { object in
    object.optional("$schema", as: Decode.text)
    let name = object.required("scenario", as: Decode.nonEmptyText)
    let about = object.required("about", as: Decode.nonEmptyText)
    let seed = object.optional("seed", default: 0, as: Decode.seed)
    let fidelity = object.optional("fidelity", default: .fluid, as: Decode.fidelity)
    let limits = runLimits(&object)
    let media = decodedEarly("media", in: &object, as: Decode.media(shelf))
    let links = LinkDecoding(
      file: media?.file, isFile: media?.kind != .stream, shelf: shelf)
    let link = object.required("link", as: links.plan)
    _ = object.required("media") { _ in media }
    let playing = PlayingPart(&object, media, shelf)
    let player = playing.player
    let network = NetworkPart(&object, shelf)
    let names = StepNames(in: object.child("script"))
    let decoding = ScriptDecoding(
      links: links, names: names, items: playing.items,
      traffic: PartNames("traffic", in: object.child("traffic"), called: "traffic"),
      tracks: TrackNames(media),
      languages: LanguageNames(media))
    let script = object.optional("script", default: [], as: decoding.script)
    let expectations = object.optional("expect", default: []) {
      $0.list(of: ExpectationDecoding(names: names).expectation)
    }
    let further = OtherPlayersDecoding(links: links, traffic: object.child("traffic"))
    let others = object.optional("players", default: [], as: further.players)
    guard let name, let about, let media, let link else { return nil }
    let steps = script + others.flatMap { $0.script }
    checkRates(of: link, and: steps, at: object.child("link"))
    checkPriorities(
      of: [player] + others.map { $0.player }, steps, fidelity, object.child("fidelity") ?? node)
    var scenario = Scenario(
      name: name, about: about, seed: seed, fidelity: fidelity, limits: limits, link: link,
      player: player.settings, item: player.item(media), itemIsCurrentAtStart: player.hasItem,
      script: script, expectations: expectations, document: node.value.without("$schema"))
    scenario.item.source.constrain { $0.isNetworkExpensive = link.isExpensive }
    playing.addQueue(to: &scenario)
    network.add(to: &scenario)
    scenario.files = shelf.files
    scenario.others = others.map {
      var other = $0.scenario(as: scenario)
      other.item.source.constrain { $0.isNetworkExpensive = link.isExpensive }
      return OtherPlayer(name: $0.name, scenario: other)
    }
    return scenario
  }
}

/// What a scenario says of its requests, and of who else is on the link.
private struct NetworkPart {
  var requests: RequestOptions?
  var faults: FaultPlan
  var traffic: [TrafficPlan]
  var leakedPlayers: [LeakedPlayer]

  init(_ object: inout DocumentObject, _ shelf: FileShelf) {
    let decoding = TrafficDecoding(shelf: shelf)
    requests = object.optional("requests", as: Decode.requestOptions)
    faults = FaultPlan(
      object.optional("faults", default: [], as: Decode.list(of: Decode.faultRule)))
    traffic = object.optional("traffic", default: [], as: decoding.traffic)
    leakedPlayers = object.optional("leakedPlayers", default: [], as: decoding.leakedPlayers)
  }

  func add(to scenario: inout Scenario) {
    scenario.requests = requests
    scenario.faults = faults
    scenario.traffic = traffic
    scenario.leakedPlayers = leakedPlayers
  }
}

/// The value of a key that another one needs; whether it must be there is asked in its turn.
private func decodedEarly<Value>(
  _ key: String, in object: inout DocumentObject, as decode: (DocumentNode) -> Value?
) -> Value? {
  object.child(key).flatMap(decode)
}

private func runLimits(_ object: inout DocumentObject) -> RunLimits {
  let horizon = object.optional(
    "horizon", default: ScenarioLimits.standardHorizon, as: Decode.runSpanAboveZero)
  let budget = object.optional(
    "eventBudget", default: ScenarioLimits.standardEvents,
    as: Decode.count(in: 1...ScenarioLimits.mostEvents))
  return RunLimits(horizon: .zero + horizon, eventBudget: budget)
}

extension Decode {
  static func fidelity(_ node: DocumentNode) -> Fidelity? {
    choice([("fluid", .fluid), ("tcp", .tcp)])(node)
  }
}

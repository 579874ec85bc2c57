import LinkConditioner
import SimulatedPlayback
import VirtualTime

/// Reads a scenario file, or says everything that is wrong with it.
///
/// - Parameter file: what messages call the file.
public func readScenario(
  _ bytes: [UInt8], file: String
) throws(DocumentError) -> Scenario {
  try decodeDocument(bytes[...], file: file, as: scenario)
}

/// Reads a scenario out of a document that has been read, such as the header of a trace.
public func readScenario(
  _ document: JSONValue, file: String
) throws(DocumentError) -> Scenario {
  try decodeDocument(document, file: file, as: scenario)
}

private func scenario(_ node: DocumentNode) -> Scenario? {
  node.object { object in
    object.optional("$schema", as: Decode.text)
    let name = object.required("scenario", as: Decode.nonEmptyText)
    let about = object.required("about", as: Decode.nonEmptyText)
    let seed = object.optional("seed", default: 0, as: Decode.seed)
    let fidelity = object.optional("fidelity", default: .fluid, as: Decode.fidelity)
    let limits = runLimits(&object)
    let media = decodedEarly("media", in: &object, as: Decode.media)
    let links = LinkDecoding(file: media?.file)
    let link = object.required("link", as: links.plan)
    _ = object.required("media") { _ in media }
    let player = object.optional(
      "player", default: PlayerPart(), as: PlayerDecoding(file: media?.file).part)
    let names = StepNames(in: object.child("script"))
    let script = object.optional(
      "script", default: [], as: ScriptDecoding(links: links, names: names).script)
    let expectations = object.optional("expect", default: []) {
      $0.list(of: ExpectationDecoding(names: names).expectation)
    }
    guard let name, let about, let media, let link else { return nil }
    checkRates(of: link, and: script, at: object.child("link"))
    return Scenario(
      name: name, about: about, seed: seed, fidelity: fidelity, limits: limits, link: link,
      player: player.settings, item: player.item(media), itemIsCurrentAtStart: player.hasItem,
      script: script, expectations: expectations, document: node.value)
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

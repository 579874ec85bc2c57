/// The JSON Schema (2020-12) of scenario files: what an editor completes and checks.
///
/// It says the shape of what `readScenario` reads. What lies beyond a schema, such as names that
/// refer to nothing or a first bound above the second, the reader alone says.
package func scenarioSchema() -> [UInt8] {
  var schema = Schema()
    .with("$schema", .string("https://json-schema.org/draft/2020-12/schema"))
    .with("$id", .string("https://goldilocks.example/scenario.schema.json"))
    .with("title", .string("Goldilocks scenario"))
    .with("description", .string("One run: a link, a piece of media, a player, what the app does."))
  var definitions = SchemaWriter()
  _ = definitions.schema(of: ConditionsDescription.keys.shape)
  schema = schema.joined(to: Schema.object(topKeys(&definitions)))
  let parts =
    Schema.quantities + Schema.mediaParts + Schema.scriptParts + Schema.expectationParts
  let others = parts.filter { part in
    !definitions.definitions.contains { isSameText($0.key, part.name) }
  }
  schema = schema.with(
    "$defs",
    .object(definitions.definitions + others.map { JSONMember($0.name, $0.schema.value) }))
  var writer = JSONWriter(.indented)
  writer.value(schema.value)
  writer.endLine()
  return writer.bytes
}

private func topKeys(_ writer: inout SchemaWriter) -> [SchemaKey] {
  [
    SchemaKey("$schema", .text("scenario.schema.json"), "Where editors find this schema."),
    .required("scenario", .text("A name"), "The name of the scenario."),
    .required("about", .text("A sentence."), "A sentence that says what it shows."),
    SchemaKey("seed", .integer(from: 0), "The seed of everything random; 0 as a rule."),
    SchemaKey(
      "fidelity", .words(["fluid", "tcp"]),
      "How closely the link follows the real thing; fluid unless said otherwise."),
    SchemaKey("horizon", .time, "The run ends here at the latest; 1 h unless said otherwise."),
    SchemaKey(
      "eventBudget", .integer(from: 1, through: ScenarioLimits.mostEvents),
      "The run ends after so many events at the latest."),
    .required("link", writer.schema(of: LinkDescription.keys.shape), "The link."),
    .required("media", .media, "The media: one of local, progressive or hls."),
    SchemaKey("requests", .requests, "How requests travel over the link."),
    SchemaKey("faults", .faults, "What goes wrong; the first rule that fits a request decides."),
    SchemaKey("traffic", .traffic, "Somebody else's downloads over the same link."),
    SchemaKey(
      "leakedPlayers", .leakedPlayers,
      "Players that were never released and go on filling their buffers."),
    SchemaKey("assets", .assets, "Further media, by name."),
    SchemaKey("items", .items, "What can stand in the queue, by name."),
    SchemaKey("queue", .queue, "The items that are enqueued from the start, in their order."),
    SchemaKey("looping", .looping, "How what is played is looped."),
    SchemaKey("player", .player, "The player, its contract, and the item in it."),
    SchemaKey("script", .script, "What the app does, and when."),
    SchemaKey("expect", .expectations, "What is expected of the run."),
    SchemaKey(
      "players", .otherPlayers,
      "Further players on the same link, each with a script and expectations of its own."),
  ]
}

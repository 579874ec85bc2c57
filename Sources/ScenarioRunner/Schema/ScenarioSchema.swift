/// The JSON Schema (2020-12) of scenario files: what an editor completes and checks.
///
/// It says the shape of what `readScenario` reads. What lies beyond a schema, such as names that
/// refer to nothing or a first bound above the second, the reader alone says.
package func scenarioSchema() -> [UInt8] {
  var others = SchemaWriter()
  for shape in Shape.usedInScripts { _ = others.schema(of: shape) }
  return ScenarioDescription.keys.schema(
    id: "https://goldilocks.example/scenario.schema.json", title: "Goldilocks scenario",
    with: others.definitions
      + Schema.scriptParts.map {
        JSONMember($0.name, $0.schema.value)
      })
}

/// A page of all keys of a scenario, in Markdown.
package func scenarioKeyPage() -> String {
  ScenarioDescription.keys.page(title: "The keys of a scenario")
}

extension KeyTable {
  /// A JSON Schema of such an object.
  package func schema(id: String, title: String) -> [UInt8] {
    schema(id: id, title: title, with: [])
  }

  fileprivate func schema(id: String, title: String, with others: [JSONMember]) -> [UInt8] {
    var parts = SchemaWriter()
    let top = parts.object(objectShape)
    let further = others.filter { other in
      !parts.definitions.contains { isSameText($0.key, other.key) }
    }
    let schema = Schema()
      .with("$schema", .string("https://json-schema.org/draft/2020-12/schema"))
      .with("$id", .string(id))
      .with("title", .string(title))
      .joined(to: top)
      .with("$defs", .object(parts.definitions + further))
    var writer = JSONWriter(.indented)
    writer.fold(schema.value, within: 100)
    writer.endLine()
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes a document that is indented, with what fits on a line on one line.
  ///
  /// - Parameter columns: how much of the line is left.
  fileprivate mutating func fold(_ value: JSONValue, within columns: Int) {
    var line = JSONWriter()
    line.value(value)
    if line.bytes.count <= columns { return number(line.text) }
    switch value.content {
    case .array(let elements):
      beginArray()
      for element in elements { fold(element, within: columns - 2) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        fold(member.value, within: columns - 2 - member.key.utf8.count - 4)
      }
      endObject()
    case .null, .boolean, .number, .string: self.value(value)
    }
  }
}

extension Shape {
  /// The steps of a script.
  static var script: Shape {
    .named("script", "What the app does, and when.") { .schema(Schema.script) }
  }

  static var expectations: Shape { .list(of: ExpectationDescription.shape) }

  /// What schemas of scripts and expectations refer to.
  fileprivate static var usedInScripts: [Shape] {
    [
      .time, .signedTime, .size, .bitRate, .bandwidth, .percentage, .playbackRate,
      ConditionsDescription.keys.shape, Form.schedule.shape, Form.layer.shape,
    ]
  }
}

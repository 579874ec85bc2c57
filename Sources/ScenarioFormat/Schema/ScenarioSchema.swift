import ExactText

/// The JSON Schema (2020-12) of scenario files: what an editor completes and checks.
///
/// It says the shape of what `readScenario` reads. What lies beyond a schema, such as names that
/// refer to nothing or a first bound above the second, the reader alone says.
package func scenarioSchema() -> [UInt8] {
  ScenarioDescription.keys.schema(
    id: "https://goldilocks.example/scenario.schema.json", title: "Goldilocks scenario")
}

package func scenarioKeyPage() -> String {
  ScenarioDescription.keys.page(title: "The keys of a scenario")
}

extension KeyTable {
  package func schema(id: String, title: String) -> [UInt8] {
    var parts = SchemaWriter(for: objectShape)
    let top = parts.object(objectShape)
    let head: JSONTree = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .string(id),
      "title": .string(title),
    ]
    var writer = JSONWriter(.lines)
    writer.fold(head + top + ["$defs": .object(parts.definitions)], within: 400)
    writer.endLine()
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes a document with what fits on a line on one line.
  fileprivate mutating func fold(_ tree: JSONTree, within columns: Int) {
    var line = JSONWriter()
    line.tree(tree)
    if line.bytes.count <= columns { return number(line.text) }
    switch tree {
    case .array(let elements):
      beginArray()
      for element in elements { fold(element, within: columns) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        fold(member.value, within: columns - member.key.utf8.count - 4)
      }
      endObject()
    case .null, .boolean, .number, .string: self.tree(tree)
    }
  }
}

import ExactText

/// A kind of file by its keys.
package struct KeyedFile: Sendable {
  private let name: String
  private let noun: String
  private let object: ObjectShape

  /// - Parameter noun: The name of such a file in a sentence.
  package init<Part>(_ name: String, _ noun: String, _ table: KeyTable<Part>) {
    (self.name, self.noun, object) = (name, noun, table.roster.object)
  }

  package static var scenario: KeyedFile {
    KeyedFile("scenario", "a scenario", ScenarioDescription.keys)
  }

  package func page() -> String { KeyPage("The keys of \(noun)", of: object).text }

  /// The JSON Schema (2020-12): what an editor completes and checks.
  ///
  /// It says the shape of what the reader reads. What lies beyond a schema, such as names that
  /// refer to nothing or a first bound above the second, the reader alone says.
  package func schema() -> [UInt8] {
    var parts = SchemaWriter(for: object)
    let top = parts.object(object)
    let head: JSONTree = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("https://goldilocks.example/\(name).schema.json"),
      "title": .string("Goldilocks \(name)"),
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
    let line = tree.json
    if line.utf8.count <= columns { return number(line) }
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

import ExactText

/// A JSON Schema (2020-12) under construction: its keywords in the order they will be written.
struct Schema {
  private(set) var keywords: [(key: String, value: JSONTree)] = []

  init() {}

  init(_ type: String) {
    keywords = [("type", .string(type))]
  }

  var tree: JSONTree { .object(keywords) }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.tree(tree)
    return writer.bytes
  }

  func with(_ keyword: String, _ value: JSONTree) -> Schema {
    var schema = self
    schema.keywords.append((keyword, value))
    return schema
  }

  /// The same with examples instead of those that it has.
  func examples(_ values: [JSONTree]) -> Schema {
    var schema = self
    schema.keywords.removeAll { isSameText($0.key, "examples") }
    return schema.with("examples", .array(values))
  }

  /// The same with the keywords of another.
  func joined(to other: Schema) -> Schema {
    var schema = self
    schema.keywords += other.keywords
    return schema
  }

  /// The same with its description first, instead of another that it has.
  func described(_ description: String) -> Schema {
    var schema = self
    schema.keywords.removeAll { isSameText($0.key, "description") }
    schema.keywords.insert(("description", .string(description)), at: 0)
    return schema
  }

  /// A part that is defined once and used in several places.
  static func reference(_ name: String) -> Schema {
    Schema().with("$ref", .string("#/$defs/" + name))
  }
}

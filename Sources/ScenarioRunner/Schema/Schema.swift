import ExactText

/// A JSON Schema (2020-12) under construction: its keywords in the order they will be written.
struct Schema {
  private(set) var keywords: [JSONMember] = []

  init() {}

  /// Values of a type.
  init(_ type: String) {
    keywords = [JSONMember("type", JSONValue(.string(type)))]
  }

  /// As a JSON value.
  var value: JSONValue { JSONValue(.object(keywords)) }

  /// The same schema with one keyword more.
  func with(_ keyword: String, _ value: JSONValue.Content) -> Schema {
    var schema = self
    schema.keywords.append(JSONMember(keyword, JSONValue(value)))
    return schema
  }

  /// The same with examples instead of those that it has.
  func examples(_ values: [JSONValue.Content]) -> Schema {
    var schema = self
    schema.keywords.removeAll { isSameText($0.key, "examples") }
    return schema.with("examples", .array(values.map { JSONValue($0) }))
  }

  /// The same with the keywords of another.
  func joined(to other: Schema) -> Schema {
    var schema = self
    schema.keywords += other.keywords
    return schema
  }

  /// The same with its description first.
  func described(_ description: String) -> Schema {
    var schema = self
    schema.keywords.insert(JSONMember("description", JSONValue(.string(description))), at: 0)
    return schema
  }

  /// A part that is defined once and used in several places.
  static func reference(_ name: String) -> Schema {
    Schema().with("$ref", .string("#/$defs/" + name))
  }
}

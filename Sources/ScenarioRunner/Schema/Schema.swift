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

  /// Values as an editor may offer them; the tests decode each.
  func examples(_ texts: String...) -> Schema {
    with("examples", .array(texts.map { JSONValue(.string($0)) }))
  }

  /// The same for values that are no strings.
  func examples(_ values: JSONValue.Content...) -> Schema {
    with("examples", .array(values.map { JSONValue($0) }))
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
}

// MARK: - Kinds

extension Schema {
  static let boolean = Schema().with("type", .string("boolean")).examples(
    .boolean(true), .boolean(false))

  static let null = Schema().with("type", .string("null")).examples(.null)

  /// A string that is not empty.
  static func text(_ example: String) -> Schema {
    Schema().with("type", .string("string")).with("pattern", .string("[^ ]")).examples(example)
  }

  static func pattern(_ pattern: String) -> Schema {
    Schema().with("type", .string("string")).with("pattern", .string(pattern))
  }

  static func words(_ words: [String]) -> Schema {
    Schema().with("enum", .array(words.map { JSONValue(.string($0)) }))
  }

  static func constant(_ word: String) -> Schema {
    Schema().with("const", .string(word))
  }

  static func integer(from least: Int64, through most: Int64? = nil) -> Schema {
    let schema = Schema().with("type", .string("integer")).with("minimum", .number("\(least)"))
    guard let most else { return schema.examples(.number("\(least)")) }
    return schema.with("maximum", .number("\(most)")).examples(.number("\(least)"))
  }

  static func list(of element: Schema, atLeast least: Int = 0, atMost most: Int? = nil) -> Schema {
    var schema = Schema().with("type", .string("array")).with("items", element.value.content)
    if least > 0 { schema = schema.with("minItems", .number("\(least)")) }
    if let most { schema = schema.with("maxItems", .number("\(most)")) }
    return schema
  }

  static func anyOf(_ schemas: [Schema]) -> Schema {
    Schema().with("anyOf", .array(schemas.map { $0.value }))
  }

  static func nullable(_ schema: Schema) -> Schema { anyOf([schema, .null]) }

  /// A part that is described once and used in several places.
  static func reference(_ name: String) -> Schema {
    Schema().with("$ref", .string("#/$defs/" + name))
  }
}

// MARK: - Objects

/// A key of an object with what may stand there.
struct SchemaKey {
  let name: String
  let isRequired: Bool
  let schema: Schema

  /// A key that may be left out.
  init(_ name: String, _ schema: Schema, _ description: String) {
    self.init(name, schema, description, isRequired: false)
  }

  private init(_ name: String, _ schema: Schema, _ description: String, isRequired: Bool) {
    self.name = name
    self.isRequired = isRequired
    self.schema = schema.described(description)
  }

  /// A key that must be there.
  static func required(_ name: String, _ schema: Schema, _ description: String) -> SchemaKey {
    SchemaKey(name, schema, description, isRequired: true)
  }
}

extension Schema {
  /// An object with these keys and no others.
  ///
  /// - Parameter groups: sets of keys of which exactly one must be there.
  static func object(_ keys: [SchemaKey], oneOf groups: [[String]] = []) -> Schema {
    var schema = Schema().with("type", .string("object"))
      .with("properties", .object(keys.map { JSONMember($0.name, $0.schema.value) }))
    let required = keys.filter { $0.isRequired }.map { $0.name }
    if !required.isEmpty { schema = schema.with("required", names(required)) }
    if !groups.isEmpty {
      schema = schema.with(
        "oneOf",
        .array(groups.map { Schema().with("required", names($0)).value }))
    }
    return schema.with("additionalProperties", .boolean(false))
  }

  private static func names(_ names: [String]) -> JSONValue.Content {
    .array(names.map { JSONValue(.string($0)) })
  }
}

// MARK: - Quantities

extension Schema {
  static var time: Schema { reference("time") }
  static var playbackRate: Schema { reference("playbackRate") }
  static var layer: Schema { reference("layer") }

  /// A quantity as a part of a larger pattern.
  static func part(_ system: UnitSystem) -> String { system.pattern }

  /// One of several words, in a pattern.
  static func choice(_ words: [String]) -> String { anyWord(words) }
}

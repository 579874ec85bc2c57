import ExactText

/// Makes a JSON Schema (2020-12) of shapes; what has a name is defined once and referred to.
struct SchemaWriter {
  /// The definitions so far, in the order in which they were met.
  private(set) var definitions: [(key: String, value: JSONTree)] = []

  /// The schema of a shape where it is used.
  mutating func schema(of shape: Shape) -> Schema {
    switch shape {
    case .boolean: return Schema("boolean")
    case .null: return Schema("null")
    case .text(let example):
      return Schema("string").with("pattern", .string("[^ ]")).examples([.string(example)])
    case .pattern(let pattern, noun: _, let examples):
      return Schema("string").with("pattern", .string(pattern))
        .examples(examples.map { .string($0) })
    case .words(let words):
      guard words.count == 1 else { return Schema().with("enum", .strings(words)) }
      return Schema().with("const", .string(words[0]))
    case .whole(let least, let most):
      let schema = Schema("integer").with("minimum", .number("\(least)"))
      return most.map { schema.with("maximum", .number("\($0)")) } ?? schema
    case .number(let least, let most):
      return Schema("number").with("minimum", .number("\(least)"))
        .with("maximum", .number("\(most)"))
    case .list(let element, let least, let most): return list(element, least, most)
    case .anything: return Schema()
    case .map(let shape):
      return Schema("object").with("additionalProperties", schema(of: shape).tree)
    case .anyOf(let shapes):
      return Schema().with("anyOf", .array(shapes.map { schema(of: $0).tree }))
    case .object(let name, let make):
      define(name) { $0.object(make()) }
      return .reference(name)
    case .inline(let make): return object(make())
    case .either(let key, let shape, let other):
      return Schema().with("if", Schema().with("required", .strings([key])).tree)
        .with("then", schema(of: shape).tree)
        .with("else", schema(of: other).tree)
    case .named(let name, let about, let make):
      define(name) { $0.schema(of: make()).described(about) }
      return .reference(name)
    case .examples(let shape, let examples): return schema(of: shape).examples(examples)
    }
  }

  /// Defines a part under its name, unless that has been done.
  private mutating func define(_ name: String, _ make: (inout SchemaWriter) -> Schema) {
    if definitions.contains(where: { isSameText($0.key, name) }) { return }
    // The place is taken first: a part may lead back to itself.
    let place = definitions.count
    definitions.append((name, .null))
    definitions[place].value = make(&self).tree
  }

  private mutating func list(_ element: Shape, _ least: Int, _ most: Int?) -> Schema {
    var schema = Schema("array").with("items", self.schema(of: element).tree)
    if least > 0 { schema = schema.with("minItems", .number("\(least)")) }
    if let most { schema = schema.with("maxItems", .number("\(most)")) }
    return schema
  }
}

// MARK: - Objects

extension SchemaWriter {
  /// The schema of an object where it is defined.
  mutating func object(_ object: ObjectShape) -> Schema {
    var schema = Schema("object").described(object.about)
      .with("properties", properties(of: object.keys))
    schema = schema.joined(to: SchemaWriter.presence(of: object.keys))
    if object.least > 0 { schema = schema.with("minProperties", .number("\(object.least)")) }
    guard let branches = object.branches else {
      return schema.with("additionalProperties", .boolean(false))
    }
    return schema.with("allOf", .array(branches.branches.map { branch($0, of: branches.key) }))
      .with("unevaluatedProperties", .boolean(false))
  }

  private mutating func properties(of keys: [KeyShape]) -> JSONTree {
    .object(
      keys.map { key in
        var schema = self.schema(of: key.shape).described(key.about)
        if let absent = key.absent { schema = schema.with("default", absent) }
        return (key.name, schema.tree)
      })
  }

  /// What a word of the key that decides asks for.
  private mutating func branch(_ branch: ObjectShape.Branch, of key: String) -> JSONTree {
    let word = Schema().with("const", .string(branch.word))
    let condition = Schema().with("properties", .object([(key, word.tree)]))
      .with("required", .strings([key]))
    var consequence = Schema()
    let about = (key, Schema().described(branch.about).tree)
    if case .object(let members) = properties(of: branch.keys) {
      consequence = consequence.with("properties", .object([about] + members))
    }
    consequence = consequence.joined(to: SchemaWriter.presence(of: branch.keys))
    return Schema().with("if", condition.tree).with("then", consequence.tree)
      .tree
  }

  /// Which keys must be there, and which beside which.
  private static func presence(of keys: [KeyShape]) -> Schema {
    var schema = Schema()
    let required = keys.filter { $0.presence == .required }.map { $0.name }
    if !required.isEmpty { schema = schema.with("required", .strings(required)) }
    let choices = keys.filter { $0.presence == .oneOf }.map { $0.name }
    if !choices.isEmpty {
      schema = schema.with(
        "oneOf", .array(choices.map { Schema().with("required", .strings([$0])).tree }))
    }
    let companions = keys.compactMap { key -> (key: String, value: JSONTree)? in
      key.companion.map { (key.name, .strings([$0])) }
    }
    if !companions.isEmpty { schema = schema.with("dependentRequired", .object(companions)) }
    let rivals = keys.compactMap { key -> (key: String, value: JSONTree)? in
      key.rival.map { rival in
        let both = Schema().with("required", .strings([rival]))
        return (key.name, Schema().with("not", both.tree).tree)
      }
    }
    return rivals.isEmpty ? schema : schema.with("dependentSchemas", .object(rivals))
  }
}

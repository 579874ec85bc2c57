import ExactText

/// Makes a JSON Schema (2020-12) of shapes; what occurs more than once is defined and referred to.
struct SchemaWriter {
  /// The definitions so far, in the order in which they were met.
  private(set) var definitions: [(key: String, value: JSONTree)] = []
  /// The values that are no objects, and the keys with what is said of them, each with how often it
  /// is asked for.
  private var values: [(schema: [UInt8], uses: Int)] = []
  /// Those of them that are worth a definition, with its name once they have one.
  private var repeated: [(schema: [UInt8], name: String?)] = []
  /// The names that parts have, each with how often it is asked for.
  private var parts: [(name: String, uses: Int)] = []
  /// The names of all parts; empty while they are still counted.
  private var names: [(name: String, uses: Int)] = []

  /// A writer that defines once what the schema of an object would say twice.
  init(for object: ObjectShape) {
    // Whole keys can be found to be alike once their values are references.
    for _ in 1...2 {
      var trial = SchemaWriter()
      trial.repeated = repeated
      trial.names = names
      _ = trial.object(object)
      names = trial.parts
      // A definition and its references take room as well.
      repeated += trial.values.filter { ($0.uses - 1) * ($0.schema.count - 28) > 40 }
        .map { ($0.schema, nil) }
    }
  }

  private init() {}

  mutating func schema(of shape: Shape) -> Schema {
    switch shape {
    case .boolean: return Schema("boolean")
    case .null: return Schema("null")
    case .text(let example):
      return once("text", Schema("string").with("pattern", .string("[^ ]")))
        .examples([.string(example)])
    case .pattern(let pattern, let noun, let examples):
      return once(noun, Schema("string").with("pattern", .string(pattern)))
        .examples(examples.map { .string($0) })
    case .words(let words):
      guard words.count > 1 else { return Schema().with("const", .string(words[0])) }
      return once(words[0] + " or another", Schema().with("enum", .strings(words)))
    case .whole(let least, let most):
      let schema = Schema("integer").with("minimum", .number("\(least)"))
      guard let most else { return schema }
      let noun = least == .min ? "whole number" : "whole \(least) through \(most)"
      return once(noun, schema.with("maximum", .number("\(most)")))
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
      count(name)
      if isUsedOnce(name) { return object(make()) }
      define(name) { $0.object(make()) }
      return .reference(name)
    case .inline(let make): return object(make())
    case .either(let key, let shape, let other):
      return Schema().with("if", Schema().with("required", .strings([key])).tree)
        .with("then", schema(of: shape).tree)
        .with("else", schema(of: other).tree)
    case .named(let name, let about, let make):
      count(name)
      define(name) { $0.schema(of: make()).described(about) }
      return .reference(name)
    case .examples(let shape, let examples): return schema(of: shape).examples(examples)
    case .whenNeeded(let make): return schema(of: make())
    }
  }

  private mutating func count(_ name: String) {
    if let known = parts.firstIndex(where: { isSameText($0.name, name) }) {
      parts[known].uses += 1
    } else {
      parts.append((name, 1))
    }
  }

  private func isUsedOnce(_ name: String) -> Bool {
    names.contains { $0.uses == 1 && isSameText($0.name, name) }
  }

  /// Defines a part under its name, unless that has been done.
  private mutating func define(_ name: String, _ make: (inout SchemaWriter) -> Schema) {
    if definitions.contains(where: { isSameText($0.key, name) }) { return }
    // The place is taken first: a part may lead back to itself.
    let place = definitions.count
    definitions.append((name, .null))
    definitions[place].value = make(&self).tree
  }

  /// A value that is no object, or a key: in full, or as a reference if it is asked for again and
  /// again.
  private mutating func once(_ noun: String, _ schema: Schema) -> Schema {
    let text = schema.bytes
    guard let place = repeated.firstIndex(where: { $0.schema == text }) else {
      if let known = values.firstIndex(where: { $0.schema == text }) {
        values[known].uses += 1
      } else {
        values.append((text, 1))
      }
      return schema
    }
    let name = repeated[place].name ?? freeName(for: noun)
    repeated[place].name = name
    let reference = Schema.reference(name)
    // A reference that is longer than what it stands for helps nobody.
    guard reference.bytes.count < text.count else { return schema }
    define(name) { _ in schema }
    return reference
  }

  /// A name for a value's definition, made of the words that a sentence has for it.
  private func freeName(for noun: String) -> String {
    var letters: [UInt8] = []
    for (place, word) in noun.split(separator: " ").enumerated() where word != "a" {
      let first = word.utf8.first ?? 0
      let begins = place > 0 && !letters.isEmpty && UInt8(ascii: "a")...UInt8(ascii: "z") ~= first
      letters.append(begins ? first - 32 : first)
      letters += word.utf8.dropFirst().filter { $0 != UInt8(ascii: "%") }
    }
    let name = String(decoding: letters, as: UTF8.self)
    var count = 1
    var candidate = name
    while isTaken(candidate) {
      count += 1
      candidate = name + "\(count)"
    }
    return candidate
  }

  private func isTaken(_ name: String) -> Bool {
    names.contains { isSameText($0.name, name) }
      || definitions.contains { isSameText($0.key, name) }
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
        return (key.name, once(key.name, schema).tree)
      })
  }

  /// The schema for one word of the branching key.
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

  /// The schema of required keys, of their companions and of their rivals.
  private static func presence(of keys: [KeyShape]) -> Schema {
    var schema = Schema()
    var required = keys.filter { $0.presence == .required }.map { $0.name }
    var choices = keys.filter { $0.presence == .oneOf }.map { $0.name }
    if choices.count == 1 { required += [choices.removeFirst()] }
    if !required.isEmpty { schema = schema.with("required", .strings(required)) }
    if !choices.isEmpty {
      schema = schema.with(
        "oneOf", .array(choices.map { Schema().with("required", .strings([$0])).tree }))
    }
    let companions = keys.compactMap { key -> (key: String, value: JSONTree)? in
      key.companion.map { (key.name, .strings([$0])) }
    }
    if !companions.isEmpty { schema = schema.with("dependentRequired", .object(companions)) }
    let rivals = keys.compactMap { key -> (key: String, value: JSONTree)? in
      let each = key.rivals.map { Schema().with("required", .strings([$0])).tree }
      if each.isEmpty { return nil }
      let any = each.count == 1 ? each[0] : Schema().with("anyOf", .array(each)).tree
      return (key.name, Schema().with("not", any).tree)
    }
    return rivals.isEmpty ? schema : schema.with("dependentSchemas", .object(rivals))
  }
}

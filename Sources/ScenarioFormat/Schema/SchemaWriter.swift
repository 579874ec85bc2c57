import ExactText

/// Makes a JSON Schema (2020-12) of shapes; what occurs more than once is defined and referred to.
struct SchemaWriter {
  /// The definitions so far, in the order in which they were met.
  private(set) var definitions: [(key: String, value: JSONTree)] = []
  /// The values that are no objects, and the keys with what is said of them, with their use counts.
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

  mutating func schema(of shape: Shape) -> JSONTree {
    switch shape {
    case .boolean: return ["type": "boolean"]
    case .null: return ["type": "null"]
    case .text(let example):
      return once("text", ["type": "string", "pattern": "[^ ]"]).examples([.string(example)])
    case .pattern(let pattern, let noun, let examples):
      return once(noun, ["type": "string", "pattern": .string(pattern)])
        .examples(examples.map { .string($0) })
    case .words(let words):
      guard words.count > 1 else { return ["const": .string(words[0])] }
      return once(words[0] + " or another", ["enum": .strings(words)])
    case .whole(let least, let most):
      let schema: JSONTree = ["type": "integer", "minimum": .whole(least)]
      guard let most else { return schema }
      let noun = least == .min ? "whole number" : "whole \(least) through \(most)"
      return once(noun, schema + ["maximum": .whole(most)])
    case .number(let least, let most):
      return ["type": "number", "minimum": .whole(least), "maximum": .whole(most)]
    case .list(let element, let least, let most):
      return [
        "type": "array", "items": schema(of: element), "minItems": least > 0 ? .whole(least) : nil,
        "maxItems": most.map { .whole($0) },
      ]
    case .anything: return [:]
    case .map(let shape): return ["type": "object", "additionalProperties": schema(of: shape)]
    case .anyOf(let shapes): return ["anyOf": .array(shapes.map { schema(of: $0) })]
    case .object(let name, let make):
      count(name)
      if names.contains(where: { $0.uses == 1 && isSameText($0.name, name) }) {
        return object(make())
      }
      define(name) { $0.object(make()) }
      return .reference(name)
    case .inline(let make): return object(make())
    case .either(let key, let shape, let other):
      return [
        "if": ["required": [.string(key)]], "then": schema(of: shape), "else": schema(of: other),
      ]
    case .named(let name, let about, let make):
      count(name)
      define(name) { $0.schema(of: make()).described(about) }
      return .reference(name)
    case .examples(let shape, let examples): return schema(of: shape).examples(examples)
    }
  }

  private mutating func count(_ name: String) {
    if let known = parts.firstIndex(where: { isSameText($0.name, name) }) {
      parts[known].uses += 1
    } else {
      parts.append((name, 1))
    }
  }

  /// Defines a part under its name, unless that has been done.
  private mutating func define(_ name: String, _ make: (inout SchemaWriter) -> JSONTree) {
    if definitions.contains(where: { isSameText($0.key, name) }) { return }
    // The place is taken first: a part may lead back to itself.
    let place = definitions.count
    definitions.append((name, .null))
    definitions[place].value = make(&self)
  }

  /// A value that is no object, or a key: in full, or as a reference if it is used repeatedly.
  private mutating func once(_ noun: String, _ schema: JSONTree) -> JSONTree {
    let text = schema.text
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
    let reference = JSONTree.reference(name)
    // A reference that is longer than what it stands for helps nobody.
    guard reference.text.count < text.count else { return schema }
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
    while names.contains(where: { isSameText($0.name, candidate) })
      || definitions.contains(where: { isSameText($0.key, candidate) })
    {
      count += 1
      candidate = name + "\(count)"
    }
    return candidate
  }

  mutating func object(_ object: ObjectShape) -> JSONTree {
    let keys: JSONTree = [
      "description": .string(object.about), "type": "object",
      "properties": properties(of: object.keys),
    ]
    let least: JSONTree = ["minProperties": object.least > 0 ? .whole(object.least) : nil]
    let schema = keys + SchemaWriter.presence(of: object.keys) + least
    guard let branches = object.branches else { return schema + ["additionalProperties": false] }
    return schema + [
      "allOf": .array(branches.words.map { branch($0, of: branches.key) }),
      "unevaluatedProperties": false,
    ]
  }

  private mutating func properties(of keys: [KeyShape]) -> JSONTree {
    .object(
      keys.map { key in
        let schema = self.schema(of: key.shape).described(key.about)
        return (key.name, once(key.name, schema + ["default": key.absent]))
      })
  }

  private mutating func branch(_ branch: ObjectShape, of key: String) -> JSONTree {
    let word = JSONTree.object([(key, ["const": .string(branch.name)])])
    let about = JSONTree.object([(key, ["description": .string(branch.about)])])
    let consequence: JSONTree = ["properties": about + properties(of: branch.keys)]
    return [
      "if": ["properties": word, "required": [.string(key)]],
      "then": consequence + SchemaWriter.presence(of: branch.keys),
    ]
  }

  /// The schema of required keys, of their companions and of their rivals.
  private static func presence(of keys: [KeyShape]) -> JSONTree {
    var required = keys.filter { $0.presence == .required }.map { $0.name }
    var choices = keys.filter { $0.presence == .oneOf }.map { $0.name }
    if choices.count == 1 { required += [choices.removeFirst()] }
    let companions = keys.compactMap { key -> (key: String, value: JSONTree)? in
      key.companion.map { (key.name, [.string($0)]) }
    }
    let rivals = keys.compactMap { key -> (key: String, value: JSONTree)? in
      let each = key.rivals.map { ["required": [.string($0)]] as JSONTree }
      if each.isEmpty { return nil }
      return (key.name, ["not": each.count == 1 ? each[0] : ["anyOf": .array(each)]])
    }
    return [
      "required": required.isEmpty ? nil : .strings(required),
      "oneOf": choices.isEmpty ? nil : .list(choices) { ["required": [.string($0)]] },
      "dependentRequired": companions.isEmpty ? nil : .object(companions),
      "dependentSchemas": rivals.isEmpty ? nil : .object(rivals),
    ]
  }
}

extension JSONTree {
  /// The same with examples instead of those that it has.
  fileprivate func examples(_ values: [JSONTree]) -> JSONTree {
    without("examples") + ["examples": .array(values)]
  }

  /// The same with its description first, instead of another that it has.
  fileprivate func described(_ description: String) -> JSONTree {
    ["description": .string(description)] + without("description")
  }

  /// A part that is defined once and used in several places.
  fileprivate static func reference(_ name: String) -> JSONTree {
    ["$ref": .string("#/$defs/" + name)]
  }
}

import ScenarioRunner

/// Documents out of the schema alone: each the least that is allowed, with one thing more.
struct SchemaInstances {
  let validator: SchemaValidator

  /// Whole scenarios. All have a step called “start”, which the examples refer to.
  func documents() -> [JSONValue] {
    let start = JSONValue(
      .object([
        JSONMember("at", JSONValue(.string("0 s"))),
        JSONMember("do", JSONValue(.string("project"))),
        JSONMember("ahead", JSONValue(.string("1 s"))),
        JSONMember("name", JSONValue(.string("start"))),
      ]))
    return instances(of: validator.root).map { document in
      document.setting(
        "script", JSONValue(.array([start] + (document["script"]?.elements ?? []))))
    }
  }

  /// Values that a schema allows: every example, every branch, every key once.
  func instances(of schema: JSONValue, depth: Int = 0) -> [JSONValue] {
    // A claim may deny a claim: once is enough.
    if depth > 14 { return [] }
    if schema["$ref"] != nil { return instances(of: validator.resolved(schema), depth: depth + 1) }
    if let constant = schema["const"] { return [constant] }
    if let examples = schema["examples"] { return examples.elements }
    if let words = schema["enum"] { return words.elements }
    if let branches = schema["anyOf"] {
      return branches.elements.flatMap { instances(of: $0, depth: depth + 1) }
    }
    if let items = schema["items"] {
      let least = Int(schema["minItems"]?.number ?? 1)
      return instances(of: items, depth: depth + 1).map {
        JSONValue(.array(Array(repeating: $0, count: max(1, least))))
      }
    }
    return objects(schema, depth: depth)
  }

  private func objects(_ schema: JSONValue, depth: Int) -> [JSONValue] {
    guard let properties = schema["properties"] else {
      fatalError(
        "nothing is known of an instance: \(String(decoding: schema.written, as: UTF8.self))")
    }
    var found: [JSONValue] = []
    let required = (schema["required"]?.elements ?? []).compactMap { $0.text }
    let groups = schema["oneOf"]?.elements.map { $0["required"]?.elements ?? [] } ?? [[]]
    for group in groups {
      let keys = required + group.compactMap { $0.text }
      let others = groups.flatMap { $0 }.compactMap { $0.text }.filter { !keys.contains($0) }
      let base = keys.reduce(JSONValue(.object([]))) { object, key in
        guard let value = properties[key].map({ instances(of: $0, depth: depth + 1) })?.first
        else { return object }
        return object.setting(key, value)
      }
      let least = Int(schema["minProperties"]?.number ?? 0)
      if base.members.count >= least { found.append(base) }
      for property in properties.members where !others.contains(property.key) {
        let dependencies = schema["dependentRequired"]?[property.key]?.elements ?? []
        guard dependencies.allSatisfy({ keys.contains($0.text ?? "") }) else { continue }
        found += instances(of: property.value, depth: depth + 1).map {
          base.setting(property.key, $0)
        }
      }
    }
    return found.filter { $0.members.count >= Int(schema["minProperties"]?.number ?? 0) }
  }
}

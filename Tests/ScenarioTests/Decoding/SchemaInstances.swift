import ScenarioRunner

/// Documents out of the schema alone: each the least that is allowed, with one thing more.
final class SchemaInstances {
  /// The schema's documents, made once.
  static let documents: [JSONValue] = SchemaInstances().makeDocuments()

  private let validator = SchemaValidator(SchemaValidator.scenario)
  /// The shared parts that have been varied: once is enough.
  private var varied: Set<String> = []

  /// Whole scenarios. All have a step called “start”, a download called “background”, an asset
  /// called “film” and an item called “clip”, and where a track is named a track called “French”,
  /// which the examples refer to.
  private func makeDocuments() -> [JSONValue] {
    let start = JSONValue(
      .object([
        JSONMember("at", JSONValue(.string("0 s"))),
        JSONMember("do", JSONValue(.string("project"))),
        JSONMember("ahead", JSONValue(.string("1 s"))),
        JSONMember("name", JSONValue(.string("start"))),
      ]))
    let background = JSONValue(
      .object([JSONMember("name", JSONValue(.string("background")))]))
    func prepared(_ part: JSONValue) -> JSONValue {
      withNames(withTracks(part)).setting(
        "script", JSONValue(.array([start] + (part["script"]?.elements ?? []))))
    }
    return instances(of: validator.root).map { document in
      var document = prepared(document)
      if let players = document["players"]?.elements {
        document = document.setting("players", JSONValue(.array(players.map(prepared))))
      }
      // Only a file with profiles has one that can be named.
      if let link = document["link"], let trace = link["trace"], trace["profile"] != nil {
        let file = JSONValue(.string("traces/hotel.plist"))
        document = document.setting("link", link.setting("trace", trace.setting("file", file)))
      }
      return document.setting(
        "traffic", JSONValue(.array([background] + (document["traffic"]?.elements ?? []))))
    }
  }

  private func withNames(_ document: JSONValue) -> JSONValue {
    func named(_ name: String, _ more: [JSONMember] = []) -> JSONValue {
      JSONValue(
        .array([
          JSONValue(.object([JSONMember("name", JSONValue(.string(name)))] + more))
        ]))
    }
    var document = document
    if document["items"] == nil { document = document.setting("items", named("clip")) }
    if document["assets"] == nil, let media = document["media"] {
      document = document.setting("assets", named("film", [JSONMember("media", media)]))
    }
    return document
  }

  private func withTracks(_ document: JSONValue) -> JSONValue {
    let steps = document["script"]?.elements ?? []
    guard steps.contains(where: { $0["track"] != nil }), let media = document["media"],
      let file = media["local"]
    else { return document }
    let track = JSONValue(
      .object([
        JSONMember("kind", JSONValue(.string("audio"))),
        JSONMember("name", JSONValue(.string("French"))),
      ]))
    let tracks = file.setting("tracks", JSONValue(.array([track])))
    return document.setting("media", media.setting("local", tracks))
  }

  /// Values that a schema allows: every example, every branch, every key.
  private func instances(of schema: JSONValue) -> [JSONValue] {
    if let constant = schema["const"] { return [constant] }
    if let examples = schema["examples"] { return examples.elements }
    if let reference = schema["$ref"]?.text {
      let part = validator.resolved(schema)
      return varied.insert(reference).inserted ? instances(of: part) : [first(of: part)]
    }
    if let words = schema["enum"] { return words.elements }
    if let branches = schema["anyOf"] {
      return branches.elements.flatMap { instances(of: $0) }
    }
    if let items = schema["items"] {
      return instances(of: items).map { list(of: $0, schema) }
    }
    if let plain = plain(schema) { return plain }
    return groups(of: schema).flatMap { objects(schema, $0) }
  }

  /// Values of a type that needs no examples.
  private func plain(_ schema: JSONValue) -> [JSONValue]? {
    switch schema["type"]?.text {
    case "null": [JSONValue(.null)]
    case "boolean": [JSONValue(.boolean(true)), JSONValue(.boolean(false))]
    case "integer", "number": [schema["minimum"] ?? JSONValue(.number("0"))]
    default: nil
    }
  }

  /// The simplest value that a schema allows.
  private func first(of schema: JSONValue) -> JSONValue {
    if let constant = schema["const"] { return constant }
    if let example = schema["examples"]?.elements.first { return example }
    if schema["$ref"] != nil { return first(of: validator.resolved(schema)) }
    if let word = schema["enum"]?.elements.first { return word }
    if let branch = schema["anyOf"]?.elements.first { return first(of: branch) }
    if let items = schema["items"] { return list(of: first(of: items), schema) }
    if let plain = plain(schema)?.first { return plain }
    return object(schema, groups(of: schema)[0])
  }

  private func list(of element: JSONValue, _ schema: JSONValue) -> JSONValue {
    let least = Int(schema["minItems"]?.number ?? 1)
    return JSONValue(.array(Array(repeating: element, count: max(1, least))))
  }

  // MARK: Objects

  /// The sets of keys that must be there together.
  private func groups(of schema: JSONValue) -> [[String]] {
    let required = (schema["required"]?.elements ?? []).compactMap { $0.text }
    guard let groups = schema["oneOf"]?.elements else { return [required] }
    return groups.map { required + ($0["required"]?.elements ?? []).compactMap { $0.text } }
  }

  private func object(_ schema: JSONValue, _ keys: [String]) -> JSONValue {
    keys.reduce(JSONValue(.object([]))) { object, key in
      object.setting(key, first(of: schema["properties"]?[key] ?? JSONValue(.null)))
    }
  }

  private func objects(_ schema: JSONValue, _ keys: [String]) -> [JSONValue] {
    let base = object(schema, keys)
    let excluded = groups(of: schema).flatMap { $0 }.filter { !keys.contains($0) }
    var found = [base]
    for property in schema["properties"]?.members ?? [] where !excluded.contains(property.key) {
      let dependencies = schema["dependentRequired"]?[property.key]?.elements ?? []
      guard dependencies.allSatisfy({ keys.contains($0.text ?? "") }) else { continue }
      found += instances(of: property.value).map { base.setting(property.key, $0) }
    }
    return found.filter { $0.members.count >= Int(schema["minProperties"]?.number ?? 0) }
  }
}

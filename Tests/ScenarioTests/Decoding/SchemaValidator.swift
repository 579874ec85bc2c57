import ExactText
import ScenarioFormat
import ScenarioRunner

/// The part of JSON Schema (2020-12) that the scenario schema uses; any other keyword is an error.
final class SchemaValidator {
  let root: JSONValue
  private let parts: [String: JSONValue]
  private var patterns: [String: Regex<AnyRegexOutput>] = [:]
  /// By pattern and text: the same few texts come again and again.
  private var matches: [String: [String: Bool]] = [:]

  /// The schema of scenarios.
  static let scenario: JSONValue = {
    do {
      return try JSONValue(parsing: KeyedFile.scenario.schema())
    } catch {
      fatalError("the schema is no JSON: \(error)")
    }
  }()

  init(_ schema: JSONValue) {
    root = schema
    parts = Dictionary(
      uniqueKeysWithValues: (root["$defs"]?.memberList ?? []).map {
        ("#/$defs/" + $0.key, $0.value)
      })
  }

  /// What is wrong with a document; empty where it fits.
  func problems(of document: JSONValue) -> [String] {
    problems(document, root, "")
  }

  /// What is wrong with a value by a part of the schema.
  func problems(of value: JSONValue, _ part: JSONValue) -> [String] {
    problems(value, part, "")
  }

  /// The schema that a schema refers to, or the schema itself.
  func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.text else { return schema }
    guard let part = parts[reference] else { fatalError("there is no \(reference)") }
    return resolved(part)
  }

  private static let silent: Set = [
    "$schema", "$id", "$defs", "title", "description", "default", "examples", "properties",
    "additionalProperties", "unevaluatedProperties", "$ref", "then", "else",
  ]

  private func problems(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    var found: [String] = []
    for keyword in schema.memberList where !Self.silent.contains(keyword.key) {
      if !holds(keyword.key, keyword.value, value, path) {
        found.append("\(path): \(keyword.key)")
      }
    }
    if let condition = schema["if"] {
      let branch = problems(value, condition, path).isEmpty ? schema["then"] : schema["else"]
      if let branch { found += problems(value, branch, path) }
    }
    if schema["$ref"] != nil { found += problems(value, resolved(schema), path) }
    if let items = schema["items"] {
      for (index, element) in value.elementList.enumerated() {
        found += problems(element, items, "\(path)[\(index)]")
      }
    }
    for member in value.memberList {
      guard let property = schema["properties"]?[member.key] else { continue }
      found += problems(member.value, property, "\(path).\(member.key)")
    }
    if schema["additionalProperties"] != nil || schema["unevaluatedProperties"] != nil {
      let known = keys(of: value, in: schema)
      for member in value.memberList where !known.contains(member.key) {
        found.append("\(path): unknown key \(member.key)")
      }
    }
    return found
  }

  /// The keys that a schema gives a meaning in an object, by way of its conditions as well.
  private func keys(of value: JSONValue, in schema: JSONValue) -> Set<String> {
    var keys = Set((schema["properties"]?.memberList ?? []).map { $0.key })
    if let condition = schema["if"] {
      let branch = problems(value, condition, "").isEmpty ? schema["then"] : schema["else"]
      if let branch { keys.formUnion(self.keys(of: value, in: branch)) }
    }
    for part in schema["allOf"]?.elementList ?? [] {
      keys.formUnion(self.keys(of: value, in: part))
    }
    return keys
  }

  private func holds(
    _ keyword: String, _ argument: JSONValue, _ value: JSONValue, _ path: String
  ) -> Bool {
    let count = { argument.number.map { Int($0) } ?? 0 }
    switch keyword {
    case "type": return value.isOfType(argument.text ?? "")
    case "const": return value.hasSameContent(as: argument)
    case "enum": return argument.elementList.contains { $0.hasSameContent(as: value) }
    case "anyOf": return argument.elementList.contains { problems(value, $0, path).isEmpty }
    case "oneOf":
      return argument.elementList.filter { problems(value, $0, path).isEmpty }.count == 1
    case "required":
      return value.isObject == false
        || argument.elementList.allSatisfy { value[$0.text ?? ""] != nil }
    case "dependentRequired":
      return argument.memberList.allSatisfy { member in
        value[member.key] == nil
          || member.value.elementList.allSatisfy { value[$0.text ?? ""] != nil }
      }
    case "dependentSchemas":
      return argument.memberList.allSatisfy { member in
        value[member.key] == nil || problems(value, member.value, path).isEmpty
      }
    case "not": return !problems(value, argument, path).isEmpty
    case "allOf": return argument.elementList.allSatisfy { problems(value, $0, path).isEmpty }
    case "if": return true
    case "items": return true
    case "minItems": return value.isArray == false || value.elementList.count >= count()
    case "maxItems": return value.isArray == false || value.elementList.count <= count()
    case "minProperties": return value.isObject == false || value.memberList.count >= count()
    case "minimum": return (value.number ?? 0) >= (argument.number ?? 0)
    case "maximum": return (value.number ?? 0) <= (argument.number ?? 0)
    case "pattern": return value.text.map { matches($0, argument.text ?? "") } ?? true
    default: return false
    }
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    if let known = matches[pattern]?[text] { return known }
    if patterns[pattern] == nil { patterns[pattern] = try? Regex(pattern) }
    guard let regex = patterns[pattern] else { return false }
    let isMatch = text.contains(regex)
    matches[pattern, default: [:]][text] = isMatch
    return isMatch
  }
}

extension JSONValue {
  var memberList: [JSONMember] { members.map { Array($0) } ?? [] }

  var elementList: [JSONValue] { elements.map { Array($0) } ?? [] }

  var text: String? {
    if case .string(let text) = content { text } else { nil }
  }

  var number: Double? {
    if case .number(let text) = content { Double(text) } else { nil }
  }

  var isObject: Bool { members != nil }

  var isArray: Bool { elements != nil }

  /// The same as a document that can be changed.
  var tree: JSONTree {
    switch content {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map { $0.tree })
    case .object(let members): .object(members.map { ($0.key, $0.value.tree) })
    }
  }

  /// The same object with a key more, or with another value for it.
  func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    let others = memberList.filter { $0.key != key }.map { (key: $0.key, value: $0.value.tree) }
    return JSONTree.object(others + [(key, value.tree)]).asRead
  }

  var written: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  fileprivate func isOfType(_ type: String) -> Bool {
    switch content {
    case .null: type == "null"
    case .boolean: type == "boolean"
    case .number: type == "number" || (type == "integer" && number?.rounded() == number)
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}

extension JSONTree {
  var written: [UInt8] {
    var writer = JSONWriter()
    writer.tree(self)
    return writer.bytes
  }

  /// The document as a reader has it.
  var asRead: JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: written)
    } catch {
      fatalError("what was written can be read: \(error)")
    }
  }
}

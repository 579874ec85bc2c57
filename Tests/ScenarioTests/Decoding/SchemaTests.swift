import Foundation
import ScenarioRunner
import TestSupport
import Testing

/// The schema and the reader say the same thing.
@Suite struct SchemaTests {
  let validator = SchemaValidator(SchemaValidator.scenario)

  @Test func `what is read fits the schema`() throws {
    for text in SampleScenario.all {
      #expect(validator.problems(of: try JSONValue(parsing: [UInt8](text.utf8))) == [])
    }
    for shipped in ShippedScenario.all {
      let document = try JSONValue(parsing: shipped.bytes)
      #expect(validator.problems(of: document) == [], "\(shipped.path)")
    }
  }

  @Test func `what the schema allows is read`() throws {
    let documents = SchemaInstances.documents
    #expect(documents.count > 300)
    for document in documents {
      #expect(validator.problems(of: document) == [])
      do throws(DocumentError) {
        _ = try readScenario(
          document.written, file: "a.json", files: SampleScenario.file)
      } catch {
        Issue.record("\(error.text)\(String(decoding: document.written, as: UTF8.self))")
      }
    }
  }

  @Test func `schema and reader know the same keys everywhere`() throws {
    var inSchema: [String: Set<String>] = [:]
    var inReader: [String: Set<String>] = [:]
    for document in SchemaInstances.documents {
      noteKeys(document, validator.root, "", &inSchema)
      do throws(DocumentError) {
        _ = try readScenario(
          probed(document).written, file: "a.json", files: SampleScenario.file)
        Issue.record("an unknown key is taken")
      } catch {
        for diagnostic in error.diagnostics {
          #expect(diagnostic.message.hasPrefix("unknown key"))
          let path = diagnostic.path.steps.map { step in
            if case .key(let key) = step { "." + key } else { "[]" }
          }.joined()
          inReader[path, default: []].formUnion(knownKeys(diagnostic))
        }
      }
    }
    #expect(inSchema.keys.sorted() == inReader.keys.sorted())
    for path in inSchema.keys.sorted() {
      #expect(inSchema[path]?.sorted() == inReader[path]?.sorted(), "\(path)")
    }
  }

  @Test func `every key has a description, and no path of a machine is in it`() {
    var count = 0
    func walk(_ value: JSONValue) {
      for property in value["properties"]?.members ?? [] {
        count += 1
        #expect(property.value["description"]?.text?.hasSuffix(".") == true, "\(property.key)")
      }
      for member in value.members { walk(member.value) }
      for element in value.elements { walk(element) }
    }
    walk(validator.root)
    #expect(count > 200)
    #expect(validator.root["$id"]?.text == "https://goldilocks.example/scenario.schema.json")
  }

  @Test(arguments: [
    "{}", "[]", #"{"scenario": 1}"#,
    SampleScenario.demo.replacing("39 s", with: "39 sec"),
    SampleScenario.demo.replacing("\"seed\"", with: "\"sede\""),
    SampleScenario.demo.replacing("\"play\" }", with: "\"paly\" }"),
    SampleScenario.demo.replacing("loaded >= 0.3 s", with: "laoded >= 0.3 s"),
    SampleScenario.demo.replacing("\"rate\": 1", with: "\"rate\": -1"),
    SampleScenario.demo.replacing("\"waiting\"", with: "\"wating\""),
    SampleScenario.demo.replacing("\"do\": \"play\"", with: "\"do\": \"play\", \"to\": \"1 s\""),
  ])
  func `what neither takes both refuse`(text: String) throws {
    let document = try JSONValue(parsing: [UInt8](text.utf8))
    #expect(validator.problems(of: document) != [])
    #expect(mistakes(in: text) != "")
  }

  // MARK: Keys

  /// The keys of every object of a document, by what the schema says of its place.
  private func noteKeys(
    _ value: JSONValue, _ schema: JSONValue, _ path: String, _ keys: inout [String: Set<String>]
  ) {
    let schema = validator.resolved(schema)
    for branch in schema["anyOf"]?.elements ?? [] { noteKeys(value, branch, path, &keys) }
    if value.isObject, let properties = schema["properties"] {
      keys[path, default: []].formUnion(properties.members.map { $0.key })
      for member in value.members {
        guard let property = properties[member.key] else { continue }
        noteKeys(member.value, property, path + "." + member.key, &keys)
      }
    }
    if let items = schema["items"] {
      for element in value.elements { noteKeys(element, items, path + "[]", &keys) }
    }
  }

  /// The document with a key in each of its objects that nobody knows.
  private func probed(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .object(let members):
      let probe = JSONMember("?", JSONValue(.null))
      return JSONValue(.object(members.map { JSONMember($0.key, probed($0.value)) } + [probe]))
    case .array(let elements): return JSONValue(.array(elements.map(probed)))
    case .null, .boolean, .number, .string: return value
    }
  }

  /// The words in quotation marks of "expected “a”, “b” or “c”".
  private func knownKeys(_ diagnostic: Diagnostic) -> [String] {
    (diagnostic.expected ?? "").split(separator: "“").dropFirst(0).compactMap { part in
      part.contains("”") ? String(part.prefix { $0 != "”" }) : nil
    }
  }
}

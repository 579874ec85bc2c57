import ExactText
import Foundation
import RunReports
import ScenarioFormat
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
    // One description makes the schema and the reader, so that a few files show that it is used.
    let all = ShippedScenario.all
    for index in stride(from: 0, to: all.count, by: Seeds.areMany ? 8 : 48) {
      let shipped = all[index]
      let document = try JSONValue(parsing: shipped.bytes)
      #expect(validator.problems(of: document) == [], "\(shipped.path)")
    }
  }

  /// Beginnings of a clause in place of the field's noun.
  private static let clauses = ["How", "What", "Who", "Where", "When", "Which", "Why"]

  @Test func `every key has a description, and no path of a machine is in it`() {
    var count = 0
    func walk(_ value: JSONValue) {
      for property in value["properties"]?.memberList ?? [] {
        count += 1
        // A key that occurs again and again is defined once.
        let name = property.value["$ref"]?.text?.split(separator: "/").last ?? ""
        let about =
          property.value["description"] ?? validator.root["$defs"]?[String(name)]?["description"]
        #expect(about?.text?.hasSuffix(".") == true, "\(property.key)")
        let first = about?.text?.split(separator: " ").first.map(String.init) ?? ""
        #expect(!Self.clauses.contains(first), "\(property.key): \(about?.text ?? "")")
      }
      // What a branch asks for is described where it leads.
      for member in value.memberList where member.key != "if" { walk(member.value) }
      for element in value.elementList { walk(element) }
    }
    walk(validator.root)
    #expect(count > 200)
    #expect(KeyedFile.scenario.schema().count <= 120 * 1_024)
    #expect(validator.root["$id"]?.text == "https://goldilocks.example/scenario.schema.json")
  }

  @Test(arguments: [
    "iPadOS 18", "tvOS 9.2", "watchOS 11", "visionOS 26", "macCatalyst 15", "Mac Catalyst 18",
    "Catalyst 26", "macOS 10.12",
  ])
  func `an SDK of each platform fits the schema`(sdk: String) throws {
    let text = SampleScenario.demo.replacing("iOS 10", with: sdk)
    #expect(text.contains(sdk))
    #expect(validator.problems(of: try JSONValue(parsing: [UInt8](text.utf8))) == [])
    #expect(mistakes(in: text) == "")
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

  @Test(arguments: Figure.all.map { $0.name })
  func `a baseline that fits its schema is read, and no other`(figure: String) throws {
    let baseline = SchemaValidator(try JSONValue(parsing: KeyedFile.baseline.schema()))
    for members in [
      #""scenarios": [ { "file": "a.json", "figures": { "\#(figure)": null } } ]"#,
      #""scenarios": [], "tolerance": { "\#(figure)": "10 %" }"#,
    ] {
      let text = Array("{ \(members) }".utf8)
      let fits = baseline.problems(of: try JSONValue(parsing: text)).isEmpty
      #expect(fits == ((try? readBaseline(text, file: "b.json")) != nil), "\(members)")
    }
  }

  @Test(.enabled(if: Seeds.areMany, "a debug build leaves it to the release build"))
  func `the absence of a key means what the schema says`() throws {
    var seen: Set<String> = []
    var problems: [String] = []
    for shipped in ShippedScenario.all where shipped.bytes.count < 4_000 {
      let document = try JSONValue(parsing: shipped.bytes)
      let variants = variants(of: document, validator.root, "", &seen)
        .filter { validator.problems(of: $0.value).isEmpty }
      if variants.isEmpty { continue }
      let meaning = try meaning(of: document, shipped)
      for variant in variants {
        if try self.meaning(of: variant.value, shipped) != meaning {
          problems.append("\(shipped.name): \(variant.key)")
        }
      }
    }
    #expect(problems == [])
    #expect(seen.count > 60)
  }

  // MARK: What is absent

  /// What a scenario says, wherever it says it, without the document that it was read from.
  private func meaning(of document: JSONValue, _ shipped: ShippedScenario) throws -> String {
    var scenario = try readScenario(
      document.written, file: shipped.name, files: shipped.file(beside:))
    scenario.document = JSONTree.null.asRead
    scenario.scopedKeys = []
    for index in scenario.others.indices {
      scenario.others[index].scenario.document = JSONTree.null.asRead
      scenario.others[index].scenario.scopedKeys = []
    }
    return String(reflecting: scenario)
      .replacing(/[cC]olumn: [0-9]+/, with: "")
  }

  /// A document with one key more that says what its absence means, for each such key that has not
  /// been seen.
  private func variants(
    of value: JSONValue, _ schema: JSONValue, _ part: String, _ seen: inout Set<String>
  ) -> [(key: String, value: JSONValue)] {
    let part = schema["$ref"]?.text ?? part
    let schema = validator.resolved(schema)
    for branch in schema["anyOf"]?.elementList ?? []
    where validator.problems(of: value, branch).isEmpty {
      return variants(of: value, branch, part, &seen)
    }
    var found: [(key: String, value: JSONValue)] = []
    for property in value.isObject ? schema["properties"]?.memberList ?? [] : [] {
      if let inner = value[property.key] {
        for variant in variants(of: inner, property.value, part + "." + property.key, &seen) {
          found.append((variant.key, value.setting(property.key, variant.value)))
        }
      } else if let absent = property.value["default"],
        seen.insert(part + "." + property.key).inserted
      {
        found.append((part + "." + property.key, value.setting(property.key, absent)))
      }
    }
    for (index, element) in value.elementList.enumerated() {
      guard let items = schema["items"] else { break }
      for variant in variants(of: element, items, part + "[]", &seen) {
        var elements = value.elementList
        elements[index] = variant.value
        let changed = JSONTree.array(elements.map { $0.tree })
        found.append((variant.key, changed.asRead))
      }
    }
    return found
  }
}

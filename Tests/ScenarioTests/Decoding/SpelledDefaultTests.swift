import Foundation
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// A default that is spelled out equals its absence: each default of the schema by itself, where
/// shipped scenarios, or the ones written here, leave it out.
@Suite struct SpelledDefaultTests {
  private typealias Object = [String: Any]

  /// A key that a scenario leaves out, and what its absence means.
  private struct Gap {
    var shipped: ShippedScenario
    var path: [Any]
    /// The table and the key.
    var place: String
    var key: String
    var absent: Any
  }

  /// Tables whose presence alone says something: without them there is none of it.
  private static let present: Set = [
    "composition", "first", "live", "parts", "playThrough", "policy", "videoOutput",
  ]
  private let schema: Object
  private let definitions: Object

  init() throws {
    let schema = try JSONSerialization.jsonObject(with: Data(KeyedFile.scenario.schema()))
    self.schema = try #require(schema as? Object)
    definitions = try #require(self.schema["$defs"] as? Object)
  }

  /// A schema with what it refers to.
  private func whole(_ schema: Object) -> Object {
    guard let name = (schema["$ref"] as? String)?.split(separator: "/").last else { return schema }
    let target = definitions[String(name)] as? Object ?? [:]
    return whole(target).merging(schema.filter { $0.key != "$ref" }) { $1 }
  }

  /// A schema and all its branches.
  private func branches(_ schema: Object) -> [Object] {
    let schema = whole(schema)
    var all = [schema]
    for word in ["oneOf", "anyOf", "allOf"] {
      for branch in schema[word] as? [Object] ?? [] { all += branches(branch) }
    }
    for word in ["then", "else"] {
      if let branch = schema[word] as? Object { all += branches(branch) }
    }
    return all
  }

  private func properties(_ branches: [Object]) -> [(key: String, schema: Object)] {
    var all: [String: Object] = [:]
    for branch in branches {
      for (key, schema) in branch["properties"] as? [String: Object] ?? [:] where all[key] == nil {
        all[key] = schema
      }
    }
    return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The spelled-out value of an absent key: its default, or a table of defaults.
  private func spelled(_ key: String, _ schema: Object) -> [Any] {
    if let absent = whole(schema)["default"] { return [absent] }
    guard !Self.present.contains(key),
      let table = branches(schema).first(where: {
        $0["type"] as? String == "object" && $0["required"] == nil && $0["oneOf"] == nil
          && $0["anyOf"] == nil && $0["minProperties"] == nil
      })
    else { return [] }
    let defaults = properties([table]).compactMap { key, schema in
      whole(schema)["default"].map { (key, $0) }
    }
    return [Object()] + defaults.map { [$0.0: $0.1] }
  }

  private func gaps(
    in node: Any, _ schema: Object, _ path: [Any], of shipped: ShippedScenario,
    into gaps: inout [String: [Gap]]
  ) {
    let branches = branches(schema)
    if let list = node as? [Any] {
      guard let items = branches.lazy.compactMap({ $0["items"] as? Object }).first else { return }
      for (index, element) in list.enumerated() {
        self.gaps(in: element, items, path + [index], of: shipped, into: &gaps)
      }
    }
    guard let object = node as? Object else { return }
    let properties = properties(branches)
    let table = properties.map { $0.key }.joined(separator: " ")
    for (key, schema) in properties {
      if let value = object[key] {
        self.gaps(in: value, schema, path + [key], of: shipped, into: &gaps)
      } else {
        for absent in spelled(key, schema) {
          let place = "\(table): \(key)"
          gaps["\(place) = \(absent)", default: []].append(
            Gap(shipped: shipped, path: path, place: place, key: key, absent: absent))
        }
      }
    }
  }

  private func set(_ gap: Gap, _ rest: ArraySlice<Any>, in node: Any) -> Any {
    guard let step = rest.first else {
      return (node as? Object ?? [:]).merging([gap.key: gap.absent]) { $1 }
    }
    if let index = step as? Int, var list = node as? [Any] {
      list[index] = set(gap, rest.dropFirst(), in: list[index])
      return list
    }
    guard let key = step as? String, var object = node as? Object else { return node }
    object[key] = set(gap, rest.dropFirst(), in: object[key] ?? Object())
    return object
  }

  /// The lines of a run without its header and its summary; nil where it is refused.
  private func lines(_ document: Any, _ shipped: ShippedScenario) throws -> [Substring]? {
    guard let scenario = read(document, shipped) else { return nil }
    let trace = String(decoding: try run(scenario).trace, as: UTF8.self)
    return trace.split(separator: "\n").dropFirst().dropLast()
  }

  private func read(_ document: Any, _ shipped: ShippedScenario) -> Scenario? {
    guard let data = try? JSONSerialization.data(withJSONObject: document) else { return nil }
    return try? readScenario([UInt8](data), file: shipped.path, files: shipped.file)
  }

  /// The decisions of a run, the places in the file aside: more than a short run shows.
  private func decisions(_ document: Any, _ shipped: ShippedScenario) -> [String] {
    guard let scenario = read(document, shipped) else { return [] }
    return [
      "\(scenario.player)", "\(scenario.item)", "\(scenario.link)", "\(scenario.limits)",
      "\(scenario.traffic)", "\(scenario.leakedPlayers)", "\(scenario.faults)",
      "\(String(describing: scenario.requests))",
    ]
  }

  /// Scenarios without their expectations, the shortest first.
  private func documents() throws -> [(shipped: ShippedScenario, document: Object)] {
    var all: [(shipped: ShippedScenario, document: Object, size: Int)] = []
    for shipped in ShippedScenario.all where !shipped.text.contains("\"command\"") {
      let golden = "Tests/ScenarioTests/Goldens/" + shipped.path.replacing(".json", with: ".trace")
      let size = try Data(contentsOf: Checkout.at(golden)).count
      let parsed = try JSONSerialization.jsonObject(with: Data(shipped.bytes))
      var document = try #require(parsed as? Object)
      document["expect"] = nil
      if let players = document["players"] as? [Object] {
        document["players"] = players.map { player in player.filter { $0.key != "expect" } }
      }
      all.append((shipped, document, size))
    }
    all.sort { ($0.size, $0.shipped.path) < ($1.size, $1.shipped.path) }
    return try all.map { ($0.shipped, $0.document) } + written()
  }

  /// Tables that no shipped scenario has, or none whose other keys let a default stand beside them.
  private func written() throws -> [(shipped: ShippedScenario, document: Object)] {
    try Self.written.enumerated().map { number, parts in
      let media = parts.contains("\"media\": { \"") ? "" : ", \"media\": \(Self.stream)"
      let script =
        parts.contains("\"script\"") || parts.contains("\"tags\"")
        ? "" : ", \"script\": [ \(Self.play) ]"
      let link = parts.contains("\"link\"") ? "" : ", \"link\": { \"bandwidth\": \"2 Mbit/s\" }"
      let text = #"{ "scenario": "a", "about": "b", \#(parts)\#(link)\#(media)\#(script) }"#
      let shipped = ShippedScenario(path: "written \(number).json", bytes: [UInt8](text.utf8))
      let parsed = try JSONSerialization.jsonObject(with: Data(shipped.bytes))
      return (shipped, try #require(parsed as? Object))
    }
  }

  private static let play = #"{ "at": "0 s", "do": "play" }"#
  private static let ladder =
    #""ladder": [ { "bitrate": "0.4 Mbit/s" }, { "bitrate": "3 Mbit/s" } ]"#
  private static let stream =
    #"{ "hls": { \#(ladder), "duration": "20 s", "segmentDuration": "4 s" } }"#
  private static let file =
    #""media": { "progressive": { "duration": "9 s", "bitrate": "1 Mbit/s" } }"#

  private static let pause = #"{ "on": "stall", "do": "pause" }"#

  private static func hls(_ keys: String) -> String {
    #""media": { "hls": { \#(ladder), \#(keys) } }"#
  }

  private static func policy(_ seats: String) -> String {
    #""player": { "policy": { "like": "avfoundation", \#(seats) } }"#
  }

  private static let written: [String] =
    [
      #""cut": { "bytes": "9 B" }, "statistics": [ { "mean": 3 } ]"#,
      #""cut": { "every": "1 s" }, "statistics": [ { "halfLife": "3 s" } ]"#,
      #""statistics": [ { "percentile": "50 %" } ]"#, #""statistics": [ "last" ]"#,
    ].map { policy(#""streamEstimator": { "samples": { \#($0) } }"#) }
    + [
      "band", "bola", "dynamic", "enhancedBola", "guarded", "predictive", "sabreThroughput", "step",
      "throughput",
    ].map { policy(#""nextVariant": { "\#($0)": {} }"#) }
    + [
      #""firstVariant": { "share": "80 %" }"#, #""firstVariant": { "assumed": "1 Mbit/s" }"#,
      #""abandon": { "patience": "2 s" }"#, #""abandon": { "first": {} }"#,
      #""abandon": { "slow": {} }"#,
      #""choice": { "at": "arrival" }"#, #""choice": { "again": "never" }"#,
      #""start": { "escalating": { "marks": [ { "media": "1 s" }, { "media": "2 s" } ] } }"#,
      #""start": { "every": { "period": "1 s", "rule": { "media": "1 s" } } }"#,
      #""start": { "lateness": { "from": "1 s" } }"#, #""start": { "playThrough": {} }"#,
      #""start": { "queue": { "holds": "1 s" } }"#, #""stall": { "below": "0.3 s" }"#,
    ].map { policy($0) }
    + [
      policy(#""fileEstimator": { "history": { "leastSince": {} } }"#) + ", " + file,
      #""players": [ { "name": "b", "media": \#(stream), "script": [ \#(pause) ] } ]"#,
      #""tags": [ "idle" ], "horizon": "2 s""#,
      #""looping": { "way": "treadmill" }, "horizon": "30 s", \#(file)"#,
      #""looping": { "way": "looper" }, "horizon": "30 s", \#(file)"#,
      #""player": { "latency": { "notification": "10 ms" } }, \#(file)"#,
      #""player": { "latency": { "command": "10 ms" } }, \#(file)"#,
      #""player": { "retry": { "attempts": 2 } }"#, #""player": { "retry": { "backOff": "2 s" } }"#,
      #""script": [ { "on": "likelyToKeepUp", "do": "play" } ]"#,
      #""link": { "schedule": { "steps": [ { "for": "9 s", "bandwidth": "1 Mbit/s" } ] } }"#,
      hls(#""duration": "90 s", "live": { "start": { "offset": "-8 s" } }"#)
        + #", "horizon": "40 s""#,
      hls(#""duration": "9 s", "sizes": { "peak": "120 %" }"#),
      hls(#""duration": "9 s", "audioPadding": { "sampleRate": 48000, "editList": true }"#),
    ]

  /// Each default of the schema by its table and key.
  private func defaults(
    of schema: Object, _ seen: inout Set<String>, into places: inout Set<String>
  ) {
    let branches = branches(schema)
    let properties = properties(branches)
    let table = properties.map { $0.key }.joined(separator: " ")
    var below = properties.filter { seen.insert("\(table): \($0.key)").inserted }
    for (key, schema) in below where whole(schema)["default"] != nil {
      places.insert("\(table): \(key)")
    }
    for branch in branches {
      for word in ["items", "additionalProperties"] {
        if let schema = branch[word] as? Object { below.append((word, schema)) }
      }
    }
    for (_, schema) in below { defaults(of: schema, &seen, into: &places) }
  }

  @Test func `a default that is spelled out equals its absence`() throws {
    let documents = try documents()
    var gaps: [String: [Gap]] = [:]
    for (shipped, document) in documents {
      self.gaps(in: document, schema, [], of: shipped, into: &gaps)
    }
    var (seen, untried): (Set<String>, Set<String>) = ([], [])
    defaults(of: schema, &seen, into: &untried)
    for (name, places) in gaps.sorted(by: { $0.key < $1.key }) {
      var tried = 0
      for gap in places where tried < (Seeds.areMany ? 8 : 1) {
        let document = documents.first { $0.shipped.path == gap.shipped.path }?.document ?? [:]
        // Keys that may not stand beside others are refused there.
        let spelled = set(gap, gap.path[...], in: document)
        guard let found = try lines(spelled, gap.shipped) else { continue }
        tried += 1
        untried.remove(gap.place)
        #expect(try lines(document, gap.shipped) == found, "\(gap.shipped.path): \(name)")
        #expect(
          decisions(document, gap.shipped) == decisions(spelled, gap.shipped),
          "\(gap.shipped.path): \(name)")
      }
    }
    // Expectations were left out.
    untried = untried.filter { !$0.hasPrefix("after by event number: ") }
    #expect(untried == [])
  }
}

import Foundation
import TestSupport
import Testing

/// In how few files a name of the scenario format stands.
///
/// A key, a verb, a property or a word belongs to one description; whoever spells it again has to
/// be found when it changes. Only names of several words are counted: a short one is English too.
@Suite struct FormatNames {
  /// Those of the trace and of the figures above the engine, which has AVFoundation's names itself.
  static let modules = [
    "ScenarioFormat", "ScenarioRunner", "RunReports", "HeuristicComparison", "goldilocks",
  ]
  static let limit = 4
  /// Swift's own labels, which are no mention of the key.
  static let labels = ["atLeast", "atMost"]

  /// Names that stand in more files, with how many; these only shrink, but where measurements of
  /// players, a format of their own, have the same word.
  static let tooMany: [String: Int] = [
    "accessLog": 7,
    "congestionControl": 5,
    "currentItem": 7,
    "currentTime": 6,
    "dnsDelay": 7,
    "errorLog": 8,
    "firstByte": 6,
    "firstVariant": 8,
    "leakedPlayers": 7,
    "nextVariant": 6,
    // A session's line has it, and so has a run's.
    "requestCount": 5,
    "segmentDuration": 5,
    "startLooping": 5,
    "startupDelay": 5,
    "timeControlStatus": 8,
  ]

  /// How many source files of all modules may mention a stall count.
  @Test func `a stall count stands in five files`() {
    let files = SourceTree.files.filter {
      $0.module != nil && $0.mentions("stallCount") && Self.words(of: $0).contains("stallCount")
    }
    #expect(files.count <= 5, "\(files.map { $0.path })")
  }

  @Test func `a name of the format stands in few files`() throws {
    let files = SourceTree.files.filter { Self.modules.contains($0.module ?? "") }
    let words = files.map { Self.words(of: $0) }
    for name in try Self.names() where !Self.labels.contains(name) {
      let count = words.filter { $0.contains(name) }.count
      let most = Self.tooMany[name] ?? Self.limit
      #expect(count <= most, "\(name) stands in \(count) files, over \(most)")
      if Self.tooMany[name] != nil {
        let advice = count > Self.limit ? "lower its ratchet" : "take its ratchet out"
        #expect(count == most, "\(name) stands in \(count) files: \(advice)")
      }
    }
  }

  /// The names of several words in the schema that is shipped.
  private static func names() throws -> [String] {
    let data = try Data(contentsOf: Checkout.at("Scenarios/.scenario.schema.json"))
    var names: Set<String> = []
    func collect(_ value: Any) {
      if let object = value as? [String: Any] {
        for (key, part) in object {
          if key == "properties", let keys = part as? [String: Any] { names.formUnion(keys.keys) }
          if key == "enum", let words = part as? [Any] {
            names.formUnion(words.compactMap { $0 as? String })
          }
          if key == "const", let word = part as? String { names.insert(word) }
          collect(part)
        }
      } else if let list = value as? [Any] {
        for element in list { collect(element) }
      }
    }
    collect(try JSONSerialization.jsonObject(with: data))
    return names.filter { $0.contains(/^[a-z]+[A-Z][A-Za-z]*$/) }.sorted()
  }

  private static func words(of file: SourceFile) -> Set<String> {
    var words: Set<String> = []
    for line in file.lines {
      for word in line.split(whereSeparator: { !isLetter($0) }) {
        words.insert(String(decoding: word, as: UTF8.self))
      }
    }
    return words
  }
}

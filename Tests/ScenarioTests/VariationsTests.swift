import ExactText
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// The variations that `explore` runs.
struct VariationsTests {
  static let scenarios = [
    """
    { "scenario": "a", "about": "b", "link": { "profile": "Slow Server" },
      "media": { "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ] }
    """,
    """
    { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s", "delay": "20 ms" },
      "media": { "hls": { "duration": "60 s",
        "ladder": [ { "bitrate": "1 Mbit/s" }, { "bitrate": "3 Mbit/s" } ] } },
      "player": { "automaticallyWaitsToMinimizeStalling": true },
      "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "stallCount": 0 } ] }
    """,
  ]

  private func variations(_ text: String, seed: UInt64 = 1) throws -> Variations {
    Variations(
      of: JSONTree(try JSONValue(parsing: Array(text.utf8))), seed: seed,
      ended: .zero + .seconds(40))
  }

  @Test(arguments: scenarios)
  func `nearly every variation is a valid scenario, and no two are alike`(text: String) throws {
    let variations = try variations(text)
    var (mistakes, texts): ([String], Set<[UInt8]>) = ([], [])
    for number in 0..<400 {
      let document = variations.document(number).text
      texts.insert(document)
      do throws(DocumentError) {
        _ = try readScenario(document, file: "a.json")
      } catch {
        mistakes += error.diagnostics.map { $0.words }
      }
    }
    #expect(texts.count == 400)
    #expect(mistakes.count <= 20, "\(mistakes)")
  }

  @Test(arguments: scenarios)
  func `the variations depend on the seed, and the first is the scenario`(text: String) throws {
    let (one, same, other) = (
      try variations(text), try variations(text), try variations(text, seed: 2)
    )
    #expect(one.document(0).text == JSONTree(try JSONValue(parsing: Array(text.utf8))).text)
    for number in 1..<100 {
      #expect(one.document(number).text == same.document(number).text)
      #expect(one.document(number).text != other.document(number).text)
    }
  }

  @Test func `links, steps and settings are all varied`() throws {
    let variations = try variations(Self.scenarios[1])
    let documents = (0..<400).map { variations.document($0).json }
    let words = [
      #""outages""#, #""schedule""#, #""repeat""#, #""hold""#, #""loss""#, #""tcp""#, #""policy""#,
      #""seek""#, #""pause""#, #""playImmediately""#, #""setRate""#, #""beginInterruption""#,
      #""setAutomaticallyWaitsToMinimizeStalling""#, #""preferredForwardBufferDuration""#,
      "ToMinimizeStalling\":false", "ToMinimizeStalling\":true",
    ]
    for word in words {
      let count = documents.count {
        $0.replacing(": ", with: ":").contains(word)
      }
      #expect((4...398).contains(count), "\(word) \(count)")
    }
  }
}

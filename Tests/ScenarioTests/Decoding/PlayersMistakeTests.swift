import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What can be wrong with tracks, pictures and further players.
@Suite struct PlayersMistakeTests {
  static let sample = """
    { "scenario": "s", "about": "a", "link": { "bandwidth": "4 Mbit/s" },
      "media": { "local": { "duration": "9 s", "bitrate": "1 Mbit/s",
        "tracks": [ { "kind": "video", "name": "V", "colour": "P3 D65" } ] } },
      "player": { "videoOutput": { "workingSpace": "12-1-1" } },
      "script": [ { "at": "1 s", "do": "setTrackEnabled", "track": "V", "to": false } ],
      "players": [ { "name": "two",
        "media": { "local": { "duration": "9 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "1 s", "do": "play", "name": "mine" } ],
        "expect": [ { "at": { "after": "mine" }, "rate": 1 } ] } ] }
    """

  @Test func `the sample is right`() throws {
    let outcome = try run(readScenario([UInt8](Self.sample.utf8), file: "a.json"))
    #expect(outcome.failures.isEmpty)
    #expect(outcome.others.map { $0.name } == ["two"])
    #expect(outcome.others[0].player.books.played == .seconds(9))
  }

  @Test(arguments: [
    ("\"track\": \"V\"", "\"track\": \"W\"", "no track is called “W”"),
    ("P3 D65", "P3 D66", "“P3 D66” is no colour"),
    ("12-1-1", "12-1", "“12-1” is no colour"),
    ("\"kind\": \"video\"", "\"kind\": \"audio\"", "is of pictures only"),
    ("\"workingSpace\":", "\"allowWideColor\": true, \"workingSpace\":", "stands beside"),
    ("\"after\": \"mine\"", "\"after\": \"setTrackEnabled\"", "no step is called"),
    ("\"name\": \"two\",", "\"nmae\": \"two\",", "nmae"),
    (
      "\"player\": {", "\"fidelity\": \"tcp\", \"player\": { \"networkResourcePriority\": \"low\",",
      "“networkResourcePriority” applies to fluid only"
    ),
    (
      "\"script\": [ {",
      "\"fidelity\": \"tcp\", \"script\": [ { \"at\": \"0 s\", "
        + "\"do\": \"setNetworkResourcePriority\", \"to\": \"high\" }, {",
      "“setNetworkResourcePriority” applies to fluid only"
    ),
    (
      "\"script\": [ {",
      "\"script\": [ { \"at\": \"0 s\", \"do\": \"setNetworkResourcePriority\", "
        + "\"to\": \"hihg\" }, {", "did you mean “high”?"
    ),
  ])
  func `a mistake is told`(_ text: String, _ replacement: String, _ message: String) throws {
    let wrong = Self.sample.replacing(text, with: replacement)
    #expect(wrong != Self.sample)
    do throws(DocumentError) {
      _ = try readScenario([UInt8](wrong.utf8), file: "a.json")
      Issue.record("\(replacement) is taken")
    } catch {
      #expect(error.text.contains(message), "\(error.text)")
    }
  }

  @Test func `without the other player the link is the first one's alone`() throws {
    for name in ["two-players-share-the-link", "network-priority-low-waits"] {
      var scenario = try ShippedScenario.named(name).read()
      scenario.others = []
      #expect(try !run(scenario).failures.isEmpty)
    }
  }
}

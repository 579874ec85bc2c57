import ExactText
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// Seeded damage to JSON texts: the reader refuses or reads them, and what it reads can be written
/// and read again.
@Suite struct JSONMutationTests {
  @Test func `damaged texts are read or refused`() {
    let texts = SuiteCase.all(in: acceptedTexts).map(\.bytes) + [Self.scenario]
    var damage = Damage(state: 503)
    var accepted = 0
    let count = Seeds.count(8_000, inRelease: 60_000)
    for _ in 0..<count {
      let text = damage.damaged(texts[damage.below(texts.count)], with: texts)
      guard let value = try? JSONValue(parsing: text) else { continue }
      accepted += 1
      for layout in [JSONWriter.Layout.compact, .indented] {
        var writer = JSONWriter(layout)
        writer.value(value)
        guard let again = try? JSONValue(parsing: writer.bytes), again.hasSameContent(as: value)
        else {
          Issue.record("not the same again: \(writer.text)")
          return
        }
      }
    }
    // The damage must leave both kinds in good number, or the test shows little.
    #expect(accepted * 10 > count && accepted * 10 < 9 * count)
  }

  @Test func `no prefix of a document is a document`() {
    for length in Self.scenario.indices {
      #expect(throws: JSONError.self) { try JSONValue(parsing: Self.scenario.prefix(length)) }
    }
  }

  private static let scenario = [UInt8](
    #"""
    {
      "$schema": "…", "scenario": "Slow Server: play, then \u00e9 wait \ud83d\ude00",
      "seed": 503, "link": { "profile": "Slow Server", "loss": null },
      "media": { "progressive": { "duration": "39 s", "sizes": [1, 2.5e3, -0] } },
      "script": [ { "when": "loaded >= 0.3 s", "do": "play" }, [], {}, [[true], false] ]
    }
    """#.utf8)
}

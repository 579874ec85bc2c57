import ExactText
import ScenarioRunner
import Testing

/// Seeded damage to JSON texts: the reader refuses or reads them, and what it reads can be written
/// and read again.
@Suite struct JSONMutationTests {
  @Test func `thirty thousand damaged texts are read or refused`() {
    let texts = SuiteCase.all(in: acceptedTexts).map(\.bytes) + [Self.scenario]
    var damage = Damage(state: 503)
    var accepted = 0
    for _ in 0..<30_000 {
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
    #expect((3_000...27_000).contains(accepted))
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

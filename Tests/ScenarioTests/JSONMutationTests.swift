import ScenarioRunner
import Testing

/// Seeded damage to JSON texts: the reader refuses or reads them, and what it reads can be written
/// and read again.
@Suite struct JSONMutationTests {
  @Test func `thirty thousand damaged texts are read or refused`() {
    let texts = SuiteCase.all(in: acceptedTexts).map(\.bytes) + [Self.scenario]
    var generator = Generator(state: 503)
    var accepted = 0
    for _ in 0..<30_000 {
      let text = generator.damaged(texts[generator.below(texts.count)], with: texts)
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

/// A small congruential generator: the same damage on every run.
private struct Generator {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  /// A text after one to four cuts, exchanges, insertions or repetitions.
  mutating func damaged(_ text: [UInt8], with others: [[UInt8]]) -> [UInt8] {
    var text = text
    for _ in 0...below(4) {
      let place = below(text.count + 1)
      let end = min(text.count, place + below(6))
      switch below(6) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.insert(Self.tokens[below(Self.tokens.count)], at: place)
      case 2: text.insert(UInt8(below(256)), at: place)
      case 3: text.insert(contentsOf: others[below(others.count)], at: place)
      case 4: text.insert(contentsOf: text[place..<end], at: place)
      default: if place < text.count { text[place] ^= 1 << UInt8(below(8)) }
      }
    }
    return text
  }

  private static let tokens = [UInt8](#"{}[]:,"\ue-+.0129 ntf/"#.utf8)
}

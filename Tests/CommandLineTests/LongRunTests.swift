import Foundation
import Testing

/// Runs of days take the memory of runs of minutes.
@Suite struct LongRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func loop(horizon: String, expecting expectations: String) -> String {
    """
    { "scenario": "Round and round", "about": "A clip of two seconds.", "horizon": "\(horizon)",
      "eventBudget": 1000000000, "link": {},
      "media": { "local": { "duration": "2 s", "bitrate": "1 Mbit/s" } },
      "looping": "rewind", "script": [ { "at": "0 s", "do": "play" } ],
      "expect": [ \(expectations) ] }
    """
  }

  @Test func `an expectation that fails shows the trace around its moment`() throws {
    try place.write(
      loop(horizon: "1 min", expecting: #"{ "at": "31 s", "rate": 2 }, { "loopCount": 4 }"#),
      to: "two.json")
    let run = try place.run("test", "two.json")
    #expect(run.exitCode == 1)
    #expect(run.text.contains(#"trace     {"t":"#))
    #expect(run.text.contains(#"{"t":30,"#) && run.text.contains(#"{"t":32,"#))
  }

  @Test func `a large trace replays, and differs in nothing from a small one's way`() throws {
    try place.write(loop(horizon: "15 min", expecting: ""), to: "long.json")
    #expect(try place.run("run", "long.json", "--quiet", "--trace", "a").exitCode == 0)
    #expect(
      try place.run("run", "long.json", "--quiet", "--trace", "/dev/stdout").text
        == (try place.read("a")))
    #expect(try place.run("replay", "a").exitCode == 0)
  }
}

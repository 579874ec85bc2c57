import Foundation
import Testing

/// `goldilocks diff` and `replay`: what they make of bytes that differ and say the same.
@Suite(.besideOthers) struct DiffTests {
  let place: Workplace
  let trace: String

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(), to: "one.json")
    _ = try place.run("run", "one.json", "--quiet", "--trace", "one.trace")
    trace = try place.read("one.trace")
  }

  private func diff(_ other: String) throws -> CommandRun {
    try place.write(other, to: "two.trace")
    return try place.run("diff", "one.trace", "two.trace")
  }

  @Test func `a trace is the same as itself, and nothing more is said`() throws {
    let run = try diff(trace)
    #expect(run.exitCode == 0)
    #expect(run.text.hasPrefix("The traces tell the same: "))
    #expect(run.text.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ("\"t\":0,", "\"t\" : 0 ,"), ("\"t\":1,", "\"t\":1.0,"), ("\"t\":1,", "\"t\":10e-1,"),
    ("\"t\":1,", "\"t\":0.1E+1,"), ("\"stallCount\":0", "\"stallCount\":-0e7"),
    ("\"event\"", "\"\\u0065vent\""), ("\n{", "\n\t{"),
  ])
  func `white space and other ways to write a value are told apart from a difference`(
    old: String, new: String
  ) throws {
    #expect(trace.contains(old))
    let run = try diff(trace.replacingOccurrences(of: old, with: new))
    #expect(run.exitCode == 0, "\(run.text)")
    #expect(run.text.contains("white space or in how a value is written"))
  }

  @Test(arguments: [("\"t\":1,", "\"t\":1.000000001,"), ("\"t\":1,", "\"t\":1e1,")])
  func `another number is a difference`(old: String, new: String) throws {
    let run = try diff(trace.replacingOccurrences(of: old, with: new))
    #expect(run.exitCode == 1)
  }

  @Test func `a digest that differs alone is said to be wrong`() throws {
    let place = try #require(trace.range(of: "\"digest\":\""))
    var other = trace
    let digit = place.upperBound
    other.replaceSubrange(digit...digit, with: trace[digit] == "0" ? "1" : "0")
    let run = try diff(other)
    #expect(run.exitCode == 1)
    #expect(run.text.contains("only their digests differ"))
  }

  @Test(arguments: [["replay", "old.trace"], ["diff", "old.trace", "one.trace"]])
  func `a trace of the first format is refused as one`(arguments: [String]) throws {
    try place.write(
      trace.replacingOccurrences(of: #"{"trace":3,"#, with: #"{"trace":1,"#), to: "old.trace")
    let run = try place.run(arguments)
    #expect(run.exitCode == 65)
    #expect(run.text.isEmpty)
    #expect(
      run.errorText.contains(
        "old.trace: line 1: the trace has format 1; this tool reads format 3; record it again "
          + "with “goldilocks run … --trace FILE”."))
  }

  @Test func `where two runs part, both clauses are named, and what followed`() throws {
    try place.write(slowScenario(), to: "slow.json")
    for (name, heuristic) in [
      ("waits", "playThrough"), ("starts", "thresholds 1 s/2 s"), ("all", "everythingLoaded"),
    ] {
      _ = try place.run(
        "run", "slow.json", "--quiet", "--heuristic", heuristic, "--trace", name + ".trace")
    }
    // Ten seconds at 2 Mbit/s over 1.6: two and a half seconds are needed ahead.
    let run = try place.run("diff", "waits.trace", "starts.trace")
    #expect(run.exitCode == 1)
    #expect(run.text.contains("The first decision at which they part:\n  waits.trace:"))
    #expect(
      run.text.contains(
        "at 0 s, by nothingLoaded, with 0.000 s ahead and no estimate\n    then timeControlStatus "
          + "status=playing"))
    #expect(run.text.contains("at 2.5 s; startupDelaySeconds 2.5, stallCount 0, stalledSeconds 0"))
    #expect(
      run.text.contains(
        "at 0 s, by belowThreshold, with 0.000 s ahead and no estimate\n    then timeControlStatus "
          + "status=playing"))
    #expect(run.text.contains("rule=waitedEnough at 1.25 s; startupDelaySeconds 1.25, stallCount"))
    let answer = try place.run("diff", "waits.trace", "all.trace", "--format", "json").text
    let json = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    let decision = json?["decision"] as? [String: [String: Any]]
    let (first, second) = (decision?["first"], decision?["second"])
    #expect(first?["clause"] as? String == "nothingLoaded")
    #expect(second?["clause"] as? String == "notEverythingLoaded")
    #expect(first?["file"] as? String == "waits.trace")
    #expect((second?["then"] as? String)?.contains("startupDelaySeconds 12.5") == true)
  }

  private func slowScenario() -> String {
    """
    {
      "scenario": "Slow", "about": "A link slower than the media.",
      "link": { "bandwidth": "1.6 Mbit/s" },
      "media": { "progressive": { "duration": "10 s", "bitrate": "2 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ]
    }
    """
  }

  @Test func `replay says which version recorded a trace, and asks for one`() throws {
    let old = trace.replacingOccurrences(of: #""tool":"0.1.0""#, with: #""tool":"0.0.9""#)
    try place.write(old, to: "old.trace")
    let run = try place.run("replay", "old.trace")
    #expect(run.exitCode == 0)
    #expect(run.text.contains("recorded by version 0.0.9 and replayed by 0.1.0"))
    #expect(!(try place.run("replay", "one.trace").text.contains("recorded by")))
    for tool in ["", #""tool":null,"#, #""tool":9,"#] {
      try place.write(
        trace.replacingOccurrences(of: #""tool":"0.1.0","#, with: tool), to: "none.trace")
      let none = try place.run("replay", "none.trace")
      #expect(none.exitCode == 65)
      #expect(none.errorText.contains("which version of the tool"))
    }
  }
}

import Foundation
import TestSupport
import Testing

/// Where two policies part.
@Suite(.besideOthers) struct ExplanationTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.writeStudy()
    try place.write("0,300k\n", to: "slow.csv")
  }

  @Test func `two policies are explained by the first decision that differs`() throws {
    let run = try place.run(
      "compare", "one.json", "--set", "link.bandwidth=500 kbit/s", "--heuristics",
      "own,everythingLoaded,thresholds 1 s/2 s", "--explain", "own", "thresholds 1 s/2 s",
      "--scenario", "Short")
    #expect(run.exitCode == 1)
    #expect(run.text.contains("The first decision at which they part:"))
    #expect(run.text.contains("by ") && run.text.contains("startupDelaySeconds"))
    let same = try place.run(
      "compare", "one.json", "--heuristics", "own,immediate", "--explain", "own", "own")
    #expect(same.exitCode == 0)
    let unknown = try place.run("compare", "one.json", "--explain", "own", "playTrough")
    #expect(unknown.exitCode == 64)
    // Who is explained need not be named twice.
    let presets = try place.run("compare", "stream.json", "--explain", "avfoundation", "BOLA")
    #expect(presets.exitCode == 1 && presets.text.contains("The first decision"))
    let both = try place.run("compare", "stream.json", "--explain", "BOLA", "BOLA")
    #expect(both.exitCode == 0, "\(both.errorText)")
  }

  @Test func `a preset that plays what it is not known with says so`() throws {
    func notes(_ policies: String, _ file: String = "stream.json") throws -> String {
      let run = try place.run("compare", file, "--policies", policies, "--format", "json")
      #expect(run.exitCode == 0, "\(run.errorText)")
      return run.errorText
    }
    let said = try notes("avfoundation,GStreamer 1.22 playbin,hls.js 1.6")
    #expect(said.contains("note: 'GStreamer 1.22 playbin' is known with files: what it does in"))
    #expect(!said.contains("avfoundation") && !said.contains("hls.js"))
    #expect(try !notes("GStreamer 1.22 playbin", "one.json").contains("is known with"))
    let page = try place.run("heuristics", "GStreamer 1.22 playbin")
    #expect(page.text.contains("known with") && page.text.contains("files"))
  }

  @Test func `what is explained is the session in which two policies differ most`() throws {
    // They ask for the same to start with, and part where it runs out long before the end.
    let pair = ["thresholds 1 s/1 s", "thresholds 1 s/2 s"]
    let command =
      [
        "compare", "one.json", "--links", "drives/b.csv,drives/a.csv,slow.csv,3G", "--heuristics",
        pair.joined(separator: ","), "--explain",
      ] + pair
    let run = try place.run(command)
    #expect(run.exitCode == 1)
    #expect(
      run.errorText.contains(
        "after 6 s b.csv holds its last value, and 1 other at its end; --repeat starts again"))
    #expect(
      run.text.hasPrefix("Short, link slow.csv, seed 7; of 4 sessions the one that differs most\n"))
    #expect(run.text.contains("The first decision at which they part:"))
    let json = try place.run(command + ["--format=json", "--sessions", "s.jsonl", "--jobs=2"])
    #expect(
      json.errorText.hasSuffix(
        "note: beside '--explain' '--sessions' and '--jobs' have no effect\n"))
    let answer = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    #expect(answer?["sessions"] as? Int == 4 && answer?["same"] as? Bool == false)
    #expect((answer?["session"] as? [String: Any])?["link"] as? String == "slow.csv")
    let rest = command.map { $0.hasPrefix("drives") ? "drives" : $0 }
    let none = try place.run(rest)
    #expect(none.exitCode == 0, "\(none.errorText)")
    #expect(
      none.text == "'thresholds 1 s/1 s' and 'thresholds 1 s/2 s' do the same in all 2 sessions.\n")
    #expect(try place.run(command + ["--format=csv"]).exitCode == 64)
    let alone = try place.run("compare", "one.json", "--scenario", "Short")
    #expect(alone.errorText.contains("without '--explain' '--scenario' has no effect"))
  }

  /// Over 400 kbit/s a start with 1 s comes 18 s sooner than one with 8 s and stalls 21 s, which
  /// nearly cancel; over 950 kbit/s it comes 7 s sooner, and neither stalls.
  @Test func `a sooner start does not make up for a longer stall`() throws {
    let long = shortScenario().replacingOccurrences(of: "\"4 s\"", with: "\"10 s\"")
    try place.write(long, to: "long.json")
    for rate in [400, 950] { try place.write("time,kbps\n0,\(rate)\n", to: "\(rate).csv") }
    let pair = ["thresholds 1 s/9 s", "thresholds 8 s/8 s"]
    let run = try place.run(
      [
        "compare", "long.json", "--set", "link.delay=30 ms", "--links", "950.csv,400.csv",
        "--explain",
      ] + pair)
    #expect(run.text.contains("link 400.csv, seed 7; of 2 sessions the one"), "\(run.text)")
  }

  @Test func `of several scenarios of one name, one is named by its file`() throws {
    // Over the first nobody stalls; over the second they stall, and go on with 1 s or with 2 s.
    for (rate, file) in [("100 Mbit/s", "fast.json"), ("500 kbit/s", "deep/two.json")] {
      let text = shortScenario().replacingOccurrences(of: "2 Mbit/s\" }", with: rate + "\" }")
      try place.write(text, to: file)
    }
    let command = [
      "compare", "fast.json", "deep/two.json", "--explain", "thresholds 1 s/1 s",
      "thresholds 1 s/2 s",
    ]
    let both = try place.run(command)
    #expect(both.text.hasPrefix("Short (deep/two.json), link own, seed 7;"), "\(both.text)")
    let named = try place.run(command + ["--scenario", "Short"])
    #expect(named.exitCode == 64)
    #expect(
      named.errorText.hasPrefix(
        "Error: There are 2 scenarios 'Short': please name one of 'fast.json' and "
          + "'deep/two.json'.\n"))
    let first = try place.run(command + ["--scenario", "fast.json"])
    #expect(first.exitCode == 0)
    let second = try place.run(command + ["--scenario", "two.json", "--format=json"])
    let answer = try JSONSerialization.jsonObject(with: second.output) as? [String: Any]
    #expect((answer?["session"] as? [String: Any])?["file"] as? String == "deep/two.json")
  }

  @Test func `who waits by another clause does the same, and parts where one goes on`() throws {
    // 1 Mbit/s over half of that: both wait from the tap at 1 s, with half a second there, and one
    // has its second at 2 s.
    let run = try place.run(
      "compare", "one.json", "--set", "link.bandwidth=500 kbit/s", "--explain",
      "thresholds 1 s/1 s", "everythingLoaded")
    #expect(run.exitCode == 1)
    #expect(
      run.text.contains("thresholds 1 s/1 s:") && run.text.contains("at 2 s, by thresholdReached"))
    #expect(!run.text.contains("clause is"))
    // The same decisions by other clauses are no parting.
    let alike = try place.run(
      "compare", "one.json", "--set", "link.bandwidth=100 Mbit/s", "--explain",
      "everythingLoaded", "thresholds 4 s/4 s")
    #expect(
      alike.text == "'everythingLoaded' and 'thresholds 4 s/4 s' do the same in the one session.\n")
  }
}

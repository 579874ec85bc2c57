import Foundation
import TestSupport
import Testing

/// Parts of a study that are called the same, have no effect, or are missing.
@Suite(.besideOthers) struct StudyNameTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(), to: "one.json")
    for (number, name) in ["n/a/traces/x", "n/b/traces/x", "n/b/traces/y", "c/x"].enumerated() {
      try place.write("0,\(number + 1)M\n4,300k\n", to: name + ".csv")
    }
  }

  private func links(_ arguments: String...) throws -> [String] {
    let run = try place.run(["compare", "one.json", "--format", "json"] + arguments)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let found = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    return try #require(found?["links"] as? [String])
  }

  // MARK: Names

  @Test func `recordings that would be called the same have as much of their paths as it takes`()
    throws
  {
    #expect(try links("--links", "n/a/traces") == ["traces/x.csv"])
    #expect(
      try links("--links", "n/a/traces,n/b/traces,3G") == [
        "a/traces/x.csv", "b/traces/x.csv", "b/traces/y.csv", "3G",
      ])
    #expect(
      try links("--links", "n/a/traces/x.csv,c/x.csv,n/b/traces/x.csv,n/b/traces/y.csv") == [
        "a/traces/x.csv", "c/x.csv", "b/traces/x.csv", "y.csv",
      ])
    let groups = try place.run(
      "compare", "one.json", "--links", "n/a/traces,n/b/traces", "--by", "folder", "--by",
      "folder")
    let heads = groups.text.split(separator: "\n").filter { $0.hasPrefix("folder ") }
    #expect(heads == ["folder a/traces", "folder b/traces"])
  }

  @Test(arguments: [
    (#""3G", { "name": "3G", "link": { "bandwidth": "5 Mbit/s" } }"#, "3G"),
    (
      #"""
      { "name": "slow", "link": { "bandwidth": "1 Mbit/s" } },
      { "name": "slow", "link": { "bandwidth": "2 Mbit/s" } }
      """#, "slow"
    ),
  ])
  func `links of one's own are not called the same`(links: String, name: String) throws {
    try place.write(
      #"{ "study": "Names", "scenarios": ["one.json"], "links": [\#(links)] }"#, to: "study.json")
    let run = try place.run("compare", "study.json")
    #expect(run.exitCode == 65 && run.errorText.contains("Two links are called '\(name)'."))
  }

  /// Startup with `immediate` is nothing, and with `everythingLoaded` all of 4 s × 1/2 or 1/4, of
  /// which a second is over at the tap: 1 s and nothing. Their mean lies between these.
  @Test func `scenarios that are called the same are told apart by their files`() throws {
    let other = shortScenario().replacingOccurrences(of: "2 Mbit/s", with: "4 Mbit/s")
    try place.write(other, to: "other.json")
    let renamed = other.replacingOccurrences(of: "\"Short\"", with: "\"Other\"")
    try place.write(renamed, to: "renamed.json")
    for second in ["other.json", "renamed.json"] {
      let run = try place.run(
        "compare", "one.json", second, "--heuristics", "everythingLoaded", "--format", "json")
      let found = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
      let policies = try #require(found?["policies"] as? [[String: Any]])
      let figures = try #require(policies.first?["figures"] as? [String: [String: Any]])
      let startup = try #require(figures["startupDelaySeconds"])
      #expect(startup["mean"] as? Double == 0.5)
      #expect(startup["meanInterval"] as? [Double] == [0, 1])
    }
  }

  // MARK: Settings and links without effect

  @Test func `a setting that varies twice is refused`() throws {
    let run = try place.run(
      "compare", "one.json", "--vary", "link.delay=1ms,2ms", "--vary", "link.delay=3ms")
    #expect(run.exitCode == 64, "\(run.errorText)")
    #expect(run.errorText.contains("The setting 'link.delay' varies twice."))
  }

  @Test(arguments: ["", "study"])
  func `a setting that is set and varies is refused`(study: String) throws {
    try place.write(
      """
      { "study": "a", "about": "b", "scenarios": ["one.json"], "set": { "link.delay": "9 ms" },
        "vary": { "link.delay": ["1 ms", "2 ms"] } }
      """, to: "study")
    let options = ["one.json", "--vary", "link.delay=1ms,2ms", "--set", "link.delay=9ms"]
    let run = try place.run(["compare"] + (study.isEmpty ? options : [study]))
    #expect(run.exitCode == (study.isEmpty ? 64 : 65), "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("has no effect: the setting varies."), "\(run.errorText)")
    let apart = ["compare", "one.json", "--vary", "link.delay=1ms,2ms", "--set", "link.loss=1%"]
    #expect(try place.run(apart).exitCode == 0)
  }

  @Test(arguments: [
    #""vary": { "seed": [5, 6] }"#, #""set": { "seed": 5 }"#,
    #""policies": ["own", { "name": "B", "policy": "BOLA", "set": { "seed": 5 } }]"#,
  ])
  func `a seed of a policy is refused, for results would name another`(part: String) throws {
    try place.write(#"{ "study": "a", "scenarios": ["one.json"], \#(part) }"#, to: "study.json")
    for seeds in [[], ["--seeds", "1,2"]] {
      let run = try place.run(["compare", "study.json"] + seeds)
      #expect(run.exitCode == 65, "\(run.text)")
      let words =
        seeds.isEmpty
        ? "'seed=5' is no seed of the study: '--seeds' gives those."
        : "'seed=5' would replace the seed that '--seeds' gives."
      #expect(run.errorText.contains(words), "\(run.errorText)")
      let varied = try place.run(["compare", "one.json", "--vary", "seed=5,6"] + seeds)
      #expect(varied.exitCode == 64 && varied.errorText.contains(words), "\(varied.errorText)")
    }
  }

  @Test(arguments: ["link={}", #"link={"bandwidth":"1 Mbit/s"}"#])
  func `a link that would replace those of the study is refused`(edit: String) throws {
    let words = "would replace the link that '--links' gives."
    for option in ["--set", "--vary"] {
      let study = ["compare", "one.json", option, edit]
      let run = try place.run(study + ["--links", "3G,c/x.csv"])
      #expect(run.exitCode == 64 && run.errorText.contains(words), "\(run.errorText)")
      #expect(!(try place.run(study)).errorText.contains("would replace"))
    }
  }

  @Test func `a seed or link that is set beside those of a test is refused`() throws {
    let run = try place.run("test", "one.json", "--seeds", "2", "--set", "seed=7")
    #expect(run.exitCode == 64, "\(run.text)\(run.errorText)")
    let words = "'seed=7' would replace the seed that '--seeds' gives."
    #expect(run.errorText.contains(words), "\(run.errorText)")
    let link = try place.run("test", "one.json", "--links", "3G", "--set", "link={}")
    #expect(link.exitCode == 64, "\(link.text)\(link.errorText)")
    #expect(link.errorText.contains("'link={}' would replace the link that '--links'"))
    let other = try place.run("test", "one.json", "--seeds", "2", "--set", "link.loss=1%")
    #expect(!other.errorText.contains("has no effect"), "\(other.errorText)")
  }

  @Test(
    arguments: [
      (["--seeds", "3,5,3"], "The seed '3' is named twice."),
      (["--links", "3G,DSL,3g"], "The link '3G' is named twice."),
      (["--links", "c/x.csv,./c/x.csv"], "The link './c/x.csv' is the same as 'c/x.csv'."),
    ])
  func `a cell of a test that would be played twice is refused`(cells: [String], words: String)
    throws
  {
    let run = try place.run(["test", "one.json"] + cells)
    #expect(run.exitCode == 64 && run.text == "", "\(run.text)")
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (["--vary", "player.latency.command=1ms,2ms"], " are the same: what varies between them"),
        (
          ["--heuristics", "immediate", "--vary", "player.heuristic=immediate,playThrough"],
          " are the same: what varies between them has no effect in this study"
        ),
        (
          ["--links", "3G,DSL", "--vary", "link.profile=LTE,3G"], "over '3G' and 'DSL' are the same"
        ),
      ], few: 5))
  func `settings and links that change no session are noted`(arguments: [String], words: String)
    throws
  {
    let run = try place.run(["compare", "one.json"] + arguments)
    #expect(run.exitCode == 0 && run.errorText.contains(words), "\(run.errorText)")
  }

  @Test func `many settings that change no session are one note`() throws {
    let run = try place.run(
      "compare", "one.json", "--vary", "player.latency.command=1ms,2ms,3ms,4ms,5ms")
    #expect(run.exitCode == 0)
    let notes = run.errorText.split(separator: "\n").filter { $0.contains(" are the same: ") }
    #expect(notes.count == 1 && notes[0].contains("=2ms' and 3 others are the same"), "\(notes)")
  }

  @Test(
    arguments: Seeds.cases(of: [
      ["--vary", "link.bandwidth=500kbit/s,900kbit/s", "--vary", "link.delay=3ms"],
      ["--set", "seed=3"],
      ["--heuristics", "own", "--vary", "player.heuristic=immediate,everythingLoaded"],
      ["--links", "3G,DSL", "--set", "link.outages=[]"],
      ["--links", "3G", "--vary", "link.profile=LTE,3G"],
    ]))
  func `settings and links with an effect are not noted`(arguments: [String]) throws {
    let run = try place.run(["compare", "one.json"] + arguments)
    #expect(run.exitCode == 0 && !run.errorText.contains("are the same: "), "\(run.errorText)")
  }

  // MARK: Parts and pipes

  @Test func `a part that is missing or was broken off is named`() throws {
    let study = ["compare", "one.json", "--links", "3G,DSL,LTE", "--draws", "40"]
    for number in 1...2 {
      let part = try place.run(study + ["--shard", "\(number)/2"])
      try place.write(part.text, to: "part-\(number)")
    }
    let missing = try place.run("merge", "part-1", "nowhere")
    #expect(missing.exitCode == 66)
    #expect(missing.errorText.contains("There is no file or folder 'nowhere'."))
    #expect(!missing.errorText.contains("..") && !missing.errorText.contains("line 1"))
    // A header and six sessions: three links and every other of four heuristics.
    let lines = try place.read("part-2").split(separator: "\n")
    #expect(lines.count == 7)
    for kept in [1, 3, 6] {
      try place.write(lines.prefix(kept + 1).joined(separator: "\n") + "\n{\"sess", to: "broken")
      let run = try place.run("merge", "part-1", "broken")
      #expect((run.exitCode == 65) == (kept < 6))
      let words = "'broken' was broken off after \(kept) of 6."
      #expect(run.errorText.contains(words) == (kept < 6), "\(run.errorText)")
    }
  }

  @Test func `a study and a scenario may come through a pipe`() throws {
    let study = """
      { "study": "Piped", "scenarios": ["one.json"], "links": ["3G", "DSL"] }
      """
    try place.write(study, to: "study.json")
    let piped = try place.run(["compare", "-"], input: study)
    #expect(piped.exitCode == 0, "\(piped.errorText)")
    #expect(try piped.output == place.run("compare", "study.json").output)
    let scenario = try place.run(
      ["compare", "-", "--links", "3G,DSL"], input: try place.read("one.json"))
    #expect(scenario.exitCode == 0 && scenario.output == piped.output, "\(scenario.errorText)")
  }
}

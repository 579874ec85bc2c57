import Foundation
import TestSupport
import Testing

/// Budgets and baselines: a repository of somebody's own, and one parameter of its policy changed.
@Suite(.besideOthers) struct StandardsTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    let sample = Checkout.at("Tests/SampleSuite")
    for name in try FileManager.default.subpathsOfDirectory(atPath: sample.path)
    where name.hasSuffix(".json") {
      try place.write(
        String(decoding: Data(contentsOf: sample.appending(path: name)), as: UTF8.self), to: name)
    }
  }

  /// Lets every player start with so much media ahead.
  private func start(with seconds: String) throws {
    for name in try place.names() where name.hasPrefix("scenarios/") && name.hasSuffix(".json") {
      let text = try place.read(name)
      try place.write(
        text.replacing(#""start": {"media": "2 s"}"#, with: #""start": {"media": "\#(seconds)"}"#),
        to: name)
    }
  }

  private func failed(_ run: CommandRun) -> [String] {
    run.text.split(separator: "\n").filter { $0.hasPrefix("failed  ") }
      .map { String($0.split(separator: "  ").last ?? "") }
  }

  @Test func `the sample keeps its budgets and is what its baseline says`() throws {
    let run = try place.run(
      "test", ".", "--budgets", "budgets.json", "--baseline", "baseline.json")
    #expect(run.exitCode == 0)
    #expect(run.text.hasSuffix("\n10 passed, 0 failed\n"))
  }

  @Test(arguments: ["suite", "other"])
  func `a budget holds for the place that its path leads to, by whatever detours`(
    folder: String
  ) throws {
    for name in ["suite/a/one.json", "other/a/one.json"] {
      try place.write(shortScenario(expecting: #"{ "stallCount": 0 }"#), to: name)
    }
    let paths = [
      ("folder", "a"), ("folder", "a/../a"), ("folder", "../suite/a"), ("folder", "../suite"),
      ("folder", "./a/."), ("folder", "a/one.json"), ("scenario", "a/one.json"),
      ("scenario", "../suite/a/one.json"), ("scenario", "a/../a/one.json"), ("scenario", "a"),
    ]
    for (key, path) in paths {
      try place.write(
        #"{ "budgets": [ { "\#(key)": "\#(path)", "requestCount": 0 } ] }"#, to: "suite/b.json")
      let run = try place.run("test", folder + "/a", "--budgets", "suite/b.json")
      #expect(run.exitCode == (folder == "suite" ? 1 : 0), "\(key) \(path): \(run.text)")
    }
    try place.write(#"{ "budgets": [ { "folder": "b", "requestCount": 0 } ] }"#, to: "suite/b.json")
    #expect(try place.run("test", "suite/a", "--budgets", "suite/b.json").exitCode == 65)
  }

  /// A file starts after a round trip and so much of it over the link; half of the link is each
  /// one's of two. What a budget allows is in the sample.
  @Test(
    arguments: Seeds.cases(of: [
      1_000, 2_500, 3_000, 3_500, 4_000, 4_900, 5_500, 7_000, 9_000, 12_000,
    ]))
  func `more media before the start turns the scenarios red whose budget it breaks`(
    milliseconds: Int
  ) throws {
    try start(with: "\(milliseconds) ms")
    let files: [(String, Double, Double, Double)] = [
      ("scenarios/files/fast.json", 40.0, 0.1, 1_500.0),
      ("scenarios/files/medium.json", 40, 0.5, 1_500),
      ("scenarios/files/outage.json", 40, 1 / 3.0, 1_500),
      ("scenarios/files/slow.json", 100, 2 / 2.2, 2_500),
      ("scenarios/sharing/two.json", 40, 2 / 3.0, 2_500),
    ]
    let expected = files.filter { _, roundTrip, share, budget in
      roundTrip + Double(milliseconds) * share > budget
    }.map { $0.0 }
    let run = try place.run(
      "test", "scenarios/files", "scenarios/sharing", "--budgets", "budgets.json",
      "--filter", "fast", "--filter", "medium", "--filter", "outage", "--filter", "slow",
      "--filter", "two")
    // In the tunnel a start with so much more runs dry later or never, which its budget allows.
    #expect(failed(run) == expected)
    #expect(run.exitCode == (expected.isEmpty ? 0 : 1))
  }

  @Test func `a message names file, line, figure, budget and difference`() throws {
    try start(with: "4 s")
    let run = try place.run("test", ".", "--budgets", "budgets.json", "--quiet")
    #expect(
      run.text.contains(
        """
        failed  A medium link  scenarios/files/medium.json
            budgets.json:5:52
              budget    startupDelay at most 1.5 s
              actual    it was 2.04 s, 0.54 s (36 %) more

        """))
    #expect(
      run.text.contains("      budget    startupDelay of “second” at most 2.5 s\n"))
    let annotated = try place.run(
      "test", ".", "--budgets", "budgets.json", "--format=github", "--filter", "medium")
    #expect(
      annotated.text.hasPrefix(
        "::error file=budgets.json,line=5,col=52,title=budget%3A A medium link::"
          + "expected startupDelay at most 1.5 s; it was 2.04 s, 0.54 s (36 %25) more\n"))
  }

  @Test func `a baseline says what changed, by how much, and whether that is better`() throws {
    try start(with: "4 s")
    let run = try place.run("test", ".", "--baseline", "baseline.json")
    // Those that wait for nothing, for a pause, and for a segment of four seconds are as they were.
    #expect(
      failed(run) == [
        "scenarios/files/fast.json", "scenarios/files/medium.json", "scenarios/files/outage.json",
        "scenarios/files/slow.json", "scenarios/sharing/two.json",
        "scenarios/streams/short-segments.json", "scenarios/tcp/3g.json",
      ])
    #expect(
      run.text.contains(
        """
              baseline  startupDelay 1.04 s within 0.02 s
              actual    it was 2.04 s, 1 s (96.2 %) worse; changed since it was recorded: \
        player.policy

        """))
    #expect(run.text.contains("      actual    it was 10.08 s, 0.666666667 s (6.2 %) better\n"))
    #expect(
      run.text.contains(
        "passed  A stream  scenarios/streams/start.json\n"
          + "    baseline: the trace is not the recorded one; its figures are\n"))
  }

  /// 50 MB and a byte more are both shown as 50 MB.
  @Test func `figures that would be rounded alike are told apart`() throws {
    let long = shortScenario().replacing(#""4 s""#, with: #""400 s""#)
    try place.write(long, to: "one.json")
    let record = ["test", "one.json", "--baseline", "one.baseline"]
    #expect(try place.run(record + ["--update-baseline"]).exitCode == 1)
    let text = try place.read("one.baseline")
    let bytes = try #require(text.firstMatch(of: /"bytesTransferred": "([0-9]+) B"/)).1
    let more = try #require(Int(bytes)) + 1
    try place.write(text.replacing("\(bytes) B", with: "\(more) B"), to: "one.baseline")
    let run = try place.run(record)
    #expect(run.text.contains("baseline  bytesTransferred \(more) B\n"), "\(run.text)")
    #expect(run.text.contains("it was \(bytes) B, 1 byte (0 %) better"), "\(run.text)")
    let budget = #"{ "budgets": [ { "bytesTransferred": { "atLeast": "\#(more) B" } } ] }"#
    try place.write(budget, to: "one.budget")
    let other = try place.run("test", "one.json", "--budgets", "one.budget")
    #expect(other.text.contains("bytesTransferred at least \(more) B\n"), "\(other.text)")
    #expect(other.text.contains("it was \(bytes) B, 1 byte (0 %) less"), "\(other.text)")
  }

  @Test func `the sample's baseline has the traces of today`() throws {
    let run = try place.run("test", ".", "--baseline", "baseline.json")
    #expect(run.exitCode == 0 && !run.text.contains("baseline:"), "\(run.text)")
  }

  @Test func `what lies within the tolerance is said and passes`() throws {
    let baseline = try place.read("baseline.json")
    try place.write(
      baseline.replacing(
        #""startupDelay": "0.02 s""#,
        with: #""startupDelay": "1 s", "waiting": "100 %""#), to: "baseline.json")
    try start(with: "4 s")
    let run = try place.run("test", ".", "--baseline", "baseline.json", "--filter", "medium")
    #expect(run.exitCode == 0)
    #expect(
      run.text.contains(
        "    baseline: startupDelay it was 2.04 s, 1 s (96.2 %) worse, which is tolerated\n"))
    try place.write(
      baseline.replacing(#""tolerance": {"#, with: #""tolerance": { "trace": "same","#),
      to: "baseline.json")
    let strict = try place.run("test", ".", "--baseline", "baseline.json", "--filter", "A stream")
    #expect(strict.exitCode == 1)
    #expect(strict.text.contains("      baseline  the recorded trace\n"))
  }

  @Test func `recording keeps tolerances and what was not run, and forgets what is gone`() throws {
    try start(with: "4 s")
    let before = try place.read("baseline.json")
    let run = try place.run(
      "test", ".", "--baseline", "baseline.json", "--update-baseline", "--filter", "medium")
    #expect(run.exitCode == 1)
    #expect(run.errorText.hasSuffix("baseline.json: recorded 1 scenario; review the diff\n"))
    let after = try place.read("baseline.json")
    #expect(after.contains(#""startupDelay": "0.02 s""#))
    #expect(
      after.split(separator: "\n").count == before.split(separator: "\n").count
        && after.contains(#""startupDelay": "2.04 s""#))
    #expect(
      try place.run("test", ".", "--baseline", "baseline.json", "--filter", "medium").exitCode == 0)
    try FileManager.default.removeItem(
      at: place.folder.appending(path: "scenarios/files/medium.json"))
    #expect(
      try place.run("test", ".", "--baseline", "baseline.json", "--filter", "local").errorText
        .contains("note: baseline.json has 1 scenario that is not there any more"))
    _ = try place.run(
      "test", ".", "--baseline", "baseline.json", "--update-baseline", "--filter", "local")
    #expect(!(try place.read("baseline.json")).contains("medium"))
  }

  @Test func `a baseline is made where there is none, the same one whatever the order`() throws {
    #expect(try place.run("test", ".", "--baseline", "new.json").exitCode == 66)
    for jobs in ["1", "3"] {
      let run = try place.run(
        "test", ".", "--baseline", "\(jobs).json", "--update-baseline", "--jobs", jobs)
      #expect(run.exitCode == 1)
      #expect(try place.run("test", ".", "--baseline", "\(jobs).json").exitCode == 0)
    }
    #expect(try place.read("1.json") == place.read("3.json"))
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        ("avfoundation", #""policy": "avfoundation""#, true), ("playThrough", "", true),
        ("avfoundation", "", true),
        ("avfoundation", #""policy": { "like": "avfoundation" }"#, true),
        ("avfoundation", #""heuristic": "playThrough""#, true),
        ("playThrough", #""heuristic": "playThrough""#, true),
        ("avfoundation", #""heuristic": "immediate""#, false),
        ("immediate", #""heuristic": "immediate""#, true),
        ("avfoundation", #""policy": "BOLA""#, false), ("BOLA", #""policy": "BOLA""#, true),
        ("playThrough", #""policy": "QuickTime""#, false),
        ("avfoundation", #""policy": { "like": "avfoundation", "start": "anything" }"#, false),
      ], few: 5))
  func `a budget goes by the name of a policy, of which AVPlayer's has two`(
    name: String, player: String, fits: Bool
  ) throws {
    try place.write(
      """
      { "scenario": "z", "about": "y", "link": { "bandwidth": "1.37 Mbit/s", "delay": "9 ms" },
        "media": { "progressive": { "duration": "31 s", "bitrate": "1.5 Mbit/s" } },
        "player": { \(player) }, "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "z.json")
    try place.write(
      #"{ "budgets": [ { "policy": "\#(name)", "startupDelay": "0.1 ms" } ] }"#, to: "b.json")
    let run = try place.run("test", "z.json", "--budgets", "b.json")
    #expect(run.exitCode == (fits ? 1 : 0), "\(run.text)\(run.errorText)")
  }

  @Test func `a changed expectation is no change of the keys that decide the run`() throws {
    try place.write(shortScenario(expecting: #"{ "stallCount": 0 }"#), to: "one.json")
    let baseline = ["test", "one.json", "--baseline", "own.json"]
    #expect(try place.run(baseline + ["--update-baseline"]).exitCode == 1)
    try place.write(shortScenario(expecting: #"{ "stallCount": 1 }"#), to: "one.json")
    let run = try place.run(baseline)
    let words = "it was 0; the keys that decide the run, and the files, are as recorded\n"
    #expect(run.text.contains(words), "\(run.text)")
    #expect(run.text.contains("the trace is not the recorded one; its figures are"))
  }

  /// A policy that starts later has another trace of the same figures: segments last four seconds.
  @Test(arguments: [("same", "any", 0), ("any", "same", 1)] as [(String, String, Int32)])
  func `a record's own word on its trace goes before that of all, and is kept`(
    all: String, own: String, code: Int32
  ) throws {
    let file = #""file": "scenarios/streams/start.json","#
    try place.write(
      try place.read("baseline.json")
        .replacing(#""tolerance": {"#, with: #""tolerance": { "trace": "\#(all)","#)
        .replacing(file, with: file + #" "tolerance": { "trace": "\#(own)" },"#),
      to: "baseline.json")
    try start(with: "4 s")
    let test = ["test", ".", "--baseline", "baseline.json", "--filter", "A stream"]
    let run = try place.run(test)
    #expect(run.exitCode == code, "\(run.text)")
    #expect(run.text.contains("baseline  the recorded trace\n") == (code == 1))
    #expect(try place.run(test + ["--update-baseline"]).exitCode == 1)
    let kept = try place.read("baseline.json")
    for word in [all, own] { #expect(kept.contains(#""trace": "\#(word)""#), "\(kept)") }
  }

  @Test func `an update keeps the path of the schema`() throws {
    let text = try place.read("baseline.json")
    let schema = "{\n  \"$schema\": \"b.schema.json\",\n"
    let whole = schema + text.dropFirst(2)
    try place.write(whole, to: "baseline.json")
    let test = ["test", ".", "--baseline", "baseline.json", "--update-baseline"]
    #expect(try place.run(test).exitCode == 1)
    #expect(try place.read("baseline.json") == whole)
  }

  @Test func `a note says that standard input has no place in a baseline`() throws {
    let run = try place.run(
      "test", "-", "--baseline", "baseline.json", input: shortScenario(expecting: ""))
    #expect(run.exitCode == 0)
    #expect(run.errorText.contains("note: a scenario on standard input has no place in a baseline"))
  }

  @Test func `a warning is no change of the keys that decide the run`() throws {
    try place.write(shortScenario(), to: "one.json")
    let test = ["test", "one.json", "--baseline", "own.json"]
    #expect(try place.run(test + ["--update-baseline"]).exitCode == 1)
    let run = try place.run(test + ["--strict"])
    #expect(run.exitCode == 1 && run.text.contains("    warning: one.json"), "\(run.text)")
    #expect(!run.text.contains("as recorded"), "\(run.text)")
  }

  @Test(arguments: [
    #"{ "stallCount": 3 }"#, #"{ "at": "2 h", "stallCount": 3 }"#,
    #"{ "order": ["didPlayToEndTime", "stall"] }"#, #"{ "count": "stall", "is": 3 }"#,
  ])
  func `a failed expectation names its player, where it is a further one`(
    expectation: String
  ) throws {
    let own = try place.read("scenarios/sharing/two.json")
    let name = #"{"name": "second", "#
    try place.write(
      own.replacing(name, with: name + #""expect": [\#(expectation)], "#), to: "two.json")
    let run = try place.run("test", "two.json")
    #expect(run.exitCode == 1)
    #expect(run.text.contains(#/expected  .* of “second”/#), "\(run.text)")
  }

  @Test func `a further player that is gone fails, and is forgotten`() throws {
    let two = "scenarios/sharing/two.json"
    let lines = try place.read(two).split(separator: "\n")
    let left = lines.filter { !$0.contains(#""players""#) }.joined(separator: "\n")
    try place.write(left, to: two)
    let test = ["test", two, "--baseline", "baseline.json"]
    let run = try place.run(test)
    #expect(run.exitCode == 1)
    let words = """
            baseline  the players that are recorded
            actual    “second” is gone

      """
    #expect(run.text.contains(words), "\(run.text)")
    #expect(try place.run(test + ["--update-baseline"]).exitCode == 1)
    #expect(try !place.read("baseline.json").contains(#""second""#))
    #expect(try place.run(test).exitCode == 0)
  }

  @Test func `a scenario that is not recorded fails`() throws {
    try place.write(shortScenario(), to: "scenarios/new.json")
    let run = try place.run("test", ".", "--baseline", "baseline.json", "--filter", "new")
    #expect(run.exitCode == 1)
    #expect(
      run.text.contains("actual    the baseline has none; --update-baseline records them\n"))
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (#"{ "startupDelai": "2 s" }"#, "3: budgets[0]: unknown key “startupDelai” (did you mean"),
        (#"{ "stallCount": "0" }"#, "17: budgets[0].stallCount: found the string “0” (expected a"),
        (#"{ "startupDelay": 2 }"#, "19: budgets[0].startupDelay: the number 2 has no unit"),
        (
          #"{ "folder": "scenarios/stream" }"#,
          "13: budgets[0].folder: there is no “stream” in “scenarios” (expected a path from the "
            + "folder of this file; did you mean “streams”?)"
        ),
        (
          #"{ "scenario": "lokal.json" }"#,
          "15: budgets[0].scenario: there is no “lokal.json” in the"
        ),
        (#"{ "policy": "playTrough" }"#, "13: budgets[0].policy: unknown policy “playTrough”"),
        (
          #"{ "policy": "bola" }"#,
          "13: budgets[0].policy: unknown policy “bola” (expected “BOLA”, “BOLA-O”, “BOLA-E” or one"
        ),
        (#"{ "linkedSDK": "iSO 10" }"#, "16: budgets[0].linkedSDK: “iSO 10” is no SDK"),
        (
          #"{ "startupDelay": { "between": ["3 s", "2 s"] } }"#,
          "32: budgets[0].startupDelay.between: the first bound is above the second"
        ),
      ], few: 4))
  func `a mistake in the budgets has its place`(rule: String, message: String) throws {
    try place.write("{ \"budgets\": [\n\(rule)\n] }", to: "b.json")
    let run = try place.run("test", "scenarios", "--budgets", "b.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.hasPrefix("b.json:2:" + message), "\(run.errorText)")
    #expect(run.errorText.hasSuffix("\nError: 'b.json' has a mistake.\n"))
  }

  @Test func `by policy and by contract, and a null that lifts a limit`() throws {
    let rules = [
      (#"{ "startupDelay": "0 s" }"#, 9),
      (#"{ "policy": "playThrough", "startupDelay": "0 s" }"#, 0),
      (#"{ "policy": "a policy of its own", "startupDelay": "0 s" }"#, 9),
      (#"{ "linkedSDK": "iOS 18", "startupDelay": "0 s" }"#, 9),
      (#"{ "linkedSDK": "iOS 12", "startupDelay": "0 s" }"#, 0),
      (#"{ "startupDelay": "0 s" }, { "startupDelay": null }"#, 0),
      (#"{ "startupDelay": "0 s" }, { "folder": "scenarios", "startupDelay": "1 h" }"#, 0),
      (#"{ "averageBitrate": { "atLeast": "300 kbit/s" } }"#, 0),
      (#"{ "averageBitrate": { "atLeast": "1.1 Mbit/s" } }"#, 2),
    ]
    for (rule, count) in Seeds.cases(of: rules) {
      try place.write(#"{ "budgets": [ \#(rule) ] }"#, to: "b.json")
      let run = try place.run("test", ".", "--budgets", "b.json")
      #expect(failed(run).count == count, "\(rule): \(run.errorText)")
    }
  }

  @Test func `a baseline that is wrong says where, and recording needs a file`() throws {
    try place.write(
      #"{ "tolerance": { "startupDelay": "10" }, "scenarios": [ { "fil": "x", "figures": {} } ] }"#,
      to: "b.json")
    let run = try place.run("test", "scenarios", "--baseline", "b.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.hasPrefix("b.json:1:34: tolerance.startupDelay: “10” has no unit"))
    #expect(run.errorText.contains("unknown key “fil” (did you mean “file”?)"))
    try place.write(#"{ "tolerance": { "outcome": "played" }, "scenarios": [] }"#, to: "b.json")
    let word = try place.run("test", "scenarios", "--baseline", "b.json")
    #expect(word.exitCode == 65)
    #expect(word.errorText.hasPrefix("b.json:1:18: tolerance: unknown key “outcome” (expected "))
    #expect(try place.run("test", ".", "--update-baseline").exitCode == 64)
    let better = try place.run("test", ".", "--allow-better")
    #expect(better.exitCode == 64 && better.errorText.contains("needs '--baseline <file>'"))
    let record = #"{ "file": "scenarios/a.json", "figures": {} }"#
    try place.write(#"{ "scenarios": [ \#(record), \#(record) ] }"#, to: "b.json")
    let twice = try place.run("test", "scenarios", "--baseline", "b.json")
    #expect(twice.errorText.hasPrefix("b.json:1:65: scenarios[1]: “scenarios/a.json” is recorded"))
  }

  @Test(arguments: ["budgets", "baseline"])
  func `their schemas and keys are printed`(subject: String) throws {
    let schema = try place.run("schema", "--for", subject)
    #expect(schema.text.contains(#""title":"Goldilocks \#(subject)""#))
    #expect((try JSONSerialization.jsonObject(with: schema.output) as? [String: Any]) != nil)
    #expect(try place.run("schema", "--for", subject, "--keys").text.contains("`startupDelay`"))
  }
}

import Foundation
import TestSupport
import Testing

/// Studies from the command line.
@Suite(.besideOthers) struct CompareTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.writeStudy()
  }

  /// 2 scenarios × 4 links × 3 contestants × 2 seeds.
  private let study = [
    "compare", "one.json", "stream.json", "--links", "3G,drives", "--links", "DSL", "--heuristics",
    "own,thresholds 1 s/2 s", "--policies", "hls.js 1.6", "--seeds", "2", "--objective",
    "abandonment", "--objective", "pensieveLinear", "--regret",
  ]
  /// In a debug build intervals are made of few draws.
  private let draws = Seeds.areMany ? [] : ["--draws", "40"]

  private func document(_ arguments: [String]) throws -> [String: Any] {
    let run = try place.run(arguments + ["--format=json"])
    #expect(run.exitCode == 0, "\(run.errorText)")
    return try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
  }

  // MARK: What it works out

  @Test(
    arguments: [["--draws", "60"], ["--draws", "43", "--draw-seed", "7", "--baseline", "own"]]
      .suffix(Seeds.count(1, inRelease: 2)))
  func `every figure follows from the sessions file, as another program works it out`(
    draws: [String]
  ) throws {
    let script = Checkout.at("Tests/CommandLineTests/Recomputation/recompute.py").path
    let groups = ["--by", "link", "--by", "seed", "--by", "scenario"]
    let run = try place.run(study + draws + groups + ["--sessions", "s.jsonl", "--format=json"])
    #expect(run.exitCode == 0, "\(run.errorText)")
    try place.write(run.text, to: "results.json")
    var python = Command("-c", "python3 \(script) results.json s.jsonl")
    python.folder = place.folder
    let check = try python.runShell()
    #expect(check.exitCode == 0, "\(check.text)\(check.errorText)")
    #expect(check.text.hasSuffix(" values are equal\n"))
  }

  /// With no time taken by the page three players start with the same first segment.
  @Test(arguments: Seeds.cases(of: [0, 1, 250, 500, 600, 1_000, 1_500, 2_000, 2_850, 3_000]))
  func `what pages take can be one value for all`(milliseconds: Int) throws {
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "5 Mbit/s", "delay": "10 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "2 Mbit/s" } ], "segmentDuration": "4 s",
          "duration": "20 s" } }, "player": {}, "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "page.json")
    func starts(_ options: String...) throws -> [Double] {
      let found = try document(
        ["compare", "page.json", "--policies", "Shaka 5.2,hls.js 1.6,dash.js 5.1"] + options)
      return try #require(found["policies"] as? [[String: Any]]).compactMap { policy in
        let figures = policy["figures"] as? [String: [String: Any]]
        return figures?["startupDelaySeconds"]?["mean"] as? Double
      }
    }
    #expect(Set(try starts()).count == 3)
    let same = try starts(
      "--vary", "player.policy.sink.warmUp=\(milliseconds) ms",
      "--vary", "player.policy.sink.setUp=0 s")
    let none = try starts(
      "--vary", "player.policy.sink.warmUp=0 s", "--vary", "player.policy.sink.setUp=0 s")
    #expect(same.count == 3 && Set(same).count == 1)
    #expect(abs(same[0] - none[0] - Double(milliseconds) / 1_000) < 1e-6)
  }

  /// Four seconds of 1 Mbit/s over slower links, where nothing may stall: 4 s × (1/share − 1),
  /// of which the tap comes 1 s after the request.
  @Test func `a setting that varies is a contestant for each value`() throws {
    let rates = [250, 400, 500, 625, 800]
    let list = rates.map { "\($0)kbit/s" }.joined(separator: ",")
    let found = try document(["compare", "one.json", "--vary", "link.bandwidth=\(list)"])
    let policies = try #require(found["policies"] as? [[String: Any]])
    #expect(
      policies.map { $0["policy"] as? String } == rates.map { "link.bandwidth=\($0)kbit/s" })
    let means = policies.map { policy in
      let figures = policy["figures"] as? [String: [String: Any]]
      return figures?["startupDelaySeconds"]?["mean"] as? Double
    }
    #expect(means == [11, 5, 3, 1.4, 0])
    let crossed = try document(
      ["compare", "one.json", "--vary", "link.bandwidth=\(list)", "--vary", "link.delay=0s,1s,2s"])
    #expect(crossed["sessions"] as? Int == 15)
  }

  @Test func `a file says what the command line says, in the same words`() throws {
    try place.write(
      """
      { "study": "Short", "about": "Both.", "scenarios": ["../one.json", "../stream.json"],
        "links": ["3G", "../drives", "DSL"], "heuristics": ["own", "thresholds 1 s/2 s"],
        "policies": ["hls.js 1.6"], "seeds": 2, "regret": true,
        "objectives": ["abandonment", "pensieveLinear"], "by": ["link"] }
      """, to: "studies/study.json")
    let written = try place.run(["compare", "studies/study.json", "--format", "csv"] + draws)
    let typed = try place.run(study + draws + ["--format", "csv", "--by", "link"])
    #expect(written.exitCode == 0, "\(written.errorText)")
    #expect(written.text == typed.text)
    try place.write(#"{ "study": "x", "scenarios": [], "linsk": [] }"#, to: "wrong.json")
    let wrong = try place.run("compare", "wrong.json")
    #expect(wrong.exitCode == 65 && wrong.errorText.contains("(did you mean “links”?)"))
    let schema = try place.run("schema", "--for", "study")
    #expect(schema.text.contains("\"vary\""))
  }

  @Test(
    arguments: Seeds.cases(of: [
      "=cmd|' /C calc'!A0", "+1", "-2+3", "@SUM(A1)", "a=1", "\u{202E}x", "a, \"b\"",
    ]))
  func `no name is a formula to whoever opens the table`(name: String) throws {
    let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    try place.write(
      """
      { "study": "Short", "about": "Both.", "scenarios": ["one.json"], "baseline": \(quoted),
        "policies": ["avfoundation",
          { "name": \(quoted), "set": { "player.heuristic": "immediate" } }] }
      """, to: "named.json")
    let run = try place.run("compare", "named.json", "--format", "csv")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let shown = name.replacingOccurrences(of: "\u{202E}", with: #"\u{202E}"#)
    let cell = ("=+-@".contains(name.prefix(1)) ? "'" : "") + shown
    let inTable = cell.contains("\"") ? "\"a, \"\"b\"\"\"" : cell
    let figures = run.text.split(separator: "\n").filter { $0.hasPrefix(",\(inTable),") }
    #expect(!figures.isEmpty, "\(run.text)")
    let compared = run.text.split(separator: "\n").filter { $0.contains(",\(inTable),1,") }
    #expect(!compared.isEmpty, "\(run.text)")
  }

  @Test(
    arguments: Seeds.cases(of: [
      (#""links": ["3G", "3Gx"]"#, 3, 17, "Did you mean '3G'?"),
      (#""policies": ["own", "avfoundatio"]"#, 3, 21, "Did you mean 'avfoundation'?"),
      (#""heuristics": ["own", "playThru"]"#, 3, 23, "did you mean “playThrough”?"),
      (#""baseline": "nobody""#, 3, 13, "is not compared"),
      (#""policies": ["own", { "name": "own" }]"#, 3, 31, "named twice"),
      (
        #""about": "x", "policies": [{ "name": "a", "set": { "player.raet": "2" } }]"#, 0, 0, "raet"
      ),
    ]))
  func `a word of a study's file that means nothing is shown where it stands`(
    words: String, line: Int, column: Int, meant: String
  ) throws {
    try place.write(
      """
      {
        "study": "Wrong", "scenarios": ["one.json"],
      \(words)
      }
      """, to: "wrong.json")
    let run = try place.run("compare", "wrong.json")
    #expect(run.exitCode == 65 && run.errorText.contains(meant), "\(run.errorText)")
    if line > 0 {
      #expect(run.errorText.hasPrefix("wrong.json:\(line):\(column): "), "\(run.errorText)")
    }
  }

  @Test func `what draws nothing from its seed is run once for all, and says the same`() throws {
    let sessions = try (1...3).map { seed in
      let run = try place.run(
        study.prefix(3) + [
          "--links", "3G,DSL", "--policies", "own,hls.js 1.6", "--seeds", "\(seed),7",
          "--sessions", "seed.jsonl", "--jobs", "1",
        ] + draws)
      #expect(run.exitCode == 0, "\(run.errorText)")
      return try place.read("seed.jsonl").split(separator: "\n").dropFirst().map { line in
        line.split(separator: ",").filter { !$0.contains(/"(seed|session|study|checksum)"/) }
      }
    }
    #expect(sessions[0] == sessions[1] && sessions[1] == sessions[2] && sessions[0].count == 16)
  }

  @Test func `a name with settings is a contestant, and a name with a link is a link`() throws {
    try place.write(
      """
      { "study": "Own", "scenarios": ["one.json"], "seeds": [4],
        "policies": [ { "name": "patient", "set": { "player.heuristic": "everythingLoaded" } },
                      { "name": "hasty", "policy": { "start": { "media": "1 s" } } } ],
        "links": [ { "name": "half", "link": { "bandwidth": "500 kbit/s" } } ] }
      """, to: "own.json")
    let found = try document(["compare", "own.json"])
    let scenarios = try #require(found["scenarios"] as? [[String: Any]])
    let results = try #require(scenarios.first?["results"] as? [[String: Any]])
    #expect(results.map { $0["startupDelaySeconds"] as? Double } == [7, 1])
  }

  @Test func `after Ctrl-C the same command goes on, and gives what one run gives`() throws {
    // Each session is drawn and takes a while, so that there is something left to break off.
    func stream(_ seconds: Int) -> String {
      """
      { "scenario": "A stream", "about": "Over packets.", "fidelity": "tcp",
        "link": { "bandwidth": "2 Mbit/s", "delay": "30 ms", "loss": "1 %" },
        "media": { "hls": { "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "1 Mbit/s" } ],
          "duration": "\(seconds) s" } }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    }
    let seconds = Seeds.count(4, inRelease: 300)
    try place.write(stream(seconds), to: "long.json")
    let sessions = Seeds.count(16, inRelease: 32)
    let command = [
      "compare", "long.json", "--policies", "avfoundation,hls.js 1.6", "--seeds",
      "\(sessions / 2)", "--draws", "40", "--format=json",
    ]
    let whole = try place.run(command + ["--jobs", "2"])
    let part = place.folder.appending(path: "half.part")
    var interrupted = Command(command + ["--checkpoint", "half.part", "--jobs", "1"])
    interrupted.folder = place.folder
    interrupted.interrupts = {
      // The header and a session.
      ((try? Data(contentsOf: part)) ?? Data()).count { $0 == 0x0A } > 1
    }
    // On a busy machine all may be done before anybody looks: then once more.
    var kept = sessions
    for _ in 1...8 where kept == sessions {
      try? FileManager.default.removeItem(at: part)
      let broken = try interrupted.run()
      kept = try Data(contentsOf: part).count { $0 == 0x0A } - 1
      #expect(kept == sessions || broken.exitCode != 0 && broken.text.isEmpty)
    }
    #expect(kept > 0 && kept < sessions)
    let rest = try place.run(command + ["--checkpoint", "half.part"])
    #expect(rest.exitCode == 0 && rest.errorText.contains("sessions come from 'half.part'"))
    #expect(rest.output == whole.output)
    // Nothing is left to do, and an input that has changed is refused.
    #expect(try place.run(command + ["--checkpoint", "half.part"]).output == whole.output)
    try place.write(stream(seconds + 1), to: "long.json")
    let refused = try place.run(command + ["--checkpoint", "half.part"])
    #expect(refused.exitCode == 65 && refused.errorText.contains("another study"))
  }

  @Test func `seeds that change nothing are a warning, on the screen and in JSON`() throws {
    for (seeds, count) in [("3", 1), ("1", 0)] {
      let arguments = ["compare", "one.json", "--seeds", seeds]
      let warnings = try #require(try document(arguments)["warnings"] as? [String])
      #expect(warnings.count == count)
      let note = try place.run(arguments).errorText
      #expect(note.contains("the same with each of the 3 seeds") == (count == 1))
      #expect(note.contains("one says as much") == (count == 1) && note.isEmpty == (count == 0))
      // They are no sample either: no interval follows from them, and no difference has one.
      let policies = try #require(try document(arguments)["policies"] as? [[String: Any]])
      for policy in policies {
        let against = (policy["against"] as? [String: Any])?["figures"] as? [String: [String: Any]]
        let figures = try #require(policy["figures"] as? [String: [String: Any]])
        for figure in [figures, against ?? [:]] {
          #expect(figure["startupDelaySeconds"].map { $0["meanInterval"] is NSNull } != false)
        }
      }
    }
    let lossy = try place.run(
      "compare", "one.json", "--seeds", "3", "--set", "fidelity=tcp", "--set", "link.loss=5 %",
      "--set", "media.progressive.duration=2 s")
    #expect(lossy.exitCode == 0 && lossy.errorText.isEmpty, "\(lossy.errorText)")
    let found = try document(["compare", "one.json"])
    let scenarios = try #require(found["scenarios"] as? [[String: Any]])
    let results = try #require(scenarios.first?["results"] as? [[String: Any]])
    #expect(results.allSatisfy { $0["waitingSeconds"] is Double && $0["requestCount"] is Int })
  }

  @Test(arguments: [[], ["--seeds", "3"], ["--seeds", "5,8"]])
  func `a scenario's seed is its own, and those of the study stand beside it`(
    options: [String]
  ) throws {
    let found = try document(["compare", "one.json", "--set", "fidelity=tcp"] + options)
    let scenarios = try #require(found["scenarios"] as? [[String: Any]])
    #expect(scenarios.first?["seed"] as? Int == 7)
    #expect((found["seeds"] as? [Int])?.count == (options.isEmpty ? 0 : options[1] == "3" ? 3 : 2))
  }

  @Test func `every note on links and policies is a warning, also of merged parts`() throws {
    let policies = ["compare", "stream.json", "--policies", "VLC 3.0,own"]
    let study = policies + ["--links", "drives", "--draws", "40"]
    let whole = try place.run(study + ["--digests", "--format=json"])
    let warnings = try #require(try document(study + ["--digests"])["warnings"] as? [String])
    #expect(whole.errorText == warnings.map { "note: \($0)\n" }.joined())
    for words in ["holds its last value", "'VLC 3.0' is known with", "'--digests' has no effect"] {
      #expect(warnings.contains { $0.contains(words) }, "\(warnings)")
    }
    for number in 1...2 {
      let part = try place.run(study + ["--shard", "\(number)/2"])
      try place.write(part.text, to: "noted-\(number)")
    }
    let merged = try place.run("merge", "noted-1", "noted-2", "--format=json")
    #expect(try merged.output == place.run(study + ["--format=json"]).output)
    #expect(merged.errorText.contains("'VLC 3.0' is known with"), "\(merged.errorText)")
    let explained = try place.run(
      policies + ["--explain", "VLC 3.0", "own", "--html", "a.html", "--format=json"])
    for words in ["'VLC 3.0' is known with", "beside '--explain' '--html' has no effect"] {
      #expect(explained.text.contains(words) && explained.errorText.contains(words))
    }
  }

  @Test func `a scenario that a policy cannot play is left out, and the study goes on`() throws {
    let player = #""player": { "startsOnFirstEligibleVariant": true }, "script""#
    let first = try place.read("stream.json").replacing("\"script\"", with: player)
    try place.write(first.replacing("A stream", with: "First"), to: "first.json")
    func names(_ found: [String: Any]) throws -> [String] {
      try #require(found["scenarios"] as? [[String: Any]]).compactMap { $0["scenario"] as? String }
    }
    let both = ["compare", "first.json", "stream.json", "--policies"]
    let all = try document(both + ["all"])
    #expect(try names(all) == ["A stream"])
    #expect((all["policies"] as? [Any])?.count ?? 0 > 40)
    let words = "'First' is left out for every policy: 'avfoundation' cannot play it: first.json "
    let mistake = "player.startsOnFirstEligibleVariant: cannot stand beside “policy”"
    let warnings = try #require(all["warnings"] as? [String])
    #expect(warnings.contains { $0.hasPrefix(words) && $0.contains(mistake) }, "\(warnings)")
    // By its own policy it is played.
    #expect(try names(try document(both + ["own"])) == ["First", "A stream"])
    let alone = try place.run("compare", "first.json", "--policies", "BOLA")
    #expect(alone.exitCode == 65 && alone.errorText.contains(mistake), "\(alone.errorText)")
  }

  // MARK: How it looks

  @Test func `the summary fits a terminal, and comes as CSV and Markdown too`() throws {
    var command = Command(study + draws)
    command.folder = place.folder
    command.terminalColumns = 80
    let text = try command.run().text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(lines.first?.hasPrefix("2 scenarios × 4 links × 3 policies × 2 seeds") == true)
    #expect(lines.filter { $0.count > 80 } == [])
    let compared = study + draws + ["--format=csv", "--baseline", "own"]
    let table = try place.run(compared).text.split(separator: "\n")
    #expect(table.count == 1 + 3 * 16)
    #expect(Set(table.map { $0.filter { $0 == "," }.count }) == [27])
    #expect(table[0].hasSuffix(",difference_high,one_sided,decided_by"))
    var rows = 0
    for line in table.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      // Known in every session of both: what is said of them is a number.
      guard cells[4] == cells[5], cells[6] == "0", cells[18] != "" else { continue }
      for place in [8, 23] { #expect(Double(cells[place]) != nil, "\(line)") }
      rows += 1
    }
    #expect(rows > 10)
    let groups = ["--format=markdown", "--by=folder"]
    let markdown = try place.run(study + draws + groups).text
    #expect(markdown.contains("| policy |") && markdown.contains("| hls.js 1.6"))
    // The whole and each of three groups, and below them what the signs mean.
    #expect(markdown.split(separator: "Against own, session by session:").count == 5)
    #expect(markdown.contains("\n\n- \\* Pareto front: none is as good"))
    // Folders of one link hold two scenarios.
    let units = "links, in some groups of scenarios"
    #expect(markdown.hasSuffix("- 95 %: where the mean lies, by bootstrap of \(units)\n"))
  }

  @Test func `intervals are explained only where there are any`() throws {
    let run = try place.run("compare", "one.json", "--heuristics", "own,immediate", "--seeds", "2")
    #expect(run.exitCode == 0 && !run.text.contains("95 %"), "\(run.text)")
  }

  @Test func `draws that are too few for intervals are noted`() throws {
    let study = ["compare", "one.json", "--links", "drives", "--heuristics", "everythingLoaded"]
    let few = try place.run(study + ["--draws", "40"])
    #expect(few.errorText.contains("note: of the 40 draws too few hold a session"))
    let many = try place.run(study + ["--draws", "80"])
    #expect(!many.errorText.contains("too few"), "\(many.errorText)")
  }

  @Test func `the values of a setting can be told apart on the screen`() throws {
    for (values, shown) in [("2s,5s", ["2s ", "5s "]), ("1s,10s,19s", ["1s ", "10s ", "19s "])] {
      let run = try place.run(
        "compare", "one.json", "--vary", "player.preferredForwardBufferDuration=\(values)")
      let rows = run.text.split(separator: "\n")
      for value in shown { #expect(rows.contains { $0.hasPrefix(value) }, "\(run.text)") }
    }
    let long = try place.run(
      "compare", "one.json", "--heuristics", "thresholds 1234567 ms/2345678 ms,immediate")
    #expect(long.text.contains("\nthresholds 1") && !long.text.contains("\n…"))
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (["--links", "4G,nowhere"], 66, "There is no profile, no file and no folder 'nowhere'"),
        (["--policies", "hls.js 1.5"], 64, "Did you mean 'hls.js 1.6'?"),
        (["--policies", "HLS.js"], 64, "Did you mean 'hls.js 1.6'? 'goldilocks heuristics' lists"),
        (["--policies", "shakka"], 64, "Did you mean 'Shaka 5.2'?"),
        (["--vary", "seed"], 64, "invalid"), (["--seeds", "0"], 64, "invalid"),
        (["--heuristics", "own,own"], 64, "is named twice"),
        (["--baseline", "x"], 64, "not compared"),
        (["--vary", "link.bandwith=1 Mbit/s"], 65, "(did you mean “bandwidth”?)"),
        (["--shard", "4/3"], 64, "invalid"), (["--seeds", "3,5,3"], 64, "seed '3' is named twice"),
        (["--links", "3G,LTE,3g"], 64, "link '3G' is named twice"),
        (["--links", "drives,drives/a.csv"], 64, "is named twice"),
        (["./one.json"], 64, "The scenario './one.json' is the same as 'one.json'."),
        (["--links", "bare"], 66, "'bare' holds no recording: there is no file in it."),
        (
          ["--set", "player.heuristic=immediate", "--policies", "BOLA"], 64,
          "has no effect: every policy that is compared replaces it."
        ),
        (["--set", "seed=7", "--seeds", "2"], 64, "would replace the seed that"),
        (["--repeat"], 0, "without a recording in '--links' '--repeat' has no effect"),
        (["--links", "3G", "--repeat"], 0, "in '--links' '--repeat' has no effect"),
        (["--digests"], 0, "note: '--digests' has no effect: without '--sessions' no session"),
        (["--digests", "--html", "a.html"], 0, "note: '--digests' has no effect: a page has them"),
        (["--shard", "1/2", "--html", "a.html"], 0, "beside '--shard' '--html' has no effect"),
        (
          ["--policies", "BOLA,own", "--explain", "BOLA", "own", "--html", "a.html"], 0,
          "beside '--explain' '--html' has no effect"
        ),
      ], few: 4))
  func `what means nothing is said`(arguments: [String], code: Int32, words: String) throws {
    try FileManager.default.createDirectory(
      at: place.folder.appending(path: "bare"), withIntermediateDirectories: true)
    let run = try place.run(["compare", "one.json"] + arguments)
    #expect(run.exitCode == code)
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }

  // MARK: Past one machine

  /// What a study's file asks to be summed up by itself is so in its parts put together.
  private func mergesByGroups() throws {
    try place.write(
      #"""
      { "study": "Groups", "scenarios": ["one.json"], "links": ["3G", "DSL"],
        "heuristics": ["own", "immediate"], "by": ["seed", "link"] }
      """#, to: "groups.json")
    for number in 1...2 {
      let part = try place.run(["compare", "groups.json", "--shard", "\(number)/2"] + draws)
      try place.write(part.text, to: "group-\(number)")
    }
    let whole = try place.run(["compare", "groups.json"] + draws)
    #expect(whole.text.contains("\nlink 3G\n") && whole.exitCode == 0, "\(whole.errorText)")
    #expect(try place.run("merge", "group-2", "group-1").output == whole.output)
    let other = try place.run("merge", "group-1", "group-2", "--by", "scenario").text
    #expect(!other.contains("\nlink 3G\n") && other.contains("\nscenario one.json\n"))
  }

  @Test func `a session names its study, its policy and its settings`() throws {
    let varied = [
      "compare", "one.json", "--policies", "VHS 3.17", "--vary", "link.bandwidth=1Mbit/s,2Mbit/s",
      "--vary", "player.linkedSDK=iOS 9,iOS 18",
    ]
    let whole = try place.run(varied + ["--sessions", "all.jsonl", "--format=json"])
    #expect(whole.exitCode == 0, "\(whole.errorText)")
    let lines = try place.read("all.jsonl").split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(lines[0]["part"] as? Int == 4 && lines[0]["shard"] as? String == "1/1")
    let rows = lines.dropFirst()
    #expect(rows.map { $0["policy"] as? String } == Array(repeating: "VHS 3.17", count: 4))
    let settings = rows.map { $0["settings"] as? [String: String] }
    #expect(settings.first == ["link.bandwidth": "1Mbit/s", "player.linkedSDK": "iOS 9"])
    #expect(settings.last == ["link.bandwidth": "2Mbit/s", "player.linkedSDK": "iOS 18"])
    #expect(Set(rows.map { $0["study"] as? String }).count == 1)
    let parts = try [1, 2].map { number in
      let part = try place.run(varied + ["--shard", "\(number)/2"])
      try place.write(part.text, to: "varied-\(number)")
      return "varied-\(number)"
    }
    let merged = try place.run(["merge", "--sessions", "merged.jsonl", "--format=json"] + parts)
    #expect(merged.output == whole.output, "\(merged.errorText)")
    #expect(try place.read("merged.jsonl") == place.read("all.jsonl"))
    // The one file of a study is also a part and a checkpoint of it.
    #expect(try place.run("merge", "all.jsonl", "--format=json").output == whole.output)
    let again = try place.run(varied + ["--checkpoint", "all.jsonl", "--format=json"])
    #expect(again.output == whole.output && again.errorText.contains("4 of 4 sessions come from"))
  }

  @Test func `the bytes are the same for any number of jobs, and for parts in any order`() throws {
    let one = try place.run(
      study + draws + ["--jobs", "1", "--format=json", "--sessions", "one.jsonl"])
    for jobs in Seeds.areMany ? ["2", "7"] : ["7"] {
      #expect(
        try place.run(study + draws + ["--jobs", jobs, "--format=json"]).output == one.output)
    }
    for count in Seeds.areMany ? [2, 3, 5] : [3] {
      var parts: [String] = []
      for number in 1...count {
        let part = try place.run(study + draws + ["--shard", "\(number)/\(count)"])
        try place.write(part.text, to: "part-\(number)-\(count)")
        parts.append("part-\(number)-\(count)")
      }
      let merged = try place.run(
        ["merge", "--format=json", "--sessions", "merged.jsonl"] + parts.reversed())
      #expect(merged.output == one.output)
      #expect(try place.read("merged.jsonl") == place.read("one.jsonl"))
      let short = try place.run(["merge"] + parts.dropLast())
      #expect(short.exitCode == 65)
      #expect(short.errorText.contains("there is no part \(count)/\(count)."))
      let doubled = try place.run(["merge"] + parts + [parts[0]])
      #expect(doubled.exitCode == 65 && doubled.errorText.contains("hold the same session"))
    }
    try mergesByGroups()
    let other = try place.run("compare", "one.json", "--shard", "2/2")
    try place.write(other.text, to: "other")
    let mixed = try place.run("merge", "part-1-3", "other")
    #expect(mixed.exitCode == 65 && mixed.errorText.contains("is a part of another study"))
    #expect(try place.run("merge", "one.json").exitCode == 65)
  }

  @Test(arguments: Seeds.areMany ? [0.0, 0.1, 0.35, 0.8, 1] : [0.8])
  func `a study goes on from where it was broken off`(share: Double) throws {
    let whole = try place.run(study + draws + ["--format=json", "--checkpoint", "whole"])
    let text = try place.read("whole")
    let kept = text.prefix(Int(Double(text.count) * share))
    try place.write(String(kept), to: "broken")
    let again = study + draws + ["--format=json", "--checkpoint", "broken", "--jobs", "2"]
    #expect(try place.run(again).output == whole.output)
    #expect(try place.read("broken") == text)
    // A shard's checkpoint is its part.
    if share < 0.5 { return }
    for number in ["1", "2"] {
      _ = try place.run(
        study + draws + ["--shard", number + "/2", "--checkpoint", "half-" + number])
    }
    #expect(try place.run("merge", "half-1", "half-2", "--format=json").output == whole.output)
  }

  @Test func `a checkpoint of something else is refused`() throws {
    let study = ["compare", "one.json", "--links", "drives"] + draws
    #expect(try place.run(study + ["--checkpoint", "kept"]).exitCode == 0)
    for (name, change) in [
      ("drives/a.csv", { $0.replacingOccurrences(of: "300k", with: "301k") }),
      ("one.json", { $0.replacingOccurrences(of: "4 s", with: "5 s") }),
    ] as [(String, (String) -> String)] {
      let before = try place.read(name)
      try place.write(change(before), to: name)
      let run = try place.run(study + ["--checkpoint", "kept"])
      #expect(run.exitCode == 65)
      #expect(run.errorText.contains("is the checkpoint of another study"))
      try place.write(before, to: name)
    }
    #expect(try place.run(study + ["--checkpoint", "kept", "--seeds", "3"]).exitCode == 65)
    // Somebody else writes it.
    let held = open(place.folder.appending(path: "kept").path, O_RDWR)
    defer { close(held) }
    #expect(held >= 0 && flock(held, LOCK_EX) == 0)
    let beside = try place.run(study + ["--checkpoint", "kept"])
    #expect(beside.exitCode == 65 && beside.errorText.contains("that is running"))
    #expect(flock(held, LOCK_UN) == 0)
    #expect(try place.run(study + ["--checkpoint", "kept"]).exitCode == 0)
  }
}

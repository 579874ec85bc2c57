import Foundation
import TestSupport
import Testing

/// Needs of a CI: cases, reasons, files that outlive the run.
@Suite(.besideOthers) struct ContinuousIntegrationTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    let claim = #"{ "stallCount": 0 }"#
    try place.write(shortScenario(name: "News", expecting: claim), to: "suite/news.json")
    try place.write(shortScenario(name: "Old", expecting: claim), to: "suite/old.json")
  }

  private func spoil(_ name: String = "suite/bad.json") throws {
    try place.write(shortScenario(name: "Bad", expecting: #"{ "stallCount": 3 }"#), to: name)
  }

  private func with(_ member: String, named name: String = "Marked") -> String {
    shortScenario(name: name).replacingOccurrences(
      of: "\"seed\": 7,", with: "\"seed\": 7, \(member),")
  }

  private func list(_ options: String...) throws -> [String] {
    try place.run(["test", "suite", "--list"] + options).text.split(separator: "\n").map {
      String($0)
    }
  }

  // MARK: Which cases

  @Test(
    arguments: Seeds.cases(
      of: [
        ("new", 0), ("news", 1), ("NEWS", 1), ("new*", 1), ("*ews", 1), ("ews", 0), ("suite", 2),
        ("uit", 0), ("suite/old", 1), ("old.json", 1), ("s*d", 2), ("suite*old", 1),
      ] as [(String, Int)]))
  func `a filter takes whole words`(filter: String, count: Int) throws {
    let run = try place.run("test", "suite", "--list", "--filter", filter)
    #expect(run.text.split(separator: "\n").count == (filter == "s*d" ? 1 : count), "\(run.text)")
    #expect(run.exitCode == (count == 0 ? 66 : 0))
  }

  @Test func `tags choose scenarios, and a scenario that is skipped says why`() throws {
    try place.write(with(#""tags": ["slow", "cell"]"#), to: "suite/slow.json")
    try place.write(with(#""skip": "waits for # 5""#, named: "Left"), to: "suite/left.json")
    #expect(try list("--tag", "slow") == ["suite/slow.json  Marked"])
    #expect(try list("--except-tag", "cell").count == 3)
    #expect(try list("--tag", "slow", "--except-tag", "cell").isEmpty)
    #expect(try list("--tag", "new", "--set", #"tags=["new"]"#).count == 4)
    let text = try place.run("test", "suite", "--junit", "out/deep/r.xml")
    #expect(text.exitCode == 0)
    #expect(text.text.contains("skipped  Left  suite/left.json: waits for # 5\n"), "\(text.text)")
    #expect(text.text.hasSuffix("3 passed, 0 failed, 1 skipped\n"))
    #expect(try place.read("out/deep/r.xml").contains(#"<skipped message="waits for # 5"/>"#))
    let tap = try place.run("test", "suite", "--format=tap").text
    #expect(tap.contains("ok 1 - Left (suite/left.json) # SKIP waits for \\# 5\n"), "\(tap)")
    let json = try place.run("test", "suite", "--format=json").text
    #expect(json.contains(#""skipped": "waits for # 5""#), "\(json)")
  }

  @Test(
    arguments: [
      ([], "    warning: suite/vain.json:4:"),
      (["--format", "github"], ",title=warning%3A Marked::no expectation: "),
      (["--format", "tap"], "actual: \"“codecs"),
      (["--junit", "r.xml"], "message=\"no expectation: "),
    ] as [([String], String)])
  func `a warning that fails has its place once`(options: [String], words: String) throws {
    try place.write(with(#""player": { "codecs": ["h264"] }"#), to: "suite/vain.json")
    let run = try place.run(["test", "suite", "--strict"] + options)
    #expect(run.exitCode == 1)
    let text = try options.contains("--junit") ? place.read("r.xml") : run.text
    #expect(text.contains(words), "\(text)")
    #expect(!text.contains("line 1: ") && !text.contains("line 4: "), "\(text)")
    #expect(text.contains("“codecs” has no effect: it applies to streams only"))
  }

  @Test func `cells that are skipped or cannot be run have their names`() throws {
    try place.write(with(#""skip": "later""#, named: "Left"), to: "suite/left.json")
    try place.write(with(#""sede": 1"#), to: "suite/wrong.json")
    let run = try place.run("test", "suite", "--links", "3G", "--seeds", "2")
    for seed in 1...2 {
      let skipped = "skipped  Left [3G, seed \(seed)]  suite/left.json: later\n"
      #expect(run.text.contains(skipped), "\(run.text)")
      #expect(run.text.contains("failed  suite/wrong.json [3G, seed \(seed)] could not be run\n"))
    }
  }

  @Test(arguments: Seeds.cases(of: ["", "\n", " \t\r\n", "   "]))
  func `an empty file of a folder is a mistake, as one that was broken off is`(text: String) throws
  {
    try place.write(text, to: "suite/void.json")
    for arguments in [["test", "suite"], ["test", "suite", "--list"], ["validate", "suite"]] {
      let run = try place.run(arguments)
      #expect(run.exitCode == 65 && run.errorText.contains("suite/void.json:"), "\(run.errorText)")
    }
  }

  @Test func `links and seeds make a matrix, each cell a case of its own`() throws {
    try place.write("time,kbps\n0,3000\n", to: "link.csv")
    let cells = ["--links", "3G,link.csv", "--seeds", "3"]
    let listed = try place.run(["test", "suite", "--list"] + cells).text
    #expect(listed.contains("suite/news.json  News [3G, seed 1]\n"), "\(listed)")
    #expect(listed.split(separator: "\n").count == 12)
    let run = try place.run(["test", "suite"] + cells + ["--junit", "r.xml"])
    #expect(run.text.hasSuffix("12 passed, 0 failed\n"), "\(run.text)\(run.errorText)")
    #expect(try place.read("r.xml").contains("name=\"Old [link.csv, seed 3]\""))
    let recording = ["--baseline", "b.json", "--update-baseline"]
    #expect(try place.run(["test", "suite"] + cells + recording).exitCode == 1)
    #expect(
      try place.run(["test", "suite"] + cells + ["--baseline", "b.json", "--strict"]).exitCode
        == 0)
  }

  @Test func `what failed is run again alone, and leaves its trace`() throws {
    try spoil()
    let options = ["--last-failed", "state/failed", "--traces", "out/traces"]
    let first = try place.run(["test", "suite"] + options)
    #expect(first.exitCode == 1 && first.text.contains("2 passed, 1 failed"))
    #expect(try place.read("state/failed") == "suite/bad.json\n")
    #expect(try place.run("replay", "out/traces/bad.trace.jsonl").exitCode == 0)
    #expect(try place.names().filter { $0.hasSuffix(".trace.jsonl") }.count == 1)
    #expect(try place.run(["test", "suite"] + options).text.hasSuffix("0 passed, 1 failed\n"))
    try place.write(shortScenario(name: "Good"), to: "suite/bad.json")
    #expect(try place.run(["test", "suite"] + options).text.hasSuffix("1 passed, 0 failed\n"))
    #expect(try place.run(["test", "suite"] + options).text.hasSuffix("3 passed, 0 failed\n"))
  }

  @Test func `what failed before and was not run is kept, as long as it is there`() throws {
    try spoil()
    try place.write(try place.read("suite/bad.json"), to: "suite/worse.json")
    let path = "state/failed"
    func test(_ options: String...) throws -> String {
      try place.run(["test", "suite", "--last-failed", path] + options).text
    }
    #expect(try test("--links", "3G").hasSuffix("2 passed, 2 failed\n"))
    let both = "suite/bad.json [3G]\nsuite/worse.json [3G]\n"
    #expect(try place.read(path) == both)
    #expect(try test("--links", "3G", "--fail-fast").contains("1 failed"))
    #expect(try place.read(path) == both)
    #expect(try test("--links", "3G", "--filter", "worse").contains("1 failed"))
    #expect(try place.read(path) == "suite/worse.json [3G]\nsuite/bad.json [3G]\n")
    // None of them is the plain one: all are run.
    #expect(try test().hasSuffix("2 passed, 2 failed\n"))
    try FileManager.default.removeItem(at: place.folder.appending(path: "suite/worse.json"))
    try place.write(shortScenario(name: "Good"), to: "suite/bad.json")
    #expect(try test("--filter", "bad").hasSuffix("1 passed, 0 failed\n"))
    #expect(try place.read(path) == "suite/bad.json [3G]\n")
  }

  @Test func `what failed before and is gone is named, and the rest of it is run`() throws {
    try spoil()
    for named in ["gone.json", "plain"] {
      let list = "\(named) [3G]\nsuite/bad.json\n<stdin>\n"
      try place.write(list, to: "failed")
      let suite = named == "plain" ? ["suite", "plain"] : ["suite"]
      let run = try place.run(["test"] + suite + ["--last-failed", "failed"])
      #expect(run.text.contains("0 passed, 1 failed"), "\(run.text)")
      // Nothing is said twice of what the command line names.
      let words =
        named == "plain"
        ? "Error: There is no file or folder 'plain'.\n"
        : "note: gone.json [3G] failed before and is not there any more\n"
      #expect(run.errorText == words)
      #expect(try place.read("failed") == "suite/bad.json\n")
    }
  }

  @Test(
    arguments: Seeds.cases(
      of: ["--junit", "--html", "--traces", "--budgets", "--baseline"]))
  func `a list says which option has no effect beside it`(option: String) throws {
    let run = try place.run("test", "suite", "--list", option, "x")
    #expect(run.exitCode == 0 && run.text.contains("suite/old.json"))
    #expect(run.errorText == "note: beside '--list' '\(option)' has no effect\n")
    #expect(try place.names() == ["suite", "suite/news.json", "suite/old.json"])
    #expect(try place.run("test", "suite", "--list").errorText == "")
  }

  @Test func `a file that is named by itself and with its folder is tested once`() throws {
    for paths in [["suite", "suite/old.json"], ["suite/old.json", "suite"]] {
      let run = try place.run(["test"] + paths)
      #expect(run.text.contains("2 passed, 0 failed\n"), "\(run.text)")
    }
    let twice = try place.run("run", "suite/old.json", "suite/old.json", "--format", "json")
    let once = try place.run("run", "suite/old.json", "--format", "json")
    #expect(twice.text == once.text)
  }

  @Test func `two links in a folder to one file are one scenario`() throws {
    let (files, old) = (FileManager.default, place.folder.appending(path: "suite/old.json"))
    try files.createDirectory(
      at: place.folder.appending(path: "by"), withIntermediateDirectories: true)
    for name in ["a.json", "b.json"] {
      let link = place.folder.appending(path: "by/\(name)")
      try files.createSymbolicLink(at: link, withDestinationURL: old)
    }
    #expect(try place.run("test", "by").text.contains("1 passed, 0 failed\n"))
    // Files that it names would be looked for in another folder.
    #expect(try place.run("test", "by", "suite/old.json").text.contains("2 passed, 0 failed\n"))
    let study = try place.run("compare", "by/a.json", "by/b.json")
    #expect(study.exitCode == 64)
    #expect(study.errorText.contains("The scenario 'by/b.json' is the same as 'by/a.json'."))
  }

  @Test func `a page that cannot be written takes no other result with it`() throws {
    let run = try place.run("test", "suite", "--junit", "r.xml", "--html", "r.xml/p.html")
    #expect(run.exitCode == 74 && run.errorText.contains("'r.xml/p.html' cannot be written"))
    #expect(run.text.contains("2 passed, 0 failed\n"), "\(run.text)")
    #expect(try place.read("r.xml").contains("tests=\"2\""))
  }

  @Test func `traces of two scenarios do not come into one file`() throws {
    try spoil()
    try place.write(try place.read("suite/bad.json"), to: "other/bad.json")
    let run = try place.run("test", "suite", "other", "--traces", "out")
    #expect(run.exitCode == 64 && run.errorText.contains("would write 'bad.trace.jsonl'"))
    #expect(try place.names().allSatisfy { !$0.hasSuffix(".trace.jsonl") })
  }

  /// A watch in which a file changes.
  private func watch(_ path: String, changing file: String, to text: String) throws -> CommandRun {
    var command = Command("test", path, "--watch")
    command.folder = place.folder
    var looks = 0
    let place = place
    command.interrupts = {
      looks += 1
      if looks == 1_000 { try? place.write(text, to: file) }
      return looks > 3_000
    }
    return try command.run()
  }

  @Test func `watching tests again after a change`() throws {
    let run = try watch("suite", changing: "suite/old.json", to: "{}")
    #expect(run.text.contains("2 passed, 0 failed\n"))
    #expect(run.errorText.contains("note: waiting for a change below 'suite'"))
    #expect(run.text.contains("1 passed, 0 failed\n"), "\(run.text)")
  }

  @Test func `watching ends where the command line is wrong`() throws {
    let run = try place.run("test", "suite", "--watch", "--jobs", "0")
    #expect(run.exitCode == 64 && run.errorText.contains("invalid for '--jobs"))
    #expect(!run.errorText.contains("waiting for a change"))
  }

  @Test func `watching sees a change of a file that a scenario names`() throws {
    let own = #"{ "bandwidth": "2 Mbit/s" }"#
    let recorded = shortScenario(expecting: #"{ "startupDelay": { "atMost": "5 s" } }"#)
      .replacingOccurrences(
        of: own, with: #"{ "trace": { "file": "link.txt", "format": "pensieve" } }"#)
    try place.write(recorded, to: "suite/recorded.json")
    try place.write("0 2\n100 2\n", to: "suite/link.txt")
    let run = try watch(
      "suite/recorded.json", changing: "suite/link.txt", to: "0 0.1\n100 0.1\n")
    #expect(run.text.contains("1 passed, 0 failed\n"), "\(run.text)\(run.errorText)")
    #expect(run.text.contains("0 passed, 1 failed\n"), "\(run.text)\(run.errorText)")
  }

  // MARK: What is said

  @Test func `a start that never came is told in words`() throws {
    try place.write(
      shortScenario(expecting: #"{ "startupDelay": { "atMost": "1 s" } }"#), to: "suite/start.json")
    let run = try place.run("test", "suite/start.json", "--set", "link.bandwidth=0 bit/s")
    #expect(run.exitCode == 1 && run.text.contains("  actual    there was none\n"), "\(run.text)")
  }

  @Test func `a stall that was not expected is shown where it began`() throws {
    let stalls = shortScenario(expecting: #"{ "stallCount": 0 }"#)
      .replacingOccurrences(
        of: #""2 Mbit/s" }"#,
        with: #""2 Mbit/s", "outages": [ { "from": "0.5 s", "for": "9 s" } ] }"#)
    try place.write(stalls, to: "suite/stall.json")
    let run = try place.run("test", "suite/stall.json", "--set", "player.heuristic=immediate")
    let trace = run.text.split(separator: "\n").filter { $0.contains("\"event\"") }
    #expect(trace.contains { $0.contains(#""event":"stall""#) }, "\(run.text)")
  }

  @Test func `a failure shows what happened, and not the summary of a thousand characters`() throws
  {
    try spoil()
    for format in ["tap", "json", "github", "text"] {
      let text = try place.run("test", "suite/bad.json", "--format", format).text
      #expect(text.contains("loadedTimeRanges") && !text.contains("playbackSummary"), "\(text)")
      #expect(text.split(separator: "\n").allSatisfy { format == "github" || $0.count < 300 })
    }
  }

  @Test func `JUnit names a line of the scenario alone, and how long it took`() throws {
    let recording = ["--baseline", "b.json", "--update-baseline"]
    _ = try place.run(["test", "suite"] + recording)
    let slower = try place.read("suite/old.json").replacingOccurrences(
      of: "2 Mbit/s", with: "300 kbit/s")
    try place.write(slower, to: "suite/old.json")
    let run = try place.run(
      "test", "suite", "--baseline", "b.json", "--junit", "r.xml", "--format=github")
    #expect(run.exitCode == 1)
    let old = try #require(
      try place.read("r.xml").split(separator: "\n").first { $0.contains("name=\"Old\"") })
    #expect(!old.contains(" line=") && old.contains(" time=\"0."), "\(old)")
    let annotations = run.text.split(separator: "\n").filter { $0.hasPrefix("::error") }
    #expect(annotations.count == 1)
    #expect(annotations[0].contains("changed since it was recorded: link.bandwidth"))
  }

  @Test func `a better figure may pass, and a gone scenario may not`() throws {
    _ = try place.run("test", "suite", "--baseline", "b.json", "--update-baseline")
    let recorded = try place.read("b.json").replacingOccurrences(
      of: "\"startupDelay\": \"0 s\"", with: "\"startupDelay\": \"2 s\"")
    try place.write(recorded, to: "b.json")
    #expect(try place.run("test", "suite", "--baseline", "b.json").exitCode == 1)
    try FileManager.default.removeItem(at: place.folder.appending(path: "suite/news.json"))
    let lenient = try place.run("test", "suite", "--baseline", "b.json", "--allow-better")
    #expect(lenient.exitCode == 0, "\(lenient.text)")
    let strict = try place.run(
      "test", "suite", "--baseline", "b.json", "--allow-better", "--strict")
    #expect(strict.exitCode == 1)
    #expect(strict.text.contains("it is gone; --update-baseline forgets it"), "\(strict.text)")
    #expect(strict.text.hasSuffix("1 passed, 1 failed\n"))
  }
}

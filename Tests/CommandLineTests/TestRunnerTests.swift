import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `goldilocks test` as a step of CI.
@Suite(.besideOthers) struct TestRunnerTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    for name in ["a", "b", "c", "d", "e"] {
      try place.write(
        shortScenario(name: name.uppercased(), expecting: #"{ "stallCount": 0 }"#),
        to: "suite/\(name).json")
    }
  }

  /// A scenario that fails and one that cannot be read, beside the good ones.
  private func spoil() throws {
    try place.write(
      shortScenario(
        name: "Hope: #1, <b>", expecting: #"{ "stallCount": 3, "startupDelay": "2 s" }"#),
      to: "suite/failing.json")
    try place.write(#"{ "scenario": 5, "sed": 1 }"#, to: "suite/broken.json")
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0) }
  }

  // MARK: Which scenarios

  @Test(arguments: Seeds.cases(of: ["Scenarios", "scenarios", "."]))
  func `without a path it takes the usual folder`(folder: String) throws {
    let elsewhere = try Workplace()
    try elsewhere.write(
      shortScenario(expecting: #"{ "stallCount": 0 }"#), to: folder + "/one.json")
    let run = try elsewhere.run("test")
    #expect(run.text.hasSuffix("one.json\n1 passed, 0 failed\n"))
  }

  @Test func `of a repository it takes scenarios, and says how much else it left alone`() throws {
    try place.write(#"{ "name": "app", "media": 1, "link": 2 }"#, to: "package.json")
    try place.write("// a comment\n{ \"media\": {} }", to: "tsconfig.json")
    try place.write(#"{ "scenari": "M", "about": "", "link": {}, "media": {} }"#, to: "slip.json")
    let run = try place.run("test", ".", "--format=tap")
    #expect(run.errorText.contains("note: 2 other JSON files left alone: no scenario\n"))
    #expect(run.text.hasSuffix("# 5 passed, 0 failed, 1 could not be run\n1..6\n"))
    #expect(run.exitCode == 65)
    #expect(try place.run("test", "package.json").exitCode == 65)
  }

  @Test func `a folder with other JSON alone holds no scenario`() throws {
    try place.write("[]", to: "other/data.json")
    let run = try place.run("test", "other")
    #expect(run.exitCode == 66)
    #expect(run.errorText.contains("of the files in it that end in .json, none is one"))
  }

  @Test(
    arguments: Seeds.cases(of: [
      (["--filter", "suite/b"], ["suite/b.json"]),
      (["--filter", "SUITE*D.json"], ["suite/d.json"]),
      (["--filter=suite/e", "--filter=/a"], ["suite/a.json", "suite/e.json"]),
      (["--filter=json"], ["a", "b", "c", "d", "e"].map { "suite/\($0).json" }),
      (["--shard", "1/2"], ["suite/a.json", "suite/c.json", "suite/e.json"]),
      (["--shard=2/2"], ["suite/b.json", "suite/d.json"]), (["--shard=6/6"], []),
      (["--filter=suite", "--shard=3/3"], ["suite/c.json"]),
    ]))
  func `a filter and a shard choose among them`(
    arguments: [String], files: [String]
  ) throws {
    let run = try place.run(["test", "suite", "--list"] + arguments)
    #expect(lines(run.text).map { $0.split(separator: " ").first.map { String($0) } } == files)
    #expect(run.exitCode == 0)
    let tested = try place.run(["test", "suite"] + arguments)
    #expect(tested.text.hasSuffix("\(files.count) passed, 0 failed\n"))
  }

  @Test(arguments: Seeds.areMany ? Array(1...7) : [3])
  func `the shards together are the whole, each scenario once`(count: Int) throws {
    let parts = try (1...count).flatMap {
      lines(try place.run("test", "suite", "--list", "--shard", "\($0)/\(count)").text)
    }
    #expect(parts.sorted() == lines(try place.run("test", "suite", "--list").text))
  }

  @Test func `a filter looks at names as well, and one that fits nothing is a mistake`() throws {
    try place.write(shortScenario(name: "A long tunnel"), to: "suite/x.json")
    #expect(
      try place.run("test", "suite", "--list", "--filter", "long tun*").text
        == "suite/x.json  A long tunnel\n")
    let run = try place.run("test", "suite", "--filter", "nothing")
    #expect(run.exitCode == 66)
    #expect(
      run.errorText == "Error: No scenario has 'nothing' as a whole word in its path or its name; "
        + "* stands for anything.\n")
  }

  @Test(arguments: Seeds.cases(of: ["0/2", "3/2", "2", "a/b", "1/0", "/", "1/2/3", "-1/2"]))
  func `a part that there is not is a mistake`(part: String) throws {
    let run = try place.run("test", "suite", "--shard=" + part)
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("Please provide a part and how many there are, such as 2/4."))
  }

  // MARK: How it goes

  @Test func `invalid and failing files are both counted, and the file's mistake is the code`()
    throws
  {
    try spoil()
    for format in Seeds.cases(of: ["text", "github", "tap"]) {
      let run = try place.run("test", "suite", "--format", format)
      #expect(run.exitCode == 65)
      let end = format == "tap" ? "1..7\n" : ""
      #expect(run.text.hasSuffix("5 passed, 1 failed, 1 could not be run\n" + end), "\(format)")
    }
  }

  @Test(arguments: ["1", "4"])
  func `after the first failure it stops where that is asked for`(jobs: String) throws {
    try spoil()
    let run = try place.run("test", "suite", "--fail-fast", "--jobs", jobs)
    #expect(run.exitCode == 65)
    #expect(
      run.text.hasSuffix(
        "2 passed, 0 failed, 1 could not be run, 4 not run after the first failure\n"))
  }

  @Test func `quietly it says what failed, and how many`() throws {
    #expect(try place.run("test", "suite", "--quiet").text == "5 passed, 0 failed\n")
    try spoil()
    let run = try place.run("test", "suite", "--quiet")
    #expect(run.text.hasPrefix("failed  suite/broken.json could not be run\nfailed  Hope"))
  }

  private static let manyItems = """
    { "scenario": "Many", "about": "Many items.", "link": { "bandwidth": "8 Mbit/s" },
      "media": { "progressive": { "duration": "4 s", "bitrate": "2 Mbit/s" } },
      "horizon": "1 s", "items": [ { "name": "clip", "copies": 200 } ], "queue": ["clip"],
      "expect": [ { "outcome": "neverPlayed" } ] }
    """

  @Test func `a warning is said, and fails where that is asked for`() throws {
    try place.write(Self.manyItems, to: "many.json")
    let lenient = try place.run("test", "many.json")
    #expect(lenient.exitCode == 0)
    #expect(lenient.text.contains("    warning: line 3: 200 items stood in the play queue"))
    let strict = try place.run("test", "many.json", "--strict", "--quiet")
    #expect(strict.exitCode == 1)
    #expect(
      strict.text.hasPrefix("failed  Many  many.json\n    warning: many.json:3:32: 200 items"))
    #expect(strict.text.split(separator: "\n").count == 3)
    let annotated = try place.run("test", "many.json", "--format=github")
    #expect(
      annotated.text.hasPrefix(
        "::warning file=many.json,line=3,col=32,title=warning%3A Many::200 items"))
  }

  @Test func `how long it took is said when it is asked for, and otherwise nothing differs`() throws
  {
    let run = try place.run("test", "suite", "--durations=2")
    #expect(run.text.contains(#/\nThe slowest of [0-9.]+ ms in all:\n( +[0-9.]+ ms  .*\n){2}\n5 /#))
    for format in Seeds.cases(of: ["text", "json", "github", "tap"]) {
      let runs = try (0..<2).map { _ in
        try place.run("test", "suite", "--format", format, "--junit", "out.xml").text
          + place.read("out.xml").replacing(#/ time="[0-9.]+"/#, with: "")
      }
      #expect(runs[0] == runs[1])
      #expect(!runs[0].contains("duration_ms") && !runs[0].contains("durationSeconds"))
    }
  }

  // MARK: For other programs

  @Test func `annotations stand at the line, with what would break them escaped`() throws {
    try spoil()
    let run = try place.run("test", "suite", "--format=github")
    let annotations = lines(run.text).filter { $0.hasPrefix("::error ") }
    #expect(annotations.count == 2)
    #expect(
      annotations[1].hasPrefix(
        "::error file=suite/failing.json,line=8,col=30,title=expectation%3A Hope%3A #1%2C <b>::"
          + "expected stallCount 3; it was 0"), "\(annotations[1])")
    #expect(annotations[0].hasPrefix("::error file=suite/broken.json,line=1,col=1,title=invalid"))
  }

  @Test func `the Test Anything Protocol has a line for each and a plan`() throws {
    try spoil()
    let run = try place.run("test", "suite", "--format=tap")
    let tests = lines(run.text).filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
    #expect(run.text.hasPrefix("TAP version 13\nok 1 - A (suite/a.json)\n"))
    #expect(tests.count == 7)
    #expect(tests[3] == "ok 4 - C (suite/c.json)")
    #expect(tests[6] == "not ok 7 - Hope: \\#1, <b> (suite/failing.json)")
    #expect(run.text.hasSuffix("\n1..7\n"))
  }

  @Test func `JUnit's document is well formed, and counts as the others do`() throws {
    try spoil()
    _ = try place.run("test", "suite", "--junit", "out.xml", "--durations", "1")
    let counter = ElementCounter()
    let parser = XMLParser(data: Data(try place.read("out.xml").utf8))
    parser.delegate = counter
    #expect(parser.parse())
    #expect(
      counter.counts == [
        "testsuites": 1, "testsuite": 1, "testcase": 7, "failure": 1, "error": 1,
      ])
    #expect(counter.names.contains("Hope: #1, <b>"))
  }

  @Test func `a folder is one suite of JUnit's, and its cases have names of their own`() throws {
    for (file, name) in [("a", "One"), ("b/c", "Two"), ("d", "One"), ("e", "Three")] {
      try place.write(
        shortScenario().replacingOccurrences(of: "\"Short\"", with: "\"\(name)\""),
        to: "nest/\(file).json")
    }
    _ = try place.run(
      "test", "nest/a.json", "nest/b", "nest/d.json", "nest/e.json", "--junit", "out.xml")
    let cases = lines(try place.read("out.xml")).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("<testsuite ") || $0.hasPrefix("<testcase ") }
      .map { $0.split(separator: " file=")[0].split(separator: " failures=")[0] }
    #expect(
      cases == [
        #"<testsuite name="nest" tests="3""#,
        #"<testcase classname="nest" name="One (a.json)""#,
        #"<testcase classname="nest" name="One (d.json)""#,
        #"<testcase classname="nest" name="Three""#, #"<testsuite name="nest/b" tests="1""#,
        #"<testcase classname="nest/b" name="Two""#,
      ])
  }

  @Test func `a document that cannot be written is told`() throws {
    let run = try place.run("test", "suite", "--junit", "suite/a.json/out.xml")
    #expect(run.exitCode == 74)
    #expect(run.errorText.hasPrefix("Error: 'suite/a.json/out.xml' cannot be written: "))
  }
}

/// Counts the elements of a document by name.
private final class ElementCounter: NSObject, XMLParserDelegate {
  var counts: [String: Int] = [:]
  var names: [String] = []

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    counts[element, default: 0] += 1
    if let name = attributes["name"] { names.append(name) }
  }
}

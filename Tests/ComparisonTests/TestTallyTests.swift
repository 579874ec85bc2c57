import RunReports
import ScenarioFormat
import ScenarioRunner
import Testing

/// The counts and lines at the end of `goldilocks test`.
@Suite struct TestTallyTests {
  private func tally(passed: Int, failed: Int, unreadable: Int, skipped: Int) throws -> TestTally {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s" },
        "media": { "local": { "duration": "1 s", "bitrate": "1 Mbit/s" } }, "skip": "later",
        "script": [], "expect": [ { "stallCount": STALLS } ] }
      """
    func scenario(_ stalls: Int) throws -> Scenario {
      try readScenario(Array(text.replacing("STALLS", with: "\(stalls)").utf8), file: "a.json")
    }
    let (scenario, failing) = (try scenario(0), try scenario(1))
    var tally = TestTally()
    for number in 0..<passed {
      var report = try TestReport(scenario, run(scenario), file: "passed \(number)")
      report.nanoseconds = Int64(number) * 1_000_000
      tally.add(report)
    }
    for _ in 0..<failed { tally.add(try TestReport(failing, run(failing), file: "f")) }
    for _ in 0..<unreadable { tally.add(TestReport(unreadable: "u", "cannot be read", [])) }
    for _ in 0..<skipped { tally.add(TestReport(skipped: scenario, file: "s")) }
    return tally
  }

  @Test(
    arguments: [
      (0, 0, 0, 0, true, "0 passed, 0 failed"), (2, 0, 0, 1, true, "2 passed, 0 failed, 1 skipped"),
      (1, 1, 0, 0, false, "1 passed, 1 failed"),
      (0, 0, 1, 0, false, "0 passed, 0 failed, 1 could not be run"),
      (1, 1, 1, 2, false, "1 passed, 1 failed, 1 could not be run, 2 skipped"),
      (0, 3, 3, 0, false, "0 passed, 3 failed, 3 could not be run"),
    ] as [(Int, Int, Int, Int, Bool, String)])
  func `a tally is good where all passed or were skipped`(
    passed: Int, failed: Int, unreadable: Int, skipped: Int, isGood: Bool, words: String
  ) throws {
    let tally = try tally(
      passed: passed, failed: failed, unreadable: unreadable, skipped: skipped)
    #expect(tally.isGood == isGood && tally.words == words)
    let style = TextStyle(width: 80, isColoured: true)
    let line = TestScreen(style: style, hasSymbols: false).text(tally)
    let (good, bad) = (style.paint(words, .good), style.paint(words, .bad))
    #expect(good != bad && line == (isGood ? good : bad) + "\n")
    // A test that was never reached is named, and is no failure of its own.
    var cut = tally
    cut.notRun = 1_234
    #expect(cut.words == words + ", 1,234 not run after the first failure")
    #expect(cut.isGood == isGood)
  }

  @Test func `the slowest come first, and of equals the first`() throws {
    let tally = try tally(passed: 5, failed: 1, unreadable: 1, skipped: 1)
    let screen = TestScreen(style: .plain, hasSymbols: true)
    let lines = screen.text(tally, slowest: 3).split(separator: "\n").map { String($0) }
    #expect(lines[0].hasPrefix("The slowest of ") && lines[0].contains("10"))
    #expect(lines[1...3].map { $0.split(separator: " ").last } == ["4", "3", "2"])
    #expect(lines[4] == "5 passed, 1 failed, 1 could not be run, 1 skipped" && lines.count == 5)
  }
}

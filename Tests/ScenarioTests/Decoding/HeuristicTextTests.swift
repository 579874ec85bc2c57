import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

@Suite struct HeuristicTextTests {
  @Test(arguments: [
    ("playThrough", KeepUpHeuristic.standard, "playThrough"),
    (
      " playThrough   x1.10 ", .playThrough(safety: SafetyFactor(11, over: 10)), "playThrough x1.1"
    ),
    ("playThrough x1", .standard, "playThrough"),
    ("playThrough x4/3", .playThrough(safety: SafetyFactor(4, over: 3)), "playThrough x4/3"),
    ("playThrough x1000", .playThrough(safety: SafetyFactor(1_000)), "playThrough x1000"),
    (
      "thresholds 1 s/2 s", .thresholds(start: .seconds(1), resume: .seconds(2)),
      "thresholds 1 s/2 s"
    ),
    (
      "thresholds 500 ms / 1 min", .thresholds(start: .milliseconds(500), resume: .seconds(60)),
      "thresholds 0.5 s/60 s"
    ),
    ("everythingLoaded", .everythingLoaded, "everythingLoaded"),
    ("immediate", .immediate, "immediate"),
  ])
  func `a heuristic and its text`(text: String, rule: KeepUpHeuristic, canonical: String) throws {
    #expect(try KeepUpHeuristic(text: text) == rule)
    #expect(rule.text == canonical)
    #expect(try KeepUpHeuristic(text: canonical) == rule)
  }

  /// Media has thirty days at most, which are 720 h.
  @Test(arguments: ["720 h/1 s", "1 s/720 h", "720 h/720 h"])
  func `thresholds may be as long as media`(marks: String) throws {
    _ = try KeepUpHeuristic(text: "thresholds \(marks)")
    for longer in ["720.001 h/1 s", "1 s/720.001 h", "2592000.000000001 s/1 s"] {
      #expect(throws: QuantityProblem.self) {
        try KeepUpHeuristic(text: "thresholds \(longer)")
      }
    }
  }

  @Test(arguments: ["1 s", "1 s/2 s/3 s", "/1 s/2 s", "1 s//2 s", "1 s/2 s/", "/", ""])
  func `thresholds are two`(marks: String) {
    #expect(throws: QuantityProblem.self) { try KeepUpHeuristic(text: "thresholds \(marks)") }
  }

  /// Twelve digits before the point, or behind it, are the most.
  @Test(
    arguments: [
      ("1000000000000/1000000000", "1000000000001/1000000000"),
      ("0.000000001/0.000000000001", "0.0000000001/0.0000000000001"),
    ] as [(String, String)])
  func `a safety factor may have terms of twelve digits`(ratio: String, longer: String) throws {
    #expect(try KeepUpHeuristic(text: "playThrough x\(ratio)").text == "playThrough x1000")
    #expect(throws: QuantityProblem.self) { try KeepUpHeuristic(text: "playThrough x\(longer)") }
  }

  @Test func `a ratio that was not reduced has the text of the one that was`() {
    let rule = KeepUpHeuristic.playThrough(safety: SafetyFactor(24, over: 20))
    #expect(rule.text == "playThrough x1.2")
  }

  @Test(arguments: [
    (
      "playTrough",
      """
      unknown heuristic “playTrough”, expected “playThrough”, “playThrough x1.1”, \
      “thresholds 1 s/2 s”, “everythingLoaded” or “immediate”; did you mean “playThrough”?
      """
    ),
    (
      "playThrough 1.1",
      """
      “playThrough 1.1” has no safety factor, expected an x and a number from 1 up, such as \
      “playThrough x1.1”
      """
    ),
    (
      "playThrough x0.9",
      """
      the safety factor in “playThrough x0.9” is out of range, expected 1 to 1000 with at most \
      six decimals
      """
    ),
    ("playThrough x1/0", nil), ("playThrough x", nil), ("playThrough x-1", nil),
    ("playThrough x1e300", nil), ("playThrough x1/3/4", nil),
    ("playThrough x1." + String(repeating: "1", count: 400), nil),
    (
      "thresholds 1 s",
      """
      “thresholds 1 s” does not name two thresholds, expected one to start and one to resume, \
      such as “thresholds 1 s/2 s”
      """
    ),
    (
      "thresholds 1/2 s",
      """
      “1” has no unit, expected one of ns, us, µs, ms, s, min, h, days, years, as in “100 ms”
      """
    ),
    ("thresholds 1 s/300 years", nil), ("thresholds -1 s/2 s", nil),
    ("thresholds 1 s/2 s/3 s", nil),
    (
      "immediate 1", "“immediate 1” has a parameter too many, expected “immediate” alone"
    ),
    ("", nil),
  ])
  func `a text that is no heuristic says why`(text: String, problem: String?) throws {
    let error = try #require(throws: QuantityProblem.self) { try KeepUpHeuristic(text: text) }
    if let problem { #expect(error.text == problem) }
    #expect(!error.text.isEmpty)
  }
}

import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What a policy does that a scenario mixes.
@Suite struct PolicyScenarioTests {
  private func outcome(_ player: String, fidelity: String = "fluid") throws -> RunOutcome {
    let outcome = try run(
      readScenario(scenario(player: player, fidelity: fidelity), file: "a.json"))
    #expect(outcome.faults == [])
    return outcome
  }

  private func lines(_ outcome: RunOutcome) -> [String] {
    // The header has the scenario, and the digest covers the header.
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").dropFirst().dropLast()
      .map { String($0) }
  }

  @Test(
    arguments: Seeds.cases(of: [
      ("thresholds 1 s/2 s", #"{ "start": { "media": "1 s" }, "resume": { "media": "2 s" } }"#),
      ("everythingLoaded", #"{ "start": "everythingLoaded", "resume": "everythingLoaded" }"#),
      ("immediate", #"{ "start": "anything", "resume": { "media": "250 ms" } }"#),
      ("playThrough", #""avfoundation""#),
      (
        "playThrough x1.25",
        #"""
        { "start": { "playThrough": { "safety": "125 %" } },
          "resume": { "playThrough": { "safety": "125 %" } } }
        """#
      ),
    ]))
  func `a short form does what its policy does`(heuristic: String, policy: String) throws {
    // Over packets a verdict has to be believed before it counts, which is the same for all.
    let comesInPackets =
      Seeds.areMany ? heuristic.hasPrefix("playThrough") : heuristic == "playThrough"
    for fidelity in comesInPackets ? ["fluid", "tcp"] : ["fluid"] {
      let short = try outcome(#"{ "heuristic": "\#(heuristic)" }"#, fidelity: fidelity)
      let long = try outcome(#"{ "policy": \#(policy) }"#, fidelity: fidelity)
      #expect(lines(short) == lines(long), "\(heuristic)")
    }
  }

  /// A link of half the media's rate: a mark of *b* is played out in 2 *b*, and reached again in
  /// 2 *b* (`player-heuristics.md` §13).
  @Test func `a mark that escalates stalls less and less often, and replays`() throws {
    let stalls = try [
      #"{ "media": "1 s" }"#,
      #"""
      { "escalating": {
        "marks": [ { "media": "1 s" }, { "media": "2 s" }, { "media": "5 s" } ],
        "raise": "ranDry" } }
      """#,
    ].map { resume in
      let outcome = try outcome(
        #"{ "policy": { "start": { "media": "1 s" }, "resume": \#(resume) } }"#)
      guard case .same = try replay(outcome.trace, file: "a.json") else {
        Issue.record("it diverged")
        return Int64(0)
      }
      return outcome.player.books.stallCount
    }
    // 40 s of media: each second that is loaded ahead plays for two.
    #expect(stalls[0] == 19)
    // 2 s play first, then 4 s and from then on 10 s each.
    #expect(stalls[1] == 5)
  }

  /// It is ready after 2 s, and looks when a multiple of the period has passed.
  @Test(arguments: [("250 ms", 2_000), ("750 ms", 2_250), ("1.3 s", 2_600)])
  func `a rule that polls decides at its own times, and replays`(
    period: String, milliseconds: Int64
  ) throws {
    let outcome = try outcome(
      #"""
      { "policy": { "start": { "every": { "period": "\#(period)", "rule": { "media": "1 s" } } } } }
      """#)
    #expect(outcome.player.startupDelay == .milliseconds(milliseconds))
    guard case .same = try replay(outcome.trace, file: "a.json") else {
      Issue.record("it diverged")
      return
    }
  }

  private static let predicting = [
    "Chromium 156 autoplay", "Firefox 153 autoplay", "Firefox 4 autoplay", "QuickTime",
  ]

  /// It predicts for each wait; while it plays, packet after packet changed its mind.
  @Test(arguments: predicting, [1_500, 1_900, 2_050, 2_100, 2_400] as [Int64])
  func `a player that predicts once for each wait changes what it says as often`(
    policy: String, kilobits: Int64
  ) throws {
    let outcome = try run(
      readScenario(
        [UInt8](
          #"""
          {
            "scenario": "A", "about": "B.", "fidelity": "tcp",
            "link": { "bandwidth": "\#(kilobits) kbit/s", "delay": "30 ms" },
            "media": { "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } },
            "player": { "policy": "\#(policy)" }, "script": [ { "at": "0 s", "do": "play" } ]
          }
          """#.utf8), file: "a.json"))
    let changes = lines(outcome).count { $0.contains(#""event":"likelyToKeepUp""#) }
    // True and false again for each wait, and true when everything is there.
    #expect(changes <= 3 + 2 * outcome.player.books.stallCount, "\(changes)")
  }
}

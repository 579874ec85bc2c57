import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// A scenario with what a player says of itself.
func scenario(
  player: String, link: String = #"{ "bandwidth": "1 Mbit/s" }"#,
  media: String = #"{ "progressive": { "duration": "40 s", "bitrate": "2 Mbit/s" } }"#,
  fidelity: String = "fluid"
) -> [UInt8] {
  Array(
    """
    { "scenario": "a", "about": "b", "fidelity": "\(fidelity)", "horizon": "10 min",
    "link": \(link),
    "media": \(media),
    "player": \(player),
    "script": [ { "at": "0 s", "do": "play" } ],
    "expect": [ { "end": "finished" } ] }
    """.utf8)
}

/// What a policy is in a scenario, block by block.
@Suite struct PolicyReadingTests {
  private func policy(_ text: String) throws -> PolicyDescription {
    try readScenario(scenario(player: #"{ "policy": \#(text) }"#), file: "a.json").player.policy
  }

  @Test func `a name is a whole policy, and the one that stands where nothing is said`() throws {
    #expect(try policy(#""avfoundation""#) == PolicyPreset.avfoundation.description)
    let silent = try readScenario(scenario(player: "{}"), file: "a.json")
    #expect(silent.player.policy == PolicyPreset.avfoundation.description)
    #expect(try policy(#"{ "like": "avfoundation" }"#) == silent.player.policy)
  }

  @Test(
    arguments: [
      (#""playThrough""#, .playThrough(.usual)),
      (#""everythingLoaded""#, .everythingLoaded), (#""anything""#, .level(.anything)),
      (#"{ "playThrough": {} }"#, .playThrough(.usual)),
      (
        #"""
        { "playThrough":
          { "safety": "110 %", "whenEndUnknown": true, "margin": "0 s", "shareOfWait": "0 %" } }
        """#,
        .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100), whenEndUnknown: true))
      ),
      (#"{ "media": "2.5 s" }"#, .level(.media(.milliseconds(2_500)))),
      (#"{ "playingTime": "2 s" }"#, .level(.playingTime(.seconds(2)))),
      (#"{ "bytes": "64 KB" }"#, .level(.bytes(64_000))),
      (#"{ "segments": 2 }"#, .level(.segments(2))),
      (#"{ "mediaLimitShare": "99 %" }"#, .level(.shareOfMediaLimit(99))),
      (#"{ "byteLimitShare": "50 %" }"#, .level(.shareOfByteLimit(50))),
      (#"{ "sound": "1 s" }"#, .level(.sound(.seconds(1)))),
      (#"{ "pictures": "1 s" }"#, .level(.pictures(.seconds(1)))),
      (#"{ "liveShare": "50 %" }"#, .level(.shareOfLiveTarget(50))),
      (#"{ "arriving": "1 s" }"#, .level(.mediaWithArriving(.seconds(1)))),
      (
        #"{ "escalating": { "marks": [ "anything", { "media": "1 s" } ], "raise": "ranDry" } }"#,
        .escalating(EscalatingLevel([.anything, .media(.seconds(1))], raise: .ranDry))
      ),
      (#"{ "after": "15 s" }"#, .after(.seconds(15))),
      (#"{ "afterTimesRate": "15 s" }"#, .after(.seconds(15), timesRate: true)),
      (#"{ "at": "15 s" }"#, .at(.zero + .seconds(15))),
      (
        #"{ "any": [ "playThrough", { "all": [ { "after": "3 s" }, { "media": "1 s" } ] } ] }"#,
        .any([
          .playThrough(.usual),
          .all([.after(.seconds(3)), .level(.media(.seconds(1)))]),
        ])
      ),
      (
        #"{ "every": { "period": "250 ms", "from": "run", "rule": { "media": "1 s" } } }"#,
        .every(.milliseconds(250), from: .run, .level(.media(.seconds(1))))
      ),
    ] as [(String, ReadinessRule)])
  func `a rule for starting is a block, or several joined`(
    text: String, rule: ReadinessRule
  ) throws {
    var expected = PolicyPreset.avfoundation.description
    expected.start = rule
    #expect(try policy(#"{ "start": \#(text) }"#) == expected)
    expected.resume = rule
    #expect(try policy(#"{ "start": \#(text), "resume": \#(text) }"#) == expected)
  }

  @Test(
    arguments: [
      (
        #"{ "line": "afterThirdOfWait" }"#,
        PolicyPreset.avfoundation.description.estimator.ofFiles
      ),
      (
        #"{ "history": "sinceBeginning", "prior": "1 Mbit/s" }"#,
        EstimatorDescription(.history(.sinceBeginning), prior: 1_000_000)
      ),
      (
        #"{ "history": { "leastSince": {} } }"#,
        EstimatorDescription(
          .history(
            .leastSince(
              .init(window: .seconds(10), leastBytes: 1_000, leastEntries: 5, newest: 3, oldest: 20)
            )))
      ),
      (
        #"""
        { "samples": { "cut": { "every": "100 ms", "bytes": "16 KB" }, "clock": "request",
          "statistics": [ { "halfLife": "3 s" }, { "halfLife": "9 s", "weight": 1500 } ] },
          "gate": { "bytes": "128 KB" } }
        """#,
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .halfLife(.seconds(3)), .halfLife(.seconds(9), weight: 1_500),
              over: Sampling(
                .progress(every: .milliseconds(100), bytes: 16_000), clock: .request))),
          gate: .init(bytes: 128_000))
      ),
      (
        #"""
        { "samples": { "cut": "mainSegmentEnds", "leastBytes": "1 KB", "leastSpan": "50 ms",
          "countsCancelled": true, "statistics": [ "last", { "mean": 3 }, { "harmonicMean": 5 },
            { "percentile": "50 %", "weightLimit": 2000 }, { "runningMean": "3.2 s" } ] } }
        """#,
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .last, .mean(of: 3), .harmonicMean(of: 5), .percentile(50, weightLimit: 2_000),
              .runningMean(limit: .milliseconds(3_200)),
              over: Sampling(
                .mainSegmentEnds, leastBytes: 1_000, leastSpan: .milliseconds(50),
                countsCancelled: true))))
      ),
    ] as [(String, EstimatorDescription)])
  func `an estimator says what it measures`(text: String, estimator: EstimatorDescription) throws {
    var expected = PolicyPreset.avfoundation.description
    expected.estimator.ofFiles = estimator
    #expect(try policy(#"{ "fileEstimator": \#(text) }"#) == expected)
  }

  @Test func `what is said of the sink and of the exits changes nothing else of them`() throws {
    var expected = PolicyPreset.avfoundation.description
    expected.sink.leastToResume = .milliseconds(200)
    expected.exits.whenIdle = true
    #expect(
      try policy(#"{ "sink": { "leastToResume": "200 ms" }, "exits": { "whenIdle": true } }"#)
        == expected)
  }

  @Test(arguments: [
    (
      #"{ "policy": "avfundation" }"#,
      "4:23: player.policy: unknown word “avfundation” (expected “avfoundation”, “"
    ),
    (
      #"{ "policy": { "startt": "anything" } }"#,
      #"4:25: player.policy: unknown key “startt” (did you mean “start”?)"#
    ),
    (
      #"{ "policy": { "start": { "media": "1 s", "bytes": "1 KB" } } }"#,
      "player.policy.start.bytes: cannot stand beside “media”"
    ),
    (
      #"{ "policy": { "stall": { "below": "1 s", "every": "2 s", "countsArriving": true } } }"#,
      "player.policy.stall.countsArriving: cannot stand beside “every”"
    ),
    (
      #"{ "policy": { "stall": { "countsArriving": true, "unlessPlayThrough": true } } }"#,
      "player.policy.stall.countsArriving: cannot stand beside “unlessPlayThrough”"
    ),
    (
      #"{ "policy": "avfoundation", "heuristic": "immediate" }"#,
      "player.heuristic: cannot stand beside “policy” (expected only one of “policy” or"
    ),
    (#"{ "policy": { "start": { "any": [] } } }"#, "player.policy.start.any: the list is empty"),
  ])
  func `a mistake is said where it stands`(player: String, message: String) {
    let said = mistakes(in: String(decoding: scenario(player: player), as: UTF8.self))
    #expect(said.contains(message), "\(said)")
  }
}

// Rules in one expression: the sources change what is usual, field by field.

extension PlayThrough {
  init(
    safety: SafetyFactor, whenEndUnknown: Bool, margin: Margin = .none, everyByte: Bool = true
  ) {
    self = .usual
    (self.safety, self.whenEndUnknown) = (safety, whenEndUnknown)
    (self.margin, self.everyByte) = (margin, everyByte)
  }
}

extension EstimatorDescription.Gate {
  init(bytes: Int64 = .max, span: TimeSpan = .forever) {
    self = .closed
    (self.bytes, self.span) = (bytes, span)
  }
}

extension HistoryRule.SinceRule {
  init(
    window: TimeSpan, leastBytes: Int64, leastEntries: Int32, newest: Int32, oldest: Int32
  ) {
    self = .usual
    (self.window, self.leastBytes, self.leastEntries) = (window, leastBytes, leastEntries)
    (self.newest, self.oldest) = (newest, oldest)
  }
}

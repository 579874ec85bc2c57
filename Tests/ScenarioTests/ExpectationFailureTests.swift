import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// The words of a failed expectation: the expected value, the value found, and the instant.
@Suite struct ExpectationFailureTests {
  /// Media that is there at once: it plays from 1 s to 3 s and from 5 s to 8 s, of which a second
  /// at twice the rate, and is sought four times.
  private static func failures(_ expectations: String) throws -> [ExpectationFailure] {
    let text = """
      { "scenario": "a", "about": "b", "link": { },
        "media": { "local": { "duration": "60 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "1 s", "do": "play", "name": "start" },
          { "at": "2.1 s", "do": "seek", "to": "20 s" },
          { "at": "2.2 s", "do": "seek", "to": "21 s" },
          { "at": "2.3 s", "do": "seek", "to": "22 s" },
          { "at": "2.4 s", "do": "seek", "to": "23 s" },
          { "at": "3 s", "do": "pause", "name": "first" }, { "at": "5 s", "do": "play" },
          { "at": "6 s", "do": "setRate", "rate": 2 }, { "at": "7 s", "do": "setRate", "rate": 1 },
          { "at": "8 s", "do": "pause", "name": "last" } ],
        "expect": [ \(expectations) ] }
      """
    return try run(readScenario(Array(text.utf8), file: "a.json")).failures
  }

  private static func words(_ failure: ExpectationFailure) -> [String] {
    let instants = failure.instants.map { "\($0.nanoseconds / 1_000_000)" }
    return [
      failure.expected, failure.actual, failure.manner, instants.joined(separator: " "),
    ]
  }

  // MARK: Counts and orders

  @Test(arguments: [
    (
      "rateChange", "5", "5", "6 times, at 1 s, 3 s, 5 s and 3 times more", "is too high",
      "1000 3000 5000"
    ),
    (
      "rateChange", #"{ "atLeast": 7 }"#, "at least 7",
      "6 times, at 1 s, 3 s, 5 s and 3 times more", "is too low", "1000 3000 5000"
    ),
    (
      "seek", "0", "0", "4 times, at 2.1 s, 2.2 s, 2.3 s and once more", "is too high",
      "2100 2200 2300"
    ),
    (
      "rateChange rate=1", #"{ "between": [ 1, 2 ] }"#, "between 1 and 2",
      "3 times, at 1 s, 5 s and 7 s", "is too high", "1000 5000 7000"
    ),
    (
      "rateChange rate=0", #"{ "not": 2 }"#, "not 2", "2 times, at 3 s and 8 s", "is that",
      "3000 8000"
    ),
    ("rateChange rate=2", "3", "3", "once, at 6 s", "is too low", "6000"),
    ("stall", "1", "1", "0 times", "is too low", "0"),
  ])
  func `a count says how often and when the event was`(
    event: String, claim: String, expected: String, actual: String, manner: String,
    instants: String
  ) throws {
    let found = try Self.failures("{ \"count\": \"\(event)\", \"is\": \(claim) }")
    #expect(
      found.map(Self.words) == [
        [
          "\(event) to occur \(expected) \(expected == "1" ? "time" : "times")",
          "it occurred \(actual)", "\(event) \(manner)", instants,
        ]
      ])
    let met = [#"{ "count": "rateChange", "is": 6 }"#, #"{ "count": "stall", "is": 0 }"#]
    #expect(try Self.failures(met.joined(separator: ", ")) == [])
  }

  @Test(arguments: [
    (["stall", "seek"], "stall at all", "stall", "0"),
    (["seek", "stall"], "stall after seek (at 2.1 s)", "stall", "2100"),
    (
      ["rateChange rate=2", "rateChange rate=0", "rateChange rate=2"],
      "rateChange rate=2 after rateChange rate=0 (at 8 s); before it there was, last at 6 s",
      "rateChange rate=2", "6000 8000"
    ),
    (
      ["rateChange rate=0", "rateChange rate=0", "seek"],
      "seek after rateChange rate=0 (at 8 s); before it there was, last at 2.4 s", "seek",
      "2400 8000"
    ),
  ])
  func `an order says which event was missing, behind what`(
    events: [String], actual: String, missing: String, instants: String
  ) throws {
    let list = events.map { "\"\($0)\"" }.joined(separator: ", ")
    let found = try Self.failures("{ \"order\": [ \(list) ] }")
    #expect(
      found.map(Self.words) == [
        [
          "in order: " + events.joined(separator: ", then "), "there was no \(actual)",
          "no \(missing)", instants,
        ]
      ])
    #expect(try Self.failures(#"{ "order": [ "seek", "seek", "rateChange rate=2" ] }"#) == [])
  }

  // MARK: Properties

  @Test(arguments: [
    (#""3 s""#, "at 3 s", "it was 0: the script did “first” at the same instant", "3000"),
    (#""4 s""#, "at 4 s", "it was 0; the player was paused", "4000"),
    (
      #"{ "after": "first", "by": "1 s" }"#, "1 s after “first” (4 s)",
      "it was 0; the player was paused", "4000"
    ),
    (
      #"{ "after": "first", "by": "2 s" }"#, "2 s after “first” (5 s)",
      "it was 1: the script did “play” at the same instant", "5000"
    ),
    (#"{ "after": "first" }"#, "at “first” (3 s)", "it was 0; the player was paused", "3000"),
    (
      #"{ "event": "rateChange" }"#, "at the first rateChange (1 s)",
      "it was 1: the script did “start” at the same instant", "1000"
    ),
    (
      #"{ "event": "rateChange", "number": 2 }"#, "at the second rateChange (3 s)",
      "it was 0: the script did “first” at the same instant", "3000"
    ),
    (
      #"{ "event": "rateChange", "number": 3, "by": "0.5 s" }"#,
      "0.5 s after the third rateChange (5.5 s)", "it was 1; the player was playing", "5500"
    ),
    (
      #"{ "event": "rateChange", "number": 4 }"#, "at rateChange number 4 (6 s)",
      "it was 2: the script did “setRate” at the same instant", "6000"
    ),
    (
      #"{ "event": "rateChange", "number": 7 }"#, "at rateChange number 7",
      "there was no such moment: the run ended at 8 s", "8000"
    ),
    (#""end""#, "at the end", "it was 0: the script did “last” at the same instant", "8000"),
  ])
  func `a property says what it was at its moment, and why`(
    moment: String, at: String, actual: String, instants: String
  ) throws {
    let found = try Self.failures("{ \"at\": \(moment), \"rate\": 7 }")
    let manner = actual.hasPrefix("there") ? "no such moment" : "rate is too low"
    #expect(found.map(Self.words) == [["rate 7 \(at)", actual, manner, instants]])
  }

  @Test func `a state that was told is not told again, and each claim fails by itself`() throws {
    let found = try Self.failures(
      #"{ "at": "4 s", "timeControlStatus": "playing", "rate": 0, "currentTime": "1 s" }"#)
    #expect(
      found.map(Self.words)
        == [
          [
            "timeControlStatus playing at 4 s", "it was paused", "timeControlStatus is paused",
            "4000",
          ],
          [
            "currentTime 1 s at 4 s", "it was 23.6 s; the player was paused",
            "currentTime is too high", "4000",
          ],
        ].sorted { $0[0] > $1[0] })
    let never = try Self.failures(
      #"{ "at": { "event": "stall" }, "rate": 1, "currentTime": { "atMost": "2 s" } }"#)
    #expect(never.map { $0.manner } == ["no such moment"])
    #expect(
      never[0].expected.contains(" and ") && never[0].expected.hasSuffix("at the first stall"))
  }

  @Test func `a total at a moment counts the time up to it, and not up to the last event`() throws {
    let met = [
      #"{ "at": "2 s", "played": "1 s", "paused": "1 s" }"#,
      #"{ "at": "4 s", "played": "2 s", "paused": "2 s" }"#,
      #"{ "at": "6.5 s", "played": "3.5 s", "paused": "3 s" }"#,
    ]
    #expect(try Self.failures(met.joined(separator: ", ")) == [])
  }

  /// A file of 1 Mbit/s over a link of 500 kbit/s stalls again and again.
  @Test func `a sum over the run says when it came about`() throws {
    func outcome(_ expectation: String) throws -> RunOutcome {
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "500 kbit/s" }, "horizon": "60 s",
          "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
          "player": { "heuristic": "thresholds 1 s/1 s" },
          "script": [ { "at": "0 s", "do": "play" } ], "expect": [ \(expectation) ] }
        """
      return try run(readScenario(Array(text.utf8), file: "a.json"))
    }
    let whole = try outcome(#"{ "stallCount": 0 }"#)
    let stalls = whole.player.books.stalls.map { PropertyValue.time($0.start.nanoseconds).words }
    try #require(stalls.count > 4)
    let failure = try #require(whole.failures.first)
    #expect(failure.expected == "stallCount 0" && failure.manner == "stallCount is too high")
    #expect(
      failure.actual == "it was \(stalls.count): stall at \(stalls[0]), \(stalls[1]), "
        + "\(stalls[2]) and \(stalls.count - 3) times more")
    #expect(failure.instants == whole.player.books.stalls.prefix(3).map { $0.start })
    // At the second stall there were two, and before the first none.
    let second = try outcome("{ \"at\": \"\(stalls[1])\", \"stallCount\": 1 }")
    let early = try #require(second.failures.first)
    #expect(early.expected == "stallCount 1 at \(stalls[1])")
    #expect(early.actual == "it was 2: stall at \(stalls[0]) and \(stalls[1])")
    let before = try #require(try outcome(#"{ "at": "1 s", "stallCount": 3 }"#).failures.first)
    #expect(before.expected == "stallCount 3 at 1 s" && before.actual == "it was 0")
    #expect(before.instants == [.zero + .seconds(1)] && before.manner == "stallCount is too low")
  }

  // MARK: Matchers

  private static let nine = PropertyValue.count(9)

  /// A value, whether it is accepted, and how it misses where it is not.
  @Test(
    arguments: [
      (
        .equals(.count(9)), "9",
        [(.count(8), "is too low"), (.count(9), nil), (.count(10), "is too high")]
      ),
      (
        .atLeast(.count(9)), "at least 9",
        [(.count(8), "is too low"), (.count(9), nil), (.count(10), nil)]
      ),
      (
        .atMost(.count(9)), "at most 9",
        [(.count(8), nil), (.count(9), nil), (.count(10), "is too high")]
      ),
      (
        .between(.count(5), .count(9)), "between 5 and 9",
        [
          (.count(4), "is too low"), (.count(5), nil), (.count(9), nil),
          (.count(10), "is too high"),
        ]
      ),
      (
        .about(.time(9_000_000_000), within: .time(2_000_000_000)), "9 s within 2 s",
        [
          (.time(6_999_999_999), "is too low"), (.time(7_000_000_000), nil),
          (.time(11_000_000_000), nil), (.time(11_000_000_001), "is too high"),
          (.null, "is null"), (.count(9), "is too low"),
        ]
      ),
      (
        .not(.equals(.text("a"))), "not a", [(.text("a"), "is a"), (.text("b"), nil), (.null, nil)]
      ),
      (
        .not(.atMost(.share(20_000))), "not at most 2 %",
        [(.share(20_000), "is that"), (.share(20_001), nil)]
      ),
      (
        .equals(.null), "null",
        [(.null, nil), (.count(0), "is that"), (.boolean(false), "is false")]
      ),
      (.equals(.text("")), "empty", [(.text(""), nil), (.text("x"), "is x")]),
      (.entries([[]]), "1 entry: [{}]", [(.null, "is null")]),
      (.entries([[], []]), "2 entries: [{}, {}]", [(.null, "is null")]),
      (.equals(.boolean(true)), "true", [(.boolean(true), nil), (.boolean(false), "is false")]),
      (
        .equals(.rate(PlaybackRate(3, over: 2))), "1.5",
        [
          (.rate(PlaybackRate(3, over: 2)), nil), (.rate(.normal), "is too low"),
          (.rate(PlaybackRate(2)), "is too high"),
        ]
      ),
      (
        .atLeast(.rate(PlaybackRate(1, over: 3))), #"at least "1/3""#,
        [
          (.rate(PlaybackRate(1, over: 3)), nil),
          (.rate(PlaybackRate(333, over: 1_000)), "is too low"),
          (.rate(PlaybackRate(334, over: 1_000)), nil),
        ]
      ),
      (
        .equals(.ranges([0..<1_500_000_000, 2_000_000_000..<3_000_000_000])),
        "[[0 s, 1.5 s], [2 s, 3 s]]", [(.ranges([]), "is []"), (.null, "is null")]
      ),
      (
        .atLeast(.time(5)), "at least 0.000000005 s", [(.count(7), "is too high"), (.time(5), nil)]
      ),
    ] as [(Matcher, String, [(PropertyValue, String?)])])
  func `a matcher has its bounds and its words`(
    matcher: Matcher, words: String, values: [(PropertyValue, String?)]
  ) {
    #expect(matcher.words == words)
    for (value, miss) in values {
      #expect(matcher.accepts(value) == (miss == nil), "\(value)")
      if let miss { #expect(matcher.miss(of: value) == miss, "\(value)") }
    }
  }
}

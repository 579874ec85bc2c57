import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Each seat of a policy, filled otherwise than the others leave it.
@Suite struct SeatTests {
  /// What is played, and over what.
  enum Stage: Sendable {
    /// Four variants, 4 s segments, a minute; the link falls below the higher ones.
    case stream
    /// 40 s of 1 Mbit/s over half of that.
    case file

    var network: String {
      switch self {
      case .stream:
        #"""
        "link": { "bandwidth": "6 Mbit/s", "delay": "20 ms" },
        "media": { "hls": {
          "ladder": [ { "bitrate": "2 Mbit/s" }, { "bitrate": "500 kbit/s" },
            { "bitrate": "1 Mbit/s" }, { "bitrate": "4 Mbit/s" } ],
          "duration": "60 s", "segmentDuration": "4 s", "playlistBytes": "0 B" } },
        """#
      case .file:
        #"""
        "link": { "bandwidth": "500 kbit/s" },
        "media": { "progressive": { "duration": "40 s", "bitrate": "1 Mbit/s" } },
        """#
      }
    }

    var script: String {
      switch self {
      case .stream:
        #"""
        { "at": "0 s", "do": "play" },
        { "at": "12.5 s", "do": "changeLink", "to": { "bandwidth": "600 kbit/s" } }
        """#
      case .file: #"{ "at": "0 s", "do": "play" }"#
      }
    }
  }

  struct Swap: Sendable, CustomTestStringConvertible {
    var stage: Stage
    var base: String
    var swap: String
    /// The event with which the two runs part.
    var event: String

    init(_ stage: Stage, on base: String = "", _ swap: String, _ event: String) {
      (self.stage, self.base, self.swap, self.event) = (stage, base, swap, event)
    }

    var testDescription: String { swap }
  }

  private func lines(_ stage: Stage, _ policy: String, _ fidelity: String) throws -> [String] {
    let policy = policy.isEmpty ? "" : ", " + policy
    let text = """
      { "scenario": "a", "about": "b", "fidelity": "\(fidelity)", \(stage.network)
        "player": { "policy": { "like": "avfoundation"\(policy) } },
        "script": [ \(stage.script) ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    // A replay over packets takes long, and goldens are replayed over them.
    if fidelity == "fluid" && Seeds.areMany {
      guard case .same = try replay(outcome.trace, file: "a.json") else {
        Issue.record("it diverged")
        return []
      }
    }
    // A reason to stay and a forecast are told before the decision that they lead to.
    return String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").dropFirst()
      .filter { line in
        !["variantStay", "forecast"].contains { line.contains("\"event\":\"\($0)\"") }
      }.map { String($0) }
  }

  static let swaps = [
    Swap(.stream, #""firstVariant": "lowest""#, "variantChoice"),
    Swap(.stream, #""nextVariant": "fixed""#, "variantSwitchStart"),
    Swap(
      .stream, #""nextVariant": { "buffer": { "reservoir": "5 s", "cushion": "10 s" } }"#,
      "variantSwitchStart"),
    Swap(.stream, #""nextVariant": { "throughput": { "upFrom": "6 s" } }"#, "variantSwitchStart"),
    Swap(.stream, #""nextVariant": { "band": { "up": "65 %" } }"#, "variantSwitchStart"),
    Swap(.stream, #""abandon": "never""#, "segmentAbandon"),
    Swap(.stream, #""abandon": { "look": "50 %" }"#, "segmentAbandon"),
    Swap(
      .stream,
      #"""
      "streamEstimator": {
        "samples": { "statistics": [ "last" ] }, "gate": { "bytes": "1.5 MB" } }
      """#,
      "likelyToKeepUp"),
    Swap(
      .stream, #""streamFetch": { "media": "8 s", "trackLead": 0 }"#,
      "variantSwitchStart"),
    Swap(.stream, #""start": { "segments": 3 }"#, "timeControlStatus"),
    Swap(
      .stream, on: #""start": { "segments": 1 }, "resume": { "segments": 1 }, "abandon": "never""#,
      #""stall": { "below": "1 s" }"#, "likelyToKeepUp"),
    Swap(.file, #""start": { "media": "2 s" }"#, "timeControlStatus"),
    Swap(
      .file, on: #""start": { "media": "2 s" }, "resume": { "media": "2 s" }"#,
      #""stall": { "below": "500 ms" }"#, "likelyToKeepUp"),
    Swap(
      .file, on: #""start": { "media": "2 s" }, "resume": { "media": "2 s" }"#,
      #""resume": { "media": "5 s" }"#, "likelyToKeepUp"),
    Swap(.file, #""fileFetch": { "media": "3 s" }"#, "reading"),
  ]

  /// Two runs are the same up to the first decision that the seat takes otherwise.
  @Test(arguments: Seeds.cases(of: swaps))
  func `a seat that is filled otherwise changes what it decides, and nothing before`(
    swap: Swap
  ) throws {
    // A minute of a stream is many packets.
    for fidelity in swap.event == "reading" ? ["fluid"] : Seeds.fidelities(whereSmall: false) {
      let base = try lines(swap.stage, swap.base, fidelity)
      var policy = swap.base
      if swap.base.contains(#""resume""#), swap.swap.contains(#""resume""#) {
        policy = #""start": { "media": "2 s" }"#
      }
      let other = try lines(
        swap.stage, policy.isEmpty ? swap.swap : policy + ", " + swap.swap, fidelity)
      let parting = zip(base, other).first { $0 != $1 }
      let events = [parting?.0, parting?.1].compactMap { $0 }.map { line in
        line.split(separator: #""event":""#).last.map { $0.prefix { $0 != "\"" } } ?? ""
      }
      #expect(
        events.contains { $0 == swap.event },
        "\(fidelity): \(parting?.0 ?? "the same") / \(parting?.1 ?? "")")
    }
  }

  /// `player-heuristics.md` §13: played (b − s) / (1 − ρ), stalled (b − s) / ρ.
  @Test(arguments: [("0 s", 19, 38_000), ("500 ms", 39, 39_000)] as [(String, Int64, Int64)])
  func `a stall declared with media left comes sooner, and is shorter`(
    mark: String, stalls: Int64, milliseconds: Int64
  ) throws {
    let stall = mark == "0 s" ? #""whenDry""# : #"{ "below": "\#(mark)" }"#
    let text = """
      { "scenario": "a", "about": "b", \(Stage.file.network)
        "player": { "policy": { "start": { "media": "1 s" }, "resume": { "media": "1 s" },
          "stall": \(stall) } },
        "script": [ \(Stage.file.script) ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    #expect(outcome.player.books.stallCount == stalls)
    // A byte less than the mark is 8 µs of media.
    let short = TimeSpan.milliseconds(milliseconds) - outcome.player.books.stalled
    #expect(short >= .zero && short < .milliseconds(1))
  }

  /// A link, and how much media is left when a stall is declared.
  @Test(
    arguments: Seeds.pairs(
      of: [
        (600, 100), (700, 250), (800, 500), (900, 750), (650, 1_000), (750, 1_500), (850, 50),
        (500, 333), (825, 900), (550, 1_999),
      ] as [(Int64, Int64)], and: [false, true]))
  func `a stall declared with media left stands in the access log`(
    setting: (link: Int64, mark: Int64), isStream: Bool
  ) throws {
    let media =
      isStream
      ? #""hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "40 s", "#
        + #""segmentDuration": "2 s" }"#
      : #""progressive": { "duration": "40 s", "bitrate": "1 Mbit/s" }"#
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "\#(setting.link) kbit/s" }, "media": { \#(media) },
      "player": { "policy": { "start": { "media": "3 s" }, "resume": { "media": "3 s" },
        "stall": { "below": "\#(setting.mark) ms" } } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    let logged = outcome.logs.accessLog?.events.reduce(0) { $0 + $1.numberOfStalls }
    #expect(outcome.player.books.stallCount > 0)
    #expect(logged == outcome.player.books.stallCount)
  }

  @Test(arguments: [
    (#""adaptation": "fixed", "policy": "avfoundation""#, "adaptation"),
    (
      #""startsOnFirstEligibleVariant": true, "policy": { "start": "anything" }"#,
      "startsOnFirstEligibleVariant"
    ),
    (#""heuristic": "immediate", "policy": "avfoundation""#, "heuristic"),
  ])
  func `a short form does not stand beside a policy`(player: String, key: String) {
    let told = mistakes(
      in: """
        { "scenario": "a", "about": "b", \(Stage.stream.network)
          "player": { \(player) }, "script": [ \(Stage.stream.script) ] }
        """)
    #expect(told.contains(key), "\(told)")
    #expect(told.contains("policy"), "\(told)")
  }
}

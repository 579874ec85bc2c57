import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// The table of seats: each filled otherwise alone, over files and streams, in both fidelities.
///
/// Where it has a say the runs part with a decision of its own; where it has none nothing differs
/// to the last byte.
@Suite(.enabled(if: Seeds.areMany, "a debug build leaves it to the release build"))
struct SeatTableTests {
  /// What is played.
  enum Stage: CaseIterable {
    /// 40 s of 1 Mbit/s over half of that: it stalls again and again.
    case file
    /// Four variants, and a link that falls below all of them after a while.
    case stream

    func parts(_ fidelity: String) -> String {
      switch self {
      case .file:
        #"""
        "fidelity": "\#(fidelity)", "link": { "bandwidth": "500 kbit/s", "delay": "5 ms" },
        "media": { "progressive": { "duration": "40 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ],
        """#
      case .stream:
        #"""
        "fidelity": "\#(fidelity)", "link": { "bandwidth": "6 Mbit/s", "delay": "20 ms" },
        "media": { "hls": {
          "ladder": [ { "bitrate": "2 Mbit/s" }, { "bitrate": "500 kbit/s" },
            { "bitrate": "1 Mbit/s" }, { "bitrate": "4 Mbit/s" } ],
          "duration": "60 s", "segmentDuration": "4 s", "playlistBytes": "0 B" } },
        "script": [
          { "at": "0 s", "do": "play" },
          { "at": "12.5 s", "do": "changeLink", "to": { "bandwidth": "300 kbit/s" } } ],
        """#
      }
    }
  }

  /// Seats, each with what fills it.
  typealias Seats = [(seat: String, rule: String)]

  struct Row: Sendable, CustomTestStringConvertible {
    var seat: String
    var rule: String
    /// What fills the seats on both sides, but for the one that is swapped.
    var base: Base = .marks
    /// The events with which the runs part; nil where the seat has no say.
    var file: [String]?
    var stream: [String]?

    var testDescription: String { "\(seat): \(rule)" }
  }

  enum Base {
    case marks
    /// The same with marks that no poll meets.
    case oddMarks
    /// By prediction, which goes by an estimate.
    case predictions

    var seats: Seats {
      switch self {
      case .marks: [("start", #"{ "media": "2 s" }"#), ("resume", #"{ "media": "2 s" }"#)]
      case .oddMarks:
        [("start", #"{ "media": "2030 ms" }"#), ("resume", #"{ "media": "2030 ms" }"#)]
      case .predictions: [("start", #""playThrough""#), ("resume", #""playThrough""#)]
      }
    }
  }

  private static let readiness = ["likelyToKeepUp", "timeControlStatus"]

  static let rows = [
    Row(seat: "sink", rule: #"{ "leastToStart": "5 s" }"#, file: readiness, stream: readiness),
    Row(seat: "sink", rule: #"{ "leastToResume": "5 s" }"#, file: readiness, stream: readiness),
    Row(seat: "start", rule: #"{ "media": "5 s" }"#, file: readiness, stream: readiness),
    Row(seat: "resume", rule: #"{ "media": "6 s" }"#, file: readiness, stream: readiness),
    Row(
      seat: "stall", rule: #"{ "below": "1 s" }"#, file: readiness + ["stall"],
      stream: readiness + ["stall"]),
    Row(
      seat: "fileEstimator",
      rule: #"{ "samples": { "statistics": ["last"] }, "prior": "5 Gbit/s" }"#,
      base: .predictions, file: readiness),
    Row(
      seat: "streamEstimator",
      rule: #"{ "samples": { "statistics": ["last"] }, "gate": { "bytes": "1.5 MB" } }"#,
      base: .predictions, stream: readiness),
    Row(seat: "firstVariant", rule: #""lowest""#, stream: ["variantChoice"]),
    Row(seat: "firstVariant", rule: #""highest""#, stream: ["variantChoice"]),
    Row(seat: "nextVariant", rule: #""fixed""#, stream: ["variantSwitchStart"]),
    Row(
      seat: "nextVariant", rule: #"{ "buffer": { "reservoir": "5 s", "cushion": "10 s" } }"#,
      stream: ["variantSwitchStart"]),
    Row(seat: "abandon", rule: #""never""#, stream: ["segmentAbandon"]),
    Row(
      seat: "fileFetch", rule: #"{ "media": "12 s" }"#, base: .predictions,
      file: ["reading", "playbackBufferFull", "requestCancel"]),
    Row(
      seat: "streamFetch", rule: #"{ "media": "8 s", "trackLead": 0 }"#,
      stream: ["playbackBufferFull", "variantSwitchStart"]),
    // A rule that remembers, and one that polls.
    Row(
      seat: "resume",
      rule: #"""
        { "escalating": { "marks": [ { "media": "2 s" }, { "media": "5 s" }, { "media": "9 s" } ],
          "raise": "ranDry" } }
        """#,
      file: readiness, stream: readiness),
    Row(
      seat: "start",
      rule: #"{ "every": { "period": "250 ms", "rule": { "media": "2030 ms" } } }"#,
      base: .oddMarks, file: readiness, stream: readiness),
    Row(
      seat: "resume",
      rule: #"{ "every": { "period": "250 ms", "rule": { "media": "2030 ms" } } }"#,
      base: .oddMarks, file: readiness, stream: readiness),
  ]

  /// The lines of a run behind the header, without the digest, which covers that; each run replays.
  private func lines(_ stage: Stage, _ seats: Seats, _ fidelity: String) throws -> [String] {
    let rules = seats.map { #", "\#($0.seat)": \#($0.rule)"# }.joined()
    let text = """
      { "scenario": "a", "about": "b", \(stage.parts(fidelity))
        "player": { "policy": { "like": "avfoundation"\(rules) } } }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    guard case .same = try replay(outcome.trace, file: "a.json") else {
      Issue.record("it diverged")
      return []
    }
    // A reason to stay and a forecast are told before the decision that they lead to.
    return String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").dropFirst()
      .filter { line in
        !["variantStay", "forecast"].contains { line.contains("\"event\":\"\($0)\"") }
      }
      .map { line in
        line.firstRange(of: #","digest":"#).map { String(line[..<$0.lowerBound]) } ?? String(line)
      }
  }

  private func event(of line: String) -> String {
    guard let range = line.firstRange(of: #""event":""#) else { return "" }
    return String(line[range.upperBound...].prefix { $0 != "\"" })
  }

  @Test(arguments: rows, [Stage.file, .stream])
  func `a seat that is filled otherwise decides otherwise, or nothing differs`(
    row: Row, stage: Stage
  ) throws {
    for fidelity in ["fluid", "tcp"] {
      let base = try lines(stage, row.base.seats, fidelity)
      let others = row.base.seats.filter { $0.seat != row.seat }
      let swapped = try lines(stage, others + [(row.seat, row.rule)], fidelity)
      guard let events = stage == .file ? row.file : row.stream else {
        #expect(swapped == base, "\(fidelity): \(row.seat) has a say")
        continue
      }
      let parting = zip(base, swapped).first { $0 != $1 }
      let names = [parting?.0, parting?.1].compactMap { $0.map(event) }
      #expect(
        names.contains { events.contains($0) },
        "\(fidelity): \(parting?.0 ?? "the same") / \(parting?.1 ?? "")")
    }
  }

  // MARK: The same said otherwise

  static let same: [(seat: String, rule: String)] = [
    ("sink", #"{ "leastToStart": "1 s", "leastToResume": "2 s" }"#),
    ("start", #"{ "any": [ { "media": "2 s" } ] }"#),
    ("start", #"{ "all": [ { "media": "2 s" }, { "media": "500 ms" } ] }"#),
    ("start", #"{ "escalating": { "marks": [ { "media": "2 s" } ], "raise": "ranDry" } }"#),
    ("resume", #"{ "any": [ { "media": "2 s" }, { "media": "7 s" } ] }"#),
    ("resume", #"{ "escalating": { "marks": [ { "media": "2 s" }, { "media": "2 s" } ] } }"#),
    ("stall", #""whenDry""#),
    ("firstVariant", #"{ "share": "100 %", "assumed": "2 Mbit/s" }"#),
    ("nextVariant", #""throughput""#), ("nextVariant", #"{ "throughput": { "share": "80 %" } }"#),
    ("abandon", #"{ "look": "25 %", "first": { "every": "2 s", "gain": "5 s" } }"#),
    ("streamFetch", #"{ "media": "50 s", "trackLead": 0 }"#),
  ]

  @Test(arguments: same)
  func `the same rule in other words is the same run`(seat: String, rule: String) throws {
    for stage in Stage.allCases {
      for fidelity in ["fluid", "tcp"] {
        let base = try lines(stage, Base.marks.seats, fidelity)
        let others = Base.marks.seats.filter { $0.seat != seat }
        #expect(
          try lines(stage, others + [(seat, rule)], fidelity) == base, "\(stage), \(fidelity)")
      }
    }
  }
}

import ExactText
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// A run and a comparison's session say the same of stalls, outcome and quality.
@Suite struct OneAnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rate: Int64
    let isStream: Bool
    let fidelity: String

    var testDescription: String { "\(rate) kbit/s \(isStream ? "stream" : "file") \(fidelity)" }

    var media: String {
      isStream
        ? """
        { "hls": { "ladder": [ { "bitrate": "\(rate) kbit/s" } ], "duration": "40 s",
          "segmentDuration": "2 s" } }
        """ : #"{ "progressive": { "duration": "40 s", "bitrate": "\#(rate) kbit/s" } }"#
    }

    /// Nothing arrives from 5 s to 20 s, and what is there is played by then.
    func document(
      waits: Bool = true, _ steps: String, media: String? = nil, more: String = ""
    ) -> [UInt8] {
      Array(
        """
        { "scenario": "One answer", "about": "A stall.", "horizon": "90 s",
          "fidelity": "\(fidelity)",
          "link": { "delay": "20 ms", "schedule": { "steps": [
            { "for": "5 s", "bandwidth": "\(rate * 3 / 2) kbit/s" },
            { "for": "15 s", "bandwidth": "0 bit/s" },
            { "for": "1 s", "bandwidth": "\(rate * 3) kbit/s" } ], "then": "hold" } },
          "media": \(media ?? self.media), \(more)
          "player": { "automaticallyWaitsToMinimizeStalling": \(waits) },
          "script": [ { "at": "0 s", "do": "play" }, \(steps) ] }
        """.utf8)
    }
  }

  static let cases =
    [300, 500, 900, 1_700, 4_000].flatMap { rate in
      [false, true].map { Case(rate: rate, isStream: $0, fidelity: "fluid") }
    }
    + [
      Case(rate: 300, isStream: false, fidelity: "tcp"),
      Case(rate: 450, isStream: true, fidelity: "tcp"),
    ]

  private struct Answers {
    var outcome: RunOutcome
    var viewed: ViewedSession
    var row: SessionRow
    private let study: Study

    init(_ document: [UInt8]) throws {
      let scenario = try readScenario(document, file: "one.json")
      outcome = try ScenarioRunner.run(scenario)
      viewed = ViewedSession(outcome)
      study = Study(
        scenarios: [StudyScenario(file: "one.json", name: "One answer", seed: 0, fidelity: "")],
        contestants: [Contestant(Contestant.ownName)], objectives: Objective.all)
      let sources = StudySources(documents: [document], policies: []) { _, _ in nil }
      row = try StudyRunner(study, sources).run(0).row
    }

    /// The stalls' lengths add up, and the row of the comparison is what the run gives.
    func agree() {
      let player = outcome.player
      #expect(outcome.faults == [])
      #expect(Int64(player.books.stalls.count) == player.books.stallCount)
      #expect(player.books.stalls.reduce(TimeSpan.zero) { $0 + $1.length } == player.books.stalled)
      #expect(
        viewed.stalled == player.books.stalled && viewed.stallCount == player.books.stallCount)
      #expect(row.ending == player.outcome)
      for objective in Objective.all where !row.isBroken {
        let value = objective.billionths(viewed).map { StudyValue.number($0) } ?? .unknown
        #expect(figure(objective.name) == value, "\(objective.name)")
      }
    }

    /// As the comparison has it.
    func figure(_ name: String) -> StudyValue? {
      StudyFigure.all(of: study).first { $0.name == name }?.value(row)
    }
  }

  @Test(arguments: cases)
  func `a stall that a later call ends counts with its whole length`(_ one: Case) throws {
    let answers = try Answers(
      one.document(waits: false, #"{ "at": "30 s", "do": "play", "name": "again" }"#))
    answers.agree()
    let stall = try #require(answers.outcome.player.books.stalls.first)
    #expect(stall.end == .zero + .seconds(30))
    #expect(stall.length == .zero + .seconds(30) - stall.start)
  }

  @Test(arguments: cases)
  func `a seek ends a stall, and what is waited for then is the seek`(_ one: Case) throws {
    let answers = try Answers(one.document(#"{ "at": "15 s", "do": "seek", "to": "30 s" }"#))
    answers.agree()
    let stall = try #require(answers.outcome.player.books.stalls.first)
    #expect(stall.end == .zero + .seconds(15) && stall.length == .zero + .seconds(15) - stall.start)
    #expect(answers.outcome.player.books.seekWaiting >= .seconds(5))
  }

  @Test(arguments: cases)
  func `who pauses in a stall has played, and the stall lasts to the pause`(_ one: Case) throws {
    let answers = try Answers(one.document(#"{ "at": "12 s", "do": "pause" }"#))
    answers.agree()
    #expect(answers.outcome.player.outcome == .played && answers.row.hasStarted)
    #expect(!answers.row.isBroken)
    #expect(answers.outcome.player.books.stalls.map { $0.end } == [.zero + .seconds(12)])
  }

  @Test(arguments: cases)
  func `a pause within a stall is no part of it`(_ one: Case) throws {
    let answers = try Answers(
      one.document(
        #"{ "at": "11 s", "do": "pause" }, { "at": "14 s", "do": "play", "name": "again" }"#))
    answers.agree()
    let stall = try #require(answers.outcome.player.books.stalls.first)
    let end = try #require(stall.end)
    #expect(end > .zero + .seconds(20) && stall.length == end - stall.start - .seconds(3))
  }

  @Test(arguments: cases)
  func `the next item ends a stall`(_ one: Case) throws {
    let answers = try Answers(
      one.document(
        #"{ "at": "15 s", "do": "advanceToNextItem" }"#,
        more: """
          "assets": [ { "name": "other", "media": \(one.media) } ],
          "items": [ { "name": "a" }, { "name": "b", "asset": "other" } ], "queue": [ "a", "b" ],
          """))
    answers.agree()
    #expect(answers.outcome.player.books.stalls.first?.end == .zero + .seconds(15))
    // The queue is played out, and its quality is that of both items.
    #expect(answers.outcome.player.outcome == .played)
    #expect(answers.figure("meanBitrate") == .number(one.rate * 1_000_000))
    #expect(answers.figure("firstBitrate") == .number(one.rate * 1_000))
    #expect(answers.figure("timeWeightedBitrate") == .number(one.rate * 1_000))
  }

  @Test(arguments: cases)
  func `an item that is taken away keeps its quality`(_ one: Case) throws {
    let answers = try Answers(one.document(#"{ "at": "26 s", "do": "removeItem" }"#))
    answers.agree()
    #expect(answers.figure("timeWeightedBitrate") == .number(one.rate * 1_000))
  }
}

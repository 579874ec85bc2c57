import ExactText
import HeuristicComparison
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Figures of logs, buffers and starts, held against what the link and the app did.
@Suite struct RecordedFactTests {
  static let rates: [Int64] = [300, 450, 700, 1_000, 1_300, 1_900, 2_600, 3_500, 5_000, 8_000]

  private func run(
    link: String, media: String, script: String = #"{ "at": "0 s", "do": "play" }"#,
    more: String = ""
  ) throws -> RunOutcome {
    let document = """
      { "scenario": "Facts", "about": "Facts.", "link": { \(link) }, "media": \(media), \(more)
        "script": [ \(script) ] }
      """
    let outcome = try ScenarioRunner.run(
      readScenario(Array(document.utf8), file: "facts.json"))
    #expect(outcome.faults == [])
    return outcome
  }

  private func stream(_ rates: [Int64], _ more: String = "") -> String {
    let ladder = rates.map { #"{ "bitrate": "\#($0) kbit/s" }"# }.joined(separator: ", ")
    return #"{ "hls": { "ladder": [ \#(ladder) ], "duration": "60 s" \#(more) } }"#
  }

  @Test(arguments: rates)
  func `the observed bit rate lies between the least and the most`(rate: Int64) throws {
    for media in [stream([rate / 3]), stream([rate / 4, rate, rate * 2])] {
      let outcome = try run(
        link: #""bandwidth": "\#(rate) kbit/s", "delay": "30 ms""#, media: media,
        script: """
          { "at": "0 s", "do": "play" }, { "at": "9.3 s", "do": "seek", "to": "31 s" },
          { "at": "17.1 s", "do": "seek", "to": "33 s", "name": "back" }
          """)
      let events = try #require(outcome.itemLogs.first?.logs.accessLog?.events)
      #expect(events.count > 1)
      for event in events {
        guard let observed = event.observedBitrate else { continue }
        #expect(try #require(event.observedMinBitrate) <= observed)
        #expect(observed <= (try #require(event.observedMaxBitrate)))
        // One transfer at a time over a constant link, rounded down.
        #expect(abs(observed - rate * 1_000) <= rate)
      }
    }
  }

  @Test(arguments: rates)
  func `bytes of a segment under way count at the end`(rate: Int64) throws {
    let outcome = try run(
      link: #""bandwidth": "\#(rate) kbit/s""#,
      media: stream([rate / 2], #", "segmentDuration": "10 s", "playlistBytes": "0 B""#),
      more: #""horizon": "13 s","#)
    #expect(outcome.end == .horizon)
    #expect(abs(outcome.player.media.bytes - rate * 13_000 / 8) <= 1)
  }

  @Test(arguments: rates)
  func `a buffer of a stream falls in lines and rises in steps`(rate: Int64) throws {
    let outcome = try run(
      link: #""bandwidth": "\#(rate * 2) kbit/s""#, media: stream([rate]),
      script: #"{ "at": "0 s", "do": "play" }, { "at": "12 s", "do": "setRate", "rate": 2 }"#)
    var rises = 0
    for (level, next) in zip(outcome.levels, outcome.levels.dropFirst()) {
      if next.media > level.media {
        #expect(level.instant == next.instant)
        rises += 1
      }
    }
    #expect(rises >= 6)
  }

  @Test(arguments: rates)
  func `time paused within a start is no part of what it waited for`(rate: Int64) throws {
    for media in [
      stream([rate]), #"{ "progressive": { "duration": "30 s", "bitrate": "\#(rate) kbit/s" } }"#,
    ] {
      let outcome = try run(
        link: #""bandwidth": "\#(rate / 2) kbit/s", "delay": "200 ms""#, media: media,
        script: """
          { "at": "0 s", "do": "play" }, { "at": "1 s", "do": "pause" },
          { "at": "3 s", "do": "play", "name": "again" }
          """)
      let path = outcome.startup.path
      let began = try #require(outcome.startup.began)
      #expect(path.contains { $0.cause == .pause && $0.span == .seconds(2) })
      let waited = path.filter { $0.cause != .pause }.reduce(TimeSpan.zero) { $0 + $1.span }
      #expect(waited == outcome.player.startupDelay)
      #expect(waited + .seconds(2) == began - Instant.zero)
    }
  }

  @Test func `items of one asset have its index parsed once`() throws {
    for media in [
      stream([500]), #"{ "progressive": { "duration": "8 s", "bitrate": "500 kbit/s" } }"#,
    ] {
      let document = """
        { "scenario": "Parsed", "about": "Two items.", "link": { "bandwidth": "9 Mbit/s" },
          "media": \(media), "items": [ { "name": "a" }, { "name": "b" } ], "queue": [ "a", "b" ],
          "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "parseCount": 1 } ] }
        """
      let outcome = try ScenarioRunner.run(
        readScenario(Array(document.utf8), file: "parsed.json"))
      #expect(outcome.failures.map { $0.actual } == [])
    }
  }

  @Test(arguments: rates)
  func `a full buffer starts a player whose policy has that exit`(rate: Int64) throws {
    for media in [
      stream([rate]), #"{ "progressive": { "duration": "60 s", "bitrate": "\#(rate) kbit/s" } }"#,
    ] {
      for (starts, like) in [
        (true, "avfoundation"), (false, "avfoundation"), (true, "Media3 1.6"),
        (false, "Media3 1.6"),
      ] {
        let outcome = try run(
          link: #""bandwidth": "\#(rate * 3) kbit/s""#, media: media,
          more: """
            "horizon": "40 s", "player": { "preferredForwardBufferDuration": "10 s",
              "policy": { "like": "\(like)", "start": { "media": "50 s" },
                "resume": { "media": "50 s" },
                "exits": { "whenFull": \(starts), "whenIdle": false } } },
            """)
        #expect(outcome.player.outcome == (starts ? .played : .neverPlayed), "\(like)")
      }
    }
  }

  @Test func `traces of different scenarios are told apart, wherever they part`() throws {
    func trace(_ rate: Int, _ seed: Int) throws -> [UInt8] {
      let document = """
        { "scenario": "Told", "about": "Told.", "seed": \(seed),
          "link": { "bandwidth": "\(rate) kbit/s" }, "media": \(stream([500])),
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      return try ScenarioRunner.run(readScenario(Array(document.utf8), file: "told.json")).trace
    }
    let difference = try compareTraces(trace(900, 1), trace(1_100, 2))
    guard case .first(let words, let line, _) = difference else {
      Issue.record("they differ")
      return
    }
    #expect(line > 1 && words.hasSuffix("; their headers differ in seed and scenario"))
  }
}

import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Links that are switched, changed and out by a script.
@Suite struct LinkSwitchTests {
  private func lines(_ event: String, of outcome: RunOutcome) -> [String] {
    String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0.contains(#""event":"\#(event)""#) }
  }

  /// Four seconds at 2 Mbit/s leave 12 of 20 Mbit for half a megabit a second.
  @Test(arguments: [
    #"{ "at": "3 s", "do": "switchLink", "to": "on" }"#,
    #"{ "at": "3 s", "do": "changeLink", "to": { "bandwidth": "2 Mbit/s" } }"#,
  ])
  func `a schedule goes on where nothing is switched on`(step: String) throws {
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "2 Mbit/s", "schedule": { "steps": [
        { "for": "4 s", "bandwidth": "2 Mbit/s" },
        { "for": "30 s", "bandwidth": "500 kbit/s" } ] } },
      "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" }, \#(step) ]
      """#)
    #expect(lines("playbackBufferFull", of: outcome).first?.contains(#""t":28,"#) == true)
  }

  @Test(arguments: ["fluid", "tcp"])
  func `outages that touch are one`(fidelity: String) throws {
    let outcomes = try [
      #"{ "from": "1 s", "for": "9 s" }"#,
      #"{ "from": "1 s", "for": "4 s" }, { "from": "5 s", "for": "5 s" }"#,
      #"{ "from": "5 s", "for": "5 s" }, { "from": "1 s", "for": "4 s" }"#,
    ].map { outages in
      try Written.run(
        #"""
        "fidelity": "\#(fidelity)",
        "link": { "bandwidth": "unlimited", "delay": "10 ms", "outages": [ \#(outages) ] },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "player": { "item": "byScript", "mediaTimeout": null },
        "script": [ { "at": "2 s", "do": "setItem" }, { "at": "2 s", "do": "play" } ]
        """#)
    }
    let first = try #require(outcomes.first)
    for other in outcomes.dropFirst() {
      #expect(lines("responseStart", of: other) == lines("responseStart", of: first))
      #expect(other.player == first.player)
    }
  }

  /// The file takes 160 years at a bit a second, with 200 years of nothing between the halves.
  @Test func `a transfer that outlasts the clock never ends`() throws {
    let steps = (0..<280).map {
      #"{ "for": "8760 h", "bandwidth": "\#($0 < 80 ? 1 : 0) bit/s" }"#
    }
    let outcome = try Written.run(
      #"""
      "link": { "schedule": { "then": "repeat", "steps": [ \#(steps.joined(separator: ", ")) ] } },
      "media": { "progressive": { "duration": "5045.76 s", "bitrate": "1 Mbit/s" } },
      "horizon": "10 s", "script": [ { "at": "0 s", "do": "play" } ]
      """#)
    #expect(outcome.player.outcome == .neverPlayed && outcome.end != .budget)
  }

  /// Nothing that is asked for at the start comes before the outage is over; of packets, those that
  /// are sent into it are lost, and the first second one is sent a second later, then two.
  @Test(arguments: [0, 20, 300] as [Int64], [1, 3, 10] as [Int64])
  func `an outage from the start holds the first request`(delay: Int64, seconds: Int64) throws {
    for limit in ["", #""bandwidth": "1 Gbit/s", "#] {
      for way in ["outages", "schedule"] {
        let outage =
          way == "outages"
          ? #""outages": [ { "from": "0 s", "for": "\#(seconds) s" } ]"#
          : #"""
          "schedule": { "steps": [ { "for": "\#(seconds) s", "bandwidth": "0 bit/s" },
            { "for": "1 s", "bandwidth": "unlimited" } ] }
          """#
        let outcome = try Written.run(
          #"""
          "link": { "delay": "\#(delay) ms", \#(limit) \#(outage) },
          "media": { "progressive": { "duration": "10 s", "size": "1 MB" } },
          "player": { "mediaTimeout": null }, "script": [ { "at": "0 s", "do": "play" } ]
          """#)
        let response = try #require(lines("responseStart", of: outcome).first)
        #expect(response.hasPrefix(#"{"t":\#(seconds),"#), "\(way): \(response)")
      }
    }
  }

  /// While everything is lost packets still leave at the rate of the step.
  @Test(arguments: [250, 500, 999] as [Int64], ["beforeQueue", "afterQueue"])
  func `a step that is cut in two loses the same packets`(part: Int64, position: String) throws {
    func run(_ steps: String) throws -> RunOutcome {
      try Written.run(
        #"""
        "fidelity": "tcp", "link": { "delay": "50 ms",
          "schedule": { "steps": [ \#(steps) ], "then": "repeat" } },
        "requests": { "lossPosition": "\#(position)" },
        "media": { "progressive": { "duration": "10 s", "size": "1 MB" } },
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "1.9 s", "do": "changeLink",
            "to": { "delay": "50 ms", "loss": "100 %" } },
          { "at": "4 s", "do": "changeLink", "to": { "delay": "50 ms" }, "name": "back" } ]
        """#)
    }
    let whole = try run(#"{ "for": "1 s", "bandwidth": "2 Mbit/s" }"#)
    let halves = try run(
      #"""
      { "for": "\#(part) ms", "bandwidth": "2 Mbit/s" },
      { "for": "\#(1_000 - part) ms", "bandwidth": "2 Mbit/s" }
      """#)
    #expect(lines("packets", of: halves) == lines("packets", of: whole))
    #expect(lines("playbackBufferFull", of: halves) == lines("playbackBufferFull", of: whole))
    #expect(halves.player == whole.player)
  }
}

import Foundation
import TestSupport
import Testing

/// What a screen says where lists are long, outages meet, and the last decisions come to nothing.
@Suite(.besideOthers) struct StoryEdgeTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  private func screen(_ scenario: String, _ options: String...) throws -> String {
    try place.write(
      #"{ "scenario": "Edge", "about": "An edge.", \#(scenario), "#
        + #""expect": [ { "stallCount": { "atLeast": 0 } } ] }"#, to: "edge.json")
    return try place.run(["run", "edge.json"] + options).text
  }

  private func words(_ scenario: String, _ options: String...) throws -> String {
    try screen(scenario, options.first ?? "--panel", options.last ?? "none")
      .replacing(#/\s+/#, with: " ")
  }

  /// Ten segments of six seconds; the link speeds up after so many seconds.
  private func lateSwitch(after seconds: Int) -> String {
    """
    "link": { "schedule": { "steps": [ { "for": "\(seconds) s", "bandwidth": "5 Mbit/s" },
      { "for": "1 s", "bandwidth": "60 Mbit/s" } ], "then": "hold" }, "delay": "20 ms" },
    "media": { "hls": { "duration": "60 s", "segmentDuration": "6 s",
      "ladder": [ { "bitrate": "600 kbit/s" }, { "bitrate": "20 Mbit/s" } ] } },
    "script": [ { "at": "0 s", "do": "play" } ]
    """
  }

  /// A segment takes 0.76 s: five are there by 4.3 s, and with what was asked for before the link
  /// is known to be faster, eight of ten are low: (48 × 0.6 + 12 × 20) ÷ 60.
  @Test func `the mean of the variants is that of what plays`() throws {
    let words = try words(lateSwitch(after: 4), "--objective", "meanBitrate")
    #expect(words.contains("4.48 Mbit/s on average; 600 kbit/s for 48.000 s, 20 Mbit/s for 12"))
    #expect(words.contains("meanBitrate 4.480 Mbit/s"))
    let json = try screen(lateSwitch(after: 4), "--format", "json")
    #expect(json.contains(#""averageBitrate": 4480000,"#))
  }

  /// Ten segments of 1 Mbit/s together, the largest of them of 1.871 Mbit/s.
  @Test func `the mean of one item is its average bit rate, and that of several what is declared`()
    throws
  {
    let media = """
      { "hls": { "duration": "40 s", "segmentDuration": "4 s",
        "ladder": [ { "bitrate": "1 Mbit/s" } ], "sizes": { "peak": "300 %" } } }
      """
    let rest = #""link": { "bandwidth": "8 Mbit/s" }, "script": [ { "at": "0 s", "do": "play" } ]"#
    let alone = #"\#(rest), "media": \#(media)"#
    #expect(try words(alone).contains("; 1 Mbit/s on average; no switches"))
    #expect(try screen(alone, "--format", "json").contains(#""averageBitrate": 1000000,"#))
    let two = #""items": [ { "name": "a" }, { "name": "b" } ], "queue": [ "a", "b" ]"#
    #expect(try words("\(alone), \(two)").contains("; 1.871 Mbit/s declared, on average; "))
  }

  @Test func `a switch of which nothing was asked for is none`() throws {
    let screen = try screen(lateSwitch(after: 5))
    #expect(screen.contains("no switches") && !screen.contains("\nswitches "))
    #expect(screen.contains(#/\nvariant +0─+\n/#))
  }

  @Test(arguments: [
    ("1 Mbit/s", "it is the highest that the throughput sustains"),
    ("60 Mbit/s", "the buffer is too low to try a higher variant"),
  ])
  func `a screen says why no higher variant was taken`(rate: String, words: String) throws {
    let text = try self.words(
      """
      "link": { "bandwidth": "\(rate)", "delay": "20 ms" },
      "media": { "hls": { "duration": "60 s", "segmentDuration": "6 s",
        "ladder": [ { "bitrate": "600 kbit/s" }, { "bitrate": "3 Mbit/s" } ] } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
    #expect(text.contains("not higher at"))
    #expect(text.contains(words))
  }

  @Test(
    arguments: Seeds.cases(of: [
      // Two that overlap, two that touch, one within another, and one behind them all.
      (#"[ { "from": "5 s", "for": "10 s" }, { "from": "8 s", "for": "10 s" } ]"#, 5, 18),
      (#"[ { "from": "6 s", "for": "4 s" }, { "from": "10 s", "for": "9 s" } ]"#, 6, 19),
      (#"[ { "from": "4 s", "for": "16 s" }, { "from": "7 s", "for": "2 s" } ]"#, 4, 20),
      (#"[ { "from": "3 s", "for": "12 s" }, { "from": "40 s", "for": "1 s" } ]"#, 3, 15),
    ]))
  func `outages that meet are one`(outages: String, from: Int, to: Int) throws {
    let words = try words(
      """
      "link": { "bandwidth": "4 Mbit/s", "delay": "20 ms", "outages": \(outages) },
      "media": { "progressive": { "duration": "60 s", "bitrate": "3 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
    #expect(words.contains("the link was out from \(from).000 s to \(to).000 s"))
  }

  @Test(arguments: [
    (#"{ "for": "3 s", "bandwidth": "3 Mbit/s" }, "#, "hold", 3, 13),
    (#"{ "for": "5 s", "bandwidth": "3 Mbit/s" }, "#, "repeat", 5, 15),
  ])
  func `a step that carries nothing is an outage`(
    first: String, then: String, from: Int, to: Int
  ) throws {
    let words = try words(
      """
      "link": { "schedule": { "steps": [ \(first) { "for": "10 s", "bandwidth": "0 bit/s" },
        { "for": "20 s", "bandwidth": "3 Mbit/s" } ], "then": "\(then)" } },
      "media": { "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
    #expect(words.contains("the link was out from \(from).000 s to \(to).000 s"))
  }

  @Test func `steps for which the chart has no row are counted`() throws {
    func file(_ count: Int) -> String {
      let steps = (1...count).map { #", { "at": "3.\#($0) s", "do": "seek", "to": "\#($0) s" }"# }
      return """
        "link": { "bandwidth": "5 Mbit/s", "delay": "30 ms" },
        "media": { "progressive": { "duration": "20 s", "bitrate": "2 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" }\(steps.joined()) ]
        """
    }
    for count in [6, 9] {
      let screen = try screen(file(count), "--panel", "none")
      let marks = screen.matches(of: #/▾seek/#).count
      let more = try #require(screen.firstMatch(of: #/\n +and (\d+) more\n/#)?.1)
      #expect(marks + (Int(more) ?? 0) == count)
    }
  }

  @Test func `names of objectives do not run into their values`() throws {
    let screen = try screen(lateSwitch(after: 4), "--panel", "none", "--objective", "all")
    for name in ["mpcAvoidInstability", "rebufferPercentage", "rebufferFrequency", "playLost"] {
      #expect(screen.contains("\n\(name) "), "\(name)")
    }
  }

  @Test(arguments: [("", true), (#""horizon": "30 min","#, false)])
  func `a run that is cut off by nobody's wish is a warning`(own: String, warns: Bool) throws {
    try place.write(
      """
      { "scenario": "Long", "about": "A film.", \(own) "link": { "bandwidth": "5 Mbit/s" },
        "media": { "progressive": { "duration": "2 h", "bitrate": "2 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "stallCount": 0 } ] }
      """, to: "long.json")
    let run = try place.run("run", "long.json", "--panel", "none")
    #expect(run.text.contains("was cut off while there was still something") == warns)
    #expect(try place.run("test", "long.json", "--strict").exitCode == (warns ? 1 : 0))
  }

  @Test func `a horizon that is expected is no warning`() throws {
    try place.write(
      """
      { "scenario": "Long", "about": "A film.", "link": { "bandwidth": "5 Mbit/s" },
        "media": { "progressive": { "duration": "2 h", "bitrate": "2 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "end": "horizon" } ] }
      """, to: "long.json")
    #expect(try place.run("test", "long.json", "--strict").exitCode == 0)
  }
}

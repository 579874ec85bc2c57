import ExactText
import Foundation
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// The media elements of browsers, held against times that are worked out from their sources.
@Suite struct BrowserElementTests {
  /// A start or a halt of the playhead, in seconds.
  private struct Turn {
    var goes: Bool
    var at: Double
    var place: Double
  }

  private static let media = #""progressive": { "duration": "300 s", "bitrate": "2 Mbit/s" }"#

  private func turns(
    _ policy: String, _ link: String, _ media: String = Self.media, then step: String? = nil
  ) throws -> [Turn] {
    let text = """
      { "scenario": "a", "about": "b", "link": { \(link) }, "media": { \(media) },
        "player": { "policy": "\(policy)" },
        "script": [ { "at": "0 s", "do": "play" }\(step.map { ", \($0)" } ?? "") ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    let turns = try String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
      .compactMap { line -> Turn? in
        let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard event?["event"] as? String == "timebase", let rate = event?["rate"] as? Double,
          let at = event?["t"] as? Double, let place = event?["time"] as? Double
        else { return nil }
        return Turn(goes: rate > 0, at: at, place: place)
      }
    return turns.indices.filter { $0 == 0 || turns[$0].goes != turns[$0 - 1].goes }
      .map { turns[$0] }
  }

  private static let links: [Int64] = [
    1_100, 1_250, 1_330, 1_400, 1_480, 1_560, 1_640, 1_700, 1_800, 1_900,
  ]

  private static func bits(_ kilobits: Int64, _ delay: Int64 = 10) -> String {
    #""bandwidth": "\#(kilobits) kbit/s", "delay": "\#(delay) ms""#
  }

  /// The attribute acts once: what is asked for at a seek is the media that play() starts with.
  @Test(arguments: Seeds.cases(of: links))
  func `a seek is not predicted anew, whichever way playback began`(rate: Int64) throws {
    for (policy, bits) in [
      ("Chromium 156", 135_000 * 8), ("Firefox 153", 1.25 * 2e6), ("Firefox 4", 0),
    ] as [(String, Double)] {
      for (way, delay) in [("autoplay", 10), ("play", 10), ("autoplay", 45)] as [(String, Int64)] {
        let turns = try turns(
          "\(policy) \(way)", Self.bits(rate, delay),
          then: #"{ "at": "130 s", "do": "seek", "to": "200 s" }"#)
        let begins = try #require(turns.first { $0.at >= 130 && $0.goes })
        let wait = Double(2 * delay) / 1_000 + bits / Double(rate * 1_000)
        #expect(begins.place == 200, "\(policy) \(way)")
        #expect(abs(begins.at - 130 - wait) < 1e-4, "\(policy) \(way): \(begins.at) not \(wait)")
      }
    }
  }

  /// With four times the rate of the media a prediction comes true at once: 1 s would be enough.
  @Test(arguments: [("autoplay", 10), ("play", 10), ("autoplay", 45)] as [(String, Int64)])
  func `a seek in Firefox goes on with the mark of play where it can play through, too`(
    way: String, delay: Int64
  ) throws {
    let turns = try turns(
      "Firefox 153 \(way)", Self.bits(8_000, delay),
      then: #"{ "at": "100 s", "do": "seek", "to": "250 s" }"#)
    let begins = try #require(turns.first { $0.at >= 100 && $0.goes })
    let wait = Double(2 * delay) / 1_000 + 1.25 / 4
    #expect(begins.place == 250 && abs(begins.at - 100 - wait) < 1e-4, "\(begins.at) not \(wait)")
  }

  /// HTML: `pause()` and `play()` set the flag to false by which an element starts by itself.
  @Test(
    arguments: [
      ("Chromium 156", media, 135_000 * 8), ("Firefox 153", media, 1.25 * 2e6),
      ("Firefox 4", media, 0), ("WebKit MSE", segments, 2e6),
    ] as [(String, String, Double)])
  func `a pause before the first start, or another play, ends autoplay`(
    player: String, media: String, bits: Double
  ) throws {
    // So slow that nothing is predicted to play through before most of it is there.
    let there = 0.02 + bits / 1.4e6
    for (steps, asked) in [
      (#"{ "at": "0.1 s", "do": "pause" }, { "at": "0.2 s", "do": "play" }"#, 0.2),
      (#"{ "at": "0.3 s", "do": "play" }"#, 0.3),
      (#"{ "at": "9 s", "do": "pause" }, { "at": "10 s", "do": "play" }"#, 10),
      (#"{ "at": "9 s", "do": "play" }"#, 9),
    ] as [(String, Double)] {
      let turns = try turns("\(player) autoplay", Self.bits(1_400), media, then: steps)
      let begins = max(asked, there)
      let warmUp = player == "Firefox 153" ? 0.3 : 0
      #expect(turns[0].goes && turns[0].place == 0, "\(player): \(steps)")
      #expect(abs(turns[0].at - begins - warmUp) < 2e-3, "\(player): \(turns[0]) not \(begins)")
    }
  }

  private static let segments = """
    "hls": { "duration": "300 s", "segmentDuration": "1 s", "playlistsAreThere": true,
      "ladder": [ { "bitrate": "2 Mbit/s" } ] }
    """

  /// 0.75 s of it would be there for a call of `play()`, and the prediction takes much longer.
  @Test(arguments: [
    (#""do": "setRate", "rate": 1.5"#, false), (#""do": "setRate", "rate": 1"#, false),
    (#""do": "setRate", "rate": 0"#, true), (#""do": "play""#, true),
    (#""do": "setDefaultRate", "rate": 1.25"#, false),
  ])
  func `a rate that is set while autoplay waits is no call of play`(
    step: String, isCall: Bool
  ) throws {
    let play = #"{ "at": "1.1 s", "do": "play" }"#
    let steps = "{ \"at\": \"1 s\", \(step) }"
    for (steps, isCall) in [(steps, isCall), ("\(steps), \(play)", true)] {
      if step.contains("\"rate\": 0"), !steps.contains("1.1 s") { continue }
      let turns = try turns("Chromium 156 autoplay", Self.bits(1_400), then: steps)
      #expect(turns[0].goes && (turns[0].at < 5) == isCall, "\(steps): \(turns[0])")
    }
  }

  /// A segment is there long before the rest is predicted to come in time.
  @Test(arguments: Seeds.cases(of: [1_500, 1_700, 1_900] as [Int64]))
  func `a seek in WebKit goes on with the first segment, after which nothing is predicted`(
    rate: Int64
  ) throws {
    let turns = try turns(
      "WebKit MSE autoplay", Self.bits(rate), Self.segments,
      then: #"{ "at": "160 s", "do": "seek", "to": "200 s" }"#)
    #expect(turns[0].goes && turns[0].at > 10, "\(turns[0])")
    let begins = try #require(turns.first { $0.at >= 160 && $0.goes })
    let wait = 0.02 + 2_000 / Double(rate)
    #expect(begins.place == 200 && abs(begins.at - 160 - wait) < 2e-2, "\(begins.at) not \(wait)")
  }

  /// A stall leaves 0.39 s, and the first ends with 0.72 s ahead; the second with 1.18 s.
  @Test(arguments: Seeds.cases(of: [1_000, 1_100, 1_200, 1_300, 1_400, 1_450, 1_500, 1_560]))
  func `a seek, in the buffer too, begins with Chromium's first mark again`(rate: Int64) throws {
    func waits(_ turns: [Turn]) -> [Double] {
      zip(turns, turns.dropFirst()).filter { !$0.goes && $1.goes && $0.place == $1.place }
        .map { ($1.at - $0.at) * Double(rate) / 2_000 }
    }
    let plain = try turns("Chromium 156 play", Self.bits(rate))
    let expected = [0.72, 1.18, 1.85, 3.2, 3.2].map { $0 - 0.39 }
    #expect(zip(waits(plain), expected).allSatisfy { abs($0 - $1) < 1e-3 }, "\(waits(plain))")
    let resumed = try #require(plain.filter { $0.goes }.dropFirst(5).first)
    for to in ["\((resumed.place * 100).rounded() / 100 + 1)", "250"] {
      let begins = (resumed.at * 100).rounded() / 100 + 0.25
      let sought = try turns(
        "Chromium 156 play", Self.bits(rate),
        then: #"{ "at": "\#(begins) s", "do": "seek", "to": "\#(to) s" }"#)
      let after = waits(sought.filter { $0.at > begins + 1e-6 && $0.place > Double(to) ?? 0 })
      #expect(after.count >= (to == "250" ? 5 : 2), "\(after)")
      #expect(zip(after, expected).allSatisfy { abs($0 - $1) < 1e-3 }, "\(to): \(after)")
    }
  }

  /// Whole segments bring 0.94 s more than the mark at which it stalls, again and again.
  @Test(arguments: Seeds.cases(of: [1_000, 1_200, 1_300, 1_400, 1_500, 1_600]))
  func `a page in Chromium begins with its first mark again after a seek`(rate: Int64) throws {
    let media = """
      "hls": { "duration": "400 s", "segmentDuration": "1 s",
        "ladder": [ { "bitrate": "2 Mbit/s" } ] }
      """
    func places(_ turns: [Turn]) -> [Double] {
      turns.filter { !$0.goes }.prefix(4).map { $0.place.rounded() }
    }
    let turns = try turns(
      "Chromium 156 MSE", Self.bits(rate), media,
      then: #"{ "at": "80 s", "do": "seek", "to": "250 s" }"#)
    let first = places(turns)
    #expect(first[0] == 1 && first[3] > 4)
    #expect(places(turns.filter { $0.at > 80 }).map { $0 - 250 } == first)
  }

  /// Of 300 kB a second at first, and 100 kB later: it plays through as far as the mean tells.
  private static let heavyFirst: String = {
    let sizes = (0..<60).map { $0 < 10 ? #""300 KB""# : #""100 KB""# }
    return #""progressive": { "duration": "60 s", "sizesPerSecond": [ "#
      + sizes.joined(separator: ", ") + " ] }"
  }()

  private static let slower: [Int64] = [
    1_100, 1_200, 1_280, 1_350, 1_420, 1_490, 1_550, 1_600, 1_690, 1_800,
  ]

  /// It starts 0.3 s after a second is there, and gains on the media by its share of the rate.
  private static func firstDry(_ rate: Int64) -> (at: Double, share: Double) {
    let share = Double(rate) / 2_400
    return ((0.32 + 1 / share - 0.02 * share) / (1 - share), share)
  }

  @Test(arguments: Seeds.cases(of: slower))
  func `Firefox declares a stall by the prediction that ends one`(rate: Int64) throws {
    let turns = try turns("Firefox 153 autoplay", Self.bits(rate), Self.heavyFirst)
    let dry = Self.firstDry(rate)
    #expect(!turns[1].goes && abs(turns[1].at - dry.at) < 1e-3, "\(turns[1].at) not \(dry.at)")
  }

  /// It looks each 1.05 s, and does so until more than a second is there.
  @Test(arguments: Seeds.cases(of: slower))
  func `Firefox goes on with a second ahead where it can play through`(rate: Int64) throws {
    let turns = try turns("Firefox 153 autoplay", Self.bits(rate), Self.heavyFirst)
    let dry = Self.firstDry(rate)
    let ends = dry.at + 1.05 * (1 / dry.share / 1.05).rounded(.up)
    #expect(turns[2].goes && abs(turns[2].at - ends) < 1e-3, "\(turns[2].at) not \(ends)")
  }

  /// A million bytes beyond the end are to come in time: they decide when it stalls, too.
  @Test(arguments: Seeds.cases(of: [1_500, 1_600, 1_700, 1_800, 1_900, 2_000, 2_200, 2_400]))
  func `Firefox of 2010 stalls unless the million bytes to spare come too`(rate: Int64) throws {
    let turns = try turns(
      "Firefox 4 autoplay",
      #""schedule": { "steps": [ { "for": "8 s", "bandwidth": "5 Mbit/s" }, "#
        + #"{ "for": "1000 s", "bandwidth": "\#(rate) kbit/s" } ] }, "delay": "120 ms""#,
      #""progressive": { "duration": "20 s", "bitrate": "4 Mbit/s" }"#)
    let start = turns[0].at
    var now = 8.0
    while true {
      now += 0.001
      let bits = 5e6 * (8 - 0.24) + Double(rate) * 1_000 * (now - 8)
      let (ahead, left) = (bits / 4e6 - (now - start), 20 - (now - start))
      let comes = (20 * 4e6 + 8e6 - bits) / (bits / (now - 0.24))
      if ahead <= 0 || ahead < 1.8 && comes > left { break }
    }
    #expect(!turns[1].goes && abs(turns[1].at - now) < 0.11, "\(turns[1].at) not \(now)")
  }

  /// By its mean it plays through with the million, and by its first seconds it does not.
  @Test(arguments: Seeds.cases(of: slower.filter { $0 >= 1_280 }))
  func `Firefox of 2010 predicts the last byte alone`(rate: Int64) throws {
    let turns = try turns("Firefox 4 autoplay", Self.bits(rate), Self.heavyFirst)
    let reliable = 0.02 + 83_220 * 8 / Double(rate * 1_000)
    // The estimate of bytes that flow is read every 10 ms.
    let late = turns[0].at - reliable
    #expect(turns[0].goes && late > -1e-6 && late <= 0.01, "\(turns[0].at) not \(reliable)")
  }

  /// The players that start by whole segments, which no file has.
  private static let bySegments = [
    "hls.js 1.6", "Shaka 5.2", "dash.js 5.1", "VHS 3.17", "Chromium 156 MSE", "Firefox 153 MSE",
    "GStreamer 1.22 playbin3 HLS",
  ]

  @Test func `a player that waits for whole segments of a file is warned of`() throws {
    let stream = #""hls": { "duration": "8 s", "ladder": [ { "bitrate": "1 Mbit/s" } ] }"#
    func warns(_ policy: String, _ media: String = Self.media) throws -> [Int64] {
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s" },
          "media": { \(media) },
          "player": { "policy": \(policy) },
          "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "stallCount": 0 } ] }
        """
      return try readScenario(Array(text.utf8), file: "a.json").warnings
        .filter { $0.message.contains("segments") }.map { Int64($0.position?.line ?? 0) }
    }
    for preset in PolicyPreset.all {
      let lines: [Int64] = Self.bySegments.contains(preset.name) ? [3] : []
      #expect(try warns(#""\#(preset.name)""#) == lines, "\(preset.name)")
      #expect(try warns(#""\#(preset.name)""#, stream) == [], "\(preset.name)")
    }
    #expect(try warns(#"{ "like": "hls.js 1.6", "stall": "whenDry" }"#) == [3])
    #expect(try warns(#"{ "like": "hls.js 1.6", "start": { "media": "1 s" } }"#) == [])
    // A key of its own is told of already.
    #expect(try warns(#"{ "like": "hls.js 1.6", "start": { "segments": 2 } }"#) == [3])
    #expect(try warns(#"{ "start": { "any": [ { "media": "1 s" }, { "bytes": "9 B" } ] } }"#) == [])
  }
}

import ExactText
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

@Suite struct ObjectiveTests {
  private func session(
    startup: Int64?, stalls: [Int64] = [], rates: [Int64] = [], played: Int64 = 0
  ) -> ViewedSession {
    ViewedSession(
      startup: startup.map { .milliseconds($0) },
      stalls: stalls.map { .init(place: .zero, length: .milliseconds($0)) },
      played: .milliseconds(played),
      segments: rates.map { .init(length: .seconds(4), bitsPerSecond: $0 * 1_000) })
  }

  private func value(_ name: String, _ session: ViewedSession) throws -> Int64? {
    try #require(Objective.named(name)).billionths(session)
  }

  @Test(
    arguments: [
      (2_000, 0), (3_000, 58_000_000), (5_000, 174_000_000), (10_000, 464_000_000), (900, 0),
      (60_000, 1_000_000_000), (2_500, 29_000_000),
    ] as [(Int64, Int64)]) func `viewers leave from two seconds on`(
      startup: Int64, share: Int64
    ) throws
  {
    #expect(try value("abandonment", session(startup: startup)) == share)
  }

  @Test func `nobody stays where nothing begins`() throws {
    #expect(try value("abandonment", session(startup: nil)) == 1_000_000_000)
    #expect(try value("startupScore", session(startup: nil)) == 0)
    #expect(try value("pensieveLinear", session(startup: nil)) == nil)
  }

  @Test(arguments: [FieldGap.start, .stalls, .stallPlaces, .buffer, .idleRate])
  func `what a log does not tell has no value`(gap: FieldGap) throws {
    var viewed = session(
      startup: gap == .start ? nil : 1_000, stalls: [300], rates: [500], played: 15_500)
    let known = Objective.all.filter { $0.billionths(viewed) != nil }.map { $0.name }
    viewed.gaps = [gap]
    let told = Objective.all.filter { $0.billionths(viewed) != nil }.map { $0.name }
    let unknown =
      switch gap {
      case .start: ["abandonment", "startupScore"]
      case .stalls, .stallPlaces:
        known.filter { !["abandonment", "startupScore", "meanBitrate"].contains($0) }
      case .decisions, .idleRate, .requests, .buffer: [String]()
      }
    #expect(told == known.filter { !unknown.contains($0) })
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "8 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    var outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(ViewedSession(outcome).gaps == [])
    outcome.gaps = [gap]
    #expect(ViewedSession(outcome).gaps == [gap])
  }

  // player-heuristics: 0.4 s → 95, 1 → 89, 2 → 80, 4 → 67, 8 → 50, 20 → 29, rounded.
  @Test(
    arguments: [(400, 95), (1_000, 89), (2_000, 80), (4_000, 67), (8_000, 50), (20_000, 29)]
      as [(Int64, Int64)]) func `the startup score is that of its makers`(
      startup: Int64, score: Int64
    ) throws
  {
    let exact = try #require(try value("startupScore", session(startup: startup)))
    #expect((exact + 500_000_000) / 1_000_000_000 == score)
  }

  @Test func `each objective has its own price for the same session`() throws {
    // 0.5 + 1 + 2 + 1 Mbit/s, three changes of 2.5 together, 1.5 s of waiting.
    let viewed = session(
      startup: 1_000, stalls: [300, 200], rates: [500, 1_000, 2_000, 1_000], played: 15_500)
    #expect(try value("pensieveLinear", viewed) == 4_500_000_000 - 2_500_000_000 - 6_450_000_000)
    #expect(try value("mpcBalanced", viewed) == (4_500 - 2_500 - 4_500) * 1_000_000_000)
    #expect(try value("mpcAvoidInstability", viewed) == (4_500 - 7_500 - 4_500) * 1_000_000_000)
    #expect(try value("mpcAvoidRebuffering", viewed) == (4_500 - 2_500 - 9_000) * 1_000_000_000)
    #expect(try value("meanBitrate", viewed) == 1_125_000_000)
    #expect(try value("rebufferPercentage", viewed) == 3_125_000_000)
    #expect(try value("rebufferFrequency", viewed) == 7_500_000_000)
    #expect(try value("meanRebuffer", viewed) == 250_000_000)
    #expect(try value("playLost", viewed) == 156_250_000)
  }

  /// The segments of the first are worth 1.6 × 10¹⁹ billionths, and its changes cost as much.
  @Test func `a sum beyond a machine word is exact where its result fits, else a bound`() throws {
    let fast = session(startup: 0, rates: [8, 0, 8].map { $0 * 1_000_000_000 }, played: 12_000)
    #expect(try value("mpcBalanced", fast) == 0)
    #expect(try value("mpcAvoidInstability", fast) == -LinearPrices.most)
    let rates = [Int64](repeating: 1_000_000_000, count: 30)
    let fastest = session(startup: 0, rates: rates, played: 120_000)
    #expect(try value("mpcBalanced", fastest) == LinearPrices.most)
    let objective = try #require(Objective.named("mpcBalanced"))
    #expect(objective.fact(of: fastest) { "\($0)" }.words == "beyond 9223372036854775806 kbit/s")
    // A year of waiting costs 3,000 a second, which is 9.5 × 10¹⁹ billionths.
    let patient = session(startup: 31_536_000_000, rates: [1], played: 4_000)
    #expect(objective.fact(of: patient) { "\($0)" }.words == "beyond -9223372036854775806 kbit/s")
    #expect(try value("pensieveLinear", patient) == 1_000_000 - 135_604_800_000_000_000)
  }

  /// As an altered trace has them.
  @Test func `figures at the end of their range have a value by each objective`() {
    var altered = ViewedSession(
      startup: .forever, stallCount: .max, stalled: .nanoseconds(1), played: .nanoseconds(1),
      segments: [.init(length: .seconds(4), bitsPerSecond: .max)])
    for objective in Objective.all { #expect(objective.billionths(altered) != nil) }
    altered.startup = .nanoseconds(.min)
    for objective in Objective.all { #expect(objective.billionths(altered) != nil) }
  }

  @Test(arguments: [
    "pensieveLinear", "mpcBalanced", "mpcAvoidInstability", "mpcAvoidRebuffering", "playLost",
  ])
  func `where nobody knows what was played, a session has no value of its quality`(
    name: String
  ) throws {
    #expect(try value(name, session(startup: 1_000, stalls: [300], played: 15_500)) == nil)
    let known = session(startup: 1_000, stalls: [300], rates: [500], played: 15_500)
    #expect(try value(name, known) != nil)
  }

  /// Segments of 4 s whose sizes differ: the nominal rate is 1 Mbit/s, the largest has 2 Mbit/s.
  @Test(arguments: ["fluid", "tcp"])
  func `a variant with a size for each segment counts by its nominal rate`(
    fidelity: String
  ) throws {
    let text = """
      { "scenario": "Sizes", "about": "x", "link": { "bandwidth": "20 Mbit/s" },
        "fidelity": "\(fidelity)",
        "media": { "hls": { "duration": "16 s", "segmentDuration": "4 s",
          "ladder": [ { "bitrate": "1 Mbit/s", 
            "segmentBytes": ["300 KB", "1000 KB", "300 KB", "400 KB"] } ] } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "sizes.json") { _ in nil }
    let outcome = try run(scenario)
    let viewed = ViewedSession(outcome)
    #expect(
      viewed.segments.map { $0.bitsPerSecond } == [1_000_000, 1_000_000, 1_000_000, 1_000_000])
    #expect(try value("meanBitrate", viewed) == 1_000_000_000)
    let startup = try #require(viewed.startup).nanoseconds
    let linear = try #require(try value("pensieveLinear", viewed))
    #expect(abs(linear - (4_000_000_000 - startup * 43 / 10)) <= 1)
    let study = Study(
      scenarios: [.init(file: "", name: "", seed: 0, fidelity: fidelity)],
      contestants: [Contestant("own")])
    let row = SessionRow(scenario, outcome, in: study)
    #expect(row.values.count { $0 == 1_000_000 } == 2)
  }

  /// Segments of 10 and 2 s of 1 Mbit/s over 4 Mbit/s; all are there after 7 s.
  @Test(
    arguments: [
      (0, "", [10, 10, 2, 2, 2, 2]), (20, "", [2, 2, 2, 2]),
      (0, #", { "at": "9 s", "do": "seek", "to": "0 s" }"#, [10, 10, 2, 2, 2, 2]),
      (
        0,
        #", { "at": "4 s", "do": "seek", "to": "24 s" }, "#
          + #"{ "at": "6 s", "do": "seek", "to": "12 s" }"#,
        [10, 2, 2, 10, 2, 2, 2, 2]
      ),
    ] as [(Int, String, [Int64])])
  func `segments are those that arrived, wherever the playhead was put`(
    start: Int, seeks: String, lengths: [Int64]
  ) throws {
    let text = """
      { "scenario": "Places", "about": "x", "link": { "bandwidth": "4 Mbit/s" },
        "media": { "hls": { "playlists": "m.m3u8", "playlistsAreThere": true } },
        "player": { "startTime": "\(start) s" },
        "script": [ { "at": "0 s", "do": "play" }\(seeks) ] }
      """
    let list =
      "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-BITRATE:1000\n"
      + [10, 10, 2, 2, 2, 2].map { "#EXTINF:\($0),\na.ts\n" }.joined() + "#EXT-X-ENDLIST\n"
    let scenario = try readScenario(Array(text.utf8), file: "a.json") { _ in Array(list.utf8) }
    let viewed = try ViewedSession(run(scenario))
    #expect(viewed.segments.map { $0.length } == lengths.map { .seconds($0) })
    #expect(viewed.segments.allSatisfy { $0.bitsPerSecond == 1_000_000 })
    // A second costs 4.3; the first segment that is waited for takes a quarter of its length.
    let waited = lengths[0] * 1_075_000_000
    #expect(
      try value("pensieveLinear", viewed) == Int64(lengths.count) * 1_000_000_000 - waited)
  }

  @Test func `segments that arrive again after a seek count again`() throws {
    let text = """
      { "scenario": "Again", "about": "x", "link": { "bandwidth": "1.1 Mbit/s" },
        "media": { "hls": { "duration": "24 s", "segmentDuration": "4 s",
          "ladder": [ { "bitrate": "1 Mbit/s" } ], "playlistsAreThere": true } },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "9 s", "do": "seek", "to": "21 s" },
          { "at": "15 s", "do": "seek", "to": "0 s" } ] }
      """
    let viewed = try ViewedSession(run(readScenario(Array(text.utf8), file: "a.json")))
    // Two until the first seek, the last one behind it, and all six from the start.
    #expect(viewed.segments.map { $0.length } == Array(repeating: .seconds(4), count: 9))
  }

  @Test func `names are told apart`() {
    #expect(Set(Objective.all.map { $0.name }).count == Objective.all.count)
  }

  @Test(arguments: [
    "access-log-of-switches-and-a-seek", "demo-3-slow-server-play-immediately",
  ]) func `a run is read as its viewer had it`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    let outcome = try run(scenario)
    let viewed = ViewedSession(outcome)
    #expect(viewed.startup == outcome.player.startupDelay)
    #expect(viewed.stalled == outcome.player.books.stalled)
    #expect(Int64(viewed.stalls.count) == outcome.player.books.stallCount)
    let isStream = name.hasPrefix("access")
    #expect((Set(viewed.segments.map { $0.bitsPerSecond }).count > 1) == isStream)
  }

  // MARK: The input of P.1203

  private func input(_ media: String) throws -> P1203Input {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "20 Mbit/s" }, "media": \(media),
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    return try P1203Input(run(scenario))
  }

  @Test func `a file is one segment without sound apart`() throws {
    var input = try input(
      #"{ "progressive": { "duration": "9 s", "bitrate": "1234567 bit/s" } }"#)
    #expect(input.resolutions == [nil] && input.audioBitsPerSecond == nil)
    #expect(input.framesPerSecond == 24_000)
    input.session.startup = .milliseconds(1_500)
    input.session.stalls = [.init(place: .seconds(3), length: .milliseconds(250))]
    #expect(
      input.document.json
        == #"{"I11":{"segments":[],"streamId":42},"I13":{"segments":[{"bitrate":1234.567,"#
        + #""codec":"h264","duration":9,"start":0,"fps":24,"resolution":"1920x1080"}],"#
        + #""streamId":42},"I23":{"stalling":[[0,1.5],[3,0.25]],"streamId":42},"#
        + #""IGen":{"device":"pc","displaySize":"1920x1080","viewingDistance":"150cm"}}"#)
    // A session that never began has no stall at the beginning, nor has one that began at once.
    for startup in [nil, TimeSpan.zero] {
      input.session.startup = startup
      #expect(input.document.json.contains(#""stalling":[[3,0.25]]"#))
    }
  }

  @Test func `segments follow each other, and the sound has neither frames nor a size`() throws {
    var input = try input(
      """
      { "hls": { "ladder": [ { "bitrate": "1 Mbit/s", "resolution": "640x360" } ],
        "audio": [], "segmentDuration": "4 s", "duration": "10 s" } }
      """)
    #expect(input.resolutions == ["640x360", "640x360", "640x360"])
    input.framesPerSecond = 29_970
    input.audioBitsPerSecond = 96_000
    input.session.segments[1].bitsPerSecond = 2_000_500
    input.session.startup = nil
    let picture = [
      (1_000, "4", "0"), (2_000.5, "4", "4"), (1_000, "2", "8"),
    ].map { rate, length, start in
      #"{"bitrate":\#(rate == 2_000.5 ? "2000.5" : "1000"),"codec":"h264","duration":\#(length),"#
        + #""start":\#(start),"fps":29.97,"resolution":"640x360"}"#
    }
    let sound = [("4", "0"), ("4", "4"), ("2", "8")].map { length, start in
      #"{"bitrate":96,"codec":"aaclc","duration":\#(length),"start":\#(start)}"#
    }
    let text = input.document.json
    #expect(text.contains(#""I11":{"segments":[\#(sound.joined(separator: ","))],"#))
    #expect(text.contains(#""I13":{"segments":[\#(picture.joined(separator: ","))],"#))
  }

  @Test func `codecs are those that are declared, and separate audio counts once`() throws {
    let input = try input(
      """
      { "hls": { "ladder": [ { "bitrate": "1 Mbit/s", "resolution": "640x360",
        "codecs": [ "hvc1.1.6.L93" ] } ], "segmentDuration": "4 s", "duration": "8 s",
        "audio": [ { "name": "a", "bitrate": "96 kbit/s", "codec": "ac-3" } ] } }
      """)
    #expect(input.session.segments.map { $0.bitsPerSecond } == [1_000_000, 1_000_000])
    #expect(input.audioBitsPerSecond == 96_000 && input.unnamedCodecs == [])
    let text = input.document.json
    #expect(text.contains(#"{"bitrate":1000,"codec":"h265","duration":4,"start":0,"#))
    #expect(text.contains(#"{"bitrate":96,"codec":"ac3","duration":4,"start":0}"#))
  }

  /// The rate of a variant has room for the largest rendition, whichever is selected.
  @Test(arguments: ["en", "de"]) func `the picture's rate is the same with every sound`(
    language: String
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "6 Mbit/s" },
        "media": { "hls": { "duration": "20 s", "segmentDuration": "4 s",
          "ladder": [ { "bitrate": "1 Mbit/s", "resolution": "640x360" } ],
          "audio": [ { "name": "en", "language": "en", "bitrate": "64 kbit/s" },
            { "name": "de", "language": "de", "bitrate": "256 kbit/s" } ] } },
        "player": { "audioLanguage": "\(language)" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let input = P1203Input(try run(readScenario(Array(text.utf8), file: "a.json")))
    #expect(input.session.segments.allSatisfy { $0.bitsPerSecond == 1_000_000 })
    #expect(input.audioBitsPerSecond == (language == "en" ? 64_000 : 256_000))
  }

  @Test func `variants of one bit rate are told apart`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "4 Mbit/s" },
        "media": { "hls": { "duration": "20 s", "segmentDuration": "4 s", "audio": [],
          "ladder": [
            { "bitrate": "1 Mbit/s", "resolution": "640x360", "codecs": [ "avc1.64001f" ] },
            { "bitrate": "1 Mbit/s", "resolution": "1280x720", "codecs": [ "hvc1.2.4.L123.B0" ] }
          ] } },
        "player": { "codecs": [ "hevc", "aac" ] },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let input = P1203Input(try run(readScenario(Array(text.utf8), file: "a.json")))
    #expect(input.resolutions == Array(repeating: "1280x720", count: 5))
    #expect(!input.document.json.contains("h264"))
  }

  @Test(
    arguments: [
      ("avc1.64001f", "mp4a.40.5", "h264", "heaac", []),
      ("av01.0.04M.08", "ec-3", "av1", "aaclc", ["ec-3"]),
      ("vp09.00.40.08", "mp4a.40.2", "vp9", "aaclc", []),
      ("dvh1.05.06", "Opus", "h264", "aaclc", ["dvh1.05.06", "Opus"]),
    ] as [(String, String, String, String, [String])])
  func `a codec without a name in the standard is named in a note`(
    video: String, audio: String, videoName: String, audioName: String, unnamed: [String]
  ) throws {
    let input = try input(
      """
      { "hls": { "ladder": [ { "bitrate": "1 Mbit/s", "codecs": [ "\(video)" ] } ],
        "segmentDuration": "4 s", "duration": "8 s",
        "audio": [ { "name": "a", "bitrate": "96 kbit/s", "codec": "\(audio)" } ] } }
      """)
    #expect(input.unnamedCodecs == unnamed)
    let text = input.document.json
    #expect(text.contains("\"codec\":\"\(videoName)\""), "\(text)")
    #expect(text.contains("\"codec\":\"\(audioName)\""), "\(text)")
  }

  /// The seek leaves media out, and the stall comes after it.
  @Test func `a stall stands where the media shown so far has come to`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "3 Mbit/s",
          "outages": [ { "from": "12 s", "for": "30 s" } ] },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "200 s" } },
        "player": { "preferredForwardBufferDuration": "6 s" },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "5 s", "do": "seek", "to": "100 s" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    let stall = try #require(outcome.player.books.stalls.first)
    let input = P1203Input(outcome)
    let shown = input.session.stalls[0].place
    #expect(stall.place > .seconds(100) && shown < .seconds(20) && shown > .seconds(5))
    let played = stall.start.nanoseconds - outcome.player.books.startup.nanoseconds
    #expect(shown.nanoseconds <= played)
    let length = input.session.segments.reduce(.zero) { $0 + $1.length }
    #expect(input.session.stalls.allSatisfy { $0.place <= length })
  }

  /// The log begins with the item that is ready, when another variant has come already.
  @Test(arguments: [1, 2, 3])
  func `what arrived before the item was ready has its own bit rate`(changes: Int64) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "10 Mbit/s" },
        "media": { "hls": { "duration": "20 s", "segmentDuration": "4 s", "playlistBytes": "0 B",
          "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "1 Mbit/s" } ],
          "audio": [ { "name": "En", "language": "en", "bitrate": "64 kbit/s" } ] } },
        "faults": [ { "slowFirstByte": "6 s", "url": "audio-0/segment0.m4s" },
          { "status": 404, "url": "video-1/segment\(changes).m4s" } ],
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let input = P1203Input(try run(readScenario(Array(text.utf8), file: "a.json")))
    #expect(input.session.segments.map { $0.bitsPerSecond } == [1_000_000, 500_000])
    #expect(
      input.session.segments.map { $0.length } == [
        .seconds(changes * 4), .seconds(20 - changes * 4),
      ])
  }

  @Test func `each item of a queue has the sizes of its own variants`() throws {
    func media(_ rate: String, _ size: String) -> String {
      #"{ "hls": { "ladder": [ { "bitrate": "\#(rate)", "resolution": "\#(size)" } ], "#
        + #""audio": [], "duration": "8 s", "segmentDuration": "4 s" } }"#
    }
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "20 Mbit/s" },
        "media": \(media("1 Mbit/s", "640x360")), "queue": [ "a", "b" ],
        "items": [ { "name": "a" }, { "name": "b", "asset": "z" } ],
        "assets": [ { "name": "z", "media": \(media("1 Mbit/s", "1280x720")) } ],
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let input = P1203Input(try run(readScenario(Array(text.utf8), file: "a.json")))
    #expect(input.resolutions == ["640x360", "640x360", "1280x720", "1280x720"])
  }

  @Test(arguments: [5, 10, 17, 29]) func `a session that is cut off is exported as far as it went`(
    horizon: Int64
  ) throws {
    for media in [
      #""hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "audio": [], "duration": "60 s" }"#,
      #""progressive": { "duration": "60 s", "bitrate": "1 Mbit/s" }"#,
    ] {
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "20 Mbit/s" },
          "horizon": "\(horizon) s", "media": { \(media) },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      let scenario = try readScenario(Array(text.utf8), file: "a.json")
      let outcome = try run(scenario)
      let input = P1203Input(outcome)
      let length = input.session.segments.reduce(.zero) { $0 + $1.length }
      #expect(length.nanoseconds == outcome.player.books.played.nanoseconds)
      #expect(input.resolutions.count == input.session.segments.count)
    }
  }

  /// Segments that gave way to better ones are not shown; a seek leaves others out.
  @Test(arguments: ["players/literature-fast-switching", "links/access-log-of-switches-and-a-seek"])
  func `what arrived and was not shown is not exported`(path: String) throws {
    let name = String(path.split(separator: "/")[1])
    let scenario = try ShippedScenario.named(name).read()
    let outcome = try run(scenario)
    let input = P1203Input(outcome)
    let length = input.session.segments.reduce(.zero) { $0 + $1.length }
    let played = outcome.itemLogs.flatMap { $0.logs.indicators.playedVariants }
      .reduce(.zero) { $0 + $1.media }
    #expect(length == played)
    let arrived = ViewedSession(outcome).segments.reduce(.zero) { $0 + $1.length }
    #expect(arrived > length)
  }
}

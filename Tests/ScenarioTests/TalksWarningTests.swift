import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// Parts without effect are named with their lines, and impossible ones are refused.
@Suite struct TalksWarningTests {
  private static let file = #"""
    "link": { "bandwidth": "8 Mbit/s" },
    "media": { "progressive": { "duration": "12 s", "bitrate": "1 Mbit/s" } }
    """#
  private static let local = #"""
    "link": { }, "media": { "local": { "duration": "5 s", "bitrate": "1 Mbit/s" } }
    """#
  private static let stream = #"""
    "link": { "bandwidth": "8 Mbit/s" },
    "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "24 s" } }
    """#
  private static let play = #"{ "at": "0 s", "do": "play" }"#

  /// A file over requests that are timed, up to the last key of theirs.
  private static let secure = file + #", "requests": { "tls": "1.3""#

  /// Parts of a scenario, and the path of the one that has no effect.
  static let inert: [(parts: String, script: String, path: String)] = [
    (secure + #" }, "faults": [ { "status": 404, "url": "film.mov" } ]"#, play, "faults"),
    (secure + #" }, "faults": [ { "status": 404, "requests": 9 } ]"#, play, "faults"),
    (secure + #" }, "faults": [ { "status": 404, "chance": "0 %" } ]"#, play, "faults"),
    (file + #", "faults": [ { "status": 404, "url": "film.mov" } ]"#, play, "faults[0]"),
    (file, play + #", { "when": "stallCount >= 3", "do": "pause" }"#, "script[1]"),
    (secure + #", "initialWindow": 4 }"#, play, "requests.initialWindow"),
    (secure + #", "congestionControl": "reno" }"#, play, "requests.congestionControl"),
    (stream, play + #", { "at": "2 s", "do": "seekToLive" }"#, "script[1]"),
    (file + #", "player": { "preferredPeakBitRate": "2 Mbit/s" }"#, play, "player"),
    (file + #", "player": { "latency": { "command": "20 ms" } }"#, play, "player"),
    (
      file + #", "player": { "linkedSDK": "iOS 15", "defaultRate": 2 }"#, play, "player"
    ),
    (local + #", "player": { "bufferCap": "1 MB" }"#, play, "player"),
    (file + #", "player": { "networkResourcePriority": "high" }"#, play, "player"),
    (file, play + #", { "at": "1 s", "do": "setRateAtHostTime", "rate": 1 }"#, "script[1]"),
    (
      file + #", "horizon": "30 s", "looping": "looper", "player": { "actionAtItemEnd": "pause" }"#,
      play, "player"
    ),
    (
      file + #", "looping": "treadmill", "player": { "actionAtItemEnd": "none" }"#, looped, "player"
    ),
    (
      file + #", "looping": "looper""#, looped + #", { "at": "1 s", "do": "startLooping" }"#,
      "script[2]"
    ),
    (file + #", "looping": { "way": "rewind", "begins": "byScript" }"#, play, "looping"),
    (
      file + #", "traffic": [ { "name": "n", "bytes": "9 kB", "sharesConnections": true } ]"#, play,
      "traffic[0].sharesConnections"
    ),
    (file, play + #", { "at": "2 s", "do": "switchLink", "to": "on" }"#, "script[1]"),
    (file, play + #", { "at": "2 s", "do": "changeSchedule", "to": null }"#, "script[1]"),
    (
      stream, play + #", { "at": "2 s", "do": "endSuspension", "by": "interstitialEvent" }"#,
      "script[1]"
    ),
    (file, play + #", { "at": "2 s", "do": "endInterruption" }"#, "script[1]"),
    (stream, play + #", { "at": "2 s", "do": "enterForeground" }"#, "script[1]"),
    (file, play + #", { "at": "3 s", "do": "cancelPendingSeeks" }"#, "script[1]"),
    (
      file + #", "traffic": [ { "name": "n" } ]"#,
      play + #", { "at": "2 s", "do": "stopTraffic", "traffic": "n" }, "#
        + #"{ "at": "3 s", "do": "stopTraffic", "traffic": "n" }"#, "script[2]"
    ),
    (file + #", "player": { "videoRanges": [ "SDR" ] }"#, play, "player"),
    (file + #", "player": { "audioLanguage": "fr" }"#, play, "player"),
    (file, play + #", { "at": "1 s", "do": "selectSubtitles", "to": "fr" }"#, "script[1]"),
    (
      stream + #", "player": { "preferredPeakBitRateForExpensiveNetworks": "2 Mbit/s" }"#, play,
      "player"
    ),
    (stream, play + #", { "at": "2 s", "do": "setExpensiveNetwork", "to": true }"#, "script[1]"),
  ]

  /// The same of parts that are remarked on in every run, with a word of the remark.
  private static let remarked: [(parts: String, script: String, word: String)] = [
    (file, play + #", { "at": "1 s", "do": "setRateAtHostTime", "rate": 1 }"#, "refused"),
    (file, play + #", { "at": "1 s", "do": "releaseLeakedPlayer", "leaked": 2 }"#, "refused"),
    (
      file + #", "looping": "looper""#, looped + #", { "at": "1 s", "do": "startLooping" }"#,
      "already"
    ),
    (
      file + #", "looping": "rewind""#,
      looped + #", { "at": { "after": "last" }, "do": "disableLooping", "name": "again" }"#,
      "nothing is looped"
    ),
    (
      file, play + #", { "on": "didPlayToEndTime item=film", "do": "pause" }"#, "no item is called"
    ),
    (
      file + #", "player": { "linkedSDK": "iOS 14" }"# + interstitial(#""time": "2 s""#), play,
      "no interstitial is played"
    ),
    (stream, play + #", { "at": "2 s", "do": "seekToLive" }"#, "to live streams only"),
    (
      file, play + #", { "at": "2 s", "do": "selectAudio", "to": "en" }"#,
      "to files with “tracks” only"
    ),
    (
      local, play + #", { "at": "2 s", "do": "selectSubtitles", "to": null }"#,
      "to files with “tracks” only"
    ),
    (file + #", "player": { "preferredPeakBitRate": "2 Mbit/s" }"#, play, "to streams only"),
    (file + #", "requests": { "initialWindow": 4 }"#, play, "over tcp only"),
    (local + #", "player": { "bufferCap": "1 MB" }"#, play, "comes over the link only"),
    (local + #", "requests": { "tls": "1.3" }"#, play, "comes over the link only"),
    (local + #", "faults": [ { "status": 404 } ]"#, play, "comes over the link only"),
    (file + #", "player": { "pipeline": { "lookAhead": 1 } }"#, play, "to queues only"),
  ]

  private static let looped =
    play + #", { "when": "loopCount >= 1", "do": "disableLooping", "name": "last" }"#

  private static func interstitial(_ plan: String) -> String {
    #"""
    , "players": [ { "name": "ad", "interstitial": { \#(plan) },
      "media": { "local": { "duration": "2 s", "bitrate": "1 Mbit/s" } } } ]
    """#
  }

  @Test(arguments: [
    #"{ "count": "didPlayToEndTime item=film", "is": 0 }"#,
    #"{ "order": [ "app do=play", "itemTransition item=clip" ] }"#,
    #"{ "at": "1 s", "currentItem": { "not": "film" } }"#,
    #"{ "at": "1 s", "items": { "not": "media, film" } }"#,
    #"{ "count": "traffic name=updates", "is": 0 }"#,
    #"{ "count": "app do=stopTraffic traffic=updates", "is": 0 }"#,
  ])
  func `a name that nothing has is said`(expected: String) throws {
    let parts = #"\#(Self.file), "script": [ \#(Self.play) ], "expect": [ \#(expected) ]"#
    let warnings = try Written.read(parts).warnings
    #expect(warnings.map { $0.message.contains("is called") } == [true], "\(expected)")
    let known = #"""
      , "items": [ { "name": "film" }, { "name": "clip" } ], "queue": [ "film", "clip" ],
      "traffic": [ { "name": "updates", "bytes": "9 kB" } ]
      """#
    #expect(try Written.read(parts + known).warnings == [])
  }

  @Test(arguments: Seeds.cases(of: inert, few: 12))
  func `a part without effect is named by its path`(parts: String, script: String, path: String)
    throws
  {
    let found = try Written.partsWithoutEffect(
      #"\#(parts), "script": [ \#(script) ], "expect": [ { "stallCount": { "atMost": 9 } } ]"#)
    let named = found.filter { $0.message.hasPrefix("“\(path)” has no effect in this run") }
    #expect(named.count == 1 && named[0].position != nil, "\(found.map { $0.words })")
  }

  @Test func `the reason of a step that is never done is told`() throws {
    let found = try Written.partsWithoutEffect(
      #"\#(Self.file), "script": [ \#(Self.play), { "when": "stallCount >= 3", "do": "pause" } ]"#)
    #expect(
      found.map { $0.words } == [
        "line 2: “script[1]” has no effect in this run: it was never done, as "
          + "the run ended at 12.000001 s"
      ])
  }

  /// Seeks with where their media can be sought, and expectations that ask for their ends.
  static let seeks: [(parts: String, to: String, expected: String, isRemarked: Bool)] = [
    (file, "300 s", #"{ "stallCount": 0 }"#, true),
    (file, "12.001 s", #"{ "stallCount": 0 }"#, true),
    (file, "12 s", #"{ "stallCount": 0 }"#, false),
    (stream, "24001 ms", #"{ "stallCount": 0 }"#, true),
    (stream, "5 s", #"{ "stallCount": 0 }"#, false), (local, "6 s", #"{ "stallCount": 0 }"#, true),
    (file, "300 s", #"{ "order": [ "app do=seek", "seekDidComplete" ] }"#, false),
    (file, "300 s", #"{ "count": "seekDidComplete", "is": 1 }"#, false),
    (file, "300 s", #"{ "count": "seekDidComplete finished=true", "is": 0 }"#, true),
  ]

  @Test(arguments: seeks)
  func `a seek outside what can be sought is a remark`(
    parts: String, to: String, expected: String, isRemarked: Bool
  ) throws {
    let warnings = try Written.run(
      #"\#(parts), "script": [ \#(Self.play), { "at": "1 s", "do": "seek", "to": "\#(to)" } ],"#
        + #""expect": [ \#(expected) ]"#
    ).warnings
    #expect(warnings.count == (isRemarked ? 1 : 0), "\(warnings.map { $0.words })")
    #expect(
      warnings.allSatisfy {
        $0.position != nil && $0.message.hasPrefix("the step “seek” was cancelled: ")
          && $0.message.hasSuffix(" lies outside what can be sought")
      }, "\(warnings.map { $0.words })")
  }

  @Test func `a seek that another takes the place of is no remark`() throws {
    let seeks = ["20 s", "16 s", "16 s"].map { #"{ "at": "1 s", "do": "seek", "to": "\#($0)" }"# }
      .enumerated().map { $1.replacing(#""do""#, with: #""name": "\#($0)", "do""#) }
    let outcome = try Written.run(
      #"\#(Self.stream), "script": [ \#(Self.play), \#(seeks.joined(separator: ",")) ],"#
        + #""expect": [ { "stallCount": 0 } ]"#)
    #expect(outcome.warnings == [])
  }

  /// Further parts of a scenario with a step that is never done, and the remark.
  @Test(
    arguments: [
      ("", #"{ "stallCount": 0 }"#, "“pause” was never done"),
      (
        #"{ "when": "playing", "after": "pause", "do": "play" }"#, #"{ "stallCount": 0 }"#,
        "“pause” was never done, and 1 more"
      ),
      (
        #"{ "when": "stallCount >= 3", "do": "tap" }"#, #"{ "stallCount": 0 }"#,
        "“pause” was never done, and 1 more"
      ),
      ("", #"{ "count": "app do=pause", "is": 0 }"#, nil),
      ("", #"{ "count": "app do=play", "is": 1 }"#, "“pause” was never done"),
    ] as [(String, String, String?)])
  func `a step that is never done is a remark`(
    more: String, expected: String, words: String?
  ) throws {
    func warnings(_ parts: String) throws -> [String] {
      let steps = [Self.play, #"{ "when": "loaded >= 500 s", "do": "pause" }"#, more]
      return try Written.run(
        #"\#(Self.file), "script": [ \#(steps.filter { $0 != "" }.joined(separator: ",")) ],"#
          + #""expect": [ \#(expected) ] \#(parts)"#
      ).warnings.map { $0.message }
    }
    let found = try warnings("")
    #expect(found == (words.map { ["the step \($0): the run ended at 12.000001 s"] } ?? []))
    // The step might have been done later.
    #expect(try warnings(#", "horizon": "6 s""#) == [])
  }

  @Test(arguments: remarked)
  func `a remark of a run has its line`(parts: String, script: String, word: String) throws {
    let outcome = try Written.run(
      #"\#(parts), "script": [ \#(script) ], "expect": [ { "stallCount": { "atMost": 9 } } ]"#)
    #expect(outcome.warnings.contains { $0.message.contains(word) && $0.position != nil })
    let plain = try Written.run(
      #"\#(Self.file), "script": [ \#(Self.play) ], "expect": [ { "stallCount": 0 } ]"#)
    #expect(plain.warnings == [])
  }

  @Test(arguments: [
    ("nosuch.ts", true), ("movie.mp4", false), ("movie*", false), ("movie.mp4#head", true),
  ])
  func `a fault whose URL no request has is named`(url: String, isNamed: Bool) throws {
    let fault = #""faults": [ { "slowFirstByte": "1 s", "url": "\#(url)" } ]"#
    for fidelity in ["fluid", "tcp"] {
      let outcome = try Written.run(
        #"\#(Self.file), "fidelity": "\#(fidelity)", \#(fault), "script": [ \#(Self.play) ], "#
          + #""expect": [ { "stallCount": 0 } ]"#)
      let expected =
        "“faults[0].url” has no effect in this run: no request is called “\(url)”"
      #expect(outcome.warnings.map { $0.message } == (isNamed ? [expected] : []))
      #expect(outcome.warnings.allSatisfy { $0.position != nil })
    }
  }

  /// The file is fetched by one request.
  @Test(
    arguments: [
      ("2", "", "the rule fits only 1 request"), ("1", "", nil), ("[1, 9]", "", nil),
      ("[2, 9]", "", "the rule fits only 1 request"),
      ("2", "movie*", "the rule fits only 1 request"), ("1", "movie.mp4", nil),
      ("2", "film*", "no request is called “film*”"),
    ] as [(String, String, String?)])
  func `a fault for a request that is not made is named`(
    numbers: String, url: String, words: String?
  ) throws {
    let label = url.isEmpty ? "" : #", "url": "\#(url)""#
    let fault = #""faults": [ { "slowFirstByte": "1 s", "requests": \#(numbers)\#(label) } ]"#
    let outcome = try Written.run(
      #"\#(Self.file), \#(fault), "script": [ \#(Self.play) ], "expect": [ { "stallCount": 0 } ]"#)
    let key = words?.contains("called") == true ? "url" : "requests"
    let expected = words.map { "“faults[0].\(key)” has no effect in this run: " + $0 }
    #expect(outcome.warnings.map { $0.message } == [expected].compactMap { $0 })
    #expect(outcome.warnings.allSatisfy { $0.position != nil })
  }

  @Test(
    arguments: [
      ("fluid", #""uplink": { "loss": "2 %" }"#, "", "“loss”"),
      ("fluid", #""uplink": { "loss": "100.0 %" }"#, "", nil),
      ("fluid", #""downlink": { "loss": "2 %" }"#, "", nil), ("fluid", #""loss": "2 %""#, "", nil),
      ("tcp", #""uplink": { "loss": "2 %" }"#, "", nil),
      ("tcp", schedule, "", "“clock”"), ("fluid", schedule, "", nil),
      ("tcp", #""delay": "1 ms""#, #""bucketDepth": "9 KB""#, "“bucketDepth”"),
      (
        "tcp", #""delay": "1 ms""#, #""bucketDepth": "9 KB", "idleLink": "serialises""#,
        "“bucketDepth”"
      ),
      ("tcp", #""delay": "1 ms""#, #""bucketDepth": "9 KB", "idleLink": "passesAtOnce""#, nil),
    ] as [(String, String, String, String?)])
  func `a key of a link that its transport does not heed is named`(
    fidelity: String, link: String, requests: String, key: String?
  ) throws {
    let parts = Self.file.replacing(#""8 Mbit/s""#, with: #""8 Mbit/s", \#(link)"#)
    let options = requests.isEmpty ? "" : #", "requests": { \#(requests) }"#
    let scenario = try Written.read(
      #"\#(parts)\#(options), "fidelity": "\#(fidelity)", "script": [ \#(Self.play) ], "#
        + #""expect": [ { "stallCount": 0 } ]"#)
    let found = scenario.warnings.map { $0.message }
    #expect(found.count == (key == nil ? 0 : 1), "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix((key ?? "") + " has no effect: ") }, "\(found)")
  }

  private static let schedule =
    #""schedule": { "steps": [ { "for": "9 s", "bandwidth": "3 Mbit/s" } ], "clock": "wall" }"#

  @Test func `what is known without a run is said without one`() throws {
    let scenario = try Written.read(
      #"\#(Self.file), "player": { "codecs": [ "h264" ] }, "script": [ \#(Self.play) ]"#)
    #expect(
      scenario.warnings.map { $0.words } == [
        "line 1: no expectation: it passes with any outcome",
        "line 2: “codecs” has no effect: it applies to streams only",
      ])
  }

  @Test(arguments: [
    ("fluid", "3 bit/s", 1), ("fluid", "unlimited", 1), ("fluid", "0.0 kbit/s", 0),
    ("tcp", "30 kbit/s", 0),
  ])
  func `in fluid the bandwidth of an uplink matters as an outage alone`(
    fidelity: String, uplink: String, count: Int
  ) throws {
    let key = #""8 Mbit/s", "uplink": { "bandwidth": "\#(uplink)" }"#
    let parts = Self.file.replacing(#""8 Mbit/s""#, with: key)
    let scenario = try Written.read(
      #"\#(parts), "fidelity": "\#(fidelity)", "script": [ \#(Self.play) ], "#
        + #""expect": [ { "stallCount": 0 } ]"#)
    let words =
      "“bandwidth” has no effect: it applies to an uplink over tcp, or to one that blocks "
      + "everything, only"
    #expect(scenario.warnings.map { $0.message } == Array(repeating: words, count: count))
  }

  @Test func `a path that costs is no warning where any player plays a stream`() throws {
    let parts = Self.file.replacing(#""8 Mbit/s""#, with: #""8 Mbit/s", "expensive": true"#)
    let step = #"{ "at": "1 s", "do": "setExpensiveNetwork", "to": false }"#
    let media = #"{ "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "24 s" } }"#
    let guest = #", "players": [ { "name": "preview", "media": \#(media) } ]"#
    for (players, keys) in [("", ["expensive", "setExpensiveNetwork"]), (guest, [])] {
      let scenario = try Written.read(
        #"\#(parts)\#(players), "script": [ \#(Self.play), \#(step) ], "#
          + #""expect": [ { "stallCount": 0 } ]"#)
      let expected = keys.map {
        "“\($0)” has no effect: it applies to streams of any player only"
      }
      #expect(scenario.warnings.map { $0.message } == expected)
    }
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (file, #"{ "segments": 3 }"#, "", "segments", "to streams"),
        (file, #"{ "liveShare": "50 %" }"#, "", "liveShare", "to live streams"),
        (stream, #"{ "liveShare": "50 %" }"#, "", "liveShare", "to live streams"),
        (file, #"{ "all": [ "anything", { "arriving": "1 s" } ] }"#, "", "arriving", "to streams"),
        (file, #"{ "mediaLimitShare": "50 %" }"#, "", "mediaLimitShare", medium),
        (stream, #"{ "byteLimitShare": "50 %" }"#, "", "byteLimitShare", bytes),
        (file, #"{ "byteLimitShare": "5 %" }"#, streams, "byteLimitShare", bytes),
        (stream, #"{ "segments": 3 }"#, "", nil, ""),
        (stream, #"{ "arriving": "1 s" }"#, "", nil, ""),
        (file, #"{ "mediaLimitShare": "50 %" }"#, forward, nil, ""),
        (file, #"{ "byteLimitShare": "50 %" }"#, #", "bufferCap": "1 MB""#, nil, ""),
      ] as [(String, String, String, String?, String)], few: 5))
  func `a condition that no run can meet is said to be one`(
    parts: String, start: String, player: String, name: String?, scope: String
  ) throws {
    let scenario = try Written.read(
      #"\#(parts), "player": { "policy": { "start": \#(start) }\#(player) }, "script": [ "#
        + #"\#(Self.play) ], "expect": [ { "stallCount": 0 } ]"#)
    let expected = name.map { "“\($0)” is never true here: it applies \(scope) only" }
    #expect(scenario.warnings.map { $0.message } == [expected].compactMap { $0 })
  }

  private static let medium = "to forward buffers with a limit of media"
  private static let bytes = "to forward buffers with a limit of bytes"
  private static let forward = #", "preferredForwardBufferDuration": "10 s""#
  private static let streams = #", "preferredForwardBufferDuration": "9 s""#

  @Test(
    arguments: Seeds.cases(
      of: [
        (stream, #""order": "bothWait""#, "order"),
        (stream, #""order": "bothWait", "trackLead": 1"#, nil),
        (stream, #""order": "videoFirst""#, nil), (stream, #""trackFloor": 2"#, "trackFloor"),
        (stream, #""trackFloor": 2, "trackLead": 1"#, nil),
        (file, #""trackFloor": 2, "trackLead": 1"#, "trackFloor"),
      ] as [(String, String, String?)], few: 3))
  func `what a lead of tracks is needed for is a warning without one`(
    parts: String, keys: String, name: String?
  ) throws {
    let scenario = try Written.read(
      #"\#(parts), "player": { "policy": { "streamFetch": { "media": "9 s", \#(keys) } } }, "#
        + #""script": [ \#(Self.play) ], "expect": [ { "stallCount": 0 } ]"#)
    let said = scenario.warnings.map { $0.message }.filter { $0.contains("with a “trackLead”") }
    let effect = "has no effect: it applies to streams with a “trackLead” only"
    #expect(said == [name].compactMap { $0 }.map { "“\($0)” \(effect)" })
  }

  @Test func `a share of a limit that the app sets in time is no warning`() throws {
    let limit = #"{ "at": "0 s", "do": "setPreferredForwardBufferDuration", "to": "9 s" }"#
    let share = #""player": { "policy": { "start": { "mediaLimitShare": "50 %" } } }"#
    let scenario = try Written.read(
      #"\#(Self.file), \#(share), "script": [ \#(limit), \#(Self.play) ], "expect": []"#)
    #expect(!scenario.warnings.contains { $0.message.contains("never true") })
  }

  @Test func `a run in which nothing plays is a warning unless that is expected`() throws {
    for (expected, count) in [
      (#"{ "stallCount": 0 }"#, 1), (#"{ "outcome": "neverPlayed" }"#, 0),
      (#"{ "startupDelay": null }"#, 0),
    ] {
      let outcome = try Written.run(
        #"\#(Self.file), "script": [ { "at": "1 s", "do": "pause" } ], "expect": [ \#(expected) ]"#)
      #expect(outcome.failures.isEmpty)
      #expect(outcome.warnings.filter { $0.message.contains("nothing ever plays") }.count == count)
    }
    let media = #"{ "local": { "duration": "2 s", "bitrate": "1 Mbit/s" } }"#
    let guest = #""players": [ { "name": "preview", "media": \#(media) } ]"#
    let outcome = try Written.run(
      #"\#(Self.file), \#(guest), "script": [ \#(Self.play) ], "expect": [ { "stallCount": 0 } ]"#)
    #expect(outcome.warnings.map { $0.message.prefix(32) } == ["the player “preview” never plays"])
  }

  @Test(arguments: [
    #""looping": { "way": "rewind", "copies": 4 }"#,
    #""looping": { "way": "rewind", "timeRange": [ "1 s", "2 s" ] }"#,
    #""looping": { "way": "treadmill", "timeRange": [ "1 s", "2 s" ] }"#,
    #""looping": { "way": "treadmill", "durationLoadedAfter": "1 s" }"#,
    #""looping": { "way": "treadmill", "loopingItems": "followExistingItems" }"#,
    #""looping": "rewind", "player": { "actionAtItemEnd": "advance" }"#,
    #""script": [ { "at": "0 s", "do": "startLooping" } ]"#,
    #""script": [ { "at": "0 s", "do": "disableLooping" } ]"#,
    #""expect": [ { "count": "timeControlStatus status=playng", "is": 1 } ]"#,
    #""expect": [ { "count": "timeControlStatus reason=minimizeStalls", "is": 1 } ]"#,
    #""expect": [ { "count": "app do=paly", "is": 1 } ]"#,
    #""expect": [ { "count": "requestStart resource=segment", "is": 1 } ]"#,
    #""expect": [ { "count": "itemTransition kind=seemless", "is": 1 } ]"#,
    #""expect": [ { "count": "variantChoice clause=best", "is": 1 } ]"#,
    #""expect": [ { "count": "variantSwitchStart clause=better", "is": 0 } ]"#,
    #""expect": [ { "count": "livePosition reason=late", "is": 0 } ]"#,
    #""expect": [ { "count": "mediaSelection track=speech", "is": 0 } ]"#,
    #""expect": [ { "count": "app do=beginSuspension by=nobody", "is": 0 } ]"#,
    #""requests": { "connectionsPerHost": 2, "connectionsThere": 3 }"#,
    #""script": [ { "at": "0 s", "do": "setRate", "rate": -1 } ]"#,
  ])
  func `what nothing could read is refused`(parts: String) {
    #expect(throws: DocumentError.self) {
      _ = try Written.read("\(Self.file), \(parts)")
    }
  }

  @Test(arguments: [
    (#"{ "count": "refused", "is": 1 }"#, true),
    (#"{ "order": [ "app do=play", "refused" ] }"#, true),
    (#"{ "count": "refused why='there are 0 leaked players'", "is": 1 }"#, true),
    (#"{ "at": { "event": "refused" }, "rate": 1 }"#, true),
    (#"{ "count": "refused why='the item is current already'", "is": 0 }"#, false),
    (#"{ "count": "refused", "is": 0 }"#, false), (#"{ "stallCount": 0 }"#, false),
  ])
  func `a refusal that is expected is no warning`(expected: String, isForeseen: Bool) throws {
    let step = #"{ "at": "1 s", "do": "releaseLeakedPlayer", "leaked": 2 }"#
    let outcome = try Written.run(
      #"\#(Self.file), "script": [ \#(Self.play), \#(step) ], "expect": [ \#(expected) ]"#)
    #expect(outcome.warnings.isEmpty == isForeseen)
  }

  @Test func `a length of the queue that is expected is no warning`() throws {
    let queue = #", "items": [ { "name": "a", "copies": 200 } ], "queue": [ "a" ]"#
    for (parts, expected, isForeseen) in [
      (queue, #"{ "longestQueue": 200 }"#, true), (queue, #"{ "stallCount": 0 }"#, false),
    ] {
      let outcome = try Written.run(
        #"\#(Self.file)\#(parts), "horizon": "9 s", "script": [ \#(Self.play) ], "#
          + #""expect": [ \#(expected) ]"#)
      #expect(outcome.warnings.isEmpty == isForeseen, "\(expected)")
    }
  }

  // MARK: Assumptions

  /// Without automatic waiting, over 8 Mbit/s: media of 1 Mbit/s is there up to 8 s after 1 s.
  @Test(arguments: [9_000, 10_000, 11_000, 11_900, 4_000, 100] as [Int64])
  func `a seek out of the buffer without waiting names its assumption`(target: Int64) throws {
    let parts = Self.file + #", "player": { "automaticallyWaitsToMinimizeStalling": false }"#
    let seek = #"{ "at": "1 s", "do": "seek", "to": "\#(target) ms" }"#
    func warnings(_ expected: String) throws -> [String] {
      try Written.run(
        #"\#(parts), "script": [ \#(Self.play), \#(seek) ], "expect": [ \#(expected) ]"#
      ).warnings.map { $0.message }.filter { $0.contains("assumption") }
    }
    let told = try warnings(#"{ "outcome": "played" }"#)
    #expect(told.count == (target > 8_000 ? 1 : 0))
    #expect(told.allSatisfy { $0.contains("“seekPauses”") && $0.contains("pauses") }, "\(told)")
    // It is no surprise where an expectation asks for it.
    let asked = #"{ "order": ["app do=seek", "timeControlStatus rule=seekPauses"] }"#
    #expect(try warnings(asked) == [])
  }

  @Test(arguments: [1_050, 1_200, 1_400, 1_600, 1_800, 2_000] as [Int64])
  func `a play that is dropped after a stall names its assumption`(kilobits: Int64) throws {
    let parts = #"""
      "link": { "bandwidth": "\#(kilobits) kbit/s",
        "outages": [ { "from": "3 s", "for": "20 s" } ] },
      "media": { "progressive": { "duration": "12 s", "bitrate": "1 Mbit/s" } },
      "player": { "automaticallyWaitsToMinimizeStalling": false }
      """#
    func told(_ steps: String) throws -> [String] {
      try Written.run(
        #"\#(parts), "horizon": "10 s", "#
          + #""script": [ { "when": "loaded >= 0.2 s", "do": "play" } \#(steps) ], "#
          + #""expect": [ { "stallCount": 1 } ]"#
      ).warnings.map { $0.message }.filter { $0.contains("assumption") }
    }
    #expect(try told("") == [])
    let words = try told(", { \"at\": \"8 s\", \"do\": \"play\" }")
    #expect(words.count == 1 && words[0].contains("“emptyStaysPaused”"), "\(words)")
  }
}

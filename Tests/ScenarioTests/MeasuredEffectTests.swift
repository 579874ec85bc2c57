import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Parts without effect are found by leaving them out, and no part with an effect is named.
@Suite struct MeasuredEffectTests {
  enum Base: String, CaseIterable {
    case local, file, packets, stream, singleInPackets, ladder, live, queue, localQueue

    var parts: String {
      let file = #"{ "duration": "12 s", "bitrate": "1 Mbit/s" }"#
      let ladder = #""ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "24 s""#
      let link = #""link": { "bandwidth": "3 Mbit/s", "delay": "15 ms" }"#
      let items = #", "items": [ { "name": "a" }, { "name": "b" } ], "queue": [ "a", "b" ]"#
      return switch self {
      case .local: #""link": { }, "media": { "local": \#(file) }"#
      case .file: #"\#(link), "media": { "progressive": \#(file) }"#
      case .packets: #"\#(link), "fidelity": "tcp", "media": { "progressive": \#(file) }"#
      case .stream: #"\#(link), "media": { "hls": { \#(ladder) } }"#
      case .ladder:
        #"\#(link), "media": { "hls": { "duration": "24 s", "#
          + #""ladder": [ { "bitrate": "1 Mbit/s" }, { "bitrate": "2 Mbit/s" } ] } }"#
      // What comes late makes a rule look at it.
      case .singleInPackets:
        #""link": { "bandwidth": "1100 kbit/s", "outages": [ { "from": "9 s", "for": "7 s" } ] }, "#
          + #""fidelity": "tcp", "media": { "hls": { \#(ladder) } }"#
      case .live:
        #"\#(link), "horizon": "40 s", "media": { "hls": { \#(ladder), "live": { } } }"#
      case .queue: #"\#(link), "media": { "progressive": \#(file) }\#(items)"#
      case .localQueue: #""link": { }, "media": { "local": \#(file) }\#(items)"#
      }
    }
  }

  private static let files = [Base.file, .packets, .queue]
  private static let single = [Base.stream, .singleInPackets, .live]

  /// Keys without effect, and the scenarios in which they have none.
  static let keys: [(input: String, bases: [Base])] = [
    (#""player": { "evaluationPeriod": "700 ms" }"#, [.local, .localQueue]),
    (#""player": { "heuristic": "immediate" }"#, [.local, .localQueue]),
    (#""player": { "policy": { "start": { "media": "3 s" } } }"#, [.local]),
    (#""player": { "policy": { "resume": { "media": "3 s" } } }"#, [.local]),
    (#""player": { "policy": { "stall": { "below": "2 s" } } }"#, [.local]),
    (
      #""player": { "policy": { "start": { "any": [ "playThrough", { "segments": 3 } ] } } }"#,
      [.file, .queue]
    ),
    (#""player": { "policy": { "fileFetch": { "media": "5 s" } } }"#, [.local, .stream, .live]),
    (
      #""player": { "policy": { "fileEstimator": { "samples": { "statistics": [ "last" ] } } } }"#,
      [.local, .stream]
    ),
    (#""player": { "policy": { "streamFetch": { "media": "5 s" } } }"#, [.local, .file, .packets]),
    (
      #""player": { "policy": { "streamEstimator": { "samples": { "statistics": ["last"] } } } }"#,
      [.local, .file]
    ),
    (#""player": { "policy": { "firstVariant": "highest" } }"#, [.file, .queue]),
    (#""player": { "policy": { "nextVariant": "fixed" } }"#, [.file, .local]),
    (#""player": { "policy": { "abandon": "never" } }"#, [.packets]),
    (#""player": { "policy": { "choice": { "sizes": "exact" } } }"#, [.file]),
    (#""player": { "policy": { "nextVariant": { "bola": { } } } }"#, single),
    (#""player": { "policy": { "abandon": "never" } }"#, single),
    (#""player": { "policy": { "choice": { "at": "request" } } }"#, [.live]),
    (#""player": { "adaptation": "fixed" }"#, single),
    (#""player": { "preferredMaximumResolution": "320x180" }"#, [.stream]),
    (#""player": { "layer": { "size": "320x180" } }"#, single),
    (#""player": { "policy": { "sink": { "frameOfPackets": "90 ms" } } }"#, [.file, .stream]),
    (#""player": { "policy": { "resume": { "liveShare": "50 %" } } }"#, [.stream, .file]),
    (
      #""player": { "policy": { "stall": { "below": "0 s", "countsArriving": true } } }"#,
      [.file, .packets]
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "blocks": "64 KB" } } }"#,
      [.stream, .live]
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "refill": "31 %" } } }"#,
      [.stream, .live]
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "reopensAfter": "3 s" } } }"#,
      [.stream, .live]
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "discards": "90 KB" } } }"#,
      [.stream, .live]
    ),
    (#""player": { "policy": { "fileFetch": { "countsNext": true } } }"#, files),
    (#""player": { "policy": { "fileFetch": { "sleeps": "700 ms" } } }"#, files),
    (#""player": { "policy": { "fileFetch": { "trackLead": 1 } } }"#, files),
    (#""player": { "policy": { "fileFetch": { "lookahead": "70 KB" } } }"#, files),
    (#""player": { "policy": { "fileFetch": { "sideBySide": 3 } } }"#, files),
    (
      #""player": { "policy": { "start": { "playThrough": { "everyByte": false } } } }"#,
      [.stream, .live]
    ),
    (
      #""player": { "policy": { "resume": { "playThrough": { "beyondEnd": "5 MB" } } } }"#,
      [.stream, .singleInPackets]
    ),
    (
      #""player": { "policy": { "start": { "playThrough": { "whenEndUnknown": true } } } }"#,
      [.stream, .live]
    ),
    (
      #""player": { "policy": { "start": { "playThrough": { "margin": "41 s" } } } }"#,
      [.file, .queue]
    ),
    (
      #""player": { "policy": { "start": { "playThrough": { "shareOfWait": "13 %" } } } }"#,
      [.file, .queue]
    ),
    (#""player": { "policy": { "sink": { "holds": "3 s" } } }"#, [.file, .live]),
    (#""player": { "policy": { "sink": { "freezes": "3 s" } } }"#, [.packets]),
    (#""player": { "policy": { "sink": { "seeksAtFreeze": true } } }"#, [.file, .live]),
    (#""player": { "client": "AVKit" }"#, [.local, .file, .stream]),
    (#""player": { "pipeline": { "lookAhead": 1 } }"#, [.queue, .localQueue]),
    (#""player": { "layer": { "size": "640x360" } }"#, [.local, .file, .queue]),
    (#""player": { "codecs": [ "aac" ] }"#, [.stream, .live]),
    (#""player": { "forwardPlaybackEndTime": "100 s" }"#, [.local, .file, .packets, .stream]),
    (#""player": { "forwardPlaybackEndTime": "shortestTrack" }"#, [.file, .stream]),
    (#""player": { "startTime": "5 s" }"#, [.queue, .localQueue]),
    (#""requests": { "tls": "1.3" }"#, [.local, .localQueue]),
    (
      #""assets": [ { "name": "z", "media": { "local": { "duration": "3 s", "size": "9 B" } } } ]"#,
      [.file, .stream, .queue]
    ),
    (#""traffic": [ { "name": "t", "from": "900 s", "to": "999 s" } ]"#, [.file]),
  ]

  /// Steps without effect 3 s after the beginning, likewise.
  static let steps: [(step: String, bases: [Base])] = [
    (#""do": "setDefaultRate", "rate": 1"#, [.local, .file, .stream]),
    (#""do": "tap""#, [.local, .packets]),
    (#""do": "setAutomaticallyWaitsToMinimizeStalling", "to": true"#, [.file, .stream]),
    (#""do": "setForwardPlaybackEndTime", "to": "100 s""#, [.file, .stream]),
    (#""do": "setForwardPlaybackEndTime", "to": null"#, [.local, .file]),
    (#""do": "setActionAtItemEnd", "to": "pause""#, [.local, .file]),
    (#""do": "setActionAtItemEnd", "to": "advance""#, [.queue]),
    (#""do": "setPreferredForwardBufferDuration", "to": "0 s""#, [.file]),
    (#""do": "setPreferredForwardBufferDuration", "to": "5 s""#, [.local]),
    (#""do": "setPreferredPeakBitRate", "to": "0 bit/s""#, [.stream, .live]),
    (#""do": "setPreferredMaximumResolution", "to": null"#, [.stream]),
    (#""do": "setLayer", "to": null"#, [.stream]),
    (#""do": "setLayer", "to": { "size": "640x360" }"#, [.local, .file]),
    (#""do": "setPreferredPeakBitRate", "to": "500 kbit/s""#, single),
    (#""do": "selectSubtitles", "to": null"#, [.stream]),
    (#""do": "loadValues""#, [.local, .file, .stream]),
    (#""do": "changeLink", "to": { "bandwidth": "3 Mbit/s", "delay": "15 ms" }"#, [.file]),
    (
      #""do": "changeSchedule", "to": { "steps": [ { "for": "1 s", "bandwidth": "9 Mbit/s" } ] }"#,
      [.local]
    ),
    (#""do": "setAutomaticallyPreservesTimeOffsetFromLive", "to": false"#, [.live]),
    (#""do": "setConfiguredTimeOffsetFromLive", "to": null"#, [.live]),
  ]

  private static let play = #"{ "at": "0 s", "do": "play" }"#

  @Test(arguments: Seeds.cases(of: keys, few: 12))
  func `a key without effect is named`(input: String, bases: [Base]) throws {
    let key = input.split(separator: "\"")[0]
    for base in bases {
      #expect(try paths(base, ", " + input).contains { $0.hasPrefix(key) }, "\(base)")
      #expect(try !paths(base).contains { $0.hasPrefix(key) }, "\(base)")
    }
  }

  /// Keys beside something that takes their place.
  static let replaced: [(player: String, told: String, base: Base, path: String)] = [
    (
      #""preferredForwardBufferDuration": "4 s""#,
      #""policy": { "fileFetch": { "media": "700 ms" } }"#, .packets, "player.policy"
    ),
    (
      #""preferredForwardBufferDuration": "9 s""#,
      #""policy": { "streamFetch": { "media": "5 s" } }"#, .stream, "player.policy"
    ),
    (
      #""codecs": [ "h264", "aac" ]"#, #""preferredMaximumResolution": "320x180""#, .ladder,
      "player"
    ),
    (#""codecs": [ "h264", "aac" ]"#, #""layer": { "size": "320x180" }"#, .ladder, "player"),
  ]

  @Test(arguments: replaced)
  func `a key beside something that takes its place is named`(
    player: String, told: String, base: Base, path: String
  ) throws {
    #expect(try paths(base, #", "player": { \#(player), \#(told) }"#).contains(path))
  }

  @Test(arguments: [#""at": "request""#, #""sizes": "exact""#, #""again": "soonest""#])
  func `the way of choosing variants is named beside a rule that keeps the first`(choice: String)
    throws
  {
    let policy = #""nextVariant": "fixed", "choice": { \#(choice) }"#
    let found = try paths(.ladder, #", "player": { "policy": { \#(policy) } }"#)
    #expect(found.contains { "player.policy.choice".hasPrefix($0) })
  }

  @Test(arguments: Seeds.cases(of: steps, few: 12))
  func `a step without effect is named`(step: String, bases: [Base]) throws {
    for base in bases {
      let found = try paths(base, "", #", { "at": "3 s", "name": "vain", \#(step) }"#)
      #expect(found.contains("script[1]"), "\(base)")
    }
  }

  @Test(arguments: [
    (#""do": "pause""#, Base.file), (#""do": "pause""#, .stream), (#""do": "pause""#, .live),
    (#""do": "seek", "to": "1 s""#, .local), (#""do": "seek", "to": "9 s""#, .packets),
    (#""do": "setRate", "rate": 2"#, .queue), (#""do": "removeItem""#, .ladder),
    (#""do": "advanceToNextItem""#, .queue), (#""do": "advanceToNextItem""#, .localQueue),
    (#""do": "changeLink", "to": { "bandwidth": "1 Mbit/s" }"#, .file),
    (#""do": "setPreferredForwardBufferDuration", "to": "5 s""#, .stream),
  ])
  func `a step with an effect is not named`(step: String, base: Base) throws {
    #expect(try !paths(base, "", #", { "at": "3 s", \#(step) }"#).contains("script[1]"))
  }

  @Test(arguments: [
    (#""defaultRate": 1"#, Base.file),
    (#""automaticallyPreservesTimeOffsetFromLive": false"#, .live),
    (#""networkResourcePriority": "default""#, .packets), (#""defaultRate": 1.0"#, .local),
    (#""evaluationPeriod": "0 ms""#, .live), (#""evaluationPeriod": "0 s""#, .queue),
    (#""preferredPeakBitRate": "0 bit/s""#, .file),
    (#""preferredPeakBitRate": "0 Mbit/s""#, .ladder),
  ])
  func `a default that is spelled out is not named`(key: String, base: Base) throws {
    #expect(try !paths(base, #", "player": { \#(key) }"#).contains { $0.hasPrefix("player") })
  }

  // MARK: Parts that come too late

  @Test(arguments: ["suspend", "stop"])
  func `traffic that has arrived cannot be held up`(verb: String) throws {
    for (bytes, requests) in [("40 kB", ""), ("300 kB", #", "requests": { }"#), ("1 B", "")] {
      let parts = #"""
        \#(requests),
        "traffic": [ { "name": "n", "connections": 2, "bytes": "\#(bytes)" } ]
        """#
      // 600 kB and the film's 1.5 MB have arrived after 5.7 s, the traffic first.
      for (at, isInTime) in [("9 s", false), ("30 ms", true)] {
        let step = #", { "at": "\#(at)", "do": "\#(verb)Traffic", "traffic": "n" }"#
        #expect(try paths(.file, parts, step).contains("script[1]") != isInTime, "\(bytes)")
      }
    }
  }

  @Test(arguments: Seeds.areMany ? [13, 60, 900, 3_000] : [60])
  func `an outage after the end is named`(seconds: Int) throws {
    for base in [Base.file, .packets, .stream, .live, .queue] {
      let outage = #"{ "from": "\#(seconds * 3) s", "for": "7 s" }"#
      let parts = base.parts.replacing(
        #""delay": "15 ms" }"#, with: #""delay": "15 ms", "outages": [ \#(outage) ] }"#)
      #expect(try paths(parts).contains("link.outages"), "\(base)")
    }
  }

  /// One outage of many has an effect; of longer lists each element is not left out by itself.
  @Test(arguments: Seeds.cases(of: [2, 63, 64, 65, 90], few: 1))
  func `the elements of a list of sixty-four are looked at one by one`(count: Int) throws {
    let outages = (0..<count).map { number in
      #"{ "from": "\#(number == 0 ? "0.5" : "\(number * 100)") s", "for": "1 s" }"#
    }
    let parts = Base.file.parts.replacing(
      #""delay": "15 ms" }"#,
      with: #""delay": "15 ms", "outages": [ \#(outages.joined(separator: ", ")) ] }"#)
    let found = try paths(parts).filter { $0.hasPrefix("link.outages") }
    let named = (1..<count).map { "link.outages[\($0)]" }
    #expect(found == (count > 64 ? [] : named), "\(found)")
  }

  @Test func `readers' and tests' keys are never named`() throws {
    let parts = #"\#(Base.file.parts), "tags": [ "slow" ], "$schema": "x.json", "skip": "later""#
    let found = try paths(parts)
    for key in ["tags", "$schema", "skip", "about", "scenario", "expect"] {
      #expect(!found.contains { $0.hasPrefix(key) }, "\(key)")
    }
  }

  /// The paths of the parts that a run is the same without.
  private func paths(_ base: Base, _ parts: String = "", _ steps: String = "") throws -> [String] {
    try paths(base.parts + parts, steps)
  }

  private func paths(_ parts: String, _ steps: String = "") throws -> [String] {
    try Written.partsWithoutEffect(
      #"\#(parts), "script": [ \#(Self.play)\#(steps) ], "#
        + #""expect": [ { "outcome": "played" } ]"#
    ).map { String($0.message.split { $0 == "“" || $0 == "”" }[0]) }
  }
}

import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// What is warned of as of no effect has none: the run is the same line by line without it.
@Suite struct InertInputTests {
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

  /// What stands in the scenario, where it is of no effect, and a word of the warning.
  static let keys: [(input: String, bases: [Base], word: String)] = [
    (#""player": { "evaluationPeriod": "700 ms" }"#, [.local, .localQueue], "wholly there"),
    (#""player": { "heuristic": "immediate" }"#, [.local, .localQueue], "wholly there"),
    (#""player": { "policy": { "start": { "media": "3 s" } } }"#, [.local], "wholly there"),
    (#""player": { "policy": { "resume": { "media": "3 s" } } }"#, [.local], "wholly there"),
    (#""player": { "policy": { "stall": { "below": "2 s" } } }"#, [.local], "wholly there"),
    (
      #""player": { "policy": { "start": { "any": [ "playThrough", { "segments": 3 } ] } } }"#,
      [.file, .queue], "nothing here is a stream"
    ),
    (
      #""player": { "policy": { "fileFetch": { "media": "5 s" } } }"#, [.local, .stream, .live],
      "no file comes in"
    ),
    (
      #""player": { "policy": { "fileEstimator": { "samples": { "statistics": [ "last" ] } } } }"#,
      [.local, .stream], "no file comes in"
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "5 s" } } }"#, [.local, .file, .packets],
      "nothing here is a stream"
    ),
    (
      #""player": { "policy": { "streamEstimator": { "samples": { "statistics": ["last"] } } } }"#,
      [.local, .file], "nothing here is a stream"
    ),
    (#""player": { "policy": { "firstVariant": "highest" } }"#, [.file, .queue], "no variants"),
    (#""player": { "policy": { "nextVariant": "fixed" } }"#, [.file, .local], "no variants"),
    (#""player": { "policy": { "abandon": "never" } }"#, [.packets], "no variants"),
    (#""player": { "policy": { "choice": { "sizes": "exact" } } }"#, [.file], "no variants"),
    (#""player": { "policy": { "firstVariant": { "place": 1 } } }"#, [.stream], "one variant"),
    (#""player": { "policy": { "nextVariant": { "bola": { } } } }"#, single, "one variant"),
    (#""player": { "policy": { "abandon": "never" } }"#, single, "one variant"),
    (#""player": { "policy": { "choice": { "at": "request" } } }"#, [.live], "one variant"),
    (#""player": { "adaptation": "fixed" }"#, single, "one variant"),
    (#""player": { "observedBitrate": "300 kbit/s" }"#, single, "one variant"),
    (#""player": { "preferredPeakBitRate": "500 kbit/s" }"#, single, "one variant"),
    (#""player": { "preferredMaximumResolution": "320x180" }"#, [.stream], "one variant"),
    (#""player": { "layer": { "size": "320x180" } }"#, single, "one variant"),
    (
      #""player": { "policy": { "sink": { "frameOfPackets": "90 ms" } } }"#, [.file, .stream],
      "no packets"
    ),
    (
      #""player": { "policy": { "resume": { "liveShare": "50 %" } } }"#, [.stream, .file],
      "nothing here is live"
    ),
    (
      #""player": { "policy": { "stall": { "below": "0 s", "countsArriving": true } } }"#,
      [.file, .packets], "nothing here is a stream"
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "blocks": "64 KB" } } }"#,
      [.stream, .live], "no rule counts"
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "refill": "31 %" } } }"#,
      [.stream, .live], "segment by segment"
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "reopensAfter": "3 s" } } }"#,
      [.stream, .live], "segment by segment"
    ),
    (
      #""player": { "policy": { "streamFetch": { "media": "50 s", "discards": "90 KB" } } }"#,
      [.stream, .live], "segment by segment"
    ),
    (#""player": { "policy": { "fileFetch": { "countsNext": true } } }"#, files, "no segments"),
    (#""player": { "policy": { "fileFetch": { "sleeps": "700 ms" } } }"#, files, "no segments"),
    (#""player": { "policy": { "fileFetch": { "trackLead": 1 } } }"#, files, "no segments"),
    (#""player": { "policy": { "fileFetch": { "lookahead": "70 KB" } } }"#, files, "no segments"),
    (#""player": { "policy": { "fileFetch": { "sideBySide": 3 } } }"#, files, "no segments"),
    (
      #""player": { "policy": { "start": { "playThrough": { "everyByte": false } } } }"#,
      [.stream, .live], "no file comes in"
    ),
    (
      #""player": { "policy": { "resume": { "playThrough": { "beyondEnd": "5 MB" } } } }"#,
      [.stream, .singleInPackets], "no file comes in"
    ),
    (
      #""player": { "policy": { "start": { "playThrough": { "whenEndUnknown": true } } } }"#,
      [.stream, .live], "no file comes in"
    ),
    (
      #""player": { "policy": { "start": { "playThrough": { "margin": "41 s" } } } }"#,
      [.file, .queue], "is exact"
    ),
    (
      #""player": { "policy": { "start": { "playThrough": { "shareOfWait": "13 %" } } } }"#,
      [.file, .queue], "is exact"
    ),
    (
      #""player": { "policy": { "fileEstimator": { "line": "sinceBeginning", "#
        + #""gate": { "bytes": "9 MB" } } } }"#, [.file, .queue], "believed at once"
    ),
    (
      #""player": { "policy": { "fileEstimator": { "line": "sinceBeginning", "#
        + #""prior": "1 kbit/s" } } }"#, [.file, .queue], "believed at once"
    ),
    (#""player": { "policy": { "sink": { "holds": "3 s" } } }"#, [.file, .live], "no packets"),
    (#""player": { "policy": { "sink": { "freezes": "3 s" } } }"#, [.packets], "a stream"),
    (#""player": { "client": "AVKit" }"#, [.local, .file, .stream], "every client waits"),
    (#""player": { "pipeline": { "lookAhead": 1 } }"#, [.queue, .localQueue], "no time to fill"),
    (#""player": { "layer": { "size": "640x360" } }"#, [.local, .file, .queue], "no variants"),
    (#""player": { "codecs": [ "aac" ] }"#, [.stream, .live], "how it is coded"),
    (
      #""player": { "forwardPlaybackEndTime": "100 s" }"#, [.local, .file, .packets, .stream],
      "over by then"
    ),
    (
      #""player": { "forwardPlaybackEndTime": "shortestTrack" }"#, [.file, .stream], "over by then"
    ),
    (#""player": { "startTime": "5 s" }"#, [.queue, .localQueue], "begin where each says"),
    (#""requests": { "tls": "1.3" }"#, [.local, .localQueue], "all media is local"),
    (
      #""assets": [ { "name": "z", "media": { "local": { "duration": "3 s", "size": "9 B" } } } ]"#,
      [.file, .stream, .queue], "no item is made"
    ),
    (
      #""leakedPlayers": [ { "media": { "local": { "duration": "3 s", "size": "9 KB" } } } ]"#,
      [.file, .packets], "loads nothing"
    ),
    (
      #""leakedPlayers": [ { "media": { "progressive": { "duration": "3 s", "size": "9 KB" } },"#
        + #" "from": "900 s" } ]"#, [.file, .packets, .live], "begins after the end"
    ),
    (#""traffic": [ { "name": "t", "from": "900 s", "to": "999 s" } ]"#, [.file], "after the end"),
  ]

  /// Steps that are done 3 s after the beginning, likewise.
  static let steps: [(step: String, bases: [Base], word: String)] = [
    (#""do": "setDefaultRate", "rate": 1"#, [.local, .file, .stream], "so already"),
    (#""do": "tap""#, [.local, .packets], "asked to play before"),
    (
      #""do": "setAutomaticallyWaitsToMinimizeStalling", "to": true"#, [.file, .stream],
      "so already"
    ),
    (#""do": "setForwardPlaybackEndTime", "to": "100 s""#, [.file, .stream], "over by then"),
    (#""do": "setForwardPlaybackEndTime", "to": null"#, [.local, .file], "so already"),
    (#""do": "setActionAtItemEnd", "to": "pause""#, [.local, .file], "so already"),
    (#""do": "setActionAtItemEnd", "to": "advance""#, [.queue], "so already"),
    (#""do": "setPreferredForwardBufferDuration", "to": "0 s""#, [.file], "so already"),
    (#""do": "setPreferredForwardBufferDuration", "to": "5 s""#, [.local], "wholly there"),
    (#""do": "setPreferredPeakBitRate", "to": "0 bit/s""#, [.stream, .live], "so already"),
    (#""do": "setPreferredMaximumResolution", "to": null"#, [.stream], "so already"),
    (#""do": "setLayer", "to": null"#, [.stream], "so already"),
    (#""do": "setLayer", "to": { "size": "640x360" }"#, [.local, .file], "no variants"),
    (#""do": "setPreferredPeakBitRate", "to": "500 kbit/s""#, single, "one variant"),
    (#""do": "selectSubtitles", "to": null"#, [.stream], "so already"),
    (#""do": "loadValues""#, [.local, .file, .stream], "loads since"),
    (#""do": "changeLink", "to": { "bandwidth": "3 Mbit/s", "delay": "15 ms" }"#, [.file], "like"),
    (
      #""do": "changeSchedule", "to": { "steps": [ { "for": "1 s", "bandwidth": "9 Mbit/s" } ] }"#,
      [.local], "all media is local"
    ),
    (
      #""do": "setAutomaticallyPreservesTimeOffsetFromLive", "to": false"#, [.live], "so already"
    ),
    (#""do": "setConfiguredTimeOffsetFromLive", "to": null"#, [.live], "so already"),
  ]

  private static let play = #"{ "at": "0 s", "do": "play" }"#

  @Test(arguments: Seeds.cases(of: keys))
  func `a key of no effect is said, and has none`(input: String, bases: [Base], word: String)
    throws
  {
    for base in bases {
      let plain = try run(base, "", "")
      let told = try run(base, ", " + input, "")
      #expect(told.warnings.contains { $0.message.contains(word) && $0.position != nil }, "\(base)")
      #expect(lines(of: told) == lines(of: plain) && plain.warnings == [], "\(base)")
    }
  }

  /// What a player is told beside something that takes its place, with a word of the warning.
  static let replaced: [(player: String, told: String, base: Base, word: String)] = [
    (
      #""preferredForwardBufferDuration": "4 s""#,
      #""policy": { "fileFetch": { "media": "700 ms" } }"#, .packets,
      "“media” has no effect: the app says how much to buffer"
    ),
    (
      #""preferredForwardBufferDuration": "9 s""#,
      #""policy": { "streamFetch": { "media": "5 s" } }"#, .stream,
      "“media” has no effect: the app says how much to buffer"
    ),
    (
      #""codecs": [ "h264", "aac" ]"#, #""preferredMaximumResolution": "320x180""#, .ladder,
      "“preferredMaximumResolution” has no effect: no variant says how large its picture is"
    ),
    (
      #""codecs": [ "h264", "aac" ]"#, #""layer": { "size": "320x180" }"#, .ladder,
      "“layer” has no effect: no variant says how large its picture is"
    ),
  ]

  @Test(arguments: Seeds.cases(of: replaced))
  func `a key in whose place something else stands is said, and has no effect`(
    player: String, told: String, base: Base, word: String
  ) throws {
    let without = try run(base, #", "player": { \#(player) }"#, "")
    let with = try run(base, #", "player": { \#(player), \#(told) }"#, "")
    #expect(with.warnings.contains { $0.message.contains(word) && $0.position != nil }, "\(told)")
    #expect(!without.warnings.contains { $0.message.contains(word) })
    #expect(lines(of: with) == lines(of: without), "\(told)")
  }

  @Test(arguments: [#""at": "request""#, #""sizes": "exact""#, #""again": "soonest""#])
  func `how a variant is chosen is of no effect beside one that is kept`(choice: String) throws {
    let word = "“choice” has no effect: “fixed” keeps the first variant"
    for (next, script, isSaid) in [
      ("fixed", "", true), ("throughput", "", false),
      ("fixed", #", { "at": "3 s", "do": "setPreferredPeakBitRate", "to": "2 Mbit/s" }"#, false),
    ] {
      let policy = #""nextVariant": "\#(next)""#
      let told = try run(
        .ladder, #", "player": { "policy": { \#(policy), "choice": { \#(choice) } } }"#, script)
      #expect(told.warnings.contains { $0.message == word } == isSaid, "\(next) \(script)")
      if !isSaid { continue }
      let plain = try run(.ladder, #", "player": { "policy": { \#(policy) } }"#, script)
      #expect(lines(of: told) == lines(of: plain))
    }
  }

  @Test(arguments: Seeds.cases(of: steps))
  func `a step of no effect is said, and has none`(step: String, bases: [Base], word: String)
    throws
  {
    for base in bases {
      let plain = try run(base, "", "")
      let told = try run(base, "", #", { "at": "3 s", "name": "vain", \#(step) }"#)
      #expect(told.warnings.contains { $0.message.contains(word) && $0.position != nil }, "\(base)")
      #expect(lines(of: told) == lines(of: plain), "\(base)")
    }
  }

  // MARK: What comes too late

  @Test(arguments: ["suspend", "stop"], Seeds.areMany ? ["fluid", "tcp"] : ["fluid"])
  func `traffic that has all come cannot be held up`(verb: String, fidelity: String) throws {
    for (bytes, requests) in [("40 kB", ""), ("300 kB", #", "requests": { }"#), ("1 B", "")] {
      let parts = #"""
        \#(Base.file.parts), "fidelity": "\#(fidelity)"\#(requests),
        "traffic": [ { "name": "n", "connections": 2, "bytes": "\#(bytes)" } ]
        """#
      // 600 kB and the film's 1.5 MB have all come after 5.7 s, the traffic first.
      for (at, isInTime) in [("9 s", false), ("30 ms", true)] {
        let step = #"{ "at": "\#(at)", "do": "\#(verb)Traffic", "traffic": "n" }"#
        let told = try Written.run(
          #"\#(parts), "script": [ \#(Self.play), \#(step) ], "#
            + #""expect": [ { "outcome": "played" } ]"#)
        #expect(told.warnings.contains { $0.message.contains("“n” is over") } != isInTime)
      }
    }
  }

  @Test(arguments: Seeds.areMany ? [13, 60, 900, 3_000] : [60])
  func `an outage after the end keeps nothing going`(seconds: Int) throws {
    for base in [Base.file, .packets, .stream, .live, .queue] {
      let outage = #"{ "from": "\#(seconds * 3) s", "for": "7 s" }"#
      let parts = base.parts.replacing(
        #""delay": "15 ms" }"#, with: #""delay": "15 ms", "outages": [ \#(outage) ] }"#)
      let told = try Written.run(
        #"\#(parts), "script": [ \#(Self.play) ], "expect": [ { "outcome": "played" } ]"#)
      #expect(lines(of: told) == lines(of: try run(base, "", "")), "\(base)")
      #expect(told.warnings.map { $0.message } == ["this outage begins after the end"], "\(base)")
    }
  }

  @Test(arguments: [1, 9, 10, 11, 12, 400])
  func `of very many that come too late the first are named, and the others counted`(
    count: Int
  ) throws {
    let outages = (0..<count).map { #"{ "from": "\#(900 + 10 * $0) s", "for": "1 s" }"# }
    let parts = Base.file.parts.replacing(
      #""delay": "15 ms" }"#,
      with: #""delay": "15 ms", "outages": [ \#(outages.joined(separator: ", ")) ] }"#)
    let told = try Written.run(
      #"\#(parts), "script": [ \#(Self.play) ], "expect": [ { "outcome": "played" } ]"#)
    #expect(told.warnings.count == min(count, 10))
    let last = count > 10 ? ", and so do \(count - 10) more" : ""
    #expect(told.warnings.last?.message == "this outage begins after the end" + last)
  }

  private func run(_ base: Base, _ parts: String, _ steps: String) throws -> RunOutcome {
    try Written.run(
      #"\#(base.parts)\#(parts), "script": [ \#(Self.play)\#(steps) ], "#
        + #""expect": [ { "outcome": "played" } ]"#)
  }

  /// The trace without its header, what the app did, the digest, and why a variant was chosen.
  private func lines(of outcome: RunOutcome) -> [Substring] {
    let text = String(decoding: outcome.trace, as: UTF8.self)
    return text.split(separator: "\n").dropFirst()
      // The buffer is sampled where the player looks, and a rule may look more often than it acts.
      .filter { line in
        !["app", "link", "loadedTimeRanges"].contains { line.contains("\"event\":\"\($0)\"") }
      }
      .map { line in
        let cut = line.contains(#""variantChoice""#) ? #","clause""# : #","digest""#
        return line.split(separator: cut)[0].split(separator: #","leakedPlayers""#)[0]
      }
  }
}

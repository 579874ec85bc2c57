import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What players do beside waiting and choosing, as a scenario mixes it: connections that are thrown
/// away, tracks that keep together, segments that count late or come side by side, and the time
/// that the first picture takes.
@Suite struct PlayerMechanismTests {
  private struct Request {
    var at: String
    var size: String
    var isSound: Bool
  }

  private struct Run {
    var startup: Int64
    var stalls: Int64
    var stalled: Int64
    var bytes: Int64
    var segments: [Request]
  }

  /// All of the numbers in a release build, and the one in the middle in a debug build.
  private static func few(_ numbers: [Int64]) -> [Int64] {
    Seeds.areMany ? numbers : [numbers[numbers.count / 2]]
  }

  /// What a policy has as it is.
  private static let nothing = "\"choice\": { \"at\": \"arrival\" }"
  private static let file = """
    "progressive": { "duration": "6 s", "bitrate": "1 Mbit/s" }
    """

  private func played(
    _ policy: String, _ media: String, rate: Int64 = 2_000, delay: Int64 = 20,
    fidelity: String = "fluid"
  ) throws -> Run {
    let start = policy.contains("\"start\"") ? "" : "\"start\": { \"segments\": 1 },"
    let resume = policy.contains("\"resume\"") ? "" : "\"resume\": { \"media\": \"0.2 s\" },"
    let text = """
      { "scenario": "a", "about": "b", "fidelity": "\(fidelity)",
        "link": { "bandwidth": "\(rate) kbit/s", "delay": "\(delay) ms" },
        "media": { \(media) },
        "player": { "policy": { \(start) \(resume)
          "nextVariant": "fixed", "abandon": "never", \(policy) } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    // A replay over packets takes long, and goldens are replayed over them.
    if fidelity == "fluid", Seeds.areMany {
      guard case .same = try replay(outcome.trace, file: "a.json") else {
        Issue.record("it diverged")
        return Run(startup: 0, stalls: 0, stalled: 0, bytes: 0, segments: [])
      }
    }
    var segments: [Request] = []
    for line in String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    where line.contains("\"event\":\"requestStart\"") && line.contains("\"mediaSegment\"") {
      func value(_ key: String) -> String {
        guard let range = line.firstRange(of: "\"\(key)\":") else { return "" }
        return String(line[range.upperBound...].prefix { $0.isNumber || $0 == "." })
      }
      segments.append(
        Request(
          at: value("t"), size: value("size"), isSound: line.contains("\"track\":\"audio\"")))
    }
    let startup = try #require(outcome.player.startupDelay)
    return Run(
      startup: startup.nanoseconds, stalls: outcome.player.books.stallCount,
      stalled: outcome.player.books.stalled.nanoseconds, bytes: outcome.player.media.bytes,
      segments: segments)
  }

  private func stream(_ segments: Int64, bytes: Int64, sound: Bool = false) -> String {
    let sizes = (0..<segments).map { _ in "\"\(bytes) B\"" }.joined(separator: ", ")
    let audio = sound ? "\"audio\": [ { \"name\": \"sound\", \"bitrate\": \"96 kbit/s\" } ]," : ""
    return """
      "hls": { "ladder": [ { "bitrate": "1 Mbit/s", "segmentBytes": [ \(sizes) ] } ], \(audio)
        "duration": "\(segments * 2) s", "segmentDuration": "2 s" }
      """
  }

  @Test(arguments: Seeds.cases(of: [1, 40, 250, 333, 500, 800, 1_250, 2_000, 5_000, 9_999]))
  func `the first picture takes its time, whatever is played`(milliseconds: Int64) throws {
    for fidelity in Seeds.fidelities(ofCase: milliseconds) {
      for media in [Self.file, stream(4, bytes: 250_000)] {
        let sink = "\"sink\": { \"warmUp\": \"\(milliseconds) ms\" }"
        let start = "\"start\": { \"media\": \"1 s\" }"
        let plain = try played(
          start, media, fidelity: fidelity)
        let warm = try played("\(start), \(sink)", media, fidelity: fidelity)
        #expect(warm.startup - plain.startup == milliseconds * 1_000_000, "\(fidelity)")
        #expect(warm.bytes == plain.bytes)
      }
    }
  }

  /// A start, a stall and a seek are one decision each, which the property follows.
  @Test(arguments: Seeds.cases(of: (0..<16 as Range<UInt64>).map { $0 }))
  func `a player that predicts once changes its mind once per wait`(seed: UInt64) throws {
    var random = RandomStream(seed: seed, name: "predicts once")
    let rate = random.next(in: 300...6_000)
    let steps = (0..<8).map { _ in
      let share = random.next(in: 0...5) == 0 ? 0 : random.next(in: 40...200)
      let span = random.next(in: 300...6_000)
      return #"{ "for": "\#(span) ms", "bandwidth": "\#(rate * share / 100) kbit/s" }"#
    }
    let schedule =
      #""schedule": { "steps": [ \#(steps.joined(separator: ", ")) ], "then": "repeat" }"#
    let link = random.next(in: 0...1) == 0 ? schedule : #""bandwidth": "\#(rate) kbit/s""#
    let bits = rate * random.next(in: 60...130) / 100
    let duration = random.next(in: 20...90)
    let from = random.next(in: 0...1) * 30
    for like in [
      "Chromium 156 autoplay", "Chromium 156 play", "QuickTime", "Firefox 153 autoplay",
      "Firefox 4 autoplay",
    ] {
      for fidelity in Seeds.fidelities(ofCase: Int64(seed)) {
        let text = """
          { "scenario": "a", "about": "b", "fidelity": "\(fidelity)", "seed": \(seed),
            "link": { "delay": "20 ms", \(link) },
            "media": {
              "progressive": { "duration": "\(duration) s", "bitrate": "\(bits) kbit/s" } },
            "player": { "policy": "\(like)" }, "horizon": "900 s",
            "script": [ { "at": "\(from) s", "do": "play" } ] }
          """
        let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
        let changes = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").count {
          $0.contains(#""event":"likelyToKeepUp""#)
        }
        #expect(changes <= 1 + 2 * Int(outcome.player.books.stallCount), "\(like), \(fidelity)")
      }
    }
  }

  /// A page that takes its time does so beside the loading: what comes later is not held up.
  @Test(arguments: few([1, 40, 250, 600, 900, 1_250, 2_000, 3_100, 5_000, 9_999]))
  func `what is set up beside the loading counts only where it takes longer`(
    milliseconds: Int64
  ) throws {
    for fidelity in Seeds.fidelities(ofCase: milliseconds) {
      for media in [Self.file, stream(4, bytes: 250_000)] {
        let start = "\"start\": { \"media\": \"1 s\" }"
        let sink = "\"sink\": { \"setUp\": \"\(milliseconds) ms\", \"warmUp\": \"300 ms\" }"
        let plain = try played(start, media, fidelity: fidelity)
        let page = try played("\(start), \(sink)", media, fidelity: fidelity)
        #expect(page.startup == max(plain.startup, milliseconds * 1_000_000) + 300_000_000)
        #expect(page.bytes == plain.bytes)
      }
    }
  }

  /// In a fluid a request takes a round trip and its bytes at the bandwidth.
  @Test(
    arguments: Seeds.cases(
      of: [
        (1_000, 105_000, 20), (2_000, 105_000, 20), (3_000, 50_000, 5), (700, 1, 100),
        (800, 64_000, 10), (1_600, 200_000, 1), (2_000, 1_000_000, 20), (4_000, 105_000, 200),
        (5_000, 12_345, 33), (10_000, 999_999, 7),
      ] as [(Int64, Int64, Int64)]))
  func `a connection that is thrown away costs its bytes and a round trip`(
    rate: Int64, bytes: Int64, delay: Int64
  ) throws {
    let fetch = "\"fileFetch\": { \"discards\": \"\(bytes) B\" }, \"start\": { \"media\": \"1 s\" }"
    let plain = try played("\"start\": { \"media\": \"1 s\" }", Self.file, rate: rate, delay: delay)
    let wasteful = try played(fetch, Self.file, rate: rate, delay: delay)
    let cost = bytes * 8_000_000 / rate + delay * 2_000_000
    #expect(abs(wasteful.startup - plain.startup - cost) <= 2)
    #expect(wasteful.bytes - plain.bytes == bytes)
    guard Seeds.fidelities(ofCase: delay).contains("tcp") else { return }
    let packets = try played(fetch, Self.file, rate: rate, delay: delay, fidelity: "tcp")
    #expect(packets.bytes - plain.bytes == bytes)
    #expect(packets.startup > wasteful.startup - 50_000_000)
  }

  /// The next segment is asked for when the last has come: a round trip, and the bytes that count.
  @Test(
    arguments: Seeds.cases(
      of: [
        (2_000, 100_000, 20), (1_500, 100_000, 20), (2_500, 50_000, 5), (3_000, 1, 100),
        (4_000, 120_000, 10), (2_000, 250_000, 20), (6_000, 200_000, 50), (1_300, 10_000, 3),
        (2_200, 77_777, 40), (9_000, 99_000, 1),
      ] as [(Int64, Int64, Int64)]))
  func `a segment counts when enough of the next has come`(
    rate: Int64, bytes: Int64, delay: Int64
  ) throws {
    let media = stream(8, bytes: 250_000)
    let fetch = "\"streamFetch\": { \"lookahead\": \"\(bytes) B\" }"
    let plain = try played(Self.nothing, media, rate: rate, delay: delay)
    let late = try played(fetch, media, rate: rate, delay: delay)
    let cost = bytes * 8_000_000 / rate + delay * 2_000_000
    #expect(abs(late.startup - plain.startup - cost) <= 2)
    #expect(late.bytes == plain.bytes)
    guard Seeds.fidelities(ofCase: delay).contains("tcp") else { return }
    let packets = try played(fetch, media, rate: rate, delay: delay, fidelity: "tcp")
    let without = try played(Self.nothing, media, rate: rate, delay: delay, fidelity: "tcp")
    #expect(packets.startup > without.startup)
    #expect(packets.bytes == without.bytes)
  }

  /// Where that goes for the first segment alone the start is as late, and no stall is longer.
  @Test(arguments: few([600, 700, 750, 800, 850, 900, 920, 940, 960, 980]))
  func `who looks ahead once starts as late, and goes on with whole segments`(rate: Int64) throws {
    for fidelity in Seeds.fidelities(ofCase: rate / 100) {
      let media = stream(12, bytes: 250_000)
      func run(_ fetch: String) throws -> Run {
        try played("\"streamFetch\": { \(fetch) }", media, rate: rate, fidelity: fidelity)
      }
      let never = try run("\"media\": \"100 s\"")
      let once = try run("\"lookahead\": \"100 kB\", \"looksAheadOnce\": true")
      let always = try run("\"lookahead\": \"100 kB\"")
      #expect(once.startup == always.startup)
      #expect(once.startup > never.startup)
      // What is waited for at the start is not waited for again.
      #expect(once.startup + once.stalled <= always.startup + always.stalled)
      #expect(abs(once.startup + once.stalled - never.startup - never.stalled) < 20_000_000)
    }
  }

  /// A segment of 250,000 bytes and 2 s: what must come first is all of it, or so many bytes.
  @Test(
    arguments: Seeds.cases(
      of: [
        (2_000, 0, 5), (1_500, 0, 3), (2_500, 100_000, 5), (3_000, 0, 10), (4_000, 125_000, 5),
        (700, 50_000, 7), (6_000, 62_500, 2), (1_300, 0, 15), (900, 200_000, 4), (9_000, 0, 1),
      ] as [(Int64, Int64, Int64)]))
  func `of interleaved media what has come of a segment counts`(
    rate: Int64, from: Int64, tenths: Int64
  ) throws {
    let interleaved = stream(6, bytes: 250_000) + ", \"interleaved\": true"
    let media = interleaved.replacing("}, \"interleaved\": true", with: ", \"interleaved\": true }")
    let start = "\"start\": { \"media\": \"0.\(tenths < 10 ? tenths : 9) s\" }"
    let reads = "\"streamFetch\": { \"interleavedFrom\": \"\(from) B\" }"
    for fidelity in Seeds.fidelities(ofCase: rate) {
      let whole = try played(
        "\(start), \(reads)", stream(6, bytes: 250_000), rate: rate,
        fidelity: fidelity)
      let apart = try played(start, media, rate: rate, fidelity: fidelity)
      #expect(whole.startup == apart.startup)
      let pieces = try played("\(start), \(reads)", media, rate: rate, fidelity: fidelity)
      let wanted = max(from, min(tenths, 9) * 12_500)
      let gain = (250_000 - wanted) * 8_000_000 / rate
      if fidelity == "fluid" {
        #expect(abs(whole.startup - pieces.startup - gain) <= 2)
      } else {
        #expect(whole.startup > pieces.startup)
      }
      #expect(pieces.bytes == whole.bytes)
      #expect(pieces.segments.count == whole.segments.count)
    }
  }

  /// Each wait brings 0.6 s, of which 0.22 s are left: 0.38 s play for 0.38 s over 1 − the link's
  /// share of the media.
  @Test(arguments: Seeds.cases(of: [50, 55, 60, 65, 70, 75, 80, 85, 88, 90]))
  func `Chromium goes on with little of a file without sound`(percent: Int64) throws {
    func stalls(_ tracks: String) throws -> Int64 {
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "\(percent * 20) kbit/s" },
          "media": { "progressive": { "duration": "60 s", "bitrate": "2 Mbit/s" \(tracks) } },
          "player": { "policy": "Chromium 156 play" },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      return try run(readScenario(Array(text.utf8), file: "a.json")).player.books.stallCount
    }
    let silent = try stalls(", \"tracks\": [ { \"kind\": \"video\", \"name\": \"picture\" } ]")
    let expected = Int64((60 * (1 - Double(percent) / 100) / 0.38).rounded())
    #expect(abs(silent - expected) <= 3, "\(silent) not \(expected)")
    let both = ["video", "audio"].map { "{ \"kind\": \"\($0)\", \"name\": \"\($0)\" }" }
    #expect(try stalls(", \"tracks\": [ \(both.joined(separator: ", ")) ]") == stalls(""))
    #expect(try stalls("") < silent)
  }

  /// It hears of blocks of 32 KiB, and not of packets, of which twenty say too little.
  @Test(arguments: Seeds.cases(of: [50, 55, 60, 65, 70, 72, 75, 78, 80, 82]))
  func `Chromium predicts over packets as it does in fluid`(percent: Int64) throws {
    func startup(_ fidelity: String, _ rate: Int64) throws -> Double {
      let text = """
        { "scenario": "a", "about": "b", "fidelity": "\(fidelity)", "horizon": "5 min",
          "link": { "downlink": { "bandwidth": "\(rate) bit/s", "delay": "10 ms", "queue": 100 },
            "uplink": { "bandwidth": "10 Mbit/s", "delay": "10 ms" } },
          "media": { "progressive": { "duration": "60 s", "bitrate": "1 Mbit/s" } },
          "player": { "policy": "Chromium 156 autoplay" },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
      return Double(try #require(outcome.player.startupDelay).nanoseconds) / 1e9
    }
    let waits = 60 * (100 / Double(percent) - 1)
    #expect(abs(try startup("fluid", percent * 10_000) / min(waits, 35) - 1) < 0.1 || waits > 34)
    let packets = try startup("tcp", percent * 10_000 * 1_000 / 956)
    #expect(abs(packets / waits - 1) < 0.12, "\(packets) not \(waits)")
  }

  /// The bands of its two targets overlap, and the higher variant wins: 0.95 decides alone.
  @Test(
    arguments: Seeds.cases(of: [
      1_300, 1_320, 1_350, 1_380, 1_400, 1_410, 1_500, 1_800, 2_500, 4_000,
    ]))
  func `Shaka goes up as soon as a variant is within its share`(rate: Int64) throws {
    let media = """
      "hls": { "ladder": [ { "bitrate": "750 kbit/s" }, { "bitrate": "1.2 Mbit/s" } ],
        "audio": [], "duration": "60 s", "segmentDuration": "4 s", "playlistsAreThere": true }
      """
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(rate) kbit/s" },
        "media": { \(media) },
        "player": { "policy": { "like": "Shaka 5.2", "firstVariant": "lowest" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    let trace = String(decoding: outcome.trace, as: UTF8.self)
    #expect(trace.contains("\"event\":\"variantSwitch\""))
    #expect(outcome.player.books.stallCount == 0)
  }

  @Test(
    arguments: Seeds.cases(of: [
      3_000, 3_500, 4_000, 4_500, 5_000, 5_500, 6_000, 8_000, 10_000, 20_000,
    ]))
  func `playbin asks for the next long segment in time`(rate: Int64) throws {
    for policy in ["GStreamer 1.22 playbin", "GStreamer 1.22 playbin3 HLS"] {
      for length in [4, 6] {
        let text = """
          { "scenario": "a", "about": "b", "link": { "bandwidth": "\(rate) kbit/s" },
            "media": { "hls": { "ladder": [ { "bitrate": "2 Mbit/s" } ], "audio": [],
              "duration": "180 s", "segmentDuration": "\(length) s" } },
            "player": { "policy": "\(policy)" }, "script": [ { "at": "0 s", "do": "play" } ] }
          """
        let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
        #expect(outcome.player.books.stallCount == 0, "\(policy) \(length)")
      }
    }
  }

  @Test(arguments: Seeds.cases(of: [1, 2, 3, 4, 5, 7, 8, 9, 12, 15]))
  func `segments side by side are there together`(count: Int64) throws {
    for fidelity in Seeds.fidelities(ofCase: count) {
      for beside in Int64(1)...4 {
        let media = stream(count, bytes: 250_000)
        let run = try played(
          "\"streamFetch\": { \"sideBySide\": \(beside) }", media, fidelity: fidelity)
        // The first alone, and the others in groups.
        let requests = 1 + (count - 1 + beside - 1) / beside
        #expect(Int64(run.segments.count) == requests, "\(fidelity) \(beside)")
        #expect(run.segments.reduce(0) { $0 + (Int64($1.size) ?? 0) } == count * 250_000)
      }
    }
  }

  /// A pair comes a whole segment later than its first half alone would: over a link a tenth faster
  /// than the media that is a stall, and one segment after the other is none.
  @Test func `a link that is a little faster than the media stalls with segments side by side`()
    throws
  {
    for rate in Self.few([1_060, 1_100, 1_200, 1_150, 1_300]) {
      for fidelity in Seeds.fidelities(whereSmall: false) {
        let media = stream(20, bytes: 240_000)
        let one = try played(Self.nothing, media, rate: rate, delay: 5, fidelity: fidelity)
        let two = try played(
          "\"streamFetch\": { \"sideBySide\": 2 }", media, rate: rate, delay: 5,
          fidelity: fidelity)
        #expect(one.stalls == 0, "\(fidelity) \(rate)")
        #expect(two.stalls >= 1, "\(fidelity) \(rate)")
      }
    }
  }

  /// A player whose cache counts pictures without their sound goes on too early: with half of the
  /// next segment taken in it plays the 0.2 s that were left, and stalls again until all is there.
  /// Where that half is there before the stall it plays them at once, and stalls once.
  @Test(arguments: few([310, 370, 430, 480, 520, 600, 640, 720, 850, 950]))
  func `pictures without their sound make one stall into two`(rate: Int64) throws {
    let count: Int64 = 8
    let media = stream(count, bytes: 250_000)
    let takesHalves = """
      "streamFetch": { "blocks": "125 kB" }, "stall": { "below": "0.2 s", "countsArriving": true },
      "resume": { "arriving": "1.1 s" }
      """
    let patient = "\"stall\": { \"below\": \"0.2 s\" }, \"resume\": { \"media\": \"0.3 s\" }"
    for fidelity in ["fluid", "tcp"] {
      let run = try played(takesHalves, media, rate: rate, delay: 0, fidelity: fidelity)
      // Half of a segment comes in 1000 s / rate.
      let isTwice = 1_000 * 10 > rate * 18
      #expect(run.stalls == (isTwice ? 2 : 1) * (count - 1), "\(fidelity)")
      let once = try played(patient, media, rate: rate, delay: 0, fidelity: fidelity)
      #expect(once.stalls == count - 1, "\(fidelity)")
      if fidelity == "tcp" { continue }
      // However it is split, what the link is too slow by is waited for.
      let missing = (count - 1) * (2_000_000_000_000 / rate - 2_000_000_000)
      #expect(abs(run.stalled - missing) < 1_000)
      // What is left at the first stall is played at the very end.
      #expect(abs(once.stalled - missing - 200_000_000) < 1_000)
    }
  }

  /// Sound is small: left alone it is fetched far ahead of the pictures.
  @Test(arguments: Seeds.cases(of: [0, 1, 2, 3, 5] as [Int64]))
  func `a track keeps within its lead of the other`(lead: Int64) throws {
    for fidelity in Seeds.fidelities(ofCase: lead - 2) {
      for rate in Self.few([500, 1_200, 3_000]) {
        let media = stream(8, bytes: 240_000, sound: true)
        let run = try played(
          "\"streamFetch\": { \"trackLead\": \(lead) }", media, rate: rate, fidelity: fidelity)
        var (pictures, sound) = (Int64(0), Int64(0))
        var farthest: Int64 = 0
        for request in run.segments {
          if request.isSound { sound += 1 } else { pictures += 1 }
          // At the end of a segment the sound asks before the pictures do.
          if !request.isSound { farthest = max(farthest, sound - max(0, pictures - 1)) }
        }
        #expect((pictures, sound) == (8, 8))
        #expect(farthest <= lead + 1, "\(fidelity) \(rate)")
        let free = try played(
          "\"streamFetch\": { \"media\": \"50 s\" }", media, rate: rate, fidelity: fidelity)
        #expect(free.bytes == run.bytes)
        #expect(free.startup >= run.startup, "\(fidelity) \(rate)")
      }
    }
  }

  // MARK: A picture that stands

  /// Where in the media it first stalls, and for how long in all: the pictures of the fourth
  /// segment of 2 s come late, and the sound does not.
  private func starved(
    of late: Int64, freezes: Int64, seeks: Bool = false, fidelity: String
  ) throws -> (place: Double?, stalled: Int64) {
    let text = """
      { "scenario": "a", "about": "b", "fidelity": "\(fidelity)",
        "link": { "bandwidth": "8 Mbit/s", "delay": "5 ms" },
        "media": { \(stream(8, bytes: 250_000, sound: true)) },
        "player": { "mediaTimeout": null, "policy": { "start": { "segments": 1 },
          "resume": { "media": "0.2 s" }, "nextVariant": "fixed", "abandon": "never",
          "sink": { "freezes": "\(freezes) ms", "frameOfPackets": "0 s",
            "seeksAtFreeze": \(seeks) },
          "streamFetch": { "media": "6 s" } } },
        "faults": [ { "slowFirstByte": "\(late) ms", "url": "video-0/segment3.m4s" } ],
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.end == .finished)
    let trace = String(decoding: outcome.trace, as: UTF8.self)
    let place = trace.firstRange(of: "\"event\":\"stall\",\"time\":").flatMap {
      Double(trace[$0.upperBound...].prefix { $0.isNumber || $0 == "." })
    }
    return (place, outcome.player.books.stalled.nanoseconds)
  }

  /// Three segments are there: with a picture that may stand for so long the sound goes on for
  /// that, and no longer; what it went on for is not stalled. The rate is held at 0 until the
  /// pictures are there, whatever of the sound is.
  @Test(arguments: few([250, 300, 400, 550, 700, 900, 1_000, 1_250, 1_500, 1_700]))
  func `sound goes on under a picture that stands, and stops with it`(freezes: Int64) throws {
    for fidelity in Seeds.fidelities(ofCase: freezes / 100) {
      let dry = try starved(of: 20_000, freezes: 0, fidelity: fidelity)
      let heard = try starved(of: 20_000, freezes: freezes, fidelity: fidelity)
      #expect(dry.place == 6, "\(fidelity)")
      #expect(heard.place == 6 + Double(freezes) / 1_000, "\(fidelity)")
      #expect(dry.stalled - heard.stalled == freezes * 1_000_000, "\(fidelity)")
      // Pictures that come before the sound stops are in time.
      let late = 5_000 + freezes
      #expect(try starved(of: late, freezes: 0, fidelity: fidelity).place == 6)
      #expect(try starved(of: late, freezes: freezes, fidelity: fidelity).place == nil)
      // And sound goes on to the end of what is under way, and not past it.
      #expect(try starved(of: 20_000, freezes: 4_000, fidelity: fidelity).place == 8)
    }
  }

  /// At 10 s the sound is loaded to 40 s, and the pictures to less than 24 s.
  @Test(
    arguments: [("VHS 3.17", 25, 2), ("VHS 3.17", 15, 1), ("hls.js 1.6", 25, 1)]
      as [(String, Int64, Int64)])
  func `VHS alone asks for the sound again, after a seek out of a buffer`(
    policy: String, target: Int64, requests: Int64
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "3 Mbit/s", "delay": "30 ms" },
        "media": { "hls": { "duration": "60 s", "segmentDuration": "4 s",
          "ladder": [ { "bitrate": "1.2 Mbit/s" } ],
          "audio": [ { "name": "S", "bitrate": "128 kbit/s" } ] } },
        "player": { "policy": "\(policy)" },
        "script": [
          { "at": "0 s", "do": "play" }, { "at": "10 s", "do": "seek", "to": "\(target) s" } ],
        "expect": [ { "count": "requestStart track=audio from=24", "is": \(requests) },
          { "count": "seekDidComplete didSeekInBuffer=true", "is": \(target == 15 ? 1 : 0) } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.failures.isEmpty && outcome.faults.isEmpty)
  }

  /// Within the segment that comes late its request begins again, and is as late as the first; from
  /// the next segment on that one is asked for alone: 0.25 MB over 8 Mbit/s, and the sound of 2 s.
  @Test(arguments: few([250, 400, 700, 1_000, 1_500, 1_900, 2_250, 2_750, 3_000, 3_750]))
  func `a page that seeks after a frozen picture asks for everything again`(
    freezes: Int64
  ) throws {
    for fidelity in Seeds.fidelities(ofCase: freezes / 100) {
      let sought = try starved(of: 20_000, freezes: freezes, seeks: true, fidelity: fidelity)
      #expect(sought.place == 6 + Double(freezes) / 1_000, "\(fidelity)")
      let wait: Int64 = freezes < 2_000 ? 20_000 : 0
      #expect((wait + 250...wait + 600).contains(sought.stalled / 1_000_000), "\(fidelity)")
    }
  }
}

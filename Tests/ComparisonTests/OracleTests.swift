import Foundation
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner
import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// The oracle against the simulator: two ways to reckon one link, which have no code in common.
@Suite struct OracleTests {
  /// How many seeds a part takes; ten thousand runs are made by `GOLDILOCKS_ORACLE_SEEDS=2000`.
  static let seedsOfAPart =
    (ProcessInfo.processInfo.environment["GOLDILOCKS_ORACLE_SEEDS"].flatMap { UInt64($0) } ?? 16)
    / 8

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `no player beats it, and one that starts when it says is just as good`(
    _ part: UInt64
  ) throws {
    var attained = 0
    for seed in part * Self.seedsOfAPart..<(part + 1) * Self.seedsOfAPart {
      attained += try holds(seed) ? 1 : 0
    }
    #expect(attained >= Int(Self.seedsOfAPart) / 2)
  }

  /// Tracks that share a link whose schedule waits for them, a schedule that begins with an outage,
  /// requests of one nanosecond, and files that are played along the loaded edge.
  @Test(
    arguments: Seeds.cases(
      of: [157, 273, 470, 557, 860, 885, 965, 1_032, 1_269, 1_655, 1_766] as [UInt64]))
  func `the two reckon alike where parts of a nanosecond add up`(seed: UInt64) throws {
    #expect(try holds(seed))
  }

  /// Holds it against players of one link; true where one could do just what it says.
  private func holds(_ seed: UInt64) throws -> Bool {
    let this = OracleCase(seed: seed)
    let found = this.oracle.find()
    guard let start = found.start, let least = found.startup, let waiting = found.waiting else {
      return false
    }
    let about: Comment = "seed \(seed): \(this)"
    #expect(waiting <= least, about)
    let told = try this.play(start: .at(start))
    // A player whose buffer is full starts before it is told to.
    let isAttained = found.isExact && (!this.isLimited || told.books.startupDelay == least)
    if isAttained {
      #expect(told.books.startupDelay == least, about)
      #expect(told.books.stallCount == 0, about)
      #expect(told.end == .finished, about)
    }
    for contender in this.contenders {
      let (books, end) = try this.play(start: contender.start, resume: contender.resume)
      guard end == .finished, let startup = books.startupDelay else { continue }
      // What is played between two stalls is told in whole nanoseconds.
      let rounding = TimeSpan(nanoseconds: this.rate == .normal ? 0 : books.stallCount)
      #expect(startup + books.stalled + rounding >= waiting, about)
      if books.stallCount == 0 { #expect(startup >= least, about) }
    }
    return isAttained
  }

  // MARK: By hand

  private func file(_ seconds: Int64, _ kilobits: Int64) -> Oracle.Media {
    let file = MediaFile(duration: .seconds(seconds), bitRate: .kilobitsPerSecond(kilobits))
    return .file(file, end: file.duration)
  }

  private func link(_ kilobits: Int64, outages: [Range<Int64>] = []) -> KnownLink {
    var conditions = LinkConditions.perfect
    conditions.downlink.bandwidth = .limited(.kilobitsPerSecond(kilobits))
    return KnownLink(
      conditions, outages: outages.map { $0.lowerBound * second..<$0.upperBound * second })
  }

  // D(1/ρ − 1), and nothing at ρ ≥ 1 but the first byte.
  @Test(
    arguments: [
      (60, 1_000, 500, 60_000), (60, 1_000, 800, 15_000), (39, 2_000, 1_716, 6_454),
      (10, 4_000, 8_000, 0),
    ] as [(Int64, Int64, Int64, Int64)])
  func `a file over a constant link waits for what it falls short by`(
    seconds: Int64, kilobits: Int64, bandwidth: Int64, milliseconds: Int64
  ) throws {
    let found = Oracle(link: link(bandwidth), media: file(seconds, kilobits)).find()
    let startup = try #require(found.startup)
    #expect(startup.nanoseconds / 1_000_000 == milliseconds)
    #expect(found.waiting == startup)
  }

  @Test func `an outage is waited for at the start, by what is not there before it`() {
    // 20 s at 1 Mbit/s over 2: 8 s of media by 4 s, then nothing until 16 s.
    let found = Oracle(link: link(2_000, outages: [4..<16]), media: file(20, 1_000)).find()
    #expect(found.startup == .seconds(8) + .nanoseconds(1))
    // Over an outage that never ends there is no start.
    let never = Oracle(link: link(2_000, outages: [4..<4_000_000_000]), media: file(20, 1_000))
    #expect(never.find().startup == nil)
  }

  /// Ten segments of 4 s.
  private func stream(bytes: Int64, limit: MediaTime, delay: Int64 = 0) -> Oracle.Media {
    let segments = (0..<10 as Range<Int64>).map {
      KnownStream.Segment(start: .seconds(4 * $0), end: .seconds(4 * $0 + 4), bytes: bytes)
    }
    return .stream(
      KnownStream(
        resources: [.init(bytes: 0), .init(bytes: 0)],
        tracks: [.init(playlist: 1, segments: segments)], limit: limit, end: .seconds(40)))
  }

  @Test func `a stream is late by its last segment where each takes longer than it plays`() {
    // Each takes 5 s: the last is there after 50 s, and due 36 s after the start.
    let found = Oracle(
      link: link(1_000), media: stream(bytes: 625_000, limit: .seconds(100))
    ).find()
    #expect(found.startup == .seconds(14))
    #expect(found.waiting == .seconds(14))
  }

  /// Each playlist takes a second, and the first segment half of one.
  @Test(arguments: [(false, 2_500), (true, 500)] as [(Bool, Int64)])
  func `playlists that are there are not waited for`(areThere: Bool, milliseconds: Int64) {
    guard case .stream(var known) = stream(bytes: 62_500, limit: .seconds(100)) else { return }
    known.resources = [.init(bytes: 125_000), .init(bytes: 125_000)]
    known.hasPlaylists = areThere
    let found = Oracle(link: link(1_000), media: .stream(known)).find()
    #expect(found.startup == .milliseconds(milliseconds) && found.waiting == found.startup)
  }

  @Test func `what may lie ahead makes an early start worth a stall`() {
    // Each takes 2 s; 12 s may lie ahead, and nothing comes from 20 s to 40 s.
    let capped = Oracle(
      link: link(2_000, outages: [20..<40]), media: stream(bytes: 500_000, limit: .seconds(8))
    ).find()
    let free = Oracle(
      link: link(2_000, outages: [20..<40]), media: stream(bytes: 500_000, limit: .seconds(100))
    ).find()
    // Without a limit all but nothing is there by then.
    #expect(free.startup == .seconds(2))
    // With it a start without a stall has to come so late that what is ahead outlasts the outage.
    #expect(capped.waiting! < capped.startup!)
    #expect(capped.waiting! > free.waiting!)
  }

  /// Six segments of half a second each, or 3 s of a file, and then nothing for centuries.
  @Test func `an end that is never reached has no number`() {
    let closing = link(1_000, outages: [3..<4_000_000_000])
    for media in [stream(bytes: 62_500, limit: .seconds(100)), file(6, 1_000)] {
      let found = Oracle(link: closing, media: media).find()
      #expect(found.startup == nil && found.waiting == nil)
    }
  }

  @Test func `a scenario that it cannot work with is told why`() throws {
    for (name, reason) in [
      ("very-bad-network-tcp", "over tcp"), ("two-players-share-the-link", "others share"),
      ("loop-rewind", "more than one item"), ("hls-live-stall-at-the-edge", "live"),
      ("hls-title-card-loads-values", "the app does loadValues"),
      ("access-log-of-switches-and-a-seek", "the app does seek"),
    ] {
      let scenario = try ShippedScenario.named(name).read()
      let report = OracleReport(scenario, try run(scenario))
      #expect(report.finding == nil, "\(name)")
      #expect(
        report.remarks.contains { $0.contains(reason) }, "\(name): \(report.remarks)")
    }
  }

  /// With 0.8 of the link a start with the first bytes that count runs never dry; a second of media
  /// that is thrown away comes before any that is seen.
  @Test func `players that see media sooner or later than the oracle are not held against it`()
    throws
  {
    let stream = #""hls": { "ladder": [ { "bitrate": "800 kbit/s" } ], "duration": "20 s", "#
    let file = #""progressive": { "duration": "20 s", "bitrate": "800 kbit/s" }"#
    let once = #"{ "like": "avfoundation", "fileFetch": { "discards": "200 KB" } }"#
    for (media, policy, hasFinding) in [
      (stream + #""segmentDuration": "10 s", "interleaved": true }"#, #""Media3 1.6""#, false),
      (stream + #""segmentDuration": "4 s", "interleaved": true }"#, #""avfoundation""#, true),
      (stream + #""segmentDuration": "4 s" }"#, #""VHS 3.17""#, true), (file, once, true),
    ] {
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s" },
          "media": { \(media) }, "player": { "policy": \(policy) },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      let scenario = try readScenario(Array(text.utf8), file: "a.json")
      let report = OracleReport(scenario, try run(scenario))
      #expect((report.finding != nil) == hasFinding, "\(policy): \(report.remarks)")
      #expect(report.isExact == policy.hasPrefix("\"avfoundation"), "\(policy)")
    }
  }

  @Test(arguments: ["Media3 1.6", "avfoundation", "VLC 3.0"])
  func `parts of segments that count leave no bound by an objective`(policy: String) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s" },
        "media": { "hls": { "duration": "20 s", "segmentDuration": "10 s", "interleaved": true,
          "ladder": [ { "bitrate": "400 kbit/s" }, { "bitrate": "800 kbit/s" } ], "audio": [] } },
        "player": { "policy": "\(policy)" }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    let objective = try #require(Objective.named("pensieveLinear"))
    let report = OptimumReport(objective, of: scenario, try run(scenario))
    #expect((report.finding == nil) == (policy != "avfoundation"), "\(report.remarks)")
  }

  /// Each in a scenario that differs in nothing else, whose run is that of the plain one.
  @Test func `each reason stands alone`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "900 kbit/s" } ], "audio": [],
          "segmentDuration": "2 s", "duration": "6 s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let plain = try readScenario(Array(text.utf8), file: "a.json")
    let outcome = try run(plain)
    func remarks(_ change: (inout Scenario) -> Void) -> [String] {
      var scenario = plain
      change(&scenario)
      return OracleReport(scenario, outcome).remarks
    }
    let (lossy, loss) = (LossRatio(1, over: 100), "loss is a mean in fluid, which is no promise")
    #expect(remarks { _ in } == [])
    #expect(remarks { $0.link.conditions.downlink.loss = lossy } == [loss])
    #expect(remarks { $0.link.conditions.uplink.loss = lossy } == [loss])
    let tcp = "over tcp the throughput depends on the congestion window"
    #expect(remarks { $0.fidelity = .tcp } == [tcp])
    #expect(remarks { ($0.fidelity, $0.link.conditions.downlink.loss) = (.tcp, lossy) } == [tcp])
    #expect(remarks { $0.requests = RequestOptions() } == ["requests open connections"])
    #expect(remarks { $0.requests = .plain } == [])
    #expect(
      remarks { $0.faults = FaultPlan([FaultRule(.status(404))]) } == ["requests are made to fail"])
    #expect(
      remarks { $0.script.append($0.script[0]) } == ["the app asks to play more than once"])
    let seen = ["what media takes to be seen once it has come is left out"]
    #expect(remarks { $0.player.policy.sink.warmUp = .nanoseconds(1) } == seen)
    #expect(remarks { $0.player.policy.sink.setUp = .nanoseconds(1) } == seen)
    #expect(remarks { $0.player.policy.sink.leastToStart = .seconds(1) } == seen)
    #expect(remarks { $0.player.policy.fetch.ofStreams.lookahead = 1 } == seen)
    let sideBySide = ["segments are fetched side by side"]
    #expect(remarks { $0.player.policy.fetch.ofStreams.sideBySide = 2 } == sideBySide)
    #expect(remarks { $0.player.policy.fetch.ofStreams.interleavedFrom = 1 } == [])
    #expect(remarks { $0.item.startTime = .seconds(1) } == ["playback begins in the middle"])
    #expect(remarks { $0.item.startTime = .zero } == [])
    let evaluation = "the evaluation of the buffering rate is left out"
    #expect(remarks { $0.player.evaluationPeriod = .nanoseconds(1) } == [evaluation])
    let pipeline = "pipeline times are left out"
    #expect(remarks { $0.player.pipeline.parse = .nanoseconds(1) } == [pipeline])
  }

  /// The first segment receives no bytes while the link is out.
  @Test(
    arguments: [
      (14_999, #""15 s""#, false), (15_000, #""15 s""#, true), (15_000, #""16 s""#, false),
      (15_000, "null", false),
    ] as [(Int64, String, Bool)])
  func `the media timeout is left out where a segment would be given up`(
    milliseconds: Int64, timeout: String, isLeftOut: Bool
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s",
          "outages": [ { "from": "2 s", "for": "\(milliseconds) ms" } ] },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "audio": [],
          "segmentDuration": "4 s", "duration": "12 s" } },
        "player": { "mediaTimeout": \(timeout) }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    let outcome = try run(scenario)
    let report = OracleReport(scenario, outcome)
    let trace = String(decoding: outcome.trace, as: UTF8.self)
    #expect(trace.contains("not received") == isLeftOut)
    let words = "the media timeout, which gives up a segment without bytes, is left out"
    #expect(report.remarks == (isLeftOut ? [words] : []) && report.isExact != isLeftOut)
    #expect(report.finding?.startup == .milliseconds(milliseconds) + .nanoseconds(4_002_576_000))
  }

  /// Audio needs more than video here, so that the order of requests decides when both are there.
  @Test(arguments: ["audioWaits", "videoFirst", "bothWait"], [0, 1, 2])
  func `no player with tracks that wait for each other beats it`(order: String, lead: Int) throws {
    for (floor, media, rate) in [(0, 12, 500), (1, 12, 560), (2, 12, 500), (2, 16, 520)] {
      let text = """
        { "scenario": "a", "about": "b",
          "link": { "bandwidth": "\(rate) kbit/s", "delay": "20 ms" },
          "media": { "hls": { "duration": "40 s", "segmentDuration": "4 s",
            "ladder": [ { "bitrate": "200 kbit/s" } ],
            "audio": [ { "name": "S", "bitrate": "320 kbit/s" } ] } },
          "player": { "policy": { "like": "avfoundation", "nextVariant": "fixed",
            "start": { "segments": 1 }, "resume": { "segments": 1 },
            "streamFetch": { "media": "\(media) s", "order": "\(order)", "trackLead": \(lead),
              "trackFloor": \(floor) } } },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      let scenario = try readScenario(Array(text.utf8), file: "a.json")
      let outcome = try run(scenario)
      let report = OracleReport(scenario, outcome)
      guard report.isExact, let least = report.finding?.waiting else { continue }
      let startup = try #require(outcome.player.startupDelay)
      #expect(startup + outcome.player.books.stalled >= least, "\(order) \(lead) \(floor) \(rate)")
    }
  }

  @Test(arguments: ["audioWaits", "bothWait"])
  func `audio that ends before video holds nothing up`(order: String) throws {
    func list(_ count: Int, _ name: String) -> String {
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        + (0..<count).map { "#EXTINF:4,\n#EXT-X-BITRATE:200\n\(name)\($0).mp4\n" }.joined()
        + "#EXT-X-ENDLIST\n"
    }
    let files = [
      "main.m3u8": """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"
      v.m3u8

      """, "v.m3u8": list(10, "v"), "a.m3u8": list(5, "a"),
    ]
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1500 kbit/s", "delay": "20 ms" },
        "media": { "hls": { "playlists": "main.m3u8" } },
        "player": { "policy": { "like": "avfoundation", "nextVariant": "fixed",
          "streamFetch": { "media": "12 s", "order": "\(order)", "trackLead": 0 } } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json") { name in
      files[name].map { Array($0.utf8) }
    }
    let outcome = try run(scenario)
    let report = OracleReport(scenario, outcome)
    #expect(outcome.player.books.stallCount == 0)
    let least = try #require(report.finding?.waiting)
    #expect(least <= (try #require(outcome.player.startupDelay)))
  }

  @Test func `the demo starts at the best moment there was`() throws {
    let scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    let outcome = try run(scenario)
    let report = OracleReport(scenario, outcome)
    #expect(report.isExact && report.remarks == [])
    #expect(report.finding?.startup == outcome.player.startupDelay)
  }
}

private let second: Int64 = 1_000_000_000

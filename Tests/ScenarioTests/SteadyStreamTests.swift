import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Streams over links that never change, where a start that is told to keep up must keep up.
@Suite struct SteadyStreamTests {
  /// A stream of one to five variants with muxed or separate audio, and a link for it.
  struct Case: CustomTestStringConvertible {
    var link: Int64
    var delay: Int64
    /// In kbit/s, the first the lowest.
    var rungs: [Int64]
    var audio: Int64
    var isSeparate: Bool
    var segment: Int64
    var duration: Int64
    /// In seconds; zero leaves it to the player.
    var forward: Int64
    /// The rule of what is read ahead, in place of the player's own.
    var fetch: String?

    var testDescription: String {
      "\(link) kbit/s, \(delay) ms, \(rungs)+\(audio) kbit/s \(isSeparate ? "apart" : "muxed"), "
        + "segments of \(segment) s, \(forward) s ahead"
    }

    init(
      link: Int64, delay: Int64 = 0, rungs: [Int64], audio: Int64, isSeparate: Bool = true,
      segment: Int64 = 6, duration: Int64 = 120, forward: Int64 = 0
    ) {
      (self.link, self.delay, self.rungs, self.audio) = (link, delay, rungs, audio)
      (self.isSeparate, self.segment, self.duration) = (isSeparate, segment, duration)
      self.forward = forward
    }

    init(seed: UInt64) {
      var random = RandomStream(seed: seed, name: "steady")
      var rate = random.next(in: 100...1_500)
      rungs = []
      for _ in 0...random.next(in: 0...4) {
        rungs.append(rate)
        rate = rate * random.next(in: 125...220) / 100 + 1
      }
      audio = random.next(in: 32...640)
      isSeparate = random.next(below: 3) > 0
      segment = random.next(in: 1...12)
      duration = random.next(in: 20...200)
      forward = random.next(below: 3) == 0 ? 0 : random.next(in: 2...60)
      delay = random.next(below: 3) == 0 ? 0 : random.next(in: 0...300)
      let picked = rungs[Int(random.next(below: UInt64(rungs.count)))] + audio
      link = picked * random.next(in: 80...250) / 100
    }

    func outcome(_ step: String = #""at": "0 s", "do": "play""#) throws -> RunOutcome {
      let muxed = isSeparate ? "" : #", "audioBitrate": "\#(audio) kbit/s""#
      let ladder = rungs.map { #"{ "bitrate": "\#($0) kbit/s"\#(muxed) }"# }
      let rule = fetch.map { #", "streamFetch": \#($0)"# } ?? ""
      let rendition = #"{ "name": "a", "language": "en", "bitrate": "\#(audio) kbit/s" }"#
      let text = """
        { "scenario": "a", "about": "b",
          "link": { "bandwidth": "\(link) kbit/s", "delay": "\(delay) ms" },
          "media": { "hls": { "ladder": [ \(ladder.joined(separator: ", ")) ],
            "duration": "\(duration) s", "segmentDuration": "\(segment) s",
            "playlistBytes": "0 B", "audio": [ \(isSeparate ? rendition : "") ] } },
          "player": { "preferredForwardBufferDuration": "\(forward) s",
            "policy": { "like": "avfoundation"\(rule) } },
          "script": [ { \(step) } ] }
        """
      let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
      #expect(outcome.faults == [])
      return outcome
    }

    func startsAt(_ milliseconds: Int64) throws -> RunOutcome {
      try outcome(#""at": "\#(milliseconds) ms", "do": "playImmediately""#)
    }
  }

  /// Video brings 1,692 kbit a segment and audio 696: sharing 504 kbit/s both are there after
  /// 2,388 kbit. Every further pair comes in that time, which is less than the 6 s that it plays.
  @Test(arguments: [0, 6, 7, 12, 20, 50] as [Int64])
  func `audio shares the link with the first video segment by one segment of its own`(
    forward: Int64
  ) throws {
    let outcome = try Case(link: 504, rungs: [282], audio: 116, forward: forward).outcome()
    let start = try #require(outcome.player.startupDelay)
    #expect(abs((start - .milliseconds(4_738)).nanoseconds) < 100_000)
    #expect(outcome.player.books.stallCount == 0)
  }

  @Test(
    arguments: Seeds.cases(
      of: (0..<400 as Range<UInt64>).map { $0 }, few: 24))
  func `a stream that is likely to keep up over a steady link does`(seed: UInt64) throws {
    let this = Case(seed: seed)
    let played = try this.outcome().player
    // A start after an hour plays from a full buffer: where it stalls, every start does.
    if try this.startsAt(3_000_000).player.books.stallCount > 0 { return }
    try expectRight(this, played.books.stallCount, played.startupDelay)
  }

  /// Links over packets with a long queue: kbit/s each way, ms each way, packets of the queue, the
  /// video's variants and the audio in kbit/s, seconds of a segment and of all.
  static let longQueues: [(Int64, Int64, String, Int64, [Int64], Int64, Int64, Int64)] = [
    (1_973, 1_151, "38.0", 399, [1_080], 256, 6, 99),
    (980, 523, "141.6", 259, [726, 1_323], 128, 6, 90),
    (4_744, 1_944, "107.4", 356, [2_923, 5_103], 192, 6, 45),
    (558, 405, "122.9", 21, [326], 32, 2, 39), (608, 207, "175.3", 223, [401, 816], 192, 10, 56),
    (2_949, 2_830, "159.5", 495, [2_096, 3_652, 6_299], 128, 6, 52),
    (2_778, 775, "71.2", 333, [2_340, 4_000, 6_823, 11_621], 32, 10, 119),
    (5_412, 5_035, "36.2", 422, [3_464, 5_956], 96, 6, 141),
    (4_397, 3_255, "79.8", 786, [2_918, 5_005], 64, 4, 70),
    (21_260, 13_679, "42.2", 912, [17_641, 30_168], 256, 6, 83),
    (850, 433, "77.2", 292, [378, 818, 1_566], 251, 10, 122),
    (2_964, 785, "198.5", 256, [2_463, 4_321], 192, 4, 150),
    (923, 622, "113.1", 27, [600], 64, 1, 57),
  ]

  // Audio that asked behind video lost what it was sent to the burst of the next video segment.
  @Test(arguments: longQueues)
  func `over long queues that video fills audio comes in time`(
    down: Int64, up: Int64, delay: String, queue: Int64, rungs: [Int64], audio: Int64,
    segment: Int64, duration: Int64
  ) throws {
    let ladder = rungs.map { #"{ "bitrate": "\#($0) kbit/s" }"# }.joined(separator: ", ")
    let path = #""delay": "\#(delay) ms", "queue": \#(queue)"#
    let text = """
      { "scenario": "a", "about": "b", "fidelity": "tcp",
        "link": { "downlink": { "bandwidth": "\(down) kbit/s", \(path) },
          "uplink": { "bandwidth": "\(up) kbit/s", \(path) } },
        "media": { "hls": { "ladder": [ \(ladder) ],
          "duration": "\(duration) s", "segmentDuration": "\(segment) s",
          "audio": [ { "name": "a", "language": "en", "bitrate": "\(audio) kbit/s" } ] } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.player.books.stallCount == 0)
  }

  /// A segment given up beside audio, bytes cut in the middle, a rescue that saw half of the link,
  /// and video and audio that end at the same instant.
  static let mended = [
    Case(
      link: 313, delay: 89, rungs: [310, 614, 992, 1_909], audio: 128, segment: 12, duration: 120),
    Case(
      link: 346, delay: 185, rungs: [216, 107], audio: 192, segment: 1, duration: 156, forward: 53),
    Case(link: 1_450, delay: 264, rungs: [559, 867], audio: 162, segment: 2, forward: 26),
    Case(link: 644, delay: 101, rungs: [316], audio: 316, segment: 4, forward: 58),
  ]

  @Test(arguments: mended)
  func `the throughput estimate counts video and audio that share the link`(this: Case) throws {
    let played = try this.outcome().player
    try expectRight(this, played.books.stallCount, played.startupDelay)
  }

  /// Audio that no rule holds back takes half of the link for as long as it has room.
  @Test(
    arguments: [
      Case(link: 897, rungs: [539], audio: 126, segment: 1, duration: 73),
      Case(link: 1_141, rungs: [668, 1_023], audio: 88, segment: 1, duration: 168, forward: 54),
      Case(link: 1_694, rungs: [995, 2_000], audio: 560, segment: 3, duration: 172, forward: 60),
      Case(link: 1_750, delay: 67, rungs: [593, 1_009, 1_393], audio: 85, segment: 1, forward: 38),
      Case(link: 1_848, rungs: [928, 1_318, 2_162], audio: 426, segment: 2, duration: 76),
    ], [#"{ "media": "50 s" }"#, #"{ "media": "50 s", "trackLead": 3 }"#])
  func `the forecast takes audio to be as far ahead as its rule lets it`(
    this: Case, fetch: String
  ) throws {
    var this = this
    this.fetch = fetch
    let played = try this.outcome().player
    try expectRight(this, played.books.stallCount, played.startupDelay)
  }

  private func expectRight(_ this: Case, _ stalls: Int64, _ startup: TimeSpan?) throws {
    #expect(stalls == 0, "\(this.testDescription)")
    let start = try #require(startup).nanoseconds / 1_000_000
    // The start is late by a segment's length at most.
    let earlier = start - this.segment * 1_000 - 10
    if earlier <= 0 { return }
    let early = try this.startsAt(earlier).player
    // An app that asks before there is anything waits as after play.
    if early.startupDelay == .zero {
      #expect(early.books.stallCount > 0, "\(this.testDescription)")
    }
  }

  /// Ten times the highest variant, and little that can be ahead.
  @Test(arguments: [1, 2, 4, 5, 6, 8, 12] as [Int64])
  func `a higher variant is taken whatever the forward buffer`(segment: Int64) throws {
    for forward in [segment, segment + 1, 2 * segment, 5, 9, 30] as [Int64]
    where forward >= max(2, segment) {
      for isSeparate in [true, false] {
        // No variant is within the 2 Mbit/s that are assumed, so that it begins with the lowest.
        let this = Case(
          link: 60_000, delay: 20, rungs: [2_100, 3_000, 5_500], audio: 128,
          isSeparate: isSeparate, segment: segment, forward: forward)
        let outcome = try this.outcome()
        #expect(outcome.player.books.stallCount == 0, "\(this.testDescription)")
        let last = try #require(outcome.watchedPeriods.last)
        #expect(last.uri.hasPrefix("video-2"), "\(this.testDescription)")
        let first = try #require(outcome.watchedPeriods.first)
        let soon = MediaTime.seconds(3 * max(forward, segment))
        #expect(first.durationWatched <= soon, "\(this.testDescription)")
      }
    }
  }
}

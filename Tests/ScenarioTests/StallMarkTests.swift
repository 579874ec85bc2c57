import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Stalls that are declared with media left, and those that would follow each other at once.
@Suite struct StallMarkTests {
  /// - Parameters:
  ///   - link: In kbit/s, as is the media's rate.
  ///   - policy: Members of a policy.
  private func outcome(
    link: Int64, rate: Int64, seconds: Int64 = 40, policy: String, script: String = "",
    player: String = "", media: String = "progressive", fidelity: String = "fluid",
    delay: Int64 = 0
  ) throws -> RunOutcome {
    let rates =
      media == "hls"
      ? #""segmentDuration": "2 s", "ladder": [ { "bitrate": "\#(rate) kbit/s" } ]"#
      : #""bitrate": "\#(rate) kbit/s""#
    let budget = fidelity == "tcp" ? 400_000 : 20_000
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "\#(link) kbit/s", "delay": "\#(delay) ms" },
      "fidelity": "\#(fidelity)", "eventBudget": \#(budget),
      "media": { "\#(media)": { "duration": "\#(seconds) s", \#(rates) } },
      "player": { "policy": \#(policy)\#(player) },
      "script": [ { "at": "0 s", "do": "play" }\#(script) ]
      """#)
    #expect(outcome.faults == [] && outcome.end == .finished, "\(link), \(rate), \(policy)")
    return outcome
  }

  /// How long a link takes for media, in nanoseconds.
  private func time(_ link: Int64, _ rate: Int64, toBring milliseconds: Int64) -> Int64 {
    milliseconds * 1_000_000 * rate / link
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (2_000, 1_500, 1_000, 3_000), (4_000, 2_000, 500, 3_000), (3_000, 1_000, 100, 1_100),
        (9_000, 800, 2_000, 2_500), (1_300, 1_200, 40, 8_000), (5_000, 4_900, 1_000, 1_500),
        (700, 300, 250, 600), (40_000, 2_000, 1_000, 9_000), (2_500, 1_000, 5_000, 2_000),
        (6_000, 5_000, 10, 2_700),
      ] as [(Int64, Int64, Int64, Int64)]))
  func `who would stall at once does not begin, nor go on`(
    link: Int64, rate: Int64, start: Int64, mark: Int64
  ) throws {
    let policy = #"{ "start": { "media": "\#(start) ms" }, "stall": { "below": "\#(mark) ms" } }"#
    let run = try outcome(link: link, rate: rate, policy: policy)
    let first = time(link, rate, toBring: max(start, mark))
    #expect(abs((run.player.startupDelay?.nanoseconds ?? 0) - first) <= 100_000)
    #expect(run.player.books.stallCount == 0)
    // After a seek to where nothing is loaded it is the same.
    let sought = try outcome(
      link: link, rate: rate, seconds: 400, policy: policy,
      script: #", { "at": "60 s", "do": "seek", "to": "380 s" }"#)
    #expect(sought.player.books.stallCount == 0)
  }

  /// Segments of two seconds come whole; over packets a connection has to become fast, and headers
  /// take their share.
  @Test(
    arguments: [
      (2_000, 1_500, 1_000, 3_000), (4_000, 2_000, 500, 3_000), (3_000, 1_000, 100, 1_100),
      (9_000, 800, 2_000, 2_500), (700, 300, 250, 600), (40_000, 2_000, 1_000, 9_000),
      (2_500, 1_000, 5_000, 2_000), (6_000, 5_000, 10, 2_700), (1_000, 200, 3_000, 7_000),
      (15_000, 4_000, 60, 390),
    ] as [(Int64, Int64, Int64, Int64)])
  func `of streams and over packets it is the same`(
    link: Int64, rate: Int64, start: Int64, mark: Int64
  ) throws {
    let policy = #"{ "start": { "media": "\#(start) ms" }, "stall": { "below": "\#(mark) ms" } }"#
    let whole = (max(start, mark) + 1_999) / 2_000 * 2_000
    for (media, wanted) in [("progressive", max(start, mark)), ("hls", whole)] {
      for fidelity in Seeds.fidelities(whereSmall: rate <= 300) {
        let most: Int64 = fidelity == "tcp" ? 900 : 400
        let run = try outcome(
          link: link, rate: rate, policy: policy, media: media, fidelity: fidelity, delay: 20)
        let late = (run.player.startupDelay?.nanoseconds ?? 0) - time(link, rate, toBring: wanted)
        #expect(late >= 0 && late <= most * 1_000_000, "\(media) \(fidelity): \(late)")
        if media == "progressive" { #expect(run.player.books.stallCount == 0) }
      }
    }
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (3_000, 1_000, 1_000), (2_000, 1_900, 500), (9_000, 800, 3_000), (1_500, 1_000, 2_000),
        (40_000, 2_000, 250), (5_000, 2_500, 5_000), (800, 500, 700), (2_400, 1_200, 4_900),
        (6_000, 5_500, 1_100), (12_000, 3_000, 1_600),
      ] as [(Int64, Int64, Int64)]))
  func `a mark that the buffer cannot hold is waited for by nobody`(
    link: Int64, rate: Int64, limit: Int64
  ) throws {
    for (policy, player) in [
      (#"{ "stall": { "below": "8 s" }, "fileFetch": { "media": "\#(limit) ms" } }"#, ""),
      (
        #""GStreamer 1.22 playbin""#,
        #", "preferredForwardBufferDuration": "\#(min(limit, 1_000)) ms""#
      ),
      (
        #"{ "stall": { "below": "8 s" } }"#,
        #", "bufferCap": "\#(limit * rate / 8) B""#
      ),
    ] {
      let run = try outcome(link: link, rate: rate, policy: policy, player: player)
      #expect(run.player.books.stallCount == 0, "\(policy) \(player)")
      #expect(run.player.books.played == .seconds(40))
    }
  }

  /// A frame of 40 ms comes in 40 *r* / *c* ms over a link of *c* for media of *r*, and lasts for
  /// 40 / (1 − *c* / *r*) ms, as more comes meanwhile.
  @Test(
    arguments: Seeds.cases(
      of: [
        (1_900, 2_000), (500, 1_000), (900, 1_000), (1_200, 4_800), (3_000, 4_000), (100, 300),
        (750, 800), (9_000, 10_000), (2_000, 2_500), (660, 1_000),
      ] as [(Int64, Int64)]))
  func `who has run dry within a frame goes on with whole frames`(link: Int64, rate: Int64) throws {
    let run = try outcome(
      link: link, rate: rate, policy: #"{ "start": "anything", "resume": "anything" }"#)
    // All of it takes as long as the link takes, and each round is a stall.
    let round = 40 * rate / link + 40 * rate / (rate - link)
    let expected = 40_000 * rate / link / round
    #expect(abs(run.player.books.stallCount - expected) <= 2 + expected / 20, "\(expected)")
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (19_000, 20_000, 40), (1_000, 900, 40), (4_000, 2_000, 500), (800, 700, 20),
        (60_000, 50_000, 100), (2_500, 2_400, 16), (300, 250, 40), (7_000, 6_900, 1_000),
        (1_500, 1_400, 33), (12_000, 11_000, 250),
      ] as [(Int64, Int64, Int64)]))
  func `nobody is woken for each byte of the first frame`(
    link: Int64, rate: Int64, frame: Int64
  ) throws {
    let run = try outcome(
      link: link, rate: rate,
      policy: #"{ "start": "anything", "sink": { "frame": "\#(frame) ms" } }"#)
    #expect(run.eventCount < 200)
    let first = time(link, rate, toBring: frame)
    #expect(abs((run.player.startupDelay?.nanoseconds ?? 0) - first) <= 100_000)
  }

  // MARK: Blocks that are joined

  @Test func `each of the blocks that are joined remembers what is its own`() throws {
    // 1 Mbit/s for media of 2: the first queue is full after a second, and the second has its two
    // seconds downstream after four and fills for three more.
    let both = #"""
      { "start": { "all": [ { "queue": { "holds": "1 s" } },
        { "queue": { "downstream": "2 s", "holds": "3 s" } } ] } }
      """#
    let run = try outcome(link: 1_000, rate: 2_000, seconds: 60, policy: both)
    #expect(abs((run.player.startupDelay?.nanoseconds ?? 0) - 7_000_000_000) <= 100_000)
    // Each second that is ahead plays for two: 2, 4, 6, 8 and 10 s after marks of 1 to 5 s, with
    // or without a second block of lower marks.
    func marks(_ scale: Int) -> String {
      let marks = (1...5).map { #"{ "media": "\#($0 * scale) ms" }"# }.joined(separator: ", ")
      return #"{ "escalating": { "marks": [ \#(marks) ], "raise": "ranDry" } }"#
    }
    let resumes = [marks(1_000), #"{ "all": [ \#(marks(1_000)), \#(marks(100)) ] }"#]
    let counts = try resumes.map { resume in
      try outcome(
        link: 1_000, rate: 2_000, seconds: 60,
        policy: #"{ "start": { "media": "1 s" }, "resume": \#(resume) }"#
      ).player.books.stallCount
    }
    #expect(counts[0] == counts[1])
  }

  @Test(
    arguments: [
      (1_000, 2_000, 200, 5_000, 4_700), (3_000, 4_000, 50, 2_000, 1_500),
      (800, 1_000, 10, 3_000, 2_900), (500, 2_000, 100, 7_000, 400),
      (2_000, 2_500, 0, 4_000, 3_000),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func `a queue begins to fill anew where somebody seeks while it fills`(
    link: Int64, rate: Int64, delay: Int64, holds: Int64, at: Int64
  ) throws {
    let run = try outcome(
      link: link, rate: rate, seconds: 60,
      policy: #"{ "start": { "queue": { "holds": "\#(holds) ms" } } }"#,
      script: #", { "at": "\#(at) ms", "do": "seek", "to": "30 s" }"#, delay: delay)
    // The request for the other place and its first byte cross the link, and then it fills.
    let first = (at + 2 * delay + holds) * 1_000_000
    #expect(abs((run.player.startupDelay?.nanoseconds ?? 0) - first) <= 1_000_000)
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (4_000, 2_000), (9_000, 2_500), (2_000, 500), (40_000, 8_000), (3_000, 1_000),
        (1_200, 300), (6_000, 2_900), (700, 100), (15_000, 5_000), (2_600, 1_000),
      ] as [(Int64, Int64)]))
  func `a margin of two seconds over a fluid is waited for`(
    link: Int64, rate: Int64
  ) throws {
    // The guess is far too high until something was measured, so that nothing else is waited for.
    let run = try outcome(
      link: link, rate: rate, seconds: 60,
      policy: #"""
        { "fileEstimator": { "samples": { "statistics": [ "last" ] }, "prior": "5 Gbit/s" } }
        """#)
    let margin = time(link, rate, toBring: 2_000)
    // A twentieth of the wait is kept clear of as well.
    let start = run.player.startupDelay?.nanoseconds ?? 0
    #expect(start >= margin && start <= margin + margin / 19 + 10_000_000, "\(start), \(margin)")
  }
}

import Autowait
import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// The shortest outage and the deepest dip against brute force over edited scenarios.
@Suite struct ResilienceTests {
  /// A link, media and player, and the moment at which they are disturbed.
  struct Base: Sendable, CustomTestStringConvertible {
    var parts: String
    var moment: Int64
    /// Every how many milliseconds an outage is tried by brute force.
    var step = 1

    var testDescription: String { parts }

    func scenario(_ more: String = "") throws -> Scenario {
      let text =
        #"{ "scenario": "A", "about": "B.", "script": [ { "at": "0 s", "do": "play" } ], "#
        + parts.replacing("LINK", with: more) + " }"
      return try readScenario(Array(text.utf8), file: "a.json")
    }

    func outage(_ milliseconds: Int64) -> String {
      #", "outages": [ { "from": "\#(moment) ms", "for": "\#(milliseconds) ms" } ]"#
    }

    func stalls(_ more: String) throws -> Int64 {
      try run(scenario(more), options: RunOptions(keepsTrace: false, folds: .figures))
        .player.books.stallCount
    }
  }

  static func stream(
    _ link: String, rate: Int = 1_000, segment: Int = 1_000, seconds: Int = 12,
    more: String = "", player: String = ""
  ) -> String {
    #""link": { \#(link)LINK }, "media": { "hls": { "duration": "\#(seconds) s", "#
      + #""segmentDuration": "\#(segment) ms", "ladder": [ { "bitrate": "\#(rate) kbit/s" } ]"#
      + #"\#(more) } }, "player": { \#(player) }"#
  }

  static func file(_ link: String, rate: Int = 1_000, more: String = "") -> String {
    #""link": { \#(link)LINK }, "media": { "progressive": { "duration": "8 s", "#
      + #""bitrate": "\#(rate) kbit/s" } }\#(more)"#
  }

  static let bases = [
    Base(parts: file(#""bandwidth": "1500 kbit/s""#), moment: 2_000),
    Base(parts: file(#""bandwidth": "3 Mbit/s", "delay": "35 ms""#), moment: 700),
    Base(parts: file(#""bandwidth": "1100 kbit/s""#, rate: 900), moment: 4_321),
    Base(
      parts: file(#""bandwidth": "2 Mbit/s", "delay": "20 ms""#, more: #", "fidelity": "tcp""#),
      moment: 1_500, step: 7),
    Base(parts: stream(#""bandwidth": "2 Mbit/s""#), moment: 1_500),
    Base(parts: stream(#""bandwidth": "1300 kbit/s", "delay": "40 ms""#), moment: 3_000),
    Base(parts: stream(#""bandwidth": "4 Mbit/s""#, rate: 1_700, segment: 2_000), moment: 2_250),
    Base(
      parts: stream(
        #""bandwidth": "3 Mbit/s""#, player: #""preferredForwardBufferDuration": "3 s""#),
      moment: 5_000),
    Base(
      parts: stream(
        #""bandwidth": "2 Mbit/s""#,
        more: #", "audio": [ { "name": "English", "language": "en", "bitrate": "96 kbit/s" } ]"#),
      moment: 2_000),
    Base(
      parts: stream(
        #""schedule": { "steps": [ { "for": "4 s", "bandwidth": "3 Mbit/s" }, "#
          + #"{ "for": "30 s", "bandwidth": "1200 kbit/s" } ], "then": "hold" }"#), moment: 2_700),
    Base(
      parts: stream(#""bandwidth": "2 Mbit/s", "delay": "15 ms""#, seconds: 8)
        + #", "fidelity": "tcp""#, moment: 2_000, step: 9),
    Base(
      parts: stream(#""profile": "3G""#, rate: 300, segment: 3_000, seconds: 24), moment: 9_999),
  ]

  @Test(arguments: bases)
  func `the shortest outage is that of brute force`(base: Base) throws {
    let search = try ResilienceSearch(base.scenario(), dip: .seconds(3))
    let moment = Instant.zero + .milliseconds(base.moment)
    let found = try #require(try search.resilience(at: [moment]).first)
    #expect(try base.stalls("") == 0)
    let answer = try #require(found.outage).nanoseconds / 1_000_000
    // The first outage that makes it stall: from 1 ms on, or in a debug build the last 40 of them
    // and one in 97 of those before.
    let last = max(1, answer - (Seeds.areMany ? answer : 40))
    var tried = Array(stride(from: Int64(1), to: last, by: 97))
    let from = last + (answer - last) % Int64(base.step)
    tried += Array(stride(from: from, through: answer, by: base.step))
    let first = try tried.first { try base.stalls(base.outage($0)) > 0 }
    #expect(first == answer)
    if answer > 1 { #expect(try base.stalls(base.outage(answer - 1)) == 0) }
    // Recovery is read from the trace of that run.
    let outcome = try run(try base.scenario(base.outage(answer)))
    let end = try #require(outcome.player.books.stalls.first?.end)
    let over = moment + .milliseconds(answer)
    #expect(found.recovery == (end > over ? end - over : .zero))
    // A dip to nothing that lasts as long makes it stall as well, and no shorter one does.
    for shorter: Int64 in [0, 1] {
      let dip = TimeSpan.milliseconds(answer - shorter)
      let search = try ResilienceSearch(base.scenario(), dip: dip)
      let found = try #require(try search.resilience(at: [moment]).first)
      #expect((found.dip == nil) == (shorter > 0))
    }
  }

  @Test(arguments: [bases[4], bases[5], bases[7]])
  func `the deepest dip is that of brute force`(base: Base) throws {
    let search = try ResilienceSearch(base.scenario(), dip: .seconds(9))
    let found = try #require(
      try search.resilience(at: [.zero + .milliseconds(base.moment)]).first)
    let dip = try #require(found.dip).roundedDown / 1_000
    for (rate, stalls) in [(dip, true), (dip + 1, false), (dip / 2, true), (dip * 2, false)] {
      let steps = #"[ { "at": "\#(base.moment) ms", "do": "changeLink", "to": CAP }, "#
      let link = base.parts.split(separator: "{ ")[1].split(separator: "LINK")[0]
      let usual = "{ \(link) }"
      let capped = usual.replacing(
        #/"bandwidth": "[^"]*"/#, with: #""bandwidth": "\#(rate) kbit/s""#)
      let script =
        #""script": [ { "at": "0 s", "do": "play" }, "#
        + steps.dropFirst(2)
        .replacing("CAP", with: capped)
        + #"{ "at": "\#(base.moment + 9_000) ms", "do": "changeLink", "to": \#(usual) } ]"#
      let text =
        #"{ "scenario": "A", "about": "B.", \#(script), "# + base.parts.replacing("LINK", with: "")
        + " }"
      let scenario = try readScenario(Array(text.utf8), file: "a.json")
      #expect((try run(scenario).player.books.stallCount > 0) == stalls, "\(rate) kbit/s")
    }
  }

  /// An outage of half a second at 3 s is survived; one of a second makes the player wait for 8 s
  /// of media, which then outlast more at 12 s.
  @Test func `a stall may save a later one, so that more is not always worse`() throws {
    let parts = Self.stream(
      #""bandwidth": "1200 kbit/s""#, seconds: 40,
      player: #""policy": { "start": { "media": "1 s" }, "resume": { "media": "8 s" } }"#)
    let base = Base(parts: parts, moment: 3_000)
    func survived(_ early: Int64) throws -> (stalls: Int64, outage: TimeSpan) {
      let search = try ResilienceSearch(base.scenario(base.outage(early)), dip: .seconds(1))
      let late = try #require(try search.resilience(at: [.zero + .seconds(12)]).first?.outage)
      return (try base.stalls(base.outage(early)), late)
    }
    let (short, long) = (try survived(500), try survived(1_000))
    #expect(short.stalls == 0 && long.stalls == 1)
    #expect(short.outage < long.outage)
  }

  /// At 48 s a stall of 9.4 s or of 17.2 s is one too many for BOLA, and none between is.
  @Test func `a shorter outage is found below a range that does no harm`() throws {
    let shipped = try #require(ShippedScenario.all.first { $0.name == "literature-bola" })
    let scenario = try readScenario(shipped.bytes, file: "a.json")
    let moment = Instant.zero + .seconds(48)
    let search = try ResilienceSearch(scenario, dip: .seconds(1))
    let found = try #require(try search.resilience(at: [moment]).first?.outage)
    let document = try JSONValue(parsing: shipped.bytes)
    func stalls(_ milliseconds: Int64) throws -> Bool {
      let outage = #"[{ "from": "48 s", "for": "\#(milliseconds) ms" }]"#
      let text = try document.edited([JSONEdit("link.outages=" + outage)])
      let options = RunOptions(keepsTrace: false, folds: .figures)
      return try run(readScenario(text, file: "a.json"), options: options)
        .player.books.stalls.contains { $0.start > moment }
    }
    let milliseconds = found.nanoseconds / 1_000_000
    #expect(try stalls(milliseconds) && !stalls(milliseconds - 1) && milliseconds < 10_000)
    #expect(try stalls(18_000) && !stalls(17_000))
  }

  @Test func `an outage that outlasts nothing and a run without playback have no answer`() throws {
    let all = Base(parts: Self.file(#""bandwidth": "100 Mbit/s""#), moment: 5_000)
    let search = try ResilienceSearch(all.scenario(), dip: .seconds(3))
    let found = try search.resilience(at: [.zero + .seconds(5)])
    #expect(found[0].outage == nil && found[0].recovery == nil && found[0].dip == nil)
    #expect(found[0].media > .zero && found[0].ahead > .zero)
    let dead = Base(parts: Self.file(#""bandwidth": "0 bit/s""#), moment: 1_000)
    #expect(try ResilienceSearch(dead.scenario(), dip: .seconds(3)).moments(every: nil) == [])
  }

  /// Media of 900 kbit/s over a link of 1 Mbit/s, which stands still from 2 s to 6 s. With nothing
  /// but the first second as its goal the player holds 2.2 s of media at 2 s, so that it plays from
  /// its first motion to its stall, and from its next motion on.
  @Test func `moments are the multiples of their distance at which media moves`() throws {
    let parts =
      Self.file(#""bandwidth": "1 Mbit/s""#, rate: 900)
      .replacing("LINK", with: #", "outages": [ { "from": "2 s", "for": "4 s" } ]"#)
      + #", "player": { "heuristic": "thresholds 1 s/1 s" }"#
    let scenario = try Base(parts: parts, moment: 0).scenario()
    let outcome = try run(scenario)
    let playing = outcome.bands.filter { $0.control == .playing }
    #expect(playing.count == 2)
    let search = try ResilienceSearch(scenario, dip: .seconds(1))
    for distance: Int64 in [1, 7, 250, 333, 1_000, 5_000, 100_000] {
      let all = (0..<60_000).map { Instant.zero + .milliseconds(Int64($0)) }
        .filter { moment in playing.contains { $0.start <= moment && moment < $0.end } }
      let wanted = all.filter { $0.nanoseconds % (distance * 1_000_000) == 0 }
      #expect(search.moments(every: .milliseconds(distance)) == wanted, "\(distance) ms")
    }
    #expect(
      search.moments(every: TimeSpan(nanoseconds: 1)).count == ResilienceSearch.mostMoments + 1)
  }
}

import Autowait
import ExactText
import Foundation
import PlayerPolicies
import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The picture of a run says what its panels say, wherever it is looked at.
@Suite struct PictureTests {
  private static let names = ShippedScenario.all.enumerated()
    .filter { Seeds.areMany || $0.offset % 4 == 0 }.map { $0.element.name }

  private static func drawn(_ scenario: Scenario) throws -> RunOutcome {
    var options = RunOptions(keepsTrace: false)
    options.keepsCurves = true
    return try run(scenario, options: options)
  }

  @Test(arguments: names)
  func `arrived edge and playhead are where the panels have them`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    let end = try Self.drawn(scenario).ended
    var random = RandomStream(seed: UInt64(name.utf8.count), name: name)
    let moments = (0..<50).map { _ in
      Instant(nanoseconds: random.next(in: 0...max(1, end.nanoseconds - 1)))
    }.sorted()
    let outcome = try Self.drawn(scenario)
    // The player is looked at by steps of the script, in a run of its own.
    var looked = scenario
    looked.script += try moments.map { moment in
      var step = try #require(scenario.script.first)
      (step.name, step.trigger, step.verb) = ("look", .at(moment), "showPanel")
      (step.action, step.appDelay, step.isNotified, step.item) = (.showPanel, .zero, false, nil)
      return step
    }
    let panels = try Self.drawn(looked).chosenPanels
    #expect(panels.count >= min(moments.count, 40))
    for size in [RunPicture.Size.wide, .narrow] {
      let svg = RunPicture(scenario, outcome, size: size).element(prefix: "t")
      let picture = try ParsedPicture(String(decoding: svg, as: UTF8.self))
      for panel in panels where panel.instant < end {
        let loaded =
          panel.loadedTimeRanges.first {
            $0.lowerBound <= panel.currentTime && panel.currentTime <= $0.upperBound
          }?.upperBound ?? panel.currentTime
        for (kind, media) in [("playhead", panel.currentTime), ("edge", loaded)] {
          let distance = picture.distance(of: kind, from: media, at: panel.instant)
          let words = "\(kind) at \(panel.instant): \(distance) tenths of a pixel from \(media)"
          #expect(distance <= 5, "\(words)")
        }
      }
    }
  }

  private static let stateKinds = ["paused", "waiting", "playing", "stalled"]

  @Test(arguments: names)
  func `states and buffer are those of the run`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    let outcome = try Self.drawn(scenario)
    let svg = RunPicture(scenario, outcome).element(prefix: "t")
    let picture = try ParsedPicture(String(decoding: svg, as: UTF8.self))
    let stalls = outcome.player.books.stalls
    var random = RandomStream(seed: UInt64(name.utf8.count), name: name)
    for _ in 0..<50 {
      let instant = Instant(nanoseconds: random.next(in: 0...(outcome.ended.nanoseconds - 1)))
      let panel = try #require(outcome.panels.last { $0.instant <= instant })
      var state =
        switch panel.control {
        case .paused: "paused"
        case .waiting, .awaitingMedia: "waiting"
        // A pipeline that is not ready is waited for.
        case .playing: panel.timebaseRate.isZero ? "waiting" : "playing"
        }
      if stalls.contains(where: { $0.start <= instant && instant < $0.end ?? outcome.ended }) {
        state = "stalled"
      }
      let found = picture.kinds(of: Self.stateKinds, at: instant)
      #expect(found.contains(state), "\(state) at \(instant), and not \(found)")
    }
    for stall in stalls {
      for instant in [stall.start, stall.end ?? outcome.ended] {
        #expect(picture.distance(of: "still", from: stall.place, at: instant) <= 15)
      }
    }
    // The height of the buffer is the distance between the two lines, on a scale of its own.
    let curves = try #require(outcome.curves)
    let most = curves.buffer.points.map { $0.media }.max() ?? .zero
    let heights = picture.shapes(of: "buffer").joined().map { $0.y }
    let (top, bottom) = (heights.min() ?? 0, heights.max() ?? 0)
    if most > .zero {
      #expect(bottom - top == 520)
      for point in curves.buffer.points where point.instant <= outcome.ended {
        let share = Double(point.media.nanoseconds) / Double(most.nanoseconds)
        let place = (picture.x(of: point.instant), bottom - share * 520)
        #expect(picture.distance(of: "buffer", from: place) <= 10)
      }
    }
  }

  @Test(arguments: names)
  func `a segment lies between its arrival and its playing`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    let outcome = try Self.drawn(scenario)
    let svg = RunPicture(scenario, outcome).element(prefix: "t")
    let picture = try ParsedPicture(String(decoding: svg, as: UTF8.self))
    var slabs = (0..<5).map { picture.shapes(of: "v\($0)") }
    // The lane of variants has boxes of 9 px in the same shades.
    let playheads = picture.shapes(of: "playhead").joined().map { $0.y }
    let bottom = playheads.max() ?? 0
    for rank in slabs.indices { slabs[rank].removeAll { $0[0].y > bottom + 5 } }
    let played = outcome.curves?.playhead.points ?? []
    let jumps = zip(played, played.dropFirst()).filter { $0.instant == $1.instant }
      .map { picture.x(of: $1.instant) }
    var count = 0
    for request in outcome.curves?.requests ?? [] {
      guard let media = request.media, let ended = request.ended, request.outcome == .completed,
        request.track != .audio, request.track != .subtitles
      else { continue }
      guard let (start, end) = Self.stay(of: request, outcome) else { continue }
      count += 1
      let begin = max(ended, start)
      let (x, low) = (picture.x(of: begin), picture.y(of: media.lowerBound))
      let high = picture.y(of: media.upperBound)
      let slab = slabs.joined().first { slab in
        slab.contains { abs($0.x - x) <= 1 && abs($0.y - low) <= 1 }
          && slab.contains { abs($0.x - x) <= 1 && abs($0.y - high) <= 1 }
      }
      let corners = try #require(slab, "segment that arrived at \(ended)")
      let middle = media.lowerBound.nanoseconds / 2 + media.upperBound.nanoseconds / 2
      let places = Self.playing(of: middle, on: played, in: begin...max(begin, end), picture)
      let width = (corners.map { $0.x }.max() ?? x) - x
      #expect(width > 1 || !places.contains { $0 > x + 3 }, "\(ended): a slab without a length")
      for corner in corners where corner.x > x + 1 {
        #expect(corner.x <= picture.x(of: end) + 1)
        let isAtEnd = corner.x >= picture.x(of: end) - 1
        let distance = picture.distance(of: "playhead", from: corner)
        // Media that a jump of the playhead passes over ends with the jump.
        let isPassed = jumps.contains { abs($0 - corner.x) <= 1 }
        #expect(
          isAtEnd || isPassed || distance <= 10, "\(ended): \(distance) tenths of a pixel")
      }
    }
    #expect(count == 0 || slabs.joined().count == count)
  }

  /// The time in which the item of a request is the current one: media of an item to come is drawn
  /// when that is the current one.
  private static func stay(
    of request: StartupStage, _ outcome: RunOutcome
  ) -> (start: Instant, end: Instant)? {
    let items = outcome.story.items
    let ends = items.dropFirst().map { $0.start } + [outcome.ended]
    if items.isEmpty { return (.zero, outcome.ended) }
    return zip(items, ends).first { $0.name == request.item && $1 >= request.requested }
      .map { ($0.start, $1) }
  }

  /// The places at which a playhead passes a media time in a stretch of the run.
  private static func playing(
    of media: Int64, on played: [Curve.Point], in stretch: ClosedRange<Instant>,
    _ picture: ParsedPicture
  ) -> [Double] {
    zip(played, played.dropFirst()).compactMap { from, to in
      let (low, high) = (from.media.nanoseconds, to.media.nanoseconds)
      let isWithin = stretch.contains(from.instant) && stretch.contains(to.instant)
      if !isWithin || low >= media || high < media { return nil }
      let start = picture.x(of: from.instant)
      let part = Double(media - low) / Double(high - low)
      return start + part * (picture.x(of: to.instant) - start)
    }
  }

  @Test func `an unlimited link is as high as its lane`() throws {
    let text = """
      { "scenario": "Unlimited", "about": "x", "link": {}, "media": { "progressive": {
        "duration": "9 s", "bitrate": "1 Mbit/s" } }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "unlimited.json")
    let svg = try RunPicture(scenario, Self.drawn(scenario)).element(prefix: "t")
    let picture = try ParsedPicture(String(decoding: svg, as: UTF8.self))
    let heights = picture.shapes(of: "capacity").joined().map { $0.y }
    let (top, bottom) = try (#require(heights.min()), #require(heights.max()))
    #expect(bottom - top == 520.0)
  }

  @Test(arguments: names)
  func `the page of a trace is that of its run`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    var options = RunOptions()
    options.keepsCurves = true
    options.warns = false
    let outcome = try run(scenario, options: options)
    let read = try report(on: outcome.trace, file: name)
    let wide = [(scenario, outcome), (read.scenario, read.outcome)].map { scenario, outcome in
      var page = RunPage()
      page.add(scenario, outcome, policy: "own")
      return page.bytes(PageTexts(style: [], script: []))
    }
    #expect(wide[0] == wide[1] && read.missing.isEmpty)
  }

  @Test(arguments: names)
  func `each element of a page is closed in its place`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    var page = RunPage()
    page.add(scenario, try Self.drawn(scenario), policy: name)
    let bytes = page.bytes(PageTexts(style: [], script: []))
    var open: [Substring] = []
    for tag in String(decoding: bytes, as: UTF8.self).matches(of: /<(\/?)([a-z][a-z0-9]*)([^>]*)>/)
    {
      let (_, slash, element, rest) = tag.output
      if ["meta", "input", "br", "link", "hr", "col"].contains(element) || rest.hasSuffix("/") {
        continue
      }
      if slash.isEmpty { open.append(element) } else { #expect(open.popLast() == element) }
    }
    #expect(open.isEmpty)
  }

  /// The rates that a trace names are those of the document, worked out beside it.
  @Test func `a trace names the rate of the link whenever it changes`() throws {
    var random = RandomStream(seed: 31, name: "rates")
    for number in 0..<Seeds.count(12, inRelease: 200) {
      let steps = (0..<random.next(in: 1...6)).map { _ in
        (length: random.next(in: 1...40) * 100, rate: random.next(in: 0...5_000) + 200)
      }
      let outage = (start: random.next(in: 1...60) * 50, length: random.next(in: 1...20) * 50)
      let fidelity = number % 3 == 2 ? "tcp" : "fluid"
      let text = """
        { "scenario": "Rates \(number)", "about": "x", "fidelity": "\(fidelity)",
          "link": { "bandwidth": "3 Mbit/s", "outages": [ { "from": "\(outage.start) ms",
          "for": "\(outage.length) ms" } ], "schedule": { "steps": [
          \(steps.map { "{ \"for\": \"\($0.length) ms\", \"bandwidth\": \"\($0.rate) kbit/s\" }" }
          .joined(separator: ", ")) ], "then": "repeat" } },
          "media": { "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } },
          "script": [ { "at": "0 s", "do": "play" } ] }
        """
      let scenario = try readScenario(Array(text.utf8), file: "rates.json")
      let outcome = try Self.drawn(scenario)
      let spans = try #require(outcome.capacity)
      let cycle = steps.reduce(0) { $0 + $1.length }
      for _ in 0..<200 {
        let place = random.next(in: 0...(outcome.ended.nanoseconds / 1_000_000 - 1))
        var left = place % cycle
        let step = steps.first {
          left -= $0.length
          return left < 0
        }
        let isOut = place >= outage.start && place < outage.start + outage.length
        let rate = isOut ? 0 : min(3_000, step?.rate ?? 0) * 1_000
        let instant = Instant(nanoseconds: place * 1_000_000)
        let span = spans.last { $0.start <= instant }
        #expect(span?.rate == rate, "\(number), \(fidelity): at \(place) ms")
      }
    }
  }

  /// Of an even file over an even link the last byte is the latest.
  @Test func `a wait says how late the worst byte would be`() throws {
    var random = RandomStream(seed: 31, name: "late")
    for number in 0..<20 {
      let (length, media) = (random.next(in: 10...90), random.next(in: 500...4_000))
      let link = media * random.next(in: 40...95) / 100
      let text = """
        { "scenario": "Late \(number)", "about": "x", "link": { "bandwidth": "\(link) kbit/s" },
          "media": { "progressive": { "duration": "\(length) s", "bitrate": "\(media) kbit/s" } },
          "script": [ { "at": "0.5 s", "do": "play" } ] }
        """
      let scenario = try readScenario(Array(text.utf8), file: "late.json")
      let told = try #require(Self.drawn(scenario).curves?.forecasts)
      let wait = Double(length) * (Double(media) / Double(link) - 1)
      let first = try #require(told.first)
      let start = Double(first.instant.nanoseconds + first.late.nanoseconds) / 1e9
      #expect(abs(start - wait) < 0.001, "\(number): \(start) s, and not \(wait) s")
      #expect(told.count == 1, "an even link has one forecast")
    }
  }

  /// Stalls at exactly the starts before the moment; the moment is that of the closed form.
  @Test func `a start stalls exactly when it is before the moment`() throws {
    var random = RandomStream(seed: 34, name: "moment")
    for number in 0..<Seeds.count(60, inRelease: 1_000) {
      let length = random.next(in: 5...120)
      let media = random.next(in: 200...4_000)
      let link = media * random.next(in: 30...200) / 100
      let delay = random.next(in: 0...200)
      func scenario(playingAt instant: Int64?) throws -> Scenario {
        let start = instant.map { "{ \"at\": \"\($0) ns\", \"do\": \"playImmediately\" }" }
        let script = start ?? "{ \"at\": \"0 s\", \"do\": \"play\" }"
        let text = """
          { "scenario": "Moment \(number)", "about": "x",
            "link": { "bandwidth": "\(link) kbit/s",
            "delay": "\(delay) ms" }, "media": { "progressive": { "duration": "\(length) s",
            "bitrate": "\(media) kbit/s" } }, "script": [ \(script) ] }
          """
        return try readScenario(Array(text.utf8), file: "moment.json")
      }
      let first = try Self.drawn(scenario(playingAt: nil))
      let moment = try #require(GoldilocksMoment(first)).instant
      // The first byte takes a round trip; the last is due with the end of the file.
      let roundTrip = Double(2 * delay) / 1_000
      let late = roundTrip + Double(length) * max(0, Double(media) / Double(link) - 1)
      #expect(abs(Double(moment.nanoseconds) / 1e9 - late) < 0.001, "\(number): \(moment)")
      for (offset, stalls) in [(-3_000_000, true), (3_000_000, false)] as [(Int64, Bool)] {
        let start = moment.nanoseconds + offset
        // Nothing under the playhead is a wait for the first byte, and no stall.
        if start <= 2_000_000 * delay + 1_000_000 { continue }
        let outcome = try Self.drawn(scenario(playingAt: start))
        #expect((outcome.player.books.stallCount > 0) == stalls, "\(number): start at \(start) ns")
      }
    }
  }

  /// A link that brings nine tenths of the media's rate, from 0.1 s on.
  private static func slow(_ more: String, script: String = "") throws -> RunOutcome {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "900 kbit/s", "delay": "50 ms" },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } }, \(more),
        "script": [ { "at": "0 s", "do": "play" } \(script) ] }
      """
    return try drawn(readScenario(Array(text.utf8), file: "a.json"))
  }

  /// The first byte is there at 0.1 s, and the pipeline takes three seconds from then on.
  @Test func `a start is needed no sooner than the pipeline can be ready`() throws {
    let outcome = try Self.slow(
      #""player": { "heuristic": "thresholds 2 s/2 s", "pipeline": { "preroll": "3 s" } }"#)
    let moment = try #require(GoldilocksMoment(outcome))
    #expect(abs(moment.instant.nanoseconds - 2_322_222_222) < 1_000_000, "\(moment.instant)")
    #expect(abs(moment.start.nanoseconds - 3_100_000_000) < 1_000_000, "\(moment.start)")
  }

  @Test(arguments: [
    (
      #""player": { "heuristic": "thresholds 2 s/2 s" }"#,
      #", { "at": "5 s", "do": "beginSuspension", "by": "coordinatedPlayback" }, "#
        + #"{ "at": "9 s", "do": "endSuspension", "by": "coordinatedPlayback" }"#
    ),
    (
      #""player": { "heuristic": "thresholds 2 s/2 s" }, "players": [ { "name": "ad", "#
        + #""media": { "progressive": { "duration": "6 s", "bitrate": "100 kbit/s" } }, "#
        + #""interstitial": { "time": "5 s" } } ]"#, ""
    ),
  ])
  func `a start that something else holds up has no moment`(more: String, script: String) throws {
    #expect(GoldilocksMoment(try Self.slow(more, script: script)) == nil)
  }

  /// By 13 s 11.61 s of media are there: from 1.39 s on a start plays to their end.
  @Test func `at the horizon the moment plays what arrived up to then`() throws {
    let outcome = try Self.slow(
      #""horizon": "13 s", "player": { "heuristic": "thresholds 2 s/2 s" }"#)
    let moment = try #require(GoldilocksMoment(outcome)).instant
    #expect(abs(moment.nanoseconds - 1_390_000_000) < 1_000_000, "\(moment)")
  }

  @Test func `a verdict says that the item failed, and why`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s", "delay": "50 ms" },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "faults": [ { "status": 404 } ], "player": { "retry": { "attempts": 0 } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    var page = RunPage()
    page.add(scenario, try Self.drawn(scenario), policy: "", problems: [])
    let texts = PageTexts(style: [], script: [], engine: ([], []))
    #expect(
      String(decoding: page.bytes(texts), as: UTF8.self).contains(
        ". The item fails at 0.100 s: the media could not be loaded: HTTP 404.</p>"))
  }

  @Test(arguments: [
    "demo-2-slow-server-play", "hls-goes-down-before-it-stalls", "hls-live-stall-at-the-edge",
    "outage-stalls-and-resumes-tcp", "queue-own-assets", "two-players-share-the-link",
  ])
  func `the picture of a shipped scenario is the golden one`(name: String) throws {
    let scenario = try ShippedScenario.named(name).read()
    let picture = try RunPicture(scenario, Self.drawn(scenario)).document
    let file = Checkout.at("Tests/ScenarioTests/Goldens/pictures/\(name).svg")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(picture).write(to: file)
      Issue.record("recorded; look at the picture")
      return
    }
    #expect(try Data(contentsOf: file) == Data(picture), "UPDATE_GOLDENS=1 draws it anew")
    #expect(XMLParser(data: Data(picture)).parse())
  }

  @Test func `a hostile name is text and nothing else`() throws {
    func page(_ name: String) throws -> (bytes: [UInt8], picture: [UInt8]) {
      let text = """
        { "scenario": "\(name)", "about": "\(name)", "link": { "bandwidth": "3 Mbit/s" },
          "player": {}, "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
          "script": [ { "at": "1 s", "do": "play" } ] }
        """
      let scenario = try readScenario(Array(text.utf8), file: "x.json")
      let outcome = try Self.drawn(scenario)
      var page = RunPage()
      page.add(scenario, outcome, policy: name, problems: [name])
      return (
        page.bytes(PageTexts(style: [], script: [], engine: ([], []))),
        RunPicture(scenario, outcome).document
      )
    }
    func marks(_ bytes: [UInt8]) -> [String] {
      String(decoding: bytes, as: UTF8.self).matches(of: /<[\/a-z!][^>]*>/).map {
        String($0.output)
      }
    }
    let plain = try page("plain")
    for name in [
      "</script><script>alert(1)</script>", "</style><b>", "<!--", "\u{202E}&amp;", "&#x3c;",
      "' onload='x", "\\\" onload=\\\"x", "]]>", "</svg></title>",
    ] {
      let hostile = try page(name)
      #expect(marks(hostile.bytes) == marks(plain.bytes), "\(name)")
      #expect(marks(hostile.picture) == marks(plain.picture), "\(name)")
      #expect(XMLParser(data: Data(hostile.picture)).parse(), "\(name)")
      #expect(!String(decoding: hostile.bytes, as: UTF8.self).contains("\u{202E}"))
    }
  }

  @Test func `every rule has a sentence of its own`() {
    let sentences = TransitionRule.allCases.map { Decision.sentence(of: $0) }
    for (rule, sentence) in zip(TransitionRule.allCases, sentences) {
      #expect(sentence != rule.word)
    }
    #expect(Set(sentences).count == sentences.count)
    let clauses = ReadinessClause.allCases.map { Decision.sentence(of: $0) }
    #expect(Set(clauses).count == clauses.count)
  }

  @Test func `an hour of segments is a small page of few elements`() throws {
    let text = """
      { "scenario": "An hour", "about": "x",
        "link": { "bandwidth": "5 Mbit/s", "delay": "30 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "800 kbit/s" }, { "bitrate": "3 Mbit/s" } ],
          "duration": "3550 s", "segmentDuration": "6 s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "hour.json")
    let outcome = try Self.drawn(scenario)
    var page = RunPage()
    page.add(scenario, outcome, policy: "")
    let bytes = page.bytes(PageTexts(style: [], script: []))
    #expect(bytes.count < 1_000_000, "\(bytes.count) bytes")
    let picture = String(decoding: RunPicture(scenario, outcome).document, as: UTF8.self)
    #expect(picture.matches(of: /<(path|rect|circle|text)/).count < 120)
  }
}

/// A picture as its reader sees it: lines in tenths of a pixel, and scales.
private struct ParsedPicture {
  private let scale: [Double]
  private var lines: [String: [[(x: Double, y: Double)]]] = [:]

  init(_ svg: String) throws {
    let plot = try #require(svg.firstMatch(of: /data-plot="([-0-9 ]+)"/)).output.1
    scale = plot.split(separator: " ").compactMap { Double($0) }
    for path in svg.matches(of: /<path class="([a-z0-9]+)" d="([^"]*)"/) {
      // The first of a kind is the first player's.
      let kind = String(path.output.1)
      if lines[kind] != nil { continue }
      lines[kind] = path.output.2.split(separator: "M").map { run in
        run.replacing("Z", with: "").split(separator: "L").map { point in
          let parts = point.split(separator: " ").compactMap { Double($0) }
          return (parts[0], parts[1])
        }
      }
    }
  }

  func shapes(of kind: String) -> [[(x: Double, y: Double)]] { lines[kind] ?? [] }

  func x(of instant: Instant) -> Double {
    scale[0] + Double(instant.nanoseconds) / scale[2] * (scale[1] - scale[0])
  }

  func y(of media: MediaTime) -> Double {
    let share = (Double(media.nanoseconds) - scale[5]) / (scale[6] - scale[5])
    return scale[3] + min(max(share, 0), 1) * (scale[4] - scale[3])
  }

  /// Kinds whose boxes an instant lies in, or beside by a pixel, which the shortest box has.
  func kinds(of kinds: [String], at instant: Instant) -> [String] {
    kinds.filter { kind in
      shapes(of: kind).contains { box in
        let (low, high) = (box.map { $0.x }.min() ?? 0, box.map { $0.x }.max() ?? 0)
        return low - 1 <= x(of: instant) && x(of: instant) <= high + 1
      }
    }
  }

  /// How far the line is from a value at an instant, in tenths of a pixel; at a jump from the
  /// nearer of its sides.
  func distance(of kind: String, from media: MediaTime, at instant: Instant) -> Double {
    distance(of: kind, from: (x(of: instant), y(of: media)))
  }

  func distance(of kind: String, from place: (x: Double, y: Double)) -> Double {
    let (x, y) = place
    var best = Double.infinity
    for line in lines[kind] ?? [] {
      if line.count == 1 { best = min(best, hypot(line[0].x - x, line[0].y - y)) }
      for (from, to) in zip(line, line.dropFirst()) {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = dx * dx + dy * dy
        let along = length == 0 ? 0 : ((x - from.x) * dx + (y - from.y) * dy) / length
        let part = min(max(along, 0), 1)
        best = min(best, hypot(from.x + part * dx - x, from.y + part * dy - y))
      }
    }
    return best
  }
}

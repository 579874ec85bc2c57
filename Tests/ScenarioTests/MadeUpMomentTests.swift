import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Short sessions all of whose times are half seconds and whose rates are powers of two: seeks with
/// tolerances, conditions, ends and interstitials stand where media, bytes and the playhead do.
@Suite struct MadeUpMomentTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/moments", seeds: 1_600)

  @Test func `a session of half seconds has the trace that it had`() async throws {
    let lines = await Self.file.lines(few: 40) { seed in
      do {
        let scenario = try readScenario(Array(MadeUpMoment(seed).document.utf8), file: "a.json")
        var options = RunOptions()
        options.keepsCurves = true
        let outcome = try run(scenario, options: options)
        var print = Fingerprint()
        let curves = outcome.curves
        for curve in [curves?.playhead, curves?.loadedEnd, curves?.buffer] {
          for point in curve?.points ?? [] {
            print.add("\(point.instant.nanoseconds) \(point.media.nanoseconds)")
          }
        }
        for item in outcome.itemLogs { print.add("\(item.logs)") }
        return "\((outcome.digest ?? "").prefix(16)) \(print.text)"
      } catch {
        return "refused"
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 10 < lines.count)
  }
}

private struct MadeUpMoment {
  private var draw: Draw
  private let isStream: Bool
  private(set) var document = ""

  init(_ seed: Int) {
    draw = Draw(seed: UInt64(seed), part: "moments")
    isStream = seed % 2 == 1
    let (link, media, script) = (link(), media(), script())
    let (player, players) = (player(), draw.chance(25) ? interstitial() : "")
    document = """
      { "scenario": "a", "about": "b", "horizon": "60 s", "eventBudget": 4000,
        "link": \(link), "media": \(media), "player": \(player)\(players),
        "script": [ \(script.joined(separator: ", ")) ] }
      """
  }

  /// A time of so many half seconds.
  private func text(_ halves: Int) -> String { "\"\(halves * 500) ms\"" }

  private mutating func time(_ most: Int = 16) -> String { text(draw.below(most + 1)) }

  private mutating func rate() -> String {
    "\"\(draw.one(of: [250, 500, 1_000, 1_000, 2_000, 4_000])) kbit/s\""
  }

  private mutating func link() -> String {
    let delay = draw.chance(30) ? ", \"delay\": \(text(draw.within(1...2)))" : ""
    if draw.chance(60) { return "{ \"bandwidth\": \(rate())\(delay) }" }
    let steps = (0..<draw.within(1...4)).map { _ in
      let rate = draw.chance(25) ? "\"0 kbit/s\"" : rate()
      return "{ \"for\": \(text(draw.within(1...6))), \"bandwidth\": \(rate) }"
    }
    return "{ \"schedule\": { \"steps\": [ \(steps.joined(separator: ", ")), "
      + "{ \"for\": \"1 s\", \"bandwidth\": \"1000 kbit/s\" } ], \"then\": \"repeat\" }\(delay) }"
  }

  private mutating func media() -> String {
    let length = text(draw.one(of: [8, 12, 16]))
    if !isStream {
      return "{ \"progressive\": { \"duration\": \(length), \"bitrate\": \(rate()) } }"
    }
    let rungs = draw.chance(60) ? [500, 1_000] : [1_000]
    let ladder = rungs.map { "{ \"bitrate\": \"\($0) kbit/s\" }" }.joined(separator: ", ")
    return "{ \"hls\": { \"duration\": \(length), \"ladder\": [ \(ladder) ], "
      + "\"segmentDuration\": \(text(draw.one(of: [1, 2, 2, 4, 5]))), "
      + "\"playlistBytes\": \"0 B\" } }"
  }

  private mutating func player() -> String {
    var members = [
      "\"heuristic\": \"thresholds \(draw.below(4) * 500) ms/\(draw.within(1...4) * 500) ms\""
    ]
    if draw.chance(40) {
      members.append("\"preferredForwardBufferDuration\": \(text(draw.within(1...6)))")
    }
    if draw.chance(20) { members.append("\"forwardPlaybackEndTime\": \(time(14))") }
    if draw.chance(15) { members.append("\"automaticallyWaitsToMinimizeStalling\": false") }
    return "{ \(members.joined(separator: ", ")) }"
  }

  private mutating func script() -> [String] {
    var (steps, now) = (["{ \"at\": \(time(4)), \"do\": \"play\" }"], 0)
    for _ in 0..<draw.within(1...5) {
      now += draw.one(of: [0, 1, 1, 2, 3, 5])
      let moment =
        draw.chance(70)
        ? "\"at\": \(text(now))"
        : "\"when\": \"\(draw.one(of: ["loaded", "currentTime"])) >= \(draw.below(14) * 500) ms\""
      steps.append("{ \(moment), \(action()) }")
    }
    return steps
  }

  private mutating func action() -> String {
    switch draw.below(10) {
    case 0...4:
      var text = "\"do\": \"seek\", \"to\": \(time())"
      if draw.chance(70) { text += ", \"toleranceBefore\": \(time(8))" }
      if draw.chance(70) { text += ", \"toleranceAfter\": \(time(8))" }
      return text
    case 5: return "\"do\": \"pause\""
    case 6: return "\"do\": \"setRate\", \"rate\": \(draw.one(of: ["0.5", "1", "2"]))"
    case 7: return "\"do\": \"setForwardPlaybackEndTime\", \"to\": \(time())"
    case 8: return "\"do\": \"setPreferredForwardBufferDuration\", \"to\": \(time(6))"
    default: return "\"do\": \"play\""
    }
  }

  private mutating func interstitial() -> String {
    var plan = ["\"time\": \(time(10))"]
    if draw.chance(50) { plan.append("\"preload\": \(time(6))") }
    if draw.chance(50) { plan.append("\"resumptionOffset\": \(time(4))") }
    if draw.chance(50) { plan.append("\"playoutLimit\": \(text(draw.within(1...4)))") }
    return
      ", \"players\": [ { \"name\": \"ad\", \"interstitial\": { \(plan.joined(separator: ", ")) }"
      + ", \"media\": { \"progressive\": { \"duration\": \(text(draw.within(1...4))), "
      + "\"bitrate\": \(rate()) } } } ]"
  }
}

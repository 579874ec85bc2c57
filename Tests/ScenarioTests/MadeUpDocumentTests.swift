import ExactText
import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Documents of sessions that seeds make up, held to what they were when they were last reviewed:
/// their requests as a HAR, and pictures of their weak moments.
@Suite struct MadeUpDocumentTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/documents", seeds: 240)

  @Test func `a made-up session has the HAR and the picture that it had`() async throws {
    let some = try Self.resilience()
    let lines = await Self.file.lines(few: 3) { seed in
      do {
        let random = RandomScenario(seed: UInt64(9_000 + seed))
        let text = Array(random.document.json.utf8)
        let scenario = try readScenario(text, file: "a.json")
        var options = RunOptions()
        options.keepsCurves = true
        let outcome = try run(scenario, options: options)
        return try [
          Self.har(scenario, outcome), Self.pictures(scenario, outcome, seed, some),
        ].joined(separator: " ")
      } catch {
        return "refused"
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.hasSuffix("refused") } * 5 < lines.count)
  }

  private static func har(_ scenario: Scenario, _ outcome: RunOutcome) -> String {
    var print = Fingerprint()
    print.add(
      HARDocument(scenario, outcome).document.json.replacing("\"\(Tool.version)\"", with: ""))
    return print.text
  }

  /// Disturbances at moments of the run, some of which it survives.
  private static func pictures(
    _ scenario: Scenario, _ outcome: RunOutcome, _ seed: Int, _ some: Resilience
  ) throws -> String {
    var draw = Draw(seed: UInt64(seed), part: "weak moments")
    let step = max(1, outcome.ended.nanoseconds / 9)
    let moments = (0..<(seed % 7)).map { place in
      var moment = some
      let shift = Int64(draw.below(Int(step / 2 + 1)))
      moment.moment = Instant(nanoseconds: Int64(place) * step + shift)
      moment.outage = draw.below(3) == 0 ? nil : .milliseconds(Int64(draw.below(20_000)))
      moment.dip =
        draw.below(3) == 0 ? nil : .bitsPerSecond(Int64(draw.below(1 << draw.below(30)) + 1))
      return moment
    }
    var print = Fingerprint()
    for size in [RunPicture.Size.wide, .narrow] {
      print.add(RunPicture(scenario, outcome, size: size, resilience: moments).document)
    }
    return print.text
  }

  static func resilience() throws -> Resilience {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "3 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    let search = try ResilienceSearch(scenario, dip: .seconds(1))
    return try #require(search.resilience(at: [.zero + .seconds(1)]).first)
  }
}

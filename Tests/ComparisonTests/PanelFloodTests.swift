import PlayerPolicies
import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Changes of a player that were made up, and what its screen says that it leaves out of them.
@Suite struct PanelFloodTests {
  /// Whether a change is of the likelihood, of the fullness, or of both.
  private typealias Change = (likely: Bool, full: Bool)

  private static let scenario = """
    { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
      "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ] }
    """

  private static func screen(_ changes: [Change]) throws -> String {
    let scenario = try ShippedScenario(path: "a.json", bytes: [UInt8](scenario.utf8)).read()
    var outcome = try run(scenario)
    var folds = PlayerFolds(of: nil, namesItems: false, isShown: true)
    var (isLikely, isFull, now) = (false, false, Instant.zero)
    for change in changes {
      now = now + .seconds(1)
      if change.likely {
        isLikely.toggle()
        let said = PlaybackObservation.likelyToKeepUp(
          isLikely, .nothingLoaded, loadedEnd: .zero, estimate: nil)
        folds.see(Record(.player(said), at: now))
      }
      if change.full {
        isFull.toggle()
        folds.see(Record(.player(.bufferFull(isFull)), at: now))
      }
      let sample = BufferSample(time: .zero, ahead: .zero, ranges: [], bend: nil)
      folds.see(Record(.buffer(sample), at: now))
    }
    folds.finish(at: now)
    outcome.folds = folds
    return RunScreen(scenario, outcome, heuristic: "")
      .text(panels: .changes, style: TextStyle(width: 100, isColoured: false))
  }

  private static func left(_ count: Int, _ what: String) -> String {
    "\n\(count) change\(count == 1 ? "" : "s") \(what) left out: --panel all"
  }

  /// The first panel is that of the start, and the last one is always shown.
  private static func expected(_ changes: [Change]) -> (flood: String?, cut: String?) {
    var (shown, flood) = (changes.count + 1, String?.none)
    for (name, isAlone) in [
      ("isPlaybackLikelyToKeepUp", { $0.likely && !$0.full }),
      ("isPlaybackBufferFull", { $0.full && !$0.likely }),
    ] as [(String, (Change) -> Bool)] {
      let alone = changes.indices.filter { isAlone(changes[$0]) }
      if shown <= 12 || alone.count <= (changes.count + 1) / 2 || flood != nil { continue }
      let dropped = alone.dropFirst(2).count { $0 < changes.count - 1 }
      flood = left(dropped, "of \(name) alone")
      shown -= dropped
    }
    return (flood, shown > 12 ? left(shown - 12, "before the last 4") : nil)
  }

  @Test(arguments: Seeds.first(12, inRelease: 200))
  func `of more than twelve panels the changes of one property are left out`(seed: UInt64) throws {
    var draw = Draw(seed: seed, part: "panels")
    let (count, share) = (draw.one(of: [1, 10, 11, 12, 13, 14, 20, 30]), draw.within(20...100))
    let changes = (0..<count).map { _ -> Change in
      let isFull = draw.chance(share)
      return (likely: !isFull || draw.chance(10), full: isFull)
    }
    let (text, expected) = (try Self.screen(changes), Self.expected(changes))
    #expect(text.contains("of isPlayback") == (expected.flood != nil), "\(changes)")
    #expect(text.contains("before the last") == (expected.cut != nil), "\(changes)")
    #expect(text.contains(expected.flood ?? ""), "\(text)")
    #expect(text.contains(expected.cut ?? ""), "\(text)")
  }
}

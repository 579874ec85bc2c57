import ExactText
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// Policies that have parts of others, in sessions that seeds make up, held to what was said of
/// them when they were last reviewed.
@Suite struct MadeUpPolicyTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/policies", seeds: 1_200)
  private static let presets = PolicyPreset.all.map { $0.description.written }
  private static let values = Alteration.values(of: presets)

  @Test func `a policy of parts chooses what it chose`() async throws {
    let lines = await Self.file.lines(few: 24) { seed in
      AnswerPrint.line("\(seed).json") {
        try readScenario(Array(Self.document(seed).json.utf8), file: "\(seed).json")
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 2 < lines.count)
  }

  private static func document(_ seed: Int) -> JSONTree {
    var draw = Draw(seed: UInt64(seed), part: "policy")
    // Most policies have more to choose with a stream than with a file.
    var random = RandomScenario(seed: draw.next() >> 20)
    while random.document["media"]?["hls"] == nil, seed % 5 != 0 {
      random = RandomScenario(seed: draw.next() >> 20)
    }
    var sketch = random.document(following: "own")
    if seed % 3 == 0 { sketch = sketch.withRoundNumbers }
    let alteration = Alteration(
      values: values, percent: draw.one(of: [3, 8, 20]), flipsFlags: true)
    let policy = alteration.altered(draw.one(of: presets), &draw)
    guard case .object(let members)? = JSONEdit.value(of: sketch.json) else { return .null }
    return .object(
      members.map { key, value in
        key == "player" ? (key, value.without("policy") + ["policy": policy]) : (key, value)
      })
  }
}

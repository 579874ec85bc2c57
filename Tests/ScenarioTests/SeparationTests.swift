import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing

/// Scenarios that tell players apart: what one is expected to do, no other one of its kind does.
@Suite struct SeparationTests {
  /// The scenarios of one situation, which they describe in the same words.
  private static let groups: [[ShippedScenario]] = {
    var groups: [(about: String, scenarios: [ShippedScenario])] = []
    for shipped in ShippedScenario.all where shipped.name.hasPrefix("separating-") {
      let about = shipped.text.split(separator: "\n").first { $0.contains("\"about\"") }
      let media = shipped.text.split(separator: "\n").first { $0.contains("\"media\"") }
      let key = String(about ?? "") + String(media ?? "")
      if let index = groups.firstIndex(where: { $0.about == key }) {
        groups[index].scenarios.append(shipped)
      } else {
        groups.append((key, [shipped]))
      }
    }
    return groups.map { $0.scenarios }
  }()

  @Test func `each situation has policies to tell apart`() {
    #expect(Self.groups.count >= 21)
    for group in Self.groups { #expect(group.count >= 2, "\(group.map { $0.name })") }
  }

  /// In a debug build the first and the last of the first situation take the place of one other.
  @Test(arguments: Seeds.cases(of: groups.indices, few: 1))
  func `each policy does what no other does in its place`(number: Int) throws {
    let group = Self.groups[number]
    for (index, shipped) in Seeds.cases(of: Array(group.enumerated())) {
      let others = group[(index + 1)...] + group[..<index]
      for other in Seeds.areMany ? others : others.prefix(1) {
        var scenario = try shipped.read()
        scenario.player.policy = try other.read().player.policy
        #expect(!(try run(scenario).failures.isEmpty), "\(shipped.name) as \(other.name)")
      }
    }
  }
}

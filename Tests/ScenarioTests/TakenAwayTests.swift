import TestSupport
import Testing

/// What a row of the talks shows is what makes its scenarios come true.
@Suite struct TakenAwayTests {
  /// The chapters whose behaviours are taken away one by one.
  static let chapters = ["L", "T", "W", "F", "H", "V", "Q", "G"]

  @Test func `what a scenario shows is taken away by a test`() throws {
    var broken = Set(BehaviourTests.showings.flatMap { $0.scenarios })
    let removals = QueueBehaviourTests.removals + StreamBehaviourTests.removals
    broken.formUnion(removals.map { $0.scenario })
    broken.formUnion(AppDelayTests.scenarios)
    for row in try Checklist.rows() where Self.chapters.contains(row.chapter) {
      for scenario in row.scenarios {
        #expect(broken.contains(scenario), "\(row.name): \(scenario)")
      }
    }
  }
}

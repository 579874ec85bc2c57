import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// What the app's own code takes is paid one to one, wherever it is not hidden.
@Suite struct AppDelayTests {
  private func run(_ name: String, delay: TimeSpan) throws -> RunOutcome {
    var scenario = try ShippedScenario.named(name).read()
    scenario.script[0].appDelay = delay
    return try ScenarioRunner.run(scenario)
  }

  static let scenarios = ["app-delay-before-play", "app-work-done-early"]

  @Test(arguments: scenarios)
  func `without the delay the scenario that shows it fails`(name: String) throws {
    #expect(try run(name, delay: .milliseconds(300)).failures.isEmpty)
    #expect(try !run(name, delay: .zero).failures.isEmpty)
  }

  @Test(arguments: [0, 1, 17, 300, 2_500])
  func `the end comes later by the delay`(milliseconds: Int64) throws {
    let delay = TimeSpan.milliseconds(milliseconds)
    let before = try run("app-delay-before-play", delay: .zero).ended
    #expect(try run("app-delay-before-play", delay: delay).ended == before + delay)
    // Hidden behind the title card it costs nothing, as long as that lasts.
    if delay < .seconds(1) {
      #expect(try run("app-work-done-early", delay: delay).ended == before)
    }
  }
}

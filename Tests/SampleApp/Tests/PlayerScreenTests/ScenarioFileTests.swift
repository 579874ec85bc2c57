import Foundation
import GoldilocksTesting
import Testing

/// Scenario files as tests, and the same calls in Swift.
@Suite struct ScenarioFileTests {
  @Test func `a stall of the described link is the stall of the run`() throws {
    let run = try scenario(
      """
      { "link": { "bandwidth": "1.5 Mbit/s" },
        "media": { "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } },
        "player": { "automaticallyWaitsToMinimizeStalling": false },
        "script": [ { "when": "loaded >= 1 s", "do": "play" } ],
        "expect": [ { "stallCount": 1 } ] }
      """)
    #expect(run.failures.isEmpty, "\(run)")
    #expect(run.stalls.count == 1)
  }

  @Test(arguments: scenarioFiles(in: shipped))
  func `a shipped scenario keeps its promises`(path: String) throws {
    let run = try scenario(at: path)
    if !run.failures.isEmpty { Attachment.record(run.trace, named: "\(run.name).jsonl") }
    #expect(run.failures.isEmpty, "\(run)")
  }

  /// Scenario files beside the package.
  static let shipped =
    #filePath.components(separatedBy: "/Tests/SampleApp/")[0] + "/Scenarios/autowait"

  @Test func `async code runs in virtual time`() throws {
    let simulation = try Simulation(
      link: "3G", media: #"{ "progressive": { "duration": "60 s", "bitrate": "400 kbit/s" } }"#)
    simulation.player.play()
    let slept = try VirtualTasks(of: simulation.world).run { clock in
      let start = clock.now
      try await clock.sleep(for: .seconds(90))
      return start.duration(to: clock.now)
    }
    #expect(slept == .seconds(90))
    #expect(simulation.player.currentTime() == .seconds(60))
  }
}

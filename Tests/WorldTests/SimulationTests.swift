import Foundation
import GoldilocksTesting
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// What a test target can say of a player without a file: the text of a scenario, calls in Swift.
@Suite struct SimulationTests {
  private static let media = [
    #"{ "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } }"#,
    #"""
    { "hls": { "duration": "20 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "1 Mbit/s" } ] } }
    """#,
    #"""
    { "hls": { "duration": "20 s", "segmentDuration": "4 s",
      "ladder": [ { "bitrate": "900 kbit/s" } ],
      "audio": [ { "name": "a", "language": "en", "bitrate": "100 kbit/s" } ] } }
    """#,
  ]

  private static let settings = media.flatMap { media in
    ["fluid", "tcp"].flatMap { fidelity in
      [500, 900, 1_100, 4_000].map { (media: media, fidelity: fidelity, kilobits: $0) }
    }
  }

  private func link(_ kilobits: Int) -> String {
    #"{ "bandwidth": "\#(kilobits) kbit/s", "delay": "40 ms" }"#
  }

  @Test(arguments: settings)
  func `calls in Swift and the same script give the same figures`(
    setting: (media: String, fidelity: String, kilobits: Int)
  ) throws {
    let parts = """
      "fidelity": "\(setting.fidelity)", "link": \(link(setting.kilobits)),
      "media": \(setting.media)
      """
    let written = try scenario(
      "{ \(parts), \"script\": [ { \"at\": \"1 s\", \"do\": \"play\" }, "
        + "{ \"at\": \"9 s\", \"do\": \"pause\" }, { \"at\": \"11 s\", \"do\": \"play\" } ] }")
    let called = try Simulation("{ \(parts) }")
    called.advance(by: .seconds(1))
    called.player.play()
    called.advance(by: .seconds(8))
    called.player.pause()
    called.world.advance(by: .seconds(2))
    called.player.play()
    let run = called.run()
    #expect(run.stalls == written.stalls)
    #expect(run.startupDelay == written.startupDelay)
    for figure in ["playedSeconds", "stalledSeconds", "requestCount", "bytesTransferred"] {
      #expect(run[figure] == written[figure])
      #expect(run[figure] != nil)
    }
    #expect(run["noSuchFigure"] == nil)
  }

  @Test(arguments: Seeds.cases(of: ShippedScenario.all, few: 12))
  func `a shipped scenario runs from a test as from the command`(shipped: ShippedScenario) throws {
    let path = Checkout.at("Scenarios/" + shipped.path).path
    #expect(scenarioFiles(in: Checkout.at("Scenarios").path).contains(path))
    if shipped.path.hasPrefix("own-policies/") { return }
    let result = try scenario(at: path)
    let read = try readScenario(
      shipped.bytes, file: shipped.path, files: { shipped.file(beside: $0) })
    #expect(try result.digest == run(read).digest, "\(result)")
    #expect(result.failures.isEmpty)
  }

  @Test func `a mistake is told with its line`() {
    let text = #"""
      { "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "fidelty": "tcp" }
      """#
    let mistake = #expect(throws: ScenarioMistake.self) { try scenario(text) }
    #expect(mistake?.description.hasPrefix("scenario:2:") == true)
    #expect(throws: ScenarioMistake.self) { try scenario("{}") }
    #expect(throws: ScenarioMistake.self) { try scenario("[") }
    #expect(throws: ScenarioMistake.self) { try scenario(at: "no/such.json") }
  }

  @Test func `faults, timeouts and interruptions can be had from Swift`() throws {
    let simulation = try Simulation(
      link: "3G", media: Self.media[1],
      more: ["faults": #"[ { "status": 503, "requests": 3 } ]"#])
    simulation.player.play()
    simulation.advance(by: .seconds(15))
    try simulation.player.perform(.halt(.audioSessionInterrupted))
    #expect(simulation.player.timeControlStatus == .paused)
    try simulation.player.perform(.endInterruption)
    simulation.player.play()
    let run = simulation.run()
    #expect(run.end == .finished)
    #expect(run.trace.split(separator: "\n").dropFirst().contains { $0.contains("503") })
  }

  @Test func `to replace the current item with itself changes nothing`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.media[0])
    simulation.player.play()
    simulation.advance(by: .seconds(3))
    let item = try #require(simulation.player.currentItem)
    let time = simulation.player.currentTime()
    simulation.player.replaceCurrentItem(with: item)
    #expect(simulation.player.currentTime() == time)
    #expect(simulation.player.timeControlStatus == .playing)
  }

  @Test(arguments: [0.5, 1, 2.5, 7, 11, 13.25, 16, 18.5, 19, 19.9])
  func `a seek tells when it is over, and one that another replaced was not finished`(
    seconds: Double
  ) throws {
    let simulation = try Simulation(link: "3G", media: Self.media[1])
    simulation.player.play()
    simulation.advance(by: .seconds(1))
    var told: [String] = []
    simulation.player.seek(to: .seconds(12)) { told.append("first \($0)") }
    simulation.player.seek(to: MediaTime(seconds: seconds)) { told.append("second \($0)") }
    simulation.advance(by: .seconds(30))
    #expect(told == ["first false", "second true"])
  }

  @Test func `observers of time are called at their times, and not when they are removed`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.media[0])
    let player = simulation.player
    var (ticks, boundaries): ([Double], [Double]) = ([], [])
    let periodic = player.addPeriodicTimeObserver(forInterval: .seconds(5)) {
      ticks.append($0.seconds)
    }
    let boundary = player.addBoundaryTimeObserver(forTimes: [.seconds(3), .seconds(12)]) {
      boundaries.append(player.currentTime().seconds)
    }
    player.play()
    simulation.advance(by: .seconds(11))
    #expect(boundaries == [3])
    #expect(ticks.filter { $0 > 0 } == [5, 10])
    player.seek(to: .seconds(2), toleranceBefore: .zero, toleranceAfter: .zero)
    simulation.advance(by: .seconds(2))
    #expect(boundaries == [3, 3])
    player.removeTimeObserver(periodic)
    player.removeTimeObserver(boundary)
    let count = ticks.count
    simulation.run()
    #expect(ticks.count == count)
    #expect(boundaries == [3, 3])
  }

  @Test func `seconds and rates read well`() {
    #expect("\(MediaTime(seconds: 1.5))" == "1.5 s")
    #expect("\(MediaTime.positiveInfinity)" == "infinity")
    #expect("\(TimeSpan(seconds: 1e-9))" == "0.000000001 s")
    #expect("\(Instant(seconds: 86_400.25))" == "86400.25 s")
    #expect(MediaTime(seconds: 0.1).seconds == 0.1)
    for time in [Double.infinity, 1e300, -.infinity, -1e300, .nan] {
      let nanoseconds: Int64 = time > 0 ? .max : time < 0 ? .min : 0
      #expect(TimeSpan(seconds: time).nanoseconds == nanoseconds)
    }
    #expect(Float(PlaybackRate(Float(1.5))) == 1.5)
    #expect(PlaybackRate(Float(-1)) == .zero)
    #expect(PlaybackRate(Float.nan) == .zero)
  }

  // MARK: Tasks

  @Test(arguments: 0..<20) func `ten tasks have one order`(round: Int) throws {
    let simulation = try Simulation(link: "LTE", media: Self.media[0])
    let order = try VirtualTasks(of: simulation.world).run { clock in
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<10 {
          group.addTask {
            try? await clock.sleep(for: .milliseconds(number % 3 * 100))
            await Task.yield()
            return number
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(order == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8])
  }

  @Test func `virtual time goes on while all tasks sleep, and cancellation wakes them`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.media[0])
    let tasks = VirtualTasks(of: simulation.world)
    let slept = try tasks.run { clock in
      let start = clock.now
      let sleeper = Task(executorPreference: tasks) { try await clock.sleep(for: .seconds(3_600)) }
      try await clock.sleep(for: .seconds(2))
      sleeper.cancel()
      let result = await sleeper.result
      if case .success = result { Issue.record("a cancelled sleep throws") }
      return start.duration(to: clock.now)
    }
    #expect(slept == .seconds(2))
    #expect(throws: VirtualDeadlock.self) {
      try VirtualTasks(of: try World()).run { _ in
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
  }
}

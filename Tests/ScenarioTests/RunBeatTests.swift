import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// The cost of a run in events, and the reports of how far it has come.
@Suite struct RunBeatTests {
  /// The reports of one run, which come on the thread that runs it.
  private final class Heard: @unchecked Sendable {
    var instants: [Instant] = []
    var horizons: Set<Instant> = []
  }

  private func heard(
    _ members: String, eventBudget: Int64? = nil
  ) throws -> (RunOutcome, [Instant], Set<Instant>) {
    let budget = eventBudget.map { #""eventBudget": \#($0), "# } ?? ""
    let scenario = try Written.read(budget + members)
    let heard = Heard()
    var options = RunOptions(folds: .figures)
    options.trace = .digest
    options.beat = { now, horizon in
      heard.instants.append(now)
      heard.horizons.insert(horizon)
    }
    return (try run(scenario, options: options), heard.instants, heard.horizons)
  }

  /// A megabyte over a link of 8 Mbit/s.
  private func file(_ fidelity: String) -> String {
    #"""
    "link": { "bandwidth": "8 Mbit/s", "delay": "20 ms" }, "fidelity": "\#(fidelity)",
    "media": { "progressive": { "duration": "8 s", "bitrate": "1 Mbit/s" } },
    "script": [ { "at": "0 s", "do": "play" } ]
    """#
  }

  private let loop = #"""
    "link": {}, "horizon": "3 h", "looping": "rewind",
    "media": { "local": { "duration": "100 ms", "bitrate": "1 Mbit/s" } },
    "script": [ { "at": "0 s", "do": "play" } ]
    """#

  @Test func `a long run tells how far it is, each 65,536 events, and is the same run`() throws {
    let (outcome, instants, horizons) = try heard(loop)
    #expect(outcome.eventCount > 70_000)
    #expect(Int64(instants.count) == outcome.eventCount / 65_536)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
    let horizon = Instant.zero + .seconds(10_800)
    #expect(horizons == [horizon] && instants.allSatisfy { $0 <= horizon })
    var options = RunOptions(folds: .figures)
    options.trace = .digest
    #expect(try run(Written.read(loop), options: options).digest == outcome.digest)
  }

  @Test(arguments: ["fluid", "tcp"])
  func `a short run tells nothing`(fidelity: String) throws {
    #expect(try heard(file(fidelity)).1.isEmpty)
  }

  @Test func `each packet of a run counts, and its budget is the same count`() throws {
    let fluid = try heard(file("fluid")).0.eventCount
    let tcp = try heard(file("tcp")).0.eventCount
    // A packet is sent, arrives, and is acknowledged; 1,448 bytes of it are the file's.
    #expect(fluid < 100 && tcp > 2 * 1_000_000 / 1_448)
    let whole = try heard(file("tcp"), eventBudget: tcp).0
    #expect(whole.end == .finished && whole.eventCount == tcp)
    for part in [tcp / 10, tcp / 3, tcp / 2] {
      let cut = try heard(file("tcp"), eventBudget: part).0
      #expect(cut.end == .budget && (part..<part + 10).contains(cut.eventCount))
    }
  }

  /// An item of no media is rewound in no time: the end, the seek, and the end again.
  @Test func `a loop that takes no time uses up the budget`() throws {
    let outcome = try Written.run(
      #"""
      "link": {}, "media": { "local": { "duration": "10 s", "bitrate": "1 Mbit/s" } },
      "looping": "rewind", "script": [ { "at": "0 s", "do": "play" },
        { "at": "5 s", "do": "setForwardPlaybackEndTime", "to": "0 s" } ]
      """#)
    #expect(outcome.end == .budget && outcome.ended == .zero + .seconds(5))
  }
}

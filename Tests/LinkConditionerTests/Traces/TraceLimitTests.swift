import LinkConditioner
import Testing
import VirtualTime

/// Recordings at the limits of what is read: the last that is, and the first that is not.
@Suite struct TraceLimitTests {
  struct Limit: CustomTestStringConvertible {
    var within: String
    var beyond: String
    var message: String

    init(_ within: String, _ beyond: String, _ message: String) {
      (self.within, self.beyond, self.message) = (within, beyond, message)
    }

    var testDescription: String { beyond }
  }

  private static func received(_ bytes: String, _ milliseconds: String) -> String {
    "0 5 59.89 10.62 \(bytes) \(milliseconds)\n"
  }

  private static func lost(_ percents: String...) -> String {
    let rows = percents.map {
      "{\"duration\": 10, \"availableBandwidth\": 9000, \"packetLoss\": \($0)}"
    }
    return "[\(rows.joined(separator: ", "))]"
  }

  @Test(arguments: [
    // A terabit per second.
    Limit("0 1\n1 1000000\n", "0 1\n1 1000000.000001\n", "at most 1 Tbit/s"),
    // Eighteen digits.
    Limit("0 1\n1 0.999999999999999999\n", "0 1\n1 0.9999999999999999999\n", "18 significant"),
    // Times that rise.
    Limit("0\n3\n3\n", "0\n3\n2\n", "before that of the line above"),
    Limit(
      received("9", "1") + "0 5 59.89 10.62 9 1\n", received("9", "1") + "0 4 59.89 10.62 9 1\n",
      "before that of the line above"),
    // A billion seconds, and ten thousand gigabytes.
    Limit(received("9", "1000000000000"), received("9", "1000000000001"), "1000000000001 ms"),
    Limit(
      received("10000000000000", "1000000000000"),
      received("10000000000001", "1000000000000"), "10000000000001 bytes"
    ),
    Limit("1000000000000\n", "1000000000001\n", "1000000000001 ms"),
    // A billionth.
    Limit(lost("0.0000001"), lost("0.00000005"), "the denominator may be at most"),
    Limit(lost("100"), lost("100.1"), "100.1 %"),
    // Dates from 1970 on.
    Limit(
      "time,mbps\n1970-01-01 00:00:00,1\n1970-01-01 00:00:01,1\n",
      "time,mbps\n1969-12-31 23:59:59,1\n1970-01-01 00:00:01,1\n", "below zero"),
  ])
  func `a recording is read up to a limit, and not beyond it`(limit: Limit) throws {
    switch try Imported(Array(limit.within.utf8)) {
    case .trace(let trace): #expect(!trace.schedule.steps.isEmpty)
    case .profiles: Issue.record("a recording is no list of profiles")
    }
    do {
      _ = try Imported(Array(limit.beyond.utf8))
      Issue.record("\(limit.beyond) was read")
    } catch {
      #expect("\(error)".contains(limit.message), "\(error)")
    }
  }

  @Test(arguments: [("1", 0), ("2", 1)])
  func `loss that changes with time is left out with a note`(second: String, notes: Int) throws {
    guard case .trace(let trace) = try Imported(Array(Self.lost("1", second).utf8)) else { return }
    #expect(trace.notes.count { $0.contains("packet loss changes with time") } == notes)
    #expect(trace.conditions.downlink.loss.isNone == (notes == 1))
  }

  /// A rate as fast as a link carries, alone and beside one that needs a common denominator.
  @Test func `rates go up to a terabit per second and their numerators to ten to the eighteenth`()
    throws
  {
    func link(_ base: BitRate, _ rates: [BitRate]) throws -> Link {
      var conditions = LinkConditions.perfect
      conditions.downlink.bandwidth = .limited(base)
      let steps = rates.map {
        RateSchedule.Step(duration: .seconds(1), bandwidth: .limited($0))
      }
      let schedule = rates.isEmpty ? nil : try RateSchedule(steps: steps, ending: .loops)
      return try Link(conditions: conditions, schedule: schedule)
    }
    let fastest = BitRate(bitsPerSecond: 1_000_000_000_000)
    let faster = BitRate(bitsPerSecond: 1_000_000_000_001)
    #expect(throws: Never.self) { try link(fastest, [fastest]) }
    #expect(throws: LinkError.self) { try link(faster, []) }
    #expect(throws: LinkError.self) { try link(fastest, [faster]) }
    let millionth = BitRate(bitsPerSecond: 1, over: 1_000_000)
    #expect(throws: Never.self) { try link(fastest, [millionth, fastest]) }
    let finer = BitRate(bitsPerSecond: 1, over: 1_000_001)
    #expect(throws: LinkError.self) { try link(fastest, [finer]) }
  }
}

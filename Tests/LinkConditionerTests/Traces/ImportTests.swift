import LinkConditioner
import Testing
import VirtualTime

/// A trace by its steps: milliseconds and bits per second, nil for no limit.
struct ReadSteps: Equatable {
  var steps: [[Int64?]]

  init(_ schedule: RateSchedule) {
    steps = schedule.steps.map { step in
      switch step.bandwidth {
      case .unlimited: [step.duration.nanoseconds / 1_000_000, nil]
      case .limited(let rate): [step.duration.nanoseconds / 1_000_000, rate.roundedDown]
      }
    }
  }
}

@Suite struct ImportTests {
  struct NotATrace: Error {}

  static func read(_ text: String, _ options: ImportOptions = .init()) throws -> ImportedTrace {
    switch try Imported(Array(text.utf8), options: options) {
    case .trace(let trace): return trace
    case .profiles: throw NotATrace()
    }
  }

  static func steps(_ text: String, _ options: ImportOptions = .init()) throws -> [[Int64?]] {
    try ReadSteps(read(text, options).schedule).steps
  }

  @Test(arguments: [
    ("\u{FEFF}\n [ {\"duration_ms\":1,\"bandwidth_kbps\":2,\"latency_ms\":3}]", TraceFormat.sabre),
    ("[{\"duration\":1,\"serverEgress\":2,\"clientIngress\":3}]", .cadvise),
    ("0.0\t4.03\n0.5 4.79\n", .pensieve),
    ("\u{FEFF}{ Profiles = {}; }", .networkLinkConditioner),
    ("# a comment\r\n\r\n0\r\n1\r\n", .mahimahi),
    ("0,5M\n", .commaSeparated),
    ("1297715985 5276720 59.894124 10.629597 254601 1010\n", .hsdpa),
    ("<?xml version=\"1.0\"?><plist/>", .networkLinkConditioner),
    ("{ Profiles = {}; }", .networkLinkConditioner),
  ])
  func `the format is seen in the content`(text: String, format: TraceFormat) throws {
    #expect(try TraceFormat.detected(in: SourceText(Array(text.utf8))) == format)
    #expect(TraceFormat(rawValue: format.rawValue) == format)
  }

  @Test func `Sabre's periods loop, with their latency`() throws {
    let trace = try Self.read(
      """
      [ {"duration_ms": 30000, "bandwidth_kbps": 5000.5, "latency_ms":  75},
        {"duration_ms": 500, "bandwidth_kbps": 0, "latency_ms": 1.5e2} ]
      """)
    #expect(ReadSteps(trace.schedule).steps == [[30_000, 5_000_500], [500, 0]])
    #expect(trace.schedule.steps.map(\.latency) == [.milliseconds(75), .milliseconds(150)])
    let usual = TraceReading(
      interval: .explicit, ending: .loops, clock: .wall, answersInOutages: true)
    #expect(trace.reading == usual)
    #expect(trace.schedule.answersInOutages)
    #expect(trace.notes.isEmpty)
  }

  @Test func `Pensieve's samples end their intervals, and begin anew at zero`() throws {
    let text = "0.5 1.0\n1.0 2.5\n1.0 9\n3.25 0\n"
    let trace = try Self.read(text)
    #expect(ReadSteps(trace.schedule).steps == [[1_000, 2_500_000], [2_250, 0]])
    #expect(trace.schedule.offset == .milliseconds(500))
    #expect(trace.schedule.ending == .loops && trace.schedule.clock == .pausedDuringLatency)
    var options = ImportOptions(ending: .holds)
    (options.interval, options.clock) = (.starts, .wall)
    let other = try Self.read(text, options)
    #expect(
      ReadSteps(other.schedule).steps
        == [[500, 1_000_000], [2_250, 9_000_000], [1_000, 0]])
    #expect(other.reading == TraceReading(interval: .starts, ending: .holds, clock: .wall))
    options = ImportOptions()
    options.payload = LossRatio(19, over: 20)
    #expect(try Self.steps(text, options) == [[1_000, 2_375_000], [2_250, 0]])
  }

  @Test(
    arguments: [
      (1_000_000_000, BitRate(bitsPerSecond: 3, over: 1_000_000_000)),
      (1_000_000_001, BitRate(bitsPerSecond: 0)), (2_999, BitRate(bitsPerSecond: 3, over: 2_999)),
    ] as [(Int64, BitRate)])
  func `a share of a rate is exact up to a billionth of a bit per second`(
    parts: Int64, rate: BitRate
  ) throws {
    var options = ImportOptions(ending: .holds)
    options.payload = LossRatio(1, over: parts)
    let trace = try Self.read("seconds,bit/s\n0,3\n1,3\n", options)
    #expect(trace.schedule.steps[0].bandwidth == .limited(rate))
  }

  @Test func `decimals become ratios exactly`() throws {
    let trace = try Self.read("0 1\n0.549999952316\t0.826531177829\n")
    let rate = BitRate(bitsPerSecond: 826_531_177_829, over: 1_000_000)
    #expect(trace.schedule.steps[0].bandwidth == .limited(rate))
    #expect(trace.schedule.steps[0].duration == .nanoseconds(549_999_952))
  }

  @Test func `mahimahi's packets fill the millisecond they end or start`() throws {
    let text = "0\n1\n1\n2\n2\n5\n"
    // The packet at zero is the next round's, at five.
    #expect(
      try Self.steps(text) == [[2, 24_000_000], [2, 0], [1, 24_000_000]])
    #expect(try Self.read(text).schedule.length == .milliseconds(5))
    var options = ImportOptions()
    options.interval = .starts
    #expect(
      try Self.steps(text, options)
        == [[3, 24_000_000], [2, 0]])
  }

  @Test func `raw HSDPA logs say what came in the time before`() throws {
    let text = """
      1297715985 5276720 59.894124 10.629597 254601 1010
      1297715986 5277720 59.894124 10.629597 0 1000
      """
    let trace = try Self.read(text)
    let rate = BitRate(bitsPerSecond: 254_601 * 8_000, over: 1_010)
    #expect(trace.schedule.steps[0].bandwidth == .limited(rate))
    #expect(trace.schedule.steps[1].bandwidth == .limited(.zero))
    #expect(trace.schedule.length == .milliseconds(2_010))
    let ages = try Self.read("0 1 2 3 4 1000000000000\n")
    #expect(ages.schedule.length == .milliseconds(1_000_000_000_000))
  }

  @Test func `rates without a common denominator are rounded, and a note says so`() throws {
    let lines = (1...40).map { "1 \($0)000 0 0 100000 \(1_000 + $0)" }
    let trace = try Self.read(lines.joined(separator: "\n"))
    #expect(trace.notes.contains { $0.contains("rounded") })
    let expected = BitRate(bitsPerSecond: 799_200_799_200, over: 1_000_000)
    #expect(trace.schedule.steps[0].bandwidth == .limited(expected))
  }

  @Test func `CAdViSE's two ends: the narrower limit, zero for none`() throws {
    let trace = try Self.read(
      """
      [{"duration":10,"serverIngress":0,"serverEgress":0,"serverLatency":80,
        "clientIngress":7170,"clientEgress":0,"clientLatency":5},
       {"duration":2.5,"serverIngress":0,"serverEgress":900,"clientIngress":7170},
       {"duration":1,"serverIngress":3,"serverEgress":0,"clientIngress":0}]
      """)
    #expect(
      ReadSteps(trace.schedule).steps == [[10_000, 7_170_000], [2_500, 900_000], [1_000, nil]])
    #expect(trace.schedule.steps[0].latency == .milliseconds(85))
    #expect(trace.schedule.ending == .holds)
    #expect(trace.notes.contains { $0.contains("uplink") })
  }

  @Test func `CAdViSE's older files: milliseconds, and one loss for all`() throws {
    let text = """
      [{"duration":60000,"availableBandwidth":0,"latency":20,"packetLoss":1.5,"packetDuplicate":0}]
      """
    let trace = try Self.read(text)
    #expect(ReadSteps(trace.schedule).steps == [[60_000, nil]])
    #expect(trace.conditions.downlink.loss == LossRatio(3, over: 200))
    let duplicates = "duplication and corruption of packets are left out"
    #expect(!trace.notes.contains(duplicates))
    for share in [#""packetDuplicate":0.5"#, #""packetCorruption":1"#] {
      let other = try Self.read(text.replacing(#""packetDuplicate":0"#, with: share))
      #expect(other.notes.contains(duplicates))
    }
  }

  @Test func `seconds and bits per second, with or without a header, and suffixes`() throws {
    let text = "seconds,bits per second\r\n0, 5M\r\n1.5,780k\r\n\r\n3,1.25G // the end\r\n4,0"
    let expected: [[Int64?]] = [
      [1_500, 5_000_000], [1_500, 780_000], [1_000, 1_250_000_000], [1_000, 0],
    ]
    #expect(try Self.steps(text) == expected)
    #expect(try Self.read(text).schedule.ending == .holds)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `any line ending will do, and lines are counted`(ending: String) throws {
    let text = ["# speeds", "", "0 1", "1 2", "0.5 3"].joined(separator: ending)
    #expect(throws: ImportError.self) { try Self.read(text) }
    do {
      _ = try Self.read(text)
    } catch let error as ImportError {
      #expect(error.line == 5 && error.problem == .timeGoesBack)
    }
  }
}

import LinkConditioner
import Testing
import VirtualTime

@Suite struct ExportTests {
  static let threeG = Profile.named("3G")?.base ?? .perfect

  private func export(
    _ conditions: LinkConditions, _ schedule: RateSchedule?, _ format: ExportFormat
  ) -> LinkExport {
    LinkExport(conditions, schedule: schedule, as: format)
  }

  private func export(_ conditions: LinkConditions, _ format: ExportFormat) -> LinkExport {
    LinkExport(conditions, as: format)
  }

  @Test func `tc gets a netem queue a direction`() {
    let written = export(Self.threeG, .trafficControl)
    let expected = """
      #!/bin/sh
      # Goldilocks
      # usage: link.sh TOWARDS_THE_CLIENT TOWARDS_THE_SERVERS (interfaces of a router)
      set -e
      down=$1 up=$2
      tc qdisc replace dev "$up" root netem limit 103 delay 100ms rate 330000bit
      tc qdisc replace dev "$down" root netem limit 107 delay 100ms rate 780000bit

      """
    #expect(written.files == [.init(name: "link.sh", text: expected)])
    #expect(written.omissions.isEmpty)
  }

  @Test(arguments: [(12, 1_000_100), (11, 916_767)] as [(Int64, Int64)])
  func `netem delays a million packets at most`(gigabits: Int64, limit: Int64) {
    var conditions = LinkConditions.down(gigabits * 1_000_000_000)
    conditions.downlink.delay = .milliseconds(1_000)
    let text = export(conditions, .trafficControl).files[0].text
    #expect(text.contains(" limit \(limit) delay 1000ms"), "\(text)")
    conditions.downlink.delay = .milliseconds(2_000)
    let twice = export(conditions, .trafficControl).files[0].text
    // A bit more than a packet is two.
    conditions = .down(1)
    conditions.downlink.delay = .nanoseconds(12_000_000_000_001)
    let slow = export(conditions, .trafficControl).files[0].text
    #expect(slow.contains(" limit 102 "), "\(slow)")
    #expect(twice.contains(" limit 1000100 delay 2000ms"), "\(twice)")
  }

  /// In the model the packet on the line is none of those that queue.
  @Test func `a queue of no packets lets the packet on the line through`() {
    var conditions = LinkConditions.down(1_000_000)
    conditions.downlink.queuePackets = 0
    let netem = export(conditions, .trafficControl).files[0].text
    #expect(netem.contains("\"$down\" root netem limit 1 rate 1000000bit"), "\(netem)")
    let script = export(conditions, .mahimahi).files[2].text
    #expect(script.contains("--downlink-queue-args=packets=1 "), "\(script)")
    #expect(script.contains("--uplink-queue-args=packets=100 "), "\(script)")
  }

  @Test func `netem loses millionths of a percent`() {
    var conditions = LinkConditions.perfect
    conditions.downlink.loss = LossRatio(1, over: 3)
    conditions.downlink.delay = .nanoseconds(1_000_001)
    let text = export(conditions, .trafficControl).files[0].text
    #expect(text.contains(" limit 100100 delay 1.000001ms loss 33.333333%"), "\(text)")
  }

  @Test func `tc sleeps through a schedule, and an outage is loss`() throws {
    let schedule = try RateSchedule(
      steps: [ScheduleTests.step(1_500, 8_000), ScheduleTests.step(250, 0)], ending: .loops,
      offset: .milliseconds(500))
    let text = export(.perfect, schedule, .trafficControl).files[0].text
    let expected = """
      while :; do
      tc qdisc replace dev "$down" root netem limit 100 rate 8000bit
      sleep 1
      tc qdisc replace dev "$down" root netem limit 100100 loss 100%
      sleep 0.25
      tc qdisc replace dev "$down" root netem limit 100 rate 8000bit
      sleep 0.5
      done

      """
    #expect(text.hasSuffix(expected), "\(text)")
  }

  @Test func `an outage of both directions is one in both scripts of tc`() throws {
    let schedule = try RateSchedule(
      steps: [ScheduleTests.step(1_000, 8_000), ScheduleTests.step(250, 0)], ending: .holds)
    func written(_ format: ExportFormat) -> LinkExport {
      LinkExport(Self.threeG, schedule: schedule, stopsUplink: true, as: format)
    }
    let expected = """
      down=$1 up=$2
      tc qdisc replace dev "$up" root netem limit 103 delay 100ms rate 330000bit
      tc qdisc replace dev "$down" root netem limit 101 delay 100ms rate 8000bit
      sleep 1
      tc qdisc replace dev "$up" root netem limit 100100 delay 100ms loss 100%
      tc qdisc replace dev "$down" root netem limit 100100 delay 100ms loss 100%
      sleep 0.25

      """
    let script = written(.trafficControl)
    #expect(script.files[0].text.hasSuffix(expected), "\(script.files[0].text)")
    let omission = "that an outage stops the uplink as well"
    for format in ExportFormat.allCases {
      #expect(written(format).omissions.contains(omission) == (format != .trafficControl))
    }
  }

  @Test func `mahimahi gets packets, a delay and losses`() throws {
    var conditions = Self.threeG
    conditions.uplink.loss = LossRatio(1, over: 100)
    let written = export(conditions, .mahimahi)
    #expect(written.files.map(\.name) == ["downlink.trace", "uplink.trace", "link.sh"])
    // 65 packets a second: 13 in 200 ms.
    let lines = written.files[0].text.split(separator: "\n")
    #expect(lines.count == 13 && lines.first == "16" && lines.last == "200")
    #expect(written.files[2].text.contains("mm-delay 100 mm-loss uplink 0.01 mm-link uplink.trace"))
    #expect(written.omissions.isEmpty)
    conditions.uplink.loss = LossRatio(1, over: 3)
    let third = export(conditions, .mahimahi).files[2].text
    #expect(third.contains("mm-loss uplink 0.333333333 mm-link"), "\(third)")
  }

  /// 1,000 packets take 60.0006 s at this rate, and 1,009 take a minute at the other.
  @Test(arguments: [(199_998, 999, true), (201_800, 1_009, false)] as [(Int64, Int, Bool)])
  func `a mahimahi trace of a constant rate has a minute at most`(
    bits: Int64, packets: Int, isCut: Bool
  ) {
    let written = export(.down(bits), .mahimahi)
    #expect(written.files[0].text.split(separator: "\n").count == packets)
    let omission = "fractions of a packet in a minute"
    #expect(written.omissions.contains(omission) == isCut, "\(written.omissions)")
  }

  /// A packet takes 60 s, 60.3015 s, 1,000 s, 3,000 s, and 4,000 s, of which an hour is left.
  @Test(
    arguments: [(200, 60_000), (199, 60_302), (12, 1_000_000), (4, 3_000_000), (3, 3_600_000)]
      as [(Int64, Int64)])
  func `a mahimahi trace of a low rate has one packet`(bits: Int64, milliseconds: Int64) {
    let written = export(.down(bits), .mahimahi)
    #expect(written.files[0].text == "\(milliseconds)\n")
    #expect(written.omissions.contains { $0.hasPrefix("an outage") } == (bits == 3))
  }

  /// 200 Mbit/s are a million packets of 1,500 bytes a minute.
  @Test(arguments: [(200, false), (201, true)] as [(Int64, Bool)])
  func `a mahimahi trace has a million packets at most`(megabits: Int64, isCut: Bool) throws {
    let steps = [megabits * 1_000, 0].map { rate in
      RateSchedule.Step(
        duration: .seconds(60), bandwidth: .limited(.kilobitsPerSecond(rate)))
    }
    let written = export(.perfect, try RateSchedule(steps: steps, ending: .loops), .mahimahi)
    #expect(written.files[0].text.utf8.count { $0 == UInt8(ascii: "\n") } == 1_000_000)
    let omission = "the packets after the first 1000000"
    #expect(written.omissions.contains(omission) == isCut, "\(written.omissions)")
  }

  @Test func `a mahimahi trace that is written is read as the same link`() throws {
    let steps = [ScheduleTests.step(2_000, 12_000_000), ScheduleTests.step(1_000, 24_000_000)]
    let schedule = try RateSchedule(steps: steps, ending: .loops)
    let text = export(.perfect, schedule, .mahimahi).files[0].text
    let trace = try ImportTests.read(text)
    #expect(trace.format == .mahimahi)
    #expect(ReadSteps(trace.schedule) == ReadSteps(schedule))
  }

  @Test func `an outage or no limit is more than mahimahi can say`() {
    let outage = export(.down(0), .mahimahi)
    #expect(outage.files[0].text == "3600000\n")
    #expect(outage.omissions.contains { $0.hasPrefix("an outage") })
    #expect(outage.omissions.contains { $0.hasPrefix("an unlimited bandwidth") })
  }

  @Test func `DevTools gets bytes per second and one latency`() {
    let written = export(Self.threeG, .chromeDevTools)
    let expected = """
      {
        "offline": false,
        "latency": 200,
        "downloadThroughput": 97500,
        "uploadThroughput": 41250
      }

      """
    #expect(written.files == [.init(name: "conditions.json", text: expected)])
    #expect(export(.down(0), .chromeDevTools).files[0].text.contains("\"offline\": true"))
    var conditions = LinkConditions.perfect
    conditions.downlink.bandwidth = .limited(BitRate(bitsPerSecond: 16, over: 3))
    let third = export(conditions, .chromeDevTools)
    #expect(third.files[0].text.contains("downloadThroughput\": 0.666667,"), "\(third.files)")
    #expect(export(.perfect, .chromeDevTools).files[0].text.contains("Throughput\": -1"))
  }

  @Test(arguments: ExportFormat.allCases)
  func `what a format cannot express is said`(format: ExportFormat) throws {
    var conditions = Profile.named("Edge")?.base ?? .perfect
    conditions.dnsDelay = .seconds(3)
    conditions.downlink.loss = LossRatio(1, over: 50)
    let schedule = try RateSchedule(
      steps: [ScheduleTests.step(1, 999, latency: 5), ScheduleTests.step(1, 1_001)],
      ending: .holds, clock: .pausedDuringLatency)
    let omissions = export(conditions, schedule, format).omissions.joined(separator: "; ")
    let expected: [String] =
      switch format {
      case .trafficControl: ["DNS", "exact instants"]
      case .mahimahi: ["DNS", "differ by direction", "last step holds"]
      case .networkLinkConditioner: ["every step", "queues"]
      case .chromeDevTools:
        ["DNS", "packet loss", "differ by direction", "every step", "packets and queues"]
      }
    for words in expected + ["adds to each request", "stands still"] {
      #expect(omissions.contains(words), "\(omissions)")
    }
    #expect(ExportFormat(rawValue: format.rawValue) == format)
  }
}

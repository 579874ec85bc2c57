import LinkConditioner
import VirtualTime

/// Input of a simulation: a link and the clients that download over it.
struct SessionPlan: Sendable {
  struct Client: Sendable {
    var requests: [PlannedRequest]
    var options: ConnectionOptions
    var startMilliseconds: Double = 0
    /// A flow that is cut when the others have finished.
    var endsWithTheOthers = false
  }

  var conditions: LinkConditions
  var path: PathOptions
  /// Bits per second, one for each step, over and over; empty where the rate stays.
  var schedule: [Int64] = []
  var step = TimeSpan.zero
  var clients: [Client] = []

  var isLossy: Bool { !conditions.downlink.loss.isNone || !conditions.uplink.loss.isNone }

  func results(seeds: Int) -> [[SimulatedRequest]] {
    (0..<UInt64(seeds)).map { seed in
      var session = SimulatedSession(self, seed: seed)
      session.run()
      return session.result
    }
  }
}

typealias SimulatedRequest = (client: Int, index: Int, seconds: Double)

extension SessionPlan {
  /// Latency that the hosts and the software link of the testbed add to each way, by the smallest
  /// cells: the connect time less two delays and two SYNs.
  static let testbedLatency = TimeSpan.microseconds(125)

  /// A loss of less than that is none.
  private static let finestLoss: Int64 = 1_000_000_000

  /// Keys of a row that describe its link.
  static let keys = [
    "topology", "downBitsPerSecond", "upBitsPerSecond", "downDelayMs", "upDelayMs", "downLoss",
    "upLoss", "downQueuePackets", "upQueuePackets",
  ]

  init(linkOf row: MeasuredRow) throws(Failure) {
    // A queue and a serialiser each way, or a token bucket in the serialiser's place.
    var isBucket = row.has("tokenBucketSchedule")
    if row.has("topology"), try row.text("topology", oneOf: ["box", "token bucket"]) != "box" {
      isBucket = true
    }
    path = PathOptions(idleLink: isBucket ? .passesAtOnce : .serialises)
    let downlink = try Self.direction("down", row)
    conditions = LinkConditions(downlink: downlink, uplink: try Self.direction("up", row))
  }

  private static func direction(
    _ name: String, _ row: MeasuredRow
  ) throws(Failure) -> DirectionConditions {
    let rate = try row.whole(name + "BitsPerSecond", in: 1...LinkLimits.fastestRate.roundedDown)
    let delay = try row.number(name + "DelayMs", in: 0...1_000_000)
    let loss = try row.number(name + "Loss", in: 0...1)
    let queue = try row.whole(name + "QueuePackets", in: 0...1_000_000)
    return DirectionConditions(
      bandwidth: .limited(.bitsPerSecond(rate)),
      delay: TimeSpan(nanoseconds: Int64((delay * 1_000_000).rounded())) + testbedLatency,
      loss: LossRatio(Int64((loss * Double(finestLoss)).rounded()), over: finestLoss),
      queuePackets: Int32(queue))
  }

  mutating func readSchedule(_ row: MeasuredRow) throws(Failure) {
    if row.has("lossPosition") {
      let position = try row.text("lossPosition", oneOf: ["before the queue", "after the queue"])
      if position == "after the queue" { path.lossPosition = .afterQueue }
    }
    let keys = ["schedule", "tokenBucketSchedule"].filter { row.has($0) }
    guard let key = keys.first else {
      if row.has("stepMs") { throw row.wrong("stepMs", "a 'schedule' beside it") }
      return
    }
    if keys.count > 1 { throw row.wrong(key, "none beside '\(keys[1])'") }
    for rate in try row.numbers(key, in: 1...Double(LinkLimits.fastestRate.roundedDown)) {
      guard let rate = Int64(exactly: rate) else { throw row.wrong(key, "whole rates") }
      schedule.append(rate)
    }
    if schedule.isEmpty { throw row.wrong(key, "at least one rate") }
    step = .nanoseconds(Int64(try row.number("stepMs", in: 1...1_000_000) * 1_000_000))
  }
}

extension SessionPlan.Client {
  init(_ source: MeasuredRow, of row: MeasuredRow, _ control: CongestionControl) throws(Failure) {
    guard let requests = RequestPlan.requests(try source.text("plan")) else {
      throw source.wrong("plan", "requests such as 'C0:500000,0:500000,@6000:1350000'")
    }
    self.requests = requests
    let window = try row.whole("initialWindow", in: 1...10_000)
    let idles = try row.whole("slowStartAfterIdle", in: 0...1) == 1
    options = ConnectionOptions(
      congestionControl: control, initialWindow: Int32(window), slowStartAfterIdle: idles)
    if source.has("startMs") {
      startMilliseconds = try source.number("startMs", in: 0...RequestPlan.longestPause)
    }
    if source.has("endsWithTheOthers") {
      endsWithTheOthers = try source.boolean("endsWithTheOthers")
    }
  }
}

import LinkConditioner
import VirtualTime

struct MeasuredPath: Sendable {
  let conditions: LinkConditions
  let isLossy: Bool
  let options: PathOptions

  /// Latency that the hosts and the software link of the testbed add to each way, by the smallest
  /// cells: the connect time less two delays and two SYNs.
  static let testbedLatency = TimeSpan.microseconds(125)

  /// A loss of less than that is none.
  private static let finestLoss: Int64 = 1_000_000_000

  init(_ row: MeasuredRow) throws(Failure) {
    // A queue and a serialiser each way, or a token bucket in the serialiser's place.
    var isBucket = row.has("tokenBucketSchedule")
    if row.has("topology"), try row.text("topology", oneOf: ["box", "token bucket"]) != "box" {
      isBucket = true
    }
    options = PathOptions(idleLink: isBucket ? .passesAtOnce : .serialises)
    let downlink = try MeasuredPath.direction("down", row)
    let uplink = try MeasuredPath.direction("up", row)
    conditions = LinkConditions(downlink: downlink, uplink: uplink)
    isLossy = !downlink.loss.isNone || !uplink.loss.isNone
  }

  /// Keys of a row that describe its link.
  static let keys = [
    "topology", "downBitsPerSecond", "upBitsPerSecond", "downDelayMs", "upDelayMs", "downLoss",
    "upLoss", "downQueuePackets", "upQueuePackets",
  ]

  /// Keys of a row that describe the row and its measurement, except the times that are read.
  static let descriptions = [
    "group", "cell", "runs", "connectSeconds", "firstByteSeconds", "totalSeconds",
    "totalSecondsSamples",
  ]

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
      loss: LossRatio(
        Int64((loss * Double(finestLoss)).rounded()), over: finestLoss),
      queuePackets: Int32(queue))
  }
}

/// The congestion controls that can be predicted, by the names the measurements use.
func congestionControl(_ name: String) -> CongestionControl? {
  switch name {
  case "reno": .reno
  case "cubic": .cubic
  case "bbr": .bbr
  default: nil
  }
}

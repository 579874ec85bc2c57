import LinkConditioner
import VirtualTime

/// The link that a row was measured over.
struct MeasuredPath: Sendable {
  let conditions: LinkConditions
  let isLossy: Bool

  /// What the hosts and the software link of the testbed add to each way, by the smallest cells:
  /// the connect time less two delays and two SYNs.
  static let testbedLatency = TimeSpan.microseconds(125)

  init(_ row: MeasuredRow) throws(Failure) {
    let downlink = try MeasuredPath.direction("down", row)
    let uplink = try MeasuredPath.direction("up", row)
    conditions = LinkConditions(downlink: downlink, uplink: uplink)
    isLossy = !downlink.loss.isNone || !uplink.loss.isNone
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
      loss: LossRatio(Int64((loss * 1_000_000).rounded()), over: 1_000_000),
      queuePackets: Int32(queue))
  }
}

/// The congestion controls that can be predicted, by the names the measurements use.
func congestionControl(_ name: String) -> CongestionControl? {
  switch name {
  case "reno": .reno
  case "cubic": .cubic
  default: nil
  }
}

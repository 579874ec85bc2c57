import VirtualTime

extension LinkExport {
  /// One netem queue a direction, which delays, loses and serialises (tc-netem(8)).
  mutating func writeTrafficControl(_ source: ExportSource) {
    var lines = [
      "#!/bin/sh",
      "# \(source.name.split { $0.isNewline }.joined(separator: " "))",
      "# usage: link.sh TOWARDS_THE_CLIENT TOWARDS_THE_SERVERS (interfaces of a router)",
      "set -e",
      "down=$1 up=$2",
    ]
    let (down, up) = (source.conditions.downlink, source.conditions.uplink)
    if !source.stopsUplink { lines.append(netem("up", up, up.bandwidth)) }
    if source.loops, source.changes { lines.append("while :; do") }
    for step in source.steps {
      if source.stopsUplink {
        let isOutage = step.bandwidth == .limited(.zero)
        lines.append(netem("up", up, isOutage ? step.bandwidth : up.bandwidth))
      }
      lines.append(netem("down", down, step.bandwidth))
      if !source.changes { break }
      let seconds = decimal(Int128(step.duration.nanoseconds), over: 1_000_000_000, places: 9)
      // A command before `&&` may fail in spite of `set -e`.
      lines.append("sleep \(seconds.0)")
    }
    if source.changes {
      if source.loops { lines.append("done") }
      omit("the exact instants of the steps: a shell sleeps a little longer than it is told")
    }
    noteDNS(source)
    files.append(File(name: "link.sh", text: lines.joined(separator: "\n") + "\n"))
  }

  private mutating func netem(
    _ device: String, _ direction: DirectionConditions, _ bandwidth: Bandwidth
  ) -> String {
    var words = "tc qdisc replace dev \"$\(device)\" root netem"
    var loss = direction.loss
    var rate: Int64 = 0
    switch bandwidth {
    case .unlimited: break
    case .limited(let limit) where limit.isZero: loss = .total
    case .limited(let limit):
      rate = max(1, limit.roundedDown)
      if limit.denominator != 1 { omit("fractions of a bit per second") }
    }
    // netem counts the packets it delays with those that queue, and the one that it serialises.
    let delayed = scaled(
      rate, by: direction.delay.nanoseconds, over: 12_000_000_000_000, rounding: .up)
    let queue = Int64(max(1, direction.queuePackets))
    let limit = queue + (rate == 0 ? 100_000 : min(delayed, 1_000_000))
    words += " limit \(limit)"
    if direction.delay > .zero { words += " delay \(direction.delay.milliseconds)ms" }
    if !loss.isNone { words += " loss \(loss.percent)%" }
    if rate > 0 { words += " rate \(rate)bit" }
    return words
  }

  mutating func noteDNS(_ source: ExportSource) {
    if source.conditions.dnsDelay > .zero { omit("the delay of DNS lookups") }
  }
}

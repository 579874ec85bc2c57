import VirtualTime

extension LinkExport {
  /// Packet delivery opportunities for mm-link, delay for mm-delay, loss for mm-loss.
  mutating func writeMahimahi(_ source: ExportSource) {
    let up = RateSchedule.Step(duration: .forever, bandwidth: source.conditions.uplink.bandwidth)
    files.append(File(name: "downlink.trace", text: trace(source.steps)))
    files.append(File(name: "uplink.trace", text: trace([up])))
    var command = ""
    let (down, upward) = (source.conditions.downlink, source.conditions.uplink)
    if source.conditions.roundTrip > .zero {
      let half = decimal(
        Int128(source.conditions.roundTrip.nanoseconds), over: 2_000_000, places: 0)
      command += "mm-delay \(half.0) "
      if !half.exact { omit("fractions of a millisecond of delay") }
      if down.delay != upward.delay { omit("delays that differ by direction: each has half") }
    }
    for (name, loss) in [("uplink", upward.loss), ("downlink", down.loss)] where !loss.isNone {
      let ratio = decimal(Int128(loss.numerator), over: Int128(loss.denominator), places: 9)
      command += "mm-loss \(name) \(ratio.0) "
    }
    command += "mm-link uplink.trace downlink.trace"
    for (name, direction) in [("uplink", upward), ("downlink", down)] {
      // A queue of no packets would let none through.
      let packets = max(1, direction.queuePackets)
      command += " --\(name)-queue=droptail --\(name)-queue-args=packets=\(packets)"
    }
    files.append(File(name: "link.sh", text: "#!/bin/sh\nexec \(command) -- \"$@\"\n"))
    if source.changes && !source.loops { omit("that the last step holds: mm-link loops a trace") }
    noteDNS(source)
  }

  private mutating func trace(_ steps: [RateSchedule.Step]) -> String {
    if steps.count == 1 { return trace(steps[0].bandwidth) }
    var writer = OpportunityWriter()
    for step in steps {
      writer.append(rate(step.bandwidth), nanoseconds: step.duration.nanoseconds)
    }
    if writer.isCut { omit("the packets after the first \(OpportunityWriter.mostLines)") }
    omit("anything finer than a packet of 1,500 bytes in its millisecond")
    if writer.endsInSilence { omit("the time after the last packet: mm-link loops at once") }
    return writer.text.isEmpty ? silence() : writer.text
  }

  /// A constant rate: as many milliseconds as bring a whole number of packets, if they are few.
  private mutating func trace(_ bandwidth: Bandwidth) -> String {
    let rate = rate(bandwidth)
    if rate.isZero { return silence() }
    let perPacket = OpportunityWriter.packetBits * 1_000 * Int128(rate.denominator)
    let divisor = greatestCommonDivisor(Int64(clamping: perPacket), rate.numerator)
    var milliseconds = perPacket / Int128(divisor)
    if milliseconds > 60_000 {
      // Below 200 bit/s no packet is earned in a minute.
      let packet = quotient(perPacket, Int128(rate.numerator), rounding: .up)
      milliseconds = min(max(60_000, packet), 3_600_000)
      omit("fractions of a packet in a minute")
    }
    var writer = OpportunityWriter()
    writer.append(rate, nanoseconds: Int64(milliseconds) * 1_000_000)
    if writer.isCut { omit("the packets after the first \(OpportunityWriter.mostLines)") }
    return writer.text.isEmpty ? silence() : writer.text
  }

  private mutating func silence() -> String {
    omit("an outage: a trace has at least one packet, here one an hour")
    return "3600000\n"
  }

  private mutating func rate(_ bandwidth: Bandwidth) -> BitRate {
    switch bandwidth {
    case .limited(let rate): return rate
    case .unlimited:
      omit("an unlimited bandwidth: it is written as 1 Gbit/s")
      return .megabitsPerSecond(1_000)
    }
  }
}

/// Writes the millisecond by whose end each packet has been earned.
private struct OpportunityWriter {
  static let packetBits: Int128 = 12_000
  static let mostLines = 1_000_000

  private(set) var text = ""
  private(set) var isCut = false
  private var lines = 0
  private var begin: Int128 = 0
  private var last: Int128 = 0
  /// Bits earned towards the next packet, over `denominator`.
  private var earned: Int128 = 0
  private var denominator: Int128 = 1

  /// Whether whole milliseconds follow the last packet.
  var endsInSilence: Bool { begin - last * 1_000_000 >= 1_000_000 }

  mutating func append(_ rate: BitRate, nanoseconds: Int64) {
    // A carried fraction of a bit is rounded down; a packet is 12,000 of them.
    let scale = Int128(rate.denominator) * 1_000_000_000
    let (bits, rest) = earned.quotientAndRemainder(dividingBy: denominator)
    let carried = bits * scale + rest * scale / denominator
    let packet = Self.packetBits * scale
    let total = carried + Int128(rate.numerator) * Int128(nanoseconds)
    let count = total / packet
    for index in 0..<Int64(clamping: count) {
      if lines == Self.mostLines {
        isCut = true
        break
      }
      let missing = packet * Int128(index + 1) - carried
      let offset = quotient(missing, Int128(rate.numerator), rounding: .up)
      let instant = quotient(begin + offset, 1_000_000, rounding: .up)
      text += "\(Int64(clamping: instant))\n"
      last = instant
      lines += 1
    }
    earned = total - count * packet
    denominator = scale
    begin += Int128(nanoseconds)
  }
}

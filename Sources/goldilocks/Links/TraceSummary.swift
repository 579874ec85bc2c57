import ExactText
import LinkConditioner
import RunReports
import VirtualTime

/// A recorded link in a few words.
struct TraceSummary {
  private let trace: ImportedTrace
  private var fastest: BitRate?
  private var slowest: BitRate?
  /// Nanoseconds without a limit.
  private var unlimited: Int64 = 0
  /// Nanoseconds of each outage.
  private var outages: [Int64] = []
  /// Bits times a billion.
  private var bits: Int128 = 0

  init(_ trace: ImportedTrace) {
    self.trace = trace
    var isOut = false
    for step in trace.schedule.steps {
      let duration = step.duration.nanoseconds
      switch step.bandwidth {
      case .unlimited:
        unlimited += duration
        isOut = false
      case .limited(let rate):
        fastest = max(fastest ?? rate, rate)
        slowest = min(slowest ?? rate, rate)
        bits += Int128(rate.numerator) * Int128(duration) / Int128(rate.denominator)
        if rate.isZero {
          if isOut { outages[outages.count - 1] += duration } else { outages.append(duration) }
        }
        isOut = rate.isZero
      }
    }
  }

  var text: String {
    let schedule = trace.schedule
    let ending =
      switch schedule.ending {
      case .loops: "then repeats"
      case .holds: "then holds its last value"
      }
    var lines = [
      "\(trace.format.rawValue) trace: \(counted(Int64(schedule.steps.count), "step")) "
        + "over \(exactText(schedule.length)), \(ending)"
    ]
    if let fastest, let slowest {
      let limited = max(schedule.length.nanoseconds - unlimited, 1)
      let mean = shown(bits, over: Int128(limited))
      lines.append("mean \(mean), from \(shown(slowest)) to \(shown(fastest))")
    }
    if unlimited > 0 { lines.append("without a limit for \(exactText(.nanoseconds(unlimited)))") }
    if let longest = outages.max() {
      let all = outages.reduce(0, +)
      lines.append(
        "\(counted(Int64(outages.count), "outage")) of \(exactText(.nanoseconds(all))) in all, "
          + "the longest \(exactText(.nanoseconds(longest)))")
    } else {
      lines.append("no outage")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func shown(_ rate: BitRate) -> String {
    shown(Int128(rate.numerator), over: Int128(rate.denominator))
  }

  /// A rate in bits per second, rounded: thousandths of the unit are enough for a look.
  private func shown(_ numerator: Int128, over denominator: Int128) -> String {
    let step: Int128 = numerator >= 1_000_000 * denominator ? 1_000 : 1
    let steps = (2 * numerator + step * denominator) / (2 * step * denominator)
    return exactText(BitRate(bitsPerSecond: Int64(clamping: steps * step)))
  }
}

extension ImportedProfile {
  var summary: String {
    "\(name): down \(words(conditions.downlink)), up \(words(conditions.uplink)), "
      + "DNS \(exactText(conditions.dnsDelay))\n"
  }

  private func words(_ direction: DirectionConditions) -> String {
    let loss = direction.loss.isNone ? "" : " \(exactText(direction.loss)) lost"
    return exactText(direction.bandwidth) + " \(exactText(direction.delay))" + loss
  }
}

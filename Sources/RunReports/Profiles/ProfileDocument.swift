package import ExactText
package import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension Profile {
  /// As a member of an answer; bandwidths are bits per second, null where there is no limit.
  package func document(named name: String) -> JSONTree {
    var (fixed, relative): (JSONTree?, JSONTree?)
    switch downlink {
    case .fixed(let bandwidth): fixed = bandwidth.document
    case .relativeToMedia(let thousandths): relative = .decimal(thousandths, places: 3)
    }
    return [
      "name": .string(name),
      "catalogue": .string(catalogue.name),
      "downlinkBitsPerSecond": fixed,
      "downlinkPerMediaBitrate": relative,
      "uplinkBitsPerSecond": base.uplink.bandwidth.document,
      "downlinkDelaySeconds": .seconds(base.downlink.delay.nanoseconds),
      "uplinkDelaySeconds": .seconds(base.uplink.delay.nanoseconds),
      "downlinkLoss": base.downlink.loss.document,
      "uplinkLoss": base.uplink.loss.document,
      "dnsDelaySeconds": .seconds(base.dnsDelay.nanoseconds),
      "provenance": .string(provenance),
      "disagreement": .text(disagreement),
    ]
  }
}

extension Bandwidth {
  fileprivate var document: JSONTree {
    switch self {
    case .unlimited: .null
    case .limited(let rate): .whole(rate.roundedDown)
    }
  }
}

extension LossRatio {
  fileprivate var document: JSONTree {
    .decimal(scaled(numerator, by: 1_000_000, over: denominator, rounding: .down), places: 6)
  }
}

import ExactText
package import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension JSONWriter {
  /// Writes profiles under their names, as a member.
  package mutating func profiles(_ profiles: [(String, Profile)]) {
    key("profiles")
    beginArray()
    for (name, profile) in profiles { self.profile(profile, name: name) }
    endArray()
  }

  /// Writes a profile; bandwidths are bits per second, null where there is no limit.
  private mutating func profile(_ profile: Profile, name: String) {
    beginObject()
    key("name")
    string(name)
    key("catalogue")
    string(profile.catalogue.name)
    switch profile.downlink {
    case .fixed(let bandwidth):
      key("downlinkBitsPerSecond")
      self.bandwidth(bandwidth)
    case .relativeToMedia(let thousandths):
      key("downlinkPerMediaBitrate")
      decimal(thousandths, places: 3)
    }
    key("uplinkBitsPerSecond")
    bandwidth(profile.base.uplink.bandwidth)
    key("downlinkDelaySeconds")
    seconds(profile.base.downlink.delay.nanoseconds)
    key("uplinkDelaySeconds")
    seconds(profile.base.uplink.delay.nanoseconds)
    key("downlinkLoss")
    loss(profile.base.downlink.loss)
    key("uplinkLoss")
    loss(profile.base.uplink.loss)
    key("dnsDelaySeconds")
    seconds(profile.base.dnsDelay.nanoseconds)
    key("provenance")
    string(profile.provenance)
    key("disagreement")
    if let disagreement = profile.disagreement { string(disagreement) } else { null() }
    endObject()
  }

  private mutating func bandwidth(_ bandwidth: Bandwidth) {
    switch bandwidth {
    case .unlimited: null()
    case .limited(let rate): integer(rate.roundedDown)
    }
  }

  private mutating func loss(_ loss: LossRatio) {
    decimal(
      scaled(loss.numerator, by: 1_000_000, over: loss.denominator, rounding: .down), places: 6)
  }
}

import VirtualTime

/// The tables' shorthand: kbit/s (zero is no limit), milliseconds, per mille; down before up.
struct ProfileRow {
  var name: String
  var rate: (down: Int64, up: Int64)
  var delay: (down: Int64, up: Int64)
  var loss: Int64
  var dnsDelay: Int64 = 0
  var queue: Int32 = 100
  var disagreement: String?

  /// Delays as they are each way.
  init(
    _ name: String, _ down: Int64, _ up: Int64, _ delayDown: Int64, _ delayUp: Int64,
    loss: Int64 = 0, dns: Int64 = 0, queue: Int32 = 100, but disagreement: String? = nil
  ) {
    self.name = name
    rate = (down, up)
    delay = (delayDown * 1_000, delayUp * 1_000)
    self.loss = loss
    dnsDelay = dns
    self.queue = queue
    self.disagreement = disagreement
  }

  /// A whole round trip; `tenths` for the sources that state a fraction of a millisecond.
  init(
    _ name: String, _ down: Int64, _ up: Int64, roundTrip: Int64, tenths: Int64 = 0,
    loss: Int64 = 0, but disagreement: String? = nil
  ) {
    self.init(name, down, up, 0, 0, loss: loss, but: disagreement)
    let half = (roundTrip * 10 + tenths) * 50
    delay = (half, half)
  }

  func profile(_ catalogue: Profile.Catalogue, _ stated: Profile.StatedDelay) -> Profile {
    Profile(
      catalogue, name, conditions(bitsPerUnit: 1_000), delay: stated, disagreement: disagreement)
  }

  func conditions(bitsPerUnit: Int64) -> LinkConditions {
    func direction(_ rate: Int64, _ delay: Int64) -> DirectionConditions {
      .init(
        bandwidth: rate == 0 ? .unlimited : .limited(.bitsPerSecond(rate * bitsPerUnit)),
        delay: .microseconds(delay), loss: LossRatio(loss, over: 1_000), queuePackets: queue)
    }
    return LinkConditions(
      downlink: direction(rate.down, delay.down), uplink: direction(rate.up, delay.up),
      dnsDelay: .milliseconds(dnsDelay))
  }
}

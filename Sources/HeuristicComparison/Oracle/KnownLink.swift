package import LinkConditioner
import VirtualTime

/// A link whose whole future is known.
package struct KnownLink: Hashable, Sendable {
  package var conditions: LinkConditions
  package var schedule: RateSchedule?
  /// Stretches in which nothing gets through, in order; they do not touch each other.
  package let outages: [Range<Int64>]

  /// - Parameter outages: In nanoseconds; they may overlap.
  package init(
    _ conditions: LinkConditions, schedule: RateSchedule? = nil, outages: [Range<Int64>] = []
  ) {
    self.conditions = conditions
    self.schedule = schedule
    var joined: [Range<Int64>] = []
    for outage in outages.sorted(by: { $0.lowerBound < $1.lowerBound }) where !outage.isEmpty {
      if let last = joined.last, outage.lowerBound <= last.upperBound {
        joined[joined.count - 1] =
          last.lowerBound..<max(last.upperBound, outage.upperBound)
      } else {
        joined.append(outage)
      }
    }
    self.outages = joined
  }

  /// From a request to its response, where the schedule adds nothing.
  var roundTrip: Int64 { conditions.waits.ofEach.nanoseconds }

  /// Whether one of its directions lets nothing through, ever.
  var isBarred: Bool {
    conditions.downlink.bandwidth == .limited(.zero)
      || conditions.uplink.bandwidth == .limited(.zero)
      || conditions.downlink.loss.isTotal || conditions.uplink.loss.isTotal
  }
}

/// A link's bit rate as a ratio; nil without a limit.
struct KnownRate: Hashable {
  var bits: Int128
  var seconds: Int128

  static let nothing = KnownRate(.zero)

  /// The lower of two limits; nil where neither is one.
  static func lower(_ a: Bandwidth, _ b: Bandwidth) -> KnownRate? {
    switch (a, b) {
    case (.unlimited, .unlimited): nil
    case (.limited(let rate), .unlimited), (.unlimited, .limited(let rate)): KnownRate(rate)
    case (.limited(let a), .limited(let b)): KnownRate(min(a, b))
    }
  }

  private init(_ rate: BitRate) {
    (bits, seconds) = (Int128(rate.numerator), Int128(rate.denominator))
  }
}

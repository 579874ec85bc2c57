/// Smoothed round trip and retransmission timeout.
///
/// RFC 6298, with the variation taken as the largest of a round trip and never below the minimum
/// timeout, so that the timeout is the smoothed round trip plus at least that minimum.
package struct RoundTripEstimator: Sendable {
  /// Eight times the smoothed round trip.
  private var smoothed8: Int64 = 0
  /// Four times the mean deviation.
  private var deviation4: Int64 = 0
  /// The largest of these since the round trip under way began.
  private var largest4: Int64 = 0
  /// The margin of the timeout over the smoothed round trip.
  private var margin: Int64 = 0
  /// The sequence number that ends the round trip under way.
  private var roundEnd: Int64 = 0
  package private(set) var timeout = RoundTripEstimator.initialTimeout

  // RFC 6298 §2.1: one second until a round trip has been measured.
  package static let initialTimeout: Int64 = 1_000_000_000
  package static let minimumMargin: Int64 = 200_000_000
  package static let maximumTimeout: Int64 = 120_000_000_000

  package init() {}

  package var hasSample: Bool { smoothed8 > 0 }

  package var smoothed: Int64 { smoothed8 >> 3 }

  package mutating func add(_ sample: Int64, acknowledged: Int64, next: Int64) {
    let sample = max(sample, 1_000)
    if smoothed8 == 0 {
      // RFC 6298 §2.2: SRTT = R, RTTVAR = R/2.
      smoothed8 = sample << 3
      deviation4 = sample << 1
      margin = max(deviation4, Self.minimumMargin)
      largest4 = margin
      roundEnd = next
    } else {
      smooth(sample)
      if acknowledged > roundEnd {
        if largest4 < margin { margin -= (margin - largest4) >> 2 }
        roundEnd = next
        largest4 = Self.minimumMargin
      }
    }
    timeout = min(CoarseTimer.ticks(smoothed + margin) * CoarseTimer.tick, Self.maximumTimeout)
  }

  private mutating func smooth(_ sample: Int64) {
    // RFC 6298 §2.3: alpha 1/8, beta 1/4.
    let error = sample - (smoothed8 >> 3)
    smoothed8 += error
    var deviation = (error < 0 ? -error : error) - (deviation4 >> 2)
    // A round trip that got shorter must not raise the timeout as fast as one that got longer.
    if error < 0, deviation > 0 { deviation >>= 3 }
    deviation4 += deviation
    if deviation4 > largest4 {
      largest4 = deviation4
      margin = max(margin, largest4)
    }
  }
}

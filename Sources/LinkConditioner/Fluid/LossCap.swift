import VirtualTime

/// The throughput limit that packet loss sets in the long run.
package enum LossCap {
  /// Bytes of payload in a full segment of Ethernet's size with time stamps.
  static let segmentBytes: Int128 = 1_448

  /// The whole bits per second that one transfer gets on the average, nil where loss costs nothing.
  ///
  /// Mathis, Semke, Mahdavi, Ott (1997): 1.22 × segment ÷ (round trip × √loss), with the loss of
  /// the downlink. A lost acknowledgement costs nothing, as the next one says what it said.
  package static func bitsPerSecond(_ conditions: LinkConditions) -> Int64? {
    if conditions.losesEverything { return 0 }
    let loss = conditions.downlink.loss
    let roundTrip = conditions.roundTrip.nanoseconds
    if loss.isNone || roundTrip == 0 { return nil }
    // Squared, so that the one irrational step is an integer square root at the end.
    let bits = 61 * segmentBytes * 8 * 1_000_000_000 / 50
    let square =
      bits * bits * Int128(loss.denominator) / Int128(loss.numerator)
      / (Int128(roundTrip) * Int128(roundTrip))
    // A round trip of hours would round to an outage, which it is not.
    return Int64(min(max(1, integerSquareRoot(square)), Int128(LinkLimits.fastestRate.numerator)))
  }
}

extension LinkConditions {
  fileprivate var losesEverything: Bool { downlink.loss.isTotal || uplink.loss.isTotal }

  /// Whether nothing gets through, either because nothing arrives or because nothing is answered.
  var isOutage: Bool {
    losesEverything || downlink.bandwidth == .limited(.zero)
      || uplink.bandwidth == .limited(.zero)
  }
}

/// Leaves slow start before a queue overflow: at one long acknowledgement train or a growing RTT.
///
/// Ha and Rhee, "Taming the elephants: New TCP slow start" (2011); RFC 9406 §4 for the delay.
package struct HybridSlowStart: Sendable {
  /// Below this window there is too little to measure.
  private static let lowestWindow: Int64 = 16
  /// Acknowledgements closer than this belong to one train.
  private static let trainGap: Int64 = 2_000_000
  /// The longest time that acknowledgements may be held back to be sent together.
  private static let gathering: Int64 = 1_000_000
  private static let samplesNeeded: Int64 = 8

  private var hasEnded = false
  private var roundEnd: Int64 = 0
  private var roundStart: Int64 = 0
  private var lastInTrain: Int64 = 0
  private var shortest: Int64 = .max
  private var samples: Int64 = 0

  package mutating func beginRound(next: Int64, at now: Int64) {
    roundEnd = next
    roundStart = now
    lastInTrain = now
    shortest = .max
    samples = 0
  }

  /// Hears of a round trip; true when it is time to leave slow start.
  package mutating func hear(
    roundTrip: Int64, minimum: Int64, window: Int64, acknowledged: Int64, next: Int64,
    at now: Int64
  ) -> Bool {
    if hasEnded { return false }
    if acknowledged > roundEnd { beginRound(next: next, at: now) }
    guard window >= Self.lowestWindow else { return false }
    hasEnded = trainIsLong(minimum, at: now) || delayHasGrown(roundTrip, minimum)
    return hasEnded
  }

  private mutating func trainIsLong(_ minimum: Int64, at now: Int64) -> Bool {
    guard now - lastInTrain <= Self.trainGap else { return false }
    lastInTrain = now
    // A train half a round trip long fills the pipe one way; gathered acknowledgements stretch it.
    return now - roundStart > (minimum + Self.gathering) >> 1
  }

  private mutating func delayHasGrown(_ roundTrip: Int64, _ minimum: Int64) -> Bool {
    shortest = min(shortest, roundTrip)
    if samples < Self.samplesNeeded {
      samples += 1
      return false
    }
    // RFC 9406 §4.2: an eighth of the shortest round trip, between 4 and 16 ms.
    return shortest > minimum + min(max(minimum >> 3, 4_000_000), 16_000_000)
  }
}

package import ExactText
import ScenarioRunner
import VirtualTime

/// One way to rate a session, in a unit of its own: objectives differ in the fair price of a stall.
package struct Objective: Sendable {
  package let name: String
  package let unit: String
  package let isGain: Bool
  /// The prices of a purely linear objective: the best possible value is known for these alone.
  package var prices: LinearPrices?
  /// Whether it goes by the length of stalls: then one that never ends leaves it without a number.
  package var lastsWithStalls = false
  let value: @Sendable (ViewedSession) -> Int64?

  /// In billionths of the unit; nil where a session has none, or its log does not tell it.
  /// `LinearPrices.most` bounds a sum.
  package func billionths(_ session: ViewedSession) -> Int64? {
    lastsWithStalls && session.gaps.hideStallTimes ? nil : value(session)
  }
}

extension Objective {
  package static let all: [Objective] = [
    abandonment, playLost, pensieveLinear,
    mpc("mpcBalanced", change: 1, stalling: 3_000),
    mpc("mpcAvoidInstability", change: 3, stalling: 3_000),
    mpc("mpcAvoidRebuffering", change: 1, stalling: 6_000),
    startupScore, rebufferPercentage, rebufferFrequency, meanRebuffer, meanBitrate,
  ]

  package static func named(_ name: String) -> Objective? { all.first { $0.name == name } }

  /// The share of viewers who leave before playback begins: 5.8 % for each second beyond two
  /// (Krishnan and Sitaraman, "Video Stream Quality Impacts Viewer Behavior", IMC 2012).
  static let abandonment = Objective(name: "abandonment", unit: "of 1", isGain: false) { session in
    guard let startup = session.startup else { return session.gaps.contains(.start) ? nil : whole }
    let beyond = max(2 * whole, startup.nanoseconds) - 2 * whole
    return min(whole, scaled(beyond, by: 58, over: 1_000, rounding: .down))
  }

  /// The same study: who stalls for 1 % of a video's length plays 5 % less of it.
  static let playLost = Objective(
    name: "playLost", unit: "of 1", isGain: false, lastsWithStalls: true
  ) { session in
    let length = session.segments.reduce(MediaTime.zero) { $0 + $1.length }
    if length <= .zero { return nil }
    let share = scaled(
      session.stalled.nanoseconds, by: 5 * whole, over: length.nanoseconds, rounding: .down)
    return min(whole, share)
  }

  /// Mbit/s of each segment, less 4.3 for 1 s of waiting or startup, less the Mbit/s of each change
  /// (Mao, Netravali, Alizadeh, "Neural Adaptive Video Streaming with Pensieve", SIGCOMM 2017).
  static let pensieveLinear = linear(
    "pensieveLinear", unit: "Mbit/s",
    LinearPrices(bit: 1_000, change: 1_000, tenNanoseconds: 43))

  /// Yin, Jindal, Sekar, Sinopoli, "A Control-Theoretic Approach for Dynamic Adaptive Video
  /// Streaming over HTTP" (SIGCOMM 2015): prices of 1 kbit/s of change and 1 s of stall or startup.
  private static func mpc(_ name: String, change: Int64, stalling: Int64) -> Objective {
    linear(
      name, unit: "kbit/s",
      LinearPrices(bit: 1_000_000, change: change * 1_000_000, tenNanoseconds: stalling * 10))
  }

  private static func linear(_ name: String, unit: String, _ prices: LinearPrices) -> Objective {
    Objective(name: name, unit: unit, isGain: true, prices: prices, lastsWithStalls: true) {
      prices.value(of: $0)
    }
  }

  /// 100 × 8 s over 8 s and the startup delay (Mux).
  static let startupScore = Objective(name: "startupScore", unit: "of 100", isGain: true) {
    session in
    guard let startup = session.startup else { return session.gaps.contains(.start) ? nil : 0 }
    let divisor = max(1, saturatingSum(8 * whole, startup.nanoseconds))
    return scaled(800 * whole, by: whole, over: divisor, rounding: .down)
  }

  /// Stalled time over stalled and played time (Mux; Conviva's connection-induced ratio).
  static let rebufferPercentage = ofWatched("rebufferPercentage", "%", each: 100 * Int128(whole)) {
    $0.stalled.nanoseconds
  }

  /// Stalls in a minute of stalled and played time (Mux).
  static let rebufferFrequency = ofWatched(
    "rebufferFrequency", "a minute", each: 60 * Int128(whole * whole)
  ) { $0.stallCount }

  /// Something over stalled and played time; nil where nothing was watched.
  private static func ofWatched(
    _ name: String, _ unit: String, each factor: Int128,
    _ amount: @escaping @Sendable (ViewedSession) -> Int64
  ) -> Objective {
    Objective(name: name, unit: unit, isGain: false, lastsWithStalls: true) { session in
      let watched = (session.stalled + session.played).nanoseconds
      if watched <= 0 { return nil }
      let product = saturatingProduct(Int128(amount(session)), factor)
      return Int64(clamping: quotient(product, Int128(watched), rounding: .down))
    }
  }

  /// Mean length of a stall (Mux).
  static let meanRebuffer = Objective(
    name: "meanRebuffer", unit: "s", isGain: false, lastsWithStalls: true
  ) { session in
    session.stallCount == 0 ? nil : session.stalled.nanoseconds / session.stallCount
  }

  /// The nominal bit rates, each for as long as it plays (Apple's time-weighted bit rate).
  static let meanBitrate = Objective(name: "meanBitrate", unit: "Mbit/s", isGain: true) {
    $0.meanBitRate(times: 1_000)
  }

  private static var whole: Int64 { 1_000_000_000 }

  /// The value of a session, as a name and words for a screen; `number` writes billionths.
  package func fact(
    of session: ViewedSession, _ number: (Int64) -> String
  ) -> (name: String, words: String) {
    guard let value = billionths(session) else {
      return (name, session.gaps.isEmpty ? "none" : "unknown")
    }
    let isBeyond = value.magnitude == LinearPrices.most.magnitude
    return (name, (isBeyond ? "beyond " : "") + number(value) + " " + unit)
  }
}

extension [Objective] {
  package func document(of session: ViewedSession) -> JSONTree {
    ["objectives": .members(map { ($0.name, .decimal($0.billionths(session), places: 9)) })]
  }
}

/// Prices of a linear objective, in billionths of its unit.
package struct LinearPrices: Hashable, Sendable {
  /// For a bit/s of a segment.
  package var bit: Int64
  /// Against a bit/s of a change from one segment to the next.
  package var change: Int64
  /// Against ten nanoseconds of waiting, at the start and in stalls alike.
  package var tenNanoseconds: Int64

  package init(bit: Int64, change: Int64, tenNanoseconds: Int64) {
    (self.bit, self.change, self.tenNanoseconds) = (bit, change, tenNanoseconds)
  }

  /// The gain of a segment, given the bit rate of the one before; nil for the first segment.
  package func gain(_ bitsPerSecond: Int64, after before: Int64?) -> Int128 {
    let rate = Int128(bitsPerSecond)
    return rate * Int128(bit) - abs(rate - Int128(before ?? bitsPerSecond)) * Int128(change)
  }

  /// The largest value, and negated the least: samples have further ones for no number.
  package static let most = Int64.max - 1

  package func value(_ gain: Int128, waited: Int64) -> Int64 {
    let waiting = quotient(Int128(waited) * Int128(tenNanoseconds), 10, rounding: .up)
    return Int64(min(max(gain - waiting, -Int128(Self.most)), Int128(Self.most)))
  }

  func value(of session: ViewedSession) -> Int64? {
    // Without the segments that were played, the waiting alone would be the value.
    guard let startup = session.startup, !session.segments.isEmpty || session.played <= .zero
    else { return nil }
    var (sum, before) = (Int128(0), Int64?.none)
    for segment in session.segments {
      sum += gain(segment.bitsPerSecond, after: before)
      before = segment.bitsPerSecond
    }
    return value(sum, waited: (startup + session.stalled).nanoseconds)
  }
}

import ExactText
import PlayerPolicies
import VirtualTime

// The rules of the literature, as a scenario mixes them: a row for each.

@KeyRows<NextVariantRule?> var publishedKeys: KeyRows<NextVariantRule?> {
  Key.oneOf(
    "sabreThroughput", { $0 = .published($1) }, SabrePart.throughput,
    "Sabre's throughput rule: what nine tenths of the estimate sustain, latency included.")
  Key.oneOf(
    "bola", { $0 = .published($1) }, SabrePart.bola,
    "BOLA: the variant of most utility for its bits and the buffer.")
  Key.oneOf(
    "enhancedBola", { $0 = .published($1) }, SabrePart.enhancedBola,
    "BOLA-E: BOLA with a placeholder, and with a rule against an insufficient buffer.")
  Key.oneOf(
    "dynamic", { $0 = .published($1) }, SabrePart.dynamic,
    "DYNAMIC: Sabre's throughput rule while little is ahead, BOLA while there is enough.")
  Key.oneOf(
    "predictive", { $0 = .published(.predictive($1)) }, predictiveForm,
    "Model-predictive control: of all choices for the segments ahead the best.")
}

private struct SabrePart {
  var buffer = MediaTime.seconds(25)
  var gamma: Int64 = 5_000
  var isBasic = false
  var avoidsOscillation = false
  var safety: Int64 = 90
  var hasBufferRule = true
  var lowMark = MediaTime.seconds(10)
  var average = SabreAverage.Kind.halfLives(of: [.seconds(3), .seconds(8)])

  static let throughput = KeyTable<Self>("sabreThroughput", "Sabre's throughput rule.") {
    shareKey
    bufferRuleKey
    averageKey
  }.form(SabrePart()) { part, _ in PublishedRule.throughput(part.throughput, part.average) }

  static let bola = KeyTable<Self>("bola", "BOLA.") {
    bufferKey
    gammaKey
    basicKey
    oscillationKey
    averageKey
  }.form(SabrePart()) { part, _ in PublishedRule.bola(part.bola, part.average) }

  static let enhancedBola = KeyTable<Self>("enhancedBola", "BOLA-E.") {
    bufferKey
    gammaKey
    oscillationKey
    bufferRuleKey
    averageKey
  }.form(SabrePart()) { part, _ in
    PublishedRule.enhancedBola(
      EnhancedBolaRule(
        gamma: part.gamma, buffer: part.buffer, avoidsOscillation: part.avoidsOscillation,
        hasBufferRule: part.hasBufferRule), part.average)
  }

  static let dynamic = KeyTable<Self>("dynamic", "DYNAMIC.") {
    bufferKey
    gammaKey
    basicKey
    oscillationKey
    shareKey
    bufferRuleKey
    Key.optional(
      "lowBuffer", { $0.lowMark = $1 }, .mediaDuration.examples("10 s"), absent: "10 s",
      "Forward buffer from which BOLA decides, and below which it does not.")
    averageKey
  }.form(SabrePart()) { part, _ in
    PublishedRule.dynamic(
      DynamicRule(bola: part.bola, throughput: part.throughput, lowMark: part.lowMark),
      part.average)
  }

  private var bola: BolaRule {
    BolaRule(gamma: gamma, buffer: buffer, isBasic: isBasic, avoidsOscillation: avoidsOscillation)
  }

  private var throughput: SabreThroughputRule {
    SabreThroughputRule(percent: safety, hasBufferRule: hasBufferRule)
  }

  private static let bufferKey = Key<Self>.optional(
    "buffer", { $0.buffer = $1 }, .mediaDuration.examples("25 s"), absent: "25 s",
    "Limit of the forward buffer: the same as in streamFetch.")

  private static let gammaKey = Key<Self>.optional(
    "gamma", { $0.gamma = $1 }, thousandths, absent: 5,
    "The authors' γp: the utility of a full buffer.")

  private static let basicKey = Key<Self>.optional(
    "basic", { $0.isBasic = $1 }, .boolean, absent: false,
    "Whether the buffer counts as whole from the first segment to the last.")

  private static let oscillationKey = Key<Self>.optional(
    "avoidsOscillation", { $0.avoidsOscillation = $1 }, .boolean, absent: false,
    "Whether going up stops at the sustained quality, not one step above it: BOLA-O.")

  private static let shareKey = Key<Self>.optional(
    "share", { $0.safety = $1 }, .percent(in: 1...1_000), absent: "90 %",
    "The share of the estimate that a variant may need.")

  private static let bufferRuleKey = Key<Self>.optional(
    "bufferRule", { $0.hasBufferRule = $1 }, .boolean, absent: true,
    "Whether a segment must come, at a falling share of the estimate, while the buffer lasts.")

  private static let averageKey = Key<Self>.optional(
    "average", { $0.average = $1 }, averageForm,
    "Average of segments' throughput, from first byte to last; by default half-lives of 3 s and "
      + "8 s.")
}

private let averageForm = KeyTable<SabreAverage.Kind?>(
  "average", "The least of several averages of the throughput, the greatest of the latency."
) {
  Key.oneOf(
    "halfLives", { if !$1.isEmpty { $0 = .halfLives(of: $1) } },
    .list(of: .spanAboveZero, atLeast: 1).examples(["3 s", "8 s"]),
    "Half-lives of the averages: the transfer after which a segment counts half.")
  Key.oneOf(
    "windows", { if !$1.isEmpty { $0 = .windows($1) } },
    .list(of: Form<Int>.whole(in: 1...1_000), atLeast: 1), "The mean of this many segments.")
}.form()

private let predictiveForm = KeyTable<(seat: PredictiveSeat, weights: PredictiveRule.Weights)>(
  "predictive", "Model-predictive control."
) {
  Key.optional(
    "horizon", { $0.seat.rule.horizon = $1 }, .whole(in: 1...8), absent: 5,
    "Segments in its look-ahead.")
  Key.optional(
    "quality", { $0.weights.quality = $1 }, thousandths, absent: 1,
    "Reward of a segment's bit rate, for each Mbit/s.")
  Key.optional(
    "stalling", { $0.weights.stalling = $1 }, thousandths, absent: .number("4.3"),
    "Cost of a second of stalled time.")
  Key.optional(
    "change", { $0.weights.change = $1 }, thousandths, absent: 1,
    "Cost of each Mbit/s of change.")
  Key.optional(
    "window", { $0.seat.window = $1 }, .whole(in: 1...1_000), absent: 5,
    "Throughputs in the harmonic mean.")
  Key.optional(
    "robust", { $0.seat.isRobust = $1 }, .boolean, absent: true,
    "Whether the mean is divided by 1 + the largest relative error of the last `window` "
      + "estimates: RobustMPC.")
  Key.optional(
    "clock", { $0.seat.clock = $1 }, .cases, absent: "request",
    "Whether the time of a segment is counted from its request or from its first byte.")
  Key.optional(
    "sizes", { $0.seat.sizes = $1 }, .cases, absent: "own",
    "Whether segments ahead count with their own sizes, or, as in Pensieve's mpc.py, each with "
      + "that of the one after it.")
}.form((.usual, PredictiveRule.Weights())) { part, _ in
  changed(part.seat) { $0.rule = PredictiveRule(horizon: $0.rule.horizon, part.weights) }
}

/// A number from zero up with at most three decimals, in thousandths.
private let thousandths = Form<Int64>(.number(from: 0, through: 1_000_000)) { node in
  if let units = node.value.units(places: 3), (0...1_000_000_000).contains(units) { return units }
  return node.refuseKind(
    expected: "a number from 0 to 1000000 with at most three decimals, such as 4.3")
}

import ExactText
import PlayerPolicies
import VirtualTime

// The throughput estimator of a player, as a scenario composes it.

extension EstimatorDescription {
  static let form = KeyTable<Self>("estimator", "A player's throughput estimator.") {
    Key.oneOf(
      "line", { $0.measure = .line(otherwise: $1) }, historyForm,
      "The file's rate at this instant, as if it lasted, which no real player "
        + "knows; over tcp, this history.")
    Key.oneOf(
      "history", { $0.measure = .history($1) }, historyForm,
      "Bytes received in periods of the past.")
    Key.oneOf("samples", { $0.measure = .samples($1) }, samplesForm, "Statistics of samples.")
    Key.optional(
      "prior", { $0.prior = $1 }, .bitRateLimit,
      "Estimate before there is enough evidence; none by default.")
    Key.optional(
      "gate", { $0.gate = $1 }, gateForm, "Evidence required before the estimate is used.")
  }.form(.usual)
}

private let gateForm = KeyTable<EstimatorDescription.Gate>(
  "gate", "Evidence required before an estimate is used: one of these.", least: 1
) {
  Key.optional("bytes", { $0.bytes = $1 }, .bytesAboveZero, "Bytes.")
  Key.optional("transfer", { $0.span = $1 }, .span, "Time in which bytes arrived.")
}.form(.closed) { gate, object in
  gate == .closed
    ? object.node.refuse("the gate is always open", expected: "“bytes” or “transfer”") : gate
}

private let historyForm = KeyTable<HistoryRule?>(
  "history", "Bytes received in periods of the past."
) {
  Key.oneOf(
    "leastSince", { $0 = .leastSince($1) }, leastSinceForm,
    "The least mean from one of the oldest entries of a window until now.")
}.form().or([("sinceBeginning", .sinceBeginning), ("afterThirdOfWait", .afterThirdOfWait)])

private let leastSinceForm = KeyTable<HistoryRule.SinceRule>(
  "leastSince", "The least mean since one of the oldest entries."
) {
  Key.optional(
    "window", { $0.window = $1 }, .spanAboveZero, absent: "10 s", "Length of the window.")
  Key.optional(
    "leastBytes", { $0.leastBytes = $1 }, .bytesAboveZero, absent: "1000 B",
    "Bytes received between entries.")
  Key.optional(
    "leastEntries", { $0.leastEntries = $1 }, .whole(in: 1...1_000), absent: 5,
    "Least samples of an estimate.")
  Key.optional(
    "leftOut", { $0.newest = $1 }, .whole(in: 0...1_000), absent: 3,
    "Newest entries that are left out.")
  Key.optional(
    "oldest", { $0.oldest = $1 }, .whole(in: 1...1_000), absent: 20,
    "Oldest entries that are used.")
}.form(.usual)

private let samplesForm = KeyTable<SampleStatistics>(
  "samples", "Samples of the throughput, and their statistics."
) {
  Key.required(
    "statistics", { $0.statistics = $1 },
    .list(of: .object(StatisticPart.form, or: .words([("last", .last)])), atLeast: 1),
    "Statistics of the samples; of several the least counts.")
  Key.optional(
    "cut", { $0.sampling.boundary = $1 },
    .object(
      progressForm,
      or: .words([
        ("requestEnds", .requestEnds), ("mainRequestEnds", .mainRequestEnds),
        ("mainSegmentEnds", .mainSegmentEnds), ("segmentEnds", .segmentEnds),
      ])),
    absent: "requestEnds", "Boundaries of samples.")
  Key.optional(
    "clock", { $0.sampling.clock = $1 }, .cases, absent: "response",
    "Whether the time of a request is counted from when it was made or from its first byte.")
  Key.optional(
    "leastBytes", { $0.sampling.leastBytes = $1 }, .bytes, absent: "0 B",
    "Least bytes of a sample.")
  Key.optional(
    "leastSpan", { $0.sampling.leastSpan = $1 }, .span, absent: "0 s",
    "Least duration of a sample.")
  Key.optional(
    "countsCancelled", { $0.sampling.countsCancelled = $1 }, .boolean, absent: false,
    "Whether the bytes of a cancelled request count; those of a segment that was given up for "
      + "another variant always do.")
}.form(.usual)

private let progressForm = KeyTable<(every: TimeSpan, bytes: Int64)>(
  "progress", "A piece of a request is a sample.", least: 1
) {
  Key.optional("every", { $0.every = $1 }, .span, absent: "0 s", "Least time passed.")
  Key.optional("bytes", { $0.bytes = $1 }, .bytes, absent: "0 B", "Least bytes received.")
}.form((.zero, 0)) { part, _ in Sampling.Boundary.progress(every: part.every, bytes: part.bytes) }

private struct StatisticPart {
  var statistic: SampleStatistic?
  var weight: Int64 = 1_000
  var weightLimit: Int64 = 2_000

  static let form = KeyTable<Self>("statistic", "A statistic of samples.") {
    Key.oneOf(
      "mean", { $0.statistic = .mean(of: $1) }, .whole(in: 1...10_000),
      "The bytes of the last samples over their time.")
    Key.oneOf(
      "harmonicMean", { $0.statistic = .harmonicMean(of: $1) }, .whole(in: 1...10_000),
      "The harmonic mean of the rates of the last ones.")
    Key.oneOf(
      "halfLife", { $0.statistic = .halfLife($1) }, .spanAboveZero,
      "An average whose weights halve after this time of transfer.")
    Key.oneOf(
      "percentile", { $0.statistic = .percentile($1, weightLimit: 2_000) }, .percent(in: 1...100),
      "A percentile of the rates, each weighted by the square root of its bytes.")
    Key.oneOf(
      "runningMean", { $0.statistic = .runningMean(limit: $1) }, .spanAboveZero,
      "An average whose past weighs at most this time of transfer.")
    Key.optional(
      "weight", { $0.weight = $1 }, .whole(in: 1...1_000_000), absent: 1_000,
      "Weight of a second of transfer in a half-life, in thousandths."
    ).beside("halfLife", expected: "a half-life to weigh")
    Key.optional(
      "weightLimit", { $0.weightLimit = $1 }, .whole(in: 1...1_000_000_000), absent: 2_000,
      "Total weight that counts in a percentile."
    ).beside("percentile", expected: "a percentile to weigh")
  }.form(StatisticPart()) { part, _ -> SampleStatistic? in
    switch part.statistic {
    case .halfLife(let span, _): .halfLife(span, weight: part.weight)
    case .percentile(let percent, _): .percentile(percent, weightLimit: part.weightLimit)
    case .last, .mean, .harmonicMean, .runningMean, nil: part.statistic
    }
  }
}

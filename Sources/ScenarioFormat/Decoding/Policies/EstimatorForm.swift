import ExactText
import PlayerPolicies
import VirtualTime

// The throughput estimator of a player, as a scenario composes it.

extension Form<EstimatorDescription> {
  static var estimator: Form { EstimatorPart.form }
}

private struct EstimatorPart {
  var measure: EstimatorDescription.Measure?
  var prior: Int64?
  var gate = EstimatorDescription.Gate.none

  static let form = KeyTable<Self>("estimator", "How a player comes to believe in a throughput.") {
    Key.oneOf(
      "line", .history,
      "How the bytes of a file come in at this instant, as if it lasted, which no real player "
        + "knows; over packets what stands here."
    ) { $0.measure = .line(otherwise: $1) }
    Key.oneOf("history", .history, "What came in during stretches of the past.") {
      $0.measure = .history($1)
    }
    Key.oneOf("samples", SamplesPart.form, "Statistics of samples.") { $0.measure = .samples($1) }
    Key.optional(
      "prior", .wholeBitRate(.bitRate, in: 0...Int64.max, "a whole number of bits per second"),
      "What is believed before enough was seen; nothing unless said otherwise."
    ) { $0.prior = $1 }
    Key.optional("gate", GatePart.form, "What must have been seen before it is relied on.") {
      $0.gate = $1
    }
  }.form(EstimatorPart()) { part, _ in
    part.measure.map { EstimatorDescription($0, prior: part.prior, gate: part.gate) }
  }
}

private struct GatePart {
  var bytes: Int64?
  var span: TimeSpan?

  static let form = KeyTable<Self>(
    "gate", "What must have been seen before an estimate is relied on: one of these.", least: 1
  ) {
    Key.optional("bytes", .bytesAboveZero, "So many bytes.") { $0.bytes = $1 }
    Key.optional("transfer", .span, "So much time in which something came in.") { $0.span = $1 }
  }.form(GatePart()) { part, object -> EstimatorDescription.Gate? in
    if part.bytes == nil, part.span == nil {
      object.node.refuse("the gate is always open", expected: "“bytes” or “transfer”")
      return nil
    }
    return EstimatorDescription.Gate(bytes: part.bytes ?? .max, span: part.span ?? .forever)
  }
}

// MARK: - The past

extension Form<HistoryRule> {
  fileprivate static var history: Form {
    .object(
      HistoryPart.form,
      or: .words([("sinceBeginning", .sinceBeginning), ("sinceWait", .sinceWait)]))
  }
}

private struct HistoryPart {
  var rule: HistoryRule?

  static let form = KeyTable<Self>("history", "What came in during stretches of the past.") {
    Key.oneOf(
      "leastSince", LeastSincePart.form,
      "The least mean from one of the oldest entries of a window until now."
    ) { $0.rule = .leastSince($1) }
  }.form(HistoryPart()) { part, _ in part.rule }
}

private struct LeastSincePart {
  var rule = HistoryRule.SinceRule(
    window: .seconds(10), leastBytes: 1_000, leastEntries: 5, newest: 3, oldest: 20)

  static let form = KeyTable<Self>("leastSince", "The least mean since one of the oldest entries.")
  {
    Key.optional("window", .spanAboveZero, absent: "10 s", "How far back it goes.") {
      $0.rule.window = $1
    }
    Key.optional(
      "leastBytes", .bytesAboveZero, absent: "1000 B", "What must have come for the next entry."
    ) { $0.rule.leastBytes = $1 }
    Key.optional(
      "leastEntries", .whole(in: 1...1_000), absent: 5, "Without so many nothing is known."
    ) { $0.rule.leastEntries = $1 }
    Key.optional(
      "leftOut", .whole(in: 0...1_000), absent: 3, "How many of the newest are left out."
    ) { $0.rule.newest = $1 }
    Key.optional(
      "oldest", .whole(in: 1...1_000), absent: 20, "How many of the oldest are looked at."
    ) { $0.rule.oldest = $1 }
  }.form(LeastSincePart()) { part, _ in part.rule }
}

// MARK: - Samples

private struct SamplesPart {
  var sampling = Sampling(.requestEnds)
  var statistics: [SampleStatistic] = []

  static let form = KeyTable<Self>("samples", "How samples are cut, and what is made of them.") {
    Key.required(
      "statistics", .list(of: .statistic, atLeast: 1),
      "What is made of them; where there are several, the least counts."
    ) { $0.statistics = $1 }
    Key.optional(
      "cut", .boundary, absent: "requestEnds", "Where one sample ends and the next begins."
    ) { $0.sampling.boundary = $1 }
    Key.optional(
      "clock", .words([("request", .request), ("response", .response)]), absent: "response",
      "Whether the time of a request is counted from when it was made or from its first byte."
    ) { $0.sampling.clock = $1 }
    Key.optional("leastBytes", .bytes, absent: "0 B", "What brought less is no sample.") {
      $0.sampling.leastBytes = $1
    }
    Key.optional("leastSpan", .span, absent: "0 s", "What took less is no sample.") {
      $0.sampling.leastSpan = $1
    }
    Key.optional(
      "countsCancelled", .boolean, absent: false,
      "Whether what came of a request that was cancelled counts."
    ) { $0.sampling.countsCancelled = $1 }
  }.form(SamplesPart()) { part, _ in
    part.statistics.isEmpty ? nil : SampleStatistics(part.statistics, over: part.sampling)
  }
}

extension Form<Sampling.Boundary> {
  fileprivate static var boundary: Form {
    .object(
      ProgressPart.form,
      or: .words([("requestEnds", .requestEnds), ("mainSegmentEnds", .mainSegmentEnds)]))
  }
}

private struct ProgressPart {
  var every = TimeSpan.zero
  var bytes: Int64 = 0

  static let form = KeyTable<Self>("progress", "A piece of a request is a sample.", least: 1) {
    Key.optional("every", .span, absent: "0 s", "How much time must have passed.") {
      $0.every = $1
    }
    Key.optional("bytes", .bytes, absent: "0 B", "How many bytes must have come.") {
      $0.bytes = $1
    }
  }.form(ProgressPart()) { part, _ in
    Sampling.Boundary.progress(every: part.every, bytes: part.bytes)
  }
}

extension Form<SampleStatistic> {
  fileprivate static var statistic: Form {
    .object(StatisticPart.form, or: .words([("last", .last)]))
  }
}

private struct StatisticPart {
  var statistic: SampleStatistic?
  var weight: Int64 = 1_000
  var weightLimit: Int64 = 2_000

  static let form = KeyTable<Self>("statistic", "What is made of samples.") {
    Key.oneOf("mean", .whole(in: 1...10_000), "All bytes of the last samples over all time.") {
      $0.statistic = .mean(of: $1)
    }
    Key.oneOf(
      "harmonicMean", .whole(in: 1...10_000), "The harmonic mean of the rates of the last ones."
    ) { $0.statistic = .harmonicMean(of: $1) }
    Key.oneOf(
      "halfLife", .spanAboveZero, "An average in which a sample counts half after so much transfer."
    ) { $0.statistic = .halfLife($1) }
    Key.oneOf(
      "percentile", .percent(in: 1...100), "Of the rates, each with the root of its bytes."
    ) { $0.statistic = .percentile($1, weightLimit: 2_000) }
    Key.oneOf(
      "runningMean", .spanAboveZero, "An average whose past counts as at most so much transfer."
    ) { $0.statistic = .runningMean(limit: $1) }
    Key.optional(
      "weight", .whole(in: 1...1_000_000), absent: 1_000,
      "What a second of transfer counts as in a half-life, in thousandths."
    ) { $0.weight = $1 }.beside("halfLife", expected: "a half-life to weigh")
    Key.optional(
      "weightLimit", .whole(in: 1...1_000_000_000), absent: 2_000,
      "How much weight counts in all in a percentile."
    ) { $0.weightLimit = $1 }.beside("percentile", expected: "a percentile to weigh")
  }.form(StatisticPart()) { part, _ -> SampleStatistic? in
    switch part.statistic {
    case .halfLife(let span, _): .halfLife(span, weight: part.weight)
    case .percentile(let percent, _): .percentile(percent, weightLimit: part.weightLimit)
    case .last, .mean, .harmonicMean, .runningMean, nil: part.statistic
    }
  }
}

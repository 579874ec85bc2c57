package import VirtualTime

/// How a player comes to believe something of the link.
package struct EstimatorDescription: Hashable, Sendable {
  package var measure: Measure
  /// What is believed before enough was seen, in bit/s; nil for nothing.
  package var prior: Int64?
  package var gate: Gate

  package init(_ measure: Measure, prior: Int64? = nil, gate: Gate = .none) {
    self.measure = measure
    self.prior = prior
    self.gate = gate
  }

  /// What is measured.
  package enum Measure: Hashable, Sendable {
    /// How the bytes of a file come in at this instant, as if it lasted; where they come in
    /// packets, what they brought in the past.
    ///
    /// Exact for a file over a link whose rate does not change. No real player knows it.
    case line(otherwise: HistoryRule)
    /// Statistics of samples.
    case samples(SampleStatistics)
    /// What came in during stretches of the past.
    case history(HistoryRule)
  }

  /// What must have been seen before it is relied on: so many bytes, or that much transfer.
  package struct Gate: Hashable, Sendable {
    package var bytes: Int64
    package var span: TimeSpan

    package init(bytes: Int64 = .max, span: TimeSpan = .forever) {
      self.bytes = bytes
      self.span = span
    }

    /// Whatever was seen is relied on.
    package static let none = Gate(bytes: 1)

    func isPassed(by bytes: Int64, _ span: TimeSpan) -> Bool {
      bytes >= self.bytes || span >= self.span
    }
  }

  /// What it has to be told.
  ///
  /// - Parameter flows: Whether bytes come in as a fluid, whose line can be believed in.
  package func subscription(flows: Bool) -> Subscription {
    switch measure {
    case .samples(let statistics): statistics.sampling.subscription
    case .history(let rule): rule.subscription
    case .line(let rule): flows ? .ends : rule.subscription
    }
  }
}

/// How samples are cut, and what is made of them: where there are several statistics, the least.
package struct SampleStatistics: Hashable, Sendable {
  package var sampling: Sampling
  package var statistics: [SampleStatistic]

  /// - Precondition: there is a statistic.
  package init(_ statistics: SampleStatistic..., over sampling: Sampling) {
    precondition(!statistics.isEmpty, "an estimate needs a statistic")
    self.statistics = statistics
    self.sampling = sampling
  }

  package init(_ statistics: [SampleStatistic], over sampling: Sampling) {
    precondition(!statistics.isEmpty, "an estimate needs a statistic")
    self.statistics = statistics
    self.sampling = sampling
  }
}

/// What is made of samples.
package enum SampleStatistic: Hashable, Sendable {
  case last
  /// The bytes of the last samples over the time that they took.
  case mean(of: Int32)
  /// The harmonic mean of the rates of the last samples.
  case harmonicMean(of: Int32)
  /// An average in which a sample counts half as much after so much further transfer, and in
  /// which the first ones are not held against the nothing before them.
  ///
  /// - weight: What a second of transfer counts as, in thousandths.
  case halfLife(TimeSpan, weight: Int64 = 1_000)
  /// A percentile of the rates of the last samples, each with the weight of the root of its bytes,
  /// of which so much counts in all.
  case percentile(Int64, weightLimit: Int64)
  /// An average over all samples in which what was before counts as at most so much transfer.
  case runningMean(limit: TimeSpan)
}

/// What is made of the bytes that came in during stretches of the past.
package enum HistoryRule: Hashable, Sendable {
  /// Everything since the first byte, over the time of active transfer.
  case sinceBeginning
  /// Everything since the first byte of the present wait, or of the last one while media plays,
  /// over the time of active transfer. The estimate of before stands until enough has arrived.
  case sinceWait
  /// The least mean from one of the oldest entries of the window until now.
  case leastSince(SinceRule)

  package struct SinceRule: Hashable, Sendable {
    package var window: TimeSpan
    /// What must have come since the last entry for the next.
    package var leastBytes: Int64
    /// Without so many entries nothing is known.
    package var leastEntries: Int32
    /// How many of the newest are left out.
    package var newest: Int32
    /// How many of the oldest are looked at.
    package var oldest: Int32

    package init(
      window: TimeSpan, leastBytes: Int64, leastEntries: Int32, newest: Int32, oldest: Int32
    ) {
      self.window = window
      self.leastBytes = leastBytes
      self.leastEntries = leastEntries
      self.newest = newest
      self.oldest = oldest
    }
  }

  /// How often a mean since the beginning is looked at where bytes flow: as a browser's loop and
  /// Kodi's do, and oftener than QuickTime's. An assumption of ours.
  ///
  /// While the link is as it was, the mean is so as well, and nothing is late by it.
  private static let meanIsLookedAt = TimeSpan.milliseconds(10)

  var subscription: Subscription {
    switch self {
    case .sinceBeginning, .sinceWait: .progress(every: Self.meanIsLookedAt, bytes: 1)
    case .leastSince(let rule): .progress(every: .zero, bytes: rule.leastBytes)
    }
  }
}

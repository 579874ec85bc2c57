package import VirtualTime

package struct EstimatorDescription: Hashable, Sendable {
  package var measure: Measure
  /// The estimate before enough was measured, in bit/s; nil for none.
  package var prior: Int64?
  package var gate = Gate.none

  package static let usual = EstimatorDescription(measure: .history(.sinceBeginning))

  /// The measurement that the estimate rests on.
  package enum Measure: Hashable, Sendable {
    /// The line along which a file's bytes arrive now, as if it lasted; over tcp, their history.
    ///
    /// Exact for a file over a link whose rate does not change. No real player knows it.
    case line(otherwise: HistoryRule)
    case samples(SampleStatistics)
    /// The bytes received during past spans.
    case history(HistoryRule)
  }

  /// The least measurement that is relied on: so many bytes, or that much time of transfer.
  package struct Gate: Hashable, Sendable {
    package var bytes = Int64.max
    package var span = TimeSpan.forever

    /// Whatever was seen is relied on.
    package static let none = Gate(bytes: 1)
    /// Nothing is relied on.
    package static let closed = Gate()

    func isPassed(by bytes: Int64, _ span: TimeSpan) -> Bool {
      bytes >= self.bytes || span >= self.span
    }
  }

  /// Whether the end of each segment is told with what had come beside it.
  package var samplesTogether: Bool {
    if case .samples(let rule) = measure { rule.sampling.boundary == .segmentEnds } else { false }
  }

  var clock: Sampling.Clock {
    if case .samples(let rule) = measure { rule.sampling.clock } else { .response }
  }

  /// The events that the estimator needs.
  package func subscription(flows: Bool) -> Subscription {
    switch measure {
    case .samples(let statistics): statistics.sampling.subscription
    case .history(let rule): rule.subscription
    case .line(let rule): flows ? .ends : rule.subscription
    }
  }
}

/// The cut of transfers into samples, and their statistics: of several, the least counts.
package struct SampleStatistics: Hashable, Sendable {
  package var sampling: Sampling
  package var statistics: [SampleStatistic]

  package static let usual = SampleStatistics(sampling: Sampling(), statistics: [.last])
}

package enum SampleStatistic: Hashable, Sendable {
  case last
  /// The bytes of the last samples over the time that they took.
  case mean(of: Int32)
  case harmonicMean(of: Int32)
  /// An average in which a sample counts half as much after so much further transfer, and in
  /// which the first ones are not held against the nothing before them.
  ///
  /// - weight: Weight of a second of transfer, in thousandths.
  case halfLife(TimeSpan, weight: Int64 = 1_000)
  /// A percentile of the rates of the last samples, each with the weight of the root of its bytes,
  /// of which so much counts in all.
  case percentile(Int64, weightLimit: Int64)
  /// An average over all samples in which what was before counts as at most so much transfer.
  case runningMean(limit: TimeSpan)
}

/// A throughput computed from the bytes received during past spans.
package enum HistoryRule: Hashable, Sendable {
  /// Everything since the first byte, over the time of active transfer.
  case sinceBeginning
  /// Everything after the first third of the present wait, or of the time since the last one began
  /// while media plays, over the time of active transfer: most of TCP's slow start is left out.
  ///
  /// A wait counts from its first byte; the estimate of before stands until enough has arrived.
  case afterThirdOfWait
  /// The least mean from one of the oldest entries of the window until now.
  case leastSince(SinceRule)

  package struct SinceRule: Hashable, Sendable {
    package var window = TimeSpan.seconds(10)
    /// The least bytes received between one entry and the next.
    package var leastBytes: Int64 = 1_000
    /// Without so many entries nothing is known.
    package var leastEntries: Int32 = 5
    /// The number of the newest entries that are left out.
    package var newest: Int32 = 3
    /// The number of the oldest entries that are considered.
    package var oldest: Int32 = 20

    package static let usual = SinceRule()
  }

  /// The interval between updates of a mean since the beginning, in fluid: that of a browser's loop
  /// and of Kodi's, and shorter than QuickTime's. An assumption of ours.
  ///
  /// While the link is as it was, the mean is so as well, and nothing is late by it.
  private static let meanIsLookedAt = TimeSpan.milliseconds(10)

  var subscription: Subscription {
    switch self {
    case .sinceBeginning, .afterThirdOfWait: .progress(every: Self.meanIsLookedAt, bytes: 1)
    case .leastSince(let rule): .progress(every: .zero, bytes: rule.leastBytes)
    }
  }
}

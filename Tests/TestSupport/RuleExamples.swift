package import PlayerPolicies
package import VirtualTime

// Rules in one expression: the sources change what is usual, field by field.

extension EscalatingLevel {
  package init(
    _ marks: [Level], raise: Raise, seekResets: Bool = false, patience: TimeSpan? = nil
  ) {
    self = .usual
    (self.marks, self.raise) = (marks, raise)
    (self.seekResets, self.patience) = (seekResets, patience)
  }
}

extension EstimatorDescription {
  package init(_ measure: Measure, prior: Int64? = nil, gate: Gate = .none) {
    self = .usual
    (self.measure, self.prior, self.gate) = (measure, prior, gate)
  }
}

extension SampleStatistics {
  package init(_ statistics: SampleStatistic..., over sampling: Sampling) {
    self.init(statistics, over: sampling)
  }

  package init(_ statistics: [SampleStatistic], over sampling: Sampling) {
    self = .usual
    (self.statistics, self.sampling) = (statistics, sampling)
  }
}

extension Sampling {
  package init(
    _ boundary: Boundary, clock: Clock = .response, leastBytes: Int64 = 0,
    leastSpan: TimeSpan = .zero, countsCancelled: Bool = false
  ) {
    self = SampleStatistics.usual.sampling
    (self.boundary, self.clock) = (boundary, clock)
    (self.leastBytes, self.leastSpan) = (leastBytes, leastSpan)
    self.countsCancelled = countsCancelled
  }
}

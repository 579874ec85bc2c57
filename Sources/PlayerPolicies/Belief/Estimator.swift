package import VirtualTime

/// What a player believes of the link, kept up to date by what it hears of its requests.
///
/// It belongs to the player: what was learnt outlives items, seeks and what is read ahead.
package struct Estimator: Sendable {
  package let description: EstimatorDescription
  private var memory: Memory
  private var open: [OpenRequest] = []
  /// What was in samples, or in the history, so far.
  private var bytes: Int64 = 0
  private var span = TimeSpan.zero
  private var latencies = Latencies()
  private var changed = Instant.zero
  /// What the memory says as of the last change.
  private var measured: Int64?

  private enum Memory: Sendable {
    case samples(Sampler, [RunningStatistic])
    case history(History)
  }

  package init(_ description: EstimatorDescription) {
    self.description = description
    switch description.measure {
    case .samples(let rule):
      memory = .samples(Sampler(rule.sampling), rule.statistics.map { RunningStatistic($0) })
    case .line(let rule), .history(let rule):
      memory = .history(History(rule))
    }
  }

  // MARK: What it hears

  package mutating func hear(_ event: TransferEvent, at now: Instant) {
    // What it believes does not depend on whether anybody asked in between.
    while nextLook < now { enterHistory(at: nextLook) }
    switch event {
    case .requested(let number, let role):
      open.append(OpenRequest(number, role, at: now))
    case .responded(let number):
      guard let index = index(of: number), !open[index].hasResponded else { return }
      latencies.add(now - open[index].began)
      begin(index, at: now)
      open[index].hasResponded = true
    case .received(let number, let bytes):
      if let index = index(of: number) { receive(bytes, index, at: now) }
    case .suspended(let number):
      guard let index = index(of: number), !open[index].isSuspended else { return }
      open[index].isSuspended = true
      pauseIfNothingComes(at: now)
    case .resumed(let number):
      guard let index = index(of: number), open[index].isSuspended else { return }
      open[index].isSuspended = false
      if open[index].hasResponded { begin(index, at: now) }
    case .ended(let number, let bytes, let outcome):
      end(number, bytes, outcome, at: now)
    }
  }

  private func index(of number: RequestNumber) -> Int? {
    open.firstIndex { $0.number == number }
  }

  private mutating func begin(_ index: Int, at now: Instant) {
    switch memory {
    case .samples(var sampler, let statistics):
      sampler.begins(&open[index], at: now)
      memory = .samples(sampler, statistics)
    case .history: changeHistory { $0.begins(at: now) }
    }
  }

  private mutating func receive(_ bytes: Int64, _ index: Int, at now: Instant) {
    let new = max(0, bytes - open[index].received)
    open[index].received += new
    switch memory {
    case .samples(var sampler, let statistics):
      let sample = sampler.progressed(&open[index], at: now)
      memory = .samples(sampler, statistics)
      if let sample { add(sample, at: now) }
    case .history:
      changeHistory { $0.add(new, at: now) }
      noteHistory(at: now)
    }
  }

  private mutating func end(
    _ number: RequestNumber, _ bytes: Int64, _ outcome: RequestOutcome, at now: Instant
  ) {
    guard let index = index(of: number) else { return }
    let new = max(0, bytes - open[index].received)
    open[index].received += new
    var request = open.remove(at: index)
    switch memory {
    case .samples(var sampler, let statistics):
      let sample = sampler.ended(&request, outcome, others: &open, at: now)
      memory = .samples(sampler, statistics)
      if let sample { add(sample, at: now) }
    case .history:
      changeHistory {
        $0.add(new, at: now)
        if request.received > 0 { $0.enter(at: now) }
      }
      noteHistory(at: now)
      pauseIfNothingComes(at: now)
    }
  }

  private mutating func pauseIfNothingComes(at now: Instant) {
    if open.contains(where: { $0.isReceiving }) { return }
    switch memory {
    case .samples(var sampler, let statistics):
      sampler.pauses(at: now)
      memory = .samples(sampler, statistics)
    case .history: changeHistory { $0.pauses(at: now) }
    }
  }

  private mutating func add(_ sample: Sample, at now: Instant) {
    guard case .samples(let sampler, var statistics) = memory else { return }
    // The array is this call's alone while it changes.
    memory = .samples(sampler, [])
    for index in statistics.indices { statistics[index].add(sample) }
    memory = .samples(sampler, statistics)
    bytes = saturatingSum(bytes, sample.bytes)
    span += sample.span
    changed = now
    measured = measuredBitRate
  }

  private mutating func changeHistory(_ change: (inout History) -> Void) {
    guard case .history(var history) = memory else { return }
    memory = .samples(Sampler(Sampling(.requestEnds)), [])
    change(&history)
    memory = .history(history)
  }

  private mutating func noteHistory(at now: Instant) {
    guard case .history(let history) = memory else { return }
    bytes = history.bytes
    span = history.active(at: now)
    changed = now
    measured = history.bitsPerSecond
  }

  // MARK: What it says

  /// Whether what has come of other requests counts at the end of one, so that it has to be told
  /// just before.
  package var countsBeside: Bool {
    switch memory {
    case .samples(let sampler, _): sampler.sampling.boundary == .mainSegmentEnds
    case .history: true
    }
  }

  /// Looks at the past again where it is time to, although nothing came.
  package mutating func look(at now: Instant) {
    while nextLook <= now { enterHistory(at: nextLook) }
  }

  private mutating func enterHistory(at now: Instant) {
    changeHistory { $0.enter(at: now) }
    noteHistory(at: now)
  }

  /// When it says something else although nothing comes.
  package var nextLook: Instant {
    switch memory {
    case .samples: .distantFuture
    case .history(let history): history.nextLook
    }
  }

  package var estimate: Estimate {
    let isPassed = description.gate.isPassed(by: bytes, span)
    let measured = isPassed ? measured : nil
    return Estimate(
      bitsPerSecond: measured ?? description.prior, latency: latencies.least,
      isReliable: measured != nil, bytes: bytes, span: span, changed: changed,
      nextLook: nextLook, isLine: isLine)
  }

  private var isLine: Bool {
    switch description.measure {
    case .line: true
    case .samples, .history: false
    }
  }

  private var measuredBitRate: Int64? {
    switch memory {
    case .samples(_, let statistics):
      var least: Int64?
      for statistic in statistics {
        guard let rate = statistic.bitsPerSecond else { continue }
        least = min(least ?? rate, rate)
      }
      return least
    case .history(let history): return history.bitsPerSecond
    }
  }
}

/// The waits of the last requests for their first bytes.
///
/// The least of them is believed in: an answer that a server held back, and a connection that had
/// to be opened, say little of the next request.
package struct Latencies: Hashable, Sendable {
  private var third = TimeSpan.forever
  private var second = TimeSpan.forever
  private var last = TimeSpan.forever

  package init() {}

  package mutating func add(_ span: TimeSpan) {
    (third, second, last) = (second, last, span)
  }

  /// Nil before the first.
  package var least: TimeSpan? {
    let least = min(third, second, last)
    return least == .forever ? nil : least
  }
}

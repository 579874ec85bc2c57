package import VirtualTime

/// A player's estimate of the link, updated by the events of its requests.
///
/// It belongs to the player: it outlives items, seeks and read-ahead.
package struct Estimator: Sendable {
  package let description: EstimatorDescription
  private let isLine: Bool
  private var sampler: Sampler
  private var statistics: [RunningStatistic]
  /// The bytes of past spans; nil where samples are taken instead.
  private var history: History?
  private var open: [OpenRequest] = []
  /// The bytes and the time of all samples, or of the history, so far.
  private var bytes: Int64 = 0
  private var span = TimeSpan.zero
  /// The waits of the last three requests for their first bytes.
  ///
  /// The least of them is believed in: an answer that a server held back, and a connection that had
  /// to be opened, say little of the next request.
  private var latencies = (TimeSpan.forever, TimeSpan.forever, TimeSpan.forever)
  private var changed = Instant.zero
  /// The throughput computed from them at the last change.
  private var measured: Int64?
  /// The throughput believed in before; nil for none.
  private var prior: Int64?

  package init(_ description: EstimatorDescription) {
    self.description = description
    prior = description.prior
    if case .line = description.measure { isLine = true } else { isLine = false }
    switch description.measure {
    case .samples(let rule):
      (sampler, statistics) = (Sampler(rule.sampling), rule.statistics.map { RunningStatistic($0) })
    case .line(let rule), .history(let rule):
      (sampler, statistics, history) = (Sampler(Sampling()), [], History(rule))
    }
  }

  /// Begins with what an earlier playback observed, in the place of a prior of its own.
  mutating func begin(with observed: Int64) { if prior != nil { prior = observed } }

  /// Forgets the samples, and believes in a throughput until there are others.
  mutating func begin(anewWith rate: Int64) {
    if case .samples(let rule) = description.measure {
      statistics = rule.statistics.map { RunningStatistic($0) }
    }
    (bytes, span, measured, prior) = (0, .zero, nil, rate)
  }

  /// Notes that playback waits from now on.
  package mutating func waits() { history?.waits() }

  package mutating func hear(_ event: TransferEvent, at now: Instant) {
    switch event {
    case .requested(let number, let role):
      open.append(OpenRequest(number: number, role: role, began: now, sampledAt: now))
    case .responded(let number, let trip, let isHeld):
      guard let index = index(of: number), !open[index].hasResponded else { return }
      if !isHeld {
        latencies = (latencies.1, latencies.2, trip ?? now - open[index].began)
      }
      begin(index, at: now)
      open[index].hasResponded = true
    case .received(let number, let bytes):
      if let index = index(of: number) { receive(bytes, index, at: now) }
    case .suspended(let number):
      guard let index = index(of: number), !open[index].isSuspended else { return }
      open[index].suspendedAt = now
      pauseIfNothingComes(at: now)
    case .resumed(let number):
      guard let index = index(of: number), open[index].isSuspended else { return }
      open[index].resume(at: now)
      if open[index].hasResponded { begin(index, at: now) }
    case .ended(let number, let bytes, let outcome):
      end(number, bytes, outcome, at: now)
    }
  }

  private func index(of number: RequestNumber) -> Int? {
    open.firstIndex { $0.number == number }
  }

  private mutating func begin(_ index: Int, at now: Instant) {
    if history != nil {
      history?.begins(at: now)
    } else {
      sampler.begins(&open[index], at: now)
    }
  }

  private mutating func receive(_ bytes: Int64, _ index: Int, at now: Instant) {
    let new = max(0, bytes - open[index].received)
    open[index].received += new
    if history != nil {
      history?.add(new, at: now)
      noteHistory(at: now)
    } else if new > 0, let sample = sampler.progressed(&open[index], at: now) {
      add(sample, at: now)
    }
  }

  private mutating func end(
    _ number: RequestNumber, _ bytes: Int64, _ outcome: RequestOutcome, at now: Instant
  ) {
    guard let index = index(of: number) else { return }
    let new = max(0, bytes - open[index].received)
    open[index].received += new
    var request = open.remove(at: index)
    if history != nil {
      history?.add(new, at: now)
      if request.received > 0 { history?.enter(at: now) }
      noteHistory(at: now)
    } else if let sample = sampler.ended(&request, outcome, others: &open, at: now) {
      add(sample, at: now)
    }
    pauseIfNothingComes(at: now)
  }

  private mutating func pauseIfNothingComes(at now: Instant) {
    for index in open.indices where open[index].isReceiving { return }
    if history != nil { history?.pauses(at: now) } else { sampler.pauses(at: now) }
  }

  private mutating func add(_ sample: Sample, at now: Instant) {
    for index in statistics.indices { statistics[index].add(sample) }
    bytes = saturatingSum(bytes, sample.bytes)
    span += sample.span
    changed = now
    measured = statistics.lazy.compactMap { $0.bitsPerSecond }.min()
  }

  private mutating func noteHistory(at now: Instant) {
    let (received, active) = (history?.bytes ?? 0, history?.active(at: now) ?? .zero)
    // In a new wait the last estimate stands until enough has arrived.
    if measured != nil, !description.gate.isPassed(by: received, active) { return }
    (bytes, span, changed) = (received, active, now)
    measured = history?.bitsPerSecond
  }

  @inline(__always)  // Otherwise all of an estimator is copied for it.
  package var estimate: Estimate {
    let measured = description.gate.isPassed(by: bytes, span) ? measured : nil
    let latency = min(latencies.0, latencies.1, latencies.2)
    return Estimate(
      bitsPerSecond: measured ?? prior, latency: latency == .forever ? nil : latency,
      isReliable: measured != nil, bytes: bytes, span: span, changed: changed, isLine: isLine)
  }
}

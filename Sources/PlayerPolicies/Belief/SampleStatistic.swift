import VirtualTime

/// A statistic under way.
enum RunningStatistic: Sendable {
  case last(Int64?)
  case recent(RecentSamples, isHarmonic: Bool)
  case halfLife(HalfLifeAverage)
  case percentile(WeightedPercentile)
  case runningMean(RunningMean)

  init(_ statistic: SampleStatistic) {
    switch statistic {
    case .last: self = .last(nil)
    case .mean(let count): self = .recent(RecentSamples(count), isHarmonic: false)
    case .harmonicMean(let count): self = .recent(RecentSamples(count), isHarmonic: true)
    case .halfLife(let span, let weight):
      self = .halfLife(HalfLifeAverage(span, weight: weight))
    case .percentile(let percent, let limit):
      self = .percentile(WeightedPercentile(percent, weightLimit: limit))
    case .runningMean(let limit): self = .runningMean(RunningMean(limit: limit))
    }
  }

  mutating func add(_ sample: Sample) {
    switch self {
    case .last: self = .last(Estimate.rate(sample.bytes, over: sample.span))
    case .recent(var recent, let isHarmonic):
      self = .last(nil)
      recent.add(sample)
      self = .recent(recent, isHarmonic: isHarmonic)
    case .halfLife(var average):
      average.add(sample)
      self = .halfLife(average)
    case .percentile(var percentile):
      self = .last(nil)
      percentile.add(sample)
      self = .percentile(percentile)
    case .runningMean(var mean):
      mean.add(sample)
      self = .runningMean(mean)
    }
  }

  /// In whole bits per second; nil before the first sample.
  var bitsPerSecond: Int64? {
    switch self {
    case .last(let rate): rate
    case .recent(let recent, let isHarmonic): isHarmonic ? recent.harmonicMean : recent.mean
    case .halfLife(let average): average.bitsPerSecond
    case .percentile(let percentile): percentile.bitsPerSecond
    case .runningMean(let mean): mean.bitsPerSecond
    }
  }
}

/// The last samples, the oldest of which makes room for the next.
struct RecentSamples: Sendable {
  private let limit: Int
  private var samples: [Sample] = []
  private var next = 0
  private var bytes: Int64 = 0
  private var nanoseconds: Int64 = 0

  init(_ limit: Int32) {
    precondition(limit > 0, "an estimate needs a sample")
    self.limit = Int(limit)
  }

  mutating func add(_ new: Sample) {
    let sample = Sample(bytes: new.bytes, span: TimeSpan(nanoseconds: max(1, new.span.nanoseconds)))
    if samples.count < limit {
      if samples.isEmpty { samples.reserveCapacity(min(limit, 64)) }
      samples.append(sample)
    } else {
      bytes -= samples[next].bytes
      nanoseconds -= samples[next].span.nanoseconds
      samples[next] = sample
      next = next + 1 == limit ? 0 : next + 1
    }
    bytes += sample.bytes
    nanoseconds += sample.span.nanoseconds
  }

  /// All bytes over all time.
  var mean: Int64? {
    samples.isEmpty ? nil : Estimate.rate(bytes, over: TimeSpan(nanoseconds: nanoseconds))
  }

  /// As many as there are over the sum of seconds per bit.
  var harmonicMean: Int64? {
    if samples.isEmpty { return nil }
    var secondsPerBit = 0.0
    // From the oldest on, so that the sum is rounded alike whatever the ring's place.
    for offset in samples.indices {
      let index = next + offset
      let sample = samples[index < samples.count ? index : index - samples.count]
      secondsPerBit += Double(sample.span.nanoseconds) / Double(sample.bytes)
    }
    return Int64(clamping: Double(samples.count) / secondsPerBit * 8e9)
  }
}

/// A mean weighted by the time of transfer; all earlier samples together weigh at most `limit`.
struct RunningMean: Sendable {
  let limit: TimeSpan
  var weight: Int64 = 0
  var rate = 0.0

  mutating func add(_ sample: Sample) {
    let span = max(1, sample.span.nanoseconds)
    let new = Double(sample.bytes) * 8e9 / Double(span)
    rate = (rate * Double(weight) + new * Double(span)) / (Double(weight) + Double(span))
    weight = min(limit.nanoseconds, saturatingSum(weight, span))
  }

  var bitsPerSecond: Int64? { weight == 0 ? nil : Int64(clamping: rate) }
}

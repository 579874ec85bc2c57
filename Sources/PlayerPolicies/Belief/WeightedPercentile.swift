import VirtualTime

/// A percentile of the last rates, each weighted by the root of its bytes, as Media3 keeps one.
///
/// So much weight counts in all: of the oldest rate as much is left out as is too much.
struct WeightedPercentile: Sendable {
  private struct Entry {
    var rate: Int64
    var weight: Int64
    /// The position of the sample, counted from the first.
    var number: Int64
  }

  private let percent: Int64
  private let weightLimit: Int64
  /// In the order of their rates.
  private var entries: [Entry] = []
  private var weight: Int64 = 0
  private var count: Int64 = 0

  init(_ percent: Int64, weightLimit: Int64) {
    precondition((0...100).contains(percent) && weightLimit > 0, "a percentile of something")
    self.percent = percent
    self.weightLimit = weightLimit
  }

  mutating func add(_ sample: Sample) {
    let entry = Entry(
      rate: Estimate.rate(sample.bytes, over: sample.span),
      weight: max(1, integerSquareRoot(sample.bytes)), number: count)
    count += 1
    entries.insert(entry, at: entries.firstIndex { $0.rate > entry.rate } ?? entries.count)
    weight += entry.weight
    while weight > weightLimit,
      let oldest = entries.indices.min(by: { entries[$0].number < entries[$1].number })
    {
      let excess = min(weight - weightLimit, entries[oldest].weight)
      weight -= excess
      entries[oldest].weight -= excess
      if entries[oldest].weight == 0 { entries.remove(at: oldest) }
    }
  }

  /// The first rate with that share of the weight at or below it.
  var bitsPerSecond: Int64? {
    var below: Int64 = 0
    for entry in entries {
      below += entry.weight
      if below * 100 >= percent * weight { return entry.rate }
    }
    return entries.last?.rate
  }
}

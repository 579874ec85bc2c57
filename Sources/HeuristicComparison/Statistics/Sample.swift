import VirtualTime

/// The values of one figure in the sessions of one contestant.
///
/// A value of a session that never started or never went on counts as worse than any number.
struct Sample {
  /// In the order of the pairs; `never` and `unknown` stand for what is no number.
  let values: [Int64]
  let isGain: Bool
  /// The number of resampled units with a value, be it a number or `never`, and of those with a
  /// number: the evidence is no larger than that.
  let units: Int
  let unitsWithNumber: Int
  private(set) var known = 0
  private(set) var never = 0
  private var sum: Int128 = 0
  /// Whether sums of weighted values fit a machine word.
  private var isSmall = true
  /// Whether all values are one and the same, so that every draw gives it.
  private(set) var isConstant = true

  static let never = Int64.max
  static let unknown = Int64.min

  init(_ values: [Int64], isGain: Bool = false, units: DrawnUnits) {
    self.values = values
    self.isGain = isGain
    self.units = units.count { values[$0] != Self.unknown }
    unitsWithNumber = units.count { values[$0] != Self.unknown && values[$0] != Self.never }
    var largest: UInt64 = 0
    for value in values {
      if value != values[0] { isConstant = false }
      switch value {
      case Self.unknown: break
      case Self.never: never += 1
      default:
        known += 1
        sum += Int128(value)
        largest = max(largest, value.magnitude)
      }
    }
    isSmall = largest < UInt64(Int64.max) / 16 / UInt64(max(1, values.count))
  }

  static func rank(_ value: Int64, isGain: Bool) -> Int64 {
    value == never && isGain ? unknown : value
  }

  var unknown: Int { values.count - known - never }

  /// The mean of the numbers, rounded half up; nil where there are none.
  var mean: Int64? { known > 0 ? Self.rounded(sum, over: Int128(known)) : nil }

  static func rounded(_ sum: Int128, over count: Int128) -> Int64 {
    Int64(clamping: quotient(2 * sum + count, 2 * count, rounding: .down))
  }

  /// The mean of the numbers with weights; nil where none was drawn.
  func mean(_ weights: UnsafeBufferPointer<UInt8>) -> Int64? {
    var count: Int64 = 0
    if isSmall && known == values.count {
      var sum: Int64 = 0
      values.withUnsafeBufferPointer { values in
        for index in 0..<values.count {
          let weight = Int64(weights[index])
          sum &+= weight &* values[index]
          count &+= weight
        }
      }
      return count == 0 ? nil : Self.rounded(Int128(sum), over: Int128(count))
    }
    var wide: Int128 = 0
    for (index, value) in values.enumerated() where value != Self.never && value != Self.unknown {
      wide += Int128(weights[index]) * Int128(value)
      count += Int64(weights[index])
    }
    return count == 0 ? nil : Self.rounded(wide, over: Int128(count))
  }
}

/// The units that the bootstrap resamples, and the unit of each pair.
struct DrawnUnits {
  /// For each pair a number below the count.
  private let places: [Int]
  let count: Int

  /// - Parameter keys: Key that pairs drawn as one have in common.
  init(_ keys: [UInt64]) {
    var known: [UInt64: Int] = [:]
    places = keys.map { key in
      if let place = known[key] { return place }
      known[key] = known.count
      return known.count - 1
    }
    count = known.count
  }

  /// The number of units that hold a pair for which the condition is true.
  func count(where holds: (Int) -> Bool) -> Int {
    var isFound = [Bool](repeating: false, count: count)
    var found = 0
    for (pair, place) in places.enumerated() where !isFound[place] && holds(pair) {
      isFound[place] = true
      found += 1
      if found == count { break }
    }
    return found
  }
}

struct OrderedSample {
  /// Places of the sample, from its lowest value to its highest; what is unknown is left out.
  private let order: [Int32]
  private let values: [Int64]
  private let units: Int

  /// The fewest draws whose range covers the percentile with 95 % confidence: 1 − 0.95ⁿ ≥ 0.95.
  static let fewestForHighest = 59

  init(_ sample: Sample) {
    values = sample.values
    units = sample.units
    let ranks = sample.values.map { Sample.rank($0, isGain: sample.isGain) }
    order = values.indices.filter { sample.values[$0] != Sample.unknown }.map { Int32($0) }
      .sorted { ranks[Int($0)] < ranks[Int($1)] }
  }

  private func value(_ rank: Int) -> Int64 { values[Int(order[rank])] }

  var median: Int64? { order.isEmpty ? nil : percentile(50) }

  /// Nil where there are too few sessions.
  var percentile95: Int64? {
    min(order.count, units) < Self.fewestForHighest ? nil : percentile(95)
  }

  /// The percentile by linear interpolation between two neighbours, as numpy has it by default.
  private func percentile(_ percent: Int) -> Int64 {
    let (rank, hundredths) = (percent * (order.count - 1)).quotientAndRemainder(dividingBy: 100)
    let low = value(rank)
    return hundredths == 0 ? low : Self.interpolated(low, value(rank + 1), Int64(hundredths))
  }

  private static func interpolated(_ low: Int64, _ high: Int64, _ hundredths: Int64) -> Int64 {
    if low == high { return low }
    if low == Sample.never || high == Sample.never { return Sample.never }
    return Sample.rounded(
      Int128(low) * Int128(100 - hundredths) + Int128(high) * Int128(hundredths), over: 100)
  }

  /// The same of a draw; nil where nothing was drawn.
  func value(at percent: Int64, _ weights: UnsafeBufferPointer<UInt8>, total: Int64) -> Int64? {
    if total == 0 { return nil }
    let (rank, hundredths) = (percent * (total - 1)).quotientAndRemainder(dividingBy: 100)
    return order.withUnsafeBufferPointer { order in
      // From the end that is nearer.
      if percent <= 50 {
        var passed: Int64 = 0
        var low: Int64?
        for place in order {
          passed &+= Int64(weights[Int(place)])
          if low == nil, passed > rank { low = values[Int(place)] }
          if let low, hundredths == 0 || passed > rank + 1 {
            return hundredths == 0
              ? low : Self.interpolated(low, values[Int(place)], hundredths)
          }
        }
        return low
      }
      var left = total
      var high: Int64?
      for place in order.reversed() {
        left &-= Int64(weights[Int(place)])
        if high == nil, left <= rank + 1 { high = values[Int(place)] }
        if left <= rank {
          let low = values[Int(place)]
          return hundredths == 0 ? low : Self.interpolated(low, high ?? low, hundredths)
        }
      }
      return nil
    }
  }

  func total(_ weights: UnsafeBufferPointer<UInt8>) -> Int64 {
    order.reduce(0) { $0 &+ Int64(weights[Int($1)]) }
  }
}

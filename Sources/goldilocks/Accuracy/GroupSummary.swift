struct GroupSummary {
  let name: String
  let cells: [CellScore]
  /// Relative errors, sorted.
  private let errors: [Double]

  init(_ name: String, _ cells: [CellScore]) {
    self.name = name
    self.cells = cells
    errors = cells.map { $0.error }.sorted()
  }

  var medianError: Double { SampleStatistics.quantile(errors, 0.5) }

  var ninetiethError: Double { SampleStatistics.quantile(errors, 0.9) }

  func shareWithin(_ limit: Double) -> Double {
    Double(errors.count { $0 <= limit }) / Double(max(errors.count, 1))
  }

  var furthestOff: [CellScore] { cells.sorted { $0.error > $1.error } }

  private var comparisons: [SampleComparison] { cells.compactMap { $0.comparison } }

  /// Of the cells that have samples, how many cannot be told from them; nil where none has.
  var sameWithTies: Double? { share { $0.withTies > 0.05 } }

  var sameStrictly: Double? { share { $0.strict > 0.05 } }

  private func share(_ test: (SampleComparison) -> Bool) -> Double? {
    let all = comparisons
    return all.isEmpty ? nil : Double(all.count(where: test)) / Double(all.count)
  }

  /// Score of a perfect model; nil where no cell has samples.
  var noise: GroupNoise? {
    let own = comparisons.flatMap { $0.ownErrors }.sorted()
    return own.isEmpty ? nil : GroupNoise(errors: own)
  }
}

/// Sampling error of medians over as few runs as were measured.
struct GroupNoise {
  /// Sorted.
  fileprivate let errors: [Double]

  var median: Double { SampleStatistics.quantile(errors, 0.5) }

  var ninetieth: Double { SampleStatistics.quantile(errors, 0.9) }

  var shareWithinTenPercent: Double {
    Double(errors.count { $0 <= 0.1 }) / Double(max(errors.count, 1))
  }
}

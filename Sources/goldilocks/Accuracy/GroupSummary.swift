struct GroupSummary {
  let name: String
  let cells: [CellScore]

  var errors: RelativeErrors { RelativeErrors(cells.map { $0.error }) }
  /// Errors of the cells used to fit constants, and of the held-out third.
  var scanned: RelativeErrors { RelativeErrors(cells.filter { !$0.isLeftOut }.map { $0.error }) }
  var leftOut: RelativeErrors { RelativeErrors(cells.filter { $0.isLeftOut }.map { $0.error }) }

  var furthestOff: [CellScore] { cells.sorted { $0.error > $1.error } }

  private var comparisons: [SampleComparison] { cells.compactMap { $0.comparison } }

  /// Of the cells that have samples, how many cannot be told from them; nil where none has.
  var sameWithTies: Double? { share { $0.withTies > 0.05 } }

  var sameStrictly: Double? { share { $0.strict > 0.05 } }

  private func share(_ test: (SampleComparison) -> Bool) -> Double? {
    let all = comparisons
    return all.isEmpty ? nil : Double(all.count(where: test)) / Double(all.count)
  }

  /// Score of a perfect model, the sampling error of medians over as few runs as were measured; nil
  /// where no cell has samples.
  var noise: RelativeErrors? {
    let own = comparisons.flatMap { $0.ownErrors }
    return own.isEmpty ? nil : RelativeErrors(own)
  }
}

struct RelativeErrors {
  private let sorted: [Double]

  init(_ errors: [Double]) { sorted = errors.sorted() }

  var isEmpty: Bool { sorted.isEmpty }

  var median: Double { SampleStatistics.quantile(sorted, 0.5) }

  var ninetieth: Double { SampleStatistics.quantile(sorted, 0.9) }

  func shareWithin(_ limit: Double) -> Double {
    Double(sorted.count { $0 <= limit }) / Double(max(sorted.count, 1))
  }
}

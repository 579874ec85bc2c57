/// The statistics of a study's sessions: a row for each policy under test.
package struct StudySummary: Sendable {
  package var figures: [StudyFigure]
  package var contestants: [ContestantSummary]
  /// The places of those on the Pareto front of startup, stalled time and bit rate.
  package var front: [Int]
  /// The units that the bootstrap resamples for the intervals.
  package var drawn: Study.Drawn

  package struct ContestantSummary: Sendable {
    package var sessions: Int
    /// In the order of the figures.
    package var statistics: [FigureStatistics]
    /// Against the baseline; empty for itself, and where there is none.
    package var differences: [PairedDifference]
  }

  package init(_ study: Study, _ rows: StudyRows, pairs: [Int]) {
    let figures = StudyFigure.all(of: study)
    let drawn = study.drawn(from: pairs)
    let keys = study.keys(ofPairs: pairs, drawing: drawn)
    let units = DrawnUnits(keys)
    // Sessions that are the same with every seed are no sample of anything.
    let one = DrawnUnits(Array(repeating: 0, count: pairs.count))
    let areAlike = study.contestants.indices.map { contestant in
      drawn == .seed && Self.areAlike(study, rows, pairs, of: contestant)
    }
    let base = study.baseline.map { Self.columns(study, rows, pairs, figures, of: $0) }
    var contestants: [ContestantSummary] = []
    for contestant in study.contestants.indices {
      let columns =
        contestant == study.baseline
        ? base ?? [] : Self.columns(study, rows, pairs, figures, of: contestant)
      let isPairAlike = areAlike[contestant] && study.baseline.map { areAlike[$0] } == true
      let ownUnits = areAlike[contestant] ? one : units
      let pairUnits = isPairAlike ? one : units
      var samples = zip(figures, columns).map { figure, column in
        SampleReckoning(
          Sample(column, isGain: figure.isGain, units: ownUnits),
          hasPercentiles: figure.hasPercentiles)
      }
      var differences: [DifferenceReckoning] = []
      if contestant != study.baseline, let base {
        differences = figures.indices.map { index in
          DifferenceReckoning(
            columns[index], against: base[index], pairs: pairs, isGain: figures[index].isGain,
            units: pairUnits)
        }
      }
      if max(ownUnits.count, pairUnits.count) > 1 {
        study.resampling.draw(study.resampling.draws(for: study.pairCount), of: keys) { weights in
          for index in samples.indices { samples[index].see(weights) }
          for index in differences.indices { differences[index].see(weights) }
        }
      }
      contestants.append(
        ContestantSummary(
          sessions: pairs.count, statistics: samples.map { $0.statistics },
          differences: differences.map { $0.result }))
    }
    self.drawn = drawn
    self.figures = figures
    self.contestants = contestants
    front = Self.front(contestants, figures)
  }

  private static func areAlike(
    _ study: Study, _ rows: StudyRows, _ pairs: [Int], of contestant: Int
  ) -> Bool {
    let sessions = pairs.map { study.number(ofPair: $0, contestant: contestant) }
    guard let first = sessions.first.map({ rows.row($0) }) else { return false }
    return sessions.allSatisfy { rows.row($0) == first }
  }

  /// The values of each figure in a contestant's sessions, in the order of the pairs.
  private static func columns(
    _ study: Study, _ rows: StudyRows, _ pairs: [Int], _ figures: [StudyFigure],
    of contestant: Int
  ) -> [[Int64]] {
    var columns = figures.map { _ in [Int64]() }
    for index in columns.indices { columns[index].reserveCapacity(pairs.count) }
    for pair in pairs {
      let row = rows.row(study.number(ofPair: pair, contestant: contestant))
      for (index, figure) in figures.enumerated() {
        switch figure.value(row) {
        case .number(let number): columns[index].append(number)
        case .never: columns[index].append(Sample.never)
        case .unknown: columns[index].append(Sample.unknown)
        }
      }
    }
    return columns
  }

  private static func front(_ contestants: [ContestantSummary], _ figures: [StudyFigure]) -> [Int] {
    let places = contestants.map { contestant in
      zip(figures, contestant.statistics).filter { StudyFigure.compared.contains($0.0.name) }
        .map { Place($0.1, isGain: $0.0.isGain) }
    }
    // A better one stands before, and one that is not on the front is worse than one that is.
    var front: [Int] = []
    var best: [[Place]] = []
    for one in places.indices.sorted(by: { places[$0].lexicographicallyPrecedes(places[$1]) }) {
      if best.last != places[one] {
        if best.contains(where: { zip($0, places[one]).allSatisfy { $0 <= $1 } }) { continue }
        best.append(places[one])
      }
      front.append(one)
    }
    return front.sorted()
  }

  /// The rank of a policy: by the number of sessions without a value, then by the mean.
  private struct Place: Comparable {
    let never: Int
    let mean: Int64

    init(_ statistics: FigureStatistics, isGain: Bool) {
      never = statistics.never
      mean = statistics.mean.map { isGain ? -$0.value : $0.value } ?? Int64.max
    }

    static func < (a: Place, b: Place) -> Bool { (a.never, a.mean) < (b.never, b.mean) }
  }
}

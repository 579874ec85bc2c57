import HeuristicComparison
import ScenarioFormat
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Studies whose sessions were never run: their rows are made up of a few small numbers, so that
/// values, ranks and ends of intervals are often equal.
@Suite struct MadeUpTableTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/tables", seeds: 240)

  @Test func `a made-up table of sessions has the results that it had`() async throws {
    let lines = await Self.file.lines(few: 4) { MadeUpTable($0).digest }
    #expect(try Self.file.differences(from: lines) == [])
  }

  @Test func `a made-up table has the statistics that its columns have`() {
    for seed in 0..<Seeds.count(10, inRelease: 900) {
      let table = MadeUpTable(50_000 + seed)
      let results = table.results(by: [])
      for contestant in table.study.contestants.indices {
        table.expectStatistics(of: contestant, in: results.whole)
        if let base = table.study.baseline, base != contestant {
          table.expectDifferences(of: contestant, from: base, in: results.whole)
        }
      }
      #expect(results.whole.front == table.front(results.whole), "\(seed)")
      for end in EndReason.allCases {
        #expect(results.cutCount(by: end) == table.cutCount(by: end), "\(seed) \(end)")
      }
    }
  }
}

private struct MadeUpTable {
  private(set) var study: Study
  private var rows: StudyRows
  private var draw: Draw
  private let unit: Int64
  private let width: Int
  /// The places of the startup, and of how playback and the run ended.
  private let startup: Int
  private let ending: Int

  init(_ seed: Int) {
    draw = Draw(seed: UInt64(seed), part: "table")
    unit = Int64(draw.one(of: [1, 100_000, 500_000, 1_000_000, 50_000_000]))
    // As many as a percentile needs, or one fewer or more.
    let isLong = seed % 6 == 5
    let links = isLong ? draw.one(of: [1, 58, 59, 60]) : draw.within(1...3)
    let scenarios = links > 3 ? 1 : draw.within(1...3)
    let seeds = isLong && links == 1 ? 58 / scenarios + draw.below(3) : draw.below(4)
    study = Study(
      scenarios: (0..<scenarios).map { place in
        StudyScenario(
          file: "\(place).json", name: "S\(place / 2)", seed: UInt64(place), fidelity: "fluid",
          isLive: place == 1)
      },
      links: (0..<links).map { StudyLink("L\($0)", group: "G\($0 / 2)", edits: []) },
      contestants: (0..<draw.within(1...(isLong ? 2 : 4))).map { Contestant("C\($0)") },
      seeds: (0..<UInt64(seeds)).map { $0 * 3 })
    ending = SessionRow.width(of: study) - 1
    study.objectives = [Objective.all[1], Objective.all[2]]
    study.asksRegret = seed % 2 == 0
    if draw.chance(80) { study.baseline = draw.below(study.contestants.count) }
    study.resampling.draws = isLong ? draw.within(39...41) : draw.one(of: [39, 40, 40, 41, 80])
    study.resampling.seed = UInt64(seed)
    width = SessionRow.width(of: study)
    rows = StudyRows(width: width, count: study.sessionCount)
    let places = SessionRow(values: (0..<Int64(width)).map { $0 })
    startup =
      if case .number(let place) = StudyFigure.startup.value(places) { Int(place) } else { 0 }
    let isRegular = draw.chance(50)
    for session in 0..<study.sessionCount {
      // Seeds often repeat one session.
      let isAlike = session > 0 && study.session(session).seed > 0 && draw.chance(50)
      let row = isAlike ? rows.row(session - 1) : row(isRegular: isRegular || draw.chance(40))
      rows.record(row, of: session)
    }
  }

  private mutating func row(isRegular: Bool) -> SessionRow {
    var values = (0..<width).map { _ in Int64(draw.one(of: [0, 0, 1, 1, 2, 3, 4])) * unit }
    values[ending] = SessionRow.code(ending: "played", end: EndReason.finished.word) ?? 0
    for place in (ending + 1)..<width where draw.chance(30) { values[place] = -values[place] }
    if isRegular { return SessionRow(values: values) }
    let kind = draw.one(of: ["played", "played", "played", "failed", "neverPlayed", "stalled"])
    let end = draw.one(of: EndReason.allCases).word
    values[ending] = SessionRow.code(ending: kind, end: end) ?? 0
    if draw.chance(40) { values[startup] = SessionRow.nothing }
    for place in (ending + 1)..<width where draw.chance(20) { values[place] = SessionRow.nothing }
    return SessionRow(values: values)
  }

  func results(by groupings: [StudyResults.Grouping]) -> StudyResults {
    StudyResults(study, rows, digest: "study", by: groupings)
  }

  var digest: String {
    let isLong = study.pairCount > 40
    let results = results(by: isLong ? [.folder] : StudyResults.Grouping.allCases)
    var print = Fingerprint()
    print.add(results.commaSeparated)
    for summary in [results.whole] + results.groups.map({ $0.summary }) {
      print.add(StudyTable(summary, of: study).markdown)
      print.add(StudyTable(differences: summary, of: study)?.markdown ?? "")
    }
    print.add("\(results.alikeOverSeeds) \(results.hasTooFewDraws)")
    for session in 1..<max(2, min(9, study.sessionCount)) where study.sessionCount > 1 {
      print.add("\(rows.row(session).distance(from: rows.row(session - 1)))")
    }
    return print.text
  }
}

// MARK: - The same, worked out anew

extension MadeUpTable {
  private func column(_ figure: StudyFigure, _ contestant: Int) -> [StudyValue] {
    (0..<study.pairCount).map { pair in
      figure.value(rows.row(study.number(ofPair: pair, contestant: contestant)))
    }
  }

  fileprivate func expectStatistics(of contestant: Int, in summary: StudySummary) {
    for (figure, found) in zip(summary.figures, summary.contestants[contestant].statistics) {
      let column = Column(column(figure, contestant), isGain: figure.isGain)
      #expect(found.known == column.numbers.count && found.never == column.never)
      #expect(found.unknown == study.pairCount - column.ranked.count)
      #expect(found.mean?.value == column.mean)
      if let interval = found.mean?.interval {
        #expect(column.numbers.contains { $0 <= interval.low })
        #expect(column.numbers.contains { $0 >= interval.high } && interval.low <= interval.high)
      }
      #expect(found.median?.value == (figure.hasPercentiles ? column.percentile(50) : nil))
      if let highest = found.percentile95?.value {
        #expect(highest == column.percentile(95) && column.ranked.count >= 59)
      } else if figure.hasPercentiles, study.links.count >= 59 {
        #expect(found.unknown > 0)
      }
    }
  }

  fileprivate func expectDifferences(
    of contestant: Int, from base: Int, in summary: StudySummary
  ) {
    for (figure, found) in zip(summary.figures, summary.contestants[contestant].differences) {
      let pairs = zip(column(figure, contestant), column(figure, base))
        .filter { $0 != .unknown && $1 != .unknown }
      let ranks = pairs.map {
        (Column.rank($0, isGain: figure.isGain), Column.rank($1, isGain: figure.isGain))
      }
      #expect(found.equal == ranks.count { $0 == $1 })
      #expect(found.better == ranks.count { figure.isGain ? $0 > $1 : $0 < $1 })
      #expect(found.worse == ranks.count { figure.isGain ? $0 < $1 : $0 > $1 })
      let numbers = pairs.compactMap { pair -> Int64? in
        guard case (.number(let a), .number(let b)) = pair else { return nil }
        return a - b
      }
      #expect(found.pairs == numbers.count)
      #expect(found.oneSided == pairs.count { ($0 == .never) != ($1 == .never) })
      let mean = Column(numbers.map { .number($0) }, isGain: false).mean
      #expect(found.mean?.value == mean)
      expectDeciders(found, of: numbers, mean ?? 0)
    }
  }

  /// As few as make up half of what has the mean's sign, the greatest first.
  private func expectDeciders(_ found: PairedDifference, of numbers: [Int64], _ mean: Int64) {
    let sizes = numbers.filter { $0.signum() * mean.signum() > 0 }.map { abs($0) }.sorted(by: >)
    let whole = sizes.reduce(0, +)
    #expect(found.deciders <= sizes.count && (found.deciders > 0) == (whole > 0))
    if whole > 0 {
      #expect(2 * sizes.prefix(found.deciders).reduce(0, +) >= whole)
      #expect(2 * sizes.prefix(found.deciders - 1).reduce(0, +) < whole)
    }
    let named = found.firstDeciders
    #expect(named.map { abs($0.difference) } == Array(sizes.prefix(min(3, found.deciders))))
    for (one, next) in zip(named, named.dropFirst())
    where one.difference == next.difference {
      #expect(one.pair < next.pair)
    }
  }

  /// Those than which none is as good in everything and better in something.
  fileprivate func front(_ summary: StudySummary) -> [Int] {
    let names = [
      StudyFigure.startup.name, StudyFigure.stalled.name, StudyFigure.averageBitrate.name,
    ]
    let places = summary.contestants.map { contestant in
      zip(summary.figures, contestant.statistics).filter { names.contains($0.0.name) }.map {
        figure, found in
        let mean = found.mean.map { figure.isGain ? -$0.value : $0.value } ?? .max
        return (Int64(found.never), mean)
      }
    }
    return places.indices.filter { one in
      !places.contains { other in
        let pairs = zip(other, places[one])
        return pairs.allSatisfy { $0 <= $1 } && pairs.contains { $0 < $1 }
      }
    }
  }

  fileprivate func cutCount(by end: EndReason) -> Int {
    (0..<study.sessionCount).count { session in
      let row = rows.row(session)
      guard row.values[ending] % 4 == Int64(EndReason.allCases.firstIndex(of: end) ?? 0) else {
        return false
      }
      if end == .budget { return true }
      return row.hasStarted && row.ending == .played
        && study.session(session).scenario != 1
    }
  }
}

/// The values of a figure, and their statistics by the definitions.
private struct Column {
  var numbers: [Int64] = []
  var never = 0
  /// Those with a rank, from the best or the least to what never came to be, or the other way.
  var ranked: [StudyValue]

  init(_ values: [StudyValue], isGain: Bool) {
    for case .number(let number) in values { numbers.append(number) }
    ranked = values.filter { $0 != .unknown }
      .sorted { Self.rank($0, isGain: isGain) < Self.rank($1, isGain: isGain) }
    never = ranked.count - numbers.count
  }

  static func rank(_ value: StudyValue, isGain: Bool) -> Int64 {
    if case .number(let number) = value { return number }
    return isGain ? .min : .max
  }

  var mean: Int64? {
    numbers.isEmpty ? nil : Self.halfUp(numbers.reduce(0, +), over: Int64(numbers.count))
  }

  private static func halfUp(_ sum: Int64, over count: Int64) -> Int64 {
    let (doubled, divisor) = (2 * sum + count, 2 * count)
    return doubled >= 0 ? doubled / divisor : -((divisor - 1 - doubled) / divisor)
  }

  /// By linear interpolation between neighbours; `FigureStatistics.never` beside what never was.
  func percentile(_ percent: Int) -> Int64? {
    if ranked.isEmpty { return nil }
    let (place, part) = (percent * (ranked.count - 1)).quotientAndRemainder(dividingBy: 100)
    let ends = ranked[place...(part == 0 ? place : place + 1)].map { value -> Int64? in
      if case .number(let number) = value { number } else { nil }
    }
    guard let low = ends[0], let high = ends[ends.count - 1] else { return FigureStatistics.never }
    return Self.halfUp(low * Int64(100 - part) + high * Int64(part), over: 100)
  }
}

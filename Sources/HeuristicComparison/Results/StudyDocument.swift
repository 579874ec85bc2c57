package import ExactText
import ScenarioFormat
import ScenarioRunner

extension JSONWriter {
  /// Writes the results of a study, as members.
  package mutating func results(_ results: StudyResults) {
    let study = results.study
    key("study")
    string(results.digest)
    key("sessions")
    integer(Int64(study.sessionCount))
    scenarios(results)
    list("links", study.links) { $0.string($1.name) }
    list("seeds", study.seeds) { $0.natural($1) }
    key("resampling")
    beginObject()
    key("seed")
    natural(study.resampling.seed)
    key("draws")
    integer(Int64(study.resampling.draws(for: study.pairCount)))
    endObject()
    summary(results.whole, of: study)
    if results.groups.isEmpty { return }
    list("groups", results.groups) { writer, group in
      writer.beginObject()
      writer.key(group.kind.rawValue)
      writer.string(group.name)
      writer.summary(group.summary, of: study)
      writer.endObject()
    }
  }

  /// The scenarios, with the results of each contestant where each has one session of it.
  private mutating func scenarios(_ results: StudyResults) {
    let study = results.study
    let isSingle = study.links.count == 1 && study.seeds.count < 2
    key("scenarios")
    beginArray()
    for (place, scenario) in study.scenarios.enumerated() {
      beginObject()
      key("file")
      string(scenario.file)
      key("scenario")
      string(scenario.name)
      key("seed")
      natural(study.seeds.first ?? scenario.seed)
      key("fidelity")
      string(scenario.fidelity)
      if isSingle {
        list("results", Array(study.contestants.indices)) { writer, contestant in
          let session = Study.Session(scenario: place, link: 0, contestant: contestant, seed: 0)
          writer.beginObject()
          writer.key("policy")
          writer.string(study.contestants[contestant].name)
          writer.figures(results.rows.row(study.number(of: session)), of: study)
          writer.endObject()
        }
      }
      endObject()
    }
    endArray()
  }

  private mutating func summary(_ summary: StudySummary, of study: Study) {
    key("drawn")
    string(summary.drawn.rawValue)
    key("policies")
    beginArray()
    for (place, contestant) in summary.contestants.enumerated() {
      beginObject()
      key("policy")
      string(study.contestants[place].name)
      key("sessions")
      integer(Int64(contestant.sessions))
      key("isOnFront")
      boolean(summary.front.contains(place))
      key("figures")
      beginObject()
      for (figure, statistics) in zip(summary.figures, contestant.statistics) {
        key(figure.name)
        self.statistics(statistics, figure)
      }
      endObject()
      differences(contestant.differences, summary.figures, of: study)
      endObject()
    }
    endArray()
  }

  private mutating func statistics(_ statistics: FigureStatistics, _ figure: StudyFigure) {
    beginObject()
    for (name, count) in [
      ("known", statistics.known), ("never", statistics.never), ("unknown", statistics.unknown),
    ] {
      key(name)
      integer(Int64(count))
    }
    // A mean of what came to be would make what never did look harmless.
    let isWhole = statistics.never == 0
    statistic("mean", isWhole ? statistics.mean : nil, figure.places)
    if !isWhole { statistic("meanOfRest", statistics.mean, figure.places) }
    if figure.hasPercentiles {
      statistic("median", statistics.median, figure.places)
      statistic("p95", statistics.percentile95, figure.places)
    }
    endObject()
  }

  private mutating func statistic(
    _ name: String, _ statistic: FigureStatistics.Statistic?, _ places: Int
  ) {
    key(name)
    number(statistic?.value, places)
    key(name + "Interval")
    guard let interval = statistic?.interval else { return null() }
    beginArray()
    number(interval.low, places)
    number(interval.high, places)
    endArray()
  }

  private mutating func number(_ value: Int64?, _ places: Int) {
    switch value {
    case nil: null()
    case FigureStatistics.never: string("never")
    case .some(let value): decimal(value, places: places)
    }
  }

  private mutating func differences(
    _ differences: [PairedDifference], _ figures: [StudyFigure], of study: Study
  ) {
    guard !differences.isEmpty, let baseline = study.baseline else { return }
    key("against")
    beginObject()
    key("policy")
    string(study.contestants[baseline].name)
    key("figures")
    beginObject()
    for (figure, difference) in zip(figures, differences) {
      key(figure.name)
      self.difference(difference, figure, of: study)
    }
    endObject()
    endObject()
  }

  private mutating func difference(
    _ difference: PairedDifference, _ figure: StudyFigure, of study: Study
  ) {
    beginObject()
    for (name, count) in [
      ("pairs", difference.pairs), ("better", difference.better), ("worse", difference.worse),
      ("equal", difference.equal), ("oneSided", difference.oneSided),
    ] {
      key(name)
      integer(Int64(count))
    }
    statistic("mean", difference.mean, figure.places)
    key("decidedBy")
    integer(Int64(difference.deciders))
    list("first", difference.firstDeciders) { writer, decider in
      let session = study.session(study.number(ofPair: decider.pair, contestant: 0))
      writer.beginObject()
      writer.key("scenario")
      writer.string(study.scenarios[session.scenario].file)
      writer.key("link")
      writer.string(study.links[session.link].name)
      writer.key("seed")
      writer.natural(study.seed(of: session))
      writer.key("difference")
      writer.decimal(decider.difference, places: figure.places)
      writer.endObject()
    }
    endObject()
  }
}

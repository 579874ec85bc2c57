import ExactText
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner

/// The answer of `compare --explain`: the session in which two policies differ most, and the
/// decisions at which they part.
struct Explanation {
  private let invocation: Invocation
  private let prepared: PreparedStudy
  private let runner: StudyRunner
  private let names: [String]
  /// The places of the two among those that are compared.
  private let contestants: [Int]
  /// The one scenario that is looked at; nil for all.
  private let scenario: Int?

  init(_ invocation: Invocation, _ prepared: PreparedStudy) throws(Failure) {
    self.invocation = invocation
    self.prepared = prepared
    let study = prepared.study
    runner = StudyRunner(study, prepared.sources)
    names = Array(invocation.values(of: .explain).suffix(2))
    contestants = try names.map { (name) throws(Failure) in
      try prepared.words.place(of: name, among: study.contestants, under: "explain")
    }
    scenario = try Self.scenario(of: study, invocation)
  }

  func write() throws(Failure) -> ExitCode {
    if let format = invocation.value(of: .studyFormat), ["csv", "markdown"].contains(format) {
      throw invocation.refusal(
        "An explanation is written as text or as JSON, not as \(inQuotes(format)).")
    }
    var warnings = prepared.study.notes
    warnings += invocation.note(
      [
        .against, .objectives, .regret, .groupings, .draws, .drawSeed, .sessionsFile, .checkpoint,
        .shard, .jobs, .html, .digests,
      ], haveNoEffectBeside: "'--explain'")
    let study = prepared.study
    // Those of the first of the two that are looked at, in the study's order.
    let looked: [Study.Session] = (0..<study.sessionCount).lazy.map { study.session($0) }
      .filter { $0.contestant == contestants[0] && scenario ?? $0.scenario == $0.scenario }
    let sessions = try byDifference(looked)
    for (place, session) in sessions.enumerated() {
      invocation.console.progress.tell(place, of: sessions.count)
      let parting = try parting(in: session)
      // In the first line, their headers alone differ.
      if case .first(_, let line, _) = parting.difference, line > 1 {
        invocation.console.progress.clear()
        try tell(parting, in: session, of: sessions.count, warnings)
        return .different
      }
    }
    invocation.console.progress.clear()
    let all = sessions.count == 1 ? "the one session" : "all \(sessions.count) sessions"
    try invocation.answer(
      ["same": true, "sessions": .whole(sessions.count)],
      orText: "\(choices(names)) do the same in \(all).\n", warning: warnings)
    return .success
  }

  /// The sessions with the largest differences in startup and stalled time first.
  private func byDifference(_ sessions: [Study.Session]) throws(Failure) -> [Study.Session] {
    var found: [(session: Study.Session, difference: UInt64)] = []
    for (place, session) in sessions.enumerated() {
      invocation.console.progress.tell(place, of: sessions.count)
      let rows = try numbers(in: session).map { (number) throws(Failure) in
        try prepared.result(of: number, runner, runner.run).row
      }
      found.append((session, rows[0].distance(from: rows[1])))
    }
    return found.indices
      .sorted { (found[$1].difference, $0) < (found[$0].difference, $1) }
      .map { found[$0].session }
  }

  private func numbers(in session: Study.Session) -> [Int] {
    contestants.map { contestant in
      var session = session
      session.contestant = contestant
      return prepared.study.number(of: session)
    }
  }

  private func parting(in session: Study.Session) throws(Failure) -> TraceParting {
    let traces = try numbers(in: session).map { (number) throws(Failure) in
      try prepared.result(of: number, runner, runner.trace)
    }
    return try TraceParting(
      traces[0], traces[1], names.map { InputFile(path: $0, relativePath: $0) }, ofDeeds: true)
  }

  private func tell(
    _ parting: TraceParting, in session: Study.Session, of count: Int, _ warnings: [String]
  ) throws(Failure) {
    let study = prepared.study
    let scenario = study.scenarios[session.scenario]
    let link = study.links[session.link].name
    let seed = study.seed(of: session)
    let told: JSONTree = [
      "session": [
        "file": .string(scenario.file), "scenario": .string(scenario.name),
        "link": .string(link), "seed": .whole(seed),
      ], "sessions": .whole(count),
    ]
    // The name has its file behind it where another scenario is called the same.
    let isTwin = study.scenarios.count { isSameText($0.name, scenario.name) } > 1
    let title = isTwin ? "\(scenario.name) (\(scenario.file))" : scenario.name
    let before = count == 1 ? "" : "; of \(count) sessions the one that differs most"
    try invocation.answer(
      told + parting.document,
      orText: "\(shown(title)), link \(shown(link)), seed \(seed)\(before)\n" + parting.text,
      warning: warnings)
  }

  private static func scenario(of study: Study, _ invocation: Invocation) throws(Failure) -> Int? {
    guard let name = invocation.value(of: .explained) else { return nil }
    // A path is one scenario's alone.
    if let place = study.scenarios.firstIndex(where: { isSameText($0.file, name) }) {
      return place
    }
    let places = study.scenarios.indices.filter {
      isSameText(study.scenarios[$0].name, name) || lastPart(of: study.scenarios[$0].file) == name
    }
    if places.count > 1 {
      let files = places.map { study.scenarios[$0].file }
      throw invocation.refusal(
        "There are \(places.count) scenarios \(inQuotes(name)): please name one of "
          + "\(choices(files)).")
    }
    if let place = places.first { return place }
    let names = study.scenarios.map { $0.name }
    throw invocation.refusal(
      "There is no scenario \(inQuotes(name)), but \(choices(names))."
        + question(nearestWord(to: name, among: names)))
  }
}

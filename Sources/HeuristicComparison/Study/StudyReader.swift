package import ExactText
import LinkConditioner
package import ScenarioFormat
package import ScenarioRunner
import VirtualTime

/// The sources of a study's documents, and of the files that they name.
package struct StudySources: Sendable {
  /// The text of each scenario.
  package var documents: [[UInt8]]
  /// The content of a file, by the place of the scenario that names it and its path there.
  package var files: @Sendable (_ scenario: Int, _ path: String) -> [UInt8]?
  /// The source of answers for each scenario's external policies.
  package var policies: [PolicySource]
  /// The edits that set a link to each scenario's own delays.
  package var delays: [[JSONEdit]] = []
  package var recordings = SharedRecordings()
  package var beat: RunBeat?

  package init(
    documents: [[UInt8]], policies: [PolicySource],
    files: @escaping @Sendable (_ scenario: Int, _ path: String) -> [UInt8]?
  ) {
    self.documents = documents
    self.files = files
    self.policies = policies
  }
}

/// Reads a study's scenarios and runs its sessions: consecutive ones share their reading.
package final class StudyRunner {
  private let study: Study
  private let sources: StudySources
  private var caches: [ReadingCache]
  /// The document that was read last, by the place of its scenario, before any edit.
  private var unedited: (scenario: Int, document: JSONValue?)?
  /// Results of sessions that differ in their seeds from the session that was run last.
  private var shared: (session: Study.Session, runs: SharedRuns)?
  /// The number of sessions that were run, and not taken from an identical one.
  package private(set) var runCount: Int64 = 0
  private var latest: (session: Study.Session, scenario: Scenario)?
  /// The link that was read last, and the scenarios of policies that change the player alone, by
  /// the place of the policy.
  private var compiled: (scenario: Int, link: Int, plan: LinkPlan?, known: [Int: Scenario]) = (
    -1, -1, nil, [:]
  )

  package init(_ study: Study, _ sources: StudySources) {
    self.study = study
    self.sources = sources
    caches = study.scenarios.map { _ in ReadingCache(sources.recordings) }
  }

  package enum Failure: Error {
    case edit(JSONEdit.Failure)
    case document(DocumentError)
    case run(RunError)
  }

  package func edits(for session: Study.Session) -> [JSONEdit] {
    let link = study.links[session.link]
    let delays =
      link.keepsDelay && session.scenario < sources.delays.count
      ? sources.delays[session.scenario] : []
    return link.edits + delays + study.edits + study.contestants[session.contestant].edits
  }

  package func document(for session: Study.Session) throws(Failure) -> [UInt8] {
    let place = session.scenario
    let text = sources.documents[place]
    let edits = edits(for: session)
    if edits.isEmpty { return text }
    if unedited?.scenario != place { unedited = (place, try? JSONValue(parsing: text)) }
    guard let document = unedited?.document else { return text }
    return try rethrowing(try document.edited(edits), as: Failure.edit)
  }

  package func scenario(for session: Study.Session) throws(Failure) -> Scenario {
    var shared = session
    shared.seed = 0
    var scenario: Scenario
    if let latest, latest.session == shared {
      scenario = latest.scenario
    } else {
      let document = try document(for: shared)
      let place = session.scenario
      let files = sources.files
      scenario = try rethrowing(
        try readScenario(
          document, file: study.scenarios[place].file, keeping: caches[place]
        ) { files(place, $0) }, as: Failure.document)
      // Expectations are not judged here, but the run lasts until the moments that they name.
      let ofSamples = study.keepsDigests
      scenario.expectations = scenario.expectations.moments(ofSamples: ofSamples)
      for index in scenario.others.indices {
        let others = scenario.others[index].scenario.expectations
        scenario.others[index].scenario.expectations = others.moments(ofSamples: ofSamples)
      }
      latest = (shared, scenario)
    }
    // Without seeds each document has its own.
    if !study.seeds.isEmpty { scenario.seed = study.seed(of: session) }
    return scenario
  }

  /// The scenario of a session, whose document may be that of another link.
  ///
  /// Nothing but the link differs between the links of a policy that changes the player alone.
  private func scenarioToRun(for session: Study.Session) throws(Failure) -> Scenario {
    let own = study.contestants[session.contestant].edits
    if study.links.count == 1 || study.keepsDigests
      || own.contains(where: { $0.path.steps.first != .key("player") })
    {
      return try scenario(for: session)
    }
    if compiled.scenario == session.scenario, compiled.link == session.link,
      let plan = compiled.plan, var scenario = compiled.known[session.contestant]
    {
      scenario.link = plan
      if !study.seeds.isEmpty { scenario.seed = study.seed(of: session) }
      return scenario
    }
    let scenario = try scenario(for: session)
    if !scenario.others.isEmpty { return scenario }
    if compiled.scenario != session.scenario { compiled.known = [:] }
    let (place, link) = (session.scenario, session.link)
    (compiled.scenario, compiled.link, compiled.plan) = (place, link, scenario.link)
    if compiled.known.count == 1_024 { return scenario }
    var kept = scenario
    // Perf: its document would be most of the memory, and only traces and warnings have it.
    (kept.document, kept.scopedKeys) = (unedited?.document ?? scenario.document, [])
    compiled.known[session.contestant] = kept
    return scenario
  }

  package func run(_ number: Int) throws(Failure) -> FinishedSession {
    let session = study.session(number)
    var first = session
    first.seed = 0
    let seed = study.seed(of: session)
    // Sessions of other seeds have other digests.
    if !study.keepsDigests, let shared, shared.session == first,
      let known = shared.runs.finished(withSeed: seed)
    {
      return known
    }
    var scenario = try scenarioToRun(for: session)
    if study.keepsDigests, !study.seeds.isEmpty { scenario.document.set("seed", seed) }
    if shared?.session != first { shared = (first, SharedRuns(scenario.faults)) }
    let outcome = try outcome(of: scenario, session, keepsTrace: false)
    runCount += 1
    let finished = FinishedSession(
      row: SessionRow(scenario, outcome, in: study), faults: outcome.faults)
    // External policies may answer differently in every run.
    if scenario.policyCommands.isEmpty { shared?.runs.keep(finished, outcome.draws) }
    return finished
  }

  /// The bounds for the regrets of a session, and the reasons of those without a number.
  ///
  /// - Parameter row: That of the session, to ask for those without a number alone.
  package func regretRemarks(
    of number: Int, lackedBy row: SessionRow? = nil
  ) throws(Failure) -> (words: [String], areAllKnown: Bool) {
    let lacked = row.map { row in
      study.columns.filter {
        row.values[$0.place] == SessionRow.nothing
          && ($0.group == .objectiveRegrets || isSameText($0.name, StudyFigure.regretName))
      }
    }
    if lacked?.isEmpty == true { return ([], true) }
    func isAsked(_ name: String) -> Bool { lacked?.contains { isSameText($0.name, name) } ?? true }
    let session = study.session(number)
    let scenario = try scenario(for: session)
    let outcome = try outcome(of: scenario, session, keepsTrace: false)
    var report = OracleReport(scenario, outcome)
    if let finding = report.finding, finding.waiting == nil {
      report.remarks = ["the end is never reached"]
    }
    func remark(_ name: String, _ bound: Int64?, _ words: [String], or attained: Int64?) -> String {
      func shown(_ value: Int64) -> String { fixed(value, of: 9, decimals: 3) }
      let reasons = joined(words, by: ", ")
      guard let bound else { return name + " has no number: " + reasons }
      return name + " is held against a bound of \(shown(bound)), which may be out of reach"
        + (attained.map { "; \(shown($0)) can be attained" } ?? "") + " (" + reasons + ")"
    }
    let waiting = report.finding?.waiting?.nanoseconds
    var (remarks, areAllKnown) = ([String](), waiting != nil)
    if isAsked(StudyFigure.regretName), !report.isExact || waiting == nil {
      remarks.append(remark(StudyFigure.regretName, waiting, report.remarks, or: nil))
    }
    for objective in study.objectivesWithRegret where isAsked(objective.name) {
      let best = OptimumReport(objective, of: scenario, outcome)
      if best.isExact { continue }
      areAllKnown = areAllKnown && best.finding != nil
      let name = objective.name + "Regret"
      remarks.append(remark(name, best.finding?.bound, best.remarks, or: best.attained))
    }
    return (remarks, areAllKnown)
  }

  package func trace(of number: Int) throws(Failure) -> [UInt8] {
    let session = study.session(number)
    return try outcome(of: try scenario(for: session), session, keepsTrace: true).trace
  }

  private func outcome(
    of scenario: Scenario, _ session: Study.Session, keepsTrace: Bool
  ) throws(Failure) -> RunOutcome {
    var options = RunOptions(
      heuristic: study.contestants[session.contestant].heuristic, keepsTrace: keepsTrace,
      folds: .figures)
    (options.warns, options.beat) = (false, sources.beat)
    // The best that was possible asks for the media when this run did.
    if study.asksRegret { options.folds = .startup }
    if study.keepsDigests, !keepsTrace { options.trace = .digest }
    if session.scenario < sources.policies.count {
      options.policies = sources.policies[session.scenario]
    }
    return try rethrowing(try ScenarioRunner.run(scenario, options: options), as: Failure.run)
  }
}

extension JSONValue {
  /// Writes a number into a member, as `--set` does.
  fileprivate mutating func set(_ name: String, _ number: UInt64) {
    guard let edit = try? JSONEdit("\(name)=\(number)"), let text = try? edited([edit]),
      let value = try? JSONValue(parsing: text)
    else { return }
    self = value
  }
}

package struct FinishedSession: Sendable {
  package var row: SessionRow
  /// Inconsistencies in the run's accounts; empty unless the simulator is wrong.
  package var faults: [String]
}

/// Results of sessions that differ in their seeds alone, by their random draws.
///
/// Two sessions are the same up to the first draw that differs, and to their end where none does:
/// the draws of another seed identify the finished session that it would repeat.
struct SharedRuns {
  /// A run that parts from an earlier one at a draw.
  private struct Run {
    /// The number of draws before those in `draws`.
    let begins: Int
    let draws: [FaultDraw]
    let finished: FinishedSession
    /// Those that part from it, each at the number of a draw.
    var partings: [(draw: Int, run: Int)] = []

    /// The draw of a number; nil past the last one.
    func draw(_ number: Int) -> FaultDraw? {
      number < begins + draws.count ? draws[number - begins] : nil
    }

    func parting(at draw: Int) -> Int? { partings.first { $0.draw == draw }?.run }
  }

  private let faults: FaultPlan
  private var runs: [Run] = []
  private var drawCount = 0

  /// As much as is kept: some megabytes.
  private static let most = (runs: 1 << 14, draws: 1 << 19)

  init(_ faults: FaultPlan) { self.faults = faults }

  /// The finished session that a seed would repeat; nil where no run has the same draws.
  func finished(withSeed seed: UInt64) -> FinishedSession? {
    if runs.isEmpty { return nil }
    if runs[0].draws.isEmpty { return runs[0].finished }
    var chances = FaultChances(faults, seed: seed)
    var (run, number) = (0, 0)
    while let draw = runs[run].draw(number) {
      if chances.draw(Int(draw.rule)) != draw.happens {
        guard let other = runs[run].parting(at: number) else { return nil }
        run = other
      }
      number += 1
    }
    return runs[run].finished
  }

  /// Keeps what came of a session, where draws that are listed say which others are like it.
  mutating func keep(_ finished: FinishedSession, _ draws: LinkDraws) {
    if !draws.areListed || runs.count >= Self.most.runs { return }
    var (run, number, begins) = (0, 0, 0)
    if !runs.isEmpty {
      while true {
        guard number < draws.ofFaults.count, let known = runs[run].draw(number) else { return }
        if known != draws.ofFaults[number] {
          guard let other = runs[run].parting(at: number) else { break }
          run = other
        }
        number += 1
      }
      begins = number + 1
    }
    let rest = Array(draws.ofFaults[begins...])
    if drawCount + rest.count > Self.most.draws { return }
    drawCount += rest.count
    if !runs.isEmpty { runs[run].partings.append((number, runs.count)) }
    runs.append(Run(begins: begins, draws: rest, finished: finished))
  }
}

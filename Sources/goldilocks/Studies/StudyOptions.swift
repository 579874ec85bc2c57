import ExactText
import HeuristicComparison
import ScenarioFormat

extension Option {
  static let heuristics = Option(
    name: "heuristics", valueName: "heuristics",
    help: "Heuristics under test, separated by commas; see 'goldilocks heuristics'. A scenario's "
      + "own is called own. (default: \(joined(Contestant.usual.map { $0.name }, by: ",")))")
  static let policies = Option(
    name: "policies", valueName: "policies",
    help: "Whole policies under test, separated by commas; or all.")
  static let vary = Option(
    name: "vary", valueName: "path=a,b",
    help: "Compare values of a setting, such as player.preferredForwardBufferDuration=2s,5s; may "
      + "be repeated.")
  static let links = Option(
    name: "links", valueName: "links",
    help: "Links that take the place of the scenarios' own, parted by commas: profiles, recordings "
      + "in any format that 'import trace' reads, folders of them; may be repeated.")
  static let repeats = Option(
    name: "repeat",
    help: "Let recordings begin again at their end; without it those in CSV hold their last value.")
  static let sessionSeeds = Option(
    name: "seeds", valueName: "seeds",
    help: "Number of seeds of each session, from 1 on; or a list, such as 3,5,8.")
  static let against = Option(
    name: "baseline", valueName: "policy",
    help: "Policy that the others are compared with, session by session. (default: the first)")
  static let objectives = Option(
    name: "objective", valueName: "name",
    help: "Judge sessions by an objective as well; may be repeated.",
    values: Objective.all.map { $0.name })
  static let regret = Option(
    name: "regret", help: "Show how far each session is from the best possible result.")
  static let digests = Option(
    name: "digests",
    help: "Add the digest of each session, as 'run' prints it; computing it over the trace takes "
      + "longer. A page has them unless it has a checkpoint.")
  static let groupings = Option(
    name: "by", valueName: "group",
    help: "Sum groups up by themselves as well; may be repeated. A folder is one of recordings "
      + "that '--links' names.",
    values: StudyResults.Grouping.allCases.map { $0.rawValue })
  static let draws = Option(
    name: "draws", valueName: "count",
    help: "Number of bootstrap draws of intervals. (default: 10000, fewer for large samples)")
  static let drawSeed = Option(
    name: "draw-seed", valueName: "seed", help: "The seed of these draws.", fallback: "0")
  static let sessionsFile = Option(
    name: "sessions", valueName: "file",
    help: "Write a line of JSON for the study and one for each session, as 'merge' and "
      + "'--checkpoint' read them.")
  static let checkpoint = Option(
    name: "checkpoint", valueName: "file",
    help: "Keep finished sessions there; the same command goes on from it.")
  static let studyFormat = formats("text", "json", "csv", "markdown")
  static let explain = Option(
    name: "explain", valueName: "policy", valueCount: 2,
    help: "Show the session in which two policies differ most instead: at which decision they "
      + "part, and what it cost. Ends with 1 where they part.")
  static let explained = Option(
    name: "scenario", valueName: "scenario",
    help: "Scenario that is explained. (default: the one in which they differ most)")
}

extension StudyDescription {
  mutating func addExplained(_ invocation: Invocation) {
    if !policies.isEmpty || !heuristics.isEmpty || !varied.isEmpty { return }
    let names = invocation.values(of: .explain).suffix(2)
    if let first = names.first, let last = names.last {
      policies = isSameText(first, last) ? [.named(first)] : [.named(first), .named(last)]
    }
  }

  /// Adds what the command line says; it comes after what a file says.
  mutating func add(_ invocation: Invocation) throws(Failure) {
    heuristics += invocation.words(of: .heuristics)
    policies += invocation.words(of: .policies).map { .named($0) }
    settings += try invocation.edits()
    for text in invocation.values(of: .vary) {
      do throws(JSONEdit.Failure) {
        varied.append(
          try JSONEdit.alternatives(text).map { (edit) throws(JSONEdit.Failure) in
            try edit.asKeysTakeIt()
          })
      } catch {
        throw Failure(usage: invocation.verb, .vary, text, error.message)
      }
    }
    links += invocation.words(of: .links).map { .named($0) }
    if let text = invocation.value(of: .sessionSeeds) { seeds = try invocation.seeds(text) }
    if let name = invocation.value(of: .against) { baseline = name }
    objectives += invocation.values(of: .objectives)
    if invocation.has(.regret) { asksRegret = true }
    groupings += invocation.groupings
    if invocation.value(of: .draws) != nil {
      let permitted = Resampling.permittedDraws
      resampling.draws = try invocation.number(
        of: .draws, in: Int(permitted.lowerBound)...Int(permitted.upperBound))
    }
    if !invocation.values(of: .drawSeed).isEmpty {
      resampling.seed = UInt64(try invocation.number(of: .drawSeed, in: 0...Int.max))
    }
  }
}

extension Invocation {
  var groupings: [StudyResults.Grouping] {
    values(of: .groupings).compactMap { StudyResults.Grouping(rawValue: $0) }
  }

  func seeds(_ text: String) throws(Failure) -> [UInt64] {
    let parts = JSONEdit.split(text)
    let count = parts.count == 1 ? UInt64(parts[0]) ?? 0 : 0
    if (1...1_000_000).contains(count) { return (1...count).map { $0 } }
    let seeds = parts.compactMap { UInt64($0) }
    if parts.count > 1, seeds.count == parts.count { return seeds }
    throw Failure(
      usage: verb, .sessionSeeds, text, "a number from 1 to 1000000 is expected, or a list of seeds"
    )
  }
}

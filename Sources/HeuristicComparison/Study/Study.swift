package import ExactText
package import PlayerPolicies
import ScenarioFormat
import VirtualTime

/// A policy under test: the edits to each scenario that put it in charge.
package struct Contestant: Sendable {
  package var name: String
  /// Takes the place of the scenario's own; nil leaves it.
  package var heuristic: KeepUpHeuristic?
  package var edits: [JSONEdit]
  /// The settings by which it differs from others of its policy: a path and a value each.
  package internal(set) var settings: [(path: String, value: JSONTree)] = []
  /// The name without these settings.
  package internal(set) var policy: String

  package init(_ name: String, heuristic: KeepUpHeuristic? = nil, edits: [JSONEdit] = []) {
    self.name = name
    policy = name
    self.heuristic = heuristic
    self.edits = edits
  }

  package init(_ heuristic: KeepUpHeuristic) { self.init(heuristic.text, heuristic: heuristic) }

  package func with(_ edit: JSONEdit) -> Contestant {
    var contestant = self
    let value = edit.text
    contestant.name = edits.isEmpty && name == Self.ownName ? value : name + " " + value
    // A preset is a text until something of it changes.
    if edit.path.text.hasPrefix("player.policy.") {
      for place in contestant.edits.indices
      where contestant.edits[place].path.text == "player.policy" {
        guard case .string(let preset)? = contestant.edits[place].value else { continue }
        contestant.edits[place].value = ["like": .string(preset)]
      }
    }
    contestant.edits.append(edit)
    contestant.settings.append((edit.path.text, edit.value ?? .null))
    return contestant
  }

  package static let ownName = "own"

  package static let own = Contestant(ownName)

  /// The default, two players with marks in seconds, and the one that never stalls.
  package static let usual = [
    Contestant(.standard),
    Contestant(.thresholds(start: .seconds(1), resume: .seconds(2))),
    Contestant(.thresholds(start: .seconds(5), resume: .seconds(15))),
    Contestant(.everythingLoaded),
  ]
}

/// A link of a study: a profile, a recording, or what each scenario has itself.
package struct StudyLink: Sendable {
  package var name: String
  /// The argument that named it: a folder of recordings is one group.
  package var group: String
  package var edits: [JSONEdit]
  /// Whether each scenario's own delay holds: a recording of rates alone has none.
  package var keepsDelay: Bool

  package init(_ name: String, group: String, edits: [JSONEdit], keepsDelay: Bool = false) {
    self.name = name
    self.group = group
    self.edits = edits
    self.keepsDelay = keepsDelay
  }

  /// That of each scenario.
  package static let own = StudyLink("own", group: "own", edits: [])
}

/// A scenario of a study, as far as results name it.
package struct StudyScenario: Hashable, Sendable {
  package var file: String
  package var name: String
  package var seed: UInt64
  package var fidelity: String
  /// Whether it is watched while it is published, and so as long as its horizon lets it.
  package var isLive: Bool

  package init(file: String, name: String, seed: UInt64, fidelity: String, isLive: Bool = false) {
    self.file = file
    self.name = name
    self.seed = seed
    self.fidelity = fidelity
    self.isLive = isLive
  }
}

/// Scenarios × links × contestants × seeds: sessions that do not know of each other, in one order.
///
/// A session is a number, so that any of them can be run anywhere and at any time. The seeds of a
/// contestant on a link follow each other, so that what was read for one serves them all.
package struct Study: Sendable {
  package var scenarios: [StudyScenario]
  package var links: [StudyLink]
  package var contestants: [Contestant]
  /// Edits to every scenario, made after its link's and before those of the policy under test.
  package var edits: [JSONEdit]
  /// Empty where each scenario keeps its own.
  package var seeds: [UInt64]
  /// The place of the contestant that the others are held against; nil for none.
  package var baseline: Int?
  package var objectives: [Objective]
  /// Whether each session is held against the best that was possible.
  package var asksRegret: Bool
  package var resampling: Resampling
  /// Whether each session keeps the digest of its trace, for which every line has to be written.
  package var keepsDigests = false
  /// Remarks on its scenarios, links and policies, which every answer repeats.
  package var notes: [String] = []

  package init(
    scenarios: [StudyScenario], links: [StudyLink] = [.own], contestants: [Contestant],
    edits: [JSONEdit] = [], seeds: [UInt64] = [], baseline: Int? = nil,
    objectives: [Objective] = [],
    asksRegret: Bool = false, resampling: Resampling = Resampling()
  ) {
    self.scenarios = scenarios
    self.links = links
    self.contestants = contestants
    self.edits = edits
    self.seeds = seeds
    self.baseline = baseline
    self.objectives = objectives
    self.asksRegret = asksRegret
    self.resampling = resampling
  }

  /// The objectives by which an adaptive session is held against the best that was possible.
  var objectivesWithRegret: [Objective] {
    asksRegret ? objectives.filter { $0.prices != nil } : []
  }

  /// A session, as indices into the lists of the study.
  package struct Session: Hashable, Sendable {
    package var scenario: Int
    package var link: Int
    package var contestant: Int
    package var seed: Int

    package init(scenario: Int, link: Int, contestant: Int, seed: Int) {
      self.scenario = scenario
      self.link = link
      self.contestant = contestant
      self.seed = seed
    }
  }

  private var seedCount: Int { max(1, seeds.count) }

  package var sessionCount: Int { scenarios.count * links.count * contestants.count * seedCount }

  /// The most sessions that a study can have: their rows and statistics take about 550 MB.
  package static let mostSessions = 1_500_000
  /// The most policies that settings can vary into: their edits and names take about 100 MB.
  package static let mostContestants = 20_000

  /// Says by how much a study has too many sessions; nil where it has not.
  package var excess: String? {
    var count: Int64 = 1
    for factor in [scenarios.count, links.count, contestants.count, seedCount] {
      count *= Int64(factor)
      if count <= Int64(Self.mostSessions) { continue }
      return "a study can have \(Self.mostSessions) sessions, which is less than "
        + "\(scenarios.count) × \(links.count) × \(contestants.count) × \(seedCount): scenarios × "
        + "links × policies × seeds"
    }
    return nil
  }

  package func session(_ number: Int) -> Session {
    var rest = number
    let seed = rest % seedCount
    rest /= seedCount
    let contestant = rest % contestants.count
    rest /= contestants.count
    return Session(
      scenario: rest / links.count, link: rest % links.count, contestant: contestant, seed: seed)
  }

  package func number(of session: Session) -> Int {
    let cell = session.scenario * links.count + session.link
    return (cell * contestants.count + session.contestant) * seedCount + session.seed
  }

  /// The number of pairs: the sessions of one policy under test.
  package var pairCount: Int { scenarios.count * links.count * seedCount }

  package func number(ofPair pair: Int, contestant: Int) -> Int {
    let (cell, seed) = (pair / seedCount, pair % seedCount)
    return (cell * contestants.count + contestant) * seedCount + seed
  }

  package func seed(of session: Session) -> UInt64 {
    seeds.isEmpty ? scenarios[session.scenario].seed : seeds[session.seed]
  }

  /// The unit that the bootstrap resamples, in the order of preference.
  package enum Drawn: String, Sendable {
    /// Sessions over one link have that link in common, and are no evidence of any other.
    case link
    /// With a single link, sessions of one scenario have that scenario in common.
    case scenario
    case seed
  }

  /// The unit to resample: the first of link, scenario and seed that differs among pairs.
  package func drawn(from pairs: [Int]) -> Drawn {
    let sessions = pairs.map { session(number(ofPair: $0, contestant: 0)) }
    if sessions.contains(where: { $0.link != sessions[0].link }) { return .link }
    if sessions.contains(where: { $0.scenario != sessions[0].scenario }) { return .scenario }
    return .seed
  }

  /// The keys of pairs for their draws, by the unit drawn: the names of their scenarios and links,
  /// and their seeds, so that an additional scenario or link leaves all other draws unchanged.
  package func keys(ofPairs pairs: [Int], drawing drawn: Drawn) -> [UInt64] {
    var counts: [String: Int] = [:]
    for scenario in scenarios { counts[scenario.name, default: 0] += 1 }
    // Each with its file where another scenario is called the same.
    let names = scenarios.map { counts[$0.name] == 1 ? $0.name : $0.name + "\n" + $0.file }
    return pairs.map { pair in
      let session = session(number(ofPair: pair, contestant: 0))
      let (scenario, link) = (names[session.scenario], links[session.link].name)
      switch drawn {
      case .link: return fnv1a(link)
      case .scenario: return fnv1a(scenario)
      case .seed:
        return fnv1a(scenario + "\n" + link) ^ (seed(of: session) &* 0x9E37_79B9_7F4A_7C15)
      }
    }
  }
}

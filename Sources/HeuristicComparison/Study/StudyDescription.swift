package import ExactText
package import ScenarioFormat

/// A study as somebody writes it down, in a file or on a command line: the same words.
package struct StudyDescription: Sendable {
  /// Paths of scenarios, and of folders of them.
  package var scenarios: [String] = []
  package var policies: [Policy] = []
  package var heuristics: [String] = []
  package var settings: [JSONEdit] = []
  /// For each setting that varies, one edit for each of its values.
  package var varied: [[JSONEdit]] = []
  package var links: [Link] = []
  /// Whether recordings begin again at their end.
  package var repeats = false
  package var seeds: [UInt64] = []
  package var baseline: String?
  package var objectives: [String] = []
  package var asksRegret = false
  package var groupings: [StudyResults.Grouping] = []
  package var resampling = Resampling()

  package init() {}

  /// A policy by its name, or a name with what it changes.
  package enum Policy: Sendable {
    case named(String)
    case described(Contestant)
  }

  /// A profile's name or a path; or a name with what the link is.
  package enum Link: Sendable {
    case named(String)
    case described(name: String, JSONTree)
  }

  fileprivate static let keys = KeyTable<Self>(
    "study", "Scenarios × policies × links × seeds, and the questions about them."
  ) {
    Key.optional(
      "$schema", { _, _ in }, .text("study.schema.json"), "Path of the schema, for editors.")
    Key.required("study", { _, _ in }, .text("Which start"), "The name of the study.")
    Key.optional(
      "about", { _, _ in }, .text("A sentence."), "Question that the study is to answer.")
    Key.required(
      "scenarios", { $0.scenarios = $1 }, .list(of: .text("scenarios"), atLeast: 1),
      "Scenario files, and folders of them; paths count from the folder of this file.")
    contestantKeys
    Key.optional(
      "links", { $0.links = $1 }, .list(of: .link, atLeast: 1),
      "Links that take the place of the scenarios' own: names of profiles, recordings, folders of "
        + "recordings.")
    Key.optional(
      "repeat", { $0.repeats = $1 }, .boolean, absent: false,
      "Whether recordings begin again at their end.")
    Key.optional(
      "seeds", { $0.seeds = $1 },
      .list(
        .list(of: .seed, atLeast: 1),
        or: Form<Int64>.whole(in: 1...1_000_000).then { count, _ in (1...UInt64(count)).map { $0 } }
      ),
      "The seeds of each session: a list of them, or how many, from 1 on.")
    questionKeys
  }

  @KeyRows<Self> private static var contestantKeys: KeyRows<Self> {
    Key.optional(
      "policies", { $0.policies = $1 }, .list(of: .policy, atLeast: 1),
      "Policies under test: names of presets, or names with settings.")
    Key.optional(
      "heuristics", { $0.heuristics = $1 }, .list(of: .text("own"), atLeast: 1),
      "Heuristics under test, as text.")
    Key.optional(
      "set", { $0.settings = $1 }, .settings, "Settings of every scenario, by their paths.")
    Key.optional(
      "vary", { $0.varied = $1 }, .varied,
      "Settings with several values each, by their paths: every value of one meets every value of "
        + "the others.")
  }

  @KeyRows<Self> private static var questionKeys: KeyRows<Self> {
    Key.optional(
      "baseline", { $0.baseline = $1 }, .text("avfoundation"),
      "Policy that the others are compared with.")
    Key.optional(
      "objectives", { $0.objectives = $1 },
      .list(of: .words(Objective.all.map { (word: $0.name, value: $0.name) })),
      "By what sessions are judged further.")
    Key.optional(
      "regret", { $0.asksRegret = $1 }, .boolean, absent: false,
      "Whether each session's distance from the best possible result, or a bound, is told.")
    Key.optional(
      "by", { $0.groupings = $1 },
      .list(of: .words(StudyResults.Grouping.allCases.map { (word: $0.rawValue, value: $0) })),
      "Groups that are summed up by themselves as well.")
    Key.optional(
      "draws", { $0.resampling.draws = Int($1) }, .whole(in: Resampling.permittedDraws),
      "Number of bootstrap draws for the intervals; by default as many as suit the sample.")
    Key.optional(
      "drawSeed", { $0.resampling.seed = $1 }, .seed, absent: 0, "The seed of these draws.")
  }
}

package func readStudy(_ bytes: [UInt8], file: String) throws(DocumentError) -> StudyDescription {
  let form = StudyDescription.keys.form(StudyDescription())
  return try decodeDocument(bytes[...], file: file, as: form.read)
}

extension KeyedFile {
  package static var study: KeyedFile { KeyedFile("study", "a study", StudyDescription.keys) }
}

extension Form<StudyDescription.Policy> {
  fileprivate static var policy: Form {
    .object(
      describedPolicy.form(("", [], [])) { part, object in
        let steps = part.policy.last?.path.steps ?? []
        if part.settings.contains(where: { steps.starts(with: $0.path.steps) }) {
          object.refuse(key: "set", "“player.policy” replaces “policy”, which has no effect")
        }
        return .described(Contestant(part.name, edits: part.policy + part.settings))
      },
      or: Form<String>.text("avfoundation").then { name, _ in .named(name) })
  }
}

private let describedPolicy = KeyTable<(name: String, policy: [JSONEdit], settings: [JSONEdit])>(
  "studyPolicy", "A name, and its changes to scenarios."
) {
  Key.required("name", { $0.name = $1 }, .text("patient"), "Name in the results.")
  Key.optional(
    "policy", { $0.policy = JSONEdit.policy($1) }, FreeForms.anything,
    "The player's policy, as scenarios have it.")
  Key.optional("set", { $0.settings = $1 }, .settings, "Settings, by their paths.")
}

extension JSONEdit {
  /// Edits that make a player follow a policy and nothing else.
  package static func policy(_ policy: JSONTree) -> [JSONEdit] {
    [JSONEdit(plain: "player.heuristic", nil), JSONEdit(plain: "player.policy", policy)]
  }

  package init(plain path: String, _ value: JSONTree?) {
    guard let place = DocumentPath(path) else { preconditionFailure("the path is one") }
    self.init(path: place, value: value, text: path + "=" + (value?.shown ?? ""))
  }
}

extension Form<StudyDescription.Link> {
  fileprivate static var link: Form {
    .object(
      namedLink.form(("", .null)) { part, _ in .described(name: part.name, part.link) },
      or: Form<String>.text("3G").then { name, _ in .named(name) })
  }
}

private let namedLink = KeyTable<(name: String, link: JSONTree)>(
  "studyLink", "A link with a name of its own."
) {
  Key.required("name", { $0.name = $1 }, .text("slow"), "Name in the results.")
  Key.required("link", { $0.link = $1 }, FreeForms.anything, "The link, as scenarios have it.")
}

extension Form<[JSONEdit]> {
  fileprivate static var settings: Form {
    edits(of: FreeForms.anything) { path, value in JSONEdit(plain: path, value) }
  }
}

extension Form<[[JSONEdit]]> {
  fileprivate static var varied: Form {
    edits(of: .list(of: FreeForms.anything, atLeast: 1)) { path, values in
      values.map { JSONEdit(plain: path, $0) }
    }
  }
}

extension Form {
  /// An object whose keys are paths.
  private static func edits<Member, Edit>(
    of form: Form<Member>, _ edit: @escaping @Sendable (String, Member) -> Edit
  ) -> Form where Value == [Edit] {
    FreeForms.members(of: form).then { members, node in
      for (path, _) in members where DocumentPath(path) == nil {
        return node.refuse("\(quotation(of: path)) is no path", expected: "names parted by dots")
      }
      return members.map { edit($0.key, $0.value) }
    }
  }
}

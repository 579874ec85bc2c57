import ExactText
import PlayerPolicies
package import ScenarioFormat
import SimulatedPlayback

/// Cost limits of scenarios: bounds for figures, in layers.
///
/// Of the rules that fit a scenario the last one that names a figure decides about it.
package struct Budgets: Sendable {
  let file: String
  fileprivate(set) var rules: [BudgetRule] = []

  /// The figures of a run that are over their budgets.
  ///
  /// - Parameter place: absolute path of the scenario; nil where it lies nowhere.
  package func problems(of run: TestRun, at place: String?) -> [TestProblem] {
    let fitting = rules.filter { $0.fits(run.scenario, at: place) }
    if fitting.isEmpty { return [] }
    var problems: [TestProblem] = []
    for (index, figure) in Figure.all.enumerated() {
      let limit = fitting.last { $0.limits[index] != nil }?.limits[index]
      guard let limit, let matcher = limit.matcher else { continue }
      for (player, summary) in run.outcome.players {
        let value = figure.value(summary)
        if matcher.accepts(value) { continue }
        let bound = matcher.words { figure.words($0, beside: value) }
        problems.append(
          TestProblem(
            .budget, in: file, at: limit.position,
            figure.words(value, against: matcher.bound(near: value) ?? .null),
            expected: "\(title(figure, of: player)) \(bound)"))
      }
    }
    return problems
  }

  fileprivate static func table(beside neighbours: Neighbourhood) -> KeyTable<Self> {
    KeyTable("budgets", "Limits of scenarios' figures, in layers.") {
      Key.optional(
        "$schema", { _, _ in }, .text("budgets.schema.json"), "Path of the schema, for editors.")
      Key.optional("about", { _, _ in }, .text("A sentence."), "Purpose of the budgets.")
      Key.required(
        "budgets", { $0.rules = $1 },
        .list(of: BudgetRule.table(beside: neighbours).form(BudgetRule())),
        "The rules. Of those that fit a scenario, the last one that names a figure decides.")
    }
  }
}

struct BudgetRule: Sendable {
  var folder: String?
  var scenario: String?
  var policy: String?
  var contract: Contract?
  /// By the figure's place among all.
  var limits: [FigureLimit?] = Array(repeating: nil, count: Figure.all.count)

  func fits(_ scenario: Scenario, at place: String?) -> Bool {
    for wanted in [folder, self.scenario].compactMap({ $0 }) {
      guard let place, (place + "/").utf8.starts(with: (wanted + "/").utf8) else { return false }
    }
    if let policy, !scenario.goes(by: policy) { return false }
    return contract.map { $0 == scenario.player.contract } ?? true
  }

  fileprivate static func table(beside neighbours: Neighbourhood) -> KeyTable<Self> {
    KeyTable("budget", "Limits, and the scenarios that they are for: all, unless a key says which.")
    {
      Key.optional("about", { _, _ in }, .text("A sentence."), "Reason for the limits.")
      Key.optional(
        "folder", { $0.folder = $1 }, place("scenarios/live", neighbours),
        "Scenarios in this folder, seen from the folder of the file.")
      Key.optional(
        "scenario", { $0.scenario = $1 }, place("scenarios/live/start.json", neighbours),
        "The scenario in this file, seen from the folder of the file.")
      Key.optional("policy", { $0.policy = $1 }, policy, "Scenarios whose first player goes by it.")
      Key.optional(
        "linkedSDK", { $0.contract = $1 }, contractForm,
        "Scenarios whose first player has this contract.")
      Figure.all.enumerated().map { place, figure in
        Key.optional(figure.name, { $0.limits[place] = $1 }, figure.limit, figure.about)
      }
    }
  }

  private static func place(_ example: String, _ neighbours: Neighbourhood) -> Form<String> {
    Form.text(example).then { path, node in neighbours.checked(path, node) }
  }

  /// A policy by its name, or a heuristic as it is written.
  private static var policy: Form<String> {
    Form.text("playThrough").then { text, node in
      let names = Scenario.namesOfPolicies
      if names.contains(where: { isSameText($0, text) }) { return text }
      if let heuristic = try? KeepUpHeuristic(text: text) { return heuristic.text }
      return node.refuse(
        "unknown policy \(quotation(of: text))", expected: alternatives(to: text, among: names),
        suggestion: nearestWord(to: text, among: names))
    }
  }
}

/// The folders around a file, to check the paths that it names.
package struct Neighbourhood: Sendable {
  /// The absolute path that one leads to, and the names in that folder; a file has none.
  let look: @Sendable (_ path: String) -> (place: String, names: [String])

  package init(look: @escaping @Sendable (_ path: String) -> (place: String, names: [String])) {
    self.look = look
  }

  /// The path, if it leads somewhere; else reports which part of it does not.
  func checked(_ path: String, _ node: DocumentNode) -> String? {
    var folder = "."
    let parts = path.split(separator: "/").map { String($0) }.filter { $0 != "." }
    for part in parts {
      let names = look(folder).names
      if !names.contains(where: { isSameText($0, part) }) {
        return node.refuse(
          "there is no \(quotation(of: part)) in "
            + (folder == "." ? "the folder of this file" : quotation(of: folder)),
          expected: "a path from the folder of this file",
          suggestion: nearestWord(to: part, among: names))
      }
      folder = folder == "." ? part : folder + "/" + part
    }
    return look(folder).place
  }
}

package func readBudgets(
  _ bytes: [UInt8], file: String, beside neighbours: Neighbourhood
) throws(DocumentError) -> Budgets {
  let form = Budgets.table(beside: neighbours).form(Budgets(file: file))
  return try decodeDocument(bytes[...], file: file, as: form.read)
}

extension KeyedFile {
  package static var budgets: KeyedFile {
    KeyedFile("budgets", "budgets", Budgets.table(beside: Neighbourhood { ($0, []) }))
  }
}

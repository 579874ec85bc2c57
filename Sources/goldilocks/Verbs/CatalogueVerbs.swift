import ExactText
import HeuristicComparison
import LinkConditioner
import RunReports
import ScenarioFormat
import ScenarioRunner

extension Verb {
  static let schema = Verb(
    name: "schema",
    overview: "Print the JSON Schema of scenario files, for editors that complete them.",
    options: [.schemaSubject, .keys],
    examples: ["schema > .scenario.schema.json", "schema --keys"]
  ) { (invocation) throws(Failure) in
    let (schema, page) =
      switch invocation.value(of: .schemaSubject) {
      case "budgets": (KeyedFile.budgets.schema, KeyedFile.budgets.page)
      case "baseline": (KeyedFile.baseline.schema, KeyedFile.baseline.page)
      case "study": (KeyedFile.study.schema, KeyedFile.study.page)
      case "policy": (PolicyProtocol.schema, PolicyProtocol.page)
      default: (KeyedFile.scenario.schema, KeyedFile.scenario.page)
      }
    if invocation.has(.keys) {
      try invocation.console.write(page())
    } else {
      try invocation.console.write(schema())
    }
    return .success
  }

  static let profiles = Verb(
    name: "profiles",
    overview: "List the links that a scenario can name, or say all about one.",
    positionals: [
      Positional(name: "name", help: "A profile's name, in upper or lower case.", count: 0...1)
    ],
    options: [.format],
    examples: ["profiles", "profiles 3G"]
  ) { (invocation) throws(Failure) in
    let style = invocation.console.style
    guard let name = invocation.positionals.first else {
      let named = zip(Profile.names, Profile.all)
      try invocation.answer(
        ["profiles": .list(named) { $1.document(named: $0) }],
        orText: ProfileReport.list(style: style))
      return .success
    }
    guard let profile = Profile.named(name) else {
      let meant = nearestWord(to: name, among: Profile.names)
      throw invocation.refusal("There is no profile \(inQuotes(name)).\(question(meant))")
    }
    try invocation.answer(
      ["profiles": [profile.document(named: profile.name)]],
      orText: ProfileReport.text(profile, style: style))
    return .success
  }
}

extension Option {
  fileprivate static let schemaSubject = Option(
    name: "for", valueName: "file", help: "Kind of file.",
    values: ["scenario", "study", "budgets", "baseline", "policy"], fallback: "scenario")
  static let keys = Option(
    name: "keys", help: "Print a page in Markdown with a row for each key instead.")
}

import Autowait
import ExactText
import LinkConditioner
import PlayerPolicies
import RunReports
import ScenarioRunner
import VirtualTime

extension Verb {
  static let schema = Verb(
    name: "schema",
    overview: "Print the JSON Schema of scenario files, for editors that complete them.",
    options: [.schemaSubject, .keys],
    examples: ["schema > .scenario.schema.json", "schema --keys"]
  ) { (invocation) throws(Failure) in
    let (schema, page) =
      switch invocation.value(of: .schemaSubject) {
      case "budgets": (budgetSchema, budgetKeyPage)
      case "baseline": (baselineSchema, baselineKeyPage)
      default: (scenarioSchema, scenarioKeyPage)
      }
    if invocation.has(.keys) {
      try invocation.console.write(page())
    } else {
      try invocation.console.write(schema())
    }
    return .success
  }

  static let heuristics = Verb(
    name: "heuristics",
    overview: "List the rules that say when playback is likely to keep up.",
    options: [.format],
    examples: ["heuristics"]
  ) { (invocation) throws(Failure) in
    if invocation.wantsJSON {
      try invocation.answer { writer in
        writer.key("heuristics")
        writer.beginArray()
        for entry in HeuristicEntry.all {
          writer.beginObject()
          writer.key("heuristic")
          writer.string(entry.form)
          writer.key("about")
          writer.string(entry.about)
          writer.endObject()
        }
        writer.endArray()
      }
      return .success
    }
    let width = HeuristicEntry.all.reduce(0) { max($0, columns(of: $1.form)) } + 3
    let style = invocation.console.style
    for entry in HeuristicEntry.all {
      for (index, line) in wrapped(entry.about, width: style.width - width).enumerated() {
        let name = index == 0 ? entry.form : ""
        let space = String(repeating: " ", count: width - columns(of: name))
        try invocation.console.write(style.paint(name, .title) + space + line + "\n")
      }
    }
    return .success
  }

  static let profiles = Verb(
    name: "profiles",
    overview: "List the links that a scenario can name, or say all about one.",
    positionals: [
      Positional(name: "name", help: "A profile's name, whatever its case.", count: 0...1)
    ],
    options: [.format],
    examples: ["profiles", "profiles 3G"]
  ) { (invocation) throws(Failure) in
    guard let name = invocation.positionals.first else { return try listProfiles(invocation) }
    guard let profile = Profile.named(name) else {
      let meant = nearestWord(to: name, among: Profile.names)
      throw Failure(
        usage: .verb(invocation.verb), "There is no profile \(inQuotes(name)).\(question(meant))")
    }
    if invocation.wantsJSON {
      try invocation.answer { $0.profiles([(profile.name, profile)]) }
    } else {
      try invocation.console.write(ProfileReport.text(profile, style: invocation.console.style))
    }
    return .success
  }
}

extension Option {
  fileprivate static let schemaSubject = Option(
    name: "for", valueName: "file", help: "Which files it describes.",
    values: ["scenario", "budgets", "baseline"], fallback: "scenario")
  static let keys = Option(
    name: "keys", help: "Print a page in Markdown with a row for each key instead.")
}

/// A heuristic as it is written, with what it means.
private struct HeuristicEntry {
  var form: String
  var about: String

  static let all = zip(KeepUpHeuristic.textForms, abouts).map(HeuristicEntry.init)

  /// In the order of the forms.
  private static let abouts = [
    "The default: start when the end can be reached without a stall at the throughput seen so far.",
    "The same, counting on a throughput only so many times as high as is needed.",
    "Start with the first duration ahead of the playhead, resume after a stall with the second.",
    "Start when everything to the end is loaded.",
    "Start with the first byte.",
  ]
}

private func listProfiles(_ invocation: Invocation) throws(Failure) -> ExitCode {
  let named = zip(Profile.names, Profile.all)
  if invocation.wantsJSON {
    try invocation.answer { $0.profiles(Array(named)) }
    return .success
  }
  try invocation.console.write(ProfileReport.list(style: invocation.console.style))
  return .success
}

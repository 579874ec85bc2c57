import ExactText
import ScenarioRunner

extension Verb {
  static let manual = Verb(
    name: "manual",
    overview: "Print the manual page, for man.",
    discussion: [
      "The keys of scenarios, budgets and baselines have pages of their own: see 'goldilocks "
        + "schema --keys'."
    ],
    examples: ["manual > goldilocks.1"]
  ) { (invocation) throws(Failure) in
    try invocation.console.write(ManualPage(verbs: Goldilocks.verbs).text)
    return .success
  }
}

struct ManualPage {
  let verbs: [Verb]

  var text: String {
    var lines = [
      ".TH GOLDILOCKS 1 \"\" \"goldilocks \(Tool.version)\" \"User Commands\"",
      ".SH NAME", "goldilocks \\- predict when an AVFoundation app starts, waits and stalls",
      ".SH SYNOPSIS", ".B goldilocks", ".I subcommand", "[options] [files]",
      ".SH DESCRIPTION",
      "You describe the network, the media and what the app does in one JSON file; you get a "
        + "timeline, figures, and pass or fail, the same to the last byte on every machine.",
      ".SH SUBCOMMANDS",
    ]
    for verb in verbs { lines += self.lines(of: verb) }
    lines += [".SH OPTIONS OF EVERY SUBCOMMAND"]
    for option in Option.everywhere + [.version, .help] { lines += self.lines(of: option) }
    lines += [".SH EXIT STATUS"]
    for (code, words) in Self.exitCodes { lines += [".TP", ".B \(code)", words] }
    lines += [".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Set to anything, it forbids colours."]
    return lines.map { $0 + "\n" }.joined()
  }

  private static let exitCodes = [
    (0, "All is good."),
    (1, "An expectation, a budget or a baseline failed, or a replay or a trace differs."),
    (64, "The command line is wrong."), (65, "An input file is wrong."),
    (66, "An input file is not there."), (74, "Reading or writing failed."),
  ]

  private func lines(of verb: Verb) -> [String] {
    var lines = [".SS \(escaped(verb.title))", escaped(verb.overview)]
    for paragraph in verb.discussion { lines += [".PP", escaped(paragraph)] }
    lines += [".PP", ".B " + escaped(HelpText.usage(of: verb))]
    lines += verb.positionals.flatMap { [".TP", ".I " + escaped($0.name), escaped($0.help)] }
    for option in verb.options { lines += self.lines(of: option) }
    if !verb.examples.isEmpty {
      lines += [".PP", verb.examples.count == 1 ? "Example:" : "Examples:", ".PP", ".nf"]
      lines += verb.examples.map { "    goldilocks " + escaped($0) } + [".fi"]
    }
    return lines
  }

  private func lines(of option: Option) -> [String] {
    var words = option.help
    if !option.values.isEmpty { words += " One of: " + option.values.joined(separator: ", ") + "." }
    return [".TP", ".B " + escaped(option.usage), escaped(words)]
  }

  private func escaped(_ text: String) -> String {
    let escaped = replacing(text) { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      default: nil
      }
    }
    return escaped.utf8.first == UInt8(ascii: ".") ? "\\&" + escaped : escaped
  }
}

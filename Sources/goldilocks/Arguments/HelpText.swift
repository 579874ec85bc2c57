import RunReports

/// Help in the layout that users of Swift's own tools know.
enum HelpText {
  private static let width = 80
  private static let indent = 26

  static func overall(_ verbs: [Verb]) -> String {
    let rows = verbs.map { line("  " + $0.title, $0.overview) }
    return section("OVERVIEW: Replay network playback exactly, from a scenario file.")
      + section(
        "A scenario names a link, a piece of media, a player and the app's actions. It is played "
          + "in virtual time, the same to the last byte on every run and every machine.")
      + section("USAGE: goldilocks <subcommand>")
      + "OPTIONS:\n" + standardRows + "\n"
      + "SUBCOMMANDS:\n" + rows.joined() + "\n"
      + "  See 'goldilocks help <subcommand>' for detailed help.\n"
  }

  static func detail(of verb: Verb) -> String {
    var text = section("OVERVIEW: " + verb.overview)
    for paragraph in verb.discussion { text += section(paragraph) }
    text += section("USAGE: " + usage(of: verb))
    if !verb.positionals.isEmpty {
      text +=
        "ARGUMENTS:\n" + verb.positionals.map { line("  <\($0.name)>", $0.help) }.joined() + "\n"
    }
    text +=
      "OPTIONS:\n" + (verb.options + Option.everywhere).map { row(of: $0) }.joined()
      + standardRows + "\n"
    if verb.examples.isEmpty { return text }
    return text + "EXAMPLES:\n" + verb.examples.map { "  goldilocks \($0)\n" }.joined() + "\n"
  }

  static func usage(of verb: Verb) -> String {
    var words = ["goldilocks", verb.title]
    words += verb.options.filter { $0.isRequired }.map { $0.usage }
    words += verb.options.filter { !$0.isRequired }.map { "[\($0.usage)]" }
    words += verb.positionals.map { $0.usage }
    return words.joined(separator: " ")
  }

  private static func row(of option: Option) -> String {
    var notes: [String] = []
    if !option.values.isEmpty { notes.append("values: " + option.values.joined(separator: ", ")) }
    if let fallback = option.fallback { notes.append("default: " + fallback) }
    let note = notes.isEmpty ? "" : " (" + notes.joined(separator: "; ") + ")"
    return line("  " + option.usage, option.help + note)
  }

  private static let standardRows =
    line("  --version", "Show the version.") + line("  -h, --help", "Show help information.")

  private static func line(_ name: String, _ words: String) -> String {
    let lines = wrapped(words, width: width - indent)
    var text = name
    for (index, line) in lines.enumerated() {
      let used = index == 0 ? columns(of: name) : 0
      let breaks = index > 0 || used >= indent
      if breaks { text += "\n" }
      text += String(repeating: " ", count: breaks ? indent : indent - used) + line
    }
    return text + "\n"
  }

  private static func section(_ words: String) -> String {
    wrapped(words, width: width).joined(separator: "\n") + "\n\n"
  }
}

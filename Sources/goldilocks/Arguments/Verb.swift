import HeuristicComparison

struct Verb: Sendable {
  var name: String
  /// The second word of a verb that needs one: what is imported, what is exported.
  var subject: String?
  var overview: String
  /// Further explanation; each element is a paragraph.
  var discussion: [String] = []
  var positionals: [Positional] = []
  var options: [Option] = []
  /// Commands that show how it is used, a line each.
  var examples: [String] = []
  /// Whether a shard of its work is some of its files; of a study it is some of its sessions.
  var sharesFiles = true
  var perform: @Sendable (Invocation) throws(Failure) -> ExitCode

  var title: String { subject.map { name + " " + $0 } ?? name }
}

struct Positional: Sendable {
  var name: String
  var help: String
  var count: ClosedRange<Int> = 1...1

  var usage: String {
    let dots = count.upperBound > 1 ? " ..." : ""
    return count.lowerBound == 0 ? "[<\(name)>\(dots)]" : "<\(name)>\(dots)"
  }
}

struct Option: Sendable {
  var name: String
  /// A single letter that stands for the name.
  var short: String?
  /// Name of its value in the help; nil for a flag, which has none.
  var valueName: String?
  var valueCount = 1
  var help: String
  /// The words that there are; empty where any text may stand.
  var values: [String] = []
  var fallback: String?
  var isRequired = false

  var spelling: String { "--" + name }

  var usage: String {
    let spellings = (short.map { "-\($0), " } ?? "") + spelling
    guard let valueName else { return spellings }
    return spellings + String(repeating: " <\(valueName)>", count: valueCount)
  }

  static let everywhere = [color, width]

  static let color = Option(
    name: "color", valueName: "when",
    help: "Colours of the output; auto means on a terminal, unless NO_COLOR is set.",
    values: ["auto", "always", "never"], fallback: "auto")
  static let width = Option(
    name: "width", valueName: "columns",
    help: "Width of a page. (default: the terminal, at most 100)")
  static let version = Option(name: "version", help: "Show the version.")
  static let help = Option(name: "help", help: "Show help information.")

  static let shard = Option(
    name: "shard", valueName: "part",
    help: "Do only that part of the work, such as 2/4: the parts together are the whole.")
}

struct Invocation {
  var verb: Verb
  var positionals: [String] = []
  var options: [(name: String, value: String)] = []
  let console: Console

  /// The value of an option, or what stands for it where it was not written; the last one counts.
  func value(of option: Option) -> String? {
    options.last { $0.name == option.name }?.value ?? option.fallback
  }

  func has(_ option: Option) -> Bool { options.contains { $0.name == option.name } }

  func refusal(_ message: String) -> Failure { Failure(usage: .verb(verb), message) }

  /// The part of the work that is asked for; nil for all of it.
  func shard() throws(Failure) -> StudyShard? {
    guard let text = value(of: .shard) else { return nil }
    if let shard = StudyShard(text) { return shard }
    throw refusal(
      "The value \(inQuotes(text)) is invalid for \(inQuotes(Option.shard.usage)). "
        + "Please provide a part and how many there are, such as 2/4.")
  }
}

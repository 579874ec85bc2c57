import ExactText

enum Request {
  case help(Verb?)
  case version
  case perform(Invocation)
}

struct ArgumentParser {
  let console: Console

  func parse(_ arguments: [String]) throws(Failure) -> Request {
    guard let first = arguments.first else { return .help(nil) }
    switch first {
    case "-h", "--help": return .help(nil)
    case "--version": return .version
    case "help":
      var words = arguments.dropFirst()
      guard let word = words.first, word != "-h", word != "--help" else { return .help(nil) }
      return .help(try verb(takenFrom: &words, forHelp: true))
    default: break
    }
    if first.utf8.first == UInt8(ascii: "-"), first.utf8.count > 1 {
      throw unknownOption(first, of: [.version, .help], usage: .command)
    }
    var rest = arguments[...]
    let verb = try verb(takenFrom: &rest, forHelp: false)
    return try parse(Array(rest), of: verb)
  }

  /// Takes the words of a verb away: one, or two where it has a subject.
  private func verb(
    takenFrom words: inout ArraySlice<String>, forHelp: Bool
  ) throws(Failure) -> Verb {
    let word = words.removeFirst()
    guard let first = Goldilocks.makers.lazy.map({ $0() }).first(where: { $0.name == word }) else {
      let meant = nearestWord(to: word, among: Goldilocks.verbs.map { $0.name } + ["help"])
      throw Failure(usage: .command, "Unknown subcommand \(inQuotes(word)).\(question(meant))")
    }
    if first.subject == nil { return first }
    let candidates = Goldilocks.verbs.filter { $0.name == word }
    let subjects = candidates.compactMap { $0.subject }
    guard let subject = words.first else {
      if forHelp { return first }
      throw Failure(usage: .verb(first), "Missing what to \(word): \(choices(subjects)).")
    }
    if ["-h", "--help", "--version"].contains(subject) { return first }
    guard let verb = candidates.first(where: { $0.subject == subject }) else {
      throw Failure(
        usage: .verb(first),
        "There is no \(inQuotes(subject)) to \(word), but \(choices(subjects))."
          + question(nearestWord(to: subject, among: subjects)))
    }
    words.removeFirst()
    return verb
  }

  private func parse(_ arguments: [String], of verb: Verb) throws(Failure) -> Request {
    var invocation = Invocation(verb: verb, console: console)
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument == "--" {
        invocation.positionals += arguments[index...]
        break
      }
      guard argument.utf8.first == UInt8(ascii: "-"), argument.utf8.count > 1 else {
        invocation.positionals.append(argument)
        continue
      }
      if argument == "-h" || argument == "--help" { return .help(verb) }
      if argument == "--version" { return .version }
      let (option, attached) = try option(argument, of: verb)
      guard option.valueName != nil else {
        if attached != nil {
          throw invocation.refusal("The option \(inQuotes(option.spelling)) takes no value.")
        }
        invocation.options.append((option.name, ""))
        continue
      }
      let missing = invocation.refusal("Missing value for \(inQuotes(option.usage)).")
      let value = attached ?? (index < arguments.count ? arguments[index] : "")
      if value.isEmpty { throw missing }
      if attached == nil { index += 1 }
      if !option.values.isEmpty, !option.values.contains(value) {
        let meant = question(nearestWord(to: value, among: option.values))
        throw invocation.refusal(
          "The value \(inQuotes(value)) is invalid for \(inQuotes(option.usage)).\(meant) "
            + "Please provide one of \(choices(option.values)).")
      }
      invocation.options.append((option.name, value))
      for _ in 1..<option.valueCount {
        if index == arguments.count { throw missing }
        invocation.options.append((option.name, arguments[index]))
        index += 1
      }
    }
    try checkCount(of: invocation)
    let width = invocation.has(.width) ? try invocation.number(of: .width, in: 40...1_000) : nil
    let isColoured = invocation.value(of: .color).flatMap { $0 == "auto" ? nil : $0 == "always" }
    if isColoured != nil || width != nil { console.show(isColoured: isColoured, width: width) }
    return .perform(invocation)
  }

  private func option(
    _ argument: String, of verb: Verb
  ) throws(Failure) -> (Option, attached: String?) {
    let parts = argument.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(Substring(parts[0]))
    guard
      let option = (verb.options + Option.everywhere).first(where: {
        $0.spelling == spelling || $0.short.map { "-" + $0 } == spelling
      })
    else {
      throw unknownOption(
        spelling, of: verb.options + Option.everywhere + [.version, .help],
        usage: .verb(verb))
    }
    return (option, parts.count == 2 ? String(Substring(parts[1])) : nil)
  }

  private func checkCount(of invocation: Invocation) throws(Failure) {
    var left = invocation.positionals.count
    for positional in invocation.verb.positionals {
      if left < positional.count.lowerBound {
        throw invocation.refusal("Missing expected argument \(inQuotes(positional.usage)).")
      }
      left -= min(left, positional.count.upperBound)
    }
    if left > 0, let extra = invocation.positionals.suffix(left).first {
      throw invocation.refusal("Unexpected argument \(inQuotes(extra)).")
    }
  }

  private func unknownOption(_ spelling: String, of options: [Option], usage: Usage) -> Failure {
    let meant = nearestWord(to: spelling, among: options.map { $0.spelling })
    return Failure(usage: usage, "Unknown option \(inQuotes(spelling)).\(question(meant))")
  }
}

func inQuotes(_ text: String) -> String { "'" + text + "'" }

func question(_ meant: String?) -> String { meant.map { " Did you mean \(inQuotes($0))?" } ?? "" }

func choices(_ words: [String]) -> String { enumeration(words.map(inQuotes)) }

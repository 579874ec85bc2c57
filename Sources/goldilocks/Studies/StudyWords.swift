import ExactText
import HeuristicComparison
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner

/// The words of a study: those of its file are refused where they stand, those of the command line
/// with its usage.
struct StudyWords: Sendable {
  let verb: Verb
  private(set) var file: (title: String, text: [UInt8])?

  mutating func read(_ text: [UInt8], of input: InputFile) throws(Failure) -> StudyDescription {
    file = (input.title, text)
    return try rethrowing(try readStudy(text, file: input.title)) { (error: DocumentError) in
      Failure(wrongInput: error.diagnostics, in: input.title, text)
    }
  }

  /// A word that means nothing: under its key in the file, or of the command line.
  func refusal(of word: String, under key: String, _ message: String) -> Failure {
    refuse(word, under: key, message) ?? Failure(usage: .verb(verb), message)
  }

  func place(
    of name: String, among contestants: [Contestant], under key: String
  ) throws(Failure) -> Int {
    if let place = contestants.firstIndex(where: { isSameText($0.name, name) }) { return place }
    let names = contestants.map { $0.name }
    throw refusal(
      of: name, under: key,
      "\(inQuotes(name)) is not compared, but \(choices(names))."
        + question(nearestWord(to: name, among: names)))
  }

  /// Refuses the first that is like an earlier one: it would count as evidence twice.
  ///
  /// - Parameters:
  ///   - option: Nil where the command line has no option for it.
  ///   - path: A setting of the file's “vary” that makes them alike.
  func checkApart<Identity: Hashable>(
    _ named: [(identity: Identity, name: String)], _ kind: String = "", under key: String,
    _ option: Option?, orAt path: String? = nil,
    _ message: (String) -> String = { _ in "" }
  ) throws(Failure) {
    var known: Set<Identity> = []
    for (identity, name) in named where !known.insert(identity).inserted {
      let own = message(inQuotes(name))
      let words = own.isEmpty ? "The \(kind) \(inQuotes(name)) is named twice." : own
      throw path.flatMap { refuse($0, under: "vary", words) } ?? refuse(name, under: key, words)
        ?? option.map { _ in Failure(usage: .verb(verb), words) } ?? Failure(.usage, words)
    }
  }

  /// Refuses scenarios, links, seeds and settings that are named twice.
  func checkApart(
    _ files: [InputFile], below folder: String, _ links: [StudyLink],
    _ description: StudyDescription
  ) throws(Failure) {
    let places = files.map { file in
      let isInside = file.title.hasPrefix(folder)
      let name = isInside ? String(file.title.dropFirst(folder.count)) : file.title
      return ((try? resolvedPath(file.path)) ?? file.path, name)
    }
    try checkApart(places, "scenario", under: "scenarios", nil)
    let own = links.map { link in (link.edits.map { $0.text }, link.name) }
    try checkApart(own, "link", under: "links", .links)
    try checkApart(links.map { ($0.name, $0.name) }, under: "links", .links) {
      "Two links are called \($0)."
    }
    let seeds = description.seeds.map { ($0, "\($0)") }
    try checkApart(seeds, "seed", under: "seeds", .sessionSeeds)
    let paths = description.varied.compactMap { $0.first?.path }
    try checkApart(paths.map { ($0, $0.text) }, under: "vary", .vary) {
      "The setting \($0) varies twice."
    }
  }

  /// Refuses a setting without which every policy's document is the same.
  func checkEffects(of study: Study, _ sources: StudySources) throws(Failure) {
    func documents(_ study: Study) -> [[UInt8]?] {
      let runner = StudyRunner(study, sources)
      return study.contestants.indices.map { contestant in
        try? runner.document(
          for: Study.Session(scenario: 0, link: 0, contestant: contestant, seed: 0))
      }
    }
    if study.scenarios.isEmpty || study.edits.isEmpty { return }
    if !study.seeds.isEmpty, let edit = study.edits.first(where: { $0.path.text == "seed" }) {
      throw refusal(
        of: "seed", under: "set",
        "\(inQuotes(shown(edit.text))) has no effect: each session has a seed of the study.")
    }
    let whole = documents(study)
    for (place, edit) in study.edits.enumerated()
    where edit.path.text.hasPrefix("player.policy") || edit.path.text == "player.heuristic" {
      var rest = study
      rest.edits.remove(at: place)
      if documents(rest) != whole { continue }
      throw refusal(
        of: edit.path.text, under: "set",
        "\(inQuotes(shown(edit.text))) has no effect: every policy that is compared replaces it"
          + (edit.path.text == "player.heuristic"
            ? "." : "; --vary \(edit.text) changes each of them."))
    }
  }

  /// The same of a word in the file, or of the key's value; nil where it does not stand there.
  func refuse(_ word: String?, under key: String, _ message: String) -> Failure? {
    guard let file, let value = (try? JSONValue(parsing: file.text))?[key],
      let position = word.map({ Self.position(of: $0, in: value) }) ?? value.position
    else { return nil }
    let mistake = Diagnostic(file: file.title, position: position, message: message)
    return Failure(wrongInput: [mistake], in: file.title, file.text)
  }

  func heuristic(
    _ text: String, of option: Option = .heuristics
  ) throws(Failure) -> KeepUpHeuristic {
    try rethrowing(try KeepUpHeuristic(text: text)) { (error: QuantityProblem) in
      refusal(
        of: text, under: "heuristics",
        "The value \(inQuotes(text)) is invalid for \(inQuotes(option.usage)): \(error.text)")
    }
  }

  /// Refuses a path that leads out, where it stands in the file.
  func check(
    _ name: String, at path: String, under key: String, _ references: References?
  ) throws(Failure) {
    try rethrowing(try references?.check(name, at: path)) { (error: Failure) in
      refuse(name, under: key, error.message ?? "") ?? error
    }
  }

  /// Refuses the value of a key as a whole, where the file has it.
  func refuse(valueOf key: String, _ message: String) -> Failure {
    refuse(nil, under: key, message) ?? Failure(.usage, message + ".")
  }

  /// The last place of a word: by itself, in a list, as a name, or as a setting.
  private static func position(of word: String, in value: JSONValue) -> TextPosition? {
    var last: TextPosition?
    if let text = value.stringBytes ?? value.numberBytes, text.elementsEqual(word.utf8) {
      last = value.position
    }
    for element in value.elements.map({ Array($0) }) ?? [] {
      last = position(of: word, in: element) ?? last
    }
    for member in value.members.map({ Array($0) }) ?? [] {
      if member.isCalled(word) { last = member.keyPosition }
      if member.isCalled("name") || member.isCalled("set") {
        last = position(of: word, in: member.value) ?? last
      }
    }
    return last
  }

  // MARK: Refused documents

  /// The mistakes of a session's document where the file put them there; nil where any is of the
  /// scenario itself or of the command line.
  func refuse(_ error: DocumentError, link: String, policy: String) -> Failure? {
    guard let file, let study = try? JSONValue(parsing: file.text) else { return nil }
    var settings: [(path: String, value: JSONValue)] = []
    func add(_ members: JSONValue?) {
      for member in members?.members.map({ Array($0) }) ?? [] {
        settings.append((member.key, member.value))
      }
    }
    add(study["set"])
    add(study["vary"])
    for (list, key, path, name) in [
      ("links", "link", "link", link), ("policies", "policy", "player.policy", policy),
    ] {
      for element in study[list]?.elements.map({ Array($0) }) ?? []
      where element["name"]?.stringBytes?.elementsEqual(name.utf8) == true {
        if let value = element[key] { settings.append((path, value)) }
        add(element["set"])
      }
    }
    var diagnostics: [Diagnostic] = []
    for var diagnostic in error.diagnostics {
      let path = diagnostic.path.text
      let setting = settings.last { Self.overlap($0.path, path) }
      guard let setting else { return nil }
      diagnostic.file = file.title
      diagnostic.position = setting.value.position
      diagnostics.append(diagnostic)
    }
    return Failure(wrongInput: diagnostics, in: file.title, file.text)
  }

  /// Whether one of two paths leads to the other.
  private static func overlap(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    let (short, long) = a.count < b.count ? (a, b) : (b, a)
    if short.isEmpty || !long.starts(with: short) { return short.isEmpty }
    return long.count == short.count || long[short.count] == UInt8(ascii: ".")
      || long[short.count] == UInt8(ascii: "[")
  }
}

import ExactText
import HeuristicComparison
import PlayerPolicies
import ScenarioFormat

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
  ///   - words: The words of the file for each, where they are not its name.
  ///   - option: Nil where the command line has no option for it.
  ///   - path: A setting of the file's “vary” that makes them alike.
  func checkApart<Identity: Hashable>(
    _ named: [(identity: Identity, name: String)], _ kind: String = "",
    words entries: [String]? = nil, under key: String, _ option: Option?, orAt path: String? = nil,
    _ message: ((String) -> String)? = nil
  ) throws(Failure) {
    var known: [Identity: String] = [:]
    for (place, (identity, name)) in named.enumerated() {
      guard let first = known.updateValue(name, forKey: identity) else { continue }
      let words =
        message?(inQuotes(name)) ?? "The \(kind) \(inQuotes(name)) is "
        + (isSameText(name, first) ? "named twice." : "the same as \(inQuotes(first)).")
      throw path.flatMap { refuse($0, under: "vary", words) }
        ?? refuse(entries?[place] ?? name, under: key, words)
        ?? option.map { _ in Failure(usage: .verb(verb), words) } ?? Failure(.usage, words)
    }
  }

  func checkApart(_ named: StudyLinks, seeds: [UInt64]) throws(Failure) {
    let own = zip(named.links, named.written).map { ($0.edits.map { $0.text }, $1.name) }
    try checkApart(own, "link", words: named.written.map { $0.entry }, under: "links", .links)
    try checkApart(named.links.map { ($0.name, $0.name) }, under: "links", .links) {
      "Two links are called \($0)."
    }
    try checkApart(seeds.map { ($0, "\($0)") }, "seed", under: "seeds", .sessionSeeds)
  }

  func checkApart(
    _ files: [InputFile], below folder: String, _ named: StudyLinks,
    _ description: StudyDescription
  ) throws(Failure) {
    let places = files.map { file in
      let isInside = file.title.hasPrefix(folder)
      return (file.identity, isInside ? String(file.title.dropFirst(folder.count)) : file.title)
    }
    try checkApart(places, "scenario", under: "scenarios", nil)
    try checkApart(named, seeds: description.seeds)
    let paths = description.varied.compactMap { $0.first?.path }
    try checkApart(paths.map { ($0, $0.text) }, under: "vary", .vary) {
      "The setting \($0) varies twice."
    }
    if let edit = description.settings.first(where: { paths.contains($0.path) }) {
      throw refusal(
        of: edit.path.text, under: "set",
        "\(inQuotes(shown(edit.text))) has no effect: the setting varies.")
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
    if study.scenarios.isEmpty { return }
    try checkOwn("seed", of: study, isNamed: !study.seeds.isEmpty)
    let hasLinks = study.links.contains { !$0.edits.isEmpty }
    if hasLinks { try checkOwn("link", of: study, isNamed: true) }
    if study.edits.isEmpty { return }
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

  /// Refuses a seed or link of a policy, and one beside the study's: results would name another.
  private func checkOwn(_ path: String, of study: Study, isNamed: Bool) throws(Failure) {
    let own = study.contestants.flatMap { $0.edits }.first { $0.path.text == path }
    guard let edit = own ?? study.edits.first(where: { $0.path.text == path }) else { return }
    let words =
      inQuotes(shown(edit.text))
      + (isNamed
        ? " would replace the \(path) that '--\(path)s' gives."
        : " is no \(path) of the study: '--\(path)s' gives those.")
    let found = ["vary", "policies", "set"].compactMap { refuse(path, under: $0, words) }.first
    if let found { throw found }
    if own != nil || isNamed { throw Failure(usage: .verb(verb), words) }
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
      refuse(text, under: "heuristics", "\(quotation(of: text)) is no heuristic: \(error.text)")
        ?? Failure(usage: verb, option, text, error.text)
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

  /// The mistakes of a session's document where the file put them there; nil where any is of the
  /// scenario itself or of the command line.
  func refuse(
    _ error: DocumentError, in document: [UInt8]?, link: String, policy: String
  ) -> Failure? {
    guard let file, let study = try? JSONValue(parsing: file.text) else { return nil }
    var settings: [(path: DocumentPath, member: JSONMember)] = []
    func add(_ part: JSONValue?, called key: String? = nil, at path: String? = nil) {
      for member in part?.members.map({ Array($0) }) ?? [] where key.map(member.isCalled) ?? true {
        if let path = DocumentPath(path ?? member.key) { settings.append((path, member)) }
      }
    }
    add(study["set"])
    add(study["vary"])
    for (list, key, path, name) in [
      ("links", "link", "link", link), ("policies", "policy", "player.policy", policy),
    ] {
      for element in study[list]?.elements.map({ Array($0) }) ?? []
      where element["name"]?.stringBytes?.elementsEqual(name.utf8) == true {
        add(element, called: key, at: path)
        add(element["set"])
      }
    }
    let session = document.flatMap { try? JSONValue(parsing: $0) }
    var diagnostics: [Diagnostic] = []
    for var diagnostic in error.diagnostics {
      let steps = diagnostic.path.steps
      let setting = settings.last {
        steps.starts(with: $0.path.steps) || $0.path.steps.starts(with: steps)
      }
      guard let setting else { return nil }
      let written = setting.member.value
      let place = session?[setting.path].flatMap { value in
        ([written] + (written.elements.map { Array($0) } ?? []))
          .first { value.hasSameContent(as: $0) }
          .flatMap { value.counterpart(of: diagnostic.position, in: $0) }
      }
      diagnostic.file = file.title
      // A mistake outside of the value is one of its key.
      diagnostic.position = place ?? setting.member.keyPosition
      diagnostics.append(diagnostic)
    }
    return Failure(wrongInput: diagnostics, in: file.title, file.text)
  }
}

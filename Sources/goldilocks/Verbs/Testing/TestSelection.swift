import ExactText
import HeuristicComparison

extension Option {
  static let tag = Option(
    name: "tag", valueName: "tag",
    help: "Only scenarios that have the tag; may be repeated, and one of them is enough.")
  static let exceptTag = Option(
    name: "except-tag", valueName: "tag", help: "No scenario that has the tag; may be repeated.")
  static let lastFailed = Option(
    name: "last-failed", valueName: "file",
    help: "Run what the file names, and write into it what fails now and what it names that was "
      + "not run. Where it names nothing that is there, everything is run.")
  static let failedTraces = Option(
    name: "traces", valueName: "folder", help: "Write the traces of scenarios that fail there.")
}

/// The cases of a test: scenarios by their tags, over links and seeds, or those that failed before.
struct TestSelection {
  private let invocation: Invocation
  private let lastFailed: InputFile?
  /// The titles of those that failed before; empty for all.
  private let wanted: [String]

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    lastFailed = invocation.value(of: .lastFailed).map { InputFile(path: $0, relativePath: $0) }
    guard let lastFailed, (try? InputFiles.isFolder(lastFailed.path)) != nil else {
      wanted = []
      return
    }
    wanted = String(decoding: try lastFailed.read(), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  func apply(to work: inout ScenarioWork) throws(Failure) {
    var files = work.files.filter { hasTag($0) }
    if files.isEmpty, !work.files.isEmpty {
      throw Failure(.missingInput, "No scenario has such tags.")
    }
    files = try spread(files)
    let known = files.filter { wanted.contains($0.inCell($0.title)) }
    if known.isEmpty, !wanted.isEmpty {
      invocation.console.note(["none of these scenarios failed before: all of them are run"])
    }
    work.files = known.isEmpty ? files : known
  }

  private func hasTag(_ file: InputFile) -> Bool {
    let (tags, others) = (invocation.values(of: .tag), invocation.values(of: .exceptTag))
    if tags.isEmpty, others.isEmpty { return true }
    let document = file.isStandardInput ? nil : try? JSONValue(parsing: file.edited(file.read()))
    let own = document?["tags"]?.elements?.compactMap { $0.string } ?? []
    return (tags.isEmpty || own.contains { tags.contains($0) })
      && !own.contains { others.contains($0) }
  }

  private func spread(_ files: [InputFile]) throws(Failure) -> [InputFile] {
    var links = StudyLinks()
    let words = StudyWords(verb: invocation.verb)
    for name in invocation.words(of: .links) {
      try links.add(.named(name), folder: "", within: nil, words)
    }
    links.tellApart()
    let seeds = try invocation.value(of: .sessionSeeds).map { (text) throws(Failure) in
      try invocation.seeds(text)
    }
    try words.checkApart(links, seeds: seeds ?? [])
    if links.links.isEmpty, seeds == nil { return files }
    for (path, isNamed) in [("seed", seeds != nil), ("link", !links.links.isEmpty)] where isNamed {
      let edit = try invocation.edits().first { $0.path.text == path }
      guard let edit else { continue }
      throw invocation.refusal(
        "\(inQuotes(edit.text)) would replace the \(path) that '--\(path)s' gives.")
    }
    var cells: [InputFile] = []
    for file in files {
      let delays = (try? LoadedScenario(file))?.scenario.delayEdits ?? []
      for link in links.links.isEmpty ? [.own] : links.links {
        for seed in seeds.map({ $0.map(Optional.some) }) ?? [nil] {
          var cell = file
          let edits = link.edits + (link.keepsDelay ? delays : [])
          let seedEdit = seed.map { JSONEdit(plain: "seed", .number("\($0)")) }
          cell.edits = edits + [seedEdit].compactMap { $0 } + file.edits
          cell.furtherFolders += links.inputs.map { $0.folder.isEmpty ? "." : $0.folder }
          let names = [link.edits.isEmpty ? nil : link.name, seed.map { "seed \($0)" }]
          cell.cell = names.compactMap { $0 }.joined(separator: ", ")
          cells.append(cell)
        }
      }
    }
    return cells
  }

  /// Refuses to write over a file that lists anything but scenarios, and says which are gone.
  func keepOtherFile() throws(Failure) {
    let gone = wanted.filter { title in
      let name = InputFile.outOfCell(title)
      return name != "<stdin>" && !invocation.positionals.contains(name) && !isThere(title)
    }
    if let lastFailed, !gone.allSatisfy({ InputFile.outOfCell($0).hasSuffix(".json") }) {
      let title = inQuotes(lastFailed.title)
      throw Failure(.usage, "--last-failed would replace \(title), which lists no scenarios.")
    }
    invocation.console.note(gone.map { shown("\($0) failed before and is not there any more") })
  }

  private func isThere(_ title: String) -> Bool {
    (try? InputFiles.isFolder(InputFile.outOfCell(title))) == false
  }

  /// Writes what failed of what was run, and what failed before, is still there and was not run.
  func keep(failed: [String], of run: [String]) throws(Failure) {
    guard let lastFailed else { return }
    let run = Set(run)
    let left = wanted.filter { !run.contains($0) && isThere($0) }
    try OutputFiles.write(
      Array((failed + left).map { $0 + "\n" }.joined().utf8), to: lastFailed.path)
  }
}

import ExactText
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner

struct LoadedScenario: Sendable {
  var file: InputFile
  var scenario: Scenario
}

extension LoadedScenario {
  init(_ file: InputFile) throws(Failure) {
    self.file = file
    let bytes = try file.read()
    if InputFiles.isTrace(bytes) {
      throw Failure(
        .wrongInput,
        "\(inQuotes(file.title)) is a trace, not a scenario: 'goldilocks report' shows it, and "
          + "'goldilocks replay' runs it again.")
    }
    let references = References(of: file)
    do throws(DocumentError) {
      scenario = try readScenario(file.edited(bytes), file: file.title) { references.read($0) }
    } catch {
      if let document = try? JSONValue(parsing: bytes), StudyFile.isStudy(document) {
        throw Failure(
          .wrongInput,
          "\(inQuotes(file.title)) is a study, not a scenario: 'goldilocks compare' runs it.")
      }
      if !file.edits.isEmpty { throw Failure(error, of: file) }
      var failure = Failure(wrongInput: error.diagnostics, in: file.title, bytes)
      failure.details += references.remarks
      failure.read = { name in try? InputFile(path: name, relativePath: name).read() }
      throw failure
    }
  }

  var inputs: [InputFile] {
    let names = scenario.files.map { $0.path } + scenario.policyCommands.joined()
    return names.map { InputFile(path: file.path(of: $0), relativePath: $0) }
  }

  func run(_ options: RunOptions) throws(Failure) -> RunOutcome {
    var options = options
    (options.policies, options.beat) = (file.policies, file.beat)
    return try rethrowing(try ScenarioRunner.run(scenario, options: options)) { (error: RunError) in
      Failure(error, in: file.title)
    }
  }

  func runForExpectations(wantsDigest: Bool) throws(Failure) -> RunOutcome {
    var options = RunOptions(folds: .figures)
    (options.policies, options.beat) = (file.policies, file.beat)
    return try rethrowing(
      try ScenarioRunner.runForExpectations(scenario, wantsDigest: wantsDigest, options: options)
    ) { (error: RunError) in Failure(error, in: file.title) }
  }
}

extension Scenario {
  func notes(in title: String) -> [String] {
    notes.map { shown("\(title): \($0.place): \($0.message)") }
  }
}

extension InputFile {
  /// The document after the command line's edits; a text that is no document stays as it is.
  func edited(_ bytes: [UInt8]) throws(DocumentError) -> [UInt8] {
    guard !edits.isEmpty, let document = try? JSONValue(parsing: bytes) else { return bytes }
    return try rethrowing(try document.edited(edits)) { (error: JSONEdit.Failure) in
      DocumentError([Diagnostic(file: title, position: nil, message: error.message)])
    }
  }
}

extension Failure {
  /// A document that is wrong with the command line's edits: its lines have never been seen.
  init(_ error: DocumentError, of file: InputFile) {
    let changes = file.edits.map { $0.text }.joined(separator: ", ")
    let title = shown("\(file.title) with \(changes)")
    let count = error.diagnostics.count == 1 ? "a mistake" : "\(error.diagnostics.count) mistakes"
    self.init(
      .wrongInput, details: error.diagnostics.map { "\(title): \($0.words)" },
      "\(inQuotes(title)) has \(count).")
  }

  init(_ error: RunError, in title: String) {
    var code = ExitCode.wrongInput
    var hint = ""
    if case .policy(let failure, _) = error {
      switch failure.kind {
      case .notAllowed: hint = "; --\(Option.allowCommands.name) allows it"
      case .missing: code = .missingInput
      case .wrongAnswer: break
      case .broken, .timedOut: code = .inputOutput
      }
    }
    self.init(code, "\(title): \(error.description)\(hint).")
  }

  /// - Parameter text: content of the file; nothing where it is another that holds it.
  init(wrongInput diagnostics: [Diagnostic], in title: String, _ text: [UInt8] = []) {
    let count = diagnostics.count == 1 ? "a mistake" : "\(diagnostics.count) mistakes"
    self.init(.wrongInput, "\(inQuotes(title)) has \(count).")
    self.diagnostics = diagnostics
    source = (title, text)
  }
}

/// Does the same with many files at once, and goes on where one of them is wrong.
struct ScenarioWork {
  let console: Console
  let jobs: Int
  var files: [InputFile] = []
  var code = ExitCode.success
  private(set) var missing: [(path: String, failure: Failure)] = []

  /// - Parameter paths: The paths that replace those that were named.
  init(_ invocation: Invocation, paths named: [String]? = nil) throws(Failure) {
    console = invocation.console
    jobs = try invocation.jobCount()
    let areTraces = invocation.verb.positionals.contains { $0.name == Positional.traces.name }
    var others = 0
    // A file may be named by itself and with its folder; a study refuses that.
    var known: Set<String> = []
    for path in named ?? invocation.positionals {
      do throws(Failure) {
        let found = try InputFiles.files(at: path, areTraces: areTraces)
        for file in found.files where named != nil || known.insert(file.identity).inserted {
          files.append(try file.allowed(by: invocation))
        }
        others += found.others
      } catch {
        note(error)
        missing.append((path, error))
      }
    }
    if others > 0 {
      console.say("note: \(counted(Int64(others), "other JSON file")) left alone: no scenario\n")
    }
    try select(invocation)
  }

  /// Keeps the files that the command line chooses among them.
  private mutating func select(_ invocation: Invocation) throws(Failure) {
    let filters = invocation.values(of: .filter)
    if !filters.isEmpty {
      let wanted = filters.map { Wildcard($0) }
      files = files.filter { file in wanted.contains { $0.matches(file) } }
      if files.isEmpty, missing.isEmpty {
        throw Failure(
          .missingInput,
          "No scenario has \(filters.map(inQuotes).joined(separator: " or ")) as a whole word in "
            + "its path or its name; * stands for anything.")
      }
    }
    if let shard = try invocation.shard(), invocation.verb.sharesFiles {
      files = files.indices.filter { shard.holds($0) }.map { files[$0] }
    }
  }

  /// Says what is wrong, and remembers that something was.
  mutating func note(_ failure: Failure) {
    console.say(failure)
    code = max(code, failure.code)
  }

  /// Works on every file, and hands over the results in the order of the files.
  ///
  /// - Parameter isLast: whether nothing is to be done after what ended so.
  mutating func forEach<Value: Sendable>(
    stoppingWhere isLast: (ExitCode) -> Bool = { _ in false },
    work: @escaping @Sendable (InputFile) throws(Failure) -> Value,
    receive: (InputFile, Result<Value, Failure>) throws(Failure) -> ExitCode
  ) throws(Failure) {
    let files = files
    var worst = code
    try WorkCrew.run(
      count: files.count, hands: jobs, telling: console.progress,
      work: { index in Result { () throws(Failure) in try work(files[index]) } },
      while: { (index, result) throws(Failure) in
        let code = try receive(files[index], result)
        worst = max(worst, code)
        return !isLast(code)
      })
    code = worst
  }

  /// The same for a list of an answer, which it ends; unusable files are listed with the reason.
  ///
  /// - Parameter verdict: The member that is false of a file that could not be used.
  mutating func answer<Value: Sendable>(
    to output: Envelope?, list: String = "scenarios", verdict: String? = nil,
    work: @escaping @Sendable (InputFile) throws(Failure) -> Value,
    receive: (InputFile, Value) throws(Failure) -> ExitCode
  ) throws(Failure) {
    let console = console
    try output?.open(list)
    for (path, failure) in missing { try output?.add(.unreadable(path, verdict, failure)) }
    try forEach(
      work: work,
      receive: { (file, result) throws(Failure) in
        switch result {
        case .success(let value): return try receive(file, value)
        case .failure(let failure):
          try output?.add(.unreadable(file.title, verdict, failure))
          try console.flush()
          console.say(failure)
          return failure.code
        }
      })
    try output?.closeList()
    try output?.end()
  }
}

/// The pattern of a filter: whole words of a path or a name, whatever the case, in which a star
/// stands for anything. `new` does not match `news`; `new*` does.
struct Wildcard: Sendable {
  private let parts: [[UInt8]]
  private let beginsWord: Bool
  private let endsWord: Bool

  init(_ text: String) {
    beginsWord = text.utf8.first.map { Self.isOfWord($0) } ?? false
    endsWord = text.utf8.last.map { Self.isOfWord($0) } ?? false
    parts = lowercased(text).utf8.split(separator: UInt8(ascii: "*")).map { Array($0) }
  }

  /// Whether a scenario is meant, by its path or by the name that stands in it.
  func matches(_ file: InputFile) -> Bool {
    if occurs(in: file.path) { return true }
    guard !file.isStandardInput, let bytes = try? file.read(),
      case .string(let name)? = (try? JSONValue(parsing: bytes[...]))?["scenario"]?.content
    else { return false }
    return occurs(in: name)
  }

  func occurs(in text: String) -> Bool {
    let bytes = Array(lowercased(text).utf8)
    return bytes.indices.contains { occurs(in: bytes, from: $0) } || parts.isEmpty
  }

  /// Whether the first part stands at a place, and the others somewhere behind it.
  private func occurs(in bytes: [UInt8], from start: Int) -> Bool {
    if beginsWord, start > 0, Self.isOfWord(bytes[start - 1]) { return false }
    var place = start
    for (number, part) in parts.enumerated() {
      let isLast = number == parts.count - 1
      guard
        let found = (place...bytes.count).first(where: { candidate in
          bytes[candidate...].starts(with: part) && (!isLast || ends(bytes, candidate + part.count))
        }), number > 0 || found == start
      else { return false }
      place = found + part.count
    }
    return true
  }

  private func ends(_ bytes: [UInt8], _ end: Int) -> Bool {
    !endsWord || end >= bytes.count || !Self.isOfWord(bytes[end])
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

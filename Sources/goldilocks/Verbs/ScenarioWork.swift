import LinkConditioner
import ScenarioRunner

/// A scenario with the file that it stands in.
struct LoadedScenario: Sendable {
  var file: InputFile
  var scenario: Scenario

  init(_ file: InputFile) throws(Failure) {
    self.file = file
    let bytes = try file.read()
    let references = References(of: file)
    do throws(DocumentError) {
      scenario = try readScenario(bytes, file: file.title) { references.read($0) }
    } catch {
      var failure = Failure(wrongInput: error.diagnostics, in: file.title)
      failure.details += references.remarks
      throw failure
    }
  }

  init(_ scenario: Scenario, from file: InputFile) {
    self.file = file
    self.scenario = scenario
  }

  func run(_ options: RunOptions) throws(Failure) -> RunOutcome {
    try checked { () throws(LinkError) in try ScenarioRunner.run(scenario, options: options) }
  }

  func runForExpectations() throws(Failure) -> RunOutcome {
    try checked { () throws(LinkError) in try ScenarioRunner.runForExpectations(scenario) }
  }

  private func checked(_ run: () throws(LinkError) -> RunOutcome) throws(Failure) -> RunOutcome {
    do throws(LinkError) {
      return try run()
    } catch {
      throw Failure(.wrongInput, "\(file.title): \(error.description).")
    }
  }
}

extension Failure {
  init(wrongInput diagnostics: [Diagnostic], in title: String) {
    let count = diagnostics.count == 1 ? "a mistake" : "\(diagnostics.count) mistakes"
    self.init(
      .wrongInput, details: diagnostics.map { $0.text }, "\(inQuotes(title)) has \(count).")
    self.diagnostics = diagnostics
  }
}

/// Does the same with many files at once, and goes on where one of them is wrong.
struct ScenarioWork {
  let console: Console
  let jobs: Int
  private(set) var files: [InputFile] = []
  /// The highest exit code so far.
  private(set) var code = ExitCode.success
  /// The paths that name nothing, and why.
  private(set) var missing: [(path: String, failure: Failure)] = []

  init(_ invocation: Invocation) throws(Failure) {
    console = invocation.console
    jobs = try invocation.jobCount()
    for path in invocation.positionals {
      do throws(Failure) {
        files += try InputFiles.scenarios(at: path)
          .map { $0.allowed(by: invocation) }
      } catch {
        note(error)
        missing.append((path, error))
      }
    }
  }

  /// Says what is wrong, and remembers that something was.
  mutating func note(_ failure: Failure) {
    console.say(failure.text)
    code = max(code, failure.code)
  }

  mutating func note(_ code: ExitCode) {
    self.code = max(self.code, code)
  }

  /// Works on every file, and hands over the results in the order of the files.
  mutating func forEach<Value: Sendable>(
    work: @escaping @Sendable (InputFile) -> Result<Value, Failure>,
    receive: (InputFile, Result<Value, Failure>) throws(Failure) -> ExitCode
  ) throws(Failure) {
    let files = files
    let console = console
    var worst = code
    try WorkCrew.run(
      count: files.count, hands: jobs, work: { work(files[$0]) },
      receive: { (index, result) throws(Failure) in
        worst = max(worst, try receive(files[index], result))
        console.progress(index + 1, of: files.count)
      })
    console.clearProgress()
    code = worst
  }
}

/// What a function gives or throws, as a value that can wait for its turn.
func attempt<Value>(_ body: () throws(Failure) -> Value) -> Result<Value, Failure> {
  do throws(Failure) {
    return .success(try body())
  } catch {
    return .failure(error)
  }
}

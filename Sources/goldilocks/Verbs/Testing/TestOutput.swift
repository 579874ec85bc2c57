import ExactText
import RunReports
import ScenarioFormat

/// Writes results of a test by scenario, in the form asked for and beside it as JUnit's XML.
final class TestOutput {
  private enum Form {
    case screen(TestScreen)
    case json(Envelope)
    case gitHub
    case tap(TAPReport)
  }

  private let console: Console
  private var form: Form
  private var junit: (path: String, document: JUnitDocument)?
  private(set) var page: PageOutput?
  /// Of how many scenarios it is said how long they took; nil where durations are not asked for.
  private let slowest: Int?
  private var tally = TestTally()
  /// The notes that were told: a scenario over several links has them once.
  private var told: Set<String> = []

  init(_ invocation: Invocation) throws(Failure) {
    console = invocation.console
    page = try PageOutput(invocation)
    let isTimed = invocation.has(.durations)
    slowest = isTimed ? try invocation.number(of: .durations, in: 1...100_000) : nil
    switch invocation.value(of: .format) ?? "text" {
    case "json": form = .json(Envelope(invocation))
    case "github": form = .gitHub
    case "tap": form = .tap(TAPReport(hasDurations: isTimed))
    default:
      form = .screen(
        TestScreen(
          style: console.style, hasSymbols: console.isOutputTerminal,
          isQuiet: invocation.has(.quiet)))
    }
    junit = invocation.value(of: .junit).map { ($0, JUnitDocument()) }
  }

  func begin() throws(Failure) {
    switch form {
    case .json(let envelope): try envelope.open("scenarios")
    case .tap: try console.write(TAPReport.heading)
    case .screen, .gitHub: break
    }
  }

  /// - Parameter failure: reason why it could not be run, unless that has been said.
  func show(
    _ report: TestReport, _ failure: Failure?, _ drawn: FinishedRun? = nil
  ) throws(Failure) {
    tally.add(report)
    let notes = report.notes.filter { told.insert($0).inserted }
    junit?.document.add(report)
    if let drawn {
      page?.add(
        drawn.loaded, drawn.outcome, policy: drawn.loaded.scenario.wordsOfPolicy(under: nil),
        problems: report.problems.map { $0.words })
    }
    switch form {
    case .screen(let screen): try console.write(screen.text(report))
    case .gitHub: try console.write(GitHubAnnotations.text(report))
    case .tap(var tap):
      try console.write(tap.text(report))
      form = .tap(tap)
    case .json(let envelope):
      envelope.warnings += notes
      try write(report, failure, to: envelope)
    }
    if failure == nil, notes.isEmpty { return }
    try console.flush()
    console.note(notes)
    if let failure { console.say(failure) }
  }

  private func write(
    _ report: TestReport, _ failure: Failure?, to envelope: Envelope
  ) throws(Failure) {
    envelope.warnings += report.warnings.map { "\(report.name): \($0.words)" }
    try envelope.add(
      report.verdict != .unreadable
        ? report.document(hasDurations: slowest != nil)
        : .unreadable(
          report.file, "passed",
          failure ?? Failure(.missingInput, report.problems.first?.actual)))
  }

  func end(notRun count: Int64) throws(Failure) {
    tally.notRun = count
    switch form {
    case .screen(let screen): try console.write(screen.text(tally, slowest: slowest))
    case .gitHub:
      let screen = TestScreen(style: console.style, hasSymbols: false)
      try console.write(screen.text(tally, slowest: slowest))
    case .tap(let tap): try console.write(tap.end(tally))
    case .json(let envelope):
      try envelope.closeList()
      try envelope.add { $0.members(tally.document) }
      try envelope.end()
    }
    try console.flush()
    if let junit {
      try OutputFiles.write(Array(junit.document.text.utf8), to: junit.path)
    }
    try page?.write()
  }
}

import ExactText
import RunReports
import ScenarioFormat

extension Option {
  static let budgets = Option(
    name: "budgets", valueName: "file",
    help: "Limits of figures: for all scenarios, a folder, one scenario, or a policy.")
  static let baseline = Option(
    name: "baseline", valueName: "file",
    help: "Recorded figures: shows changes, and fails beyond the file's tolerances.")
  static let updateBaseline = Option(
    name: "update-baseline",
    help: "Record the figures in the file of --baseline, and end with 1, so that the change is "
      + "looked at.")
  static let allowBetter = Option(
    name: "allow-better", help: "Let figures that are better than the baseline's pass.")
}

struct TestStandards {
  private var budgets: Budgets?
  private var baseline: Baseline?
  private var baselineFolder = ""
  private let baselineFile: InputFile?
  private let isRecording: Bool
  private var recorded: [(run: TestRun, place: String)] = []
  private let refusesGone: Bool

  init(_ invocation: Invocation) throws(Failure) {
    refusesGone = invocation.has(.strict)
    isRecording = invocation.has(.updateBaseline)
    baselineFile = invocation.value(of: .baseline).map { InputFile(path: $0, relativePath: $0) }
    for (option, use) in [(Option.updateBaseline, "record in"), (.allowBetter, "hold to")]
    where baselineFile == nil && invocation.has(option) {
      throw invocation.refusal(
        "\(inQuotes(option.spelling)) needs '--baseline <file>', the file to \(use).")
    }
    if baselineFile != nil, invocation.positionals.contains("-") {
      invocation.console.note(["a scenario on standard input has no place in a baseline"])
    }
    if let path = invocation.value(of: .budgets) { try readBudgets(path) }
    if let baselineFile { try readBaseline(baselineFile) }
    baseline?.allowsBetter = invocation.has(.allowBetter)
  }

  private mutating func readBudgets(_ path: String) throws(Failure) {
    let file = InputFile(path: path, relativePath: path)
    let bytes = try file.read()
    let folder = try folder(of: file)
    let neighbours = Neighbourhood {
      let path = (try? resolvedPath(joinedPath(folder, $0))) ?? $0
      return (path, (try? InputFiles.names(in: path)) ?? [])
    }
    budgets = try rethrowing(
      try RunReports.readBudgets(bytes, file: file.title, beside: neighbours)
    ) { (error: DocumentError) in Failure(wrongInput: error.diagnostics, in: file.title, bytes) }
  }

  private mutating func readBaseline(_ file: InputFile) throws(Failure) {
    if isRecording { try OutputFiles.makeFolder(of: file.path) }
    baselineFolder = try folder(of: file)
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try file.read()
    } catch {
      var failure = error
      if failure.code == .missingInput {
        if isRecording { return }
        failure.message = (failure.message ?? "") + " --update-baseline makes it."
      }
      throw failure
    }
    baseline = try rethrowing(try RunReports.readBaseline(bytes, file: file.title)) {
      (error: DocumentError) in Failure(wrongInput: error.diagnostics, in: file.title, bytes)
    }
  }

  private func folder(of file: InputFile) throws(Failure) -> String {
    try InputFiles.resolved(file.folder.isEmpty ? "." : file.folder, called: file.folder)
  }

  /// Holds what came of a scenario against the budgets and the baseline, or records it there.
  mutating func judge(_ report: inout TestReport, of file: InputFile) {
    guard let run = report.run else { return }
    let path = file.isStandardInput ? nil : try? resolvedPath(file.path)
    if let budgets { report.add(budgets.problems(of: run, at: path)) }
    // A run without a path cannot be found again.
    guard let path else { return }
    let place = file.inCell(relativePath(to: path, baselineFolder))
    if isRecording {
      recorded.append((run, place))
    } else if let baseline {
      report.add(baseline.comparison(of: run, at: place))
    }
  }

  private func isGone(_ place: String) -> Bool {
    (try? InputFiles.isFolder(joinedPath(baselineFolder, InputFile.outOfCell(place)))) == nil
  }

  /// The recorded scenarios that are no longer there, where that fails a test.
  var gone: [TestReport] {
    if !refusesGone || isRecording { return [] }
    return baseline?.gone { isGone($0) } ?? []
  }

  mutating func end(_ console: Console) throws(Failure) -> ExitCode {
    guard let file = baselineFile else { return .success }
    if !isRecording {
      let gone = refusesGone ? 0 : (baseline?.entries ?? []).count { isGone($0.place) }
      if gone > 0 {
        console.say(
          "note: \(file.title) has \(counted(Int64(gone), "scenario")) that "
            + "\(gone == 1 ? "is" : "are") not there any more; --update-baseline forgets them\n")
      }
      return .success
    }
    // Others may have recorded theirs since it was read.
    try OutputFiles.whileLocked(baselineFolder) { () throws(Failure) in
      baseline = nil
      try readBaseline(file)
      var baseline = baseline ?? Baseline(file: file.title)
      for (run, place) in recorded { baseline.record(run, at: place) }
      baseline.entries.removeAll { isGone($0.place) }
      try OutputFiles.write(baseline.bytes, to: file.path)
    }
    console.say(
      "\(file.title): recorded \(counted(Int64(recorded.count), "scenario"))"
        + "; review the diff\n")
    return .different
  }
}

/// The way to a path from a folder, both from the root and without links.
func relativePath(to path: String, _ folder: String) -> String {
  let target = path.split(separator: "/")
  let start = folder.split(separator: "/")
  let common = zip(target, start).prefix { $0 == $1 }.count
  let steps =
    Array(repeating: "..", count: start.count - common) + target[common...].map(String.init)
  return steps.isEmpty ? "." : steps.joined(separator: "/")
}

import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension Option {
  fileprivate static let rounds = Option(
    name: "rounds", valueName: "count",
    help: "Number of times each figure is measured; the best counts.", fallback: "5")
}

extension Verb {
  static let bench = Verb(
    name: "bench",
    overview: "Measure a scenario on this machine.",
    discussion: [
      "The counters come first and are the same everywhere. The times are the processor's, on this "
        + "machine and of this build."
    ],
    positionals: [
      Positional(
        name: "path", help: "A scenario instead of the on-stage demo.", count: 0...1)
    ],
    options: [.rounds, .format],
    examples: ["bench --rounds 3"]
  ) { (invocation) throws(Failure) in
    let bench = try Bench(
      rounds: try invocation.number(of: .rounds, in: 1...1_000),
      path: invocation.positionals.first)
    let report = try bench.measure(invocation.console)
    if invocation.wantsJSON {
      try invocation.answer { $0.members(report.document) }
    } else {
      try invocation.console.write(report.text(style: invocation.console.style))
    }
    return .success
  }
}

/// Takes the figures.
private struct Bench {
  let rounds: Int
  let document: [UInt8]
  let title: String

  init(rounds: Int, path: String?) throws(Failure) {
    self.rounds = rounds
    if let path {
      let file = InputFile(path: path, relativePath: path)
      document = try file.read()
      title = file.title
    } else {
      document = Array(onStageDemo.utf8)
      title = "the on-stage demo"
    }
  }

  func measure(_ console: Console) throws(Failure) -> BenchReport {
    // A scenario that cannot be run fails here, before anything is measured.
    let scenario = try read()
    let outcome = try run(scenario, RunOptions(keepsTrace: true, folds: .figures))
    let work: [(String, () throws(Failure) -> Void)] = [
      ("run without a trace", { () throws(Failure) in _ = try run(scenario, bare) }),
      ("run with a trace", { () throws(Failure) in _ = try run(scenario, traced) }),
      ("read and run without a trace", { () throws(Failure) in _ = try run(try read(), bare) }),
    ]
    var scenarios: [ScenarioFigures] = []
    for (name, body) in work {
      scenarios.append(ScenarioFigures(name: name, nanoseconds: try time(body)))
      console.progress(scenarios.count, of: work.count)
    }
    console.clearProgress()
    return BenchReport(
      title: title, scenarios: scenarios, eventCount: outcome.eventCount,
      traceBytes: Int64(outcome.trace.count), digest: outcome.digest ?? "")
  }

  private var bare: RunOptions { RunOptions(keepsTrace: false, folds: .figures) }

  private var traced: RunOptions { RunOptions(keepsTrace: true, folds: .figures) }

  private func read() throws(Failure) -> Scenario {
    do throws(DocumentError) {
      return try readScenario(document, file: title)
    } catch {
      throw Failure(wrongInput: error.diagnostics, in: title)
    }
  }

  private func run(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> RunOutcome {
    let file = InputFile(path: title, relativePath: title)
    return try LoadedScenario(scenario, from: file).run(options)
  }

  // MARK: Clocks

  /// Nanoseconds of one piece of work: the best mean of a batch that takes a while.
  private func time(_ body: () throws(Failure) -> Void) throws(Failure) -> Int64 {
    var best = Int64.max
    for _ in 0..<rounds {
      let start = processorNanoseconds()
      var count: Int64 = 0
      var passed: Int64 = 0
      while passed < 50_000_000 {
        try body()
        count += 1
        passed = processorNanoseconds() - start
      }
      best = min(best, passed / count)
    }
    return best
  }
}

/// The demo of WWDC16 503 as a scenario file, so that there is something to measure everywhere.
private let onStageDemo = """
  {
    "scenario": "The on-stage demo",
    "about": "A link a little slower than the media.",
    "seed": 503,
    "link": { "profile": "Slow Server" },
    "media": { "progressive": { "duration": "39 s", "bitrate": "2 Mbit/s" } },
    "script": [ { "when": "loaded >= 0.3 s", "do": "play" } ]
  }
  """

/// One way to run the scenario.
struct ScenarioFigures {
  var name: String
  /// For one of them.
  var nanoseconds: Int64

  var perSecond: Int64 { 1_000_000_000 / max(1, nanoseconds) }
}

/// Measurements of a bench: first the figures equal on every machine, then the times.
struct BenchReport {
  var title: String
  var scenarios: [ScenarioFigures]
  var eventCount: Int64
  var traceBytes: Int64
  var digest: String

  func text(style: TextStyle) -> String {
    counters(style) + "\n" + times(style)
  }

  private func counters(_ style: TextStyle) -> String {
    var text = style.paint("Counters", .title) + ", the same on every machine\n"
    text += "  \(title): \(grouped(eventCount)) events, trace of \(grouped(traceBytes)) bytes, "
    return text + "digest \(shortDigest(digest))\n"
  }

  private func times(_ style: TextStyle) -> String {
    let figures: [(heading: String, cells: [String])] = [
      ("per second", scenarios.map { grouped($0.perSecond) }),
      ("each", scenarios.map { "\($0.nanoseconds / 1_000).\($0.nanoseconds / 100 % 10) µs" }),
    ]
    let columns = figures.map {
      TextTable.Column(heading: $0.heading, alignment: .right, cells: $0.cells)
    }
    let names = scenarios.map { "  " + $0.name }
    let table = TextTable(
      names: TextTable.Column(heading: "  work", cells: names),
      groups: [TextTable.Group(columns: columns)])
    return style.paint("Scenario", .title) + ", \(title)\n"
      + table.lines(width: style.width, style: style).joined(separator: "\n") + "\n"
  }

  var document: JSONTree {
    [
      "scenario": [
        "name": .string(title),
        "eventCount": .whole(eventCount),
        "traceBytes": .whole(traceBytes),
        "digest": .string(digest),
        "times": .list(scenarios) { figures in
          [
            "work": .string(figures.name), "perSecond": .whole(figures.perSecond),
            "seconds": .seconds(figures.nanoseconds),
          ]
        },
      ]
    ]
  }
}

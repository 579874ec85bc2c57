import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import VirtualTime

extension Option {
  fileprivate static let rounds = Option(
    name: "rounds", valueName: "count",
    help: "Number of times each figure is measured; the best counts.", fallback: "5")

  fileprivate static let events = Option(
    name: "events", valueName: "count",
    help: "Sixteen times the segments that a stream has at most.",
    fallback: "1000000")
}

extension Verb {
  static let bench = Verb(
    name: "bench",
    overview: "Measure streams and whole scenarios on this machine.",
    discussion: [
      "The counters come first and are the same everywhere. The times are the processor's, on this "
        + "machine and of this build."
    ],
    positionals: [
      Positional(
        name: "path", help: "A scenario instead of the on-stage demo.", count: 0...1)
    ],
    options: [.events, .rounds, .format],
    examples: ["bench --rounds 3"]
  ) { (invocation) throws(Failure) in
    let bench = try Bench(
      events: Int64(try invocation.number(of: .events, in: 1...1_000_000_000)),
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
  let events: Int64
  let rounds: Int
  let document: [UInt8]
  let title: String

  init(events: Int64, rounds: Int, path: String?) throws(Failure) {
    self.events = events
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
    let streams = try streams(console)
    let work: [(String, () throws(Failure) -> Void)] = [
      ("run without a trace", { () throws(Failure) in _ = try run(scenario, bare) }),
      ("run with a trace", { () throws(Failure) in _ = try run(scenario, traced) }),
      ("read and run without a trace", { () throws(Failure) in _ = try run(try read(), bare) }),
    ]
    var scenarios: [ScenarioFigures] = []
    for (name, body) in work {
      scenarios.append(ScenarioFigures(name: name, nanoseconds: try time(body)))
      console.progress(pieces - work.count + scenarios.count, of: pieces)
    }
    console.clearProgress()
    return BenchReport(
      title: title, streams: streams, scenarios: scenarios,
      eventCount: outcome.eventCount,
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

  /// The streams, and three ways to run the scenario.
  private var pieces: Int { 3 + streamLengths.count }

  /// In segments: an hour, and a hundred of them, to see whether one costs what the other does;
  /// fewer where fewer events are asked for.
  private var streamLengths: [Int64] {
    [600, 60_000].map { min($0, max(60, events / 16)) }
  }

  private func streams(_ console: Console) throws(Failure) -> [StreamFigures] {
    var streams: [StreamFigures] = []
    for segments in streamLengths {
      let bench = try StreamBench(segments: segments)
      var figures = try bench.perform()
      figures.nanoseconds = try time { () throws(Failure) in _ = try bench.perform() }
      streams.append(figures)
      console.progress(streams.count, of: pieces)
    }
    return streams
  }

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

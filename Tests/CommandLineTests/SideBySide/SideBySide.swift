import Foundation
import TestSupport

/// Two binaries on the same made-up scenarios, and what the differences are.
struct SideBySide {
  let one: URL
  let two: URL
  /// How many scenarios go through one process.
  static let batch: UInt64 = 100

  /// What came of one scenario.
  enum Verdict: Equatable {
    case compared(TraceComparison)
    /// Both refuse to read it.
    case refused
    /// One of them refuses to read it, as an older one does what it does not know.
    case refusedByOne
    /// One or both have left no trace.
    case missing(one: String?, two: String?)
  }

  /// What came of all of them.
  struct Report {
    var same = 0
    var headersAlone = 0
    /// In another format, and with the same figures as far as both have them.
    var figuresAlike = 0
    var refused = 0
    var refusedByOne: [UInt64] = []
    /// In how many sessions of different formats a figure differed.
    var figures: [String: Int] = [:]
    /// Neither binary came to an end, or left a trace.
    var failedAlike: [UInt64] = []
    var differences: [String] = []
    var findings: [String] = []
    /// How many sessions had an event of a name.
    var coverage: [String: Int] = [:]
  }

  func compare(seeds: Range<UInt64>) throws -> Report {
    var report = Report()
    var first = seeds.lowerBound
    while first < seeds.upperBound {
      let next = min(seeds.upperBound, first + Self.batch)
      try compare(Array(first..<next), into: &report)
      first = next
    }
    return report
  }

  private func compare(_ seeds: [UInt64], into report: inout Report) throws {
    let place = try Workplace()
    for seed in seeds {
      try place.write(RandomScenario(seed: seed).document.json, to: "scenarios/\(seed).json")
    }
    let ends = [("one", one), ("two", two)].map { run($0.1, in: place.folder, into: $0.0) }
    if seeds.count > 1, ends.contains(where: { $0.isBroken }) {
      // One of them brought the process down with all that came after it.
      for seed in seeds { try compare([seed], into: &report) }
      return
    }
    for seed in seeds {
      let traces = ["one", "two"].map {
        try? Data(contentsOf: place.folder.appending(path: "\($0)/\(seed).trace.jsonl"))
      }
      report.note(seed, verdict(traces[0], traces[1], ends), traces[0])
    }
    for line in ends[0].errors.split(separator: "\n") where line.contains("do not balance") {
      report.findings.append(String(line))
    }
  }

  private func verdict(_ one: Data?, _ two: Data?, _ ends: [End]) -> Verdict {
    if let one, let two { return .compared(TraceComparison(one, two)) }
    if ends.allSatisfy({ !$0.isBroken }) {
      return one == nil && two == nil ? .refused : .refusedByOne
    }
    return .missing(one: one == nil ? ends[0].words : nil, two: two == nil ? ends[1].words : nil)
  }

  // MARK: Running

  /// How a process ended.
  private struct End {
    /// Nil where it was stopped, because it took too long.
    var code: Int32?
    var errors: String

    /// Whether it ended by anything but its own decision.
    var isBroken: Bool { ![0, 1, 65].contains(code) }

    var words: String {
      let reason = errors.split(separator: "\n").first { $0.contains("rror:") } ?? ""
      return "\(code.map { "ended with \($0)" } ?? "took too long"): \(reason.prefix(200))"
    }
  }

  /// Limits of time and memory hold, so that a mistake takes the machine with it never.
  private func run(_ binary: URL, in folder: URL, into traces: String) -> End {
    let script = """
      ulimit -v 6000000 2>/dev/null
      exec '\(binary.path)' run scenarios --trace \(traces)/ --quiet
      """
    var command = Command("-c", script)
    command.folder = folder
    command.timeLimitSeconds = 120
    command.environment = ["SWIFT_BACKTRACE": "enable=no"]
    guard let run = try? command.runShell() else { return End(code: nil, errors: "") }
    return End(code: run.exitCode, errors: run.errorText)
  }
}

extension SideBySide.Report {
  fileprivate mutating func note(_ seed: UInt64, _ verdict: SideBySide.Verdict, _ trace: Data?) {
    if let trace {
      let invariants = TraceInvariants(trace)
      findings += invariants.findings.map { "seed \(seed): \($0)" }
      for event in invariants.events { coverage[event, default: 0] += 1 }
    }
    switch verdict {
    case .compared(.same): same += 1
    case .compared(.header): headersAlone += 1
    case .compared(.body(let line, let one, let two)):
      differences.append("seed \(seed), line \(line):\n  one: \(one)\n  two: \(two)")
    case .compared(.figures([])): figuresAlike += 1
    case .compared(.figures(let found)):
      differences.append("seed \(seed): \(found.joined(separator: "; "))")
      for name in Set(found.map({ $0.prefix { $0 != ":" } })) {
        figures[String(name), default: 0] += 1
      }
    case .refused: refused += 1
    case .refusedByOne: refusedByOne.append(seed)
    case .missing(.some, .some): failedAlike.append(seed)
    case .missing(let one, let two):
      differences.append("seed \(seed): \(one.map { "one \($0)" } ?? "two \(two ?? "")")")
    }
  }

  var total: Int {
    same + headersAlone + figuresAlike + refused + refusedByOne.count + failedAlike.count
      + differences.count
  }

  /// The report for a person.
  var text: String {
    var lines = [
      "\(total) sessions: \(same) the same, \(headersAlone) with another header alone, "
        + "\(figuresAlike) with the same figures in another format, "
        + "\(differences.count) different, \(refused) refused by both, "
        + "\(refusedByOne.count) by one, \(failedAlike.count) that neither ends"
    ]
    if !refusedByOne.isEmpty { lines.append("refused by one: \(refusedByOne.prefix(20))") }
    lines += figures.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(20).map {
      "\($0.key) differs in \($0.value)"
    }
    if !failedAlike.isEmpty { lines.append("neither ends: \(failedAlike.prefix(20))") }
    lines += differences.prefix(10)
    lines += findings.prefix(20)
    let names = coverage.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    lines += names.map {
      "\(String(repeating: " ", count: 7 - "\($0.value)".count))\($0.value)  \($0.key)"
    }
    return lines.joined(separator: "\n")
  }
}

import Foundation
import TestSupport
import Testing

/// Whatever is fed to the built command, it answers in time and says what is wrong.
///
/// A few of each kind in the suite. By hand as many as there is time for:
///
/// ```
/// GOLDILOCKS_FUZZ=2000 swift test --filter FuzzTests
/// ```
///
/// `GOLDILOCKS_FUZZ_SEED` names where the seeds begin, and `GOLDILOCKS_FUZZ_KINDS=parts,settings`
/// the kinds. `SideBySideTests` checks the balance of sessions over scenarios of the same seeds.
@Suite(.besideOthers) struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count =
    environment["GOLDILOCKS_FUZZ"].flatMap { UInt64($0) } ?? (Seeds.areMany ? 8 : 1)
  private static let first = environment["GOLDILOCKS_FUZZ_SEED"].flatMap { UInt64($0) } ?? 0

  private static let kinds = FuzzKind.allCases.filter { kind in
    environment["GOLDILOCKS_FUZZ_KINDS"]?.split(separator: ",").contains { $0 == kind.rawValue }
      ?? true
  }

  @Test(.timeLimit(.minutes(240)), arguments: kinds)
  func `the command survives`(kind: FuzzKind) throws {
    let place = try Workplace()
    let fuzzer = try Fuzzer(kind, in: place)
    var codes: [Int32: Int] = [:]
    for seed in Self.first..<(Self.first + Self.count) {
      for attempt in try fuzzer.attempts(seed: seed) {
        let run = try? fuzzer.run(attempt)
        let findings = run.map { attempt.findings($0) } ?? ["it takes too long"]
        codes[run?.exitCode ?? -1, default: 0] += 1
        if findings.isEmpty { continue }
        let words = attempt.arguments.joined(separator: " ")
        Issue.record("\(kind), seed \(seed): goldilocks \(words): \(findings)")
      }
    }
    if Self.count > 100 { print("\(kind): exit codes \(codes.sorted { $0.key < $1.key })") }
    #expect(!codes.isEmpty)
  }

  @Test func `what is found is found`() {
    let attempt = FuzzAttempt(["validate", "a.json"], codes: [0, 65])
    func findings(_ code: Int32, _ errors: String) -> [String] {
      attempt.findings(CommandRun(exitCode: code, output: Data(), errors: Data(errors.utf8)))
    }
    #expect(findings(0, "").isEmpty)
    #expect(findings(65, "a.json:1:1: x\nError: 'a.json' has a mistake.\n").isEmpty)
    #expect(findings(65, "a.json:1:1: x\nnote: y\nError: 'a.json' has a mistake.\n").isEmpty)
    #expect(findings(65, "a.json:1:1: x\nError: 'a.json' has 2 mistakes.\n").count == 1)
    #expect(
      findings(65, "a.json:1:1: x\n    1 | y\n      | ^\nError: 'a.json' has a mistake.\n").isEmpty)
    #expect(
      findings(65, "a.json:1:1: x\nand 9 mistakes more, x\nError: 'a.json' has 10 mistakes.\n")
        .isEmpty)
    #expect(
      findings(65, "b.json:1:1: warning: y\na.json:1:1: x\nError: 'a.json' has a mistake.\n")
        .isEmpty)
    #expect(findings(65, "").count == 1)
    #expect(findings(134, "Error: x\n").count == 1)
    #expect(findings(65, "\u{1B}[2Jx\nError: 'a.json' has a mistake.\n").count == 1)
  }
}

/// What is made up.
enum FuzzKind: String, CaseIterable, Sendable {
  case scenarios
  case playlists
  case linkTraces
  case traces
  case commandLines
  case policies
  case studies
  case settings
  case processes
  case measurements
  case parts
  case standards
  case fieldLogs
}

/// One call of the command, and with what it may end.
struct FuzzAttempt {
  var arguments: [String]
  var codes: Set<Int32>
  var input = Data()

  init(_ arguments: [String], codes: Set<Int32>) {
    self.arguments = arguments
    self.codes = codes
  }

  /// What a run of it must not be.
  func findings(_ run: CommandRun) -> [String] {
    var findings: [String] = []
    if !codes.contains(run.exitCode) {
      findings.append("it ends with \(run.exitCode): \(run.errorText.suffix(300))")
    }
    let isTold = run.errorText.contains("Error: ")
    if run.exitCode > 1, codes.contains(run.exitCode), !isTold {
      findings.append("it does not say why it ends with \(run.exitCode)")
    }
    let texts = [run.errorText, run.text]
    if texts.contains(where: { $0.unicodeScalars.contains(where: isControl) }) {
      findings.append("a control character reaches the terminal")
    }
    return findings + miscounts(run.errorText)
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\n" || (0x7F...0x9F).contains(scalar.value)
      || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  /// Where a file has more or fewer mistakes than are listed above.
  private func miscounts(_ errors: String) -> [String] {
    var listed = 0
    var findings: [String] = []
    for line in errors.split(separator: "\n") {
      // The line of the file stands below each, and where they are many, how many are left out.
      // A warning is no mistake: files that are read before may have some.
      if line.hasPrefix("note: ") || line.contains(#/^ *[0-9]* \| |:[0-9]+: warning: /#) {
        continue
      }
      if let more = line.firstMatch(of: /^and ([0-9]+) mistakes? more/) {
        listed += Int(more.output.1) ?? 0
        continue
      }
      guard line.hasPrefix("Error: ") else {
        listed += 1
        continue
      }
      let words = line.split(separator: " ")
      let stated = line.hasSuffix(" has a mistake.") ? 1 : words.dropLast().last.flatMap { Int($0) }
      if line.contains("mistake"), line.hasPrefix("Error: '"), let stated, stated != listed {
        findings.append("\(listed) mistakes are listed, and \(stated) counted")
      }
      listed = 0
    }
    return findings
  }
}

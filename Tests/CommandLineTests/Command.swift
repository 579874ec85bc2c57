import ExactText
import Foundation

/// What the built command did with some arguments.
struct CommandRun {
  var exitCode: Int32
  var output: Data
  var errors: Data

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard error as text.
  var errorText: String { String(decoding: errors, as: UTF8.self) }
}

enum CommandError: Error, CustomStringConvertible {
  case notBuilt(lookedIn: [String])
  case outOfTime(arguments: [String], seconds: Double)

  var description: String {
    switch self {
    case .notBuilt(let folders):
      "the command is not built: there is no goldilocks in \(folders.joined(separator: ", "))"
    case .outOfTime(let arguments, let seconds):
      "goldilocks \(arguments.joined(separator: " ")) ran longer than \(seconds) s"
    }
  }
}

/// Runs the command of the configuration that is under test: it lies next to the test bundle.
struct Command {
  var arguments: [String]
  var input = Data()
  /// Set in addition to the environment of the tests.
  var environment: [String: String] = [:]
  var folder: URL?
  /// Of the processor's time, which other tests take nothing of; by the clock ten times as many.
  var timeLimitSeconds = 30.0

  /// Says when Ctrl-C is pressed; never unless it is set.
  var interrupts: (() -> Bool)?

  /// A terminal of that many columns takes the place of standard output, where it is set.
  var terminalColumns: UInt16?

  init(_ arguments: String...) {
    self.arguments = arguments
  }

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  func run() throws -> CommandRun {
    try run(try Self.executable(), arguments)
  }

  /// Runs a shell instead: the arguments are its own, and `$0` in its script is the command.
  func runShell() throws -> CommandRun {
    try run(URL(filePath: "/bin/sh"), arguments + [try Self.executable().path])
  }

  private func run(_ executable: URL, _ arguments: [String]) throws -> CommandRun {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder

    // Files, not pipes: nothing has to be drained while the command runs, and no other process
    // that a test starts meanwhile can hold an end open.
    var streams = try Streams(input: input)
    defer { streams.remove() }
    process.standardInput = try streams.reading("input")
    process.standardError = try streams.writing("errors")
    if let terminalColumns {
      let terminal = try Terminal(columns: terminalColumns)
      process.standardOutput = terminal.commandSide
      let reading = terminal.read()
      try wait(for: process)
      return CommandRun(
        exitCode: process.terminationStatus, output: terminal.output(of: reading),
        errors: streams.content("errors"))
    }
    process.standardOutput = try streams.writing("output")
    try wait(for: process)
    return CommandRun(
      exitCode: process.terminationStatus, output: streams.content("output"),
      errors: streams.content("errors"))
  }

  private func wait(for process: Process) throws {
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    // The runner's threads hold signals back, which a process inherits from what starts it.
    var (none, held) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &held)
    defer { pthread_sigmask(SIG_SETMASK, &held, nil) }
    // What runs in the background of a script ignores Ctrl-C, and so does whatever it starts.
    if interrupts != nil { signal(SIGINT, SIG_DFL) }
    try process.run()
    if let interrupts {
      while process.isRunning, !interrupts() { usleep(1_000) }
      kill(process.processIdentifier, SIGINT)
    }
    for _ in 1...10 {
      if ended.wait(timeout: .now() + timeLimitSeconds) == .success { return }
      let taken = Self.processorSeconds(of: process.processIdentifier)
      if taken.map({ $0 >= timeLimitSeconds }) ?? true { break }
    }
    kill(process.processIdentifier, SIGKILL)
    ended.wait()
    throw CommandError.outOfTime(arguments: arguments, seconds: timeLimitSeconds)
  }

  /// The processor time of a process that runs; nil where the system does not tell it this way.
  private static func processorSeconds(of process: pid_t) -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let name = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[name...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      return nil
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  static func executable() throws -> URL {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
    let folders = (bundles + [Bundle.main.executableURL].compactMap { $0 })
      .map { $0.deletingLastPathComponent() }
    let candidates = folders.map { $0.appending(path: "goldilocks") }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw CommandError.notBuilt(lookedIn: folders.map(\.path)) }
    return found
  }
}

/// The three standard streams of one run, as files in a folder of their own.
private struct Streams {
  private let folder: URL
  private var open: [FileHandle] = []

  init(input: Data) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "goldilocks-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["output", "errors"] {
      try Data().put(at: folder.appending(path: name))
    }
    try input.put(at: folder.appending(path: "input"))
  }

  mutating func reading(_ name: String) throws -> FileHandle {
    open.append(try FileHandle(forReadingFrom: folder.appending(path: name)))
    return open[open.count - 1]
  }

  mutating func writing(_ name: String) throws -> FileHandle {
    open.append(try FileHandle(forWritingTo: folder.appending(path: name)))
    return open[open.count - 1]
  }

  func content(_ name: String) -> Data {
    FileManager.default.contents(atPath: folder.appending(path: name).path) ?? Data()
  }

  /// Foundation's process keeps what it was given, and starting one reads past the end of a buffer
  /// when a thousand descriptors are open.
  func remove() {
    for handle in open { try? handle.close() }
    try? FileManager.default.removeItem(at: folder)
  }
}

import ExactText
import ScenarioRunner
import VirtualTime

/// A process that answers for a policy: a line to its standard input, a line from its standard
/// output. What it says on its standard error is passed on, spelled out where it is no plain text.
final class PolicyProcess {
  private let process: ChildProcess
  /// Maximum time for an answer, in nanoseconds.
  private let patience: Int64
  private let name: String
  /// Bytes that the command wrote and that are not parsed yet.
  private var unread: [UInt8] = []
  /// Number of unread bytes that are known to hold no end of a line.
  private var searched = 0
  /// Whether a line was not taken or not answered: then there is nothing to wait for in the end.
  private var hasFailed = false

  /// - Parameter folder: Its working folder: paths in the command are relative to it.
  init(_ command: [String], in folder: String, patience: Int64) throws(PolicyFailure) {
    name = command.first ?? ""
    self.patience = patience
    process = try rethrowing(try ChildProcess(command, in: folder)) { (error: SystemError) in
      PolicyFailure(.broken, "cannot be started: \(error.words)")
    }
  }

  /// The same as whoever answers for a policy in a run.
  static func port(
    _ command: [String], in folder: String, patience: Int64
  ) throws(PolicyFailure) -> PolicyPort {
    let process = try PolicyProcess(command, in: folder, patience: patience)
    return PolicyPort(
      tell: { (line) throws(PolicyFailure) in
        process.hasFailed = true
        try process.write(line, until: nanosecondsNow() + patience)
        process.hasFailed = false
      },
      ask: { (line) throws(PolicyFailure) in try process.ask(line) },
      close: { _ = process.process.end(atOnce: process.hasFailed) })
  }

  private func ask(_ line: [UInt8]) throws(PolicyFailure) -> [UInt8] {
    hasFailed = true
    let end = nanosecondsNow() + patience
    try write(line, until: end)
    while true {
      if let stop = unread[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        if stop > PolicyProtocol.mostBytes { throw Self.tooLong }
        let answer = Array(unread[..<stop])
        unread.removeFirst(stop + 1)
        searched = 0
        hasFailed = false
        return answer
      }
      searched = unread.count
      if searched > PolicyProtocol.mostBytes { throw Self.tooLong }
      try wait(toWrite: false, until: end)
    }
  }

  private static let tooLong = PolicyFailure(
    .wrongAnswer, "answered with a line of more than \(PolicyProtocol.mostBytes >> 20) MiB")

  private func write(_ line: [UInt8], until end: Int64) throws(PolicyFailure) {
    var rest = (line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      let count = try rethrowing(try process.write(rest)) { (error: SystemError) in
        error.isClosedPipe
          ? ended() : PolicyFailure(.broken, "cannot be written to: \(error.words)")
      }
      rest = rest.dropFirst(count)
      // It may write before it has read everything.
      if !rest.isEmpty { try wait(toWrite: true, until: end) }
    }
  }

  /// Waits until it has read or written something.
  private func wait(toWrite: Bool, until end: Int64) throws(PolicyFailure) {
    if unread.count > PolicyProtocol.mostBytes {
      throw PolicyFailure(
        .wrongAnswer, "wrote more than \(PolicyProtocol.mostBytes >> 20) MiB that nobody asked for")
    }
    let left = end - nanosecondsNow()
    if left <= 0 {
      let span = exactText(TimeSpan(nanoseconds: patience))
      throw PolicyFailure(.timedOut, "has not answered within \(span)")
    }
    let goesOn = try rethrowing(
      try process.wait(toWrite: toWrite, nanoseconds: left) ? process.read(into: &unread) : true
    ) { (error: SystemError) in PolicyFailure(.broken, "cannot be read from: \(error.words)") }
    if !goesOn { throw ended() }
  }

  /// The failure of a question whose process ended before it answered.
  private func ended() -> PolicyFailure {
    switch process.end() {
    case .code(127):
      PolicyFailure(.missing, "was not found: there is no command “\(name)”, or nothing runs it")
    case .code(126): PolicyFailure(.missing, "cannot be started: “\(name)” cannot be executed")
    case .code(let code): PolicyFailure(.broken, "ended with code \(code) before it had answered")
    case .signal(let signal):
      PolicyFailure(.broken, "was ended by signal \(signal) before it had answered")
    case .killed:
      PolicyFailure(.broken, "closed its standard output before it had answered")
    }
  }
}

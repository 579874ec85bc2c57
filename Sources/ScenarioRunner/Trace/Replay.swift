import ExactText
import PlayerPolicies
package import ScenarioFormat

package enum ReplayVerdict: Sendable {
  /// Every byte is the same, but for the version of the tool.
  case same(digest: String, lines: Int, tool: String)
  /// The first line that differs, from 1, and what stands there in either.
  case diverged(line: Int, recorded: String?, replayed: String?, tool: String)
}

package enum ReplayError: Error, Sendable {
  case trace(TraceError)
  case scenario(DocumentError)
  case heuristic(String)
  case run(RunError)
}

/// Runs the scenario in a trace's own header again and compares every line.
package func replay(
  _ trace: [UInt8], file: String, beat: RunBeat? = nil
) throws(ReplayError) -> ReplayVerdict {
  let recorded = TraceText(trace)
  if recorded.field != nil {
    throw .trace(
      TraceError(line: 1, message: "a field session was recorded, which cannot be run again"))
  }
  guard let tool = try rethrowing(try recorded.header(), as: ReplayError.trace)["tool"]?.string
  else {
    throw .trace(
      TraceError(line: 1, message: "the header does not say which version of the tool recorded it"))
  }
  let check = LineCheck(recorded.lines)
  let outcome = try rerun(recorded, file: file, keeping: .handedOn { check.take($0) }, beat: beat)
  if let (line, replayed) = check.difference {
    let old = line < recorded.lines.count ? recorded.text(line) : nil
    return .diverged(line: line + 1, recorded: old, replayed: replayed, tool: tool)
  }
  return .same(digest: outcome.digest ?? "", lines: recorded.lines.count, tool: tool)
}

/// Checks a run's lines against recorded ones as they come: kept, they would double the memory.
private final class LineCheck: @unchecked Sendable {
  private let recorded: TraceText.Lines
  private var count = 0
  private var first: (line: Int, replayed: String?)?

  init(_ recorded: TraceText.Lines) { self.recorded = recorded }

  func take(_ piece: [UInt8]) {
    if first != nil { return }
    for new in TraceText.Lines(piece) {
      let old = count < recorded.count ? recorded[count] : nil
      let isSame = count == 0 ? old.map { sameHeader($0, new) } == true : old == new
      if !isSame {
        first = (count, String(decoding: new, as: UTF8.self))
        return
      }
      count += 1
    }
  }

  /// The first line that differs, from 0, and what the run has there.
  var difference: (line: Int, replayed: String?)? {
    first ?? (count < recorded.count ? (count, nil) : nil)
  }
}

/// Runs what a trace's header embeds: the scenario, and the files that it names.
func rerun(
  _ recorded: TraceText, file: String, keeping: TraceKeeping = .whole, beat: RunBeat? = nil
) throws(ReplayError) -> RunOutcome {
  let (scenario, heuristic) = try embeddedScenario(recorded, file: file)
  var options = RunOptions(heuristic: heuristic, folds: .figures)
  options.trace = keeping
  // Nobody starts anything again: what policies outside answered stands in the trace.
  options.policies = .recorded(RecordedAnswers(in: recorded))
  options.beat = beat
  return try rerun(scenario, options)
}

func rerun(_ scenario: Scenario, _ options: RunOptions) throws(ReplayError) -> RunOutcome {
  try rethrowing(try run(scenario, options: options), as: ReplayError.run)
}

/// The scenario in a trace's header, and the heuristic that took the place of its own.
func embeddedScenario(
  _ recorded: TraceText, file: String, _ versions: ClosedRange<Int64>? = nil
) throws(ReplayError) -> (Scenario, KeepUpHeuristic?) {
  let header = try rethrowing(try recorded.header(versions), as: ReplayError.trace)
  var heuristic: KeepUpHeuristic?
  if let text = header["heuristic"]?.string {
    heuristic = try rethrowing(try KeepUpHeuristic(text: text)) { (error: QuantityProblem) in
      ReplayError.heuristic(error.text)
    }
  }
  guard let document = header["scenario"] else {
    throw .trace(TraceError(line: 1, message: "the header embeds no scenario"))
  }
  let files = header["files"]
  let scenario = try rethrowing(
    try readScenario(JSONTree(document).text, file: file) { path in
      (files?[path]?.string).map { Array($0.utf8) }
    }, as: ReplayError.scenario)
  return (scenario, heuristic)
}

/// Whether two headers differ in the tool's version at most.
private func sameHeader(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
  guard let a = try? JSONValue(parsing: a), let b = try? JSONValue(parsing: b) else {
    return false
  }
  return a.hasSameContent(as: b, apartFrom: "tool")
}

/// A trace cut into its lines, without reading them yet.
struct TraceText {
  let lines: Lines

  init(_ bytes: [UInt8]) { lines = Lines(bytes) }

  /// Slices of the text that are made when they are read: kept, they would take as much as it.
  struct Lines: RandomAccessCollection {
    private let bytes: [UInt8]
    /// The start of each line, and that of one behind the last.
    private var starts: [UInt32] = [0]

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      starts.reserveCapacity(bytes.reduce(2) { $1 == 10 ? $0 + 1 : $0 })
      for (place, byte) in bytes.enumerated() where byte == 10 { starts.append(UInt32(place + 1)) }
      if starts.last != UInt32(bytes.count) { starts.append(UInt32(bytes.count + 1)) }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { starts.count - 1 }
    subscript(line: Int) -> ArraySlice<UInt8> {
      bytes[Int(starts[line])..<Int(starts[line + 1]) - 1]
    }
  }

  func text(_ line: Int) -> String { String(decoding: lines[line], as: UTF8.self) }

  /// The formats that are read: of an older trace what it holds.
  static let readable = TraceWriter.version - 1...TraceWriter.version

  /// A line, from 0, with its event and its nanoseconds, which are not before the latest above it.
  func record(
    _ line: Int, from latest: Int64
  ) throws(TraceError) -> (value: JSONValue, event: String, time: Int64) {
    let value = try value(at: line)
    guard let event = value["event"]?.string else {
      throw TraceError(line: line + 1, message: "this line is broken: it lacks its event")
    }
    guard let time = value["t"]?.units(places: 9) else {
      throw TraceError(line: line + 1, message: "this line is broken: it lacks its time")
    }
    if time < latest {
      throw TraceError(
        line: line + 1, message: "the time of this line is before that of the line above")
    }
    return (value, event, time)
  }

  /// The last line, without which a trace is not whole.
  func summary() throws(TraceError) -> JSONValue {
    let summary = try value(at: lines.count - 1)
    if summary["event"]?.string == "playbackSummary" { return summary }
    throw TraceError(
      line: lines.count, message: "the trace breaks off: its last line is no playbackSummary")
  }

  /// The version of the format; nil where the header names none.
  var version: Int64? { lines.isEmpty ? nil : (try? value(at: 0))?["trace"]?.units(places: 0) }

  /// The source of a session that was not run, and the facts that it lacks; nil for a run.
  var field: JSONValue? { lines.isEmpty ? nil : (try? value(at: 0))?["field"] }

  /// - Parameter versions: Of the format; nil for the present one alone.
  func header(_ versions: ClosedRange<Int64>? = nil) throws(TraceError) -> JSONValue {
    if lines.isEmpty {
      throw TraceError(line: 1, message: "the file is empty; a trace begins with its header")
    }
    let header = try value(at: 0)
    guard case .number(let version)? = header["trace"]?.content else {
      throw TraceError(line: 1, message: "this is no trace: its first line has no “trace” version")
    }
    let present = TraceWriter.version
    let number = header["trace"]?.units(places: 0) ?? 0
    if !(versions ?? present...present).contains(number) {
      // A run that is made again is recorded in the present format.
      let remedy =
        (1..<present).contains(number)
        ? "; record it again with “goldilocks run … --trace FILE”" : ""
      throw TraceError(
        line: 1,
        message: "the trace has format \(version); this tool reads format \(present)" + remedy)
    }
    return header
  }

  /// The value of a line, from 0.
  func value(at line: Int) throws(TraceError) -> JSONValue {
    try rethrowing(try JSONValue(parsing: lines[line])) { (error: JSONError) in
      TraceError(
        line: line + 1,
        message: (line == 0 ? "this is no trace: " : "this line is broken: ") + error.message)
    }
  }
}

package struct TraceError: Error, Hashable, Sendable {
  /// The line, from 1.
  package var line: Int
  package var message: String

  package var text: String { "line \(line): \(message)" }
}

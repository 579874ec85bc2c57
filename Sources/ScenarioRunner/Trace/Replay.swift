import Autowait
import ExactText
import PlayerPolicies
package import ScenarioFormat

/// The result of replaying a trace.
package enum ReplayVerdict: Sendable {
  /// Every byte is the same, but for the version of the tool.
  case same(digest: String, lines: Int, tool: String)
  /// The first line that differs, from 1, and what stands there in either.
  case diverged(line: Int, recorded: String?, replayed: String?, tool: String)
}

/// The reason why a trace cannot be replayed.
package enum ReplayError: Error, Sendable {
  case trace(TraceError)
  case scenario(DocumentError)
  case heuristic(String)
  case run(RunError)
}

/// Runs the scenario in a trace's own header again and compares every line.
package func replay(_ trace: [UInt8], file: String) throws(ReplayError) -> ReplayVerdict {
  let recorded = TraceText(trace)
  let tool = try recordingTool(recorded)
  let outcome = try rerun(recorded, file: file)
  let replayed = TraceText(outcome.trace)
  let count = max(recorded.lines.count, replayed.lines.count)
  for line in 0..<count {
    let old = line < recorded.lines.count ? recorded.lines[line] : nil
    let new = line < replayed.lines.count ? replayed.lines[line] : nil
    if old == new { continue }
    if line == 0, let old, let new, sameHeader(old, new) { continue }
    return .diverged(
      line: line + 1, recorded: old.map { String(decoding: $0, as: UTF8.self) },
      replayed: new.map { String(decoding: $0, as: UTF8.self) }, tool: tool)
  }
  return .same(digest: outcome.digest ?? "", lines: count, tool: tool)
}

/// The version of the tool that recorded a trace, as its header has it.
private func recordingTool(_ trace: TraceText) throws(ReplayError) -> String {
  do throws(TraceError) {
    if case .string(let version)? = try trace.header()["tool"]?.content { return version }
    throw TraceError(
      line: 1, message: "the header does not say which version of the tool recorded it")
  } catch {
    throw .trace(error)
  }
}

/// Runs what a trace's header embeds: the scenario, and the files that it names.
func rerun(_ recorded: TraceText, file: String) throws(ReplayError) -> RunOutcome {
  let (scenario, heuristic) = try embeddedScenario(recorded, file: file)
  var options = RunOptions(heuristic: heuristic, folds: .figures)
  // Nobody starts anything again: what policies outside answered stands in the trace.
  options.policies = .recorded(RecordedAnswers(in: recorded))
  do throws(RunError) {
    return try run(scenario, options: options)
  } catch {
    throw .run(error)
  }
}

/// The scenario in a trace's header, and the heuristic that took the place of its own.
func embeddedScenario(
  _ recorded: TraceText, file: String, _ versions: ClosedRange<Int64>? = nil
) throws(ReplayError) -> (Scenario, KeepUpHeuristic?) {
  let header: JSONValue
  do throws(TraceError) {
    header = try recorded.header(versions)
  } catch {
    throw .trace(error)
  }
  var heuristic: KeepUpHeuristic?
  if case .string(let text)? = header["heuristic"]?.content {
    switch readHeuristic(text) {
    case .success(let read): heuristic = read
    case .failure(let error): throw .heuristic(error.message)
    }
  }
  guard let document = header["scenario"] else {
    throw .trace(TraceError(line: 1, message: "the header embeds no scenario"))
  }
  do throws(DocumentError) {
    let files = header["files"]
    var writer = JSONWriter()
    writer.value(document)
    let scenario = try readScenario(writer.bytes, file: file) { path in
      guard case .string(let text)? = files?[path]?.content else { return nil }
      return Array(text.utf8)
    }
    return (scenario, heuristic)
  } catch {
    throw .scenario(error)
  }
}

/// Whether two headers differ in the tool's version at most.
private func sameHeader(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
  guard let a = try? JSONValue(parsing: a), let b = try? JSONValue(parsing: b) else {
    return false
  }
  return a.hasSameContent(as: b, apartFrom: "tool")
}

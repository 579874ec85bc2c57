import ExactText
import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// Answers what a page asks of the engine inside it.
///
/// A question is a JSON object with `scenario`, the `files` that it names, the `edits` of a
/// command line and a `number` for the section. The answer is JSON: `scenario` with the edits in
/// it, `digest`, `startupDelaySeconds`, `stalledSeconds`, and, where it is `drawn`, the `section`
/// of the page; or `error`, a line for each mistake.
package func answerPage(_ question: [UInt8]) -> [UInt8] {
  var writer = JSONWriter()
  do throws(PageProblem) {
    let question = try PageQuestion(question)
    let outcome = try question.run()
    let scenario = question.scenario.read
    let section = RunSection(
      scenario: scenario, outcome: outcome, policy: scenario.wordsOfPolicy(under: nil),
      problems: [], number: question.number)
    writer.tree([
      "digest": .string(outcome.digest ?? ""),
      "startupDelaySeconds": .seconds(outcome.player.startupDelay?.nanoseconds),
      "stalledSeconds": .seconds(outcome.player.stalled.nanoseconds),
      "scenario": .string(String(decoding: question.scenario.text, as: UTF8.self)),
      "section": question.isDrawn
        ? .string(String(decoding: section.bytes, as: UTF8.self)) : nil,
    ])
  } catch {
    writer.tree(["error": .string(error.words)])
  }
  return writer.bytes
}

private struct PageProblem: Error {
  var words: String
}

private struct PageQuestion {
  let scenario: (read: Scenario, text: [UInt8])
  let isDrawn: Bool
  let number: Int

  init(_ bytes: [UInt8]) throws(PageProblem) {
    guard let question = try? JSONValue(parsing: bytes), let document = question["scenario"] else {
      throw PageProblem(words: "a question is a JSON object with a scenario")
    }
    if case .boolean(true)? = question["drawn"]?.content { isDrawn = true } else { isDrawn = false }
    if case .number(let digits)? = question["number"]?.content {
      number = Int(digits) ?? 1
    } else {
      number = 1
    }
    var writer = JSONWriter()
    writer.value(document)
    do throws(JSONEdit.Failure) {
      let edits = try Self.edits(question["edits"])
      let plain = try? JSONValue(parsing: writer.bytes)
      let text = try edits.isEmpty ? writer.bytes : plain?.edited(edits) ?? writer.bytes
      let files = question["files"]
      scenario = (try Self.read(text, files), text)
    } catch {
      throw PageProblem(words: error.message)
    }
  }

  private static func edits(_ list: JSONValue?) throws(JSONEdit.Failure) -> [JSONEdit] {
    guard case .array(let values)? = list?.content else { return [] }
    var edits: [JSONEdit] = []
    for value in values {
      guard case .string(let text) = value.content else { continue }
      edits.append(try JSONEdit(text).asKeysTakeIt)
    }
    return edits
  }

  private static func read(
    _ text: [UInt8], _ files: JSONValue?
  ) throws(JSONEdit.Failure) -> Scenario {
    do throws(DocumentError) {
      return try readScenario(text, file: "scenario.json") { path in
        guard case .string(let text)? = files?[path]?.content else { return nil }
        return Array(text.utf8)
      }
    } catch {
      throw JSONEdit.Failure(error.text)
    }
  }

  func run() throws(PageProblem) -> RunOutcome {
    var options = RunOptions(folds: isDrawn ? .all : .figures)
    options.trace = .digest
    options.keepsCurves = isDrawn
    do throws(RunError) {
      return try ScenarioRunner.run(scenario.read, options: options)
    } catch {
      throw PageProblem(words: error.description)
    }
  }
}

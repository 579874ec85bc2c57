import ExactText
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

/// Answers what a page asks of the engine inside it.
///
/// A question is a JSON object with `scenario`, the `files` that it names, the `edits` of a command
/// line and a `number` for the section. The answer is a line of JSON: `scenario` with the edits,
/// `digest`, `startupDelaySeconds` and `stalledSeconds`; or `error`, a line for each mistake. Where
/// it is `drawn`, the section of the page follows: with both drawings, or the one of a `size`.
package func answerPage(_ question: [UInt8]) -> [UInt8] {
  var writer = JSONWriter()
  var drawing: [UInt8] = []
  do throws(JSONEdit.Failure) {
    let question = try PageQuestion(question)
    let outcome = try question.run()
    let scenario = question.scenario.read
    if question.isDrawn {
      let section = RunSection(
        scenario: scenario, outcome: outcome, policy: scenario.wordsOfPolicy(under: nil),
        problems: [], number: question.number, sizes: question.sizes)
      drawing = Array("\n".utf8) + section.bytes
    }
    writer.tree([
      "digest": .string(outcome.digest ?? ""),
      "startupDelaySeconds": .seconds(outcome.player.startupDelay?.nanoseconds),
      "stalledSeconds": .seconds(outcome.player.books.stalled.nanoseconds),
      "scenario": .string(String(decoding: question.scenario.text, as: UTF8.self)),
    ])
  } catch {
    writer.tree(["error": .string(error.message)])
  }
  return writer.bytes + drawing
}

private struct PageQuestion {
  let scenario: (read: Scenario, text: [UInt8])
  let isDrawn: Bool
  let sizes: [RunPicture.Size]
  let number: Int

  init(_ bytes: [UInt8]) throws(JSONEdit.Failure) {
    guard let question = try? JSONValue(parsing: bytes), let document = question["scenario"] else {
      throw JSONEdit.Failure("a question is a JSON object with a scenario")
    }
    isDrawn = question["drawn"]?.flag == true
    sizes =
      question["size"]?.string.map { [isSameText($0, "wide") ? .wide : .narrow] }
      ?? [.wide, .narrow]
    number = question["number"]?.units(places: 0).map { Int(clamping: $0) } ?? 1
    let own = JSONTree(document).text
    let edits = try (question["edits"]?.elements?.compactMap { $0.string } ?? [])
      .map { (text) throws(JSONEdit.Failure) in try JSONEdit(text).asKeysTakeIt() }
    let plain = try? JSONValue(parsing: own)
    let text = try edits.isEmpty ? own : plain?.edited(edits) ?? own
    let files = question["files"]
    let read = try rethrowing(
      try readScenario(text, file: "scenario.json") { path in
        files?[path]?.string.map { Array($0.utf8) }
      }
    ) { (error: DocumentError) in JSONEdit.Failure(error.text) }
    scenario = (read, text)
  }

  func run() throws(JSONEdit.Failure) -> RunOutcome {
    var options = RunOptions(folds: isDrawn ? .all : .figures, keepsCurves: isDrawn)
    options.trace = .digest
    return try rethrowing(try ScenarioRunner.run(scenario.read, options: options)) {
      (error: RunError) in JSONEdit.Failure(error.description)
    }
  }
}

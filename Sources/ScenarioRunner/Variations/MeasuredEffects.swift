import ExactText
package import ScenarioFormat
import VirtualTime

/// Leaves out one part of a scenario after the other, runs it again and compares: a part without
/// which every record and every figure of the run is the same has no effect in this run.
package struct MeasuredEffects {
  /// The parts without effect, in the order of the file.
  package private(set) var remarks: [RunWarning] = []
  private let read: ([UInt8]) -> Scenario?
  private let document: JSONValue
  private let options: RunOptions
  private let recorded: RunOutcome
  private let records: [ArraySlice<UInt8>]

  /// - Parameter read: Reads an edited document; nil where it is no scenario any more.
  package init(
    of scenario: Scenario, _ text: [UInt8], policies: PolicySource = .none,
    read: @escaping ([UInt8]) -> Scenario?
  ) throws(RunError) {
    self.read = read
    options = RunOptions(folds: .figures, warns: false, policies: policies)
    document = (try? JSONValue(parsing: text)) ?? scenario.document
    recorded = try run(scenario, options: options)
    records = Self.records(of: recorded, ofSteps: true)
    search(document)
  }

  /// Longer lists are left out as a whole only: recordings of links, sizes of segments.
  private static let mostElements = 64

  private mutating func search(_ whole: JSONValue) {
    if let members = whole.members {
      for member in members where !Scenario.isForReaders(member.key) {
        look(at: member.value, member.keyPosition)
      }
    } else if let elements = whole.elements, elements.count <= Self.mostElements,
      !JSONTree(whole).isCommand(at: whole.path.steps.last)
    {
      for element in elements { look(at: element, element.position) }
    }
  }

  private mutating func look(at part: JSONValue, _ position: TextPosition) {
    let path = part.path
    if part.isDefaultOfScenario { return }
    let step = path.steps.count == 2 && path.steps[0] == .key("script") ? part : nil
    // A panel is for the screen, and no record of the player.
    if step?["do"]?.string.map({ isSameText($0, "showPanel") }) == true { return }
    guard let rest = outcome(without: path) else { return search(part) }
    let isStep = step != nil || path.steps.dropLast().last == .key("script")
    let before = isStep ? Self.records(of: recorded, ofSteps: false) : records
    if before != Self.records(of: rest, ofSteps: !isStep) { return search(part) }
    var reason = ""
    if step != nil, case .index(let place)? = path.steps.last,
      recorded.stepInstants.indices.contains(place), recorded.stepInstants[place] == nil
    {
      let end = PropertyValue.time(recorded.ended.nanoseconds).words
      reason = ": it was never done, as the run ended at \(end)"
    }
    remarks.append(
      RunWarning(
        position: position,
        message: "\(quotation(of: path.text)) has no effect in this run" + reason))
  }

  private mutating func outcome(without path: DocumentPath) -> RunOutcome? {
    // Without any rule requests are told in other words: one that fits no request takes its place.
    let isRule = path.steps.count == 2 && path.steps[0] == .key("faults")
    let idle: JSONTree = ["status": .whole(503), "requests": .whole(ScenarioLimits.mostEvents)]
    let edit = JSONEdit(path: path, value: isRule ? idle : nil, text: path.text)
    guard let text = try? document.edited([edit]), let scenario = read(text) else { return nil }
    return try? run(scenario, options: options)
  }

  /// The lines of a trace behind its header, without its digest. Buffer samples are left out: they
  /// lie on the lines that other records draw. So are link rates: what comes of them counts.
  ///
  /// - Parameter ofSteps: Whether the steps of the script count as records.
  private static func records(of outcome: RunOutcome, ofSteps: Bool) -> [ArraySlice<UInt8>] {
    let omitted = ofSteps ? samples : samples + steps
    var lines = outcome.trace.split(separator: 0x0A).dropFirst().filter { line in
      !omitted.contains { occurs($0, in: line.prefix(64)) }
    }
    if let last = lines.popLast() { lines.append(last.dropLast(TraceWriter.digestLength)) }
    return Array(lines)
  }

  private static let samples = [EventShape.loadedTimeRanges, .linkRate].map { $0.marker }
  private static let steps = [EventShape.app, .tap, .refused, .link].map { $0.marker }
}

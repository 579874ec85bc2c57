import ExactText
import LinkConditioner
import Recording
package import ScenarioFormat
import VirtualTime

/// Values of a scenario that no log tells; nil where the scenario leaves them to their defaults.
struct FieldUnknowns: Sendable {
  var forwardBuffer: MediaTime?
  /// One way.
  var delay: TimeSpan?
  /// Time of the server for each answer.
  var thinkTime: TimeSpan?
  /// Throughput in bit/s by which a stream chooses its first variant.
  var estimate: Int64?
}

extension FieldSession {
  /// Looks for the unknowns with which a run makes the requests of one half, every other one, when
  /// the field did, and tells how far off the other half is.
  ///
  /// One unknown after the other takes its best value, twice; where another does as well within a
  /// hundredth, that is said, and the default stays if it is one of them.
  package mutating func fit() throws(Diagnostic) {
    if log.requests.count < 4 {
      throw Diagnostic(
        "the log has \(counted(Int64(log.requests.count), "request")) to fit",
        expected: "four at least")
    }
    guard let field = try? report(on: trace(), file: "the log").outcome else {
      return notes.append("nothing was fitted: its scenario cannot be read")
    }
    let before = error(of: field, unknowns)
    var words: [String] = []
    for round in 0..<2 {
      words = [
        fit(field, "the forward buffer", { $0.forwardBuffer = $1 }, Self.buffers, Self.shown),
        fit(field, "the estimator's start", { $0.estimate = $1 }, Self.rates) { "\($0) bit/s" },
        fit(field, "the delay", { $0.delay = $1 }, Self.spans, Self.shown),
        fit(field, "think time of the server", { $0.thinkTime = $1 }, Self.spans, Self.shown),
      ]
      if round == 0, error(of: field, unknowns).fitted == 0 { break }
    }
    let after = error(of: field, unknowns)
    func mean(_ error: Int64, _ half: Int) -> String {
      JSONTree.secondsText(error / Int64(half) / 1_000_000 * 1_000_000)
    }
    let half = log.requests.count / 2
    notes.append(
      "fitted on every other request: \(joined(words, by: ", ")); a request is off by "
        + "\(mean(after.fitted, log.requests.count - half)) (before: "
        + "\(mean(before.fitted, log.requests.count - half))), and of those left out by "
        + "\(mean(after.leftOut, half)) (before: \(mean(before.leftOut, half)))")
  }

  private static let buffers = [2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 90, 120].map {
    MediaTime.seconds($0)
  }
  private static let spans = [1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500].map {
    TimeSpan.milliseconds($0)
  }
  private static let rates = [200, 300, 500, 700, 1_000, 1_500, 3_000, 5_000, 10_000, 20_000].map {
    Int64($0) * 1_000
  }

  private static func shown(_ time: some StoredTime) -> String {
    JSONTree.secondsText(time.nanoseconds)
  }

  private mutating func fit<Value>(
    _ field: RunOutcome, _ name: String, _ set: (inout FieldUnknowns, Value?) -> Void,
    _ values: [Value], _ shown: (Value) -> String
  ) -> String {
    var (session, texts): (FieldSession, [[UInt8]]) = (self, [])
    let found = ([nil] + values.map { Optional($0) }).compactMap { value in
      set(&session.unknowns, value)
      // The same scenario as that of the default is no other value.
      let text = session.document.fileText
      defer { texts.append(text) }
      return texts.contains(text)
        ? nil : (value: value, error: error(of: field, session.unknowns).fitted)
    }
    let best = found.map { $0.error }.min() ?? 0
    let ties = found.filter { $0.error <= best + best / 100 + 1_000_000 }
    set(&unknowns, (ties[0].value == nil ? ties[0] : ties[ties.count / 2]).value)
    func text(_ value: Value?) -> String { value.map(shown) ?? "as it was" }
    return ties.count == 1
      ? "\(name): \(text(ties[0].value))"
      : "\(name): not identifiable (\(text(ties[0].value)) and "
        + "\(text(ties[ties.count - 1].value)) do as well)"
  }

  /// Nanoseconds by which the starts and the lengths of requests are off together, at most twenty
  /// seconds a request: those of odd and of even numbers.
  private func error(
    of field: RunOutcome, _ unknowns: FieldUnknowns
  ) -> (fitted: Int64, leftOut: Int64) {
    let most: Int64 = 20_000_000_000
    var (session, error) = (self, (fitted: Int64(0), leftOut: Int64(0)))
    session.unknowns = unknowns
    func add(_ request: StartupStage, _ amount: Int64) {
      if request.id.rawValue % 2 == 1 {
        error.fitted += min(amount, most)
      } else {
        error.leftOut += min(amount, most)
      }
    }
    let options = RunOptions(keepsTrace: false, keepsCurves: true, warns: false)
    let scenario = try? readScenario(session.document.fileText, file: "the log") { path in
      media.files.first { isSameText($0.path, path) }.map { Array($0.text.utf8) }
    }
    guard let scenario, let outcome = try? run(scenario, options: options) else {
      return (.max / 2, .max / 2)
    }
    let comparison = FieldComparison(field: field, run: outcome)
    for pair in comparison.pairs {
      let start = (pair.field.requested - pair.run.requested).nanoseconds.magnitude
      add(pair.field, Int64(clamping: start) + pair.error.nanoseconds)
    }
    for request in comparison.fieldAlone { add(request, most) }
    return error
  }
}

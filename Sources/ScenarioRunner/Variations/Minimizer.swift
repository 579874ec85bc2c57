package import ExactText
import Recording
package import ScenarioFormat
import SimulatedPlayback
import VirtualTime

/// A finding in a run of a scenario that smaller scenarios must share.
package enum KeptFinding: Sendable {
  /// An expectation that fails, by its path in the document; nil for the first that does.
  case expectation(DocumentPath?)
  /// A warning that contains these words.
  case warning(String)
  case error
  /// A run that contradicts itself: its accounts, its replay, or the report of its trace.
  case inconsistency
  /// Decisions of two policies that part; each policy is the edits that choose it.
  case difference([JSONEdit], [JSONEdit])
}

/// Makes a scenario smaller while its run still shows a finding for the same reason.
///
/// Leaves out steps, list elements and keys, puts a constant rate in the place of a link's
/// schedule, and rounds numbers, until no further change keeps the reason. The result is 1-minimal:
/// no single key or element can be left out. The command of a policy stays whole or goes.
package struct Minimizer {
  private typealias Path = [DocumentPath.Step]

  /// The smallest document so far.
  package private(set) var document: JSONTree
  package private(set) var runCount: Int64 = 0
  /// The finding in words, as the smallest document shows it.
  package private(set) var reason = ""
  private let kind: KeptFinding
  private let policies: PolicySource
  private let read: ([UInt8]) -> Scenario?
  private let goesOn: (Int) -> Bool
  private var isStopped = false
  /// The place of the kept expectation; nil for other findings.
  private var kept: Path?
  /// Most events of a run: a candidate that takes far longer than the original is not smaller.
  private var mostEvents = Int64.max
  private var endsByBudget = true

  /// - Parameters:
  ///   - read: Reads an edited document; nil where it is no scenario any more.
  ///   - goesOn: Asked before each run, with the smallest size in bytes; false stops the search.
  /// - Returns: Nil where the scenario does not show the finding.
  package init?(
    _ text: [UInt8], keeping kind: KeptFinding, policies: PolicySource = .none,
    read: @escaping ([UInt8]) -> Scenario?, goesOn: @escaping (Int) -> Bool
  ) {
    guard let value = try? JSONValue(parsing: text) else { return nil }
    document = JSONTree(value)
    (self.kind, self.policies, self.read, self.goesOn) = (kind, policies, read, goesOn)
    guard let (scenario, outcome) = outcome(of: text) else { return nil }
    (mostEvents, endsByBudget) = (max(20_000, 2 * outcome.eventCount), outcome.end == .budget)
    if case .expectation(let named) = kind {
      let failing = outcome.failures.lazy.compactMap {
        scenario.document.expectation(at: $0.position)?.path
      }
      kept = (named ?? failing.first)?.steps
      if kept == nil { return nil }
    }
    guard let found = reason(in: text, at: kept) else { return nil }
    reason = found
  }

  package mutating func search() {
    var before: [UInt8]
    repeat {
      before = document.text
      leaveOutParts(of: [])
      flattenLink()
      for part in document.parts { roundNumbers(of: [part.step]) }
    } while !isStopped && document.text != before
  }

  private mutating func take(_ candidate: JSONTree, _ place: Path?) -> Bool {
    if isStopped { return false }
    runCount += 1
    isStopped = !goesOn(document.text.count)
    guard let found = reason(in: candidate.text, at: place), isSameText(key(found), key(reason))
    else { return false }
    (document, kept, reason) = (candidate, place, found)
    return true
  }

  /// The part of a reason that smaller scenarios share.
  private func key(_ reason: String) -> String {
    switch kind {
    case .warning, .inconsistency: withoutNumbers(reason)
    case .expectation, .error, .difference: reason
    }
  }

  /// Leaves out halves, quarters … single parts of an object or list, then parts of the rest.
  private mutating func leaveOutParts(of path: Path) {
    if document.part(path).isCommand(at: path.last) { return }
    var size = document.part(path).parts.count
    while size > 0 {
      var end = document.part(path).parts.count
      while end > 0 {
        let start = max(0, end - size)
        leaveOut(start..<end, of: path)
        end = start
      }
      size /= 2
    }
    for part in document.part(path).parts.reversed() { leaveOutParts(of: path + [part.step]) }
  }

  private mutating func leaveOut(_ range: Range<Int>, of path: Path) {
    let paths = document.part(path).parts[range].map { path + [$0.step] }
    if paths.contains(where: { isFixed($0) }) { return }
    let smaller = paths.reversed().reduce(document) { $0.replacing($1[...], by: nil) }
    var place = kept
    if let old = kept, old.count > path.count, old.starts(with: path),
      case .index(let index) = old[path.count], index >= range.upperBound
    {
      place?[path.count] = .index(index - range.count)
    }
    _ = take(smaller, place)
  }

  /// Whether a part belongs to the finding: name and sentence of the scenario, and the expectation
  /// but for properties that hold.
  private func isFixed(_ path: Path) -> Bool {
    if path == [.key("scenario")] || path == [.key("about")] { return true }
    guard let kept else { return false }
    if path.count == kept.count + 1, path.starts(with: kept), let key = path.last {
      return [.key("at"), .key("count"), .key("is"), .key("order")].contains(key)
    }
    return kept.starts(with: path) || path.starts(with: kept)
  }

  /// Puts a constant rate in the place of a link that has more than that.
  private mutating func flattenLink() {
    let link = document.part([.key("link")])
    let rates = ["schedule", "trace", "profile", "relativeBandwidth", "downlink", "bandwidth"]
    for others: JSONTree in [[:], rates.reduce(link) { $0.without($1) }] {
      for digits in ["10", "20", "50", "100", "200", "500", "1000", "2000", "5000", "10000"] {
        let flat = ["bandwidth": .string(digits + " kbit/s")] + others
        let candidate = document.replacing([.key("link")], by: flat)
        if flat.size < link.size, take(candidate, kept) { return }
      }
    }
  }

  /// Gives each number the smallest round value that keeps the reason.
  private mutating func roundNumbers(of path: Path) {
    let isAboveKept = kept.map { $0.count > path.count && $0.starts(with: path) } ?? false
    if isFixed(path) && !isAboveKept || document.part(path).isCommand(at: path.last) { return }
    switch document.part(path) {
    case .number(let text): round(text.bytes, at: path) { .number($0) }
    case .string(let text):
      // Numbers that are words of their own, such as the 5 of “5 s”.
      for word in text.bytes.split(separator: 0x20).reversed() {
        guard case .string(let now) = document.part(path) else { return }
        let (head, tail) = (now.bytes[..<word.startIndex], now.bytes[word.endIndex...])
        round(word, at: path) {
          .string(String(decoding: head + Array($0.utf8) + tail, as: UTF8.self))
        }
      }
    case .array, .object:
      for part in document.part(path).parts { roundNumbers(of: path + [part.step]) }
    case .null, .boolean: break
    }
  }

  private mutating func round(
    _ number: ArraySlice<UInt8>, at path: Path, _ value: (String) -> JSONTree
  ) {
    _ = rounderNumbers(than: number).first {
      take(document.replacing(path[...], by: value($0)), kept)
    }
  }
}

/// Values with fewer digits than a plain decimal, or as many and smaller: from zero on those of one
/// digit in the decades below it, and then the number cut to one and to two digits.
private func rounderNumbers(than text: ArraySlice<UInt8>) -> [String] {
  let places = text.firstIndex(of: UInt8(ascii: ".")).map { text.endIndex - $0 - 1 } ?? 0
  let digits = text.filter { $0 != UInt8(ascii: ".") }
  guard digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.count < 18, places < 10,
    let own = Int64(String(decoding: digits, as: UTF8.self)), own > 0
  else { return [] }
  var decade: Int64 = 1
  while decade <= own / 10 { decade *= 10 }
  var values: [Int64] = [0]
  for below: Int64 in [10_000, 1_000, 100, 10, 1] where decade >= below {
    values += [1, 2, 5].map { $0 * (decade / below) }.filter { $0 < own }
  }
  for unit in [decade, max(1, decade / 10)] where own % unit != 0 {
    values += [own / unit * unit, (own / unit + 1) * unit]
  }
  return values.map { JSONTree.decimal($0, places: places).json }
}

extension JSONTree {
  /// The members of an object, or the elements of a list, each with the step that leads to it.
  fileprivate var parts: [(step: DocumentPath.Step, value: JSONTree)] {
    switch self {
    case .array(let elements): elements.enumerated().map { (.index($0), $1) }
    case .object(let members): members.map { (.key($0.key), $0.value) }
    case .null, .boolean, .number, .string: []
    }
  }

  /// Whether it is the command of a policy: with other words it would start another program.
  func isCommand(at step: DocumentPath.Step?) -> Bool {
    if case .array = self { step == .key("command") } else { false }
  }

  /// The number of its parts, their parts and so on, with itself.
  fileprivate var size: Int { parts.reduce(1) { $0 + $1.value.size } }

  func part(_ path: [DocumentPath.Step]) -> JSONTree {
    path.reduce(self) { here, step in here.parts.first { $0.step == step }?.value ?? .null }
  }

  /// The same with another part at a path; nil leaves the part out.
  fileprivate func replacing(_ path: ArraySlice<DocumentPath.Step>, by new: JSONTree?) -> JSONTree {
    let changed = parts.compactMap { step, value -> (DocumentPath.Step, JSONTree)? in
      if step != path.first { return (step, value) }
      return (path.count == 1 ? new : value.replacing(path.dropFirst(), by: new)).map { (step, $0) }
    }
    if case .array = self { return .array(changed.map { $0.1 }) }
    return .members(
      changed.compactMap { if case .key(let key) = $0.0 { (key, $0.1) } else { nil } })
  }
}

extension Minimizer {
  /// Runs a document and says in words why it shows the finding; nil where it does not.
  private func reason(in text: [UInt8], at place: Path?) -> String? {
    if case .difference(let one, let other) = kind { return parting(of: one, other, in: text) }
    guard let (scenario, outcome) = outcome(of: text) else { return nil }
    var player = outcome.player
    if let place, place.first == .key("players"), case .index(let other)? = place.dropFirst().first,
      other < outcome.others.count
    {
      player = outcome.others[other].player
    }
    let waits = player.outcome == .neverPlayed && player.books.waiting > .zero
    let ended = "; playback: " + player.outcome.word + (waits ? " after waiting" : "")
    switch kind {
    case .expectation:
      let failures = outcome.failures.filter {
        scenario.document.expectation(at: $0.position)?.path.steps == place
      }
      return failures.isEmpty ? nil : joined(failures.map { $0.manner }, by: ", ") + ended
    case .warning(let words):
      let warning = outcome.warnings.first {
        words.isEmpty || occurs(Array(words.utf8), in: $0.message.bytes)
      }
      return warning.map { $0.message + ended }
    case .error:
      let failure = player.outcome == .failed ? outcome.story.failures.last : nil
      return failure.map { $0.failure.words + ended }
    case .inconsistency: return inconsistency(of: outcome).map { $0 + ended }
    case .difference: return nil
    }
  }

  private func inconsistency(of outcome: RunOutcome) -> String? {
    if let fault = outcome.faults.first { return fault }
    guard case .same? = try? replay(outcome.trace, file: "") else {
      return "the replay of its trace differs"
    }
    guard let reported = try? report(on: outcome.trace, file: "").outcome else {
      return "its trace cannot be reported"
    }
    let figure = Figure.all.first {
      $0.isInResults(outcome.player) && $0.value(outcome.player) != $0.value(reported.player)
    }
    if let figure { return "the report of its trace has another \(figure.name)" }
    let (told, own) = (reported.player.books, outcome.player.books)
    if told.stalls != own.stalls || reported.bands != outcome.bands
      || reported.panels != outcome.panels
    {
      return "the report of its trace has other stalls or states"
    }
    if reported.curves?.requests != outcome.curves?.requests {
      return "the report of its trace has other requests"
    }
    return nil
  }

  private func parting(of one: [JSONEdit], _ other: [JSONEdit], in text: [UInt8]) -> String? {
    guard let document = try? JSONValue(parsing: text) else { return nil }
    let traces = [one, other].compactMap { edits in
      (try? document.edited(edits)).flatMap { outcome(of: $0) }?.1.trace
    }
    guard traces.count == 2,
      let parting = try? compareDecisions(traces[0], traces[1], ofDeeds: true),
      !parting.isInTimeOnly
    else { return nil }
    let events = [parting.first, parting.second].map { $0?.event ?? "nothing more" }
    return joined(events, by: " against ")
  }

  private func outcome(of text: [UInt8]) -> (Scenario, RunOutcome)? {
    guard var scenario = read(text) else { return nil }
    scenario.limits = RunLimits(
      horizon: scenario.limits.horizon,
      eventBudget: min(scenario.limits.eventBudget, mostEvents))
    var options = RunOptions(keepsTrace: false, folds: .figures)
    switch kind {
    case .expectation: options.warns = false
    case .warning: options.folds = .startup
    case .error: options.folds = .all
    case .inconsistency:
      (options.trace, options.folds, options.keepsCurves) = (.whole, .all, true)
    case .difference: options.trace = .whole
    }
    options.policies = policies
    guard let outcome = try? run(scenario, options: options),
      outcome.end != .budget || endsByBudget
    else { return nil }
    return (scenario, outcome)
  }
}

extension JSONValue {
  fileprivate func expectation(at position: TextPosition) -> JSONValue? {
    let players = self["players"]?.elements.map { Array($0) } ?? []
    return ([self] + players).compactMap { $0["expect"]?.elements }.flatMap { Array($0) }
      .first { $0.holds(position) }
  }

  private func holds(_ position: TextPosition) -> Bool {
    self.position == position || members?.contains { $0.value.holds(position) } ?? false
      || elements?.contains { $0.holds(position) } ?? false
  }
}

/// A message without its digits and quoted parts, which change with the document.
private func withoutNumbers(_ message: String) -> String {
  var (kept, isQuoted): (String.UnicodeScalarView, Bool) = (.init(), false)
  for scalar in message.unicodeScalars {
    if scalar == "“" { isQuoted = true }
    if !isQuoted, !("0"..."9").contains(scalar) { kept.append(scalar) }
    if scalar == "”" { isQuoted = false }
  }
  return String(kept)
}

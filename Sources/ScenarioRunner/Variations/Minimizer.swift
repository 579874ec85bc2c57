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
  /// Playback that ends with an error.
  case error
  /// Decisions of two policies that part; each policy is the edits that choose it.
  case difference([JSONEdit], [JSONEdit])
}

/// Makes a scenario smaller while its run still shows a finding for the same reason.
///
/// Leaves out steps, list elements and keys, puts a constant rate in the place of a link's
/// schedule, and rounds numbers, until no further change keeps the reason. The result is 1-minimal:
/// no single key or element can be left out.
package struct Minimizer {
  /// The smallest document so far.
  package private(set) var document: JSONTree
  package private(set) var runCount: Int64 = 0
  /// The finding in words, without its numbers.
  package let reason: String
  private let finding: FindingReader
  /// The places of the parts that lead to the kept expectation.
  private var kept: [Int]?
  private var isStopped = false
  /// Takes the bytes of the smallest document; false stops the search.
  private let goesOn: (Int) -> Bool

  /// - Parameters:
  ///   - read: Reads an edited document; nil where it is no scenario any more.
  ///   - goesOn: Asked before each run, with the smallest size in bytes.
  /// - Returns: Nil where the scenario does not show the finding.
  package init?(
    _ text: [UInt8], keeping kind: KeptFinding, policies: PolicySource = .none,
    read: @escaping ([UInt8]) -> Scenario?, goesOn: @escaping (Int) -> Bool
  ) {
    var finding = FindingReader(kind: kind, policies: policies, read: read)
    guard let value = try? JSONValue(parsing: text), finding.locate(in: text),
      let reason = finding.reason(in: text, at: finding.place)
    else { return nil }
    (document, kept) = (JSONTree(value), finding.place)
    (self.reason, self.finding, self.goesOn) = (reason, finding, goesOn)
  }

  /// Searches until nothing can go, or until it is stopped.
  package mutating func search() {
    var before: [UInt8]
    repeat {
      before = document.text
      leaveOutParts(of: [])
      flattenLink()
      roundNumbers(of: [])
    } while !isStopped && document.text != before
  }

  private mutating func take(_ candidate: JSONTree, _ place: [Int]?) -> Bool {
    if isStopped { return false }
    runCount += 1
    isStopped = !goesOn(document.text.count)
    guard let found = finding.reason(in: candidate.text, at: place), isSameText(found, reason)
    else { return false }
    (document, kept) = (candidate, place)
    return true
  }

  // MARK: Parts

  /// Leaves out parts of an object or a list, halves before quarters before single ones, and then
  /// parts of those that stay.
  private mutating func leaveOutParts(of path: [Int]) {
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
    for index in document.part(path).parts.indices.reversed() { leaveOutParts(of: path + [index]) }
  }

  private mutating func leaveOut(_ range: Range<Int>, of path: [Int]) {
    if range.contains(where: { isFixed($0, of: path) }) { return }
    var smaller = document
    for index in range.reversed() { smaller = smaller.replacing((path + [index])[...], by: nil) }
    var place = kept
    if let old = kept, old.count > path.count, old.starts(with: path),
      old[path.count] >= range.upperBound
    {
      place?[path.count] -= range.count
    }
    _ = take(smaller, place)
  }

  /// Whether a part belongs to the finding: name and sentence of the scenario, and the expectation
  /// but for properties that hold.
  private func isFixed(_ index: Int, of path: [Int]) -> Bool {
    let key = document.part(path).key(index)
    if path.isEmpty, ["scenario", "about"].contains(where: { isSameText($0, key) }) { return true }
    guard let kept else { return false }
    if kept.starts(with: path + [index]) { return true }
    if path == kept { return ["at", "count", "is", "order"].contains { isSameText($0, key) } }
    return path.starts(with: kept)
  }

  // MARK: Simpler values

  /// Puts a constant rate in the place of a link that has more than that.
  private mutating func flattenLink() {
    guard let place = document.place(of: "link"), document.part([place]).size > 2 else { return }
    let schedules = ["schedule", "trace", "profile", "relativeBandwidth", "downlink", "bandwidth"]
    let link = document.part([place])
    let rest = schedules.reduce(link) { $0.without($1) }
    for others: JSONTree in [[:], rest] {
      for digits in ["10", "20", "50", "100", "200", "500", "1000", "2000", "5000", "10000"] {
        let flat = ["bandwidth": .string(digits + " kbit/s")] + others
        if flat.size < link.size, take(document.replacing([place], by: flat), kept) { return }
      }
    }
  }

  /// Gives each number the smallest round value that keeps the reason.
  private mutating func roundNumbers(of path: [Int]) {
    let part = document.part(path)
    for index in part.parts.indices where !isFixed(index, of: path) {
      let place = path + [index]
      switch document.part(place) {
      case .number(let text): round(text.bytes[...], at: place) { .number($0) }
      case .string(let text):
        for range in numberRanges(in: Array(text.utf8)).reversed() {
          guard case .string(let now) = document.part(place) else { continue }
          let (head, tail) = (now.bytes[..<range.lowerBound], now.bytes[range.upperBound...])
          round(now.bytes[range], at: place) {
            .string(String(decoding: head + Array($0.utf8) + tail, as: UTF8.self))
          }
        }
      case .array, .object: roundNumbers(of: place)
      case .null, .boolean: break
      }
    }
  }

  private mutating func round(
    _ number: ArraySlice<UInt8>, at path: [Int], _ value: (String) -> JSONTree
  ) {
    _ = rounderNumbers(than: number).first {
      take(document.replacing(path[...], by: value($0)), kept)
    }
  }
}

// MARK: - Numbers in text

/// The numbers of a text that are words of their own, such as the 5 of “5 s”.
private func numberRanges(in text: [UInt8]) -> [Range<Int>] {
  text[...].split(separator: UInt8(ascii: " ")).filter { word in
    word.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }.map { $0.indices }
}

/// Values with fewer digits than a plain decimal, or as many and smaller: from zero on those of one
/// digit in the decades below it, and then the number cut to one and to two digits.
private func rounderNumbers(than text: ArraySlice<UInt8>) -> [String] {
  let places = text.firstIndex(of: UInt8(ascii: ".")).map { text.endIndex - $0 - 1 } ?? 0
  let digits = text.filter { $0 != UInt8(ascii: ".") }
  guard digits.count < 18, places < 10, let own = Int64(String(decoding: digits, as: UTF8.self)),
    own > 0
  else { return [] }
  var decade: Int64 = 1
  while decade <= own / 10 { decade *= 10 }
  var values: [Int64] = [0]
  for below: Int64 in [10_000, 1_000, 100, 10, 1] where decade >= below {
    values += [1, 2, 5].map { $0 * (decade / below) }
  }
  values = values.filter { $0 < own }
  if own % decade != 0 { values += [own / decade * decade, (own / decade + 1) * decade] }
  let tenth = max(1, decade / 10)
  if own % tenth != 0 { values += [own / tenth * tenth, (own / tenth + 1) * tenth] }
  return values.map { value in
    var (units, places) = (value, places)
    while places > 0, units % 10 == 0 { (units, places) = (units / 10, places - 1) }
    return JSONTree.decimal(units, places: places).json
  }
}

// MARK: - Parts of a document by their places

extension JSONTree {
  /// The members' values of an object, or the elements of a list.
  fileprivate var parts: [JSONTree] {
    switch self {
    case .array(let elements): elements
    case .object(let members): members.map { $0.value }
    case .null, .boolean, .number, .string: []
    }
  }

  /// The number of its parts, their parts and so on, with itself.
  fileprivate var size: Int { parts.reduce(1) { $0 + $1.size } }

  fileprivate func part(_ path: [Int]) -> JSONTree { path.reduce(self) { $0.parts[$1] } }

  /// The key of a member; empty in a list.
  fileprivate func key(_ place: Int) -> String {
    if case .object(let members) = self { members[place].key } else { "" }
  }

  fileprivate func place(of key: String) -> Int? {
    guard case .object(let members) = self else { return nil }
    return members.firstIndex { isSameText($0.key, key) }
  }

  /// The same with another part at a path; nil leaves the part out.
  fileprivate func replacing(_ path: ArraySlice<Int>, by new: JSONTree?) -> JSONTree {
    guard let place = path.first else { return new ?? .null }
    let rest = path.dropFirst()
    let part = rest.isEmpty ? new : parts[place].replacing(rest, by: new)
    switch self {
    case .array(var elements):
      elements.replaceSubrange(place...place, with: part.map { [$0] } ?? [])
      return .array(elements)
    case .object(var members):
      let key = members[place].key
      members.replaceSubrange(place...place, with: part.map { [(key, $0)] } ?? [])
      return .object(members)
    case .null, .boolean, .number, .string: return self
    }
  }

  fileprivate func places(of path: DocumentPath) -> [Int]? {
    var (places, here): ([Int], JSONTree) = ([], self)
    for step in path.steps {
      let place: Int? =
        switch step {
        case .key(let key): here.place(of: key)
        case .index(let index): index < here.parts.count ? index : nil
        }
      guard let place, place < here.parts.count else { return nil }
      places.append(place)
      here = here.parts[place]
    }
    return places
  }
}

// MARK: - The finding

/// Runs a document and says in words, without numbers, why it shows the finding.
private struct FindingReader {
  let kind: KeptFinding
  let policies: PolicySource
  let read: ([UInt8]) -> Scenario?
  /// The place of the kept expectation in the first document; nil for other findings.
  var place: [Int]?
  /// Most events of a run: a candidate that takes far longer than the original is not smaller.
  var mostEvents = Int64.max
  var endsByBudget = true

  /// Runs the first document, and finds the expectation to keep; false where there is none.
  mutating func locate(in text: [UInt8]) -> Bool {
    guard let (scenario, outcome) = outcome(of: text) else { return false }
    mostEvents = max(20_000, 2 * outcome.eventCount)
    endsByBudget = outcome.end == .budget
    guard case .expectation(let named) = kind else { return true }
    let failing = outcome.failures.lazy.compactMap {
      scenario.document.expectation(at: $0.position)?.path
    }
    place = (named ?? failing.first).flatMap { JSONTree(scenario.document).places(of: $0) }
    return place != nil
  }

  func reason(in text: [UInt8], at place: [Int]?) -> String? {
    if case .difference(let one, let other) = kind { return parting(of: one, other, in: text) }
    guard let (scenario, outcome) = outcome(of: text) else { return nil }
    let player = outcome.player
    let waits = player.outcome == .neverPlayed && player.waiting > .zero
    let ended = "; playback: " + player.outcome.word + (waits ? " after waiting" : "")
    switch kind {
    case .expectation:
      let tree = JSONTree(scenario.document)
      let failures = outcome.failures.filter {
        scenario.document.expectation(at: $0.position).map { tree.places(of: $0.path) } == place
      }
      return failures.isEmpty ? nil : joined(failures.map { $0.manner }, by: ", ") + ended
    case .warning(let words):
      let warning = outcome.warnings.first {
        words.isEmpty || occurs(Array(words.utf8), in: $0.message.bytes)
      }
      return warning.map { withoutNumbers($0.message) + ended }
    case .error:
      if player.outcome != .failed { return nil }
      return outcome.story.failures.last.map { withoutNumbers($0.failure.words) + ended }
    case .difference: return nil
    }
  }

  private func parting(of one: [JSONEdit], _ other: [JSONEdit], in text: [UInt8]) -> String? {
    let traces = [one, other].compactMap { edits -> [UInt8]? in
      let edited = try? JSONValue(parsing: text).edited(edits)
      return edited.flatMap { outcome(of: $0) }?.1.trace
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
  /// The expectation of a scenario in which a position lies.
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

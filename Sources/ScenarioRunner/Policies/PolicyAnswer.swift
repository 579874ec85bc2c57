import ExactText
import PlayerPolicies
import ScenarioFormat
import VirtualTime

package struct PolicyAnswer: Hashable, Sendable {
  /// The number of the player's question, from 1.
  var question: Int64
  var seat: PolicySeat
  var value: Value
  /// The forward buffer to keep: media beyond it is fetched again from the variant; nil for none.
  var beyond: MediaTime?
  /// The instant to be asked again even if nothing has happened.
  var until = Instant.distantFuture
  /// The reason, in the policy's own words.
  var reason: String?

  enum Value: Hashable, Sendable {
    case flag(Bool)
    case variant(Int64)
    case nothing
  }

  var event: TraceEvent {
    let shown: TraceValue =
      switch value {
      case .flag(let flag): .boolean(flag)
      case .variant(let variant): .count(variant)
      case .nothing: .null
      }
    return TraceEvent(
      .policyAnswer, .count(question), .text(seat.word), shown, beyond.map { .time($0) },
      until == .distantFuture ? nil : .seconds(until.nanoseconds),
      reason.map { .text($0) })
  }
}

/// The answers in a trace, for each player that has any: a replay goes by them.
package struct RecordedAnswers: Sendable {
  /// By the bytes of a player's name; nil stands for the first player.
  private var players: [[UInt8]?: [PolicyAnswer]] = [:]

  package init() {}

  var isEmpty: Bool { players.isEmpty }

  func answers(of player: String?) -> [PolicyAnswer] {
    players[player.map { Array($0.utf8) }] ?? []
  }

  mutating func add(_ answers: [PolicyAnswer], of player: String?) {
    // A player that went by recorded answers has none of its own to add.
    if answers.isEmpty { return }
    players[player.map { Array($0.utf8) }, default: []] += answers
  }

  /// Those that a trace has; lines that are none, or broken, are for a comparison to find.
  init(in trace: TraceText) {
    let marker = EventShape.policyAnswer.marker
    for line in trace.lines.indices.dropFirst() where occurs(marker, in: trace.lines[line]) {
      guard let value = try? trace.value(at: line), let answer = PolicyAnswer(recorded: value)
      else { continue }
      add([answer], of: value["player"]?.string)
    }
  }
}

extension PolicyAnswer {
  fileprivate init?(recorded line: JSONValue) {
    guard let question = line["question"]?.units(places: 0),
      let seat = line["seat"]?.string.flatMap({ PolicySeat(rawValue: $0) }),
      let value = line["value"].flatMap({ Value($0) })
    else { return nil }
    self.init(question: question, seat: seat, value: value)
    if let until = line["until"] {
      guard let nanoseconds = roundedNanoseconds(until) else { return nil }
      self.until = Instant(nanoseconds: nanoseconds)
    }
    if let beyond = line["beyond"] {
      guard let nanoseconds = roundedNanoseconds(beyond) else { return nil }
      self.beyond = MediaTime(nanoseconds: nanoseconds)
    }
    reason = line["reason"]?.string
  }

  /// The longest reason that stands in a trace.
  private static let mostReason = 200

  /// - Parameter allowed: Permitted values, in words, and whether there is one.
  init(
    _ line: [UInt8], to question: Int64, of seat: PolicySeat, at now: Instant,
    _ allowed: (words: String, holds: (Value) -> Bool)
  ) throws(PolicyFailure) {
    let object = try Self.object(line, "question \(question)")
    for name in Self.members where object.count(where: { $0.isCalled(name) }) > 1 {
      throw Self.wrong(line, "has the member “\(name)” more than once")
    }
    guard let number = object["answer"]?.units(places: 0) else {
      throw Self.wrong(line, "has no number “answer” of the question \(question)")
    }
    if number != question {
      throw Self.wrong(line, "answers question \(number), and question \(question) was asked")
    }
    guard let value = object["value"].flatMap({ Value($0) }), allowed.holds(value) else {
      throw Self.wrong(
        line,
        "answers question \(question) of the seat “\(seat.word)” without a “value” that is "
          + allowed.words)
    }
    self.init(question: question, seat: seat, value: value)
    try readRest(object, line, after: now)
    if seat == .nextVariant, value != .nothing, until != .distantFuture {
      throw Self.wrong(line, "names an “until” beside a variant; it goes with null")
    }
    // An answer that fetches nothing requires an “until”.
    if seat == .nextVariant, value == .nothing, until == .distantFuture {
      throw Self.wrong(line, "waits at question \(question) without an “until”")
    }
  }

  private static let members = ["answer", "value", "beyond", "until", "reason"]

  private mutating func readRest(
    _ object: JSONMembers, _ line: [UInt8], after now: Instant
  ) throws(PolicyFailure) {
    for member in object where !Self.members.contains(where: member.isCalled) {
      throw Self.wrong(
        line,
        "has a member “\(member.key)”; there are “answer”, “value”, “beyond”, “until” and “reason”")
    }
    if let value = object["until"], !value.isNull {
      if isTooFarAhead(value) { throw Self.wrong(line, "names an “until” that is too far ahead") }
      guard let nanoseconds = roundedNanoseconds(value), nanoseconds > now.nanoseconds
      else {
        throw Self.wrong(line, "names an “until” that is no time after the question's “now”")
      }
      until = Instant(nanoseconds: nanoseconds)
    }
    if let value = object["reason"], !value.isNull {
      guard let text = value.string, text.utf8.count <= Self.mostReason else {
        throw Self.wrong(
          line, "names a “reason” that is no text of at most \(Self.mostReason) bytes")
      }
      reason = text
    }
    if let value = object["beyond"], !value.isNull {
      guard seat == .nextVariant, case .variant = self.value,
        let nanoseconds = roundedNanoseconds(value)
      else {
        throw Self.wrong(
          line, "names a “beyond” that is no time of zero or more, or has no variant")
      }
      beyond = MediaTime(nanoseconds: nanoseconds)
    }
  }

  static func object(_ line: [UInt8], _ what: String) throws(PolicyFailure) -> JSONMembers {
    let value = try rethrowing(try JSONValue(parsing: line[...])) { (error: JSONError) in
      wrong(line, "answers \(what) with no JSON")
    }
    guard let members = value.members else {
      throw wrong(line, "answers \(what) with no JSON object")
    }
    return members
  }

  static func wrong(_ line: [UInt8], _ message: String) -> PolicyFailure {
    let shown = line.prefix(120)
    let text = String(decoding: shown, as: UTF8.self) + (shown.count < line.count ? "…" : "")
    return PolicyFailure(.wrongAnswer, "\(message): \(text)")
  }
}

extension PolicyAnswer.Value {
  init?(_ value: JSONValue) {
    switch value.content {
    case .null: self = .nothing
    case .boolean(let flag): self = .flag(flag)
    case .number:
      guard let variant = value.units(places: 0) else { return nil }
      self = .variant(variant)
    case .string, .array, .object: return nil
    }
  }
}

extension JSONMembers {
  subscript(key: String) -> JSONValue? { first { $0.isCalled(key) }?.value }
}

/// Whether a number of seconds lies beyond every instant that can be told apart from never.
private func isTooFarAhead(_ value: JSONValue) -> Bool {
  guard let bytes = value.numberBytes, bytes.first != UInt8(ascii: "-") else { return false }
  do throws(ExactDecimal.Failure) {
    let (numerator, denominator) = try ExactDecimal(json: bytes).ratio(times: 1_000_000_000)
    return numerator / denominator >= Int128(Int64.max / 4)
  } catch {
    return error == .tooLarge
  }
}

/// Seconds of JSON as whole nanoseconds, halves up: a policy may reckon in binary fractions.
private func roundedNanoseconds(_ value: JSONValue) -> Int64? {
  guard let bytes = value.numberBytes, let decimal = try? ExactDecimal(json: bytes),
    let (numerator, denominator) = try? decimal.ratio(times: 1_000_000_000)
  else { return nil }
  let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
  let rounded = rest >= denominator - rest ? quotient + 1 : quotient
  // An instant beyond the last one that can be told apart from never is none.
  guard numerator >= 0, rounded < Int128(Int64.max / 4) else { return nil }
  return Int64(rounded)
}

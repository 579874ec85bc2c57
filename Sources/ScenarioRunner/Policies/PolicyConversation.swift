import ExactText
import PlayerPolicies
import ScenarioFormat
import VirtualTime

/// One player's questions to its external policy, and the answers.
///
/// A policy that fails to answer once is asked no more: the run has no outcome then.
final class PolicyConversation: @unchecked Sendable {
  private enum Partner {
    case live(PolicyPort)
    case recorded([PolicyAnswer])
  }

  /// The player's name; nil for the first one.
  let player: String?
  let command: [String]
  private let partner: Partner
  private var questionCount: Int64 = 0
  private var toldLadder: Ladder?
  private(set) var failure: PolicyFailure?
  /// The last question, without its number, and its answer.
  private var last: (instant: Instant, body: [UInt8], answer: PolicyAnswer)?
  /// Every answer, where a process gave it: whoever runs the same again needs no process.
  private(set) var answers: [PolicyAnswer] = []
  /// Those that do not stand in the trace yet, and when they were given.
  private var untold: [(instant: Instant, answer: PolicyAnswer)] = []

  init(
    _ command: [String], of player: String?, in scenario: String, seats: [PolicySeat],
    _ source: PolicySource
  ) throws(PolicyFailure) {
    self.player = player
    self.command = command
    switch source {
    case .none:
      throw PolicyFailure(.notAllowed, "is not started")
    case .recorded(let answers): partner = .recorded(answers.answers(of: player))
    case .opened(let open):
      let port = try open(command)
      partner = .live(port)
      do throws(PolicyFailure) {
        try Self.greet(port, scenario, player, seats)
      } catch {
        port.close()
        throw error
      }
    }
  }

  /// Says what is going to be asked, in which version, and hears that this is understood.
  private static func greet(
    _ port: PolicyPort, _ scenario: String, _ player: String?, _ seats: [PolicySeat]
  ) throws(PolicyFailure) {
    let greeting = PolicyGreeting(scenario: scenario, player: player, seats: seats)
    let line = try port.ask(members(PolicyGreeting.fields, of: greeting).text)
    let answer = try PolicyAnswer.object(line, "the first line")
    guard let version = answer["version"]?.units(places: 0) else {
      throw PolicyAnswer.wrong(line, "answers the first line without a number “version”")
    }
    if version != PolicyProtocol.version {
      throw PolicyFailure(
        .wrongAnswer,
        "speaks version \(version) of the protocol; this tool speaks \(PolicyProtocol.version)")
    }
  }

  func close() { if case .live(let port) = partner { port.close() } }

  func takeUntold() -> [(instant: Instant, answer: PolicyAnswer)] {
    defer { untold = [] }
    return untold
  }

  private func ask(
    _ seat: PolicySeat, at now: Instant, _ ladder: Ladder?,
    _ allowed: (words: String, holds: (PolicyAnswer.Value) -> Bool),
    _ facts: () -> JSONTree
  ) -> PolicyAnswer? {
    if failure != nil { return nil }
    var question = JSONWriter()
    question.beginObject()
    question.members([
      "ask": .whole(questionCount + 1), "seat": .string(seat.word),
      "now": .seconds(now.nanoseconds),
    ])
    let start = question.bytes.count
    question.members(facts())
    question.endObject()
    // A question repeated at the same instant, with the same facts, gets the same answer.
    if let last, last.answer.seat == seat, last.instant == now,
      last.body.elementsEqual(question.bytes[start...])
    {
      return last.answer
    }
    questionCount += 1
    let answer: PolicyAnswer
    switch partner {
    case .recorded(let answers):
      guard questionCount <= answers.count, answers[Int(questionCount) - 1].seat == seat,
        answers[Int(questionCount) - 1].question == questionCount
      else { return nil }
      answer = answers[Int(questionCount) - 1]
    case .live(let port):
      do throws(PolicyFailure) {
        if let ladder, ladder !== toldLadder, !ladder.rungs.isEmpty {
          toldLadder = ladder
          let line: JSONTree = ["ladder": members(PolicyFields.ladder, of: ladder)]
          try port.tell(line.text)
        }
        answer = try PolicyAnswer(
          try port.ask(question.bytes), to: questionCount, of: seat, at: now, allowed)
      } catch {
        failure = error
        return nil
      }
      answers.append(answer)
    }
    last = (now, Array(question.bytes[start...]), answer)
    untold.append((now, answer))
    return answer
  }

  private static var flags: (words: String, holds: (PolicyAnswer.Value) -> Bool) {
    ("true or false", { if case .flag = $0 { true } else { false } })
  }

  /// Nothing, or of the eligible variants one that is allowed.
  private static func variants(
    _ words: String, of eligible: EligibleRungs, where isAllowed: @escaping (Int) -> Bool
  ) -> (words: String, holds: (PolicyAnswer.Value) -> Bool) {
    (
      words,
      { value in
        switch value {
        case .nothing: true
        case .flag: false
        case .variant(let variant):
          eligible.ascending.contains { Int64($0) == variant && isAllowed($0) }
        }
      }
    )
  }

  /// The policy whose seats this answers for.
  func policy(named name: String) -> CustomPolicy {
    CustomPolicy(
      name: name, start: { [self] question, _ in readiness(.start, question) },
      resume: { [self] question, _ in readiness(.resume, question) },
      stall: { [self] snapshot, _ in stall(snapshot) },
      nextVariant: { [self] question, _ in nextVariant(question) },
      abandon: { [self] question, _ in abandon(question) })
  }

  private func readiness(_ seat: PolicySeat, _ question: ReadinessQuestion) -> ReadinessVerdict {
    let answer = ask(seat, at: question.snapshot.now, question.ladder, Self.flags) {
      members(PolicyFields.readiness, of: question)
    }
    return .decided(answer?.value == .flag(true), changesAt: answer?.until ?? .distantFuture)
  }

  private func stall(_ snapshot: Snapshot) -> StallVerdict {
    let answer = ask(.stall, at: snapshot.now, nil, Self.flags) {
      members(PolicyFields.waiting, of: snapshot)
    }
    return .decided(answer?.value == .flag(true), changesAt: answer?.until ?? .distantFuture)
  }

  private func nextVariant(_ question: VariantQuestion) -> VariantVerdict {
    let words = "one of the eligible variants or null"
    let allowed = Self.variants(words, of: question.eligible) { _ in true }
    let answer = ask(.nextVariant, at: question.now, question.ladder, allowed) {
      members(PolicyFields.choosing, of: question)
    }
    guard let answer else { return .decided(.stay) }
    switch answer.value {
    case .nothing: return .decided(.wait(until: answer.until))
    case .variant(let variant) where Int(variant) != question.current:
      let choice = answer.beyond.map { VariantChoice.replace(Int(variant), beyond: $0) }
      return .decided(choice ?? .take(Int(variant)), changesAt: answer.until)
    case .variant, .flag: return .decided(.stay, changesAt: answer.until)
    }
  }

  private func abandon(_ question: AbandonQuestion) -> AbandonVerdict {
    let (rungs, tried) = (question.ladder.rungs, question.request.variant)
    let words = "a lower eligible variant than \(tried), or null"
    let allowed = Self.variants(words, of: question.eligible) {
      rungs[$0].bandwidth < rungs[tried].bandwidth
    }
    let answer = ask(.abandon, at: question.now, question.ladder, allowed) {
      members(PolicyFields.abandoning, of: question)
    }
    guard let answer, case .variant(let variant) = answer.value else {
      return .decided(.goOn, changesAt: answer?.until ?? .distantFuture)
    }
    return .decided(.giveUp(for: Int(variant)), changesAt: answer.until)
  }
}

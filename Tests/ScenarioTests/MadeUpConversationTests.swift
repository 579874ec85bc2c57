import ExactText
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Conversations of made-up streams with policies that seeds make up, held to what was asked and
/// to what came of the answers when they were last reviewed. Some answers are mistaken.
@Suite struct MadeUpConversationTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/conversations", seeds: 240)

  /// A policy within this process, which keeps what it was asked and told.
  private final class Partner: @unchecked Sendable {
    private var draw: Draw
    private var damage: Damage
    private let isMistaken: Bool
    var asked = Fingerprint()
    var questionCount = 0

    init(_ seed: Int) {
      draw = Draw(seed: UInt64(seed), part: "partner")
      damage = Damage(state: UInt64(seed) * 1_000_003)
      isMistaken = seed % 3 == 2
    }

    var port: PolicyPort {
      PolicyPort(
        tell: { self.asked.add($0) }, ask: { self.answer($0) },
        close: { self.asked.add("close \(self.questionCount)") })
    }

    private func answer(_ line: [UInt8]) -> [UInt8] {
      let words = String(decoding: line, as: UTF8.self)
      asked.add(words.replacing("\"\(Tool.version)\"", with: ""))
      guard let question = try? JSONValue(parsing: line),
        let number = question["ask"].flatMap({ Int(words: $0) })
      else {
        let greetings = [#"{"version":1}"#, #"{"version":2}"#, #"{"version":"1"}"#, "[]", "hello"]
        let isWrong = isMistaken && draw.chance(10)
        return Array((isWrong ? draw.one(of: greetings) : greetings[0]).utf8)
      }
      questionCount += 1
      var text = reply(to: question, number)
      if isMistaken, draw.chance(12) { text = mistaken(text, number) }
      return isMistaken && draw.chance(3)
        ? damage.damaged(Array(text.utf8), with: [Array("null".utf8)]) : Array(text.utf8)
    }

    private func reply(to question: JSONValue, _ number: Int) -> String {
      let now = Int(question["now"]?.numberBytes.map { $0.prefix { $0 != 0x2E } } ?? [])
      let later = "\(now + 1 + draw.below(3)).\(draw.below(10))"
      var text = "{\"answer\":\(number),\"value\":"
      let eligible = question["eligible"]?.elements?.compactMap { Int(words: $0) } ?? []
      switch question["seat"]?.string {
      case "nextVariant":
        if eligible.isEmpty || draw.chance(8) { return text + "null,\"until\":\(later)}" }
        text += "\(draw.one(of: eligible))"
        if draw.chance(8) { text += ",\"beyond\":\(now + draw.below(8)).5" }
      case "abandon":
        let below = question["request"]?["variant"].flatMap { Int(words: $0) } ?? 0
        let lower = eligible.filter { $0 < below }
        text += lower.isEmpty || draw.chance(80) ? "null" : "\(draw.one(of: lower))"
        if draw.chance(20) { text += ",\"until\":\(later)" }
      default:
        text += draw.chance(60) ? "true" : "false,\"until\":\(later)"
      }
      if draw.chance(10) { text += ",\"reason\":\"for \(draw.below(100))\"" }
      return text + "}"
    }

    private func mistaken(_ text: String, _ number: Int) -> String {
      let long = String(repeating: "r", count: 199 + draw.below(3))
      let more = [
        #","until":0}"#, #","until":1e300}"#, #","more":1}"#, #","reason":7}"#, #","answer":1}"#,
        #","beyond":1}"#, #","beyond":-1}"#, ",\"reason\":\"\(long)\"}",
      ]
      let others: [String] = [
        "{\"answer\":\(number + 1),\"value\":true}", "{\"answer\":\(number)}",
        "{\"answer\":\(number),\"value\":99}", "[\(text)]", "",
      ]
      return draw.chance(60) ? text.dropLast() + draw.one(of: more) : draw.one(of: others)
    }
  }

  @Test func `a made-up policy is asked what it was asked`() async throws {
    let lines = await Self.file.lines(few: 10) { seed in
      do {
        return try Self.line(seed)
      } catch {
        return "refused"
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 4 < lines.count)
  }

  private static func line(_ seed: Int) throws -> String {
    let random = RandomScenario(seed: UInt64(80_000 + seed))
    var document = random.document(following: nil)
    document["eventBudget"] = 12_000
    document["fidelity"] = nil
    if var player = document["player"] {
      player["policy"] = [
        "command": ["mine"], "seats": seed % 4 == 0 ? ["start", "resume"] : Self.seats,
      ]
      document["player"] = player
    }
    let scenario = try readScenario(Array(document.json.utf8), file: "a.json")
    let partner = Partner(seed)
    var options = RunOptions()
    options.policies = .opened { _ in partner.port }
    var print = Fingerprint()
    do {
      let outcome = try run(scenario, options: options)
      print.add(outcome.digest ?? "")
      // The answers in the trace stand for the policy.
      if seed % 4 == 1, outcome.digest != nil {
        guard case .same = try replay(outcome.trace, file: "a.trace") else {
          Issue.record("\(seed) is not replayed")
          return ""
        }
      }
    } catch let error as RunError {
      print.add(error.description)
    }
    return "\(partner.questionCount) \(partner.asked.text) \(print.text)"
  }

  private static var seats: Sketch { ["start", "resume", "stall", "nextVariant", "abandon"] }
}

extension Int {
  /// The whole number of a JSON value; nil where it is none.
  fileprivate init?(words value: JSONValue) {
    guard let bytes = value.numberBytes else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  fileprivate init(_ digits: ArraySlice<UInt8>) {
    self = Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }
}

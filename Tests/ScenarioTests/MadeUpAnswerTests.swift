import ExactText
import PlayerPolicies
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Sessions that seeds make up, held to the traces and reports that they had when they were last
/// reviewed.
///
/// The goldens hold the shipped scenarios word by word; these hold hundreds more, a line each:
/// digests of the trace, of the screens, of the page and of the test reports.
@Suite struct MadeUpAnswerTests {
  private static let sessions = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/sessions", seeds: 1_200)
  private static let coincidences = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/coincidences", seeds: 1_600)
  private static let mistakes = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/mistakes", seeds: 2_400)

  /// Every other session follows the policy of a player.
  private static func document(_ seed: Int, hasRoundNumbers: Bool = false) -> [UInt8] {
    let random = RandomScenario(seed: UInt64(seed))
    let policy = PolicyPreset.all[seed / 2 % PolicyPreset.all.count].name
    let document = seed % 2 == 0 ? random.document : random.document(following: policy)
    return Array((hasRoundNumbers ? document.withRoundNumbers : document).json.utf8)
  }

  @Test func `a made-up session has the trace and the reports that it had`() async throws {
    let lines = await Self.sessions.lines(few: 24) { Self.line(of: $0) }
    #expect(try Self.sessions.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 10 < lines.count)
  }

  @Test func `what happens at one instant happens in the order that it had`() async throws {
    let lines = await Self.coincidences.lines(few: 24) {
      Self.line(of: 20_000 + $0, hasRoundNumbers: true)
    }
    #expect(try Self.coincidences.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 10 < lines.count)
  }

  private static func line(of seed: Int, hasRoundNumbers: Bool = false) -> String {
    AnswerPrint.line("folder \(seed % 3)/\(seed).json") {
      try readScenario(
        document(seed, hasRoundNumbers: hasRoundNumbers), file: "\(seed).json")
    }
  }

  // MARK: Mistakes

  @Test func `a damaged scenario is refused in the words that it was refused in`() async throws {
    let lines = await Self.mistakes.lines(few: 120) { Self.words(on: Self.damaged($0)) }
    #expect(try Self.mistakes.differences(from: lines) == [])
    let read = lines.count { $0.hasSuffix("read") }
    #expect(read * 50 > lines.count && read * 4 < lines.count * 3)
  }

  /// A document with one to four wrong or misplaced values, keys or bytes.
  private static func damaged(_ seed: Int) -> [UInt8] {
    var damage = Damage(state: UInt64(seed) * 1_000_003)
    let text = document(seed % 600)
    if seed % 3 == 0 { return damage.damaged(text, with: [Array("null".utf8)]) }
    // Values that stand elsewhere in the document take the place of others.
    var parts = String(decoding: text, as: UTF8.self).split(
      separator: ": ", omittingEmptySubsequences: false)
    for _ in 0...(seed % 3 == 1 ? damage.below(2) : 0) {
      let (one, other) = (damage.below(parts.count), damage.below(parts.count))
      if seed % 3 == 1 {
        parts.swapAt(one, other)
      } else {
        var bytes = Array(parts[one].utf8)
        if !bytes.isEmpty { bytes[damage.below(bytes.count)] = UInt8(0x30 + damage.below(50)) }
        parts[one] = String(decoding: bytes, as: UTF8.self)[...]
      }
    }
    return Array(parts.joined(separator: ": ").utf8)
  }

  private static func words(on text: [UInt8]) -> String {
    do throws(DocumentError) {
      _ = try readScenario(text, file: "a.json")
      return "read"
    } catch {
      var print = Fingerprint()
      print.add(error.text)
      for width in [100, 50] {
        let screen = DiagnosticScreen(
          error.diagnostics, of: "a.json", text, others: { _ in nil },
          style: TextStyle(width: width, isColoured: false))
        print.add(screen.lines.joined(separator: "\n"))
      }
      print.add(JSONTree.diagnostics(error.diagnostics).json)
      return print.text
    }
  }
}

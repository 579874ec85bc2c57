import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Made-up scenarios made smaller, varied, disturbed, and run without each of their parts, held to
/// what came of it when it was last reviewed.
@Suite struct MadeUpVariationTests {
  private static let smaller = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/smaller", seeds: 84)
  private static let disturbed = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/disturbed", seeds: 40)
  private static let variations = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/variations", seeds: 240)

  /// A scenario of few events, so that it can be run again and again.
  private struct Case {
    let text: [UInt8]

    init(_ seed: Int, failing: Bool = false) {
      let random = RandomScenario(seed: UInt64(60_000 + seed))
      var document = random.document
      if failing { document["faults"] = [["status": .number(seed % 2 == 0 ? "404" : "503")]] }
      document["eventBudget"] = 3_000
      document["fidelity"] = nil
      text = Array(document.json.utf8)
    }

    func read(_ text: [UInt8]) -> Scenario? {
      try? readScenario(text, file: "a.json")
    }
  }

  // MARK: Minimizer

  @Test func `a made-up scenario becomes as small as it became`() async throws {
    let lines = await Self.smaller.lines(few: 6) { seed in
      do {
        return try Self.smallest(Case(seed, failing: seed % 6 == 1), seed)
      } catch {
        return "no edit"
      }
    }
    #expect(try Self.smaller.differences(from: lines) == [])
    if lines.count > 60 { #expect(lines.count { $0.contains("left") } > 40) }
  }

  private static let claims = [
    #"{ "stallCount": 0 }"#, #"{ "startupDelay": { "atMost": "300 ms" } }"#,
    #"{ "bytesTransferred": "1 B" }"#, #"{ "outcome": "failed" }"#,
  ]

  private static func smallest(_ this: Case, _ seed: Int) throws -> String {
    var text = this.text
    let kind: KeptFinding
    switch seed % 6 {
    case 0: kind = .warning("")
    case 1: kind = .error
    case 2 where seed % 12 == 2: kind = .inconsistency
    case 3:
      kind = .difference(
        try policy("BOLA"), try policy(["avfoundation", "hls.js 1.6"][seed / 6 % 2]))
    default:
      let old = this.read(text)?.expectations.count ?? 0
      for (place, claim) in claims.enumerated() {
        let edit = try JSONEdit("expect[\(old + place)]=" + claim)
        text = (try? JSONValue(parsing: text).edited([edit])) ?? text
      }
      let named = DocumentPath("expect[\(old + seed / 6 % 4)]")
      kind = .expectation(seed % 6 == 4 ? nil : named)
    }
    var sizes: [Int] = []
    var search = Minimizer(
      text, keeping: kind, read: { this.read($0) },
      goesOn: {
        sizes.append($0)
        return sizes.count < 36
      })
    guard search != nil else { return "none" }
    search?.search()
    var print = Fingerprint()
    print.add(search?.document.json ?? "")
    print.add(search?.reason ?? "")
    print.add("\(sizes)")
    return "left \(search?.document.text.count ?? 0) \(search?.runCount ?? 0) \(print.text)"
  }

  private static func policy(_ name: String) throws -> [JSONEdit] {
    [try JSONEdit("player.policy=\"\(name)\"")]
  }

  // MARK: Disturbances and parts

  @Test func `a made-up run survives what it survived, and needs the parts it needed`() async throws
  {
    let lines = await Self.disturbed.lines(few: 3) { seed in
      let this = Case(1_000 + seed)
      guard let scenario = this.read(this.text) else { return "refused" }
      do {
        var print = Fingerprint()
        let search = try ResilienceSearch(scenario, dip: .seconds([2, 7][seed % 2]))
        let (usual, close) = (search.moments(every: nil), search.moments(every: .milliseconds(777)))
        print.add("\(usual.map { $0.nanoseconds }) \(close.map { $0.nanoseconds })")
        let moments = [close.dropFirst(1 + seed % 3).first, close.last].compactMap { $0 }
        for found in try search.resilience(at: moments) {
          print.add("\(found.media) \(found.ahead) \(found.outage?.nanoseconds ?? -1)")
          print.add("\(found.recovery?.nanoseconds ?? -1) \(found.dip?.roundedDown ?? -1)")
        }
        return print.text + " " + (seed % 4 == 0 ? try Self.effects(this, scenario) : "")
      } catch {
        return "no run"
      }
    }
    #expect(try Self.disturbed.differences(from: lines) == [])
    #expect(lines.count { $0.hasSuffix("refused") } * 3 < lines.count)
  }

  private static func effects(_ this: Case, _ scenario: Scenario) throws -> String {
    var print = Fingerprint()
    let effects = try MeasuredEffects(of: scenario, this.text) { this.read($0) }
    for remark in effects.remarks {
      let place = remark.position.map { "\($0.line):\($0.column)" } ?? "-"
      print.add("\(place) \(remark.message)")
    }
    return print.text
  }

  // MARK: Variations

  @Test func `the variations of a made-up scenario are those that they were`() async throws {
    let lines = await Self.variations.lines(few: 40) { seed in
      guard let value = try? JSONValue(parsing: Case(seed).text) else { return "no JSON" }
      var print = Fingerprint()
      let ended = [0, 4_999, 5_000, 6_000, 59_999, 599_000, 600_000, 4_000_000][seed % 8]
      let variations = Variations(
        of: JSONTree(value), seed: UInt64(seed / 3), ended: .zero + .milliseconds(Int64(ended)))
      for number in 0..<12 { print.add(variations.document(number).json) }
      return print.text
    }
    #expect(try Self.variations.differences(from: lines) == [])
  }
}

import Autowait
import ExactText
import LinkConditioner
import PlayerPolicies
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// The texts that say what can be written and what is meant, held to what they said when they were
/// last reviewed: schemas, pages of keys, profiles, policies, and a sentence for each reason.
@Suite struct ReferenceTextTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/references", seeds: .max)

  private static var texts: [(name: String, text: String)] {
    var texts: [(name: String, text: String)] = []
    for (name, file) in [
      ("scenario", KeyedFile.scenario), ("budgets", .budgets), ("baseline", .baseline),
    ] {
      texts.append(("keys of \(name)", file.page()))
      texts.append(("schema of \(name)", String(decoding: file.schema(), as: UTF8.self)))
    }
    texts.append(("keys of a policy", PolicyProtocol.page()))
    texts.append(
      ("schema of a policy", String(decoding: PolicyProtocol.schema(), as: UTF8.self)))
    for preset in PolicyPreset.all {
      texts.append(("policy \(preset.name)", preset.description.written.json))
      let known = [preset.knownMedia(), preset.knownMedia(unlike: .seconds(4))]
      texts.append(
        (
          "sources of \(preset.name)",
          "\(preset.about) \(preset.snapshot) \(preset.evidence) \(preset.exits) \(known) "
            + "\(preset.gotchas)"
        ))
    }
    for width in [60, 100] {
      let style = TextStyle(width: width, isColoured: width == 60)
      texts.append(("profiles in \(width) columns", ProfileReport.list(style: style)))
      for profile in Profile.all {
        texts.append(
          ("profile \(profile.name) in \(width) columns", ProfileReport.text(profile, style: style))
        )
      }
    }
    for profile in Profile.all {
      texts.append(("document of \(profile.name)", profile.document(named: "a").json))
    }
    return texts
  }

  private static func sentences<Clause: CaseIterable>(
    of name: String, _ sentence: (Clause) -> String
  ) -> [(name: String, text: String)] {
    Clause.allCases.map { ("\(name) \($0)", sentence($0)) }
  }

  private static var sentences: [(name: String, text: String)] {
    var all = sentences(of: "rule") { (rule: TransitionRule) in Decision.sentence(of: rule) }
    all += sentences(of: "readiness") { (c: ReadinessClause) in Decision.sentence(of: c) }
    all += sentences(of: "stall") { (c: StallClause) in Decision.sentence(of: c) }
    all += sentences(of: "abandoning") { (c: AbandonClause) in Decision.sentence(of: c) }
    all += sentences(of: "variant") { (c: VariantClause) in Decision.sentence(of: c) }
    return all
  }

  @Test func `schemas, pages of keys, profiles and reasons say what they said`() throws {
    let lines = (Self.texts + Self.sentences).map { name, text in
      "\(name) \(Fingerprint.text(of: text))"
    }
    #expect(try Self.file.differences(from: lines) == [])
  }
}

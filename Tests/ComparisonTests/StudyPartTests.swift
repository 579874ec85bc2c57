import ExactText
import Foundation
import HeuristicComparison
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// Parts of studies as files, line by line.
@Suite struct StudyPartTests {
  @Test(
    arguments: [
      ("1/1", 1, 1), ("3/8", 3, 8), ("8/8", 8, 8), ("1/10000", 1, 10_000), ("01/02", 1, 2),
      ("0/1", nil, nil), ("9/8", nil, nil), ("1/0", nil, nil), ("1/10001", nil, nil),
      ("1", nil, nil), ("1/2/3", nil, nil), ("/2", nil, nil), ("1/", nil, nil), ("", nil, nil),
      ("+1/2", nil, nil), ("1/ 2", nil, nil), ("-1/2", nil, nil), ("1:2", nil, nil),
    ] as [(String, Int?, Int?)])
  func `a shard is a number of so many`(text: String, number: Int?, count: Int?) {
    let shard = StudyShard(text)
    #expect(shard?.number == number && shard?.count == count)
  }

  @Test(
    arguments: [
      (1, 1, 0, 0), (1, 1, 7, 7), (1, 3, 0, 0), (1, 3, 1, 1), (2, 3, 1, 0), (2, 3, 2, 1),
      (3, 3, 2, 0), (3, 3, 3, 1), (1, 3, 3, 1), (1, 3, 4, 2), (2, 3, 4, 1), (3, 3, 6, 2),
    ])
  func `a shard has every so manieth session`(number: Int, count: Int, sessions: Int, size: Int) {
    let shard = StudyShard(number: number, count: count)
    #expect(shard.size(of: sessions) == size)
    let held = (0..<sessions).filter { shard.holds($0) }
    #expect(held == (0..<size).map { shard.session($0) })
  }

  @Test func `the keys of a study say what they said`() throws {
    let (page, schema) = (KeyedFile.study.page(), KeyedFile.study.schema())
    let lines = [page, String(decoding: schema, as: UTF8.self)].map { Fingerprint.text(of: $0) }
    let file = FingerprintFile(
      "Tests/ScenarioTests/Goldens/made-up/keys-of-a-study", seeds: lines.count)
    #expect(try file.differences(from: lines) == [])
  }

  @Test(
    arguments: [
      (1_500, 1_000, 1, nil), (1_501, 1_000, 1, "1501 × 1 × 1 × 1000"),
      (1_000, 500, 3, nil), (1_000, 501, 3, "1000 × 1 × 3 × 501"),
    ] as [(Int, Int, Int, String?)])
  func `a study has a million and a half sessions at most`(
    scenarios: Int, seeds: Int, contestants: Int, words: String?
  ) {
    var study = Self.study()
    study.scenarios = Array(repeating: study.scenarios[0], count: scenarios)
    study.contestants = Array(repeating: study.contestants[0], count: contestants)
    study.seeds = (0..<UInt64(seeds)).map { $0 }
    #expect(
      study.excess
        == words.map {
          "a study can have 1500000 sessions, which is less than \($0): scenarios × links × "
            + "policies × seeds"
        })
  }

  private static func study(baseline: Int? = nil) -> Study {
    var study = Study(
      scenarios: [
        StudyScenario(file: "a.json", name: "A", seed: 7, fidelity: "fluid"),
        StudyScenario(file: "b.json", name: "B", seed: 8, fidelity: "tcp", isLive: true),
      ], links: [StudyLink("l", group: "g", edits: [])],
      contestants: [Contestant("one"), Contestant("two")], seeds: [3, 5], baseline: baseline)
    study.resampling.draws = 100
    return study
  }

  /// The second of two shards: sessions 1, 3, 5 and 7.
  private static func text(
    baseline: Int? = nil, by groupings: [StudyResults.Grouping] = []
  ) -> String {
    let study = study(baseline: baseline)
    let header = StudyHeader(
      study: study, digest: "d", shard: StudyShard(number: 2, count: 2), by: groupings)
    var writer = JSONWriter()
    writer.part(header)
    for number in [1, 5, 3] { writer.session(number, row(number, study), of: header) }
    return writer.text
  }

  private static func row(_ number: Int, _ study: Study) -> SessionRow {
    var values = [Int64](repeating: 0, count: SessionRow.width(of: study))
    values[0] = Int64(number) * 1_000_000_000
    values[values.count - 1] = SessionRow.code(ending: "played", end: "finished") ?? 0
    return SessionRow(values: values)
  }

  @Test(arguments: [nil, 0, 1])
  func `what was written of a study is read`(baseline: Int?) throws {
    let text = Self.text(baseline: baseline, by: StudyResults.Grouping.allCases)
    let part = try StudyPart(Array(text.utf8))
    #expect(part.sessions == [1, 5, 3])
    #expect(part.rows.map { $0.values } == [1, 5, 3].map { Self.row($0, Self.study()).values })
    #expect(part.wholeBytes == text.utf8.count)
    let study = part.header.study
    #expect(part.header.shard == StudyShard(number: 2, count: 2) && part.header.digest == "d")
    #expect(part.header.groupings == StudyResults.Grouping.allCases)
    #expect(study.baseline == baseline && study.seeds == [3, 5])
    #expect(study.scenarios.map { $0.isLive } == [false, true])
    #expect(study.scenarios.map { $0.seed } == [7, 8])
    #expect(study.document.json == Self.study(baseline: baseline).document.json)
    let whole = StudyHeader(study: Self.study(), digest: "d", shard: StudyShard(), by: [])
    #expect(part.header.isOfSameStudy(as: whole) == (baseline == nil))
    let other = StudyHeader(study: Self.study(), digest: "e", shard: StudyShard(), by: [])
    #expect(!part.header.isOfSameStudy(as: other))
  }

  @Test func `bytes behind the last whole line are of one that was broken off`() throws {
    let text = Self.text()
    for rest in ["", "{", "{\"session\":7"] {
      let part = try StudyPart(Array((text + rest).utf8))
      #expect(part.wholeBytes == text.utf8.count && part.sessions == [1, 5, 3])
    }
  }

  private static let version = #""tool":"\#(Tool.version)""#

  @Test(
    arguments: [
      ("", "it is empty"), ("{\"part\":4}", "it was broken off in its first line"),
      ("\n", "it is no part of a study"),
      ("{}\n", "it is no part of a study"), ("part\n", "it is no part of a study"),
      ("{\"part\":3,\(version)}\n", "it was written by another version of goldilocks"),
      ("{\"part\":5,\(version)}\n", "it was written by another version of goldilocks"),
      ("{\"part\":4,\"tool\":\"0\"}\n", "it was written by another version of goldilocks"),
      ("{\"part\":4}\n", "it was written by another version of goldilocks"),
      ("{\"part\":4,\(version)}\n", "it does not say of which study it is a part"),
    ])
  func `a file that is no part is told why`(text: String, message: String) {
    let error = #expect(throws: StudyPartError.self) { try StudyPart(Array(text.utf8)) }
    #expect(error?.message == message && error?.line == 1)
  }

  @Test(arguments: [(false, true, true), (true, false, true), (true, true, false)])
  func `a study without scenarios, links or policies is none`(
    hasScenarios: Bool, hasLinks: Bool, hasContestants: Bool
  ) {
    let whole = Self.study(baseline: nil)
    let study = Study(
      scenarios: hasScenarios ? whole.scenarios : [], links: hasLinks ? whole.links : [],
      contestants: hasContestants ? whole.contestants : [], seeds: [3])
    var writer = JSONWriter()
    writer.part(StudyHeader(study: study, digest: "d", shard: StudyShard(), by: []))
    let error = #expect(throws: StudyPartError.self) { try StudyPart(Array(writer.text.utf8)) }
    #expect(error?.message == "it does not say of which study it is a part")
  }

  private static let none = "this is no line of a session of the part"
  private static let altered =
    "this line was altered since it was written: it does not match its checksum"

  @Test(
    arguments: [
      ("a.json", "c.json", altered, 1), ("\"draws\":100", "\"draws\":101", altered, 1),
      ("\"draws\":100", "\"draws\":39", "it does not say of which study it is a part", 1),
      ("\"2/2\"", "\"3/2\"", "it does not say of which study it is a part", 1),
      ("\"session\":1,", "\"session\":2,", none, 2), ("\"session\":3,", "\"session\":8,", none, 4),
      ("\"session\":3,", "\"session\":9,", none, 4), ("\"session\":5,", "\"session\":-1,", none, 3),
      ("\"session\":5,", "\"session\":7,", altered, 3), ("\"session\":5,", "", none, 3),
      ("\"played\"", "\"paused\"", none, 2), ("\"seed\":5,", "\"seed\":4,", altered, 2),
    ])
  func `a line that was altered is refused where it stands`(
    old: String, new: String, message: String, line: Int
  ) throws {
    let text = Self.text()
    let place = try #require(text.range(of: old))
    let changed = text.replacingCharacters(in: place, with: new)
    let error = #expect(throws: StudyPartError.self) { try StudyPart(Array(changed.utf8)) }
    #expect(error?.message == message && error?.line == line)
  }

  // MARK: Cells

  @Test(
    arguments: [
      (["a", "b c", ""], "a,b c,"), (["a,b"], "\"a,b\""),
      (["say \"x\"", "y"], "\"say \"\"x\"\"\",y"),
      (["\n"], "\"\n\""), (["\u{1F}", " ", "!", "#", "+", "-"], "\"\u{1F}\", ,!,#,+,-"),
    ] as [([String], String)])
  func `a line of cells is quoted where it has to be`(cells: [String], line: String) {
    #expect(StudyResults.line(cells) == line)
  }

  /// Twice the noise is no more than one of the last decimal: in nanoseconds, in bit/s, in counts.
  @Test(
    arguments: [
      (9, 0, 3), (9, 500_000, 3), (9, 500_001, 2), (9, 5_000_000, 2), (9, 5_000_001, 1),
      (9, 50_000_001, 0), (9, .max / 4, 0), (6, 500, 3), (6, 501, 2), (6, 5_001, 1), (4, 5, 3),
      (4, 6, 2), (3, 0, 3), (3, 1, 2), (0, 1, 2), (0, 6, 1),
    ] as [(Int, UInt64, Int)])
  func `the ends of an interval have the decimals that other draws would give`(
    places: Int, error: UInt64, decimals: Int
  ) {
    let interval = Interval(low: 12, high: 130, error: error)
    let shown = StudyTable.interval(interval, places: places) { "\($0):\($1)" }
    #expect(shown == "12:\(decimals)…130:\(decimals)")
    #expect(StudyTable.interval(nil, places: places) { "\($0):\($1)" } == "-")
  }

  /// A mean of 0.099 s lies in 0.000…0.318, and not in 0…0.
  @Test(
    arguments: [
      (0, 318_000_000, 900_000_000, "0.0…0.3"),
      (849_000_000, 1_455_000_000, 900_000_000, "0.8…1.5"),
      (1_805_000_000, 4_625_000_000, 900_000_000, "2…5"), (7_000, 7_000, 900_000_000, "0…0"),
      (0, 400_000, 900_000_000, "0.000…0.000"),
    ] as [(Int64, Int64, UInt64, String)])
  func `two ends that differ are not rounded to one`(
    low: Int64, high: Int64, error: UInt64, words: String
  ) {
    let interval = Interval(low: low, high: high, error: error)
    let shown = StudyTable.interval(interval, places: 9) {
      decimal($0, of: 9, places: $1, awayFromZero: true)
    }
    #expect(shown == words)
  }

  @Test func `nothing in a name means anything to Markdown`() {
    for letter in "|*_`[]()<>&~#!\\" {
      #expect(StudyTable.harmless("a\(letter)b") == "a\\\(letter)b")
    }
    for plain in ["a b", "1.5 s", "x=y", "+1", "-1", "{a}", "\"q\"", "a:b/c,d;e%f^g$h@i'?"] {
      #expect(StudyTable.harmless(plain) == plain)
    }
  }
}

import Foundation
import TestSupport
import Testing

/// Everything that the talks say is shown by a scenario, or guarded by a test, or both.
@Suite struct ChecklistTests {
  /// The rows of the talks, by the letters of their chapter and how many there are.
  static let chapters = [
    ("K", 4), ("B", 5), ("C", 9), ("SM", 9), ("R", 7), ("D", 12), ("N", 1), ("X", 3), ("L", 14),
    ("T", 4), ("W", 9), ("F", 4), ("H", 9), ("V", 16), ("Q", 6), ("G", 14),
  ]
  /// What is said of other things than playback: where to download a tool, a joke, further reading.
  static let documentation = ["N1", "W3", "Q6"]

  struct Row {
    var name: String
    /// Their names.
    var scenarios: [String]
    var test: String
    var isDocumentation: Bool
  }

  /// A link to a scenario: what it is called, and where it lies.
  nonisolated(unsafe) private static let link = /\[([a-z0-9-]+)\]\(([a-z0-9\/-]+)\.json\)/

  private func checklist() throws -> String {
    try String(contentsOf: Checkout.at("Scenarios/Checklist.md"), encoding: .utf8)
  }

  private func rows() throws -> [Row] {
    try checklist().split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].contains(/^[A-Z]+[0-9]+$/) else { return nil }
      let isDocumentation = cells[2] == "documentation only"
      return Row(
        name: cells[0],
        scenarios: isDocumentation
          ? [] : cells[2].matches(of: Self.link).map { String($0.output.1) },
        test: cells[3], isDocumentation: isDocumentation)
    }
  }

  /// The names of all tests, those of the sample package included.
  private func testNames() throws -> Set<String> {
    let folder = Checkout.at("Tests")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    var names: Set<String> = []
    for file in files ?? [] where file.hasSuffix(".swift") && !file.contains(".build") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /func `([^`]+)`/) { names.insert(String(match.output.1)) }
    }
    return names
  }

  @Test func `every row of the talks is in the table, once`() throws {
    let expected = Self.chapters.flatMap { chapter, count in (1...count).map { "\(chapter)\($0)" } }
    let found = try rows().map { $0.name }
    for name in expected {
      #expect(found.filter { $0 == name }.count == 1, "\(name)")
    }
    #expect(found.count == expected.count)
  }

  /// The chapters whose behaviours are taken away one by one.
  static let broken = ["L", "T", "W", "F", "H", "V", "Q", "G"]

  @Test func `what a scenario shows is taken away by a test`() throws {
    let folder = Checkout.at("Tests/ScenarioTests")
    let tests = try [
      "BehaviourTests", "StreamBehaviourTests", "QueueBehaviourTests", "AppDelayTests",
    ].map {
      try String(contentsOf: folder.appending(path: $0 + ".swift"), encoding: .utf8)
    }.joined()
    for row in try rows() where Self.broken.contains(String(row.name.prefix { $0.isLetter })) {
      for scenario in row.scenarios {
        let short = scenario.replacing(/^hls-/, with: "")
        let isBroken = tests.contains("\"\(scenario)\"") || tests.contains("\"\(short)\"")
        #expect(isBroken, "\(row.name): \(scenario)")
      }
    }
  }

  @Test func `a row has a scenario or a test, and both are there`() throws {
    let tests = try testNames()
    for row in try rows() {
      #expect(row.isDocumentation == Self.documentation.contains(row.name), "\(row.name)")
      #expect(row.isDocumentation || !row.scenarios.isEmpty || !row.test.isEmpty, "\(row.name)")
      #expect(row.test.isEmpty || tests.contains(row.test), "\(row.name): \(row.test)")
    }
  }

  @Test func `every scenario is linked by its name, and every link leads to one`() throws {
    var linked: Set<String> = []
    for link in try checklist().matches(of: Self.link) {
      linked.insert(String(link.output.2))
      #expect(link.output.2.hasSuffix("/" + link.output.1), "\(link.output.0)")
    }
    let folder = Checkout.at("Scenarios").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    #expect(linked.sorted() == names.map { String($0.dropLast(".json".count)) }.sorted())
  }
}

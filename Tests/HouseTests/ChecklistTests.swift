import Foundation
import TestSupport
import Testing

/// Everything that the talks say is shown by a scenario, or guarded by a test, or both.
@Suite struct ChecklistTests {
  /// The rows of the talks, by the letters of their chapter and how many there are.
  static let chapters = [
    ("K", 4), ("B", 5), ("C", 9), ("SM", 9), ("R", 7), ("D", 12), ("N", 1), ("X", 3), ("L", 14),
    ("T", 4), ("W", 9), ("F", 4), ("H", 9), ("V", 17), ("Q", 6), ("G", 15),
  ]
  /// What is said of other things than playback: where to download a tool, a joke, further reading.
  static let documentation = ["N1", "W3", "Q6"]

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
    let found = try Checklist.rows().map { $0.name }
    for name in expected {
      #expect(found.filter { $0 == name }.count == 1, "\(name)")
    }
    #expect(found.count == expected.count)
  }

  @Test func `a row has a scenario or a test, and both are there`() throws {
    let tests = try testNames()
    for row in try Checklist.rows() {
      #expect(row.isDocumentation == Self.documentation.contains(row.name), "\(row.name)")
      #expect(row.isDocumentation || !row.scenarios.isEmpty || !row.test.isEmpty, "\(row.name)")
      #expect(row.test.isEmpty || tests.contains(row.test), "\(row.name): \(row.test)")
    }
  }

  @Test func `every scenario is linked by its name, and every link leads to one`() throws {
    var linked: Set<String> = []
    for link in try Checklist.links() {
      linked.insert(link.path)
      #expect(link.path.hasSuffix("/" + link.name))
    }
    let folder = Checkout.at("Scenarios").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    #expect(linked.sorted() == names.map { String($0.dropLast(".json".count)) }.sorted())
  }
}

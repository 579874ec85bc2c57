import Foundation

/// The table of what the talks say, and what shows it.
package enum Checklist {
  package struct Row: Sendable {
    package var name: String
    /// The names of the scenarios that show it.
    package var scenarios: [String]
    package var test: String
    package var isDocumentation: Bool

    /// The letters of its chapter.
    package var chapter: String { String(name.prefix { $0.isLetter }) }
  }

  /// A scenario that is linked: what it is called, and where it lies, without its ending.
  package struct Link: Sendable {
    package var name: String
    package var path: String
  }

  package static func rows() throws -> [Row] {
    try text().split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].contains(/^[A-Z]+[0-9]+$/) else { return nil }
      return Row(
        name: cells[0], scenarios: links(in: cells[2]).map { $0.name }, test: cells[3],
        isDocumentation: cells[2] == "documentation only")
    }
  }

  package static func links() throws -> [Link] { links(in: try text()) }

  private static func links(in text: String) -> [Link] {
    text.matches(of: /\[([a-z0-9-]+)\]\(([a-z0-9\/-]+)\.json\)/).map {
      Link(name: String($0.output.1), path: String($0.output.2))
    }
  }

  private static func text() throws -> String {
    try String(contentsOf: Checkout.at("Scenarios/Checklist.md"), encoding: .utf8)
  }
}

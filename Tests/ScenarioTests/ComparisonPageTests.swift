import ExactText
import RunReports
import Testing

@Suite struct ComparisonPageTests {
  private func page(links: Int) -> String {
    let values: [[Int64?]] = [[1_000_000_000, nil], [2_000_000_000, 3_000_000_000]]
    let page = ComparisonPage(
      heading: "Two policies",
      policies: [
        ("first", true, (1, 0, 2), (1, 0, 2), 1_000), ("second", false, nil, nil, nil),
      ],
      distributions: [("startup delay", values), ("stalled time", values)],
      links: (0..<links).map { ("link \($0)", values) },
      tables: [("Figures", ["policy"], [["first"]]), ("Pairs", ["pair"], [["1"]])],
      remarks: ["a remark"], data: [:])
    return String(decoding: page.bytes(PageTexts(style: [], script: [])), as: UTF8.self)
  }

  /// The texts of elements of some names, in their order.
  private func texts(of names: [String], in page: String) -> [String] {
    page.split(separator: "<").compactMap { piece in
      let parts = piece.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].split(separator: " ").first.map(String.init) ?? ""
      return names.contains(name) && parts.count == 2 ? "\(name) \(parts[1])" : nil
    }
  }

  @Test func `the headings of a comparison stand in their order`() {
    let page = page(links: 2)
    #expect(
      texts(of: ["title", "h1", "h2", "h3"], in: page).map {
        $0.replacing("\n", with: "")
      } == [
        "title Two policies", "h1 A comparison by Goldilocks", "h2 Two policies",
        "h3 Distributions over all sessions", "h3 Share of sessions that have started, by link",
        "h3 Figures", "h3 Pairs",
      ])
    let words = page.split(separator: "aria-label=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
    #expect(
      words == [
        "Startup delay over stalled time, as in the table", "Share of sessions by startup delay",
        "Share of sessions by stalled time", "Share that has started over link 0",
        "Share that has started over link 1", "Figures", "Pairs",
      ])
  }

  @Test(arguments: [(0, nil), (59, nil), (60, nil), (61, 1), (75, 15)] as [(Int, Int?)])
  func `sixty links are shown and the others counted`(links: Int, others: Int?) {
    let page = page(links: links)
    #expect(
      page.split(separator: "Share that has started over ").count - 1 == min(links, 60))
    let words = texts(of: ["p"], in: page).filter { $0.contains("more links") }
    #expect(words == (others.map { ["p and \($0) more links"] } ?? []))
  }
}

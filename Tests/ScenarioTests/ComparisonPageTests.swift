import ExactText
import Foundation
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

  // MARK: Drawings

  private func milliseconds(_ mean: Int64, _ low: Int64, _ high: Int64) -> ComparisonPage.Spread {
    (mean * 1_000_000, low * 1_000_000, high * 1_000_000)
  }

  private func lines(
    _ policies: [ComparisonPage.Policy], _ distributions: [ComparisonPage.Distribution] = [],
    of element: String
  ) -> [[Substring]] {
    let page = ComparisonPage(
      heading: "x", policies: policies, distributions: distributions, links: [], tables: [],
      remarks: [], data: [:])
    let text = String(decoding: page.bytes(PageTexts(style: [], script: [])), as: UTF8.self)
    return text.components(separatedBy: "<svg class=\"\(element)\"").dropFirst().map {
      ($0.components(separatedBy: "</svg>").first ?? "").split(separator: "\n")
    }
  }

  /// From 0 to 5.65 s there are 5,650 tenths of a pixel across, and from 0 to 3 s 3,000 upward: a
  /// millisecond is one of them.
  @Test func `a dot of the front has its bars and its number, and the axes their seconds`() {
    let drawn = lines(
      [
        ("both", true, milliseconds(1_000, 500, 2_000), milliseconds(1_000, 250, 3_000), 1_000),
        ("none stalls", false, milliseconds(2_650, 1_650, 5_650), milliseconds(0, 0, 0), 3_000),
        ("none starts", false, nil, milliseconds(1, 1, 2_000), 2_000),
        ("unknown rate", false, milliseconds(3_000, 3_000, 3_000), milliseconds(9, 9, 9), nil),
      ], of: "front")
    let across = (0...5).map { "M\(500 + 1_000 * $0) 250L\(500 + 1_000 * $0) 3250" }
    let up = (0...6).map { "M500 \(3_250 - 500 * $0)L6150 \(3_250 - 500 * $0)" }
    let seconds = ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]
    let expected =
      [
        " width=\"640\" height=\"360\" viewBox=\"0 0 6400 3600\" role=\"img\""
          + " aria-label=\"Startup delay over stalled time, as in the table\">",
        "<path class=\"grid\" d=\"\((across + up).joined())\"/>",
      ]
      + (0...5).map { "<text class=\"tick\" x=\"\(500 + 1_000 * $0)\" y=\"3390\">\($0)</text>" }
      + seconds.indices.map {
        "<text class=\"value\" x=\"450\" y=\"\(3_290 - 500 * $0)\">\(seconds[$0])</text>"
      } + [
        "<text class=\"title\" x=\"60\" y=\"150\">stalled, s</text>",
        "<text class=\"value\" x=\"6150\" y=\"3570\">startup delay, s</text>",
        "<path class=\"frame\" d=\"M1000 2250L2500 2250M1500 3000L1500 250"
          + "M2150 3250L6150 3250M3150 3250M3500 3241M3500 3241\"/>",
        "<circle class=\"v0 best\" cx=\"1500\" cy=\"2250\" r=\"75\"/>",
        "<text class=\"on\" x=\"1600\" y=\"2190\">1</text>",
        "<circle class=\"v4\" cx=\"3150\" cy=\"3250\" r=\"55\"/>",
        "<text class=\"on\" x=\"3250\" y=\"3190\">2</text>",
        "<circle class=\"v0\" cx=\"3500\" cy=\"3241\" r=\"55\"/>",
        "<text class=\"on\" x=\"3600\" y=\"3181\">4</text>",
      ]
    #expect(drawn.map { $0.map(String.init) } == [expected])
  }

  /// The second dot is so many tenths of a pixel to the right of the first, or above it.
  @Test(
    arguments: [
      (0, 0, 100, 150), (149, 0, 100, 150), (150, 0, 100, -60), (0, 100, 100, 150),
      (0, 101, -180, -60), (0, 109, -180, -60), (0, 110, 100, -60), (149, 60, 100, 150),
    ] as [(Int64, Int64, Int64, Int64)])
  func `a number stands where no other does`(
    right: Int64, up: Int64, atX: Int64, atY: Int64
  ) throws {
    let full = milliseconds(5_650, 0, 5_650)
    let drawn = lines(
      [
        ("a", false, milliseconds(1_000, 0, 5_650), milliseconds(500, 0, 3_000), 1),
        ("b", false, milliseconds(1_000 + right, 0, 1), milliseconds(500 + up, 0, 1), 1),
        ("c", false, full, milliseconds(3_000, 0, 0), 1),
      ], of: "front")
    let labels = try #require(drawn.first).filter { $0.contains("\"on\"") }
    #expect(
      labels.prefix(2) == [
        "<text class=\"on\" x=\"1600\" y=\"2690\">1</text>",
        "<text class=\"on\" x=\"\(1_500 + right + atX)\" y=\"\(2_750 - up + atY)\">2</text>",
      ])
  }

  /// Four dots whose numbers take the first four places of what comes at the fifth.
  @Test func `numbers of dots at one place stand around it, and then over each other`() throws {
    let dots: [(Int64, Int64)] = [
      (2_000, 1_540), (2_000, 1_240), (1_720, 1_540), (1_720, 1_240), (2_000, 1_500),
      (2_000, 1_500), (2_000, 1_500), (4_000, 0),
    ]
    let drawn = try #require(
      lines(
        dots.enumerated().map { place, dot in
          (
            "x", false, milliseconds(dot.0, 0, 5_650), milliseconds(dot.1, 0, 3_000),
            Int64(place * 10)
          )
        }, of: "front"
      ).first)
    let spots = [
      (2_600, 1_650), (2_600, 1_950), (2_320, 1_650), (2_320, 1_950), (2_600, 1_795),
      (2_320, 1_795), (2_600, 1_690), (4_600, 3_190),
    ]
    #expect(
      drawn.filter { $0.contains("\"on\"") }
        == spots.enumerated().map { place, spot in
          "<text class=\"on\" x=\"\(spot.0)\" y=\"\(spot.1)\">\(place + 1)</text>"
        })
    // Of eight rates each is so many fourths of the way up: 4 × rank / 7.
    #expect(
      drawn.filter { $0.hasPrefix("<circle") }.map { String($0.prefix(18)) }
        == [0, 0, 1, 1, 2, 2, 3, 4].map { "<circle class=\"v\($0)\"" })
  }

  /// 2.46 s are 2,460 tenths of a pixel, and a percent is twelve.
  @Test func `a share rises by one session at its value, and goes on to the end`() throws {
    let values: [[Int64?]] = [
      [2_460_000_000, nil, 1_000_000_000, 0], [], [nil], [500_000_000, 500_000_000, 1],
    ]
    let drawn = try #require(lines([], [("delay", values)], of: "starts").first)
    #expect(
      drawn == [
        " width=\"300\" height=\"170\" viewBox=\"0 0 3000 1700\" role=\"img\""
          + " aria-label=\"Share of sessions by delay\">",
        "<path class=\"grid\" d=\"M420 250L2880 250L2880 1450L420 1450Z\"/>",
        "<path class=\"p0\" d=\"M420 1450L420 1150L1420 1150L1420 850L2880 850L2880 550\"/>",
        "<path class=\"p2\" d=\"M420 1450L2880 1450\"/>",
        "<path class=\"p3\" d=\"M420 1450L420 1054L920 1054L920 658L920 250L2880 250\"/>",
        "<text class=\"title\" x=\"420\" y=\"170\">delay</text>",
        "<text class=\"tick\" x=\"420\" y=\"1610\">0 s</text>",
        "<text class=\"value\" x=\"2880\" y=\"1610\">2.5 s</text>",
        "<text class=\"value\" x=\"390\" y=\"330\">100 %</text>",
        "<text class=\"tick\" x=\"1650\" y=\"1610\">n = 4</text>",
      ])
    let many = Array(repeating: [Int64?.some(1)], count: 7)
    #expect(
      try #require(lines([], [("x", many)], of: "starts").first)
        .filter { $0.contains("class=\"p") }.map { String($0.prefix(15)) }
        == [0, 1, 2, 3, 4, 5, 0].map { "<path class=\"p\($0)" })
  }

  @Test func `without a session the front has a millisecond, and a share nobody`() throws {
    let front = try #require(lines([("a", false, nil, nil, nil)], of: "front").first)
    #expect(front.contains("<text class=\"tick\" x=\"6150\" y=\"3390\">0.0010</text>"))
    #expect(!front.contains { $0.contains("circle") || $0.contains("frame") })
    let share = try #require(lines([], [("a", [])], of: "starts").first)
    #expect(share.contains("<text class=\"tick\" x=\"1650\" y=\"1610\">n = 0</text>"))
    #expect(share.contains("<text class=\"value\" x=\"2880\" y=\"1610\">0.0 s</text>"))
  }

  @Test func `a table has its headings and rows, the policies their lines, and remarks follow`() {
    let page = ComparisonPage(
      heading: "x",
      policies: (0..<7).map { ("policy \($0)", $0 == 1, nil, nil, nil) }, distributions: [],
      links: [], tables: [("Figures <all>", ["a", "b"], [["c", "d"], ["e", "f"]])],
      remarks: ["one", "two"], data: ["a": "<"])
    let text = String(decoding: page.bytes(PageTexts(style: [], script: [])), as: UTF8.self)
    let table =
      "<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>\n<tbody>\n"
      + "<tr><th scope=\"row\">c</th><td>d</td></tr>\n"
      + "<tr><th scope=\"row\">e</th><td>f</td></tr>\n</tbody></table></div>\n"
      + "<p class=\"about\">one</p>\n<p class=\"about\">two</p>\n"
      + "<div class=\"sessions\"></div>\n</section>\n"
      + "<script type=\"application/json\" class=\"sessions\">{\"a\":\"\\u003c\"}"
    #expect(text.contains("aria-label=\"Figures &lt;all&gt;\"><table class=\"results\">\n" + table))
    let keys = text.split(separator: "<li>").dropFirst().map {
      String($0.prefix { $0 != "\n" })
    }
    #expect(
      keys
        == (0..<7).map { place in
          "<svg class=\"line\" width=\"36\" height=\"12\" viewBox=\"0 0 360 120\""
            + " aria-hidden=\"true\"><path class=\"p\(place % 6)\" d=\"M0 60H360\"/></svg> "
            + "policy \(place)"
            + (place == 1 ? " <strong>on the front</strong></li>" : "</li>")
        })
  }

  @Test(arguments: [(0, nil), (59, nil), (60, nil), (61, 1), (75, 15)] as [(Int, Int?)])
  func `sixty links are shown and the others counted`(links: Int, others: Int?) {
    let page = page(links: links)
    #expect(
      page.split(separator: "Share that has started over ").count - 1 == min(links, 60))
    let words = texts(of: ["p"], in: page).filter { $0.contains("more link") }
    #expect(words == (others.map { ["p and \($0) more \($0 == 1 ? "link" : "links")"] } ?? []))
  }
}

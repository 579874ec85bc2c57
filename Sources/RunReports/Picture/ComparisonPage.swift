package import ExactText
import ScenarioFormat

/// A comparison of policies as one HTML file: the front, the share that has started, link by link,
/// tables that can be sorted, and the sessions behind them.
package struct ComparisonPage: Sendable {
  /// A mean and the interval of its confidence, in nanoseconds.
  package typealias Spread = (mean: Int64, low: Int64, high: Int64)
  package typealias Policy = (
    name: String, isOnFront: Bool, startup: Spread?, stalled: Spread?, bitrate: Int64?
  )
  package typealias Table = (title: String, headings: [String], rows: [[String]])
  /// The values of a figure in each session of each policy, in nanoseconds; nil for never.
  package typealias Distribution = (name: String, values: [[Int64?]])

  private let heading: String
  private let policies: [Policy]
  private let distributions: [Distribution]
  /// The startup delays over each link.
  private let links: [Distribution]
  private let tables: [Table]
  private let remarks: [String]
  /// The sessions, and what the engine in a page needs to run one.
  private let data: JSONTree

  package init(
    heading: String, policies: [Policy], distributions: [Distribution], links: [Distribution],
    tables: [Table], remarks: [String], data: JSONTree
  ) {
    self.heading = heading
    self.policies = policies
    self.distributions = distributions
    self.links = links
    self.tables = tables
    self.remarks = remarks
    self.data = data
  }

  package func bytes(_ files: PageTexts) -> [UInt8] {
    var text = SVGText()
    text.write("<h1>A comparison by Goldilocks</h1>\n<section class=\"comparison\">\n")
    text.element("h2", heading)
    text.write("<div class=\"fronts\">\n")
    front(&text)
    legend(&text)
    text.write("</div>\n<h3>Distributions over all sessions</h3>\n")
    text.write("<div class=\"multiples\">\n")
    for figure in distributions { shares(of: figure, "Share of sessions by ", &text) }
    text.write("</div>\n<h3>Share of sessions that have started, by link</h3>\n")
    text.write("<div class=\"multiples\">\n")
    for link in links.prefix(Self.mostLinks) {
      shares(of: link, "Share that has started over ", &text)
    }
    text.write("</div>\n")
    if links.count > Self.mostLinks {
      text.write("<p>and \(counted(Int64(links.count - Self.mostLinks), "more link"))</p>\n")
    }
    for table in tables { write(table, &text) }
    for remark in remarks { text.element("p class=\"about\"", remark) }
    text.write("<div class=\"sessions\"></div>\n</section>\n")
    text.script("type=\"application/json\" class=\"sessions\"", inert(data))
    return files.page(titled: heading, text.bytes)
  }

  private static let mostLinks = 60

  /// Start over stalled time, a dot for each policy in the shade of its bit rate.
  private func front(_ text: inout SVGText) {
    let (width, height): (Int64, Int64) = (6_400, 3_600)
    func ends(_ value: (Policy) -> Spread?) -> ClosedRange<Int64> {
      0...max(1_000_000, policies.compactMap { value($0)?.high }.max() ?? 0)
    }
    let x = PictureScale(ends { $0.startup }, from: 500, to: width - 250)
    let y = PictureScale(ends { $0.stalled }, from: height - 350, to: 250)
    text.write(
      "<svg class=\"front\" width=\"640\" height=\"360\" viewBox=\"0 0 \(width) \(height)\""
        + " role=\"img\" aria-label=\"Startup delay over stalled time, as in the table\">\n"
    )
    axes(x, y, &text)
    text.label("title", "stalled, s", 60, 150)
    text.label("value", "startup delay, s", width - 250, height - 30)
    var bars = PathText()
    var marks: [(Int64, Int64, Int, Policy)] = []
    for (place, policy) in policies.enumerated() {
      guard let startup = policy.startup, let stalled = policy.stalled else { continue }
      let (atX, atY) = (x.place(startup.mean), y.place(stalled.mean))
      bars.line(x.place(startup.low), atY, to: x.place(startup.high), atY)
      bars.line(atX, y.place(stalled.low), to: atX, y.place(stalled.high))
      marks.append((atX, atY, place + 1, policy))
    }
    text.path("frame", bars)
    let rates = policies.compactMap { $0.bitrate }.sorted()
    var labels: [(x: Int64, y: Int64)] = []
    for (atX, atY, number, policy) in marks {
      let rank = Int64(rates.firstIndex(of: policy.bitrate ?? 0) ?? 0)
      let shade = 4 * rank / max(1, Int64(rates.count) - 1)
      text.write(
        "<circle class=\"v\(shade)\(policy.isOnFront ? " best" : "")\" cx=\"\(atX)\" cy=\"\(atY)\""
          + " r=\"\(policy.isOnFront ? 75 : 55)\"/>\n")
      let spot = Self.spots.first { spot in
        !labels.contains { abs($0.x - atX - spot.x) < 150 && abs($0.y - atY - spot.y) < 110 }
      }
      let (right, down) = spot ?? Self.spots[0]
      labels.append((atX + right, atY + down))
      text.label("on", "\(number)", atX + right, atY + down)
    }
    text.write("</svg>\n")
  }

  /// Places of a number beside its dot; the first that no other number takes is used.
  private static let spots: [(x: Int64, y: Int64)] = [
    (100, -60), (100, 150), (-180, -60), (-180, 150), (100, 45), (-180, 45),
  ]

  private func axes(_ x: PictureScale, _ y: PictureScale, _ text: inout SVGText) {
    let (across, up) = (x.ticks(every: 800), y.ticks(every: 500))
    let grid = PathText { path in
      for tick in across.values { path.line(x.place(tick), y.end, to: x.place(tick), y.start) }
      for tick in up.values { path.line(x.start, y.place(tick), to: x.end, y.place(tick)) }
    }
    text.path("grid", grid)
    for tick in across.values {
      text.label("tick", decimal(tick, of: 9, places: across.places), x.place(tick), y.start + 140)
    }
    for tick in up.values {
      text.label("value", decimal(tick, of: 9, places: up.places), x.start - 50, y.place(tick) + 40)
    }
  }

  private func legend(_ text: inout SVGText) {
    text.write("<ol class=\"key\">\n")
    for (place, policy) in policies.enumerated() {
      text.write(
        "<li><svg class=\"line\" width=\"36\" height=\"12\" viewBox=\"0 0 360 120\""
          + " aria-hidden=\"true\"><path class=\"p\(place % 6)\" d=\"M0 60H360\"/></svg> ")
      text.write(text: policy.name)
      text.write(policy.isOnFront ? " <strong>on the front</strong></li>\n" : "</li>\n")
    }
    text.write(
      "</ol>\n<p class=\"about\">Pareto front: none is as good in startup, stalls and rate, and"
        + " better in one. A more prominent dot has a higher rate; bars are 95 % intervals.</p>\n")
  }

  /// The cumulative share of the sessions, a line for each policy.
  private func shares(of figure: Distribution, _ words: String, _ text: inout SVGText) {
    let (width, height): (Int64, Int64) = (3_000, 1_700)
    let longest = figure.values.joined().compactMap { $0 }.max() ?? 1
    let x = PictureScale(0...max(1, longest), from: 420, to: width - 120)
    let y = PictureScale(0...100, from: height - 250, to: 250)
    text.write(
      "<svg class=\"starts\" width=\"300\" height=\"170\" viewBox=\"0 0 \(width) \(height)\""
        + " role=\"img\" aria-label=\"")
    text.write(text: words + figure.name)
    text.write("\">\n")
    text.path("grid", PathText { $0.box(x.start, y.end, x.end - x.start, y.start - y.end) })
    for (place, values) in figure.values.enumerated() where !values.isEmpty {
      var line = PathText()
      line.move(x.start, y.start)
      var share = y.start
      for (index, value) in values.compactMap({ $0 }).sorted().enumerated() {
        line.line(x.place(value), share)
        share = y.place(100 * Int64(index + 1) / Int64(values.count))
        line.line(x.place(value), share)
      }
      line.line(x.end, share)
      text.path("p\(place % 6)", line)
    }
    text.label("title", shortenedInFront(figure.name, to: 34), x.start, 170)
    text.label("tick", "0 s", x.start, height - 90)
    text.label("value", decimal(longest, of: 9, places: 1) + " s", x.end, height - 90)
    text.label("value", "100 %", x.start - 30, y.end + 80)
    text.label("tick", "n = \(figure.values.first?.count ?? 0)", (x.start + x.end) / 2, height - 90)
    text.write("</svg>\n")
  }

  private func write(_ table: Table, _ text: inout SVGText) {
    text.element("h3", table.title)
    text.write("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
    text.write(text: table.title)
    text.write("\"><table class=\"results\">\n<thead><tr>")
    for heading in table.headings { text.element("th scope=\"col\"", heading, end: "") }
    text.write("</tr></thead>\n<tbody>\n")
    for row in table.rows {
      text.write("<tr>")
      for (place, cell) in row.enumerated() {
        text.element(place == 0 ? "th scope=\"row\"" : "td", cell, end: "")
      }
      text.write("</tr>\n")
    }
    text.write("</tbody></table></div>\n")
  }
}

import Foundation
import TestSupport
import Testing

/// Words and marks of pages and pictures that were false or in the way.
@Suite(.besideOthers) struct PageWordsTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  private static func stream(_ rates: [String]) -> String {
    let rungs = rates.map { #"{ "bitrate": "\#($0)" }"# }.joined(separator: ", ")
    return #"{ "hls": { "duration": "20 s", "segmentDuration": "4 s", "ladder": [\#(rungs)] } }"#
  }

  private static func file(_ seconds: Int) -> String {
    #"{ "progressive": { "duration": "\#(seconds) s", "bitrate": "2 Mbit/s" } }"#
  }

  private static let play = #"{ "at": "0 s", "do": "play" }"#

  private func scenario(
    link: String, media: String, script: [String] = [play], _ more: String = ""
  ) -> String {
    """
    { "scenario": "Page", "about": "x", "link": \(link), "media": \(media),
      "script": [\(script.joined(separator: ", "))]\(more) }
    """
  }

  /// The page of a scenario.
  private func page(_ text: String) throws -> String {
    try place.write(text, to: "a.json")
    #expect(try place.run("run", "a.json", "--quiet", "--html", "a.html").exitCode == 0)
    return try place.read("a.html")
  }

  private func picture(_ text: String) throws -> String {
    try place.write(text, to: "a.json")
    return try place.run("run", "a.json", "--format", "svg").text
  }

  /// The paths of a class, each as its text.
  private func paths(_ kind: String, _ svg: String) -> [String] {
    svg.components(separatedBy: "<path class=\"\(kind)\" d=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  // MARK: - Ladders

  @Test func `variants of an item are named and judged by its own ladder`() throws {
    let text = scenario(
      link: #"{ "bandwidth": "3 Mbit/s" }"#, media: Self.stream(["200 kbit/s", "400 kbit/s"]),
      """
      , "assets": [ { "name": "film", "media": \(Self.stream(["2 Mbit/s", "1 Mbit/s"])) } ],
      "items": [ { "name": "ad" }, { "name": "main", "asset": "film" } ], "queue": ["ad", "main"]
      """)
    let page = try page(text)
    #expect(page.contains("Switches up to 2 Mbit/s: "))
    #expect(page.contains("Stays with 1 Mbit/s: "))
    #expect(!page.contains("Switches down"))
    let screen = try place.run("run", "a.json", "--panel", "none").text
    #expect(screen.contains("up to variant 0 of 2 Mbit/s (higherSustained)"))
    #expect(screen.contains("variant 1 of 1 Mbit/s: the buffer is too low"))
    #expect(screen.contains("began with variant 1 of 400 kbit/s, "))
    let svg = try place.run("run", "a.json", "--format", "svg").text
    #expect(["400 kbit/s", "1 Mbit/s", "2 Mbit/s"].allSatisfy { svg.contains(">\($0)</text>") })
    // A trace tells the same.
    #expect(try place.run("run", "a.json", "--quiet", "--trace", "a.trace").exitCode == 0)
    #expect(try place.run("report", "a.trace", "--format", "svg").text == svg)
    #expect(try place.run("report", "a.trace", "--panel", "none").text.contains("up to variant 0"))
  }

  @Test func `a stream behind a file has its quality and its lane`() throws {
    let text = scenario(
      link: #"{ "bandwidth": "3 Mbit/s" }"#, media: Self.file(8),
      """
      , "assets": [ { "name": "film", "media": \(Self.stream(["2 Mbit/s", "1 Mbit/s"])) } ],
      "items": [ { "name": "ad" }, { "name": "main", "asset": "film" } ], "queue": ["ad", "main"]
      """)
    #expect(try picture(text).contains("variant under the playhead"))
    let screen = try place.run("run", "a.json", "--panel", "none").text
    #expect(screen.contains("asked first for variant") || screen.contains("began with variant"))
  }

  /// The ladder of the second player is listed from the bottom, and from the top.
  @Test func `slabs of another player are shaded by its own ladder`() throws {
    let ends = ["500 kbit/s", "2 Mbit/s"]
    func text(_ rates: [String]) -> String {
      scenario(
        link: #"{ "bandwidth": "8 Mbit/s" }"#, media: Self.stream(ends),
        """
        , "players": [ { "name": "second", "media": \(Self.stream(rates)),
          "script": [\(Self.play)] } ]
        """)
    }
    let straight = try picture(text(ends))
    let turned = try picture(text(Array(ends.reversed())))
    #expect(!paths("v4", straight).isEmpty)
    #expect(paths("v0", straight) == paths("v0", turned))
    #expect(paths("v4", straight) == paths("v4", turned))
  }

  @Test(arguments: [["200", "400", "3000", "5000", "6000", "8000"], ["300", "300"]])
  func `a switch to a lower bit rate goes down, whatever its shade`(rates: [String]) throws {
    let link = """
      { "schedule": { "steps": [ { "for": "10 s", "bandwidth": "1.2 Mbit/s" },
        { "for": "200 s", "bandwidth": "250 kbit/s" } ], "then": "hold" } }
      """
    let ladder = rates.map { "\($0) kbit/s" }
    let page = try page(
      scenario(link: link, media: Self.stream(ladder).replacing("20 s", with: "60 s")))
    if rates.count > 2 { #expect(page.contains("Switches down to 200 kbit/s")) }
    #expect(!page.contains("Switches up to 200 kbit/s"))
  }

  // MARK: - Verdicts

  @Test func `a start is not judged where none would have lasted`() throws {
    let cases = [
      // It stalls for good.
      scenario(
        link: #"{ "bandwidth": "3 Mbit/s", "outages": [ { "from": "5 s", "for": "10 min" } ] }"#,
        media: Self.file(60), #", "horizon": "60 s""#),
      // It stalls after the playhead was moved.
      scenario(
        link: """
          { "schedule": { "steps": [ { "for": "3 s", "bandwidth": "3 Mbit/s" },
            { "for": "100 s", "bandwidth": "0.5 Mbit/s" } ], "then": "hold" } }
          """, media: Self.file(20),
        script: [Self.play, #"{ "at": "20 s", "do": "seek", "to": "0 s" }"#],
        #", "player": { "heuristic": "thresholds 1 s/1 s" }"#),
      // A later start would be at a later place of the live stream.
      scenario(
        link: #"{ "bandwidth": "8 Mbit/s", "outages": [ { "from": "30 s", "for": "30 s" } ] }"#,
        media: Self.stream(["1 Mbit/s"]).replacing("20 s", with: "4 min")
          .replacing(#""4 s""#, with: #""6 s", "live": { "window": "60 s" }"#),
        #", "horizon": "120 s""#),
      // A pause lets the buffer fill.
      scenario(
        link: #"{ "bandwidth": "1 Mbit/s" }"#, media: Self.file(60),
        script: [
          Self.play, #"{ "at": { "after": "play", "by": "5 s" }, "do": "pause" }"#,
          #"{ "at": "120 s", "do": "play", "name": "again" }"#,
        ], #", "player": { "heuristic": "thresholds 2 s/2 s" }"#),
    ]
    for text in cases {
      let page = try page(text)
      #expect(page.contains("Playback begins"))
      for words in ["earliest start", "too soon, given", "Given what arrived", "as it turned out"] {
        #expect(!page.contains(words), "\(words): \(text)")
      }
    }
  }

  @Test func `a slow arrival that goes on over a seek counts`() throws {
    let page = try page(
      scenario(
        link: """
          { "schedule": { "steps": [ { "for": "3 s", "bandwidth": "3 Mbit/s" },
            { "for": "100 s", "bandwidth": "1 Mbit/s" } ], "then": "hold" } }
          """, media: Self.file(60),
        script: [Self.play, #"{ "at": "20.1 s", "do": "seek", "to": "0 s" }"#],
        #", "player": { "heuristic": "immediate" }, "horizon": "22 s""#))
    #expect(!page.contains("any start after play would have lasted"))
  }

  @Test func `a pause before the start is part of neither delay`() throws {
    let page = try page(
      scenario(
        link: #"{ "bandwidth": "1 Mbit/s" }"#, media: Self.file(20),
        script: [
          Self.play, #"{ "at": "5 s", "do": "pause" }"#,
          #"{ "at": "15 s", "do": "play", "name": "again" }"#,
        ]))
    #expect(page.contains("<dt>starts after</dt><dd class=\"of-starts\">10.000 s</dd>"))
    let needed = "<dt>needed, as it turned out</dt><dd class=\"of-needed,\">10.000 s</dd>"
    #expect(page.contains(needed))
    #expect(page.contains("That is the earliest start that does not stall"))
  }

  // MARK: - Headings

  @Test func `each case of a page has a heading of its own`() throws {
    try place.write(shortScenario(name: "Alpha"), to: "alpha.json")
    func headings(_ arguments: String...) throws -> [String] {
      _ = try place.run(arguments + ["--html", "all.html"])
      return try place.read("all.html").components(separatedBy: "<h2>").dropFirst()
        .map { String($0.prefix { $0 != "<" }) }
    }
    #expect(
      try headings("test", "alpha.json", "--links", "3G,LTE", "--seeds", "2").sorted() == [
        "Alpha [3G, seed 1]", "Alpha [3G, seed 2]", "Alpha [LTE, seed 1]", "Alpha [LTE, seed 2]",
      ])
    #expect(try place.read("all.html").contains(">Alpha [LTE, seed 2]</a>"))
    #expect(
      try headings("resilience", "alpha.json", "--every", "3s", "--policies", "own,BOLA")
        == ["Alpha [own]", "Alpha [BOLA]"])
    #expect(try headings("resilience", "alpha.json", "--every", "3s") == ["Alpha"])
    #expect(try headings("run", "alpha.json") == ["Alpha"])
  }

  @Test func `nothing that was read makes no page`() throws {
    for verb in ["run", "play", "test"] {
      let run = try place.run(verb, "none.json", "--html", "none.html")
      #expect(run.exitCode == 66)
      #expect(!run.text.contains("file://"))
      #expect(run.errorText.contains("note: no page: there was no run"))
    }
    #expect(try place.names() == [])
    try place.write(shortScenario(), to: "one.json")
    #expect(try place.run("run", "none.json", "one.json", "--html", "one.html").exitCode == 66)
    #expect(try place.read("one.html").contains("<h2>Short</h2>"))
  }

  // MARK: - Labels

  @Test func `the triangle of a step lies in no label`() throws {
    let svg = try picture(
      scenario(
        link: #"{ "bandwidth": "3 Mbit/s" }"#, media: Self.file(30),
        script: [
          #"{ "at": "0 s", "do": "play", "name": "the first tap of all" }"#,
          #"{ "at": "2 s", "do": "pause" }"#, #"{ "at": "3 s", "do": "play", "name": "again" }"#,
          #"{ "at": "31 s", "do": "pause", "name": "a pause at the very end" }"#,
        ]))
    let triangles = try #require(paths("tap", svg).first).components(separatedBy: "M")
      .compactMap { Int($0.prefix { $0 != " " }) }
    #expect(triangles.count == 4)
    let labels = svg.components(separatedBy: "<text class=\"on\" x=\"").dropFirst().compactMap {
      label -> (x: Int, y: Int, width: Int)? in
      let parts = label.components(separatedBy: "\"")
      guard let x = Int(parts[0]), let y = Int(parts[2]) else { return nil }
      return (x, y, label.components(separatedBy: ">")[1].prefix { $0 != "<" }.count * 62)
    }
    let first = try #require(labels.map { $0.y }.min())
    #expect(labels.count == 4 && labels.contains { $0.y > first })
    for label in labels where label.y == first {
      for left in triangles {
        #expect(left + 80 <= label.x || left >= label.x + label.width, "\(label)")
      }
    }
  }

  /// A drawing of 3,600 tenths of a pixel has 50 columns behind its margin.
  @Test func `a title is broken where a narrow drawing ends`() throws {
    try place.write(shortScenario(), to: "one.json")
    _ = try place.run("resilience", "one.json", "--every", "2s", "--html", "one.html")
    let page = try place.read("one.html")
    let drawings = page.components(separatedBy: "<svg class=\"run ")
    let narrow = try #require(drawings.first { $0.hasPrefix("n1\"") })
    let titles = narrow.components(separatedBy: "<text class=\"title\"").dropFirst().map {
      $0.components(separatedBy: ">")[1].prefix { $0 != "<" }
    }
    #expect(titles.contains { $0.hasPrefix("the highest rate of a dip") })
    for title in titles { #expect(title.count <= 46, "\(title)") }
    let wide = try #require(drawings.first { $0.hasPrefix("w1\"") })
    #expect(wide.contains(">the highest rate of a dip that makes it stall or fail"))
  }

  @Test func `the title of a link does not lie over the number of sessions`() throws {
    try place.write(shortScenario(), to: "one.json")
    let link = "a link with a name that is far longer than its drawing is wide"
    try place.write("0,3M\n4,300k\n9,1M\n", to: "drives/\(link).csv")
    let run = try place.run(
      "compare", "one.json", "--heuristics", "own,immediate", "--links", "drives", "--html",
      "all.html")
    #expect(run.exitCode == 0)
    let page = try place.read("all.html")
    #expect(page.contains("<text class=\"tick\" x=\"1650\" y=\"1610\">n = 1</text>"))
    #expect(page.contains(">…nger than its drawing is wide.csv</text>"))
    #expect(page.contains("aria-label=\"Share that has started over drives/\(link)"))
  }
}

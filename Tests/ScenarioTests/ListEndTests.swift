import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing

/// Lists of a screen, a page and a drawing that end somewhere, and say how many more there are.
@Suite struct ListEndTests {
  private static func scenario(_ rest: String) throws -> Scenario {
    let text = #"{ "scenario": "a", "about": "b", \#(rest) }"#
    return try ShippedScenario(path: "a.json", bytes: [UInt8](text.utf8)).read()
  }

  private static let film =
    #""media": { "progressive": { "duration": "400 s", "bitrate": "1 Mbit/s" } }"#

  private static func screen(_ scenario: Scenario, _ outcome: RunOutcome) -> String {
    RunScreen(scenario, outcome, heuristic: "").text(panels: .none, style: .plain)
  }

  /// The link carries what is played until then, and stands still for a second again and again.
  @Test(arguments: 5...9)
  func `a screen names six stalls`(count: Int) throws {
    let outages = (1...count).map { #"{ "from": "\#($0 * 20) s", "for": "15 s" }"# }
    let scenario = try Self.scenario(
      """
      "link": { "bandwidth": "1100 kbit/s", "outages": [\(outages.joined(separator: ", "))] },
      \(Self.film), "player": { "heuristic": "immediate" }, "horizon": "\(count * 20 + 17) s",
      "script": [ { "at": "0 s", "do": "play" } ]
      """)
    let outcome = try run(scenario)
    try #require(Int(outcome.player.books.stallCount) == count)
    let text = Self.screen(scenario, outcome)
    let lines = text.matches(of: #/at \d+\.\d+ s (for|to the end)\b.*: the link/#)
    #expect(lines.count == min(6, count), "\(text)")
    #expect(text.contains("and \(count - 6) more") == (count > 6), "\(text)")
  }

  /// Steps of one instant have no room beside each other.
  @Test(arguments: 1...7)
  func `four rows of a screen tell what the app did`(count: Int) throws {
    let steps = (0..<count).map { _ in #"{ "at": "1 s", "do": "showPanel" }"# }
    let scenario = try Self.scenario(
      """
      "link": { "bandwidth": "8 Mbit/s" }, \(Self.film), "horizon": "9 s",
      "script": [ \(steps.joined(separator: ", ")) ]
      """)
    let text = Self.screen(scenario, try run(scenario))
    #expect(text.matches(of: /▾/).count == min(4, count), "\(text)")
    #expect(text.contains("and \(count - 4) more") == (count > 4), "\(text)")
  }

  private static func drawn(_ scenario: Scenario) throws -> RunOutcome {
    var options = RunOptions()
    options.keepsCurves = true
    return try run(scenario, options: options)
  }

  @Test(arguments: 1...7)
  func `a drawing shows four further players`(count: Int) throws {
    let players = (1...count).map {
      #"{ "name": "number\#($0)", "script": [ { "at": "0 s", "do": "play" } ], \#(Self.film) }"#
    }
    let scenario = try Self.scenario(
      """
      "link": { "bandwidth": "80 Mbit/s" }, \(Self.film), "horizon": "2 s",
      "script": [ { "at": "0 s", "do": "play" } ],
      "players": [ \(players.joined(separator: ", ")) ]
      """)
    let bytes = RunPicture(scenario, try Self.drawn(scenario)).element(prefix: "t")
    let text = String(decoding: bytes, as: UTF8.self)
    for number in 1...count { #expect(text.contains("number\(number)") == (number <= 4)) }
    let noun = count == 5 ? "player<" : "players<"
    #expect(text.contains("and \(count - 4) more \(noun)") == (count > 4))
  }

  @Test(arguments: Seeds.cases(of: [10, 196, 197, 198, 199, 200, 201, 202, 203, 204, 230]))
  func `a page has two hundred decisions`(count: Int) throws {
    let steps = (1...count).map { number in
      #"{ "at": "\#(number) s", "do": "\#(number % 2 == 0 ? "pause" : "play")" }"#
    }
    let scenario = try Self.scenario(
      """
      "link": { "bandwidth": "80 Mbit/s" }, \(Self.film),
      "script": [ \(steps.joined(separator: ", ")) ]
      """)
    var page = RunPage()
    page.add(scenario, try Self.drawn(scenario), policy: "own")
    let text = String(
      decoding: page.bytes(PageTexts(style: [], script: [])), as: UTF8.self)
    let rows = text.matches(of: /<tr><td data-at=/).count
    let more = text.firstMatch(of: #/<p>and (\d+) more decisions?</#).flatMap { Int($0.1) }
    #expect(rows <= 200 && rows >= min(200, count), "\(rows)")
    #expect(more == nil || rows == 200 && more ?? 0 > 0, "\(rows) and \(more ?? 0)")
    // A step more makes as many decisions more as any other.
    if count == 230 { #expect(more ?? 0 >= 30) }
  }
}

import Foundation
import TestSupport
import Testing

/// Nothing in somebody's file speaks to the terminal of whoever looks at it.
@Suite(.besideOthers) struct HonestTerminalTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Escape sequences, a bell, ends of lines, C1 and what turns the direction of a line.
  private static let evil = [
    ["\u{1B}[2J"], ["\u{1B}]0;owned\u{7}"], ["\u{7}", "\r"], ["\n", "\u{8}"], ["\u{9B}31m"],
    ["\u{90}q\u{9C}"], ["\u{202E}", "\u{2066}"], ["\u{200F}", "\u{2028}"], ["\u{7F}"],
    ["\u{1B}[8m"],
  ]

  /// The scalars that no output may have; a tab and the end of a line are the command's own.
  private func evilScalars(_ run: CommandRun) -> [Unicode.Scalar] {
    (run.text + run.errorText).unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A: false
      case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F:
        true
      default: false
      }
    }
  }

  /// A scenario with a text in every place that has one.
  private static func scenario(_ text: String) throws -> String {
    let quoted = String(
      decoding: try JSONSerialization.data(withJSONObject: [text]), as: UTF8.self
    ).dropFirst().dropLast()
    return """
      { "scenario": \(quoted), "about": \(quoted), "link": { "bandwidth": "600 kbit/s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
        "items": [ { "name": \(quoted) } ], "queue": [ \(quoted) ],
        "player": { "heuristic": "immediate" },
        "script": [ { "at": "1 s", "do": "play", "name": \(quoted) } ],
        "expect": [ { "stallCount": 99 }, { "count": "stall", "is": 70 },
                    { "at": { "after": \(quoted), "by": "1 s" }, "currentItem": "other" } ],
        "players": [ { "name": \(quoted), "media": { "local": { "duration": "1 s",
          "bitrate": "1 Mbit/s" } } } ] }
      """
  }

  private static let calls = [
    ["run", "one.json", "--trace", "one.trace"], ["test", "one.json"], ["replay", "one.trace"],
    ["diff", "one.trace", "one.trace"], ["validate", "wrong.json"], ["run", "wrong.json"],
    ["export", "link", "one.json", "--as", "nlc"], ["export", "link", "one.json", "--as", "tc"],
    ["compare", "one.json", "--heuristics", "immediate"], ["run", "one.json", "--access-log"],
    ["run", "one.json", "--format", "json"], ["test", "one.json", "--format", "json"],
  ]

  /// What the command answers to each of the calls, with a text in every place that has one.
  private static func answers(_ text: String) throws -> [CommandRun] {
    let place = try Workplace()
    let scenario = try scenario(text)
    try place.write(scenario, to: "one.json")
    try place.write(
      scenario.replacingOccurrences(of: "\"scenario\"", with: "\"scenari\""), to: "wrong.json")
    return try calls.map { try place.run($0) }
  }

  private static let plainAnswers = Result { try answers("abc") }

  @Test(arguments: Seeds.cases(of: evil.indices, few: 1))
  func `a name has as many lines as any other, and none of its controls comes through`(
    index: Int
  ) throws {
    let answers = try Self.answers("a\(Self.evil[index].joined(separator: "b"))c")
    for (arguments, (run, other)) in zip(Self.calls, zip(answers, try Self.plainAnswers.get())) {
      #expect(evilScalars(run).isEmpty, "\(arguments)")
      #expect(run.exitCode == other.exitCode, "\(arguments) \(run.errorText)")
      for (mine, its) in [(run.text, other.text), (run.errorText, other.errorText)] {
        let lines = [mine, its].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        // The sentence about it may be broken elsewhere where the name is spelled out.
        #expect(abs(lines[0].count - lines[1].count) <= 1, "\(arguments)\n\(mine)\n\(its)")
      }
    }
  }

  @Test(arguments: Seeds.cases(of: evil.indices, few: 1))
  func `nor do words of the command line, of traces and of link traces`(index: Int) throws {
    let text = "a\(Self.evil[index].joined(separator: "b"))c"
    try place.write(text, to: "one.csv")
    try place.write("0,1M\n\(text),3M\n", to: "two.csv")
    try place.write("{\"trace\":1,\"tool\":\"\(text)\"}\n{\(text)}\n", to: "one.trace")
    let calls = [
      ["run", text], [text], ["run", "--\(text)"], ["run", "one.csv", "--heuristic", text],
      ["import", "trace", "one.csv"], ["import", "trace", "two.csv"], ["replay", "one.trace"],
      ["diff", "one.trace", "one.trace"], ["profiles", text], ["validate", "one.csv"],
      ["import", "hls", "one.csv"], ["check", "gapless", "one.csv", "one.csv"],
    ]
    for arguments in calls {
      let run = try place.run(arguments)
      #expect(evilScalars(run).isEmpty, "\(arguments)")
      #expect(run.errorText.split(separator: "\n").count <= 6, "\(arguments)\n\(run.errorText)")
    }
  }

  @Test func `a property list is well formed whatever the name is`() throws {
    let name = Self.evil.flatMap { $0 }.joined(separator: "<&>\u{0}\u{FFFE}]]>\"'")
    try place.write(
      try Self.scenario(name.replacingOccurrences(of: "\u{0}", with: "\u{1}")), to: "a.json")
    let run = try place.run("export", "link", "a.json", "--as", "nlc")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let list = try PropertyListSerialization.propertyList(from: run.output, format: nil)
    #expect(list is [String: Any])
  }
}

import Foundation
import TestSupport
import Testing

/// What people write for something else is answered with what they mean, below it the line with a
/// caret under the mistake.
@Suite(.besideOthers) struct HintTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  struct Slip: Sendable {
    var part: String
    var written: String
    var message: String

    init(_ part: String, _ written: String, _ message: String) {
      self.part = part
      self.written = written
      self.message = message
    }
  }

  private static let good = [
    "link": #"{ "bandwidth": "2 Mbit/s" }"#,
    "media": #"{ "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } }"#,
    "script": #"[ { "at": "1 s", "do": "play" } ]"#, "expect": #"[ { "stallCount": 0 } ]"#,
  ]

  private static func file(_ part: String, _ written: String) -> String {
    let rows = ["link", "media", "script", "expect"].map { name in
      "\"\(name)\": " + (name == part ? written : good[name] ?? "")
    }
    return "{ \"scenario\": \"s\", \"about\": \"a\",\n" + rows.joined(separator: ",\n") + "\n}\n"
  }

  static let slips = [
    Slip("link", #"{ "bandwidth": "2 Mbps" }"#, "did you mean “Mbit/s”?"),
    Slip(
      "link", #"{ "bandwidth": "2 MB/s" }"#,
      "counts bytes (expected bits, eight times as many; did you mean “16 Mbit/s”?)"),
    Slip("link", #"{ "bandwidth": "12.5 KB/s" }"#, "did you mean “100 kbit/s”?"),
    Slip(
      "link", #"{ "bandwidth": "1 Mbit/s", "rtt": "50 ms" }"#,
      "link: unknown key “rtt” (expected \"delay\": \"25 ms\", half of it: it counts one way)"),
    Slip(
      "link", #"{ "bandwidth": "1 Mbit/s", "ping": "33 ms" }"#,
      "expected \"delay\": \"16.5 ms\", half of it"),
    Slip(
      "link", #"{ "trace": "t.csv" }"#,
      #"link.trace: found the string “t.csv” (expected an object, such as { "file": "t.csv" })"#),
    Slip(
      "media", #""https://a.example/main.m3u8""#,
      "expected an object with “local”, “progressive” or “hls”; nothing is fetched from an address"
    ),
    Slip(
      "media", #"{ "progressive": { "duration": "00:40", "bitrate": "1 Mbit/s" } }"#,
      "“00:40” is a time of a clock"),
    Slip(
      "media", #"{ "progressive": { "duration": "1:02:03", "bitrate": "1 Mbit/s" } }"#,
      "did you mean “3723 s”?"),
    Slip(
      "media", #"{ "progressive": { "duration": "4 s", "bandwidth": "1 Mbit/s" } }"#,
      "unknown key “bandwidth” (did you mean “bitrate”?)"),
    Slip(
      "script", #"[ { "at": "1 s", "do": "playImmediately(atRate: 1)" } ]"#,
      "script[0].do: “playImmediately(atRate: 1)” is a call (expected the word alone, and what it "
        + "takes as keys beside it; did you mean “playImmediately”?)"
    ),
    Slip("script", #"[ { "at": "1 s", "do": "player.pause()" } ]"#, "did you mean"),
    Slip("script", #"[ { "at": "1 s", "do": "pley" } ]"#, "unknown word “pley”"),
    Slip(
      "expect", #"[ { "stalls": 0 } ]"#,
      "expect[0]: unknown key “stalls” (did you mean “stallCount”?)"),
    Slip("expect", #"[ { "startupTime": "1 s" } ]"#, "did you mean “startupDelay”?"),
    Slip(
      "expect", #"[ { "startupDelay": { "max": "2 s" } } ]"#,
      "expect[0].startupDelay: unknown key “max” (did you mean “atMost”?)"),
    Slip("expect", #"[ { "startupDelay": { "min": "2 s" } } ]"#, "did you mean “atLeast”?"),
    Slip(
      "expect", #"[ { "startupDelay": "< 2 s" } ]"#,
      #"the string “< 2 s” is no value (expected { "atMost": "2 s" })"#),
    Slip("expect", #"[ { "startupDelay": ">= 150 ms" } ]"#, #"expected { "atLeast": "150 ms" }"#),
    Slip("expect", #"[ { "qqq": 1 } ]"#, "others)"),
  ]

  @Test(arguments: Seeds.cases(of: slips, few: 4))
  func `what is meant is said, once, and where`(slip: Slip) throws {
    try place.write(Self.file(slip.part, slip.written), to: "one.json")
    let run = try place.run("validate", "one.json")
    #expect(run.exitCode == 65)
    let said = run.errorText.contains(slip.message) || slip.written.contains("player.pause")
    #expect(said, "\(run.errorText)")
    #expect(run.errorText.hasSuffix("Error: 'one.json' has a mistake.\n"), "\(run.errorText)")
    let lines = run.errorText.split(separator: "\n").map { String($0) }
    #expect(lines.count == 4)
    // The caret stands under the character that the column names.
    let numbers = lines[0].split(separator: ":")[1...2].compactMap { Int($0) }
    let source = Array(Self.file(slip.part, slip.written).split(separator: "\n")[numbers[0] - 1])
    let column = Array(lines[2]).firstIndex(of: "^") ?? 0
    #expect(Array(lines[1])[column] == source[numbers[1] - 1])
  }

  @Test(arguments: Seeds.cases(of: ["[ ", "[ 1, ", "[ {}, "]))
  func `a comma too many is the comma's fault`(start: String) throws {
    try place.write(
      "{ \"scenario\": \"s\",\n\"expect\": \(start.dropLast(2)) ,\n ] }", to: "a.json")
    let run = try place.run("validate", "a.json")
    let wanted =
      start.count > 2
      ? "this is not JSON: a comma stands before “]” (expected no comma after the last element)"
      : "expected a value"
    #expect(run.errorText.hasPrefix("a.json:2:"), "\(run.errorText)")
    #expect(run.errorText.contains(wanted), "\(run.errorText)")
    try place.write("{ \"scenario\": \"s\",\n\"link\": {},\n}\n", to: "b.json")
    #expect(
      try place.run("validate", "b.json").errorText.hasPrefix("b.json:2:11: this is not JSON"))
  }

  @Test(arguments: Seeds.cases(of: [5, 400, 50]))
  func `what repeats itself is capped, and all of it is not much longer than the file`(
    count: Int
  ) throws {
    let rungs = Array(repeating: #"{"bandwidth":"1 Mbit/s"}"#, count: count)
    let ladder = "[" + rungs.joined(separator: ",") + "]"
    let text = Self.file(
      "media",
      #"{ "hls": { "duration": "40 s", "segmentDuration": "4 s", "ladder": \#(ladder) } }"#)
    try place.write(text, to: "one.json")
    let run = try place.run("validate", "one.json")
    #expect(run.errorText.hasSuffix("Error: 'one.json' has \(count) mistakes.\n"))
    #expect(run.errorText.contains("and \(count - 3) more mistakes; "))
    #expect(run.errorText.utf8.count < 2 * text.utf8.count + 2_500)
    let json = try place.run("validate", "one.json", "--format", "json")
    #expect(json.text.components(separatedBy: "\"suggestion\": \"bitrate\"").count == count + 1)
  }

  @Test func `what differs only in what it quotes is capped as well, and a few are all said`()
    throws
  {
    for (count, more) in [(6, nil), (600, "and 580 more mistakes")] as [(Int, String?)] {
      let steps = (0..<count).map { #"{ "when": "time > \#($0) s", "do": "pause" }"# }
      try place.write(
        Self.file("script", "[\n\(steps.joined(separator: ",\n"))\n]"), to: "one.json")
      let run = try place.run("validate", "one.json")
      let parts = run.errorText.components(separatedBy: "unknown condition")
      #expect(parts.count == min(count, 20) + 1)
      #expect(run.errorText.contains("; 'validate --format json' has all") == (more != nil))
      if let more { #expect(run.errorText.contains(more)) }
    }
  }

  @Test func `a file of another kind is called by its name`() throws {
    try place.write(shortScenario(), to: "one.json")
    try place.write(#"{ "study": "Which", "scenarios": [ "one.json" ] }"#, to: "study.json")
    try place.write(#"{ "scenarios": [ "one.json" ] }"#, to: "list.json")
    _ = try place.run("run", "one.json", "--trace", "one.trace", "--quiet")
    for (arguments, words) in [
      (["replay", "one.json"], "is a scenario, not a trace: 'goldilocks run' plays it"),
      (["import", "trace", "one.json"], "is a scenario, not a recorded link: 'goldilocks export"),
      (["run", "one.trace"], "is a trace, not a scenario: 'goldilocks report' shows it"),
      (["test", "one.trace"], "is a trace, not a scenario"),
      (["run", "study.json"], "is a study, not a scenario: 'goldilocks compare' runs it"),
      (["validate", "list.json"], "is a study, not a scenario"),
      (["test", "study.json", "--set", "seed=1"], "is a study, not a scenario"),
    ] {
      let run = try place.run(arguments)
      #expect(run.exitCode == 65)
      #expect(run.errorText.contains(words), "\(run.errorText)")
    }
  }

  @Test(
    arguments: Seeds.cases(of: [
      ("0,5M\n1,abc\n", "t.csv:2:3: "), ("0,5M\n# a remark\n\n1,5M\n2,x1\n", "t.csv:5:3: "),
      ("0,5M\nsoon,2M\n", "t.csv:2:1: "),
    ]))
  func `a mistake in a recorded link has its line, its column and a caret`(
    trace: String, start: String
  ) throws {
    try place.write(trace, to: "t.csv")
    try place.write(
      Self.file("link", #"{ "trace": { "file": "t.csv", "format": "csv" } }"#), to: "one.json")
    let run = try place.run("validate", "one.json")
    let lines = run.errorText.split(separator: "\n").map { String($0) }
    #expect(run.exitCode == 65)
    #expect(lines.count == 4, "\(run.errorText)")
    #expect(lines[0].hasPrefix(start + "link.trace.file: '"))
    let column = Int(start.split(separator: ":")[2]) ?? 0
    #expect(lines[2] == "      | " + String(repeating: " ", count: column - 1) + "^")
    let imported = try place.run("import", "trace", "--format", "csv", "t.csv")
    #expect(imported.errorText.hasPrefix(lines[0].replacing("link.trace.file: ", with: "")))
  }

  @Test func `colours mark the place and the caret`() throws {
    try place.write(Self.file("link", "5"), to: "one.json")
    let run = try place.run("validate", "one.json", "--color", "always")
    #expect(run.errorText.hasPrefix("\u{1B}[1mone.json:2:9:\u{1B}[0m "))
    #expect(run.errorText.contains("\u{1B}[31m^\u{1B}[0m\n"))
  }
}

import Foundation
import TestSupport
import Testing

/// Work that ends, files that are kept, and mistakes that are blamed on the right file.
@Suite(.besideOthers) struct BoundsTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(), to: "short.json")
  }

  // MARK: Bounds of work

  private func stream(_ more: String, variants: Int = 16, seconds: Int = 200) -> String {
    let ladder = (0..<variants).map { #"{ "bitrate": "\#(200 + 150 * $0) kbit/s" }"# }
    return """
      { "scenario": "Wide", "about": "A ladder of many variants.",
        "link": { "bandwidth": "3 Mbit/s" },
        "media": { "hls": { "ladder": [\(ladder.joined(separator: ","))],
          "duration": "\(seconds) s", "segmentDuration": "4 s" } },
        \(more)
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
  }

  @Test func `a search for the best of all choices counts against the event budget`() throws {
    let rule = #""player": { "policy": { "nextVariant": { "predictive": { "horizon": 8 } } } },"#
    for (rule, end) in [("", "finished"), (rule, "budget")] {
      try place.write(stream(rule + #""eventBudget": 1500,"#), to: "wide.json")
      let run = try place.run("run", "wide.json", "--format", "json")
      #expect(run.text.contains(#""end": "\#(end)""#), "\(rule): \(run.text.prefix(600))")
    }
    try place.write(stream(rule, variants: 32), to: "wide.json")
    #expect(try place.run("run", "wide.json", "--quiet").exitCode == 0)
  }

  @Test func `the oracle answers for a ladder of many variants in time`() throws {
    try place.write(stream("", seconds: Seeds.count(24, inRelease: 400)), to: "wide.json")
    let run = try place.run("run", "wide.json", "--oracle")
    #expect(run.exitCode == 0 && run.text.contains("pensieveLinear"), "\(run.text)")
  }

  /// 20 s of 1 Mbit/s at the last 0.8 Mbit/s take 25 s, of which 5 s are needed ahead.
  @Test(arguments: [14, 30, 141])
  func `the oracle begins where an offset leads, behind the end of a schedule that holds`(
    offset: Int
  ) throws {
    try place.write(
      """
      { "scenario": "Late", "about": "Begins behind the schedule.",
        "link": { "schedule": { "offset": "\(offset) s", "then": "hold", "steps": [
          { "for": "4 s", "bandwidth": "8 Mbit/s" }, { "for": "5 s", "bandwidth": "500 kbit/s" },
          { "for": "5 s", "bandwidth": "800 kbit/s" } ] } },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "late.json")
    let run = try place.run("run", "late.json", "--oracle", "--panel", "none")
    #expect(run.text.contains("\nbest start     5.000 s without a stall\n"), "\(run.text)")
  }

  /// In a debug build these took minutes, since each step looked at all others.
  @Test(arguments: ["loaded >= 0.3 s", "paused", "currentTime >= %d ms"])
  func `many conditions that come true at one instant are done in time`(when: String) throws {
    let count = Seeds.count(3_000, inRelease: 20_000)
    let steps = (0..<count).map { number in
      let condition = when.replacing("%d", with: "\(3_000 - number * 2_000 / count)")
      return #"{ "when": "\#(condition)", "do": "setRate", "rate": 1 }"#
    }
    try place.write(
      """
      { "scenario": "Many", "about": "Steps.", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "1 s", "do": "seek", "to": "3.5 s" },
          \(steps.joined(separator: ",\n")) ] }
      """, to: "many.json")
    let run = try place.run("run", "many.json", "--trace", "many.trace", "--quiet")
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(try place.read("many.trace").components(separatedBy: #""app""#).count > count)
  }

  @Test func `a list that is too long is refused before its elements are read`() throws {
    let players = (0..<5_000).map { #"{ "name": "p\#($0)" }"# }.joined(separator: ",")
    try place.write(
      shortScenario().replacing(#""seed": 7,"#, with: #""players": [\#(players)],"#),
      to: "players.json")
    let run = try place.run("validate", "players.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.contains("the list has 5000 players (expected at most 16)"))
    #expect(run.errorText.hasSuffix("Error: 'players.json' has a mistake.\n"), "\(run.errorText)")
  }

  /// Asked again a nanosecond later, ever and ever.
  /// A thousand values of one setting and of another are a million policies, which took 3.6 GB
  /// before they were counted.
  @Test func `settings that vary into too many policies are refused before they are made`() throws {
    let seconds = (1...1_000).map { "\($0)s" }.joined(separator: ",")
    let seeds = (1...1_000).map { "\($0)" }.joined(separator: ",")
    let run = try place.run(
      "compare", "short.json", "--vary", "player.preferredForwardBufferDuration=\(seconds)",
      "--vary", "seed=\(seeds)")
    #expect(run.exitCode == 64)
    #expect(
      run.errorText.contains("a study can have 20000 policies, which is less than 1000 × 1000."))
    try place.write(
      #"{ "study": "a", "about": "b", "scenarios": [ "short.json" ], "vary": { "#
        + #""player.preferredForwardBufferDuration": ["#
        + (1...1_000).map { #""\#($0) s""# }.joined(separator: ",") + #"], "seed": ["# + seeds
        + "] } }", to: "study.json")
    let study = try place.run("compare", "study.json")
    #expect(study.exitCode == 65)
    #expect(study.errorText.contains("study.json:1:"))
    #expect(study.errorText.contains("which is less than 1000 × 1000"))
  }

  @Test func `answers of a process count against the event budget`() throws {
    try place.write(
      #"""
      n=0
      while read -r l; do
        case $l in
          *'"ask"'*) n=$((n + 1))
            t=${l#*'"now":'}; t=$(awk "BEGIN { printf \"%.9f\", ${t%%,*} + 1e-9 }")
            echo "{\"answer\":$n,\"value\":false,\"until\":$t}" ;;
          *'"goldilocks"'*) echo '{"version":1}' ;;
        esac
      done
      """#, to: "eager.sh")
    try place.write(
      """
      { "scenario": "Eager", "about": "Asks ever again.", "eventBudget": 5000,
        "link": { "bandwidth": "1 Mbit/s" },
        "media": { "progressive": { "duration": "60 s", "bitrate": "2 Mbit/s" } },
        "player": { "policy": { "command": ["sh", "eager.sh"] } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "eager.json")
    let run = try place.run("run", "eager.json", "--allow-commands", "--trace", "t", "--quiet")
    #expect([0, 65].contains(run.exitCode), "\(run.errorText)")
    let answers = try place.read("t").components(separatedBy: #""event":"policyAnswer""#).count - 1
    #expect(answers <= 101)
  }

  // MARK: Files that are read

  private func writeInputs() throws {
    try place.write("0,3M\n4,1M\n", to: "a.csv")
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n", to: "v.m3u8")
    try place.write(
      """
      { "scenario": "Named", "about": "Names files.", "link": { "trace": { "file": "a.csv" } },
        "media": { "hls": { "playlists": "v.m3u8" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "named.json")
    #expect(
      try place.run("test", "named.json", "--baseline", "base.json", "--update-baseline").exitCode
        == 1)
    try place.write(#"{ "budgets": [ { "stallCount": 9 } ] }"#, to: "budgets.json")
  }

  @Test(arguments: [
    (["run", "named.json", "--trace"], ["a.csv", "./v.m3u8", "named.json"]),
    (["run", "named.json", "--html"], ["a.csv", "./v.m3u8", "named.json"]),
    (
      ["resilience", "named.json", "--every", "9 s", "--html"], ["a.csv", "./v.m3u8", "named.json"]
    ),
    (
      ["test", "named.json", "--baseline", "base.json", "--budgets", "budgets.json", "--junit"],
      ["a.csv", "v.m3u8", "named.json", "base.json", "budgets.json"]
    ),
    (
      ["test", "named.json", "--baseline", "base.json", "--budgets", "budgets.json", "--html"],
      ["a.csv", "v.m3u8", "named.json", "base.json", "budgets.json"]
    ),
    (
      ["test", "named.json", "--baseline", "base.json", "--last-failed"],
      ["a.csv", "v.m3u8", "named.json", "base.json"]
    ),
  ])
  func `a file that is read is not written over`(command: [String], inputs: [String]) throws {
    try writeInputs()
    for input in inputs {
      let before = try place.read(input)
      let run = try place.run(command + [input])
      #expect(run.exitCode == 64, "\(input): \(run.errorText)")
      #expect(
        run.errorText.contains("which is read") || run.errorText.contains("write the same file"))
      #expect(try place.read(input) == before)
    }
    let run = try place.run(command + ["-"])
    #expect(run.exitCode == 64 && run.errorText.contains("needs a file of its own"))
    #expect(try !place.names().contains("-"))
    #expect(try place.run(command + ["fresh"]).exitCode == 0)
    #expect(try place.run(command + ["fresh"]).exitCode == 0)
  }

  @Test(arguments: ["Remember the milk.\n", "{}\n", "short.json\nsee short.json for more\n"])
  func `a file that is no list of scenarios does not become the list`(text: String) throws {
    try place.write(shortScenario(), to: "short.json")
    try place.write(text, to: "note.txt")
    let run = try place.run("test", "short.json", "--last-failed", "note.txt")
    #expect(run.exitCode == 64 && run.errorText.contains("'note.txt', which lists no scenarios"))
    #expect(try place.read("note.txt") == text)
    // Scenarios that are gone may be listed.
    try place.write("gone.json [3G]\nshort.json\n", to: "note.txt")
    #expect(try place.run("test", "short.json", "--last-failed", "note.txt").exitCode == 0)
    #expect(try place.read("note.txt").isEmpty)
  }

  @Test func `a result that can have no folder is refused before the sessions are run`() throws {
    try place.write(shortScenario(), to: "short.json")
    for option in ["--html", "--sessions"] {
      let run = try place.run(["compare", "short.json", option, "short.json/file"])
      #expect(run.exitCode == 74 && run.text.isEmpty, "\(run.text)")
      #expect(
        run.errorText == "Error: 'short.json/file' cannot be written: Not a directory.\n")
    }
  }

  @Test(arguments: [
    "run short.json --html", "run short.json --trace", "play short.json --html",
    "test short.json --html", "test short.json --junit", "test short.json --last-failed",
    "test short.json --update-baseline --baseline", "compare short.json --html",
    "compare short.json --sessions", "compare short.json --checkpoint", "import hls p.m3u8 -o",
    "init", "export link short.json --as tc --out",
  ])
  func `the folder of an output is made, and goes again where the output does not come`(
    words: String
  ) throws {
    try place.write(shortScenario(), to: "short.json")
    try place.write("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n", to: "p.m3u8")
    let before = try place.names()
    var command = Command(
      "-c", "ulimit -f 0; exec \"$0\" \(words) no/such/file.json >/dev/null 2>&1")
    command.folder = place.folder
    // A checkpoint and a baseline keep their folders, as a study or a recording goes on in them,
    // and an empty list can be written.
    if !["--checkpoint", "--baseline", "--last-failed"].contains(where: { words.hasSuffix($0) }) {
      #expect(try command.runShell().exitCode == 74)
      #expect(try place.names() == before)
    }
    let run = try place.run(words.split(separator: " ").map { String($0) } + ["no/such/file.json"])
    #expect(run.exitCode == (words.contains("--update-baseline") ? 1 : 0), "\(run.errorText)")
    #expect(try place.names().contains { $0.hasPrefix("no/such/file.json") })
  }

  @Test(arguments: [
    ["run", "short.json", "--trace", "one", "--html", "./one"],
    ["test", "short.json", "--junit", "one", "--html", "one"],
    ["test", "short.json", "--last-failed", "one", "--junit", "one"],
  ])
  func `two results of one run do not go to one file`(command: [String]) throws {
    let run = try place.run(command)
    #expect(run.exitCode == 64 && run.errorText.contains("would write the same file"))
    #expect(try !place.names().contains("one"))
  }

  @Test func `two that record in one baseline at once both have their scenarios in it`() throws {
    let names = (0..<6).map { "s\($0).json" }
    for name in names { try place.write(shortScenario(name: name), to: name) }
    for round in 0..<Seeds.count(4, inRelease: 20) {
      let file = "base\(round).json"
      var command = Command(
        "-c",
        names.map { #""$0" test \#($0) --baseline \#(file) --update-baseline & "# }.joined()
          + "wait")
      command.folder = place.folder
      _ = try command.runShell()
      let text = try place.read(file)
      for name in names { #expect(text.contains(name), "\(name) is missing: \(text)") }
    }
  }

  // MARK: Broken traces

  @Test func `a broken trace is blamed, whichever of the two it is`() throws {
    _ = try place.run("run", "short.json", "--quiet", "--trace", "good")
    let lines = try place.read("good").split(separator: "\n").map { String($0) }
    func write(_ name: String, _ change: (inout [String]) -> Void) throws {
      var lines = lines
      change(&lines)
      try place.write(lines.joined(separator: "\n") + "\n", to: name)
    }
    try write("cut") { $0[4] = String($0[4].dropLast(5)) }
    try write("nameless") { $0[5] = "[1]" }
    try write("headless") { $0.removeFirst() }
    for (name, words) in [
      ("cut", "cut: line 5: this line is broken"), ("nameless", "nameless: line 6: "),
      ("headless", "headless: line 1: this is no trace"),
    ] {
      for pair in [[name, "good"], ["good", name], [name, name]] {
        let run = try place.run(["diff"] + pair)
        #expect(run.exitCode == 65 && run.errorText.contains(words), "\(pair): \(run.errorText)")
        #expect(!run.errorText.contains("good:"))
      }
    }
    for (name, more) in [("more", #""more":1,"#), ("twice", #""seed":7,"#)] {
      try write(name) { $0[0] = $0[0].replacing(#""tool""#, with: more + #""tool""#) }
      let run = try place.run("diff", "good", name)
      #expect(run.exitCode == 1 && run.text.contains("headers have other members"), "\(run.text)")
      #expect(try place.run("replay", name).exitCode == 1)
    }
  }

  // MARK: What others read

  @Test func `a control character reaches no log of GitHub`() throws {
    try place.write(
      shortScenario(
        name: #"a\u001b[2Jb"#, expecting: #"{ "stallCount": { "atLeast": 3 } }"#),
      to: "odd.json")
    try place.write(
      try place.read("odd.json").replacing("A short file.", with: #"b\u001b[1m\u202ec"#),
      to: "odd.json")
    let run = try place.run("test", "odd.json", "--format", "github")
    #expect(run.exitCode == 1 && run.text.contains("::error"))
    #expect(!run.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(run.text)")
  }

  @Test func `no name means anything to Markdown`() throws {
    let name = "[a](http://b) <i>&amp;`c`</i> |*_#!~"
    let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    try place.write(
      """
      { "study": "Short", "scenarios": ["short.json"], "by": ["link"],
        "policies": [ "own", { "name": \(quoted), "set": { "player.heuristic": "immediate" } } ],
        "baseline": \(quoted),
        "links": [ { "name": \(quoted), "link": { "bandwidth": "1 Mbit/s" } } ] }
      """, to: "study.json")
    let run = try place.run("compare", "study.json", "--format", "markdown", "--draws", "40")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let escaped = ##"\[a\]\(http://b\) \<i\>\&amp;\`c\`\</i\> \|\*\_\#\!\~"##
    #expect(run.text.contains("| \(escaped)"), "\(run.text)")
    #expect(run.text.contains("### link \(escaped)\n"))
    #expect(run.text.replacing(escaped, with: "").contains("[a]") == false)
  }

  @Test func `a link in a folder of recordings does not lead out of it`() throws {
    try place.writeStudy()
    let secret = try Workplace()
    try secret.write("secret words\n", to: "secret.csv")
    try FileManager.default.createSymbolicLink(
      at: place.folder.appending(path: "drives/c.csv"),
      withDestinationURL: secret.folder.appending(path: "secret.csv"))
    let run = try place.run("compare", "one.json", "--links", "drives")
    #expect(run.exitCode == 65 && run.errorText.contains("lies outside"), "\(run.errorText)")
    #expect(!run.errorText.contains("secret words"))
    let allowed = try place.run(
      "compare", "one.json", "--links", "drives", "--allow-path", secret.folder.path)
    #expect(allowed.errorText.contains("secret words"))
  }

  @Test(arguments: [("main.m3u8", 2), ("low.m3u8", 3)])
  func `a playlist that is not UTF-8 is shown with its line`(file: String, line: Int) throws {
    try place.write(
      "#EXTM3U\n# x\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nlow.m3u8\n", to: "p/main.m3u8")
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,x\na.ts\n#EXT-X-ENDLIST\n", to: "p/low.m3u8")
    try place.write(
      shortScenario().replacing(
        /"media": .*/, with: #""media": { "hls": { "playlists": "p/main.m3u8" } },"#),
      to: "p.json")
    #expect(try place.run("validate", "p.json").exitCode == 0)
    let path = place.folder.appending(path: "p/\(file)")
    var bytes = Array(try Data(contentsOf: path))
    let victim = try #require(bytes.lastIndex(of: UInt8(ascii: "x")))
    if file == "main.m3u8" { bytes[10] = 0xFF } else { bytes[victim] = 0xFF }
    try Data(bytes).put(at: path)
    let run = try place.run("validate", "p.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.contains("p/\(file):\(line):"), "\(run.errorText)")
    #expect(run.errorText.contains("the line is not UTF-8"))
  }
}

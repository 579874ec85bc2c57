import Foundation
import TestSupport
import Testing

/// What a study reads, and the places that it may write to.
@Suite(.besideOthers) struct StudyInputTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(), to: "one.json")
    for (name, rate) in [("a.csv", "1M"), ("b.csv", "3M")] {
      try place.write("0,\(rate)\n8,600k\n", to: name)
    }
    try place.write(scenario(link: #"{ "trace": { "file": "a.csv" } }"#), to: "traced.json")
  }

  private func scenario(link: String, player: String = "{}") -> String {
    """
    { "scenario": "Traced", "about": "Six seconds.", "link": \(link), "player": \(player),
      "media": { "progressive": { "duration": "6 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ] }
    """
  }

  private func study(link: String) -> String {
    """
    { "study": "Links", "scenarios": ["one.json"], "heuristics": ["own", "immediate"],
      "links": [ { "name": "cell", "link": \(link) } ] }
    """
  }

  /// A policy that starts at once.
  private let hasty = #"""
    n=0
    while read -r l; do
      case $l in
        *'"ask"'*) n=$((n + 1)); echo "{\"answer\":$n,\"value\":true}" ;;
        *'"goldilocks"'*) echo '{"version":1}' ;;
      esac
    done

    """#

  // MARK: The digest

  /// A thread reads the playlists once for its sessions, and each session's trace holds them.
  @Test(
    arguments: Seeds.cases(of: [
      "understated-bandwidth", "real-playlists", "hls-live-real-playlists",
      "errors-a-gap-in-a-playlist",
    ]), ["1", "2"])
  func `each session of real playlists has the digest that a run of it prints`(
    name: String, jobs: String
  ) throws {
    let file = Checkout.at("Scenarios/real-playlists/\(name).json").path
    let horizons = [25, 26, 27, 28]
    let study = try place.run(
      "compare", file, "--policies", "own", "--jobs", jobs, "--digests", "--sessions", "all.jsonl",
      "--vary", "horizon=" + horizons.map { "\($0)s" }.joined(separator: ","))
    #expect(study.exitCode == 0, "\(study.errorText)")
    let digests = try place.read("all.jsonl").split(separator: "\n").compactMap { line in
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return row?["digest"] as? String
    }
    var runs: [String] = []
    for horizon in horizons {
      let run = try place.run("run", file, "--set", "horizon=\(horizon)s", "--format", "json")
      let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
      let scenarios = try #require(object?["scenarios"] as? [[String: Any]])
      runs += scenarios.compactMap { $0["digest"] as? String }
    }
    #expect(Set(runs).count == horizons.count && digests == runs)
  }

  @Test(
    arguments: Seeds.cases(of: [
      (
        #"{ "trace": { "file": "a.csv", "offset": "0 s" } }"#,
        #"{ "trace": { "file": "a.csv", "offset": "2 s" } }"#
      ),
      (
        #"{ "trace": { "file": "a.csv" }, "delay": "10 ms" }"#,
        #"{ "trace": { "file": "a.csv" }, "delay": "11 ms" }"#
      ),
      (#"{ "trace": { "file": "a.csv" } }"#, #"{ "trace": { "file": "b.csv" } }"#),
    ]))
  func `a link that a study describes is another one with every part of it`(
    one: String, other: String
  ) throws {
    for (text, code) in [(one, 0), (one, 0), (other, 65)] as [(String, Int32)] {
      try place.write(study(link: text), to: "study.json")
      let run = try place.run("compare", "study.json", "--checkpoint", "kept")
      #expect(run.exitCode == code, "\(run.errorText)")
    }
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        (#"{ "trace": { "file": "b.csv", "offset": "1 s" } }"#, []),
        (#"{ "trace": { "offset": "1 s", "file": "b.csv" } }"#, []),
        (#"{ "trace": { "file": "a.csv" } }"#, ["--vary", "link.trace.file=a.csv,b.csv"]),
        (#"{ "trace": { "file": "a.csv" } }"#, ["--set", "link.trace.file=b.csv"]),
      ] as [(String, [String])]))
  func `a recording that any session reads belongs to the study`(
    link: String, options: [String]
  ) throws {
    try place.write(study(link: link), to: "study.json")
    let input = options.isEmpty ? "study.json" : "traced.json"
    let command = ["compare", input, "--checkpoint", "kept"] + options
    #expect(try place.run(command).exitCode == 0)
    #expect(try place.run(command).errorText.contains("come from 'kept'"))
    try place.write("0,2M\n5,700k\n", to: "b.csv")
    let changed = try place.run(command)
    #expect(changed.exitCode == 65 && changed.errorText.contains("of another study"))
    try place.write("0,3M\n8,600k\n", to: "b.csv")
    #expect(try place.run(command).exitCode == 0)
  }

  @Test func `a recording as a link counts by its content, wherever it lies`() throws {
    let command = ["compare", "one.json", "--checkpoint", "kept", "--links"]
    try place.write("0,1M\n8,600k\n", to: "elsewhere/a.csv")
    #expect(try place.run(command + ["a.csv"]).exitCode == 0)
    #expect(try place.run(command + ["elsewhere/a.csv"]).exitCode == 0)
    try place.write("0,1M\n8,601k\n", to: "elsewhere/a.csv")
    #expect(try place.run(command + ["elsewhere/a.csv"]).exitCode == 65)
  }

  @Test(arguments: [#""policy": { "command": ["sh", "mine.sh"] }"#, ""])
  func `the program that a policy names belongs to the study`(player: String) throws {
    try place.write(hasty, to: "mine.sh")
    try place.write(
      scenario(link: #"{ "bandwidth": "2 Mbit/s" }"#, player: "{ \(player) }"), to: "mine.json")
    let described =
      #"{ "name": "mine", "policy": { "command": ["sh", "mine.sh"] } }"#
    try place.write(
      #"{ "study": "Mine", "scenarios": ["mine.json"], "policies": [\#(described)] }"#,
      to: "study.json")
    let input = player.isEmpty ? ["study.json"] : ["mine.json", "--heuristics", "own"]
    let command = ["compare", "--allow-commands"] + input
    let kept = command + ["--checkpoint", "kept"]
    let first = try place.run(kept)
    #expect(first.exitCode == 0, "\(first.errorText)")
    #expect(try place.run(kept).errorText.contains("come from 'kept'"))
    let refused = try place.run(command + ["--sessions", "mine.sh"])
    #expect(refused.exitCode == 64 && refused.errorText.contains("which is read"))
    try place.write(hasty + "# Another one.\n", to: "mine.sh")
    #expect(try place.run(kept).exitCode == 65)
  }

  // MARK: What is written

  @Test(
    arguments: Seeds.cases(of: [
      (["traced.json"], "a.csv"),
      (["traced.json", "--vary", "link.trace.file=a.csv,b.csv"], "b.csv"),
      (["one.json", "--links", "a.csv,b.csv"], "b.csv"),
      (["traced.json", "--set", "link.trace.file=b.csv"], "./b.csv"), (["one.json"], "one.json"),
    ]))
  func `a file that a session reads is not written over`(
    arguments: [String], input: String
  ) throws {
    let before = try place.read(input)
    for option in ["--sessions", "--checkpoint"] {
      let run = try place.run(["compare"] + arguments + [option, input])
      #expect(run.exitCode == 64 && run.errorText.contains("which is read"), "\(run.errorText)")
      #expect(try place.read(input) == before)
    }
  }

  @Test(
    arguments: Seeds.cases(of: [
      "link.delay=5", "link.bandwith=1 Mbit/s", "link.delay=", "link=7", "link[0]=1",
      "link.outages[0].from=soon", "link.loss=200 %",
    ]))
  func `a faulty setting of several links is an error and no crash`(setting: String) throws {
    let run = try place.run("compare", "one.json", "--links", "3G,DSL,a.csv", "--set", setting)
    #expect(run.exitCode == (setting == "link.delay=" ? 0 : 65), "\(run.errorText)")
    #expect(!run.errorText.contains("crashed"))
    if run.exitCode != 0 { #expect(run.errorText.contains("with \(setting)")) }
  }

  @Test func `two results do not go to one file, and none stands among the others`() throws {
    #expect(try place.run("compare", "one.json", "--checkpoint", "cc").exitCode == 0)
    let kept = try place.read("cc")
    for (one, other) in [("cc", "cc"), ("cc", "./cc"), ("new", "new"), ("new", "./new")] {
      let run = try place.run("compare", "one.json", "--checkpoint", one, "--sessions", other)
      #expect(run.exitCode == 64 && run.errorText.contains("would write the same file"))
    }
    #expect(try place.read("cc") == kept)
    for option in ["--sessions", "--checkpoint"] {
      let run = try place.run("compare", "one.json", option, "-")
      #expect(run.exitCode == 64 && run.errorText.contains("needs a file of its own"))
    }
    #expect(try place.run("merge", "cc", "--sessions", "-").exitCode == 64)
    #expect(try place.names().allSatisfy { $0 != "-" && $0 != "new" })
  }
}

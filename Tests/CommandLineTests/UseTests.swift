import Foundation
import TestSupport
import Testing

/// Defects that people met who used the command from its README alone.
@Suite(.besideOthers) struct UseTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.writeStudy()
  }

  private func scenario(_ member: String, when condition: String = "playing") -> String {
    """
    { "scenario": "A", "about": "b", \(member),
      "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" }, { "when": "\(condition)", "do": "pause" } ],
      "expect": [ { "stallCount": 0 } ] }
    """
  }

  // MARK: compare

  @Test(
    arguments: Seeds.cases(of: [
      (#""delay": "30 ms""#, "link.delay=30 ms"),
      (
        #""downlink": { "delay": "80 ms" }, "uplink": { "delay": "10 ms" }"#,
        "link.downlink.delay=80 ms, link.uplink.delay=10 ms"
      ),
    ]))
  func `a recording keeps the scenario's delay, and that is said`(
    delays: String, words: String
  ) throws {
    let link = "\"link\": { \"bandwidth\": \"2 Mbit/s\", \(delays) }"
    try place.write(scenario(link), to: "late.json")
    try place.write("time,kbps\n0,2000\n", to: "flat.csv")
    let command = ["compare", "late.json", "--heuristics", "immediate,own", "--format=json"]
    let own = try place.run(command)
    let recorded = try place.run(command + ["--links", "flat.csv"])
    #expect(recorded.errorText.contains("keep the delay of each scenario: \(words)\n"))
    func startup(_ run: CommandRun) throws -> [Double?] {
      let answer = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
      return (answer?["policies"] as? [[String: Any]] ?? []).map { policy in
        let figures = policy["figures"] as? [String: [String: Any]]
        return figures?["startupDelaySeconds"]?["mean"] as? Double
      }
    }
    #expect(try startup(own) == startup(recorded))
    #expect(try startup(own).first != .some(0))
  }

  @Test func `--repeat lets a recording begin again`() throws {
    try place.write("time,kbps\n0,2000\n1,0\n", to: "ends.csv")
    let command = [
      "compare", "one.json", "--links", "ends.csv", "--heuristics", "everythingLoaded",
      "--format=csv",
    ]
    #expect(try place.run(command).text.contains("everythingLoaded,startupDelaySeconds,s,1,0,1,0"))
    let again = try place.run(command + ["--repeat"])
    #expect(again.text.contains("everythingLoaded,startupDelaySeconds,s,1,1,0,0"))
    #expect(!again.errorText.contains("last value"))
  }

  @Test func `a setting varies below a preset, and an exact name is suggested`() throws {
    let run = try place.run(
      "compare", "one.json", "--policies", "avfoundation,hls.js 1.6", "--vary",
      #"player.policy.start={"media":"1 s"},{"media":"3 s"}"#)
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.text.contains("2 policies") || run.text.contains("4 policies"), "\(run.text)")
    for (name, preset) in [("exoplayer", "Media3 1.6"), ("AVPlayer", "avfoundation")] {
      let wrong = try place.run("compare", "one.json", "--policies", name)
      #expect(wrong.exitCode == 64 && wrong.errorText.contains(preset), "\(wrong.errorText)")
    }
  }

  @Test func `what cannot have an effect on policies is refused`() throws {
    let run = try place.run(
      "compare", "one.json", "--policies", "avfoundation,hls.js 1.6", "--set",
      #"player.policy.start={"media":"1 s"}"#)
    #expect(run.exitCode == 64 && run.errorText.contains("--vary"), "\(run.errorText)")
  }

  @Test func `regret says what it is held against, or why it is no number`() throws {
    let run = try place.run(
      "compare", "stream.json", "--links", "3G", "--policies", "avfoundation", "--objective",
      "pensieveLinear", "--regret")
    #expect(
      run.exitCode == 0 && run.errorText.contains("regretSeconds has no number: "),
      "\(run.errorText)")
    // No session has a value: the column is left out.
    #expect(!run.text.contains("regret, s"), "\(run.text)")
  }

  /// 30 Mbit arrive in 10 s and as many in 30 s more, for 30 s of media: 10 s are waited.
  @Test func `regret in seconds says what its bound leaves out`() throws {
    try place.write(
      """
      { "scenario": "a", "about": "b",
        "link": { "schedule": { "steps": [ { "for": "10 s", "bandwidth": "3 Mbit/s" },
          { "for": "1000 s", "bandwidth": "1 Mbit/s" } ], "then": "hold" } },
        "media": { "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } },
        "player": { "preferredForwardBufferDuration": "5 s" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "limited.json")
    let run = try place.run("compare", "limited.json", "--policies", "own", "--regret")
    #expect(
      run.errorText.contains(
        "regretSeconds is held against a bound of 10.000, which may be out of reach (the limit to "
          + "what lies ahead is left out)"), "\(run.errorText)")
  }

  @Test func `a regret that another policy lacks has its reason`() throws {
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1 Mbit/s" },
        "media": { "hls": { "duration": "32 s", "segmentDuration": "4 s",
          "audio": [ { "name": "en", "bitrate": "128 kbit/s" } ],
          "ladder": [ { "bitrate": "1.2 Mbit/s" } ] } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "apart.json")
    let run = try place.run("compare", "apart.json", "--policies", "Media3 1.6,BOLA", "--regret")
    #expect(
      run.errorText.contains(
        "note: a, own, BOLA: regretSeconds has no number: the player reads ahead by bytes, "),
      "\(run.errorText)")
    // The policy that comes first has no regret at all: the next one says the bound.
    let other = try place.run(
      "compare", "apart.json", "--policies", "Shaka 5.2,Media3 1.6", "--regret", "--objective",
      "pensieveLinear")
    #expect(
      other.errorText.contains(
        "note: a, own, Media3 1.6: pensieveLinearRegret is held against a bound of -34.116, "),
      "\(other.errorText)")
  }

  @Test func `rows of several settings show where they differ`() throws {
    let run = try place.run(
      "compare", "one.json", "--links", "drives", "--policies", "avfoundation,hls.js 1.6",
      "--vary", "player.preferredForwardBufferDuration=2s,5s", "--vary",
      #"player.policy.start={"media":"1 s"},{"media":"3 s"}"#, "--width=100")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let blocks = run.text.split(separator: "\n", omittingEmptySubsequences: false)
      .split { !$0.hasPrefix("avfoundation ") && !$0.hasPrefix("hls.js 1.6 ") }
    let names = blocks.map { $0.map { $0.split(separator: "   ")[0] } }
    #expect(names.first?.first == "avfoundation 2s media:1 s *", "\(run.text)")
    #expect(names.count >= 4 && names.allSatisfy { Set($0).count == $0.count }, "\(run.text)")
  }

  // MARK: Words

  @Test(
    arguments: Seeds.cases(of: [
      ("ahead >= 1 s", "bufferAhead >= 1 s"), ("bufferFull", "isPlaybackBufferFull"),
      ("likelyToKeepUp", "isPlaybackLikelyToKeepUp"), ("bufferEmpty", "isPlaybackBufferEmpty"),
      ("playbackBufferFull", "isPlaybackBufferFull"),
    ]))
  func `a condition has the property's name, and the older one is read`(
    old: String, now: String
  ) throws {
    let link = #""link": { "bandwidth": "900 kbit/s" }"#
    var screens: [String] = []
    for condition in [old, now] {
      try place.write(scenario(link, when: condition), to: "when.json")
      let run = try place.run("run", "when.json", "--panel", "none")
      #expect(run.exitCode == 0, "\(run.errorText)")
      screens.append(run.text)
    }
    #expect(screens[0].split(separator: "\n").count == screens[1].split(separator: "\n").count)
    try place.write(scenario(link, when: "nonsense"), to: "when.json")
    #expect(try place.run("validate", "when.json").errorText.contains("isPlaybackBufferFull"))
  }

  @Test func `AVFoundation's words are read`() throws {
    let text = scenario(#""link": { "bandwidth": "900 kbit/s" }"#).replacingOccurrences(
      of: #"{ "stallCount": 0 }"#,
      with: #"{ "at": { "event": "app" }, "timeControlStatus": "waitingToPlayAtSpecifiedRate" }"#)
    try place.write(text, to: "words.json")
    #expect(try place.run("validate", "words.json").exitCode == 0)
  }

  @Test func `an element of a list may be named with dots`() throws {
    for path in ["script[0].at", "script.0.at"] {
      let run = try place.run("run", "one.json", "--set", "\(path)=2 s", "--format=json")
      #expect(run.exitCode == 0, "\(run.errorText)")
      #expect(run.text.contains(#""pausedSeconds": 2"#), "\(run.text)")
    }
    let wrong = try place.run("run", "one.json", "--set", "script.7.at=2 s")
    #expect(wrong.errorText.contains("script has 1 element, and no [7]"), "\(wrong.errorText)")
    let named = try place.run("run", "one.json", "--set", "script.first=2 s")
    #expect(named.errorText.contains("script is a list: [0] is its first"), "\(named.errorText)")
  }

  @Test func `the screen names the recording, and how it ends`() throws {
    try place.write(scenario(#""link": { "trace": { "file": "drives/a.csv" } }"#), to: "t.json")
    let run = try place.run("run", "t.json", "--panel", "none")
    #expect(run.text.contains("the recording drives/a.csv: 3 steps in"), "\(run.text)")
  }

  @Test func `two moments of one tenth have headings of their own`() throws {
    let text = scenario(#""link": { "bandwidth": "9 Mbit/s", "delay": "1 ms" }"#)
      .replacingOccurrences(of: #""at": "0 s""#, with: #""at": "0.02 s""#)
    try place.write(text, to: "near.json")
    let run = try place.run("run", "near.json", "--panel", "all")
    let heads = run.text.split(separator: "\n").first { $0.contains(" s ") }.map(String.init) ?? ""
    let words = heads.split(separator: " ").filter { $0 != "s" }
    #expect(Set(words).count == words.count, "\(heads)")
  }

  @Test func `a scenario of playlists can be played where it was written to`() throws {
    let media = (0..<3).map { "#EXTINF:4,\ns\($0).ts\n" }.joined()
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(media)#EXT-X-ENDLIST\n", to: "hls/one.m3u8")
    var shell = Command("-c", "mkdir out; $0 import hls hls/one.m3u8 > out/film.json; $0 run out/*")
    shell.folder = place.folder
    let run = try shell.runShell()
    #expect(run.exitCode == 0 && !run.errorText.contains("--allow-path"), "\(run.errorText)")
    // From a folder beside it, only with an option, which is named.
    shell.folder = place.folder.appending(path: "out")
    shell.arguments = ["-c", "$0 import hls ../hls/one.m3u8 > b.json; $0 run b.json"]
    let refused = try shell.runShell()
    #expect(refused.exitCode == 65)
    let option = "note: '--allow-path ../hls/' lets the scenario be run from here\n"
    #expect(refused.errorText.contains(option), "\(refused.errorText)")
    shell.arguments[1] += " --allow-path ../hls/"
    #expect(try shell.runShell().exitCode == 0)
  }

  // MARK: Traces of folders

  @Test func `two folders of traces are compared by name`() throws {
    for (folder, delay) in [("a", "1 s"), ("b", "2 s")] {
      try FileManager.default.createDirectory(
        at: place.folder.appending(path: folder), withIntermediateDirectories: true)
      for (name, at) in [("same", "1 s"), ("other", delay)] {
        let options = ["--set", "script[0].at=\(at)", "--quiet"]
        _ = try place.run(
          ["run", "one.json", "--trace", "\(folder)/\(name).trace.jsonl"] + options)
      }
    }
    _ = try place.run("run", "one.json", "--trace", "b/new.trace.jsonl", "--quiet")
    let run = try place.run("diff", "a", "b")
    #expect(run.exitCode == 1)
    #expect(run.text.contains("b/new.trace.jsonl alone\n"), "\(run.text)")
    #expect(run.text.hasSuffix("1 of 3 traces the same\n"), "\(run.text)")
    #expect(try place.run("diff", "a", "a").exitCode == 0)
    #expect(try place.run("diff", "a", "b", "--format=json").exitCode == 1)
  }
}

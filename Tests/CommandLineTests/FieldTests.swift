import Foundation
import TestSupport
import Testing

/// `minimize` and `resilience` as their users call them.
@Suite(.besideOthers) struct FieldTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(
      """
      { "scenario": "Incident", "about": "A dip in the middle.", "seed": 3,
        "link": { "schedule": { "steps": [ { "for": "7 s", "bandwidth": "3100 kbit/s" },
          { "for": "13 s", "bandwidth": "310 kbit/s" }, { "for": "9 s", "bandwidth": "4 Mbit/s" } ],
          "then": "hold" }, "delay": "23 ms" },
        "media": { "hls": { "duration": "60 s", "ladder": [ { "bitrate": "1500 kbit/s" } ] } },
        "player": { "preferredForwardBufferDuration": "5 s" },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "40 s", "do": "pause" },
          { "at": "42 s", "do": "play" }, { "at": "45 s", "do": "setRate", "rate": 1.25 } ],
        "expect": [ { "startupDelay": { "atMost": "9 s" } }, { "stallCount": 0 } ] }
      """, to: "incident.json")
  }

  @Test func `a failing scenario becomes smaller, fails in the same place and runs again`() throws {
    let run = try place.run("minimize", "incident.json")
    #expect(run.exitCode == 0, "\(run.errorText)")
    try place.write(run.text, to: "small.json")
    #expect(run.errorText.contains(" bytes (−"))
    #expect(run.errorText.contains("kept: stallCount is too high; playback: played\n"))
    let test = try place.run("test", "small.json")
    #expect(test.exitCode == 1 && test.text.contains("stallCount 0"), "\(test.text)")
    let small = run.text
    #expect(!small.contains("startupDelay") && !small.contains("pause"))
    // The same bytes once more, and nothing left to take away.
    #expect(try place.run("minimize", "incident.json").text == small)
    #expect(try place.run("minimize", "small.json").text == small)
  }

  @Test func `the finding may be an expectation, a warning, an error or a difference`() throws {
    let json = try place.run(
      "minimize", "incident.json", "--keep", #"{ "bytesTransferred": { "atMost": "1 kB" } }"#,
      "--format", "json")
    #expect(json.text.contains(#""kept": "bytesTransferred is too high; playback: played""#))
    #expect(
      json.text.contains(#""isComplete": true"#) && json.text.contains(#""command": "minimize""#))
    let path = try place.run("minimize", "incident.json", "--keep", "expect[1]")
    #expect(path.exitCode == 0 && path.text.contains("stallCount"))
    let difference = try place.run(
      "minimize", "incident.json", "--keep", "difference", "--policies", "avfoundation,BOLA")
    #expect(difference.exitCode == 0 && !difference.text.contains("expect"))
    let warning = try place.run(
      "minimize", "incident.json", "--set", "requests.congestionControl=reno", "--keep",
      "warning: tcp")
    #expect(warning.exitCode == 0 && warning.text.contains("reno"), "\(warning.errorText)")
    let error = try place.run(
      "minimize", "incident.json", "--keep", "error", "--set",
      #"faults=[{ "status": 404, "url": "mediaSegment" }]"#)
    #expect(error.exitCode == 0 && error.text.contains("404"), "\(error.errorText)")
  }

  @Test(arguments: [
    (["incident.json", "--keep", "expect[0]"], 65, "does not show 'expect[0]'"),
    (["incident.json", "--keep", "expect[9]"], 65, "there is no 'expect[9]'"),
    (["incident.json", "--keep", "error"], 65, "does not show 'error'"),
    (["incident.json", "--keep", #"{ "stalCount": 0 }"#], 65, "did you mean “stallCount”"),
    (["incident.json", "--keep", #"{ "stallCount""#], 64, "it is no valid JSON"),
    (["incident.json", "--keep", "difference"], 64, "requires '--policies'"),
    (
      ["incident.json", "--keep", "difference", "--policies", "BOLA"], 64,
      "a difference is one between two policies"
    ),
    (["nothing.json"], 66, "no file or folder"),
  ])
  func `a finding that is not there is refused`(
    arguments: [String], code: Int32, words: String
  ) throws {
    let run = try place.run(["minimize"] + arguments)
    #expect(run.exitCode == code && run.text.isEmpty)
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }

  @Test func `Ctrl-C ends a search with the best so far`() throws {
    try place.write(
      """
      { "scenario": "Long", "about": "Takes long.", "fidelity": "tcp",
        "link": { "bandwidth": "6 Mbit/s" },
        "media": { "progressive": { "duration": "40 s", "bitrate": "5 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "bytesTransferred": "1 B" } ] }
      """, to: "long.json")
    var command = Command("minimize", "long.json")
    command.folder = place.folder
    let start = Date()
    command.interrupts = { Date().timeIntervalSince(start) > 2 }
    command.timeLimitSeconds = 300
    let run = try command.run()
    #expect(run.exitCode == 0 && run.text.hasPrefix("{\n"), "\(run.errorText)")
  }

  @Test(arguments: [
    (["explore", "--count", "1000000", "--keep", "error"], "interrupted: ", "of 1,000,000 variat"),
    (["resilience", "--every", "1 ms", "--format", "json"], "note: interrupted", "later"),
  ])
  func `Ctrl-C is told with what there is`(
    arguments: [String], words: String, more: String
  ) throws {
    var command = Command(arguments + ["incident.json"])
    command.folder = place.folder
    let start = Date()
    command.interrupts = { Date().timeIntervalSince(start) > 1 }
    command.timeLimitSeconds = 300
    let run = try command.run()
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.errorText.contains(words) && run.errorText.contains(more), "\(run.errorText)")
    #expect(run.text.contains(#""isComplete": false"#) == arguments.contains("json"))
  }

  @Test func `resilience shows the moments of playback as a table, CSV and JSON`() throws {
    let table = try place.run("resilience", "incident.json", "--every", "3 s")
    #expect(table.exitCode == 0, "\(table.errorText)")
    #expect(table.text.contains("media  ahead  outage  recovery"))
    let two = try place.run(
      "resilience", "incident.json", "--every", "5 s", "--policies", "own,BOLA", "--format", "csv")
    let lines = two.text.split(separator: "\n")
    #expect(
      lines.first
        == "policy,seconds,mediaSeconds,aheadSeconds,outageSeconds,recoverySeconds,dipBitsPerSecond"
    )
    #expect(lines.contains { $0.hasPrefix("own,5,") } && lines.contains { $0.hasPrefix("BOLA,5,") })
    let json = try place.run(
      "resilience", "incident.json", "--every", "5 s", "--format", "json", "--jobs", "1")
    let again = try place.run(
      "resilience", "incident.json", "--every", "5 s", "--format", "json", "--jobs", "3")
    #expect(json.text == again.text && json.text.contains(#""dipSeconds": 10"#))
    #expect(json.text.contains(#""isComplete": true"#))
  }

  @Test func `resilience takes all policies at once`() throws {
    try place.write(
      """
      { "scenario": "Clip", "about": "Short.", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "700 ms", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "clip.json")
    // No moment of so short a clip is looked at.
    let run = try place.run(
      "resilience", "clip.json", "--every", "100 s", "--policies", "all", "--format", "json")
    #expect(run.exitCode == 0, "\(run.errorText)")
    for name in ["avfoundation", "BOLA", "Pensieve RB"] {
      #expect(run.text.contains("\"policy\": \"\(name)\""), "\(name)")
    }
    let pair = try place.run("minimize", "clip.json", "--keep", "difference", "--policies", "all")
    #expect(pair.exitCode == 64 && pair.errorText.contains("a difference is one between two"))
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        ("play", "100 s", "No moment looked at lies in playback.\n"),
        ("play", "3 s", "No moment looked at lies in playback.\n"),
        ("pause", "100 s", "Nothing ever plays.\n"), ("pause", "1 ms", "Nothing ever plays.\n"),
      ] as [(String, String, String)]))
  func `resilience tells a clip between two moments from one that never plays`(
    verb: String, every: String, words: String
  ) throws {
    try place.write(
      """
      { "scenario": "Clip", "about": "Short.", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "700 ms", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0.2 s", "do": "\(verb)" } ] }
      """, to: "clip.json")
    let run = try place.run("resilience", "clip.json", "--every", every)
    #expect(run.exitCode == 0 && run.text.hasSuffix("\n\n" + words), "\(run.text)")
  }

  @Test func `resilience refuses spans and policies that mean nothing`() throws {
    for (option, value, words) in [
      ("--every", "0 s", "it must be above zero"), ("--dip", "soon", "invalid"),
      ("--every", "1 ns", "it makes more than 100000 moments"),
      ("--policies", "BOLO", "Did you mean 'BOLA'?"),
      ("--policies", "own,own", "The policy 'own' is named twice."),
    ] {
      let run = try place.run("resilience", "incident.json", option, value)
      #expect(run.exitCode == 64 && run.errorText.contains(words), "\(run.errorText)")
    }
    let change = ["--set", "player.policy=BOLA", "--every", "100 s"]
    for (policies, code) in [("avfoundation", Int32(64)), ("own,avfoundation", 0)] {
      let run = try place.run(["resilience", "incident.json", "--policies", policies] + change)
      #expect(run.exitCode == code)
      #expect(run.errorText.contains("'player.policy=BOLA' has no effect") == (code != 0))
    }
  }

  /// The scenario that `explore` prints fails for the reason that is named, with any thread count.
  @Test func `a variation that fails is found, made small and the same each time`() throws {
    let wanted = ["explore", "incident.json", "--keep", #"{ "stallCount": { "atMost": 9 } }"#]
    let more = try place.run(wanted + ["--count", "20", "--jobs", "1"])
    #expect(more.exitCode == 0 && more.text.isEmpty, "\(more.errorText)")
    #expect(more.errorText.contains("20 variations") && more.errorText.contains("nothing found"))
    let claim = #"{ "startupDelay": { "atMost": "5 s" } }"#
    let run = try place.run("explore", "incident.json", "--keep", claim, "--jobs", "1")
    #expect(run.exitCode == 1, "\(run.errorText)")
    #expect(run.errorText.contains("; variation "), "\(run.errorText)")
    try place.write(run.text, to: "found.json")
    let test = try place.run("test", "found.json")
    #expect(test.exitCode == 1 && test.text.contains("startupDelay"), "\(test.text)")
    let again = try place.run("explore", "incident.json", "--keep", claim, "--jobs", "3")
    #expect(again.text == run.text && again.errorText == run.errorText)
    let other = try place.run("explore", "incident.json", "--keep", claim, "--seed", "2")
    #expect(other.exitCode == 1 && other.errorText != run.errorText)
  }

  @Test func `the scenario itself is tried before its variations`() throws {
    let run = try place.run("explore", "incident.json")
    #expect(run.exitCode == 1 && run.errorText.contains("; the scenario itself: stallCount"))
    #expect(run.text == (try place.run("minimize", "incident.json").text))
  }

  @Test func `the worst value of a figure is kept with an expectation that it fails`() throws {
    let run = try place.run(
      "explore", "incident.json", "--worst", "stallCount", "--count", "60", "--format", "json")
    #expect(run.exitCode == 1 && run.text.contains(#""kept": "stallCount is too high"#))
    #expect(run.text.contains(#""variations": 60"#))
    let found = try place.run("explore", "incident.json", "--worst", "stallCount", "--count", "60")
    try place.write(found.text, to: "worst.json")
    let test = try place.run("test", "worst.json")
    #expect(test.exitCode == 1 && test.text.contains("stallCount"), "\(test.text)")
  }

  @Test func `a run that agrees with its trace has no inconsistency to keep`() throws {
    let run = try place.run("minimize", "incident.json", "--keep", "inconsistency")
    #expect(run.exitCode == 65 && run.errorText.contains("does not show 'inconsistency'"))
    let explored = try place.run(
      "explore", "incident.json", "--keep", "inconsistency", "--count", "20")
    #expect(explored.exitCode == 0 && explored.text.isEmpty, "\(explored.errorText)")
  }

  @Test(arguments: [
    (["--worst", "stalls"], 64, "there is no such figure"),
    (["--worst", "stalled", "--keep", "error"], 64, "exclude each other"),
    (["--count", "0"], 64, "a number from 1 to 1000000"),
    (["--seed", "-1"], 64, "a number from 0"),
    (["--keep", "expect[x]"], 64, "neither a path nor an expectation"),
    (["--keep", "expect[9]"], 65, "incident.json: there is no 'expect[9]'"),
    (["--policies", "own,BOLA"], 64, "requires '--policies', and only it"),
  ])
  func `a search that cannot be made is refused`(
    arguments: [String], code: Int32, words: String
  ) throws {
    let run = try place.run(["explore", "incident.json"] + arguments)
    #expect(run.exitCode == code && run.text.isEmpty)
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }
}

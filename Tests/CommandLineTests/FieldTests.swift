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
  }

  @Test func `resilience refuses spans and policies that mean nothing`() throws {
    for (option, value, words) in [
      ("--every", "0 s", "it must be above zero"), ("--dip", "soon", "invalid"),
      ("--every", "1 ns", "it makes more than 100000 moments"),
      ("--policies", "BOLO", "Did you mean 'BOLA'?"),
    ] {
      let run = try place.run("resilience", "incident.json", option, value)
      #expect(run.exitCode == 64 && run.errorText.contains(words), "\(run.errorText)")
    }
  }
}

import ExactText
import Foundation
import TestSupport
import Testing

/// `--set`: what the command line changes of scenarios.
@Suite(.besideOthers) struct SettingTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(), to: "one.json")
  }

  private func startup(_ settings: String...) throws -> Double? {
    let options = settings.flatMap { ["--set", $0] }
    let run = try place.run(["run", "one.json", "--format=json"] + options)
    let document = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let scenarios = document?["scenarios"] as? [[String: Any]]
    return scenarios?.first?["startupDelaySeconds"] as? Double
  }

  /// Four seconds of 1 Mbit/s; over a slower link the last second cannot be late: 4 − 4 × share
  /// have to be waited out, of which the tap comes 1 s after the request.
  @Test(arguments: Seeds.cases(of: [(250, 11.0), (400, 5), (500, 3), (625, 1.4), (800, 0)]))
  func `a setting takes the place of what the scenario says`(kilobits: Int, delay: Double) throws {
    #expect(try startup("link.bandwidth=\(kilobits) kbit/s") == delay)
    // Spaces between number and unit may be missing, and a later setting counts.
    #expect(try startup("link.bandwidth=9Mbit/s", "link.bandwidth=\(kilobits)kbit/s") == delay)
  }

  @Test(arguments: [
    (["link.delay=1 s", "link.delay=2 s"], true), (["link.delay=1 s", "link.loss=1 %"], false),
    ([#"link.delay=1 s"#, #"link={"bandwidth":"1 Mbit/s"}"#], true),
    ([#"link={"bandwidth":"1 Mbit/s"}"#, "link.delay=1 s"], false),
    (["link.bandwidth=", "link.bandwidth=1 Mbit/s"], false),
    (["link.delay=1 s", "seed=", "link.delay=2 s"], true),
    (
      [
        #"script[1]={"at":"2 s","do":"pause"}"#, "script[0]=",
        #"script[1]={"at":"3 s","do":"play"}"#,
      ], false
    ),
  ])
  func `a setting that a later one replaces is told`(settings: [String], isTold: Bool) throws {
    let run = try place.run(["run", "one.json", "--quiet"] + settings.flatMap { ["--set", $0] })
    let note = "note: '\(settings[0])' has no effect: a later '--set' replaces it\n"
    #expect(run.exitCode == 0 && run.errorText == (isTold ? note : ""), "\(run.errorText)")
  }

  @Test func `a setting makes the objects that are missing, and reaches into lists`() throws {
    #expect(try startup("player.policy.start.media=3 s", "link.bandwidth=1 Mbit/s") == 2)
    #expect(try startup("player.heuristic=everythingLoaded") == 1)
    #expect(try startup("script[0].at=0 s", "player.heuristic=everythingLoaded") == 2)
    #expect(try startup(#"link={"bandwidth": "500 kbit/s"}"#) == 3)
    #expect(try startup("script[0].at=4 s", "link.bandwidth=1Mbit/s") == 0)
  }

  @Test func `what a key takes as text needs no quotation marks though it looks like a number`()
    throws
  {
    for settings in [
      ["requests.http=2"], [#"requests.http="2""#], ["requests.http=1.1", "scenario=12"],
      ["about=true", "script[0].name=7"], ["media.progressive.duration=4s", "about=1e3"],
    ] {
      let options = settings.flatMap { ["--set", $0] }
      let run = try place.run(["run", "one.json", "--quiet"] + options)
      #expect(run.exitCode == 0, "\(settings): \(run.errorText)")
    }
    // What takes numbers still does, and what takes neither says so.
    #expect(try startup("seed=8") == startup())
    let wrong = try place.run("run", "one.json", "--set", "requests.http=3")
    #expect(wrong.exitCode == 65)
    #expect(wrong.errorText.contains("“3”"), "\(wrong.errorText)")
    let varied = try place.run(
      "compare", "one.json", "--vary", "requests.http=1.1,2", "--format=csv")
    #expect(varied.exitCode == 0, "\(varied.errorText)")
    #expect(varied.text.contains("requests.http=2,"))
  }

  @Test func `without a value, what the scenario says is left out`() throws {
    let wrong = #"expect=[{"stallCount": 1}]"#
    #expect(try place.run("test", "one.json", "--set", wrong).exitCode == 1)
    #expect(try place.run("test", "one.json", "--set", "expect=").exitCode == 0)
    let run = try place.run("run", "one.json", "--set", "link.bandwidth=", "--set", "seed=")
    #expect(run.exitCode == 0)
  }

  @Test(arguments: [
    ("player.rate=1", "player: unknown key “rate”"),
    ("link.bandwith=1 Mbit/s", "(did you mean “bandwidth”?)"),
    ("script[3].at=1 s", "script has 1 element, and no [3]"),
    ("about.x=1", "about is no object"), ("link[0]=1", "link is no list"),
    ("seed=1.5", "seed: found the number 1.5"),
  ])
  func `a setting that means nothing is wrong input`(setting: String, words: String) throws {
    let run = try place.run("run", "one.json", "--set", setting)
    #expect(run.exitCode == 65)
    #expect(run.errorText.contains("one.json with \(setting)"))
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }

  @Test(arguments: Seeds.cases(of: ["player", "=1", "a..b=1", "a[x]=1", "a[1=2", ".a=1"]))
  func `a setting that is no path and value is wrong usage`(setting: String) throws {
    #expect(try place.run("run", "one.json", "--set", setting).exitCode == 64)
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        ("player.obsevedBitrate=", 64, "no scenario has the key “obsevedBitrate” there, but “obs"),
        ("nope.foo=", 64, "no scenario has the key “nope” there"),
        ("link[0]=", 64, "no scenario has a list there"),
        ("media.progressive.bitrat=", 64, "but “bitrate”"),
        ("script[0].whn=", 64, "but “when”"), ("script.0.dooo=", 64, "the key “dooo” there"),
        ("script[7]=", 65, "one.json with script[7]=: script has 1 element, and no [7]"),
        ("script.7=", 65, "script has 1 element, and no [7]"),
        ("player.observedBitrate=", 0, ""), ("players[3].script=", 0, ""),
        ("link.downlink.delay=", 0, ""), ("script.0.after=", 0, ""),
        ("traffic[2].name=", 0, ""), ("script[0].rate=", 0, ""),
      ] as [(String, Int32, String)], few: 5))
  func `of what is left out the format knows the path`(
    setting: String, code: Int32, words: String
  ) throws {
    for verb in ["run", "compare"] {
      let run = try place.run(verb, "one.json", "--set", setting)
      let isSaid = words.isEmpty || run.errorText.contains(words)
      #expect(run.exitCode == code && isSaid, "\(run.errorText)")
    }
  }

  @Test func `everything else stays in its line`() throws {
    let text = "{\n  \"a\": [1, 2,\n    3],\n  \"b\": {\n    \"c\": \"d\"\n  }\n}"
    func edited(_ edits: String...) throws -> String {
      let document = try JSONValue(parsing: Array(text.utf8))
      let bytes = try document.edited(try edits.map { try JSONEdit($0) })
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try edited("a[1]=x") == text.replacingOccurrences(of: "2", with: "\"x\""))
    #expect(try edited("a[2]=") == text.replacingOccurrences(of: ",\n    3", with: ""))
    #expect(try edited("a[0]=") == text.replacingOccurrences(of: "1, ", with: ""))
    #expect(try edited("a[3]=4") == text.replacingOccurrences(of: "3]", with: "3, 4]"))
    #expect(
      try edited("b.e.f[0]=true")
        == text.replacingOccurrences(
          of: "{\n    \"c\"", with: "{\"e\":{\"f\":[true]}, \n    \"c\""))
    #expect(try edited("b.c=") == text.replacingOccurrences(of: "\"c\": \"d\"", with: ""))
    #expect(try edited("b=", "a=") == "{\n  }".replacingOccurrences(of: "\n  ", with: "\n  \n"))
  }

  // MARK: Recordings by name

  @Test func `a recording begins at an offset, and a script can change to one`() throws {
    // 10 s at 8 Mbit/s, then 1 Mbit/s for ever.
    try place.write("0,8M\n10,1M\n", to: "road.csv")
    let path = #"{"file": "road.csv", "offset": "10 s"}"#
    let all = "player.heuristic=everythingLoaded"
    #expect(try startup("link=" + #"{"trace": \#(path)}"#, all) == 3)
    for seconds in [9, 8, 7] {
      let late = "link.trace.offset=\(seconds) s"
      let part = #"link={"trace": {"file": "road.csv"}}"#
      #expect(try startup(part, late, all, "link.trace.then=hold") == 0)
    }
    let step = #"script=[{"at": "0 s", "do": "changeSchedule", "to": {"trace": \#(path)}}, "#
    #expect(
      try startup(
        step + #"{"at": "1 s", "do": "play"}]"#, "link.bandwidth=9 Mbit/s",
        all) == 3)
    #expect(
      try startup(
        #"link={"schedule": {"trace": {"file": "road.csv"}, "offset": "10 s"}}"#,
        all) == 3)
  }

  /// The intervals end with their lines, and so the recording begins at a second: 2 s of 4 Mbit/s,
  /// then 0.5 Mbit/s. Of 12 Mbit, what the offset leaves of 8 comes at once.
  @Test(arguments: [(0, 10_000), (1, 10_007), (500, 13_500), (1_000, 17_000), (1_999, 23_993)])
  func `an offset counts from the beginning of the recording`(
    milliseconds: Int, taken: Double
  ) throws {
    try place.write("time_ms,kbps\n1000,1000\n3000,4000\n6000,500\n", to: "late.csv")
    let trace = #""trace": {"file": "late.csv", "interval": "ends", "then": "hold""#
    let offset = #""offset": "\#(milliseconds) ms""#
    for link in [
      #"link={\#(trace), \#(offset)}}"#, #"link={"schedule": {\#(trace)}, \#(offset)}}"#,
    ] {
      let seconds = try startup(
        link, "player.heuristic=everythingLoaded", "media.progressive.duration=10 s",
        "media.progressive.bitrate=1200 kbit/s")
      // The tap comes a second after the request.
      #expect(seconds.map { ($0 * 1_000).rounded() } == taken - 1_000, "\(link)")
    }
  }
}

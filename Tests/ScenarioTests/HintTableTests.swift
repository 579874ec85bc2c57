import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// Words that people write for others, and what they are told.
@Suite struct HintTableTests {
  private func expectMistake(_ part: String, _ written: String, _ words: String) {
    let parts = [
      ("link", #"{ "bandwidth": "2 Mbit/s" }"#),
      ("media", #"{ "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } }"#),
      ("script", #"[ { "at": "1 s", "do": "play" } ]"#), ("expect", #"[ { "stallCount": 0 } ]"#),
    ]
    let rows = parts.map { "\"\($0)\": " + ($0 == part ? written : $1) }
    let file = "{ \"scenario\": \"s\", \"about\": \"a\",\n\(rows.joined(separator: ",\n")) }"
    let found = mistakes(in: file)
    #expect(found.contains(words), "\(found)")
  }

  @Test(arguments: [
    ("1 B/s", "0.008 kbit/s"), ("12.5 KB/s", "100 kbit/s"), ("3 kB/s", "24 kbit/s"),
    ("2 MB/s", "16 Mbit/s"), ("1 GB/s", "8000 Mbit/s"), ("2 MBps", "16 Mbit/s"),
    ("5 KBps", "40 kbit/s"), ("6 kBps", "48 kbit/s"), ("124.999875 KB/s", "999.999 kbit/s"),
    ("125 KB/s", "1 Mbit/s"), ("124999 B/s", "999.992 kbit/s"),
  ])
  func `a rate in bytes has eight times as many bits`(written: String, meant: String) {
    expectMistake(
      "link", "{ \"bandwidth\": \"\(written)\" }",
      "counts bytes (expected bits, eight times as many; did you mean “\(meant)”?)")
  }

  @Test(arguments: [
    ("00:40", "40 s"), ("1:02:03", "3723 s"), ("9999:00", "599940 s"), ("0:0", "0 s"),
    ("1:2:3", "3723 s"),
  ])
  func `a time of a clock is so many seconds`(written: String, meant: String) {
    expectMistake(
      "media", "{ \"progressive\": { \"duration\": \"\(written)\", \"bitrate\": \"1 Mbit/s\" } }",
      "“\(written)” is a time of a clock")
    expectMistake(
      "media", "{ \"progressive\": { \"duration\": \"\(written)\", \"bitrate\": \"1 Mbit/s\" } }",
      "did you mean “\(meant)”?")
  }

  @Test(arguments: ["1:2:3:4", "40", "12345:00", ":40", "1:", "1:-2"])
  func `what is no time of a clock is called none`(written: String) {
    let media = "{ \"progressive\": { \"duration\": \"\(written)\", \"bitrate\": \"1 Mbit/s\" } }"
    let file =
      "{ \"scenario\": \"s\", \"about\": \"a\", \"link\": {}, \"media\": \(media), \"script\": [] }"
    let found = mistakes(in: file)
    #expect(found != "" && !found.contains("clock"), "\(found)")
  }

  @Test(arguments: [
    ("rtt", "\"50 ms\"", "\"delay\": \"25 ms\", half of it: it counts one way"),
    ("RTT", "\"33 ms\"", "\"delay\": \"16.5 ms\", half of it"),
    ("roundTrip", "\"1 ns\"", "\"delay\": \"0 ms\""),
    ("ping", "\"3 us\"", "\"delay\": \"0.0015 ms\""),
    ("roundTripTime", "50", "half of it as “delay”, which counts one way"),
    ("ping", "\"soon\"", "half of it as “delay”, which counts one way"),
  ])
  func `a round trip is twice the delay`(key: String, value: String, words: String) {
    expectMistake("link", "{ \"bandwidth\": \"1 Mbit/s\", \"\(key)\": \(value) }", words)
  }

  @Test(arguments: [
    ("< 2 s", "atMost"), ("<= 2 s", "atMost"), ("≤ 2 s", "atMost"), ("<2 s", "atMost"),
    ("> 2 s", "atLeast"), (">=   2 s", "atLeast"), ("≥2 s", "atLeast"),
  ])
  func `a bound with a sign is an object`(written: String, key: String) {
    expectMistake(
      "expect", "[ { \"startupDelay\": \"\(written)\" } ]",
      "the string “\(written)” is no value (expected { \"\(key)\": \"2 s\" })")
  }

  @Test(arguments: [
    ("link", #"{ "bitrate": "1 Mbit/s" }"#, "bandwidth"),
    ("link", #"{ "speed": "1 Mbit/s" }"#, "bandwidth"),
    ("link", #"{ "latency": "1 ms" }"#, "delay"), ("link", #"{ "packetLoss": "1 %" }"#, "loss"),
    ("link", #"{ "trace": { "src": "a" } }"#, "file"),
    ("link", #"{ "trace": { "path": "a" } }"#, "file"),
    (
      "media", #"{ "progressive": { "length": "4 s", "bitrate": "1 Mbit/s" } }"#, "duration"
    ),
    ("script", #"[ { "time": "1 s", "do": "play" } ]"#, "at"),
    ("script", #"[ { "at": "1 s", "action": "play" } ]"#, "do"),
    ("expect", #"[ { "startupDelay": { "lessThan": "2 s" } } ]"#, "atMost"),
    ("expect", #"[ { "startupDelay": { "maximum": "2 s" } } ]"#, "atMost"),
    ("expect", #"[ { "startupDelay": { "minimum": "2 s" } } ]"#, "atLeast"),
    ("expect", #"[ { "startupDelay": { "moreThan": "2 s" } } ]"#, "atLeast"),
    ("expect", #"[ { "stalls": 0 } ]"#, "stallCount"),
    ("expect", #"[ { "ordr": [ "stall", "seek" ] } ]"#, "order"),
    ("expect", #"[ { "coutn": "stall", "is": 1 } ]"#, "count"),
    ("expect", #"[ { "counts": "stall", "iss": 1 } ]"#, "is"),
    ("script", #"[ { "at": "1 s", "do": "playImmediately(atRate: 1)" } ]"#, "playImmediately"),
  ])
  func `another word is meant`(part: String, written: String, meant: String) {
    expectMistake(part, written, "did you mean “\(meant)”?")
  }

  @Test func `two words of AVFoundation are read as those that are used here`() {
    let file = """
      { "scenario": "s", "about": "a", "link": {},
        "media": { "local": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "1 s", "do": "DO" } ],
        "expect": [ { "at": "1 s", "timeControlStatus": "WORD" } ] }
      """
    func mistake(_ action: String, _ word: String) -> String {
      mistakes(in: file.replacing("DO", with: action).replacing("WORD", with: word))
    }
    #expect(mistake("replaceCurrentItem", "waitingToPlayAtSpecifiedRate") == "")
    #expect(mistake("replaceCurrentItems", "waiting").contains("unknown word"))
    #expect(mistake("replaceItem", "waitingToPlayAtSpecifiedRates").contains("unknown word"))
  }

  // MARK: Tolerances

  @Test(
    arguments: [
      (.distance(.count(2)), .count(10), [.count(8), .count(12)], [.count(7), .count(13)]),
      (.distance(.count(0)), .count(10), [.count(10)], [.count(9), .count(11)]),
      (.distance(.null), .count(10), [.count(10)], [.count(9), .count(11)]),
      (.distance(.time(1)), .time(-5), [.time(-4), .time(-6)], [.time(-3), .time(-7)]),
      (.share(100_000), .count(50), [.count(45), .count(55)], [.count(44), .count(56)]),
      (.share(100_000), .count(100), [.count(90), .count(110)], [.count(89), .count(111)]),
      (.share(0), .count(50), [.count(50)], [.count(49), .count(51)]),
      (.share(0), .count(100), [.count(100)], [.count(101)]),
      (.share(100_000), .count(0), [.count(0)], [.count(1)]),
      (.share(1), .count(0), [.count(0)], [.count(1)]),
      (.share(500_000), .count(-10), [.count(-5)], [.count(-4)]),
      (.share(500_000), .rate(.normal), [.rate(PlaybackRate(3, over: 2))], []),
      (.share(499_999), .rate(.normal), [], [.rate(PlaybackRate(3, over: 2))]),
    ] as [(FigureTolerance, PropertyValue, [PropertyValue], [PropertyValue])])
  func `a tolerance has its bounds`(
    tolerance: FigureTolerance, recorded: PropertyValue, accepted: [PropertyValue],
    refused: [PropertyValue]
  ) {
    for value in accepted { #expect(tolerance.accepts(value, recorded: recorded), "\(value)") }
    for value in refused { #expect(!tolerance.accepts(value, recorded: recorded), "\(value)") }
    // Values without a number have to be the same.
    #expect(tolerance.accepts(.text("a"), recorded: .text("a")))
    #expect(!tolerance.accepts(.text("a"), recorded: .text("b")))
    #expect(!tolerance.accepts(.null, recorded: recorded))
    #expect(!tolerance.accepts(recorded, recorded: .null))
    #expect(tolerance.accepts(.null, recorded: .null))
  }
}

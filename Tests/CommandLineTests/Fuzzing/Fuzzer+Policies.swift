import Foundation
import TestSupport

/// Policies in a scenario and in a process, studies of them, settings, and what was measured.
extension Fuzzer {
  // MARK: Policies

  func policies(_ draw: inout Draw) throws -> [FuzzAttempt] {
    let media = draw.one(of: [
      #""hls": { "duration": "40 s", "ladder": "talk" }"#,
      #""progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" }"#,
    ])
    var damage = TextDamage(draw: draw)
    let policy = damage.damaged(draw.one(of: Self.policies), words: Self.policyWords)
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(draw.within(1...30))00 kbit/s" },
        "horizon": "3 min", "eventBudget": \(Self.eventBudget), "media": { \(media) },
        "player": { "policy": \(policy) },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "p.json")
    return [
      FuzzAttempt(["validate", "p.json"], codes: [0, 65]),
      FuzzAttempt(["test", "p.json"], codes: [0, 65]),
      FuzzAttempt(["heuristics", draw.one(of: Self.policyNames)], codes: [0, 64, 65, 66]),
    ]
  }

  private static let policyNames = [
    "avfoundation", "hls.js 1.6", "BOLA", "BOLA-O", "BOLA-E", "DYNAMIC", "RobustMPC", "playThrough",
    "Pensieve RB", "Pensieve BB", "Sabre throughput", "hls.js", "", "\u{1B}[2J",
  ]
  private static let policies =
    policyNames.map { "\"\($0)\"" } + [
      #"{ "like": "avfoundation", "abandon": "rescue" }"#,
      #"{ "like": "avfoundation", "firstVariant": "firstListed", "resume": "anything" }"#,
      #"{ "like": "avfoundation", "fileFetch": { "media": "10 s", "reopensAfter": "1 s" } }"#,
      #"{ "like": "BOLA-E", "choice": { "at": "request", "again": "soonest" } }"#,
      #"{ "start": { "media": "1 s" }, "resume": { "any": [ { "media": "9 s" }, "anything" ] } }"#,
      #"{ "start": { "every": { "period": "250 ms", "rule": { "media": "1 s" } } } }"#,
    ]
  private static let policyWords = [
    "null", "true", "-1", "0", "9223372036854775807", "1e400", "[]", "{}", "\"\"", "\"0 s\"",
    "\"365 days\"", "\"1 ns\"", "\"anything\"", "\"rescue\"", "\"own\"", "{ \"any\": [] }",
    "{ \"media\": \"0 s\" }", "{ \"command\": [\"sh\"] }", "\"\\u001b[2J\"", "\"\u{202E}x\"",
    ", \"start\": \"anything\"", ", \"like\": \"BOLA\"",
  ]

  // MARK: Studies and settings

  /// What a study is made of.
  func writeStudied() throws {
    try place.write(shortScenario(), to: "short.json")
    try place.write(
      """
      { "scenario": "A stream", "about": "Eight seconds.", "link": { "bandwidth": "2 Mbit/s" },
        "eventBudget": \(Self.eventBudget),
        "media": { "hls": { "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "2 Mbit/s" } ],
          "duration": "8 s" } }, "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "stream.json")
    try place.write("0,3M\n4,300k\n9,1M\n", to: "drives/a.csv")
  }

  func study(_ draw: inout Draw) throws -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    try place.write(damage.damaged(Self.study, words: Self.studyWords), to: "study.json")
    return [
      FuzzAttempt(
        ["compare", "study.json", "--jobs", "1", "--draws", "40"], codes: [0, 64, 65, 66])
    ]
  }

  // The seeds are named: of a number of them damage would make work of hours, which is no hang.
  private static let study = """
    { "study": "Short", "about": "Both.",
      "scenarios": ["short.json", "stream.json"],
      "links": ["3G", "drives", { "name": "half", "link": { "bandwidth": "500 kbit/s" } }],
      "policies": ["hls.js 1.6",
        { "name": "patient", "set": { "player.heuristic": "everythingLoaded" } },
        { "name": "hasty", "policy": { "start": { "media": "1 s" } } }],
      "heuristics": ["own", "thresholds 1 s/2 s"],
      "seeds": [1, 2],
      "regret": true,
      "objectives": ["abandonment", "pensieveLinear"],
      "by": ["link"] }
    """
  private static let studyWords = [
    "null", "true", "-1", "0", "1", "[]", "{}", "\"\"", "\"own\"", "\"DSL\"", "[4, 4]", "[1e9]",
    "9223372036854775807", "\"../short.json\"", "\"missing.json\"", "\"study.json\"",
    "\"\\u001b[2J\"", "\"\u{202E}x\"", ", \"vary\": { \"seed\": [1, 2] }", ", \"seeds\": [3]",
    "[\"link\", \"scenario\"]", "{ \"name\": \"x\", \"set\": { \"link\": {} } }",
  ]

  func settings(_ draw: inout Draw) -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    func edit() -> String {
      damage.damaged(draw.one(of: Self.places), words: Self.placeWords) + "="
        + damage.damaged(draw.one(of: Self.placed), words: Self.policyWords)
    }
    let file = draw.one(of: ["short.json", "stream.json"])
    var run = ["run", file, "--quiet"]
    var test = ["test", file]
    for _ in 0..<draw.within(1...3) {
      run += ["--set", edit()]
      test += ["--set=\(edit())"]
    }
    return [
      FuzzAttempt(run, codes: [0, 64, 65]), FuzzAttempt(test, codes: [0, 64, 65]),
      FuzzAttempt(
        ["compare", file, "--jobs", "1", "--draws", "40", "--vary", "\(edit()),\(edit())"],
        codes: [0, 64, 65]),
    ]
  }

  private static let places = [
    "seed", "link.bandwidth", "link", "media.hls.ladder[0].bitrate", "media.hls.ladder[9]",
    "player.policy", "player.heuristic", "player.policy.start", "script[0].at", "script",
    "expect", "horizon", "eventBudget", "fidelity", "link.downlink.delay", "scenario",
  ]
  private static let placeWords = [
    ".", "..", "[", "]", "[-1]", "[99999999999999999999]", "\"", "$schema", "=", " ", "\u{1B}[2J",
  ]
  private static let placed = [
    "7", "500 kbit/s", "unlimited", "{}", "[]", "null", "\"x\"", "tcp", "BOLA", "3G",
    "{ \"bandwidth\": \"1 Mbit/s\" }", "{ \"media\": \"1 s\" }", "1 s", "0", "-1", "",
  ]

  // MARK: Parts and standards

  static let partCommand = [
    "compare", "short.json", "stream.json", "--policies", "own,BOLA", "--seeds", "2", "--regret",
    "--objective", "abandonment", "--objective", "pensieveLinear", "--draws", "40", "--jobs", "1",
  ]

  /// A part of a study that was damaged; half of them with checksums that are right again, so that
  /// more than these is looked at.
  func part(_ draw: inout Draw) throws -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    var lines = kept.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    let isSealed = draw.chance(50)
    for _ in 0..<draw.within(1...3) {
      // Most of what can be wrong stands in the header.
      let victim = draw.chance(60) ? 0 : draw.below(lines.count)
      let line = damage.damaged(lines[victim], words: Self.partWords)
      lines[victim] = isSealed ? sealed(line) : line
    }
    let text = lines.joined(separator: "\n")
    try place.write(text, to: "part")
    try place.write(text, to: "kept")
    return [
      FuzzAttempt(["merge", "part"], codes: [0, 65]),
      FuzzAttempt(["merge", "part", "whole"], codes: [65]),
      FuzzAttempt(Self.partCommand + ["--checkpoint", "kept"], codes: [0, 65]),
    ]
  }

  /// A line with the checksum that it should have: FNV-1a of the study's digest and the line.
  private func sealed(_ line: String) -> String {
    guard let end = line.range(of: #","checksum":""#),
      let digest = kept.firstMatch(of: /"study":"([0-9a-f]{64})"/)?.1
    else { return line }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array(digest.utf8) + Array(line[..<end.lowerBound].utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return line[..<end.lowerBound] + #","checksum":"\#(String(format: "%016lx", hash))"}"#
  }

  private static let partWords = [
    "null", "true", "-1", "0", "1e400", "9223372036854775807", "-9223372036854775808", "[]", "{}",
    "\"\"", "[\"abandonment\"]", "[\"charm\"]", "1000000000", "[1,-2]", "\"1/2\"", "\"2/1\"",
    "\"own\"", "\"seed\"", "0.0000000001", ",\"regret\":true", "\u{202E}",
  ]

  // MARK: Logs of sessions

  /// A HAR that was damaged; what is made of it is a scenario that can be read.
  func fieldLog(_ seed: UInt64, _ draw: inout Draw) throws -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    let logs = [
      ("har", SampleHAR.stream), ("access-log", SampleLogs.access),
      ("metrics", SampleLogs.events), ("metrics", SampleLogs.lines),
    ]
    let (subject, text) = logs[Int(seed % 4)]
    try place.write(damage.damaged(text, words: Self.fieldWords), to: "bad.log")
    let (name, trace) = ("field-\(seed).json", "field-\(seed).trace")
    return [
      FuzzAttempt(["import", subject, "bad.log", "-o", name, "--trace", trace], codes: [0, 65]),
      FuzzAttempt(["validate", name], codes: [0, 66]),
      FuzzAttempt(["report", trace], codes: [0, 66]),
    ]
  }

  private static let fieldWords = [
    "null", "-1", "0", "1e400", "-1e-400", "9223372036854775807", "NaN", "[]", "{}", "\"\"",
    "\"1969-12-31T23:59:59-23:59\"", "\"9999-01-01T00:00:00Z\"", "\"\\u001b[2J\"",
    "\"\u{202E}x\"", "\"http://a/../../b1.ts\"", "\"#EXTM3U\\n#EXTINF:1e9,\\nx\\n\"",
    String(repeating: "[", count: 600), "\"base64\"", ",\"encoding\":\"base64\"",
  ]

  func standards(_ draw: inout Draw) throws -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    try place.write(damage.damaged(kept, words: Self.policyWords), to: "baseline.json")
    try place.write(damage.damaged(Self.budgets, words: Self.policyWords), to: "budgets.json")
    return [
      FuzzAttempt(["test", "short.json", "--baseline", "baseline.json"], codes: [0, 1, 65]),
      FuzzAttempt(["test", "short.json", "--budgets", "budgets.json"], codes: [0, 1, 65]),
      FuzzAttempt(
        ["test", "stream.json", "--baseline", "baseline.json", "--update-baseline"],
        codes: [1, 65]),
    ]
  }

  private static let budgets = """
    { "budgets": [ { "startupDelay": { "atMost": "2 s" }, "stallCount": 0 },
        { "scenario": "short.json", "rebufferRatio": { "atMost": "1 %" } },
        { "policy": "own", "bytesTransferred": { "atMost": "9 MB" } } ] }
    """

  // MARK: Processes

  /// A command that answers, but not always what it was asked.
  func process(_ draw: inout Draw) throws -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    func line(_ text: String) -> String {
      damage.damaged(text, words: Self.answerWords).replacingOccurrences(of: "\n", with: " ")
    }
    try place.write(line(#"{"version":1}"#) + "\n", to: "greeting")
    let answers = (1...40).map { number in
      let isRight = draw.chance(80)
      let answer = #"{"answer":\#(number),"value":\#(draw.chance(60))}"#
      return isRight ? answer : line(answer)
    }
    try place.write(answers.joined(separator: "\n") + "\n", to: "answers")
    try place.write(
      """
      read -r l; cat greeting
      exec 3<answers
      while read -r l; do
        case $l in
          *'"ask"'*) IFS= read -r a <&3 || exit \(draw.below(3)); printf '%s\\n' "$a" ;;
        esac
      done
      """, to: "mine.sh")
    let media = draw.one(of: [
      #""hls": { "duration": "40 s", "ladder": "talk" }"#,
      #""progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" }"#,
    ])
    try place.write(
      """
      { "scenario": "Mine", "about": "A policy of one's own.", "eventBudget": \(Self.eventBudget),
        "link": { "bandwidth": "\(draw.within(3...30))00 kbit/s" }, "media": { \(media) },
        "player": { "policy": { "command": ["sh", "mine.sh"] } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "mine.json")
    return [
      FuzzAttempt(
        ["run", "mine.json", "--quiet", "--allow-commands", "--answer-time", "2"],
        codes: [0, 65, 74]),
      FuzzAttempt(["run", "mine.json", "--quiet"], codes: [65]),
    ]
  }

  private static let answerWords = [
    "null", "true", "-1", "0", "1e400", "9223372036854775807", "[]", "{}", "\"", ",\"until\":1",
    ",\"until\":1e30", ",\"reason\":\"\\u001b[2J\"", ",\"reason\":\"\u{202E}x\"", "\u{07}", "\\",
    ",\"value\":true", "\u{0}",
  ]

  // MARK: What was measured

  func measurements(_ draw: inout Draw) throws -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    var attempt = FuzzAttempt(["accuracy", "-", "--seeds", "1", "--jobs", "1"], codes: [0, 65])
    attempt.input = Data(
      damage.damaged(draw.one(of: Self.measured), words: Self.measuredWords).utf8)
    return [attempt]
  }

  private static let link = """
    "downBitsPerSecond": 10000000, "upBitsPerSecond": 10000000, "downDelayMs": 12.0, \
    "upDelayMs": 12.0, "downLoss": 0, "upLoss": 0, "downQueuePackets": 100, "upQueuePackets": 100
    """
  private static let measured = [
    """
    {"group": "base", "cell": "ten", "congestionControl": "cubic", "phase": "cold", \
    "bytes": 2000, "runs": 5, \(link), "totalSeconds": {"p10": 0.05, "median": 0.05, "p90": 0.06}}
    {"group": "base", "cell": "ten", "congestionControl": "cubic", "phase": "warm", \
    "bytes": 2000, "runs": 5, \(link), "totalSeconds": {"p10": 0.05, "median": 0.03, "p90": 0.06}}
    """,
    """
    {"group": "sequence", "cell": "two", "congestionControl": "reno", "bytes": 2000, \(link), \
    "initialWindow": 10, "slowStartAfterIdle": 1, "plan": "C0:2000,C500:2000", "clients": null, \
    "schedule": [1000000, 500000], "stepMs": 100, "requests": [\
    {"client": 0, "index": 0, "totalSeconds": {"median": 0.0518}}, \
    {"client": 0, "index": 1, "totalSeconds": {"median": 0.0258}}]}
    """,
  ]
  private static let measuredWords = [
    "null", "true", "-1", "0", "1e400", "9223372036854775807", "[]", "{}", "\"\"", "\"bbr\"",
    "\"idle5s\"", "\"C0:1\"", "\"0:2000,C500:2000\"", "\"C99999999999999:9\"",
    "\"topology\":\"box\",",
    "\"upLoss\":0.1,", "\"runs\":1,", "\"\\u001b[2J\"", "\"\u{202E}x\"", "0.999999", "1",
  ]
}

import Foundation
import TestSupport

/// Makes up what the command is called with.
struct Fuzzer {
  let kind: FuzzKind
  let place: Workplace
  /// A trace to damage, where traces are.
  private var trace = ""
  /// A part of a study, and a baseline, to damage.
  private(set) var kept = ""
  private var commands: [FuzzVerb] = []

  init(_ kind: FuzzKind, in place: Workplace) throws {
    self.kind = kind
    self.place = place
    switch kind {
    case .scenarios, .playlists, .linkTraces, .policies, .measurements: break
    case .studies, .settings, .processes: try writeStudied()
    case .parts:
      try writeStudied()
      _ = try place.run(Self.partCommand + ["--checkpoint", "whole"])
      kept = try place.read("whole")
    case .standards:
      try writeStudied()
      _ = try place.run(
        "test", "short.json", "stream.json", "--baseline", "whole", "--update-baseline")
      kept = try place.read("whole")
    case .fieldLogs: break
    case .traces:
      try place.write(shortScenario(), to: "short.json")
      _ = try place.run("run", "short.json", "--quiet", "--trace", "good.trace")
      trace = try place.read("good.trace")
    case .commandLines:
      try place.write(shortScenario(), to: "short.json")
      try place.write(shortScenario(name: "Other"), to: "folder/other.json")
      try place.write("#EXTM3U\n", to: "list.m3u8")
      try place.write("1\n2\n2\n9\n", to: "rate.trace")
      _ = try place.run("run", "short.json", "--quiet", "--trace", "good.trace")
      commands = try FuzzVerb.all(in: place)
    }
  }

  /// Limits of time and memory hold, so that a mistake never takes the machine with it.
  func run(_ attempt: FuzzAttempt) throws -> CommandRun {
    let quoted = attempt.arguments.map {
      "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
    var command = Command(
      "-c", "ulimit -v 6000000 2>/dev/null; exec \"$0\" " + quoted.joined(separator: " "))
    command.folder = place.folder
    command.input = attempt.input
    command.timeLimitSeconds = 60
    command.environment = ["SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"]
    return try command.runShell()
  }

  func attempts(seed: UInt64) throws -> [FuzzAttempt] {
    var draw = Draw(seed: seed, part: "fuzz/\(kind)")
    switch kind {
    case .scenarios: return try scenario(seed, &draw)
    case .playlists: return try playlists(&draw)
    case .linkTraces: return try linkTrace(&draw)
    case .traces: return try trace(&draw)
    case .commandLines: return commandLine(&draw)
    case .policies: return try policies(&draw)
    case .studies: return try study(&draw)
    case .settings: return settings(&draw)
    case .processes: return try process(&draw)
    case .measurements: return try measurements(&draw)
    case .parts: return try part(&draw)
    case .standards: return try standards(&draw)
    case .fieldLogs: return try fieldLog(seed, &draw)
    }
  }

  // MARK: Files

  /// How long a run may go on; damage may make it go on for ever.
  static let eventBudget = Seeds.count(2_000, inRelease: 20_000)

  private func scenario(_ seed: UInt64, _ draw: inout Draw) throws -> [FuzzAttempt] {
    let whole = RandomScenario(seed: seed)
    var damage = TextDamage(draw: draw)
    try place.write(damage.damaged(whole.document.json, words: Self.scenarioWords), to: "s.json")
    return [FuzzAttempt(["validate", "s.json"], codes: [0, 65])]
  }

  private func playlists(_ draw: inout Draw) throws -> [FuzzAttempt] {
    let folder = Checkout.at("Scenarios/real-playlists/playlists")
    let set = draw.one(of: ["", "gap/", "held-back/", "parts/", "understated/"])
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: set).path
    ).filter { $0.hasSuffix(".m3u8") }.sorted()
    let master = names.first { ["main.m3u8", "master.m3u8"].contains($0) } ?? names[0]
    let victim = draw.one(of: names)
    var damage = TextDamage(draw: draw)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: set + name), encoding: .utf8)
      try place.write(
        name == victim ? damage.damaged(text, words: Self.playlistWords) : text,
        to: "playlists/\(name)")
    }
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "9 Mbit/s" },
        "horizon": "2 min", "eventBudget": \(Self.eventBudget),
        "media": { "hls": { "playlists": "playlists/\(master)" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "p.json")
    return [
      FuzzAttempt(["test", "p.json"], codes: [0, 65]),
      FuzzAttempt(["import", "hls", "playlists/\(master)"], codes: [0, 65]),
      FuzzAttempt(
        ["check", "gapless"] + Array(repeating: "playlists/\(master)", count: 2),
        codes: [0, 1, 65]),
    ]
  }

  private func linkTrace(_ draw: inout Draw) throws -> [FuzzAttempt] {
    let text = draw.one(of: Self.linkTraces)
    var damage = TextDamage(draw: draw)
    try place.write(damage.damaged(text, words: Self.linkWords), to: "link.txt")
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": { "trace": { "file": "link.txt" } },
        "horizon": "2 min", "eventBudget": \(Self.eventBudget),
        "media": { "progressive": { "duration": "4 s", "bitrate": "300 kbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "l.json")
    return [
      FuzzAttempt(["import", "trace", "link.txt"], codes: [0, 64, 65]),
      FuzzAttempt(["test", "l.json"], codes: [0, 65]),
    ]
  }

  private func trace(_ draw: inout Draw) throws -> [FuzzAttempt] {
    var damage = TextDamage(draw: draw)
    try place.write(damage.damaged(trace, words: Self.scenarioWords), to: "bad.trace")
    return [
      FuzzAttempt(["replay", "bad.trace"], codes: [0, 1, 65]),
      FuzzAttempt(["diff", "good.trace", "bad.trace"], codes: [0, 1, 65]),
      FuzzAttempt(["report", "bad.trace"], codes: [0, 65]),
      FuzzAttempt(["export", "perfetto", "bad.trace"], codes: [0, 65]),
    ]
  }

  // MARK: Words that mean something

  private static let scenarioWords = [
    "null", "true", "-1", "0", "9223372036854775807", "1e400", "0.1", "[]", "{}", "\"\"",
    "\"0 s\"", "\"365 days\"", "\"100000 Gbit/s\"", "\"0 bit/s\"", "\"1/3\"", "\"\\u001b[2J\"",
    "\"\\ud800\"", "\"\u{202E}x\"", "\"../../etc/passwd\"", "\"end\"", "\"looping\":\"treadmill\"",
  ]
  private static let playlistWords = [
    "#EXT-X-ENDLIST", "#EXT-X-DISCONTINUITY", "#EXT-X-GAP", "#EXTINF:0,", "#EXTINF:-1,",
    "#EXTINF:99999999999,", "#EXT-X-TARGETDURATION:0", "#EXT-X-TARGETDURATION:9999999999",
    "#EXT-X-MEDIA-SEQUENCE:18446744073709551615", "#EXT-X-BYTERANGE:9223372036854775807@1",
    "#EXT-X-PART-INF:PART-TARGET=0.000000001", "#EXT-X-PLAYLIST-TYPE:EVENT", "BANDWIDTH=0",
    "BANDWIDTH=9223372036854775807", "BANDWIDTH=99999999999999999999", "URI=\"http://a/b\"",
    "\u{1B}]0;x\u{07}", "../master.m3u8",
    "#EXT-X-SKIP:SKIPPED-SEGMENTS=9", "#EXT-X-KEY:METHOD=NONE", "{$x}",
    "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0",
  ]
  private static let linkWords = [
    "-1", "0", "1e9", "1e400", "9223372036854775807", "nan", ",", "\t", "\u{1B}[31m", "\u{FEFF}",
    "0.0000000001", "\"", "</dict>",
  ]
  private static let linkTraces = [
    "1\n2\n2\n9\n40\n40\n1000\n",
    "0.0 1.25\n1.0 0.8\n2.0 3.5\n3.0 0\n9.5 2\n",
    "time,bandwidth\n0,1000\n1,2000\n2,500\n",
    #"[{"duration_ms":1000,"bandwidth_kbps":1200.5,"latency_ms":40},{"duration_ms":500,"#
      + #""bandwidth_kbps":0,"latency_ms":40}]"#,
    (try? String(contentsOf: Checkout.at("Scenarios/links/traces/hotel.plist"), encoding: .utf8))
      ?? "",
    (try? String(contentsOf: Checkout.at("Scenarios/links/traces/tunnel.csv"), encoding: .utf8))
      ?? "",
  ]

  // MARK: Command lines

  private func commandLine(_ draw: inout Draw) -> [FuzzAttempt] {
    var arguments: [String] = []
    let verb = draw.one(of: commands)
    if !draw.chance(3) { arguments += verb.words }
    for _ in 0..<draw.below(5) {
      if draw.chance(55) {
        arguments.append(draw.one(of: Self.operands))
      } else {
        let option = draw.chance(90) ? draw.one(of: verb.options) : draw.one(of: Self.odd)
        let value = draw.one(of: Self.values)
        switch draw.below(3) {
        case 0: arguments.append(option)
        case 1: arguments.append("\(option)=\(value)")
        default: arguments += [option, value]
        }
      }
    }
    var attempt = FuzzAttempt(arguments, codes: [0, 1, 64, 65, 66, 74])
    if draw.chance(30) { attempt.input = Data(shortScenario().utf8) }
    return [attempt]
  }

  private static let operands = [
    "short.json", "folder", "good.trace", "list.m3u8", "rate.trace", "-", "missing.json", "3G",
    "", " ", "--", "a\u{1B}[2Jb", "\u{202E}", "../", "/dev/null", "*", "play", "100",
  ]
  private static let odd = ["--", "-x", "--nothing", "--=", "-", "---", "--Quiet", "-é"]
  private static let values = [
    "", "0", "1", "-1", "99999999999999999999", "json", "text", "out/", "out.txt", "short.json",
    "1/2", "0/0", "a\u{07}b", "3G", "nlc", "mahimahi", "*", "folder",
  ]
}

/// A verb of the command, as its own help lists it.
struct FuzzVerb {
  var words: [String]
  var options: [String]

  /// All but those that measure the machine or go on for ever.
  static func all(in place: Workplace) throws -> [FuzzVerb] {
    let help = try place.run("--help").text
    let names = help.split(separator: "\n").compactMap { line -> String? in
      let match = line.firstMatch(of: #/^  ([a-z]+)( [a-z]+)?  /#)
      return match.map { String($0.output.1) + String($0.output.2 ?? "") }
    }
    return try Set(names).sorted().filter { !["watch", "accuracy"].contains($0) }.map {
      let words = $0.split(separator: " ").map(String.init)
      let text = try place.run(words + ["--help"]).text
      return FuzzVerb(
        words: words,
        options: text.matches(of: /--[a-z-]+/).map { String($0.output) }.filter { $0 != "--watch" })
    }
  }
}

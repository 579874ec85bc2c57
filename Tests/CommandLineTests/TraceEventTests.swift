import Foundation
import TestSupport
import Testing

/// `export perfetto`, whose events are held against the lines of the trace.
@Suite(.besideOthers) struct TraceEventTests {
  typealias Members = [String: Any]

  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(
      """
      { "scenario": "Stalls", "about": "A dip, a seek and a second player.",
        "link": { "schedule": { "steps": [ { "for": "8 s", "bandwidth": "3100 kbit/s" },
          { "for": "9 s", "bandwidth": "310 kbit/s" }, { "for": "9 s", "bandwidth": "4 Mbit/s" } ],
          "then": "hold" }, "delay": "23 ms" },
        "media": { "hls": { "duration": "60 s", "ladder": [ { "bitrate": "1500 kbit/s" } ] } },
        "player": { "preferredForwardBufferDuration": "5 s" },
        "players": [ { "name": "preview", "media":
          { "progressive": { "duration": "9 s", "bitrate": "500 kbit/s" } },
          "script": [ { "at": "3 s", "do": "play" } ] } ],
        "script": [ { "at": "0 s", "do": "play" }, { "at": "30 s", "do": "seek", "to": "50 s" } ] }
      """, to: "stalls.json")
  }

  private func members(_ text: some StringProtocol) throws -> Members {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Members)
  }

  private func events(_ arguments: String...) throws -> [Members] {
    let run = try place.run(["export", "perfetto"] + arguments)
    #expect(run.exitCode == 0 && run.errorText == "", "\(run.errorText)")
    return try #require(try members(run.text)["traceEvents"] as? [Members])
  }

  /// The lines of a trace behind its header.
  private func lines() throws -> [Members] {
    _ = try place.run("run", "stalls.json", "--quiet", "--trace", "stalls.trace")
    return try place.read("stalls.trace").split(separator: "\n").dropFirst().map(members)
  }

  private func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? -1 }

  @Test func `a scenario and the trace of its run give the same document`() throws {
    _ = try lines()
    let (one, other) = (
      try place.run("export", "perfetto", "stalls.json"),
      try place.run("export", "perfetto", "stalls.trace")
    )
    #expect(one.text == other.text && one.text.utf8.count > 10_000)
  }

  @Test func `each player is a process, and its states follow each other without a gap`() throws {
    let (lines, events) = (try lines(), try events("stalls.json"))
    let end = number(lines.last?["t"]) * 1e6
    let processes = events.filter { $0["name"] as? String == "process_name" }
    #expect(
      processes.map { ($0["args"] as? Members)?["name"] as? String } == ["Stalls", "preview"])
    for (process, player) in [(1, nil), (2, "preview")] as [(Int, String?)] {
      let told = lines.filter {
        $0["event"] as? String == "timeControlStatus" && $0["player"] as? String == player
      }
      let slices = events.filter { $0["ph"] as? String == "X" && $0["pid"] as? Int == process }
      #expect(slices.count == told.count && told.count >= 2)
      #expect(slices.allSatisfy { $0["tid"] as? Int == 1 })
      for (index, (slice, line)) in zip(slices, told).enumerated() {
        let next = index + 1 < told.count ? number(told[index + 1]["t"]) * 1e6 : end
        #expect(abs(number(slice["ts"]) - number(line["t"]) * 1e6) < 0.001)
        #expect(abs(number(slice["ts"]) + number(slice["dur"]) - next) < 0.002)
        let name = try #require(slice["name"] as? String)
        #expect(name.hasPrefix(try #require(line["status"] as? String)))
      }
    }
  }

  @Test func `each request begins once and ends as in the trace`() throws {
    let (lines, events) = (try lines(), try events("stalls.json"))
    let ends = ["mediaResourceRequest", "requestCancel", "requestError"]
    for (phase, names) in [("b", ["requestStart"]), ("n", ["responseStart"]), ("e", ends)] {
      let told = lines.filter { names.contains($0["event"] as? String ?? "") }
      let drawn = events.filter { $0["ph"] as? String == phase }
      #expect(
        drawn.map { $0["id"] as? String } == told.map { "\(Int(number($0["request"])))" })
      // Requests lie on the thread above that of the states.
      #expect(drawn.allSatisfy { $0["tid"] as? Int == 0 })
      #expect(
        zip(drawn, told).allSatisfy { abs(number($0["ts"]) - number($1["t"]) * 1e6) < 0.001 })
      #expect(told.count >= 10)
    }
    // A request has one name from its beginning to its end.
    let names = Dictionary(grouping: events.filter { $0["cat"] as? String == "request" }) {
      $0["id"] as? String
    }
    #expect(names.values.allSatisfy { Set($0.map { $0["name"] as? String }).count == 1 })
  }

  @Test(
    arguments: [
      ("link, bit/s", "linkRate", "rate"), ("buffer, s", "loadedTimeRanges", "ahead"),
    ])
  func `counters have the values of the trace`(
    counter: String, event: String, member: String
  ) throws {
    let told = try lines().filter { $0["event"] as? String == event }
    let drawn = try events("stalls.json").filter { $0["name"] as? String == counter }
    #expect(drawn.allSatisfy { $0["ph"] as? String == "C" } && told.count > 2)
    #expect(
      drawn.map { number(($0["args"] as? Members)?["value"]) } == told.map { number($0[member]) })
  }

  @Test func `every record of the trace is drawn`() throws {
    let told = try lines().count
    let drawn = try events("stalls.json").filter {
      $0["ph"] as? String != "M" && !($0["name"] as? String ?? "").hasPrefix("estimate")
    }
    #expect(drawn.count == told)
  }

  @Test func `a text that is neither a scenario nor a trace is refused with its place`() throws {
    try place.write("{ \"trace\": 3 }\n", to: "spaced.json")
    try place.write("{\"trace\":99}\n", to: "future.trace")
    for name in ["spaced.json", "future.trace"] {
      let run = try place.run("export", "perfetto", name)
      #expect(run.exitCode == 65 && run.text == "" && run.errorText.contains(name))
    }
    _ = try lines()
    let trace = try place.read("stalls.trace")
    for (damaged, line) in [
      (trace.replacing("\"event\":\"currentItem\"", with: "\"even\":\"currentItem\""), 4),
      (trace.replacing("{\"t\":0,\"event\":\"currentItem\"", with: "{\"t\":0,"), 4),
    ] {
      try place.write(damaged, to: "broken.trace")
      let run = try place.run("export", "perfetto", "broken.trace")
      #expect(run.exitCode == 65 && run.errorText.contains("broken.trace: line \(line): "))
    }
    let rows = trace.split(separator: "\n")
    for kept in [1, rows.count - 1] {
      try place.write(rows.prefix(kept).joined(separator: "\n") + "\n", to: "cut.trace")
      let run = try place.run("export", "perfetto", "cut.trace")
      #expect(run.exitCode == 65 && run.text == "")
      #expect(run.errorText.contains("cut.trace: line \(kept): the trace breaks off"))
    }
    #expect(try place.run("export", "perfetto", "missing.json").exitCode == 66)
  }

  @Test func `a trace is drawn or refused as a report shows or refuses it`() throws {
    _ = try lines()
    let trace = try place.read("stalls.trace")
    let rows = trace.split(separator: "\n")
    var back = rows
    back.swapAt(5, rows.count / 2)
    for (text, exitCode, words) in [
      (trace, 0, ""), ("\u{FEFF}" + trace, 0, "the trace was altered"),
      (trace.replacing("\"seed\":0", with: "\"seed\":1"), 0, "the trace was altered"),
      (back.joined(separator: "\n") + "\n", 65, "is before that of the line above"),
      (trace.replacing(#""t":0,"event":"app""#, with: #""t":-1,"event":"app""#), 65, "before"),
    ] {
      try place.write(text, to: "told.trace")
      let drawn = try place.run("export", "perfetto", "told.trace")
      let report = try place.run("report", "told.trace")
      #expect(drawn.exitCode == exitCode && report.exitCode == exitCode, "\(drawn.errorText)")
      for run in [drawn, report] {
        let isQuiet = words.isEmpty && run.errorText.isEmpty
        #expect(isQuiet || !words.isEmpty && run.errorText.contains(words), "\(run.errorText)")
      }
    }
  }

  @Test func `a setting beside a trace has no effect and says so`() throws {
    _ = try lines()
    let plain = try place.run("export", "perfetto", "stalls.trace")
    let run = try place.run("export", "perfetto", "stalls.trace", "--set", "link.loss=1%")
    #expect(run.exitCode == 0 && run.output == plain.output && plain.errorText == "")
    #expect(run.errorText == "note: beside a trace '--set' has no effect\n")
  }
}

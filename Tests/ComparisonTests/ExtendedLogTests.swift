import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// The logs in the extended log file format, read back by its rules.
@Suite struct ExtendedLogTests {
  /// A file of the format, taken apart.
  private struct LogFile {
    var directives: [(name: String, value: String)] = []
    var entries: [[String]] = []

    var fields: [String] {
      directives.first { $0.name == "Fields" }?.value.split(separator: " ").map(String.init) ?? []
    }

    init(_ text: String) {
      #expect(text.hasSuffix("\n"))
      for line in text.split(separator: "\n") {
        if line.hasPrefix("#") {
          let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
          directives.append((String(parts[0]), parts[1].drop { $0 == " " }.description))
        } else {
          entries.append(Self.fields(of: line))
        }
      }
    }

    /// White space ends a field, but within quotes.
    private static func fields(of line: Substring) -> [String] {
      var (fields, isQuoted) = ([""], false)
      for character in line {
        if character == "\"" { isQuoted.toggle() }
        if character == " ", !isQuoted {
          fields.append("")
        } else {
          fields[fields.count - 1].append(character)
        }
      }
      return fields
    }

    func column(_ name: String) -> [String] {
      guard let index = fields.firstIndex(of: name) else { return [] }
      return entries.map { $0[index] }
    }
  }

  private func outcome(_ name: String) throws -> (scenario: Scenario, logs: RunLogs) {
    let scenario = try ShippedScenario.named(name).read()
    return (scenario, try run(scenario).logs)
  }

  @Test func `a file begins with its version and says its fields before the first entry`() throws {
    let (scenario, logs) = try outcome("access-log-of-switches-and-a-seek")
    let text = ExtendedLog(of: scenario).accessLog(logs)
    #expect(text.hasPrefix("#Version: 1.0\n"))
    let file = LogFile(text)
    let known = ["Version", "Fields", "Software", "Start-Date", "End-Date", "Date", "Remark"]
    #expect(file.directives.allSatisfy { known.contains($0.name) })
    #expect(file.directives.filter { $0.name == "Fields" }.count == 1)
    let isBeforeEntries =
      text.split(separator: "\n").firstIndex { $0.hasPrefix("#Fields") }!
      < text.split(separator: "\n").firstIndex { !$0.hasPrefix("#") }!
    #expect(isBeforeEntries)
    #expect(file.entries.count == 3)
    #expect(file.entries.allSatisfy { $0.count == file.fields.count && !$0.contains("") })
    #expect(Set(file.fields).count == file.fields.count)
  }

  @Test func `every column says what the event says`() throws {
    let (scenario, logs) = try outcome("access-log-of-switches-and-a-seek")
    let file = LogFile(ExtendedLog(of: scenario).accessLog(logs))
    let events = try #require(logs.accessLog).events
    #expect(file.column("bytes") == events.map { "\($0.numberOfBytesTransferred)" })
    #expect(file.column("sc-count") == events.map { "\($0.numberOfMediaRequests)" })
    #expect(file.column("uri") == events.map { $0.uri })
    #expect(file.column("c-startup-time") == ["0.1375", "-", "-"])
    #expect(file.column("c-duration-watched") == ["5.625", "24.375", "30"])
    #expect(file.column("c-switch-bitrate") == ["-", "8000000", "-"])
    #expect(file.column("s-playback-type") == ["VOD", "VOD", "VOD"])
    #expect(file.column("s-ip") == ["-", "-", "-"])
    let known = ["date", "time"] + AccessLogEvent.fields.compactMap { $0.column }
    #expect(Set(known).isSubset(of: file.fields))
    #expect(
      file.fields.filter { !known.contains($0) }
        == ["s-ip", "s-ip-changes", "cs-guid", "c-frames-dropped", "sc-wwan-count"])
    #expect(file.column("date") == ["1970-01-01", "1970-01-01", "1970-01-01"])
    #expect(file.column("time").prefix(2) == ["00:00:00.1375", "00:00:05.7625"])
  }

  @Test func `dates go on past midnight and past the end of a month`() throws {
    let (scenario, _) = try outcome("access-log-of-switches-and-a-seek")
    let days: [(Int64, String)] = [
      (0, "1970-01-01"), (30, "1970-01-31"), (31, "1970-02-01"), (58, "1970-02-28"),
      (59, "1970-03-01"), (364, "1970-12-31"),
    ]
    for (day, date) in days {
      let error = ErrorLogEvent(
        date: .zero + .seconds(day * 86_400 + 86_399), uri: "a b.ts", statusCode: -1,
        domain: "Domain", comment: #"it said "no""#)
      let file = LogFile(ExtendedLog(of: scenario).errorLog(ErrorLog(events: [error])))
      #expect(file.column("date") == [date])
      #expect(file.column("time") == ["23:59:59"])
      #expect(file.column("uri") == ["a%20b.ts"])
      #expect(file.column("status") == ["-1"])
      #expect(file.column("comment") == [#""it said ""no""""#])
    }
  }

  @Test func `an item without a log has a file without entries`() throws {
    let file = LogFile(try text("local-file", .init(accessLog: true, errorLog: true)))
    #expect(file.entries.isEmpty)
    #expect(file.directives.filter { $0.name == "Version" }.count == 2)
  }

  private func text(_ name: String, _ choice: LogChoice) throws -> String {
    let scenario = try ShippedScenario.named(name).read()
    return try ExtendedLog(of: scenario).text(run(scenario), choice)
  }

  private func headings(_ text: String) -> [String] {
    LogFile(text).directives.filter { $0.name == "Remark" }.map { $0.value }.filter {
      $0.hasPrefix("item ") || $0.hasPrefix("player ") || $0 == "first player"
    }
  }

  @Test func `one item has no heading, each of several has its own`() throws {
    let access = LogChoice(accessLog: true, errorLog: false)
    #expect(headings(try text("access-log-of-switches-and-a-seek", access)) == [])
    // The queue has played out: no item is current any more.
    let queue = try text("queue-one-asset", .init(accessLog: true, errorLog: true))
    #expect(
      headings(queue)
        == ["clip-1", "clip-1", "clip-2", "clip-2", "clip-3", "clip-3"].map { "item “\($0)”" })
    #expect(LogFile(queue).entries.count == 3)
    let players = try text("two-players-share-the-link", access)
    #expect(headings(players) == ["first player", "player “preview”"])
    #expect(LogFile(players).entries.count == 2)
  }

  @Test func `looping adds no logs, however long`() throws {
    for (count, rounds) in [(3, 6), (3, 600)] {
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
        "media": { "progressive": { "duration": "2 s", "bitrate": "2 Mbit/s" } },
        "items": [ { "name": "clip", "copies": 3 } ], "queue": ["clip"], "looping": "treadmill",
        "script": [ { "at": "0 s", "do": "play" },
          { "when": "loopCount >= \(rounds)", "do": "disableLooping" } ] }
        """
      let outcome = try run(readScenario([UInt8](text.utf8), file: "a.json"))
      #expect(outcome.itemLogs.count == count)
      #expect(outcome.itemLogs.allSatisfy { $0.logs.accessLog?.events.count == 1 })
      let watched = outcome.itemLogs.reduce(MediaTime.zero) {
        $0 + ($1.logs.accessLog?.events[0].durationWatched ?? .zero)
      }
      #expect(watched == .seconds(Int64(outcome.player.books.transitionCount + 1) * 2))
    }
  }

  @Test func `an item that another took the place of is still shown`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "8 Mbit/s" },
      "media": { "progressive": { "duration": "9 s", "bitrate": "2 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" }, { "at": "3 s", "do": "setItem" } ] }
      """
    let outcome = try run(readScenario([UInt8](text.utf8), file: "a.json"))
    #expect(outcome.itemLogs.map(\.item) == ["item 1", "item 2"])
    let offered = outcome.itemLogs.map { $0.logs.accessLog?.events.first?.durationWatched }
    #expect(offered[1] == .seconds(9) && offered[0] ?? .zero > .zero && offered[0]! < .seconds(3))
  }
}

import RunReports
import ScenarioRunner
import SimulatedPlayback
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
    let scenario = try shippedScenario(name)
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
    let (scenario, logs) = try outcome("local-file")
    let file = LogFile(ExtendedLog(of: scenario).text(logs, .init(accessLog: true, errorLog: true)))
    #expect(file.entries.isEmpty)
    #expect(file.directives.filter { $0.name == "Version" }.count == 2)
  }
}

import ExactText
package import ScenarioFormat
package import ScenarioRunner
package import SimulatedPlayback
import VirtualTime

package struct LogChoice: Hashable, Sendable {
  package var hasAccessLog: Bool
  package var hasErrorLog: Bool

  package init(accessLog: Bool = false, errorLog: Bool = false) {
    hasAccessLog = accessLog
    hasErrorLog = errorLog
  }

  package var isEmpty: Bool { !hasAccessLog && !hasErrorLog }
}

/// A log in the extended log file format of the W3C (WD-logfile-960323), with Apple's columns.
///
/// A file begins with its version and its fields. An entry is a line of fields between spaces; what
/// is not known is a dash, and text stands in quotes with those within it doubled. Dates count from
/// 1970-01-01 00:00:00, which is the start of the run.
package struct ExtendedLog {
  private struct Column<Event> {
    var name: String
    var text: (Event) -> String
  }

  private let scenario: String

  package init(of scenario: Scenario) { self.scenario = scenario.name }

  /// The access log as AVPlayerItemAccessLog.extendedLogData would hold it, with the key
  /// performance indicators as remarks.
  ///
  /// - Parameter heading: Whose it is; nil where there is only one.
  package func accessLog(_ logs: RunLogs, heading: String? = nil, gaps: [FieldGap] = []) -> String {
    text(
      of: logs.accessLog?.events ?? [], Self.accessColumns(lacking: gaps), heading,
      remarks: remarks(logs.indicators, gaps))
  }

  package func errorLog(_ log: ErrorLog?, heading: String? = nil) -> String {
    text(of: log?.events ?? [], Self.errorColumns, heading, remarks: [])
  }

  private func text<Event>(
    of events: [Event], _ columns: [Column<Event>], _ heading: String?, remarks: [String]
  ) -> String {
    var lines = ["#Version: 1.0", "#Software: goldilocks/\(Tool.version)"]
    lines.append("#Remark: " + onOneLine(scenario))
    if let heading { lines.append("#Remark: " + onOneLine(heading)) }
    lines.append("#Fields: " + joined(columns.map { $0.name }, by: " "))
    lines += events.map { event in joined(columns.map { $0.text(event) }, by: " ") }
    lines += remarks.map { "#Remark: " + $0 }
    return lines.reduce("") { $0 + $1 + "\n" }
  }

  /// A run's wanted logs in turn: those of each item played, under its name where several were.
  package func text(_ outcome: RunOutcome, _ choice: LogChoice) -> String {
    let all = outcome.itemLogs.map { ($0.logs, outcome.itemLogs.count > 1 ? $0.heading : nil) }
    return (all.isEmpty ? [(outcome.logs, nil)] : all).reduce("") { text, next in
      text + (choice.hasAccessLog ? accessLog(next.0, heading: next.1, gaps: outcome.gaps) : "")
        + (choice.hasErrorLog ? errorLog(next.0.errorLog, heading: next.1) : "")
    }
  }

  private func remarks(_ indicators: PlaybackIndicators, _ gaps: [FieldGap]) -> [String] {
    var remarks: [String] = []
    if let time = indicators.startupTime {
      remarks.append("startup time \(fixed(time.nanoseconds)) s")
    }
    if !gaps.contains(.stalls), let rate = indicators.thousandStallsPerHour {
      remarks.append("\(short(rate, of: 3)) stalls per hour")
    }
    if !gaps.hideStallTimes {
      remarks.append("stall duration \(fixed(indicators.stallDuration.nanoseconds)) s")
    }
    if let rate = indicators.timeWeightedIndicatedBitrate {
      remarks.append("time-weighted indicated bitrate \(rate) bit/s")
    }
    if indicators.hasFailed { remarks.append("playback failed") }
    return remarks
  }

  private static func accessColumns(lacking gaps: [FieldGap]) -> [Column<AccessLogEvent>] {
    let names = [
      "uri", "s-ip", "s-ip-changes", "cs-guid", "sc-count", "c-start-time", "c-duration-downloaded",
      "c-duration-watched", "c-stalls", "bytes", "c-transfer-duration", "c-observed-bitrate",
      "c-observed-max-bitrate", "c-observed-min-bitrate", "c-observed-bitrate-sd",
      "sc-indicated-bitrate", "sc-indicated-avg-bitrate", "c-avg-video-bitrate",
      "c-avg-audio-bitrate", "c-frames-dropped", "c-startup-time", "c-overdue", "s-playback-type",
      "sc-wwan-count", "c-switch-bitrate",
    ]
    let fields = names.map { name in
      let isKnown = name != "c-stalls" || !gaps.contains(.stalls)
      let field = isKnown ? AccessLogEvent.fields.first { $0.column == name } : nil
      return Column(name: name) { event in field.map { text($0.value(of: event)) } ?? "-" }
    }
    let start = [("date", date), ("time", time)].map { name, text in
      Column<AccessLogEvent>(name: name) { text($0.playbackStartDate) }
    }
    return start + fields
  }

  private static var errorColumns: [Column<ErrorLogEvent>] {
    [
      Column(name: "date") { date($0.date) },
      Column(name: "time") { time($0.date) },
      Column(name: "uri") { uri($0.uri) },
      Column(name: "s-ip") { _ in "-" }, Column(name: "cs-guid") { _ in "-" },
      Column(name: "status") { "\($0.statusCode)" },
      Column(name: "domain") { quoted($0.domain) },
      Column(name: "comment") { quoted($0.comment) },
    ]
  }

  private static func text(_ value: PropertyValue) -> String {
    switch value {
    case .text(let text): uri(text)
    case .count(let count): "\(count)"
    case .time(let nanoseconds): fixed(nanoseconds)
    case .null, .boolean, .rate, .ranges, .share, .entries: "-"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.reduce("") { $0 + ($1 == "\"" ? "\"\"" : String($1)) } + "\""
  }

  /// A URI without what would end the field.
  private static func uri(_ text: String) -> String {
    if text.isEmpty { return "-" }
    return replacing(text) { scalar in
      if scalar.value > 0x20 { return nil }
      return (scalar.value < 0x10 ? "%0" : "%") + String(scalar.value, radix: 16, uppercase: true)
    }
  }
}

extension ItemLogs {
  /// The player and the item that the logs belong to, in words.
  fileprivate var heading: String {
    let parts = [player.map { "player “\($0)”" }, item.map { "item “\($0)”" }].compactMap { $0 }
    return parts.isEmpty ? "first player" : joined(parts, by: ", ")
  }
}

/// As ISO 8601 writes it.
func calendarText(_ instant: Instant) -> String { date(instant) + "T" + time(instant) + "Z" }

private let nanosecondsPerDay: Int64 = 86_400_000_000_000

private func date(_ instant: Instant?) -> String {
  guard let instant else { return "-" }
  // No run lasts until 1971.
  var (month, day) = (1, instant.nanoseconds / nanosecondsPerDay + 1)
  let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  while day > lengths[(month - 1) % 12] {
    day -= lengths[(month - 1) % 12]
    month += 1
  }
  return "1970-\(twoDigits(Int64(month)))-\(twoDigits(day))"
}

private func time(_ instant: Instant?) -> String {
  guard let instant else { return "-" }
  let (seconds, rest) = (instant.nanoseconds % nanosecondsPerDay)
    .quotientAndRemainder(dividingBy: 1_000_000_000)
  let fraction = fixed(rest).utf8.dropFirst()
  return "\(twoDigits(seconds / 3_600)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    + String(decoding: fraction, as: UTF8.self)
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// Seconds as `<fixed>`: with as many decimals as there are.
private func fixed(_ nanoseconds: Int64) -> String { JSONTree.seconds(nanoseconds).json }

private func onOneLine(_ text: String) -> String {
  text.unicodeScalars.reduce("") { $0 + ($1.value < 0x20 ? " " : String($1)) }
}

package import ExactText
package import SimulatedPlayback
package import VirtualTime

/// An entry of a log as names with values, for expectations and for output.
package struct LogEntry: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: PropertyValue
  }

  package var fields: [Field]

  package init(_ event: AccessLogEvent) {
    fields = AccessLogEvent.fields.map { Field(name: $0.name, value: $0.value(of: event)) }
  }

  package init(_ event: ErrorLogEvent) {
    fields = ErrorLogEvent.fields.map { Field(name: $0.name, value: $0.value(of: event)) }
  }

  func value(of name: String) -> PropertyValue {
    fields.first { isSameText($0.name, name) }?.value ?? .null
  }

  var words: String {
    let known = fields.filter { $0.value != .null }
    return "{ " + joined(known.map { "\($0.name): \($0.value.words)" }, by: ", ") + " }"
  }
}

package struct LogClaim: Hashable, Sendable {
  package var name: String
  package var matcher: Matcher
}

package func words(_ claims: [[LogClaim]]) -> String {
  let entries = claims.map { claims in
    claims.isEmpty
      ? "{}" : "{ " + joined(claims.map { "\($0.name): \($0.matcher.words)" }, by: ", ") + " }"
  }
  return counted(entries)
}

func counted(_ entries: [String]) -> String {
  counted(Int64(entries.count), "entry", "entries") + ": [" + joined(entries, by: ", ") + "]"
}

package struct RunLogs: Hashable, Sendable {
  package var accessLog: AccessLog?
  package var errorLog: ErrorLog?
  package var indicators: PlaybackIndicators

  package init(
    accessLog: AccessLog? = nil, errorLog: ErrorLog? = nil,
    indicators: PlaybackIndicators = PlaybackIndicators()
  ) {
    self.accessLog = accessLog
    self.errorLog = errorLog
    self.indicators = indicators
  }
}

package struct ItemLogs: Hashable, Sendable {
  /// Nil for the first player, who needs no name.
  package var player: String?
  /// Nil where it was its player's only one.
  package var item: String?
  package var logs: RunLogs
  /// The time that its start took; nil where it never moved, or followed another.
  package var startup: TimeSpan?
  /// Its media; nil where nothing of it was played, and of other players in a trace that was read.
  package var playedSource: MediaSource?
  /// The name of that media; traces have it in place of the media.
  package var playedMedia: String?

  package init(
    player: String? = nil, item: String? = nil, logs: RunLogs, startup: TimeSpan? = nil,
    playedSource: MediaSource? = nil
  ) {
    self.player = player
    self.item = item
    self.logs = logs
    self.startup = startup
    self.playedSource = playedSource
  }
}

extension RunLogs {
  /// The access log and its indicators, with null for those that are unknown.
  package func accessDocument(countsStalls: Bool, timesStalls: Bool) -> JSONTree {
    let indicated: JSONTree = [
      "startupTime": .seconds(indicators.startupTime?.nanoseconds),
      "stallsPerHour": .decimal(
        countsStalls ? indicators.thousandStallsPerHour : nil, places: 3),
      "stallDuration": .seconds(timesStalls ? indicators.stallDuration.nanoseconds : nil),
      "timeWeightedIndicatedBitrate": .whole(indicators.timeWeightedIndicatedBitrate),
      "hasFailed": .boolean(indicators.hasFailed),
    ]
    return [
      "accessLog": accessLog.map { .list($0.events) { LogEntry($0).document } } ?? .null,
      "keyPerformanceIndicators": indicated,
    ]
  }

  package var errorDocument: JSONTree {
    ["errorLog": errorLog.map { .list($0.events) { LogEntry($0).document } } ?? .null]
  }
}

extension LogEntry {
  fileprivate var document: JSONTree { .members(fields.map { ($0.name, $0.value.tree) }) }
}

extension PropertyValue {
  package var tree: JSONTree {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .text(let text): .string(text)
    case .count(let count): .whole(count)
    case .time(let nanoseconds): .seconds(nanoseconds)
    case .rate(let rate): .rate(rate)
    case .share(let millionths): .decimal(millionths, places: 6)
    case .ranges, .entries: .string(words)
    }
  }
}

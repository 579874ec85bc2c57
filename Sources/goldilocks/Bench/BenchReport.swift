import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// One way to run the scenario.
struct ScenarioFigures {
  var name: String
  /// For one of them.
  var nanoseconds: Int64

  var perSecond: Int64 { 1_000_000_000 / max(1, nanoseconds) }
}

/// Measurements of a bench: first the figures equal on every machine, then the times.
struct BenchReport {
  var title: String
  var streams: [StreamFigures]
  var scenarios: [ScenarioFigures]
  var eventCount: Int64
  var traceBytes: Int64
  var digest: String

  func text(style: TextStyle) -> String {
    [counters(style), streamTimes(style), scenarioTimes(style)]
      .joined(separator: "\n")
  }

  private func counters(_ style: TextStyle) -> String {
    var text = style.paint("Counters", .title) + ", the same on every machine\n"
    for stream in streams {
      text += "  stream of \(grouped(stream.segments)) segments: \(grouped(stream.events)) events, "
      text += "\(grouped(stream.requests)) requests, \(stream.switches) switches, "
      text += "\(stream.stalls) stalls\n"
    }
    text += "  \(title): \(grouped(eventCount)) events, trace of \(grouped(traceBytes)) bytes, "
    return text + "digest \(shortDigest(digest))\n"
  }

  private func streamTimes(_ style: TextStyle) -> String {
    Self.times(
      "Streams", "video and audio, adaptive, a link of second steps", style,
      ("segments", streams.map { grouped($0.segments) }),
      ("session", streams.map { "\(grouped($0.nanoseconds / 1_000)) µs" }),
      ("a segment", streams.map { "\(grouped($0.nanosecondsPerSegment)) ns" }))
  }

  private func scenarioTimes(_ style: TextStyle) -> String {
    Self.times(
      "Scenario", title, style, ("work", scenarios.map { $0.name }),
      ("per second", scenarios.map { grouped($0.perSecond) }),
      ("each", scenarios.map { "\($0.nanoseconds / 1_000).\($0.nanoseconds / 100 % 10) µs" }))
  }

  private static func times(
    _ title: String, _ remark: String, _ style: TextStyle, _ names: (String, [String]),
    _ columns: (heading: String, cells: [String])...
  ) -> String {
    let columns = columns.map {
      TextTable.Column(heading: $0.heading, alignment: .right, cells: $0.cells)
    }
    let table = TextTable(
      names: TextTable.Column(heading: "  " + names.0, cells: names.1.map { "  " + $0 }),
      groups: [TextTable.Group(columns: columns)])
    return style.paint(title, .title) + ", \(remark)\n"
      + table.lines(width: style.width, style: style).joined(separator: "\n") + "\n"
  }

  var document: JSONTree {
    [
      "streams": .list(streams) { stream in
        [
          "segments": .whole(stream.segments),
          "eventCount": .whole(stream.events),
          "requestCount": .whole(stream.requests),
          "seconds": .seconds(stream.nanoseconds),
          "nanosecondsPerSegment": .whole(stream.nanosecondsPerSegment),
        ]
      },
      "scenario": [
        "name": .string(title),
        "eventCount": .whole(eventCount),
        "traceBytes": .whole(traceBytes),
        "digest": .string(digest),
        "times": .list(scenarios) { figures in
          [
            "work": .string(figures.name), "perSecond": .whole(figures.perSecond),
            "seconds": .seconds(figures.nanoseconds),
          ]
        },
      ],
    ]
  }
}

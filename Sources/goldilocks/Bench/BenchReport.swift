import ExactText
import RunReports
import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// The event queue at one size, beside the plain heap.
struct QueueFigures {
  var pending: Int64
  var events: Int64
  var checksum: UInt64 = 0
  var plainChecksum: UInt64 = 0
  var queueNanoseconds = Int64.max
  var plainNanoseconds = Int64.max

  var eventsPerSecond: Int64 { perSecond(queueNanoseconds) }

  var plainEventsPerSecond: Int64 { perSecond(plainNanoseconds) }

  /// How many times as fast as the plain heap, in thousandths.
  var ratio: Int64 { plainNanoseconds * 1_000 / max(1, queueNanoseconds) }

  private func perSecond(_ nanoseconds: Int64) -> Int64 {
    Int64(Int128(events) * 1_000_000_000 / Int128(max(1, nanoseconds)))
  }
}

/// One way to run the scenario.
struct ScenarioFigures {
  var name: String
  /// For one of them.
  var nanoseconds: Int64

  var perSecond: Int64 { 1_000_000_000 / max(1, nanoseconds) }
}

/// One way to carry data over a link, and how fast it is simulated.
struct LinkFigures {
  /// As the report calls it.
  var name: String
  /// What is counted: packets or transfers; the same on every machine.
  var noun: String
  var count: Int64
  /// Simulated time.
  var span: TimeSpan
  var nanoseconds = Int64.max

  var perSecond: Int64 {
    Int64(Int128(count) * 1_000_000_000 / Int128(max(1, nanoseconds)))
  }
}

/// What was measured: first what is the same everywhere, then the times.
struct BenchReport {
  var title: String
  var queues: [QueueFigures]
  var links: [LinkFigures]
  var streams: [StreamFigures]
  var scenarios: [ScenarioFigures]
  var eventCount: Int64
  var traceBytes: Int64
  var digest: String

  /// Whether the queue fired what the plain heap did, in the same order.
  var agrees: Bool { queues.allSatisfy { $0.checksum == $0.plainChecksum } }

  func text(style: TextStyle) -> String {
    var parts = [
      counters(style), queueTimes(style), linkTimes(style), streamTimes(style),
      scenarioTimes(style),
    ]
    if !agrees {
      parts.append(style.paint("The queue and the plain heap differ in their order.\n", .bad))
    }
    return parts.joined(separator: "\n")
  }

  private func counters(_ style: TextStyle) -> String {
    var text = style.paint("Counters", .title) + ", the same on every machine\n"
    for queue in queues {
      text += "  queue at \(grouped(queue.pending)) pending: \(grouped(queue.events)) events, "
      text += "checksum \(String(queue.checksum, radix: 16))\n"
    }
    for link in links {
      text += "  \(link.name): \(grouped(link.count)) \(link.noun) "
      text += "in \(exactText(link.span)) of simulated time\n"
    }
    for stream in streams {
      text += "  stream of \(grouped(stream.segments)) segments: \(grouped(stream.events)) events, "
      text += "\(grouped(stream.requests)) requests, \(stream.switches) switches, "
      text += "\(stream.stalls) stalls\n"
    }
    text += "  \(title): \(grouped(eventCount)) events, trace of \(grouped(traceBytes)) bytes, "
    return text + "digest \(shortDigest(digest))\n"
  }

  private func queueTimes(_ style: TextStyle) -> String {
    func column(_ heading: String, _ cell: (QueueFigures) -> String) -> TextTable.Column {
      TextTable.Column(heading: heading, alignment: .right, cells: queues.map(cell))
    }
    let table = TextTable(
      names: TextTable.Column(
        heading: "  pending", cells: queues.map { "  " + grouped($0.pending) }),
      groups: [
        TextTable.Group(columns: [
          column("queue") { grouped($0.eventsPerSecond) },
          column("plain heap") { grouped($0.plainEventsPerSecond) },
          column("ratio") { "\($0.ratio / 1_000)." + hundredths($0.ratio) },
        ])
      ])
    return style.paint("Event queue", .title) + ", events per second\n"
      + table.lines(width: style.width, style: style).joined(separator: "\n") + "\n"
  }

  private func linkTimes(_ style: TextStyle) -> String {
    let table = TextTable(
      names: TextTable.Column(heading: "  link", cells: links.map { "  " + $0.name }),
      groups: [
        TextTable.Group(columns: [
          TextTable.Column(
            heading: "per second", alignment: .right,
            cells: links.map { grouped($0.perSecond) + " " + $0.noun })
        ])
      ])
    return style.paint("Links", .title) + ", both directions of a link on one thread\n"
      + table.lines(width: style.width, style: style).joined(separator: "\n") + "\n"
  }

  private func streamTimes(_ style: TextStyle) -> String {
    let table = TextTable(
      names: TextTable.Column(
        heading: "  segments", cells: streams.map { "  " + grouped($0.segments) }),
      groups: [
        TextTable.Group(columns: [
          TextTable.Column(
            heading: "session", alignment: .right,
            cells: streams.map { "\(grouped($0.nanoseconds / 1_000)) µs" }),
          TextTable.Column(
            heading: "a segment", alignment: .right,
            cells: streams.map { "\(grouped($0.nanosecondsPerSegment)) ns" }),
        ])
      ])
    return style.paint("Streams", .title) + ", video and audio, adaptive, a link of second steps\n"
      + table.lines(width: style.width, style: style).joined(separator: "\n") + "\n"
  }

  /// The two places behind the point of a number of thousandths.
  private func hundredths(_ thousandths: Int64) -> String {
    let places = thousandths % 1_000 / 10
    return places < 10 ? "0\(places)" : "\(places)"
  }

  private func scenarioTimes(_ style: TextStyle) -> String {
    let table = TextTable(
      names: TextTable.Column(heading: "  work", cells: scenarios.map { "  " + $0.name }),
      groups: [
        TextTable.Group(columns: [
          TextTable.Column(
            heading: "per second", alignment: .right, cells: scenarios.map { grouped($0.perSecond) }
          ),
          TextTable.Column(
            heading: "each", alignment: .right,
            cells: scenarios.map { "\($0.nanoseconds / 1_000).\($0.nanoseconds / 100 % 10) µs" }),
        ])
      ])
    return style.paint("Scenario", .title) + ", \(title)\n"
      + table.lines(width: style.width, style: style).joined(separator: "\n") + "\n"
  }

  var document: JSONTree {
    [
      "queue": .list(queues) { queue in
        [
          "pending": .whole(queue.pending),
          "events": .whole(queue.events),
          "checksum": .string(String(queue.checksum, radix: 16)),
          "eventsPerSecond": .whole(queue.eventsPerSecond),
          "plainHeapEventsPerSecond": .whole(queue.plainEventsPerSecond),
          "ratio": .decimal(queue.ratio, places: 3),
        ]
      },
      "links": .list(links) { link in
        [
          "link": .string(link.name),
          link.noun: .whole(link.count),
          "simulatedSeconds": .seconds(link.span.nanoseconds),
          "perSecond": .whole(link.perSecond),
        ]
      },
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

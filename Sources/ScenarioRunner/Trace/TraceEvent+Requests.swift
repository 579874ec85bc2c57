import LinkConditioner
import VirtualTime

// What the link knows of a request, in the lines that speak of it. The names are those of Apple's
// transaction metrics (URLSessionTaskTransactionMetrics) where it has them, as lengths of time;
// what took no time is left out.

extension TraceEvent {
  /// The line with the steps of the request that it ends.
  func with(_ timings: RequestTimings?) -> TraceEvent {
    guard let timings else { return self }
    var event = self
    for (key, span) in [
      ("domainLookup", timings.lookup), ("waiting", timings.waiting),
      ("connect", timings.connect), ("secureConnection", timings.security),
      ("timeToFirstByte", timings.response), ("transfer", timings.transfer),
    ] {
      guard let span, span > .zero else { continue }
      event.members.append((key: key, value: .seconds(span.nanoseconds)))
    }
    if timings.connection > 0 {
      event.members.append((key: "connection", value: .count(Int64(timings.connection))))
      event.members.append((key: "isReusedConnection", value: .boolean(timings.reusesConnection)))
    }
    return event
  }

  /// A request that the scenario lets go wrong.
  init(_ fault: Fault, of request: TransferID) {
    let (word, key, value): (String, String, TraceValue) =
      switch fault {
      case .status(let code): ("status", "status", .count(Int64(code)))
      case .reset(let after): ("reset", "after", .count(after))
      case .stall(let after): ("stall", "after", .count(after))
      case .slowFirstByte(let more): ("slowFirstByte", "by", .seconds(more.nanoseconds))
      }
    self.init(
      "requestFault",
      [("request", .count(Int64(request.rawValue))), ("fault", .text(word)), (key, value)])
  }

  /// How a recorded link was read.
  init(_ trace: LinkTrace) {
    var members: [(String, TraceValue)] = [
      ("trace", .text(trace.file)), ("format", .text(trace.format.name)),
    ]
    if let reading = trace.reading {
      members += [
        ("interval", .text(reading.interval.word)), ("then", .text(reading.ending.word)),
        ("clock", .text(reading.clock.word)),
      ]
    }
    self.init("link", members)
  }
}

import LinkConditioner
import Testing
import VirtualTime

/// Nanoseconds out of milliseconds as another simulator logs them.
func nanoseconds(_ milliseconds: Double) -> Int64 {
  Int64((milliseconds * 1_000_000).rounded())
}

/// A download after the other, as the simulators of the literature have it.
struct SequentialDownloads {
  private var link: Link
  private(set) var now = Instant.zero
  private var events: [LinkEvent] = []

  init(_ trace: ImportedTrace, roundTrip: TimeSpan = .zero) throws {
    var conditions = trace.conditions
    conditions.downlink.delay = roundTrip
    link = try Link(conditions: conditions, schedule: trace.schedule)
  }

  /// When the last byte was there.
  mutating func download(_ bytes: Int64) throws -> Instant {
    let id = link.start(Request(bytes: bytes), at: now)
    while true {
      now = link.nextWake
      try #require(now < .distantFuture)
      events.removeAll(keepingCapacity: true)
      link.advance(to: now, into: &events)
      if events.contains(.completed(id, owner: 0)) { return now }
    }
  }

  mutating func wait(_ span: Int64) {
    now = now + .nanoseconds(max(0, span))
  }
}

/// A run at a fixed quality, with the other simulator's log.
struct PeerRun {
  var name: String
  var trace: [UInt8]
  var bytes: [Int64]
  /// Sabre: the clock after each segment; Pensieve: each chunk's delay. Milliseconds.
  var times: [Double]
  /// Sabre: the total after each segment, ms; Pensieve: of each chunk, s.
  var rebuffering: [Double]

  static func trace(_ bytes: [UInt8], payload: (Int64, Int64) = (1, 1)) throws -> ImportedTrace {
    var options = ImportOptions()
    options.payload = LossRatio(payload.0, over: payload.1)
    guard case .trace(let trace) = try Imported(bytes, options: options) else {
      throw ExpectedTrace()
    }
    return trace
  }

  private struct ExpectedTrace: Error {}

  /// The greatest difference from a Sabre log, in nanoseconds.
  func differenceFromSabre(segment: Int64, mostBuffered: Int64 = 25_000_000_000) throws -> Int64 {
    var downloads = try SequentialDownloads(Self.trace(trace))
    var worst: Int64 = 0
    var (buffer, stalled): (Int64, Int64) = (0, 0)
    for (index, bytes) in bytes.enumerated() {
      let excess = max(0, buffer + segment - mostBuffered)
      downloads.wait(excess)
      buffer -= excess
      let begin = downloads.now
      let end = try downloads.download(bytes)
      let span = (end - begin).nanoseconds
      if index > 0 { stalled += max(0, span - buffer) }
      buffer = max(0, buffer - span) + segment
      worst = max(worst, abs(end.nanoseconds - nanoseconds(times[index])))
      worst = max(worst, abs(stalled - nanoseconds(rebuffering[index])))
    }
    return worst
  }

  /// The greatest difference from a Pensieve log, in nanoseconds.
  func differenceFromPensieve() throws -> Int64 {
    let trace = try Self.trace(trace, payload: (19, 20))
    var downloads = try SequentialDownloads(trace, roundTrip: .milliseconds(80))
    var worst: Int64 = 0
    var buffer: Int64 = 0
    for (index, bytes) in bytes.enumerated() {
      let begin = downloads.now
      let span = (try downloads.download(bytes) - begin).nanoseconds
      let stalled = max(0, span - buffer)
      buffer = max(0, buffer - span) + 4_000_000_000
      // Above a minute it sleeps in steps of half a second.
      let steps = (max(0, buffer - 60_000_000_000) + 499_999_999) / 500_000_000
      downloads.wait(steps * 500_000_000)
      buffer -= steps * 500_000_000
      worst = max(worst, abs(span - nanoseconds(times[index])))
      worst = max(worst, abs(stalled - nanoseconds(rebuffering[index] * 1_000)))
    }
    return worst
  }
}

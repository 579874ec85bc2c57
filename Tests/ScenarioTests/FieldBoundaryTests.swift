import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Limits of what is read from the HAR of a session that was not run.
@Suite struct FieldBoundaryTests {
  /// A request in milliseconds since 10:00:00, its wait and the time in which its bytes came.
  private struct Entry {
    var start: Int
    var wait = 100
    var receive = 400
    var bytes = 100_000
    var chunks = ""

    func text(_ number: Int) -> String {
      let fraction = String("\(1_000 + start % 1_000)".dropFirst())
      return """
        { "startedDateTime": "2024-02-29T10:00:\(10 + start / 1_000).\(fraction)Z",
          "time": \(wait + receive),
          "request": { "method": "GET", "url": "https://a/s\(number).ts", "headers": [] },
          "response": { "status": 200, "bodySize": \(bytes), "content": { "mimeType": "video/mp2t" }
          }, "timings": { "send": 0, "wait": \(wait), "receive": \(receive) }\(chunks) }
        """
    }
  }

  private func log(_ entries: [Entry]) throws -> FieldLog {
    let texts = entries.enumerated().map { $1.text($0 + 1) }
    return try FieldLog(
      har: Array("{ \"log\": { \"entries\": [ \(texts.joined(separator: ", ")) ] } }".utf8))
  }

  private func document(_ log: FieldLog) throws -> String {
    try FieldSession(log, name: "a", folder: "f/", segmentDuration: .seconds(4)).document.json
  }

  // MARK: Chunks

  /// A thousand bytes in the last 100 ms of a request: each chunk lies as long before its end as
  /// it lies before the last one.
  @Test(
    arguments: [
      ([(9_000, 300), (9_050, 300), (9_100, 400)], [100, 50, 0]),
      ([(9_050, 300), (9_050, 300), (9_100, 400)], [50, 50, 0]),
      ([(9_100, 300), (9_100, 300), (9_100, 400)], [0, 0, 0]),
      ([(7, 1_000)], [0]),
      // They run back, or begin before the answer, or have other bytes than the request.
      ([(9_051, 300), (9_050, 300), (9_100, 400)], []),
      ([(9_050, 300), (9_101, 300), (9_100, 400)], []),
      ([(8_999, 300), (9_050, 300), (9_100, 400)], []),
      ([(9_000, 300), (9_050, 300), (9_100, 399)], []),
      ([(9_000, 300), (9_050, 300), (9_100, 401)], []),
    ] as [([(Int, Int)], [Int64])])
  func `chunks in their order tell when the bytes of a request came`(
    chunks: [(Int, Int)], ahead: [Int64]
  ) throws {
    let list = chunks.map { "{ \"ts\": \($0.0), \"bytes\": \($0.1) }" }
    let entry = Entry(
      start: 0, receive: 100, bytes: 1_000,
      chunks: ", \"_chunks\": [ \(list.joined(separator: ", ")) ]")
    let request = try #require(try log([entry]).requests.first)
    let ended = try #require(request.ended)
    #expect(request.arrivals.map { ended - $0.instant } == ahead.map { .milliseconds($0) })
    #expect(
      request.arrivals.map { $0.bytes } == (ahead.isEmpty ? [] : chunks.map { Int64($0.1) }))
  }

  // MARK: Outages

  private static let outage = #""for":"3 s","bandwidth":"0 bit/s""#

  /// The answer of the last request comes 3 s later than a round trip of 100 ms takes: at 4.1 s.
  @Test(arguments: [(399, true), (400, true), (401, false), (500, false)])
  func `a long wait is an outage if nothing came in it, to its first nanosecond`(
    receive: Int, isOutage: Bool
  ) throws {
    // From 700 ms on; the wait begins to be long at 1,100.
    let text = try document(
      try log([
        Entry(start: 0), Entry(start: 600, receive: receive, bytes: 250 * receive),
        Entry(start: 1_000, wait: 3_100),
      ]))
    #expect(text.contains(Self.outage) == isOutage, "\(text)")
    #expect(text.contains(#""latency":"3 s""#) == !isOutage, "\(text)")
  }

  @Test(arguments: [(1_000, "0.9 s"), (1_098, "0.998 s"), (1_099, "0.999 s"), (1_100, nil)])
  func `a wait that is a second too long is an outage, and a shorter one the server's`(
    wait: Int, latency: String?
  ) throws {
    let text = try document(try log([Entry(start: 0), Entry(start: 1_000, wait: wait)]))
    #expect(text.contains("\"bandwidth\":\"0 bit/s\"") == (latency == nil), "\(text)")
    let words = latency.map { "\"latency\":\"\($0)\"" } ?? "\"latency\""
    #expect(text.contains(words) == (latency != nil), "\(text)")
  }

  @Test(arguments: [(0, nil), (99, nil), (100, nil), (101, "0.000101 s"), (250, "0.00025 s")])
  func `a wait counts from a tenth of a millisecond beyond the round trip`(
    microseconds: Int64, latency: String?
  ) throws {
    var log = try log([Entry(start: 0), Entry(start: 1_000)])
    log.requests[1].steps.response = .milliseconds(100) + .microseconds(microseconds)
    let text = try document(log)
    let words = latency.map { "\"latency\":\"\($0)\"" } ?? "\"latency\""
    #expect(text.contains(words) == (latency != nil), "\(text)")
  }

  @Test(
    arguments: [(0, "1.3"), (149_999_999, "1.3"), (150_000_000, "1.3"), (150_000_001, "1.2")])
  func `a handshake of more than one and a half round trips is one of two`(
    nanoseconds: Int64, version: String
  ) throws {
    var log = try log([Entry(start: 0), Entry(start: 1_000)])
    #expect(try !document(log).contains("\"tls\""))
    log.requests[0].steps.security = .nanoseconds(nanoseconds)
    #expect(try document(log).contains("\"tls\":\"\(version)\""))
  }

  /// Less than 16 kB tell no rate above 400 Mbit/s, at which a byte takes 20 ns.
  @Test(
    arguments: [
      (16_383, 327_659, false), (16_383, 327_660, true), (16_384, 327_659, true),
      (100, 1_999, false), (100, 2_000, true), (100, 2_001, true),
    ])
  func `bytes of the first packets tell no rate`(
    bytes: Int64, nanoseconds: Int64, isRate: Bool
  ) throws {
    var log = try log([Entry(start: 0), Entry(start: 1_000)])
    for index in log.requests.indices {
      let responded = try #require(log.requests[index].responded)
      log.requests[index].ended = responded + .nanoseconds(nanoseconds)
      log.requests[index].bytes = bytes
    }
    #expect(try document(log).contains("bit/s") == isRate)
  }

  // MARK: Causes

  /// The first request ends at 10 s; others that last far longer stand between it and the last.
  @Test(
    arguments: [
      (10_000, 7, true), (10_001, 7, true), (10_002, 7, false), (9_999, 7, false),
      (10_001, 8, false), (10_001, 0, true),
    ])
  func `a request waited for one of the eight before it that ended within two milliseconds`(
    start: Int, others: Int, isCause: Bool
  ) throws {
    let log = try log(
      [Entry(start: 0, receive: 9_900)]
        + (0..<others).map { Entry(start: 1 + $0, receive: 30_000) } + [Entry(start: start)])
    let session = try FieldSession(log, name: "a", folder: "f/", segmentDuration: .seconds(4))
    let trace = String(decoding: session.trace(), as: UTF8.self)
    #expect(trace.contains("\"after\":1,") == isCause, "\(trace)")
  }

  // MARK: Expectations

  @Test(
    arguments: [
      (0, "0.1 s"), (990, "0.1 s"), (1_000, "0.1 s"), (1_010, "0.101 s"), (3_000, "0.3 s"),
      (11_000, "1.1 s"), (110_000, "11 s"),
    ])
  func `a start is expected within a tenth of it, and a tenth of a second at least`(
    startup: Int64, within: String
  ) throws {
    var log = try log([Entry(start: 0), Entry(start: 1_000)])
    log.play = .zero
    log.began = .zero + .milliseconds(startup)
    #expect(try document(log).contains("\"within\":\"\(within)\""))
  }
}

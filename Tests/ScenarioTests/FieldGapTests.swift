import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// Requests that failed or are left out, and facts that a log does not tell: none of them becomes
/// something that did not happen.
@Suite struct FieldGapTests {
  private func session(_ log: FieldLog) throws -> FieldSession {
    try FieldSession(log, name: "a", folder: "f/", segmentDuration: .seconds(4))
  }

  private func document(_ log: FieldLog) throws -> String { try session(log).document.json }

  private func lines(_ log: FieldLog, _ event: String) throws -> [String] {
    try String(decoding: session(log).trace(), as: UTF8.self).split(separator: "\n").filter {
      $0.contains("\"event\":\"\(event)\"")
    }.map { String($0) }
  }

  // MARK: HAR

  /// An entry that lasts half a second.
  private static func entry(
    _ second: Int, _ name: String, status: Int = 200, bytes: Int = 100_000, top: String = "",
    more: String = "", timings: String = #"{ "send": 0, "wait": 100, "receive": 400 }"#
  ) -> String {
    """
    { \(top) "startedDateTime": "2024-02-29T10:00:\(10 + second)Z", "time": 500,
      "request": { "method": "GET", "url": "https://a/\(name)" },
      "response": { "status": \(status), "bodySize": \(bytes)\(more) }, "timings": \(timings) }
    """
  }

  private func har(_ entries: [String], _ frame: String = "") throws -> FieldLog {
    let text = "{ \"log\": { \(frame) \"entries\": [ \(entries.joined(separator: ",\n")) ] } }"
    return try FieldLog(har: Array(text.utf8))
  }

  // MARK: Lines of a CDN

  /// A line that was written at a second, of a segment of 500 kB that took one.
  private static func line(
    _ second: Int, _ name: String, status: String = "200", bytes: Int = 500_000, more: String = ""
  ) -> String {
    "2024-02-29 10:00:\(10 + second) 1 \(bytes) \(status) /v/\(name) CMCD=sid%3D%22a%22\(more)"
  }

  private func lines(_ lines: [String]) throws -> FieldLog {
    let head = "#Fields: date time time-taken sc-bytes sc-status cs-uri-stem cs-uri-query\n"
    return try FieldLog(metrics: Array((head + lines.joined(separator: "\n")).utf8))
  }

  // MARK: Failures

  @Test(arguments: [
    (404, "", "HTTP 404"), (503, #", "_error": "the request timed out""#, "HTTP 503"),
    (0, #", "_error": "the request timed out""#, "the request timed out"),
    (0, #", "_error": "net::ERR_CONNECTION_TIMED_OUT""#, "the request timed out"),
    (0, #", "_error": "net::ERR_HTTP2_PROTOCOL_ERROR""#, "the connection was reset"),
    (0, "", "the connection was reset"),
  ])
  func `a failed request of a HAR keeps its reason`(
    status: Int, more: String, words: String
  ) throws {
    let log = try har([
      Self.entry(0, "s1.ts"), Self.entry(1, "s2.ts", status: status, bytes: 0, more: more),
      Self.entry(2, "s3.ts"),
    ])
    let errors = try lines(log, "requestError")
    #expect(errors.count == 1 && errors[0].contains("\"error\":\"\(words)\""), "\(errors)")
    let note = "failed responses are not in the scenario, which answers them all: 1"
    #expect(try session(log).notes.contains(note))
    #expect(try document(log).contains(note))
  }

  @Test func `a failed line keeps its status, and one that was answered has no note`() throws {
    let log = try lines([
      Self.line(1, "s1.ts"), Self.line(3, "s2.ts", status: "404", bytes: 300),
      Self.line(5, "s3.ts"),
    ])
    let errors = try lines(log, "requestError")
    #expect(errors.count == 1 && errors[0].contains(#""error":"HTTP 404","bytes":300"#))
    // Sizes of its segments are those of bodies that were segments.
    #expect(try document(log).contains(#""bytes":["500000 B",null,"500000 B"]"#))
    let good = try lines([Self.line(1, "s1.ts"), Self.line(5, "s2.ts")])
    #expect(try !document(good).contains("failed"))
  }

  @Test(arguments: ["{ }", "null", #"{ "wait": 100 }"#])
  func `an answer whose times are not known did not fail`(timings: String) throws {
    let log = try har([
      Self.entry(0, "s1.ts"), Self.entry(1, "s2.ts", timings: timings), Self.entry(2, "s3.ts"),
    ])
    #expect(log.requests.map { $0.outcome } == [.completed, .completed, .completed])
    #expect(try lines(log, "requestError").isEmpty)
    let answers = try lines(log, "mediaResourceRequest")
    #expect(answers.count == 3 && answers[1].hasPrefix(#"{"t":1.5,"#), "\(answers)")
    #expect(try !document(log).contains("failed"))
  }

  /// Half a megabyte in a second is 4 Mbit/s before and after.
  @Test(arguments: [0, 300, 16_383]) func `an error is no outage of the link`(bytes: Int) throws {
    let log = try lines([
      Self.line(1, "s1.ts"), Self.line(2, "s2.ts", status: "404", bytes: bytes),
      Self.line(3, "s2.ts"), Self.line(4, "s3.ts"),
    ])
    let document = try document(log)
    #expect(document.contains(#""link":{"bandwidth":"4000000 bit/s"}"#), "\(document)")
    #expect(!document.contains(#""do":"seek""#))
  }
}

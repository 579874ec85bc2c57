import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Schedules that are read in one go, and what keeps them from it.
@Suite struct LongScheduleReadingTests {
  private func schedule(_ steps: [String]) throws -> RateSchedule? {
    try readScenario(
      Array(
        """
        { "scenario": "Steps", "about": "Steps.", "script": [],
          "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
          "link": { "schedule": { "steps": [ \(steps.joined(separator: ",\n")) ] } } }
        """.utf8), file: "steps.json"
    ).link.schedule
  }

  private func messages(_ steps: [String]) -> [String] {
    do {
      _ = try schedule(steps)
      return []
    } catch let error as DocumentError {
      return error.diagnostics.map { $0.words }
    } catch {
      return ["\(error)"]
    }
  }

  @Test(arguments: 1...20)
  func `steps mean the same whether one of them needs a closer look or none`(seed: UInt64) throws {
    var random = RandomStream(seed: seed, name: "steps")
    var steps: [String] = []
    var expected: [RateSchedule.Step] = []
    for _ in 0..<40 {
      let (milliseconds, bits) = (random.next(in: 1...999), random.next(in: 0...9_999))
      let latency = random.next(in: 0...99)
      expected.append(
        RateSchedule.Step(
          duration: .milliseconds(milliseconds), bandwidth: .limited(.bitsPerSecond(bits * 100)),
          latency: .microseconds(latency * 100)))
      let tenth = "\(bits / 10).\(bits % 10)"
      let span = milliseconds % 2 == 0 ? "0.\(padded(milliseconds)) s" : "\(milliseconds)ms"
      let wait = latency == 0 ? "" : #""latency": "\#(latency / 10).\#(latency % 10) ms", "#
      steps.append(#"{ \#(wait)"for": "\#(span)", "bandwidth": "\#(tenth) kbit/s" }"#)
    }
    #expect(try schedule(steps)?.steps == expected)
    let closer = steps[0].replacing("\"for\"", with: #""\u0066or""#)
    #expect(try schedule([closer] + steps.dropFirst())?.steps == expected)
  }

  private func padded(_ number: Int64) -> String {
    number < 10 ? "00\(number)" : number < 100 ? "0\(number)" : "\(number)"
  }

  @Test(arguments: [
    (#"{ "for": "1 s" }"#, "“bandwidth” is missing"),
    (#"{ "bandwidth": "1 bit/s" }"#, "“for” is missing"),
    (#"{ "for": "0 s", "bandwidth": "1 bit/s" }"#, "expected a time above zero"),
    (#"{ "for": "-1 s", "bandwidth": "1 bit/s" }"#, "is negative"),
    (#"{ "for": "366 days", "bandwidth": "1 bit/s" }"#, "365 days"),
    (#"{ "for": "1 s", "for": "2 s", "bandwidth": "1 bit/s" }"#, "is repeated"),
    (
      #"{ "for": "1 s", "latency": "0 s", "latency": "0 s", "bandwidth": "1 bit/s" }"#,
      "is repeated"
    ),
    (#"{ "for": "1 s", "bandwidth": "1 bps" }"#, "unknown unit"),
    (#"{ "for": "1. s", "bandwidth": "1 bit/s" }"#, "is no time"),
    (#"{ "for": "1 s", "bandwidth": ".5 bit/s" }"#, "is no bit rate"),
    (#"{ "for": "1 s", "bandwidth": "1", "x": "1" }"#, "unknown key “x”"),
    (#"{ "for": 1, "bandwidth": "1 bit/s" }"#, "has no unit"), ("[]", "an empty list"),
    (#"{ "for": "0.0000000000000000000000000000001 s", "bandwidth": "1 bit/s" }"#, "finer"),
    (#"{ "for": "99999999999999999999 s", "bandwidth": "1 bit/s" }"#, "too large"),
  ])
  func `what is wrong with one of many steps is said`(step: String, words: String) {
    let plain = #"{ "for": "1 s", "bandwidth": "1 Mbit/s" }"#
    let found = messages([plain, step, plain])
    #expect(found.contains { $0.contains(words) }, "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("link.schedule.steps[1]") }, "\(found)")
  }

  @Test(arguments: ["{}", "7", "\"9 s\"", "null", "true", "[]", "[[]]", "[7]"])
  func `steps that are no list of steps are refused`(steps: String) {
    let text = """
      { "scenario": "a", "about": "b", "link": { "schedule": { "steps": \(steps) } },
        "media": { "progressive": { "duration": "9 s", "bitrate": "1 Mbit/s" } }, "script": [] }
      """
    #expect(throws: DocumentError.self) {
      try readScenario(Array(text.utf8), file: "a.json")
    }
  }

  @Test func `what is seldom written is read as well`() throws {
    let steps = try schedule([
      #"{ "for": "1.50 s", "bandwidth": "unlimited" }"#,
      #"{ "bandwidth": "0.826531177829 Mbit/s", "for": "2 min" }"#,
    ])?.steps
    #expect(
      steps == [
        RateSchedule.Step(duration: .milliseconds(1_500), bandwidth: .unlimited),
        RateSchedule.Step(
          duration: .seconds(120),
          bandwidth: .limited(BitRate(bitsPerSecond: 826_531_177_829, over: 1_000_000))),
      ])
    #expect(messages([]).contains { $0.contains("the list is empty") })
  }
}

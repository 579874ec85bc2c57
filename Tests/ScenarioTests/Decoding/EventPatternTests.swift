import ExactText
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// Events as expectations ask for them.
@Suite struct EventPatternTests {
  /// A scenario that expects an event never to occur: what is refused is told, what is not is read.
  private func scenario(_ pattern: String) -> String {
    let text = pattern.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return """
      { "scenario": "a", "about": "b", "link": {},
      "media": { "local": { "duration": "9 s", "bitrate": "1 Mbit/s" } },
      "expect": [{ "count": "\(text)", "is": 0 }] }
      """
  }

  private func pattern(_ text: String) throws -> EventPattern? {
    let scenario = try readScenario([UInt8](scenario(text).utf8), file: "a.json")
    guard case .count(let pattern, _)? = scenario.expectations.first?.claim else { return nil }
    return pattern
  }

  @Test(
    arguments: [
      ("stall", []),
      ("  stall  ", []),
      ("variantSwitch from=1 to=0", [("from", "1"), ("to", "0")]),
      ("variantSwitch  to = 0   from= 1 ", [("to", "0"), ("from", "1")]),
      ("requestError error=HTTP 404 bytes=0", [("error", "HTTP 404"), ("bytes", "0")]),
      (
        "requestError bytes=0 error=the request  timed out",
        [("bytes", "0"), ("error", "the request  timed out")]
      ),
      ("requestError error='HTTP 404'", [("error", "HTTP 404")]),
      (
        "newErrorLogEntry uri='a b=c' errorComment=\"it's gone\"",
        [("uri", "a b=c"), ("errorComment", "it's gone")]
      ),
      ("newErrorLogEntry uri=a?b=c errorDomain=''", [("uri", "a?b=c"), ("errorDomain", "")]),
      ("newErrorLogEntry errorStatusCode=-12938", [("errorStatusCode", "-12938")]),
      ("rateChange rate=1/3 previous=0.5", [("rate", "1/3"), ("previous", "0.5")]),
      ("likelyToKeepUp value='true' loadedEnd=40", [("value", "true"), ("loadedEnd", "40")]),
      ("pictureColour source=null wideGamut=null", [("source", "null"), ("wideGamut", "null")]),
    ] as [(String, [(String, String)])])
  func `members are read`(text: String, members: [(String, String)]) throws {
    let pattern = try #require(try pattern(text))
    #expect(pattern.members == members.map { EventPattern.Member(name: $0, value: $1) })
  }

  @Test(arguments: [
    ("stal", "unknown event “stal” (expected one of “app”, ", "did you mean “stall”?)"),
    ("linkRate", "unknown event “linkRate” (expected one of “app”, ", ""),
    (
      "variantSwitch to=0 form=1",
      "unknown member “form” of “variantSwitch” (expected “from” or “to”; ",
      "did you mean “from”?)"
    ),
    (
      "stall rule=bufferEmpty", "unknown member “rule” of “stall” (expected “time” or “clause”)", ""
    ),
    ("requestError error=gone a = b", "unknown member “a” of “requestError”", ""),
    ("variantSwitch from=1 from=0", "“from” is named twice (expected each member once)", ""),
    ("variantSwitch from", "“from” is no member with its value", "in quotation marks)"),
    ("variantSwitch from=", "“from=” is no member with its value", ""),
    ("variantSwitch =1", "“=1” is no member with its value", ""),
    ("variantSwitch from=1 please", "“please” is no member with its value", ""),
    ("requestError error='HTTP 404", "“'HTTP 404” has no end", ""),
    ("requestError error='HTTP'404", "“'HTTP'404” has no end", ""),
    ("seek to=40.0", "“40.0” is no value of “to”", "such as “40” or “0.4”)"),
    ("seek to=040", "“040” is no value of “to”", ""),
    ("seek to='1 / 3'", "“1 / 3” is no value of “to”", ""),
    ("seek to=1/", "“1/” is no value of “to”", ""),
    ("itemTransition reason=codec", "“codec” is no value of “reason”", ""),
    ("pictureColour to=screen", "“screen” is no value of “to”", ""),
    ("policyAnswer seat=sofa", "“sofa” is no value of “seat”", ""),
    ("likelyToKeepUp value=yes", "“yes” is no value of “value” (expected “true” or “false”)", ""),
  ])
  func `a pattern that no event fits is refused`(
    text: String, message: String, ending: String
  ) throws {
    let told = mistakes(in: scenario(text))
    #expect(told.hasPrefix("a.json:3:23: expect[0].count: " + message), "\(told)")
    #expect(told.hasSuffix(ending + "\n"), "\(told)")
    #expect(told.filter { $0 == "\n" }.count == 1)
  }

  @Test func `every member has to match`() throws {
    let text = try ShippedScenario.named("errors-a-variant-comes-back").text
    func failures(_ pattern: String, _ count: Any) throws -> [String] {
      let changed = text.replacing(
        "\"expect\": [", with: "\"expect\": [ { \"count\": \"\(pattern)\", \"is\": \(count) },")
      #expect(changed != text)
      return try run(readScenario([UInt8](changed.utf8), file: "a.json")).failures.map {
        $0.expected
      }
    }
    #expect(try failures("variantSwitch from=1 to=0", 1) == [])
    #expect(try failures("variantSwitch from=0 to=1", 1) == [])
    #expect(try failures("variantSwitch from=0 to=0", 0) == [])
    #expect(
      try failures("variantSwitch from=1   to='1'", 1)
        == ["variantSwitch from=1 to=1 to occur 1 time"])
    for (bounds, words) in [("0, 1", "0 and 1"), ("1, 1", "1 and 1")] {
      #expect(
        try failures("mediaResourceRequest", #"{ "between": [\#(bounds)] }"#)
          == ["mediaResourceRequest to occur between \(words) times"])
    }
    #expect(
      try failures("mediaResourceRequest", #"{ "atMost": 1 }"#)
        == ["mediaResourceRequest to occur at most 1 time"])
    #expect(
      try failures("requestError error=the request timed out", 7)
        == ["requestError error='the request timed out' to occur 7 times"])
  }
}

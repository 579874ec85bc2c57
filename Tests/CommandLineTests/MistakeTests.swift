import Testing

/// All that is wrong with a file is said at once, and counted as it is listed.
@Suite struct MistakeTests {
  @Test(arguments: [
    (#""0 s""#, 3), (#""60""#, 3), (#"[]"#, 3), (#""31 days""#, 3), (#""60 s""#, 2),
  ])
  func `a wrong duration hides no other mistake`(duration: String, count: Int) throws {
    let place = try Workplace()
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": {}, "media": { "hls": {
        "ladder": [ { "bitrate": "1 Mbit/s" } ], "segmentDuration": "4 s",
        "duration": \(duration),
        "order": { "first": 7 },
        "live": { "window": "1 s" } } } }
      """, to: "one.json")
    let run = try place.run("validate", "one.json")
    let lines = run.errorText.split(separator: "\n").filter { !$0.contains(" | ") }
    #expect(run.exitCode == 65)
    #expect(lines.count == count + 1, "\(run.errorText)")
    #expect(lines.last == "Error: 'one.json' has \(count) mistakes.")
  }
}

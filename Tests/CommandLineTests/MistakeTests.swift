import TestSupport
import Testing

/// All that is wrong with a file is said at once, and counted as it is listed.
@Suite(.besideOthers) struct MistakeTests {
  @Test(
    arguments: Seeds.cases(of: [
      (#""0 s""#, 3), (#""60""#, 3), (#"[]"#, 3), (#""31 days""#, 3), (#""60 s""#, 2),
    ]))
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

  /// What is wrong beside the duration, where that is right and where it is not.
  @Test(arguments: Seeds.cases(of: [#""0 s""#, #""60""#, "7", #""31 days""#, #""-1 s""#, "null"]))
  func `what depends on the media is judged although its duration is wrong`(
    duration: String
  ) throws {
    let place = try Workplace()
    for (name, duration) in [("right", #""60 s""#), ("wrong", duration)] {
      try place.write(
        """
        { "scenario": "a", "about": "b", "fidelity": "tcp",
          "link": { "bandwidth": "4 Mbit/s" },
          "media": { "hls": {
            "ladder": [ { "bitrate": "1 Mbit/s" }, { "bitrate": "2 Mbit/s" } ],
            "duration": \(duration),
            "audio": [ { "name": "en", "bitrate": "64 kbit/s" } ],
            "order": { "first": 7 },
            "live": { "window": "1 s", "stalePlaylists": [
              { "variant": 9, "from": "1 s", "for": "2 s" } ] } } },
          "items": [ { "name": "i", "startTime": "9 s", "forwardPlaybackEndTime": "3 s" } ],
          "queue": [ "i", "j" ],
          "script": [ { "at": "0 s", "do": "play" },
            { "at": "2 s", "do": "selectAudio", "to": "q" },
            { "at": "4 s", "do": "setNetworkResourcePriority", "to": "high" } ],
          "expect": [ { "at": { "after": "paus" }, "rate": 1 } ] }
        """, to: "\(name).json")
    }
    let right = try place.run("validate", "right.json").errorText.split(separator: "\n")
      .filter { !$0.contains(" | ") }
    let wrong = try place.run("validate", "wrong.json").errorText.split(separator: "\n")
      .filter { !$0.contains(" | ") }
    let words = wrong.filter { !$0.contains("media.hls.duration") }.dropLast()
      .map { String($0.replacing("wrong.json", with: "right.json")) }
    #expect(right.count >= 7, "\(right)")
    #expect(words == right.dropLast().map { String($0) })
    #expect(wrong.count == right.count + 1)
    #expect(wrong.last == "Error: 'wrong.json' has \(right.count) mistakes.")
  }

  /// A media playlist, what is wrong with it, and the line on which it is told.
  @Test(
    arguments: Seeds.cases(
      of: [
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n", 5),
        ("#EXTM3U\n#EXTINF:4,\na.ts\n", 1), ("", 1), ("#EXTM3U\n", 1),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-ENDLIST\n", 1),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:9999999,\na.ts\n", 1),
        (
          "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXTINF:4,\n"
            + "#EXT-X-BYTERANGE:90000000000000@0\nb.ts\n", 7
        ),
      ], few: 4))
  func `a mistake in a playlist has its line`(text: String, line: Int) throws {
    let place = try Workplace()
    try place.write(text, to: "a.m3u8")
    try place.write(
      """
      { "scenario": "a", "about": "b", "link": {}, "media": { "hls": { "playlists": "a.m3u8" } } }
      """, to: "one.json")
    let run = try place.run("validate", "one.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.contains("a.m3u8:\(line):1: "), "\(run.errorText)")
    #expect(run.errorText.hasSuffix("Error: 'one.json' has a mistake.\n"), "\(run.errorText)")
  }

  /// A line of a multivariant playlist, and where in it the caret stands.
  @Test(
    arguments: Seeds.cases(
      of: [
        ("#EXT-X-STREAM-INF:BANDWIDTH=abc,CODECS=\"avc1\"", 29),
        ("#EXT-X-STREAM-INF:CODECS=\"BANDWIDTH=1,BANDWIDTH=2\",BANDWIDTH=1.5", 62),
        ("#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=5,BANDWIDTH=99999999999999999999", 49),
        ("#EXT-X-STREAM-INF:NAME=\"é, è\",BANDWIDTH=wide", 41),
        ("#EXT-X-STREAM-INF:BANDWIDTH=5,BANDWIDTH=6", 31),
        ("#EXT-X-STREAM-INF:CODECS=\"avc1\"", 19),
      ], few: 4))
  func `a mistake in an attribute has its column`(line: String, column: Int) throws {
    let place = try Workplace()
    try place.write("#EXTM3U\n\(line)\na.m3u8\n", to: "m.m3u8")
    try place.write("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", to: "a.m3u8")
    let run = try place.run("import", "hls", "m.m3u8")
    #expect(run.exitCode == 65)
    let expected = "\n    2 | \(line)\n      | \(String(repeating: " ", count: column - 1))^\n"
    #expect(run.errorText.hasPrefix("m.m3u8:2:\(column): "), "\(run.errorText)")
    #expect(run.errorText.contains(expected), "\(run.errorText)")
  }
}

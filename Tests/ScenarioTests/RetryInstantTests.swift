import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// The instants at which requests are made again that broke at once, or beside another.
@Suite struct RetryInstantTests {
  /// Instants at which requests broke, at which they are to be made again, and at which they were.
  private func retries(
    _ media: String, _ faults: String, player: String = "",
    script: String = #"{ "at": "0 s", "do": "play" }"#
  ) throws -> (broken: Int, promised: [String], made: [String], summary: String) {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "4 Mbit/s", "delay": "20 ms" },
        "media": \(media), "faults": [ \(faults) ], "player": { \(player) },
        "script": [ \(script) ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    func values(_ name: String, of event: String) -> [String] {
      lines.filter { $0.contains("\"event\":\"\(event)\"") }.compactMap { line in
        let parts = line.split(separator: "\"\(name)\":")
        return parts.count < 2 ? nil : String(parts[1].prefix { $0 != "," && $0 != "}" })
      }
    }
    return (
      values("request", of: "requestError").count, values("retry", of: "requestError").sorted(),
      values("t", of: "requestRetry").sorted(), String(try #require(lines.last))
    )
  }

  private func file(_ head: String) -> String {
    """
    { "progressive": { "duration": "20 s", "bitrate": "2 Mbit/s",
      "headAtom": { "size": "\(head)", "at": "front" } } }
    """
  }

  @Test(arguments: ["1", "[1, 2]", "[1, 3]"], ["20 KB", "100 KB", "1 MB"])
  func `a head atom and a range that break at once are each retried in their own time`(
    requests: String, head: String
  ) throws {
    let found = try retries(
      file(head), #"{ "status": 503, "requests": \#(requests) }"#, player: #""startTime": "10 s""#)
    #expect(found.made == found.promised)
    #expect(found.summary.contains(#""outcome":"played""#))
  }

  @Test func `a range is retried a second after it broke, whatever became of the head atom`() throws
  {
    let found = try retries(
      file("100 KB"), #"{ "status": 503, "requests": [1, 4] }"#,
      player: #""startTime": "10 s""#)
    #expect(found.promised == ["1.04", "1.04", "3.08", "3.08"])
    #expect(found.made == found.promised)
  }

  /// A range from the first byte on is asked for before that, by an item that comes or by a seek.
  @Test(arguments: [
    (#""item": "byScript""#, "loadValues", #""do": "setItem" }, { "at": "0.5 s", "do": "play""#),
    (#""startTime": "10 s""#, "play", #""do": "seek", "to": "0 s""#),
  ])
  func `a head atom is not asked for within a range before its retry is due`(
    player: String, first: String, second: String
  ) throws {
    let found = try retries(
      file("100 KB"), #"{ "status": 503, "requests": 1 }"#, player: player,
      script: #"{ "at": "0 s", "do": "\#(first)" }, { "at": "0.5 s", \#(second) }"#)
    #expect(found.promised == ["1.04"])
    #expect(found.made == found.promised)
    #expect(found.summary.contains(#""outcome":"played""#))
  }

  @Test(arguments: ["avfoundation", "Chromium 156 autoplay", "Firefox 153 autoplay", "VLC 3.0"])
  func `a head atom behind the media is retried while a limit closes the file`(policy: String)
    throws
  {
    let found = try retries(
      """
      { "progressive": { "duration": "300 s", "bitrate": "200 kbit/s",
        "headAtom": { "size": "100 KB", "at": "end" } } }
      """, #"{ "status": 503, "requests": [2, 3] }"#, player: #""policy": "\#(policy)""#)
    #expect(found.made == found.promised)
    #expect(found.summary.contains(#""outcome":"played""#))
  }

  @Test(arguments: [10, 40, 99], [0, 1, 2, 5])
  func `a head atom that never comes further than before is given up after its retries`(
    kilobytes: Int, attempts: Int
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "4 Mbit/s", "delay": "20 ms" },
        "media": \(file("100 KB")),
        "faults": [ { "reset": { "after": "\(kilobytes) KB" }, "requests": [1, 100] } ],
        "player": { "retry": { "attempts": \(attempts) } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    let trace = String(decoding: outcome.trace, as: UTF8.self)
    #expect(trace.split(separator: "\n").count { $0.contains("requestError") } == attempts + 1)
    #expect(trace.contains(#""outcome":"failed""#))
  }

  @Test(arguments: ["500 ms", "2 s", "6 s"], ["500 kbit/s", "1 Mbit/s", "3 Mbit/s"])
  func `a key is retried when it is due, while its segment comes in`(
    thinkTime: String, bitRate: String
  ) throws {
    let found = try retries(
      """
      { "hls": { "ladder": [ { "bitrate": "\(bitRate)" } ], "duration": "12 s",
        "key": { "announced": false, "thinkTime": "\(thinkTime)" } } }
      """, #"{ "status": 503, "url": "contentKey", "requests": 1 }"#)
    #expect(found.made.count == 1)
    #expect(found.made == found.promised)
  }

  @Test(arguments: [false, true])
  func `a key and the segment behind it wait as long as each would alone`(hasAudio: Bool) throws {
    let audio = #""audio": [ { "name": "Stereo", "bitrate": "128 kbit/s" } ],"#
    let found = try retries(
      """
      { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "12 s",
        \(hasAudio ? audio : "") "key": { "announced": false } } }
      """,
      """
      { "status": 503, "url": "contentKey", "requests": [1, 2] },
      { "status": 503, "url": "*video-0/segment0*", "requests": [1, 2] }
      """)
    #expect(found.broken == 4)
    #expect(found.made == found.promised)
    #expect(found.summary.contains(#""outcome":"played""#))
  }

  @Test(arguments: ["100 s", "200 s", "500 s"])
  func `an outage to come does not end a run in which a variant is to be tried again`(
    outage: String
  ) throws {
    func trace(_ outages: String) throws -> [Substring] {
      let text = """
        { "scenario": "a", "about": "b",
          "link": { "bandwidth": "1 Mbit/s", "delay": "20 ms", "outages": [ \(outages) ] },
          "media": { "hls": { "ladder": [ { "bitrate": "400 kbit/s" } ], "duration": "24 s" } },
          "faults": [ { "status": 403, "url": "video-0/segment1*", "requests": 1 } ],
          "script": [ { "at": "0 s", "do": "play" }, { "at": "2 s", "do": "pause" },
            { "when": "loaded >= 23 s", "do": "play", "name": "again" } ] }
        """
      let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
      return String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n").filter {
        $0.contains(#""event":"timeControlStatus""#)
      }
    }
    let statuses = try trace("")
    #expect(statuses.count == 4)
    #expect(try trace(#"{ "from": "\#(outage)", "for": "1 s" }"#) == statuses)
  }
}

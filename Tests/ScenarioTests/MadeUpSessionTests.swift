import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// What sessions that a seed made up have found, in the few words that are needed.
@Suite struct MadeUpSessionTests {
  private func outcome(_ text: String) throws -> RunOutcome {
    try run(readScenario([UInt8](text.utf8), file: "made-up.json"))
  }

  @Test func `values can be loaded before a queue has an item`() throws {
    let outcome = try outcome(
      """
      {
        "scenario": "Values before an item", "about": "The queue is empty.",
        "link": { "bandwidth": "4 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "20 s" } },
        "items": [ { "name": "film" } ], "queue": [],
        "script": [ { "at": "1 s", "do": "loadValues" }, { "at": "9 s", "do": "play" } ],
        "expect": [ { "at": "8 s", "itemCount": 0 } ]
      }
      """)
    #expect(outcome.failures.isEmpty)
  }

  /// Where nothing else is going on, an asset that broke is what a player wakes for.
  @Test(arguments: [503, 404])
  func `values that could not be loaded are asked for again without an item`(status: Int) throws {
    let outcome = try outcome(
      """
      {
        "scenario": "Values that break", "about": "The first answer is an error.",
        "link": { "bandwidth": "4 Mbit/s" }, "horizon": "30 s",
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "20 s" } },
        "items": [ { "name": "film" } ], "queue": [],
        "faults": [ { "status": \(status), "requests": 1 } ],
        "script": [ { "at": "1 s", "do": "loadValues" } ],
        "expect": [
          { "count": "requestStart", "is": 2 }, { "count": "mediaResourceRequest", "is": 1 } ]
      }
      """)
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
  }

  /// Twice more than can be counted arrives of one transfer before it is told.
  @Test(arguments: [1, 40, 999, 1_300, 2_253, 7_001])
  func `a link can lose its limit and have a schedule at one instant`(instant: Int) throws {
    let outcome = try outcome(
      """
      {
        "scenario": "No limit for no time", "about": "Two changes at one instant.",
        "link": { "bandwidth": "300 kbit/s" },
        "media": { "progressive": { "duration": "12 s", "bitrate": "280 kbit/s" } },
        "script": [
          { "at": "0 s", "do": "play" },
          { "at": "\(instant) ms", "do": "switchLink", "to": "off" },
          { "at": "\(instant) ms", "do": "changeSchedule",
            "to": { "steps": [ { "for": "52 ms", "bandwidth": "475 kbit/s" } ], "then": "repeat" } }
        ],
        "expect": [ { "stallCount": 0, "played": "12 s", "bytesTransferred": "420000 B" } ]
      }
      """)
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
  }

  /// The variant that a seek gives up has sound that has come, and belongs to the event before.
  @Test(arguments: [6, 10, 14, 16, 20, 25])
  func `a seek in a stream takes no request of the event before`(instant: Int) throws {
    let outcome = try outcome(
      """
      {
        "scenario": "A seek at a switch", "about": "A higher variant is under way.",
        "link": { "delay": "20 ms", "schedule": { "steps": [
          { "for": "12 s", "bandwidth": "1500 kbit/s" },
          { "for": "300 s", "bandwidth": "6 Mbit/s" } ] } },
        "media": { "hls": {
          "duration": "300 s", "segmentDuration": "6 s",
          "ladder": [ { "bitrate": "400 kbit/s" }, { "bitrate": "900 kbit/s" },
            { "bitrate": "3 Mbit/s" } ],
          "audio": [ { "name": "en", "bitrate": "64 kbit/s" } ] } },
        "player": { "policy": "Media3 1.6" },
        "script": [
          { "at": "0 s", "do": "play" }, { "at": "\(instant) s", "do": "seek", "to": "250 s" },
          { "at": "\(instant) s", "do": "pause" } ],
        "horizon": "\(instant * 1_000 + 10) ms"
      }
      """)
    let events = try #require(outcome.logs.accessLog).events
    #expect(events.count >= 2)
    for event in events where event.numberOfBytesTransferred == 0 {
      #expect(event.numberOfMediaRequests == 0)
    }
  }
}

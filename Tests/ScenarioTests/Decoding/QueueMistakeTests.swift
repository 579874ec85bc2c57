import ScenarioFormat
import ScenarioRunner
import Testing

/// What is wrong with a queue, an item or a loop is said where it stands.
@Suite struct QueueMistakeTests {
  /// A scenario with more in it.
  private func mistakes(with more: String, media: String = #""duration": "10 s""#) -> String {
    ScenarioTests.mistakes(
      in: """
        {
          "scenario": "A queue", "about": "Mistakes.", "link": {},
          "media": { "local": { \(media), "bitrate": "2 Mbit/s" } },
          \(more)
        }
        """)
  }

  @Test func `a queue names items that there are, each once`() {
    let items = #""items": [ { "name": "A" }, { "name": "B" } ], "#
    #expect(mistakes(with: items + #""queue": ["A", "B"]"#) == "")
    #expect(mistakes(with: items + #""queue": ["A", "C"]"#).contains("no item is called “C”"))
    #expect(
      mistakes(with: items + #""queue": ["A", "A"]"#).contains(
        "the item stands in the queue already"))
    #expect(
      mistakes(with: #""items": [ { "name": "A" }, { "name": "A" } ], "queue": ["A"]"#)
        .contains("two items are called “A”"))
  }

  @Test func `an item names an asset that there is, and lasts`() {
    #expect(
      mistakes(with: #""items": [ { "name": "A", "asset": "film" } ]"#)
        .contains("no asset is called “film”"))
    #expect(
      mistakes(with: #""items": [ { "name": "A", "startTime": "10 s" } ]"#)
        .contains("the item “A” ends where it begins"))
    #expect(
      mistakes(
        with: #""items": [ { "name": "A", "startTime": "4 s", "forwardPlaybackEndTime": "3 s" } ]"#
      ).contains("the item “A” ends where it begins"))
  }

  @Test func `a script names items too`() {
    let script = #""script": [ { "at": "0 s", "do": "insert", "item": "B" } ]"#
    #expect(mistakes(with: script).contains("a name that stands in “items”"))
    #expect(
      mistakes(with: #""items": [ { "name": "A" } ], "# + script)
        .contains("no item is called “B”"))
  }

  @Test func `looping goes with what can be looped`() {
    #expect(
      mistakes(with: #""items": [ { "name": "A" } ], "queue": ["A"], "looping": "rewind""#)
        .contains("rewinding loops a single item"))
    #expect(
      mistakes(with: #""looping": { "way": "looper", "copies": 2 }"#)
        .contains("a looper makes 2 copies"))
    #expect(
      mistakes(with: #""looping": { "way": "looper", "timeRange": ["4 s", "11 s"] }"#)
        .contains("this is no range of the media"))
    #expect(mistakes(with: #""looping": "treadmil""#).contains("did you mean “treadmill”?"))
  }

  @Test func `a track is no longer than its file`() {
    let tracks =
      #""duration": "10 s", "tracks": [ { "kind": "video", "name": "P", "duration": "11 s" } ]"#
    #expect(
      mistakes(with: #""seed": 1"#, media: tracks).contains("the track “P” is longer than the file")
    )
  }
}

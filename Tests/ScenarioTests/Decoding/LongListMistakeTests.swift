import ExactText
import ScenarioFormat
import ScenarioRunner
import Testing

/// Names that are misspelt in long lists: so many are looked through for what was meant.
@Suite struct LongListMistakeTests {
  private func message(_ members: String) -> String {
    let text = """
      { "scenario": "a", "about": "b",
        "media": { "progressive": { "duration": "9 s", "bitrate": "1 Mbit/s" } }, \(members) }
      """
    do throws(DocumentError) {
      _ = try readScenario(Array(text.utf8), file: "a.json")
      return ""
    } catch {
      return error.text
    }
  }

  /// The step that is meant is the last of so many.
  @Test(arguments: [2, 999, 1_000, 1_001, 1_500])
  func `a step among the first thousand is suggested`(count: Int) {
    let steps = (1...count).map { number in
      let name = number == count ? "overture" : "\(number)"
      return #"{ "at": "1 s", "do": "play", "name": "\#(name)" }"#
    }
    let script = (steps + [#"{ "after": "overtrue", "do": "pause" }"#]).joined(separator: ", ")
    let said = message(#""script": [ \#(script) ]"#)
    #expect(said.contains("no step is called “overtrue”"))
    #expect(said.contains("did you mean “overture”?") == (count <= 1_000), "\(said)")
  }

  /// The asset that is meant is the last of so many.
  @Test(arguments: [2, 255, 256, 257, 300])
  func `an asset among the first 256 is suggested`(count: Int) {
    let media = #"{ "progressive": { "duration": "7 s", "bitrate": "1 Mbit/s" } }"#
    let assets = (1...count).map { number in
      #"{ "name": "\#(number == count ? "overture" : "\(number)")", "media": \#(media) }"#
    }
    let said = message(
      #""assets": [ \#(assets.joined(separator: ", ")) ], "#
        + #""items": [ { "name": "y", "asset": "overtrue" } ], "script": []"#)
    #expect(said.contains("no asset is called “overtrue”"), "\(said)")
    #expect(said.contains("did you mean “overture”?") == (count <= 256), "\(said)")
  }

  /// A year, and a thousand million events.
  @Test(
    arguments: [
      (#""horizon": "31536000 s""#, true), (#""horizon": "31536000.000000001 s""#, false),
      (#""horizon": "365 days""#, true), (#""link": { "delay": "31536000 s" }"#, true),
      (#""link": { "delay": "31536001 s" }"#, false),
      (#""eventBudget": 1000000000"#, true), (#""eventBudget": 1000000001"#, false),
      (#""eventBudget": 1"#, true), (#""eventBudget": 0"#, false),
    ])
  func `a value at its limit is read, and one beyond it is not`(members: String, isRead: Bool) {
    let link = members.contains("link") ? "" : #", "link": {}"#
    let said = message(members + link + #", "script": []"#)
    #expect(said.isEmpty == isRead, "\(said)")
  }

  @Test(arguments: [("31536000 s", true), ("31536000.000000001 s", false)])
  func `a step of a schedule lasts a year at most`(length: String, isRead: Bool) {
    let step = #"{ "for": "\#(length)", "bandwidth": "1 Mbit/s" }"#
    let said = message(#""link": { "schedule": { "steps": [ \#(step) ] } }, "script": []"#)
    #expect(said.isEmpty == isRead, "\(said)")
  }

  @Test(arguments: [("720 h", true), ("2592000.000000001 s", false), ("721 h", false)])
  func `media of thirty days is read, and longer media is not`(length: String, isRead: Bool) {
    let ladder = #""ladder": [ { "bitrate": "8 kbit/s" } ]"#
    for media in [
      #""progressive": { "duration": "\#(length)", "bitrate": "8 kbit/s" }"#,
      #""hls": { "duration": "\#(length)", "segmentDuration": "600 s", \#(ladder) }"#,
    ] {
      let text =
        #"{ "scenario": "a", "about": "b", "media": { \#(media) }, "link": {}, "script": [] }"#
      let reading = Result {
        try readScenario(Array(text.utf8), file: "a.json")
      }
      #expect(((try? reading.get()) != nil) == isRead, "\(media) \(reading)")
    }
  }
}

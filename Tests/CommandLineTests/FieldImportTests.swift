import Foundation
import TestSupport
import Testing

/// HARs by the command: what is written, what is kept, and what is said.
@Suite(.besideOthers) struct FieldImportTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(
      """
      { "scenario": "Viewer", "about": "A tunnel.", "link": { "delay": "40 ms", "schedule": {
        "steps": [ { "for": "10 s", "bandwidth": "2200 kbit/s" },
        { "for": "12 s", "bandwidth": "60 kbit/s" },
        { "for": "1 s", "bandwidth": "4 Mbit/s" } ] } },
        "media": { "hls": { "ladder": [ { "bitrate": "400 kbit/s" }, { "bitrate": "1600 kbit/s" } ],
        "duration": "60 s" } }, "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "viewer.json")
    try place.write(try place.run("export", "har", "viewer.json").text, to: "viewer.har")
  }

  @Test func `a HAR becomes a scenario with its playlists, and a recording`() throws {
    let run = try place.run(
      "import", "har", "viewer.har", "-o", "deep/field.json", "--trace", "field.trace")
    #expect(run.exitCode == 0 && run.text.isEmpty, "\(run.errorText)")
    #expect(run.errorText.contains("viewer.har: note: the rate is known while bytes arrived"))
    #expect(try place.names().contains("deep/field-media/main.m3u8"))
    #expect(try place.run("test", "deep/field.json").exitCode == 0)
    let report = try place.run("report", "field.trace")
    #expect(report.exitCode == 0 && report.text.contains("stalls         1, "))
    #expect(report.errorText.contains("was read from a log (har), which lacks"))
    #expect(try place.run("replay", "field.trace").exitCode == 65)
  }

  @Test func `a trace is exported as its run is`() throws {
    _ = try place.run("run", "viewer.json", "--quiet", "--trace", "viewer.trace")
    let whole = try place.read("viewer.har")
    #expect(try place.run("export", "har", "viewer.trace").text == whole)
    let piped = try place.run("export", "har", "-", input: try place.read("viewer.json"))
    #expect(piped.text == whole)
  }

  @Test func `nothing is taken the place of, and playlists need a place`() throws {
    try place.write("mine", to: "mine.json")
    let kept = try place.run("import", "har", "viewer.har", "-o", "mine.json")
    #expect(kept.exitCode == 74)
    #expect(try place.read("mine.json") == "mine")
    #expect(try place.run("import", "har", "viewer.har").exitCode == 64)
    #expect(
      try place.run("import", "har", "viewer.har", "-o", "a.json", "--trace", "a.json").exitCode
        == 64)
    let odd = try place.run("import", "har", "viewer.json")
    #expect(odd.exitCode == 65 && odd.errorText.contains("the HAR has no entry that can be used"))
  }

  @Test func `a file needs a duration that no request tells`() throws {
    try place.write(shortScenario(), to: "short.json")
    let har = try place.run("export", "har", "short.json").text
    try place.write(har.replacing("X-Content-Duration", with: "X-Other"), to: "short.har")
    let run = try place.run("import", "har", "short.har")
    #expect(run.exitCode == 65 && run.errorText.contains("--duration"))
    let told = try place.run("import", "har", "short.har", "--duration", "4s")
    #expect(told.exitCode == 0 && told.text.contains("\"duration\": \"4 s\""))
  }

  @Test func `a run is held against the field, and what it does not explain is named`() throws {
    _ = try place.run("import", "har", "viewer.har", "-o", "f.json", "--trace", "field.trace")
    _ = try place.run("run", "f.json", "--quiet", "--trace", "same.trace")
    let same = try place.run("diff", "field.trace", "same.trace")
    #expect(same.exitCode == 0 && same.text.contains("0 in the field alone, 0 in the run alone"))
    #expect(same.text.contains("the run explains 99.9 %"), "\(same.text)")
    // In either order the field is the field.
    #expect(try place.run("diff", "same.trace", "field.trace").text == same.text)
    let lower = "player.preferredPeakBitRate=1 Mbit/s"
    _ = try place.run("run", "f.json", "--quiet", "--set", lower, "--trace", "other.trace")
    let other = try place.run("diff", "field.trace", "other.trace")
    #expect(other.exitCode == 1)
    #expect(other.text.contains("in the field, none in the run"), "\(other.text)")
    #expect(other.text.contains("of which the run explains 0.0 % of the time"), "\(other.text)")
    let json = try place.run("diff", "field.trace", "other.trace", "--format", "json").text
    #expect(json.contains("\"explainedStallTime\": 0") && json.contains("\"same\": false"))
  }
}

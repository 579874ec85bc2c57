import Foundation
import TestSupport
import Testing

/// What a scenario from somewhere else may read: nothing outside of where it lies.
@Suite(.besideOthers) struct ReferenceTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write("root:$6$secret:19000:0:99999:7:::\n", to: "private/shadow")
    try place.write("0,2M\n", to: "private/road.csv")
    try place.write("0,2M\n", to: "work/links/road.csv")
  }

  private func scenario(_ reference: String) -> String {
    shortScenario().replacingOccurrences(
      of: #"{ "bandwidth": "2 Mbit/s" }"#,
      with: #"{ "trace": { "file": "\#(reference)" } }"#)
  }

  /// Runs the command in the folder `work`, as if nothing else were the user's.
  private func run(_ arguments: String...) throws -> CommandRun {
    var command = Command(arguments)
    command.folder = place.folder.appending(path: "work")
    return try command.run()
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: place.folder.appending(path: name).path, withDestinationPath: target)
  }

  @Test(
    arguments: Seeds.cases(
      of: [
        "/etc/passwd", "../../private/shadow", "../../private/road.csv", "../../private/absent",
        "../x/../../private/shadow", "link.csv", "folder/shadow",
      ], few: 4))
  func `a reference that leaves the folder is not read, and nothing of it is quoted`(
    reference: String
  ) throws {
    try place.write(scenario(reference), to: "work/sent/one.json")
    try link("work/sent/link.csv", to: "../../private/road.csv")
    try link("work/sent/folder", to: place.folder.appending(path: "private").path)
    let found = try run("run", "sent/one.json", "--trace", "one.trace")
    #expect(found.exitCode == 65)
    for secret in ["root:", "secret", "19000"] {
      #expect(!(found.text + found.errorText).contains(secret))
    }
    #expect(found.errorText.contains("--allow-path"))
    #expect(
      !FileManager.default.fileExists(
        atPath: place.folder.appending(path: "work/one.trace").path))
  }

  /// A study names scenarios, recordings and folders of both, and is somebody else's as well.
  @Test(
    arguments: Seeds.cases(of: [
      "/etc/passwd", "../../private/shadow", "../../private", "link.csv", "folder", "within",
    ]))
  func `a study's references stay where a scenario's do`(reference: String) throws {
    try place.write(shortScenario(), to: "work/sent/one.json")
    try link("work/sent/link.csv", to: "../../private/road.csv")
    try link("work/sent/folder", to: place.folder.appending(path: "private").path)
    try place.write("0,2M\n", to: "work/sent/within/a.csv")
    try link(
      "work/sent/within/shadow.json", to: place.folder.appending(path: "private/shadow").path)
    for parts in [
      #""scenarios": ["one.json"], "links": ["\#(reference)"]"#, #""scenarios": ["\#(reference)"]"#,
    ] {
      try place.write(
        "{ \"study\": \"s\", \"about\": \"b\", \(parts) }", to: "work/sent/study.json")
      let found = try run("compare", "sent/study.json")
      #expect(found.exitCode == 65 || found.exitCode == 66)
      for secret in ["root:", "secret", "19000"] {
        #expect(!(found.text + found.errorText).contains(secret))
      }
      if reference != "within" { #expect(found.errorText.contains("--allow-path")) }
    }
  }

  @Test func `what a study may read it reads`() throws {
    try place.write(shortScenario(), to: "work/sent/one.json")
    for (reference, permission) in [
      ("../links/road.csv", []), ("../links", []),
      ("../../private/road.csv", ["--allow-path", "../private"]),
    ] {
      try place.write(
        """
        { "study": "s", "about": "b", "scenarios": ["one.json"], "links": ["\(reference)"] }
        """, to: "work/sent/study.json")
      var command = Command(["compare", "sent/study.json"] + permission)
      command.folder = place.folder.appending(path: "work")
      let found = try command.run()
      #expect(found.exitCode == 0, "\(reference): \(found.errorText)")
    }
  }

  @Test func `a reference stays below the scenario, the folder that was named, or the working one`()
    throws
  {
    try place.write(scenario("../links/road.csv"), to: "work/theme/one.json")
    #expect(try run("validate", "theme/one.json").exitCode == 0)
    var command = Command("validate", "work/theme/one.json")
    command.folder = place.folder
    #expect(try command.run().exitCode == 0)
    // From elsewhere the folder that was named is what counts.
    command = Command("validate", place.folder.appending(path: "work").path)
    command.folder = FileManager.default.temporaryDirectory.appending(path: "/")
    #expect(try command.run().exitCode == 0)
  }

  @Test(arguments: Seeds.cases(of: ["validate", "run", "test", "compare"]))
  func `a folder can be allowed by name`(verb: String) throws {
    try place.write(scenario("../../private/road.csv"), to: "work/sent/one.json")
    let more = verb == "compare" ? ["--heuristics", "immediate"] : []
    func code(_ arguments: [String]) throws -> Int32 {
      var command = Command([verb, "sent/one.json"] + more + arguments)
      command.folder = place.folder.appending(path: "work")
      return try command.run().exitCode
    }
    #expect(try code([]) == 65)
    #expect(try code(["--allow-path", "../private"]) == 0)
    #expect(try code(["--allow-path", "/usr", "--allow-path=../private/"]) == 0)
    #expect(try code(["--allow-path", "../priv"]) == 65)
  }

  @Test(
    arguments: Seeds.cases(of: [
      "../private/low.m3u8", "%2e%2e/private/low.m3u8", "%2E./private/low.m3u8",
    ]))
  func `a playlist leads nowhere else either`(reference: String) throws {
    try place.write("#EXTM3U\nsecret line\n", to: "private/low.m3u8")
    try place.write(
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=500000\n\(reference)\n", to: "work/main.m3u8")
    try place.write(
      shortScenario().replacingOccurrences(
        of: #""progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" }"#,
        with: #""hls": { "playlists": "main.m3u8" }"#), to: "work/one.json")
    for arguments in [["validate", "one.json"], ["import", "hls", "main.m3u8"]] {
      var command = Command(arguments)
      command.folder = place.folder.appending(path: "work")
      let found = try command.run()
      #expect(found.exitCode == 65)
      #expect(!(found.text + found.errorText).contains("secret line"))
    }
  }
}

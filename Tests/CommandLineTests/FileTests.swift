import Foundation
import TestSupport
import Testing

/// Files, folders, standard input, and what is written.
@Suite(.besideOthers) struct FileTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    for name in ["b", "a", "Z", "inner/c", "inner/deep/d", "ä"] {
      try place.write(shortScenario(name: "Scenario \(name)"), to: "all/\(name).json")
    }
    try place.write(shortScenario(name: "Hidden"), to: "all/.hidden/x.json")
    try place.write("not a scenario", to: "all/notes.txt")
  }

  private let order = ["Z", "a", "b", "inner/c", "inner/deep/d", "ä"]

  @Test(arguments: Seeds.cases(of: ["1", "2", "7"]))
  func `a folder is read whole and in one order, however many work on it`(jobs: String) throws {
    let run = try place.run("validate", "all", "--jobs", jobs)
    #expect(run.exitCode == 0)
    #expect(run.text == order.map { "all/\($0).json: valid\n" }.joined())
  }

  @Test func `several paths come in the order they were written`() throws {
    let run = try place.run("validate", "all/b.json", "all/inner", "all/a.json")
    let names = ["b", "inner/c", "inner/deep/d", "a"]
    #expect(run.text == names.map { "all/\($0).json: valid\n" }.joined())
  }

  @Test func `a folder that links into itself is read once`() throws {
    let link = place.folder.appending(path: "all/inner/again")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: place.folder.appending(path: "all"))
    #expect(
      try place.run("validate", "all").text == order.map { "all/\($0).json: valid\n" }.joined())
  }

  @Test func `a dash is standard input`() throws {
    let text = shortScenario(name: "Piped", expecting: #"{ "stallCount": 0 }"#)
    let run = try place.run("test", "-", input: text)
    #expect(run.exitCode == 0)
    #expect(run.text == "passed  Piped  <stdin>\n1 passed, 0 failed\n")
    let broken = try place.run("validate", "-", input: "{")
    #expect(broken.exitCode == 65)
    #expect(broken.errorText.hasPrefix("<stdin>:1:2: "))
  }

  @Test func `a file that a scenario names lies beside it, and its trace does without`() throws {
    let text = shortScenario().replacingOccurrences(
      of: #"{ "bandwidth": "2 Mbit/s" }"#, with: #"{ "trace": { "file": "links/road.csv" } }"#)
    try place.write(text, to: "inner/recorded.json")
    try place.write("0,2M\n", to: "all/inner/links/road.csv")
    try place.write(text, to: "all/inner/recorded.json")
    let run = try place.run("run", "all/inner/recorded.json", "--quiet", "--trace", "one.jsonl")
    #expect(run.exitCode == 0)
    try FileManager.default.removeItem(at: place.folder.appending(path: "all"))
    #expect(try place.run("replay", "one.jsonl").exitCode == 0)
    let missing = try place.run("validate", "inner/recorded.json")
    #expect(missing.exitCode == 65)
    #expect(missing.errorText.contains("link.trace.file: the file “links/road.csv” cannot be read"))
  }

  @Test func `a trace is written, replays, and is the same from another process`() throws {
    try place.write(shortScenario(), to: "short.json")
    #expect(try place.run("run", "short.json", "--quiet", "--trace", "one.jsonl").text.isEmpty)
    #expect(try place.run("run", "short.json", "--quiet", "--trace", "two.jsonl").exitCode == 0)
    #expect(try place.read("one.jsonl") == place.read("two.jsonl"))
    let replay = try place.run("replay", "one.jsonl")
    #expect(replay.exitCode == 0)
    #expect(replay.text.hasPrefix("one.jsonl: replayed exactly, "))
    let diff = try place.run("diff", "one.jsonl", "two.jsonl")
    #expect(diff.exitCode == 0)
    #expect(diff.text.hasPrefix("The traces tell the same: "))
    #expect(try !place.names().contains { $0.hasSuffix(".partial") })
  }

  @Test func `a trace that was changed diverges at that line`() throws {
    try place.write(shortScenario(), to: "short.json")
    _ = try place.run("run", "short.json", "--quiet", "--trace", "one.jsonl")
    var lines = try place.read("one.jsonl").components(separatedBy: "\n")
    lines[3] = lines[3].replacingOccurrences(of: "\"t\":", with: "\"t\":1")
    try place.write(lines.joined(separator: "\n"), to: "two.jsonl")
    let replay = try place.run("replay", "one.jsonl", "two.jsonl")
    #expect(replay.exitCode == 1)
    #expect(replay.text.contains("\ntwo.jsonl:4: diverged\n  recorded  " + lines[3] + "\n"))
    let diff = try place.run("diff", "one.jsonl", "two.jsonl")
    #expect(diff.exitCode == 1)
    #expect(diff.text.hasPrefix("one.jsonl:4 and two.jsonl:4: "))
  }

  @Test func `the traces of a folder lie in a folder as the scenarios do`() throws {
    #expect(try place.run("run", "all", "--quiet", "--trace", "out/traces").exitCode == 0)
    let written = try place.names().filter { $0.hasPrefix("out/") && $0.hasSuffix(".jsonl") }
    #expect(written == order.map { "out/traces/\($0).trace.jsonl" }.sorted())
  }

  @Test func `the traces of a folder are reported and replayed by its name`() throws {
    _ = try place.run("run", "all", "--quiet", "--trace", "all/traces/")
    let replay = try place.run("replay", "all")
    #expect(replay.exitCode == 0)
    #expect(
      replay.text.split(separator: "\n").map { String($0.prefix { $0 != ":" }) }
        == order.map { "all/traces/\($0).trace.jsonl" })
    let report = try place.run("report", "all", "--format", "json")
    #expect(report.exitCode == 0)
    for name in order { #expect(report.text.contains("/\(name).trace.jsonl")) }
  }

  @Test func `two scenarios do not write into one file`() throws {
    try place.write(shortScenario(), to: "other/a.json")
    let run = try place.run("run", "all/a.json", "other/a.json", "--trace", "traces")
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("'a.trace.jsonl'"))
  }
}

import Foundation
import Testing

/// What the command ends with: 0, 1, 65, 66, 74; 64 has a suite of its own.
@Suite(.besideOthers) struct ExitCodeTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(expecting: #"{ "stallCount": 0 }"#), to: "good.json")
    try place.write(
      shortScenario(name: "Hopeful", expecting: #"{ "stallCount": 3 }"#), to: "failing.json")
    try place.write(#"{ "scenario": 5, "sed": 1 }"#, to: "broken.json")
    try place.write("", to: "empty.json")
    try place.write("nothing for us", to: "folder/notes.txt")
  }

  @Test func `0 where every expectation came true`() throws {
    let run = try place.run("test", "good.json")
    #expect(run.exitCode == 0)
    #expect(run.text == "passed  Short  good.json\n1 passed, 0 failed\n")
    #expect(run.errorText.isEmpty)
  }

  @Test func `1 where one did not, with its place, what was expected and what was so`() throws {
    let run = try place.run("test", "failing.json", "good.json")
    #expect(run.exitCode == 1)
    #expect(run.text.hasPrefix("failed  Hopeful  failing.json\n    failing.json:8:"))
    #expect(run.text.contains("\n      expected  stallCount 3\n"))
    #expect(run.text.contains("\n      actual    it was 0\n"))
    #expect(run.text.contains("\n      trace     {\"t\":"))
    #expect(run.text.hasSuffix("passed  Short  good.json\n1 passed, 1 failed\n"))
  }

  @Test func `running does not judge`() throws {
    #expect(try place.run("run", "failing.json").exitCode == 0)
  }

  @Test(arguments: ["run", "test", "compare", "validate"])
  func `65 where a file is wrong, with all of its mistakes`(verb: String) throws {
    let run = try place.run(verb, "broken.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.contains("broken.json:1:15: scenario: "))
    #expect(run.errorText.contains("(did you mean “seed”?)"))
    #expect(run.errorText.hasSuffix("\nError: 'broken.json' has 5 mistakes.\n"))
  }

  @Test(arguments: ["run", "test", "compare", "validate"])
  func `65 where a file is empty`(verb: String) throws {
    let run = try place.run(verb, "empty.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.contains("empty.json:1:1: "))
  }

  @Test(arguments: ["run", "test", "compare", "validate", "replay"])
  func `66 where there is nothing of that name`(verb: String) throws {
    let run = try place.run(verb, "nothing.json")
    #expect(run.exitCode == 66)
    #expect(run.errorText == "Error: There is no file or folder 'nothing.json'.\n")
  }

  @Test(arguments: ["run", "test", "compare", "validate"])
  func `66 where a folder holds no scenario`(verb: String) throws {
    let run = try place.run(verb, "folder")
    #expect(run.exitCode == 66)
    #expect(
      run.errorText == "Error: 'folder' holds no scenario: no file in it ends in .json.\n")
  }

  @Test(arguments: ["replay", "report"])
  func `66 where a folder holds no trace`(verb: String) throws {
    let run = try place.run(verb, "folder")
    #expect(run.exitCode == 66)
    #expect(run.errorText == "Error: 'folder' holds no trace: of the files in it, none is one.\n")
  }

  @Test func `74 where something cannot be read`() throws {
    let run = try place.run("diff", "folder", "good.json")
    #expect(run.exitCode == 74)
    #expect(run.errorText == "Error: 'folder' cannot be read: Is a directory.\n")
  }

  @Test func `74 where something cannot be written, and nothing is left behind`() throws {
    let before = try place.names()
    let run = try place.run("run", "good.json", "--quiet", "--trace", "good.json/trace")
    #expect(run.exitCode == 74)
    #expect(run.errorText.hasPrefix("Error: 'good.json/trace' cannot be written: "))
    #expect(try place.names() == before)
  }

  @Test func `one wrong file keeps no other from being run, and the highest code counts`() throws {
    let run = try place.run("test", "failing.json", "broken.json", "nothing.json", "good.json")
    #expect(run.exitCode == 66)
    #expect(run.text.contains("failed  broken.json could not be run\n"))
    #expect(run.text.hasSuffix("1 passed, 1 failed, 2 could not be run\n"))
  }

  @Test func `a trace that is none is wrong input`() throws {
    #expect(try place.run("replay", "good.json").exitCode == 65)
    #expect(try place.run("diff", "good.json", "good.json").exitCode == 65)
  }

  @Test func `a full device is a failure that is told, a closed pipe one that is not`() throws {
    var command = Command("-c", "\"$0\" run good.json > /dev/full")
    command.folder = place.folder
    let full = try command.runShell()
    #expect(full.exitCode == 74)
    #expect(full.errorText.hasPrefix("Error: Standard output cannot be written: "))

    command.arguments = ["-c", "{ sleep 0.3; \"$0\" run good.json; echo $? >&2; } | true"]
    let closed = try command.runShell()
    #expect(closed.errorText == "74\n")
  }
}

import Foundation
import Testing

/// A first scenario, completions, and the manual page.
@Suite(.besideOthers) struct ShellTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  @Test(arguments: ["file", "stream"])
  func `a first scenario passes, has a sentence for each part and is never written twice`(
    kind: String
  ) throws {
    let run = try place.run("init", "mine/first.json", "--media", kind)
    #expect(run.exitCode == 0)
    #expect(run.text.contains("  goldilocks test mine/first.json"))
    #expect(try place.names() == ["mine", "mine/.scenario.schema.json", "mine/first.json"])
    let text = try place.read("mine/first.json")
    for word in ["The link ", "The media ", "The player ", "In the script", "It is expected"] {
      #expect(text.contains(word))
    }
    let test = try place.run("test", "mine", "--strict")
    #expect(test.exitCode == 0, "\(test.text)\(test.errorText)")
    let again = try place.run("init", "mine/first.json")
    #expect(again.exitCode == 74)
    #expect(again.errorText.contains("is there already; nothing was written"))
    #expect(try place.read("mine/first.json") == text)
    #expect(try place.run("init", "-", "--media", kind).text == text)
  }

  @Test func `without a name it is first json in the working folder`() throws {
    #expect(try place.run("init").exitCode == 0)
    #expect(try place.run("test").text.hasSuffix("1 passed, 0 failed\n"))
  }

  /// What bash offers for the last of some words.
  private func offers(_ words: [String]) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    try place.write(
      """
      source complete.bash
      COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
      _goldilocks
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "ask.bash")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["bash", "ask.bash"]
    process.currentDirectoryURL = place.folder
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test func `bash completes verbs, options, their values and what has a subject`() throws {
    try place.write("{}", to: "film.json")
    try place.write(try place.run("completions", "bash").text, to: "complete.bash")
    #expect(try offers(["goldilocks", "va"]) == ["validate"])
    #expect(try offers(["goldilocks", "test", "--fail"]) == ["--fail-fast"])
    #expect(try offers(["goldilocks", "test", "--format", "g"]) == ["github"])
    #expect(try offers(["goldilocks", "import", "h"]) == ["hls", "har"])
    #expect(try offers(["goldilocks", "export", "link", "--as", "m"]) == ["mahimahi"])
    #expect(try offers(["goldilocks", "run", "fi"]) == ["film.json"])
    #expect(try offers(["goldilocks", "run", "--color", "a"]) == ["auto", "always"])
    #expect(try offers(["goldilocks", "help", "comp"]) == ["compare", "completions"])
  }

  /// The help of each verb.
  private static let helps = Result {
    try HelpScreens.verbs.map { verb in
      (verb, try Command(["help"] + verb.split(separator: " ").map { String($0) }).run().text)
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `every verb and option is known to every shell`(shell: String) throws {
    let text = try place.run("completions", shell).text
    for (verb, help) in try Self.helps.get() {
      #expect(text.contains(verb.split(separator: " ")[0]))
      let options = help.matches(of: /\n  (?:-[a-z], )?--([a-z-]+)/).map { String($0.output.1) }
      #expect(options.count >= 4)
      for option in options {
        #expect(text.contains(shell == "fish" ? " -l \(option) " : "--\(option)"), "\(option)")
      }
    }
    #expect(try place.run("completions", "tcsh").exitCode == 64)
  }

  @Test func `the manual has every verb and every option, and nothing that man would obey`() throws
  {
    let text = try place.run("manual").text
    for verb in HelpScreens.verbs {
      #expect(text.contains("\n.SS \(verb.replacing("-", with: "\\-"))\n"), "\(verb)")
    }
    for line in text.split(separator: "\n") where line.hasPrefix(".") {
      #expect(line.contains(/^\.(TH|SH|SS|PP|TP|B|I|nf|fi)( |$)/), "\(line)")
    }
    #expect(text.contains("\\-\\-update\\-baseline"))
    #expect(!text.contains("\n'"))
  }

  @Test func `every help has an example that the command understands`() throws {
    for (verb, help) in try Self.helps.get() {
      let parts = help.components(separatedBy: "\nEXAMPLES:\n")
      #expect(parts.count == 2, "\(verb)")
      for line in parts[1].split(separator: "\n") {
        #expect(line.hasPrefix("  goldilocks \(verb)"), "\(line)")
      }
    }
    #expect(
      try place.run("help", "export", "link").text
        .contains("USAGE: goldilocks export link --as <tool> ["))
  }
}

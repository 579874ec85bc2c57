import Foundation
import TestSupport
import Testing

/// Files that are none, names that are no text, disks that are full.
@Suite(.besideOthers) struct OddFileTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Runs a script of the shell in the folder; `$0` is the command.
  private func shell(_ script: String) throws -> CommandRun {
    var command = Command("-c", script)
    command.folder = place.folder
    return try command.runShell()
  }

  // MARK: What is no regular file

  @Test(
    arguments: Seeds.cases(
      of: [
        "validate /dev/zero", "run /dev/zero", "validate pipe", "run pipe", "replay pipe",
        "diff pipe pipe", "import trace pipe", "import trace /dev/zero", "check gapless pipe pipe",
        "validate /dev/null",
      ], few: 4))
  func `a pipe or a device is refused at once`(arguments: String) throws {
    let run = try shell("mkfifo pipe; \"$0\" \(arguments)")
    #expect(run.exitCode == 74)
    #expect(run.errorText.contains("it is no regular file"))
  }

  @Test func `a file that is too large is refused, and so is endless input`() throws {
    let large = try shell("truncate -s 300M large.json; \"$0\" validate large.json")
    #expect(large.exitCode == 74)
    #expect(large.errorText.contains("larger than 256 MiB"))
    let endless = try shell("ulimit -v 4000000; \"$0\" validate - </dev/zero")
    #expect(endless.exitCode == 74)
    #expect(endless.errorText.contains("larger than 256 MiB"))
  }

  // MARK: Names

  @Test func `a name that is no text is read like others and shown by its bytes`() throws {
    try place.write(shortScenario(name: "Good"), to: "all/good.json")
    try place.write(#"{ "scenario": "#, to: "bad")
    let run = try shell(#"mv bad "$(printf 'all/b\377d\300.json')"; "$0" validate all"#)
    #expect(run.exitCode == 65)
    #expect(run.text.contains("all/good.json: valid"))
    #expect(run.errorText.contains(#"b\xFFd\xC0.json"#))
    #expect(run.errors.allSatisfy { $0 != 0xFF && $0 != 0xC0 })
  }

  @Test func `such a name can be given by hand, and a trace can have it`() throws {
    try place.write(shortScenario(name: "Good"), to: "good.json")
    let run = try shell(
      """
      odd=$(printf 'o\\355\\240\\200dd.json'); cp good.json "$odd"
      "$0" test "$odd" && "$0" run "$odd" --quiet --trace out/ && "$0" run good.json --quiet \
        --trace same && cmp same "out/$odd.trace.jsonl" || cmp same out/*.trace.jsonl
      """)
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.text.contains(#"o\xED\xA0\x80dd.json"#))
  }

  @Test func `a folder that cannot be read is named, however deep it lies`() throws {
    try place.write(shortScenario(), to: "all/one.json")
    try place.write(shortScenario(), to: "all/more/closed/two.json")
    // Root reads everything, unless it gives that up.
    let run = try shell(
      """
      chmod 0 all/more/closed; test $(id -u) -ne 0 || \
        may="setpriv --bounding-set=-dac_override,-dac_read_search"
      $may "$0" validate all; code=$?; chmod 700 all/more/closed; exit $code
      """)
    #expect(run.exitCode == 74)
    #expect(run.errorText == "Error: 'all/more/closed' cannot be read: Permission denied.\n")
  }

  // MARK: Writing

  @Test func `a file that may not be written is not replaced`() throws {
    try place.write(shortScenario(), to: "one.json")
    let run = try shell(
      """
      printf kept >closed.html; chmod 444 closed.html
      test $(id -u) -ne 0 || may="setpriv --bounding-set=-dac_override"
      $may "$0" run one.json --quiet --html closed.html
      """)
    #expect(run.exitCode == 74)
    #expect(run.errorText == "Error: 'closed.html' cannot be written: Permission denied.\n")
    #expect(try place.read("closed.html") == "kept")
  }

  @Test func `a trace never takes the place of its scenario`() throws {
    try place.write(shortScenario(name: "Kept"), to: "one.json")
    for target in Seeds.cases(of: ["one.json", "./one.json", "link.json", "hard.json"]) {
      let run = try shell(
        "ln -sf one.json link.json; ln -f one.json hard.json; \"$0\" run one.json --trace \(target)"
      )
      #expect(run.exitCode == 64)
      #expect(run.errorText.contains("which is read"))
      #expect(try place.read("one.json").contains("Kept"))
    }
  }

  @Test func `no result takes the place of what is read`() throws {
    try place.write(shortScenario(name: "Kept"), to: "one.json")
    try place.write("0,2M\n", to: "road.csv")
    try place.write(
      #"{ "study": "Kept", "about": "b", "scenarios": ["one.json"], "links": ["road.csv"] }"#,
      to: "study.json")
    let policy = #""seed": 7, "player": { "policy": { "command": ["python3", "rule.py"] } },"#
    try place.write(
      shortScenario().replacingOccurrences(of: "\"seed\": 7,", with: policy), to: "own.json")
    try place.write("# Mine.\n", to: "rule.py")
    for (arguments, kept) in Seeds.cases(of: [
      (["test", "one.json", "--junit", "one.json"], "one.json"),
      (["run", "own.json", "--allow-commands", "--trace", "rule.py"], "rule.py"),
      (["test", "own.json", "--allow-commands", "--html", "rule.py"], "rule.py"),
      (["compare", "one.json", "--sessions", "./one.json"], "one.json"),
      (["compare", "one.json", "--checkpoint", "one.json"], "one.json"),
      (["compare", "study.json", "--sessions", "study.json"], "study.json"),
      (["compare", "study.json", "--checkpoint", "one.json"], "one.json"),
      (["compare", "study.json", "--sessions", "road.csv"], "road.csv"),
    ]) {
      let before = try place.read(kept)
      let run = try place.run(arguments)
      #expect(run.exitCode == 64, "\(arguments)")
      #expect(run.errorText.contains("would take the place of '"))
      #expect(try place.read(kept) == before)
    }
    #expect(
      try place.run("compare", "study.json", "--shard", "1/1", "--sessions", "a").exitCode == 0)
    let before = try place.read("a")
    #expect(try place.run("merge", "a", "--sessions", "a").exitCode == 64)
    #expect(try place.read("a") == before)
  }

  @Test func `a checkpoint takes no other file's place, and no pipe is one`() throws {
    try place.write(shortScenario(), to: "one.json")
    for text in Seeds.cases(of: ["notes", "{}", "[\n]\n", "{\"study\":1"]) {
      try place.write(text, to: "kept")
      let run = try place.run("compare", "one.json", "--checkpoint", "kept")
      #expect(run.exitCode == 65, "\(text)")
      #expect(try place.read("kept") == text)
    }
    let pipe = try shell(#"mkfifo pipe; exec "$0" compare one.json --checkpoint pipe"#)
    #expect(pipe.exitCode == 74)
    #expect(pipe.errorText.contains("'pipe' cannot be a checkpoint: it is no regular file."))
    // One that was broken off within its first line goes on as if it were empty.
    #expect(try place.run("compare", "one.json", "--checkpoint", "whole").exitCode == 0)
    let whole = try place.read("whole")
    for length in Seeds.cases(of: [0, 1, 20]) {
      try place.write(String(whole.prefix(length)), to: "broken")
      #expect(try place.run("compare", "one.json", "--checkpoint", "broken").exitCode == 0)
      #expect(try place.read("broken") == whole)
    }
    // A session has no figure that cannot be.
    let figures = ["null", "-1", "9223372036854775807", "-9223372036854775808"]
    for wrong in Seeds.cases(of: figures) {
      let text = whole.replacingOccurrences(of: #""stallCount":0"#, with: #""stallCount":"# + wrong)
      #expect(text != whole)
      try place.write(text, to: "damaged")
      #expect(try place.run("compare", "one.json", "--checkpoint", "damaged").exitCode == 65)
      #expect(try place.run("merge", "damaged").exitCode == 65)
    }
  }

  @Test func `past the size that is allowed the old file stays, and nothing beside it`() throws {
    try place.write(shortScenario(), to: "one.json")
    try place.write("old", to: "one.trace")
    let run = try shell(
      #"(ulimit -f 1; exec "$0" run one.json --quiet --trace one.trace); code=$?; ls; exit $code"#)
    #expect(run.exitCode == 74)
    #expect(run.errorText.contains("cannot be written"))
    #expect(run.text == "one.json\none.trace\n")
    #expect(try place.read("one.trace") == "old")
  }

  /// One block is too little for the scenario, thirty are for its schema.
  @Test(
    arguments: Seeds.pairs(
      of: [1, 30], and: ["new/deep/first.json", "kept/first.json", "new/first.json"]))
  func `what cannot be written whole leaves no file and no folder behind`(
    blocks: Int, file: String
  ) throws {
    try place.write("[]", to: "kept/one.json")
    let run = try shell(
      "(ulimit -f \(blocks); exec \"$0\" init \(file)); code=$?; find . | sort; exit $code")
    #expect(run.exitCode == 74)
    #expect(run.errorText.contains("cannot be written"))
    #expect(run.text == ".\n./kept\n./kept/one.json\n")
  }

  @Test func `a folder for traces stays where one came to lie in it, and where it was`() throws {
    try place.write(shortScenario(), to: "in/one.json")
    try place.write(shortScenario(), to: "in/deep/two.json")
    try place.write(
      shortScenario().replacing(
        #""script""#, with: #""player": { "policy": { "command": ["false"] } }, "script""#),
      to: "broken.json")
    for (command, code, left) in [
      ("(ulimit -f 0; exec $0 run in --quiet --trace new/er)", 74, ""),
      ("(ulimit -f 0; exec $0 run in --quiet --trace kept/)", 74, "kept"),
      ("$0 run broken.json --quiet --allow-commands --trace new/", 74, ""),
      ("$0 run in --quiet --trace new/er", 0, "new new/er new/er/deep"),
    ] as [(String, Int32, String)] {
      let run = try shell(
        "mkdir \(left == "kept" ? left : "other"); \(command) 2>words; code=$?; "
          + "find * -type d -not -path 'in*' -not -name other | sort | xargs; exit $code")
      #expect(run.exitCode == code, "\(command): \(run.errorText)")
      let words = try place.read("words")
      #expect(run.text == left + "\n", "\(command): \(words)")
      _ = try shell("rm -r -f kept other new")
    }
  }

  @Test func `a stream that is closed has nobody's file in its place`() throws {
    try place.write(shortScenario(expecting: #"{ "stallCount": 7 }"#), to: "one.json")
    let plain = try place.run("run", "one.json", "--trace", "plain.trace")
    #expect(plain.exitCode == 0 && !plain.output.isEmpty)
    for (closed, code) in [("<&-", "0"), (">&-", "74"), ("2>&-", "0"), ("<&- >&- 2>&-", "74")] {
      let run = try shell(
        #"("$0" run one.json --trace one.trace; echo $? >code) \#(closed); cat code; rm code"#)
      #expect(run.text.hasSuffix("\(code)\n"), "\(closed)")
      #expect(try place.read("one.trace") == place.read("plain.trace"), "\(closed)")
    }
  }

  @Test func `whoever waits for a pipe to be read can be interrupted`() throws {
    try place.write(shortScenario(), to: "one.json")
    let run = try shell(
      """
      mkfifo pipe; "$0" run one.json --quiet --trace pipe & one=$!
      sleep 1; kill -TERM $one; wait $one; echo $?
      """)
    #expect(run.text == "143\n")
    let read = try shell(
      #"cat pipe >copy & "$0" run one.json --quiet --trace pipe; wait; tail -n 1 copy"#)
    #expect(read.text.contains("playbackSummary"))
  }
}

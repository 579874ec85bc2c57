import Foundation
import TestSupport
import Testing

/// Policies that are commands: what they are asked, what their answers do, and what becomes of
/// those that break.
@Suite(.besideOthers) struct PolicyCommandTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  /// A shell script that greets, and answers each question with some text, in which `$n` is the
  /// question's number and `$l` the question.
  private func script(_ answer: String, greeting: String = #"echo '{"version":1}'"#) -> String {
    """
    n=0
    while read -r l; do
      case $l in
        *'"ask"'*) n=$((n + 1)); \(answer) ;;
        *'"goldilocks"'*) \(greeting) ;;
      esac
    done
    """
  }

  /// Starts when so much is ahead, which the shell compares by its digits before the point.
  private func ahead(_ seconds: Int) -> String {
    script(
      #"""
      a=${l#*\"ahead\":}; a=${a%%[.,]*}; v=false
      [ "$a" -ge \#(seconds) ] && v=true
      echo "{\"answer\":$n,\"value\":$v}"
      """#)
  }

  private func scenario(
    link: String = #""bandwidth": "1.6 Mbit/s""#, bitrate: String = "2 Mbit/s",
    policy: String = #"{ "command": ["sh", "mine.sh"] }"#
  ) -> String {
    """
    {
      "scenario": "Mine", "about": "A policy of one's own.",
      "link": { \(link) },
      "media": { "progressive": { "duration": "20 s", "bitrate": "\(bitrate)" } },
      "player": { "policy": \(policy) },
      "script": [ { "at": "0 s", "do": "play" } ]
    }
    """
  }

  private func run(_ script: String, _ arguments: String...) throws -> CommandRun {
    try place.write(scenario(), to: "mine.json")
    try place.write(script, to: "mine.sh")
    return try place.run(["run", "mine.json", "--quiet", "--allow-commands"] + arguments)
  }

  // MARK: What it decides

  /// A link of a share of the media's rate brings that share of a second each second, and the
  /// player looks every quarter of one.
  @Test(
    arguments: Seeds.cases(of: [
      ("1.6 Mbit/s", "2 Mbit/s", 2, 2.5), ("1.6 Mbit/s", "2 Mbit/s", 4, 5.0),
      ("1 Mbit/s", "2 Mbit/s", 3, 6.0), ("3 Mbit/s", "2 Mbit/s", 3, 2.0),
      ("500 kbit/s", "1 Mbit/s", 1, 2.0), ("4 Mbit/s", "1 Mbit/s", 9, 2.25),
      ("800 kbit/s", "1 Mbit/s", 8, 10.0), ("2 Mbit/s", "5 Mbit/s", 1, 2.5),
      ("700 kbit/s", "700 kbit/s", 5, 5.0), ("900 kbit/s", "1 Mbit/s", 1, 1.25),
    ]))
  func `playback starts at the look at which the command says so`(
    bandwidth: String, bitrate: String, mark: Int, expected: Double
  ) throws {
    try place.write(
      scenario(link: #""bandwidth": "\#(bandwidth)""#, bitrate: bitrate), to: "mine.json")
    try place.write(ahead(mark), to: "mine.sh")
    let run = try place.run(
      "run", "mine.json", "--allow-commands", "--format", "json", "--trace", "mine.trace")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let answer = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any]
    let first = (answer?["scenarios"] as? [[String: Any]])?.first
    let delay = try #require(first?["startupDelaySeconds"] as? Double)
    // The first byte is there a few microseconds after the beginning.
    #expect(abs(delay - expected) < 0.001)
    let replayed = try place.run("replay", "mine.trace")
    #expect(replayed.exitCode == 0 && replayed.text.contains("replayed exactly"))
  }

  @Test func `in packets and over a stream the command is asked as well, and a replay asks nobody`()
    throws
  {
    let links = [#""profile": "3G""#, #""bandwidth": "1 Mbit/s", "delay": "40 ms""#]
    for (number, link) in links.enumerated() {
      let media =
        number == 0
        ? #""progressive": { "duration": "10 s", "bitrate": "300 kbit/s" }"#
        : #""hls": { "duration": "20 s", "ladder": "talk", "order": { "first": 2 } }"#
      try place.write(
        """
        {
          "scenario": "Mine", "about": "A policy of one's own.", "fidelity": "tcp",
          "link": { \(link) }, "media": { \(media) },
          "player": { "policy": { "command": ["sh", "mine.sh"] } },
          "script": [ { "at": "0 s", "do": "play" } ],
          "expect": [
            { "order": [ "policyAnswer value=true", "timeControlStatus status=playing" ] },
            { "stallCount": 0 }
          ]
        }
        """, to: "mine.json")
      try place.write(ahead(4), to: "mine.sh")
      let test = try place.run("test", "mine.json", "--allow-commands")
      #expect(test.exitCode == 0, "\(test.text)\(test.errorText)")
      _ = try place.run(
        "run", "mine.json", "--allow-commands", "--quiet", "--trace", "mine.trace")
      try place.write("exit 1", to: "mine.sh")
      let replayed = try place.run("replay", "mine.trace")
      #expect(replayed.text.contains("replayed exactly"), "\(replayed.text)\(replayed.errorText)")
    }
  }

  @Test func `a replay finds an answer that was changed`() throws {
    #expect(try run(ahead(2), "--trace", "mine.trace").exitCode == 0)
    let trace = try place.read("mine.trace")
    let line = #""seat":"start","value":false"#
    #expect(trace.contains(line))
    let range = try #require(trace.range(of: line, options: .backwards))
    try place.write(
      trace.replacingCharacters(in: range, with: line.replacing("false", with: "true")),
      to: "mine.trace")
    let replayed = try place.run("replay", "mine.trace")
    #expect(replayed.exitCode == 1)
    #expect(replayed.text.contains("diverged"))
  }

  @Test func `a failed expectation shows the lines around it without asking anew`() throws {
    try place.write(
      scenario().replacing(
        #""do": "play" } ]"#, with: #""do": "play" } ], "expect": [ { "stallCount": 7 } ]"#),
      to: "mine.json")
    // The second time it is started it would answer otherwise.
    try place.write("echo started >> started\n" + ahead(2), to: "mine.sh")
    let run = try place.run("test", "mine.json", "--allow-commands")
    #expect(run.exitCode == 1)
    #expect(run.text.contains("stallCount"))
    #expect(try place.read("started") == "started\n")
  }

  // MARK: Permission

  @Test func `without permission nothing is started, and a hint is given`() throws {
    try place.write(scenario(), to: "mine.json")
    try place.write("touch started", to: "mine.sh")
    for verb in ["run", "test"] {
      let run = try place.run(verb, "mine.json")
      #expect(run.exitCode == 65)
      #expect((run.errorText + run.text).contains("“sh mine.sh”, is not started; --allow-commands"))
    }
    #expect(try place.run("validate", "mine.json").exitCode == 0)
    #expect(!(try place.names().contains("started")))
  }

  // MARK: Broken commands

  /// What breaks, what is said of it, and the code that it ends with.
  static let broken: [(script: String, words: String, code: Int32)] = [
    ("exit 3", "ended with code 3 before it had answered", 74),
    ("kill -9 $$", "was ended by signal 9 before it had answered", 74),
    ("exec >&-; sleep 5", "closed its standard output before it had answered", 74),
    ("exec <&-; exit 4", "ended with code 4", 74),
    ("read -r l; echo hello", "answers the first line with no JSON: hello", 65),
    ("read -r l; echo '[1]'", "answers the first line with no JSON object: [1]", 65),
    ("read -r l; echo '{}'", "answers the first line without a number “version”: {}", 65),
    (
      "read -r l; echo '{\"version\":2}'",
      "speaks version 2 of the protocol; this tool speaks 1", 65
    ),
    ("read -r l; echo '{\"version\":1}'; sleep 60", "has not answered within 1 s", 74),
    ("trap '' TERM INT HUP; sleep 60", "has not answered within 1 s", 74),
    (
      "head -c 3000000 /dev/zero | tr '\\\\0' x; sleep 60",
      "answered with a line of more than 1 MiB", 65
    ),
    (
      "read -r l; echo '{\"version\":1}'; read -r l; head -c 1100000 /dev/zero | tr '\\0' x; echo; "
        + "sleep 60", "answered with a line of more than 1 MiB", 65
    ),
    ("read -r l; echo '{\"version\":1}'; exit 5", "ended with code 5 before it had answered", 74),
    ("sleep 60", "has not answered within 1 s", 74),
  ]

  @Test(arguments: Seeds.cases(of: broken, few: 4))
  func `a command that breaks ends the run with a word about it`(
    broken: (script: String, words: String, code: Int32)
  ) throws {
    let run = try run(broken.script, "--answer-time", "1", "--trace", "mine.trace")
    #expect(run.exitCode == broken.code, "\(broken.script)")
    #expect(run.errorText.contains("its policy, the command “sh mine.sh”, " + broken.words))
    #expect(!(try place.names().contains("mine.trace")))
  }

  /// Answers that are none, and what is said of them.
  static let wrong: [(answer: String, words: String)] = [
    (#"{\"answer\":$((n + 1)),\"value\":true}"#, "answers question 2, and question 1 was asked"),
    (#"{\"answer\":0,\"value\":true}"#, "answers question 0, and question 1 was asked"),
    (#"{\"value\":true}"#, "has no number “answer” of the question 1"),
    (#"{\"answer\":$n}"#, "without a “value” that is true or false"),
    (#"{\"answer\":$n,\"value\":1}"#, "without a “value” that is true or false"),
    (#"{\"answer\":$n,\"value\":null}"#, "without a “value” that is true or false"),
    (#"{\"answer\":$n,\"value\":\"yes\"}"#, "without a “value” that is true or false"),
    (#"{\"answer\":$n,\"value\":true,\"untill\":3}"#, "has a member “untill”; there are “answer”"),
    (#"{\"answer\":$n,\"value\":false,\"until\":0}"#, "that is no time after the question's “now”"),
    (#"{\"answer\":$n,\"value\":false,\"until\":1e30}"#, "an “until” that is too far ahead"),
    (#"{\"answer\":$n,\"value\":false,\"until\":1e300}"#, "an “until” that is too far ahead"),
    (#"{\"answer\":$n,\"value\":false,\"until\":-1e300}"#, "that is no time after"),
    (
      #"{\"answer\":$n,\"value\":true,\"value\":false}"#,
      "has the member “value” more than once"
    ),
    (#"{\"answer\":$n,\"value\":true,\"answer\":$n}"#, "the member “answer” more than once"),
    (#"{\"answer\":$n,\"value\":false,\"until\":\"1 s\"}"#, "that is no time after"),
    (#"{\"answer\":$n,\"value\":true,\"reason\":7}"#, "that is no text of at most 200 bytes"),
    (
      #"{\"answer\":$n,\"value\":true,\"reason\":\"$(printf '%0201d' 0)\"}"#,
      "names a “reason” that is no text of at most 200 bytes"
    ),
    (#"garbage"#, "answers question 1 with no JSON: garbage"),
    (#""#, "answers question 1 with no JSON: "),
    (#"{\"answer\":$n,\"value\":true"#, "answers question 1 with no JSON"),
  ]

  @Test(arguments: Seeds.cases(of: wrong, few: 4))
  func `an answer that is none ends the run, and says which question it was`(
    wrong: (answer: String, words: String)
  ) throws {
    let run = try run(script("echo \"\(wrong.answer)\""))
    #expect(run.exitCode == 65, "\(wrong.answer)")
    #expect(run.errorText.contains(wrong.words), "\(run.errorText)")
  }

  @Test func `a command that is not there, or that nobody may run, is named`() throws {
    try place.write("", to: "plain.txt")
    let scripts = [("one.sh", "#!/no/such/shell"), ("two.sh", "#! /no/such/shell -e")]
    for (name, line) in scripts {
      try place.write(line + "\n", to: name)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: place.folder.appending(path: name).path)
    }
    for (word, words) in [
      ("no-such-command-here", "there is no command “no-such-command-here”"),
      ("./plain.txt", "“./plain.txt” cannot be executed"),
      ("./gone.py", "there is no command “./gone.py”"),
      ("plain.txt", "there is no command “plain.txt”"),
      ("./one.sh", "there is no command “./one.sh”, or nothing runs it"),
      ("./two.sh", "there is no command “./two.sh”, or nothing runs it"),
    ] {
      try place.write(
        scenario(policy: #"{ "command": ["\#(word)", "a"] }"#), to: "mine.json")
      let run = try place.run("run", "mine.json", "--quiet", "--allow-commands")
      #expect(run.exitCode == 66)
      #expect(run.errorText.contains(words), "\(run.errorText)")
      // Without the shell's own words.
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }
  }

  @Test func `what a command says on standard error is passed on, and changes nothing`() throws {
    let quiet = try run(ahead(2), "--trace", "quiet.trace")
    let loud = try run(
      "echo starting >&2\n" + ahead(2) + "\necho over >&2", "--trace", "loud.trace")
    #expect(quiet.exitCode == 0 && loud.exitCode == 0)
    #expect(loud.errorText.contains("starting\n") && loud.errorText.contains("over\n"))
    #expect(try place.read("quiet.trace") == place.read("loud.trace"))
  }

  @Test(
    arguments: Seeds.cases(of: [
      (#"\033[2J"#, #"\u{1B}[2J"#), (#"\033]0;owned\007"#, #"\u{1B}]0;owned\u{7}"#),
      (#"a\rb"#, #"a\rb"#), (#"\302\2331m"#, #"\u{9B}1m"#), (#"\342\200\256"#, #"\u{202E}"#),
      (#"\377\300"#, #"\xFF\xC0"#), ("é", "é"), ("not ended", "not ended"),
    ]))
  func `what it says there does not speak to the terminal`(said: String, seen: String) throws {
    let loud = try run(
      "printf '\(said)' >&2; printf ' 1\\n\\n2 \(said)' >&2\n" + ahead(2)
        + "\nprintf '\(said) 3' >&2")
    #expect(loud.exitCode == 0)
    #expect(loud.errorText == "\(seen) 1\n\n2 \(seen)\(seen) 3\n")
  }

  @Test func `it may say more than a pipe holds, before an answer and after the last`() throws {
    let much = "head -c 100000 /dev/zero | tr '\\0' x >&2"
    let loud = try run("\(much)\n" + ahead(2) + "\n\(much)")
    #expect(loud.exitCode == 0)
    #expect(loud.errors.count { $0 == UInt8(ascii: "x") } == 200_000)
    // Whoever never stops is not waited for. A debug build, which relays slowly, hears less of it.
    let pause = Seeds.areMany ? ":" : "sleep 0.02"
    let endless = try run(ahead(2) + "\nwhile \(pause); do echo y >&2; done")
    #expect(endless.exitCode == 0 && endless.errorText.contains("y\n"))
  }

  @Test func `paths among the words of a command count from the scenario's folder`() throws {
    try place.write(scenario(), to: "below/mine.json")
    try place.write(ahead(2), to: "below/mine.sh")
    #expect(try place.run("run", "below/mine.json", "--quiet", "--allow-commands").exitCode == 0)
  }

  // MARK: Wrong scenarios

  @Test(
    arguments: Seeds.cases(of: [
      (#"{ "command": [] }"#, "at least one"),
      (#"{ "command": "python3 mine.py" }"#, "list"),
      (#"{ "command": ["sh"], "seats": [] }"#, "at least one"),
      (#"{ "command": ["sh"], "seats": ["strat"] }"#, "start"),
      (#"{ "command": ["sh"], "seats": ["sink"] }"#, "“start”"),
      (#"{ "command": ["sh"], "seats": ["start", "stall", "start"] }"#, "“start” twice"),
      (#"{ "seats": ["start"] }"#, "a command that answers for them"),
      (#"{ "command": ["sh"], "start": "anything" }"#, "both “start” and “command”"),
      (#"{ "command": ["sh"], "seats": ["resume"], "resume": "anything" }"#, "both “resume”"),
      (#"{ "comand": ["sh"] }"#, "command"),
    ]))
  func `a policy that makes no sense is refused where it stands`(
    policy: String, words: String
  ) throws {
    try place.write(scenario(policy: policy), to: "mine.json")
    let run = try place.run("validate", "mine.json")
    #expect(run.exitCode == 65)
    #expect((run.text + run.errorText).contains(words), "\(run.text)\(run.errorText)")
    #expect((run.text + run.errorText).contains("mine.json:5:"))
  }

  // MARK: Nothing is left behind

  @Test func `many sessions leave no process and no descriptor behind`() throws {
    let count = Seeds.areMany ? 60 : 20
    for number in 1...count { try place.write(scenario(), to: "many/\(number).json") }
    for number in 1...count where number % 20 == 0 {
      try place.write(scenario().replacing("mine.sh", with: "bad.sh"), to: "many/\(number).json")
    }
    try place.write(ahead(2), to: "many/mine.sh")
    try place.write("sleep 317 & exit 3", to: "many/bad.sh")
    // With few descriptors a leak would show soon.
    let run = try place.run(
      "run", "many", "--quiet", "--allow-commands", "--jobs", "4", "--trace", "traces/")
    #expect(run.exitCode == 74)
    #expect(try place.names().count { $0.hasSuffix(".trace.jsonl") } == count - count / 20)
    #expect(try shell("ps ax | grep -c '[s]leep 317'").text == "0\n")
  }

  @Test
  func `whoever ends the run ends the commands as well`() throws {
    try place.write(scenario(), to: "mine.json")
    try place.write("trap '' TERM; echo $$ >number; exec sleep 60", to: "mine.sh")
    let run = try shell(
      """
      "$0" run mine.json --quiet --allow-commands --answer-time 300 & one=$!
      while [ ! -s number ]; do sleep 0.1; done
      kill -TERM $one; wait $one; echo $?
      \(Self.look)
      """)
    #expect(run.text == "143\ngone\n")
  }

  /// The signal comes at the first instant at which there is a command, which may be while its
  /// process is still being started: of twelve such commands some stayed once.
  @Test(arguments: ["1", "3"])
  func `a run that is ended while it starts a command leaves none behind`(jobs: String) throws {
    for name in ["a", "b", "c"] { try place.write(scenario(), to: "many/\(name).json") }
    try place.write("trap '' TERM; echo $$ >>../number; exec sleep 60", to: "many/mine.sh")
    let run = try shell(
      """
      for time in 1 2 3 4 5 6 7 8 9 10 11 12; do
        rm -f number
        "$0" run many --jobs \(jobs) --quiet --allow-commands --answer-time 300 & one=$!
        while [ ! -s number ]; do :; done
        kill -TERM $one; wait $one
        \(Self.look)
      done
      """)
    #expect(run.text == String(repeating: "gone\n", count: 12))
  }

  /// Looks whether all commands have ended, which perhaps nobody has collected yet.
  private static let look = """
    left=alive
    for try in 1 2 3 4 5 6 7 8 9 10; do
      case $(ps -o stat= -p "$(paste -sd, number)" | grep -v Z) in '') left=gone; break ;; esac
      sleep 0.1
    done
    echo $left
    """

  private func shell(_ script: String) throws -> CommandRun {
    var command = Command("-c", script)
    command.folder = place.folder
    return try command.runShell()
  }

  // MARK: Variations

  /// With fewer words, a shell would read what it is told as a script.
  @Test(arguments: [["minimize", "mine.json"], ["validate", "--effects", "mine.json"]])
  func `a search starts the command as it stands`(arguments: [String]) throws {
    let command = #"["sh", "mine.sh", "--mark", "5 s"]"#
    let policy = #"{ "command": \#(command), "seats": ["start", "resume"] }"#
    let text = scenario(policy: policy).replacing(
      #""do": "play" } ]"#,
      with: #""do": "play" } ], "expect": [ { "startupDelay": { "atMost": "1 s" } } ]"#)
    try place.write(text, to: "mine.json")
    try place.write("echo \"$# $*\" >>started\n" + ahead(2), to: "mine.sh")
    let run = try place.run(arguments + ["--allow-commands"])
    #expect(run.exitCode == 0, "\(run.errorText)")
    let starts = try shell("sort started | uniq -c")
    #expect(starts.text.hasSuffix(" 2 --mark 5 s\n"), "\(starts.text)")
    #expect(starts.text.split(separator: "\n").count == 1, "\(starts.text)")
  }

  // MARK: Comparing

  @Test func `a comparison puts the command beside the heuristics, and starts it for itself alone`()
    throws
  {
    try place.write(scenario(), to: "mine.json")
    try place.write("echo started >> started\n" + ahead(3), to: "mine.sh")
    let run = try place.run(
      "compare", "mine.json", "--allow-commands", "--heuristics",
      "own,playThrough,thresholds 3 s/3 s", "--format", "json")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let answer = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any]
    let row = (answer?["scenarios"] as? [[String: Any]])?.first
    let results = row?["results"] as? [[String: Any]]
    #expect(
      results?.map { $0["policy"] as? String } == ["own", "playThrough", "thresholds 3 s/3 s"])
    let delays = results?.compactMap { $0["startupDelaySeconds"] as? Double } ?? []
    // Twenty seconds over a link of 0.8 of the rate: five of them are needed; three take 3.75 s.
    #expect(delays.count == 3 && abs(delays[0] - 3.75) < 0.001 && delays[1] == 5)
    #expect(delays.count == 3 && delays[2] == 3.75)
    #expect(try place.read("started") == "started\n")
    // Whoever compares heuristics alone asks nobody.
    let alone = try place.run("compare", "mine.json", "--heuristics", "immediate")
    #expect(alone.exitCode == 0)
    let other = try place.run("compare", "mine.json", "--heuristics", "own")
    #expect(other.exitCode == 65 && other.errorText.contains("--allow-commands"))
  }
}

import Foundation
import TestSupport
import Testing

@Suite(.besideOthers) struct CommandTests {
  @Test(arguments: [["--version"], ["run", "--version"]])
  func `the command says its version`(arguments: [String]) throws {
    let run = try Command(arguments).run()
    #expect(run.exitCode == 0)
    #expect(run.text.hasPrefix("goldilocks "))
    #expect(run.text.hasSuffix("\n"))
    #expect(run.errorText.isEmpty)
  }

  @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
  func `without a verb there is help`(arguments: [String]) throws {
    let run = try Command(arguments).run()
    #expect(run.exitCode == 0)
    #expect(run.text == HelpScreens.command)
    #expect(run.errorText.isEmpty)
  }

  @Test(arguments: [["diff", "--help"], ["diff", "-h"], ["help", "diff"], ["diff", "x", "-h"]])
  func `a verb's help can be asked for in several ways`(arguments: [String]) throws {
    let run = try Command(arguments).run()
    #expect(run.exitCode == 0)
    #expect(run.text == HelpScreens.diff)
  }

  @Test(arguments: Seeds.cases(of: HelpScreens.verbs))
  func `every verb has help in the one layout`(verb: String) throws {
    let text = try Command(["help"] + verb.split(separator: " ").map { String($0) }).run().text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(text.hasPrefix("OVERVIEW: "))
    #expect(text.contains("\n\nUSAGE: goldilocks \(verb)"))
    #expect(text.contains("\n\nOPTIONS:\n"))
    #expect(text.contains("\n  -h, --help              Show help information.\n"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: ["minimize", "explore"])
  func `help asks for the two policies of a difference`(verb: String) throws {
    let text = try Command(["help", verb]).run().text
    #expect(text.contains("The two policies of '--keep difference'"))
    #expect(!text.contains("Whole policies under test"))
  }

  @Test func `help lists the verbs that there are`() throws {
    let text = try Command().run().text
    let rows = text.components(separatedBy: "SUBCOMMANDS:\n")[1].split(separator: "\n")
    let names = rows.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .filter { !$0.hasPrefix("  See ") }
      .map { $0.prefix(26).trimmingCharacters(in: .whitespaces) }
    #expect(names == HelpScreens.verbs)
  }
}

enum HelpScreens {
  static let verbs = [
    "init", "run", "play", "test", "compare", "merge", "minimize", "explore", "resilience",
    "validate", "replay", "report", "diff", "schema", "profiles", "heuristics",
    "import trace", "import hls", "import har", "import access-log", "import metrics",
    "export link", "export har", "export p1203", "export perfetto",
    "check gapless", "accuracy", "completions", "manual",
  ]

  static let command = """
    OVERVIEW: Replay network playback exactly, from a scenario file.

    A scenario names a link, a piece of media, a player and the app's actions. It is
    played in virtual time, the same to the last byte on every run and every
    machine.

    USAGE: goldilocks <subcommand>

    OPTIONS:
      --version               Show the version.
      -h, --help              Show help information.

    SUBCOMMANDS:
      init                    Write a first scenario as a template.
      run                     Run scenarios and show the player's states and
                              figures.
      play                    Run scenarios and show them as a page in a browser.
      test                    Run scenarios and say which of their expectations
                              failed.
      compare                 Run scenarios under several policies, over several
                              links, and sum up the sessions.
      merge                   Put the parts of a study together that 'goldilocks
                              compare --shard' wrote.
      minimize                Make a scenario as small as possible while it still
                              fails for the same reason.
      explore                 Run random variations of a scenario, and make the
                              first finding small.
      resilience              Find short outages and shallow dips that make playback
                              stall or fail.
      validate                Read scenarios without running them and report every
                              mistake.
      replay                  Run traces again from their own headers and report the
                              first line that differs.
      report                  Show the screen, the figures and the logs of traces,
                              without running anything.
      diff                    Compare two traces event by event and say in words
                              what first differs.
      schema                  Print the JSON Schema of scenario files, for editors
                              that complete them.
      profiles                List the links that a scenario can name, or say all
                              about one.
      heuristics              List policies, seats, blocks and short forms, or
                              describe one of them.
      import trace            Turn a recorded link into the link of a scenario.
      import hls              Turn the playlists of a stream into a scenario.
      import har              Turn a HAR into a scenario and a recording.
      import access-log       Turn the access log of a player item into a scenario
                              and a recording.
      import metrics          Turn events of AVMetrics, or a CDN's lines with CMCD,
                              into a scenario and a recording.
      export link             Write the link of a scenario for a tool that puts it
                              before a real player.
      export har              Run a scenario and write its requests as a HAR.
      export p1203            Run a scenario and write its session as the input of
                              ITU-T P.1203.
      export perfetto         Write a run as trace events, which Perfetto and Chrome
                              draw.
      check gapless           Say whether one stream can follow another without a
                              gap, and what prevents it.
      accuracy                Compare the tcp model with downloads measured through
                              a real kernel.
      completions             Print the completions of a shell.
      manual                  Print the manual page, for man.

      See 'goldilocks help <subcommand>' for detailed help.

    """

  static let diff = """
    OVERVIEW: Compare two traces event by event and say in words what first differs.

    Where the players decided differently, it names the first decision at which the
    two runs part, with the clause of either and what followed; decisions that
    differ in their times alone are passed over. Ends with 1 if they differ.

    Of two folders it compares the traces of the same name.

    Of the recording of a field session and a trace it says request by request and
    stall by stall what the run explains. Ends with 1 where stalls differ, or the
    start by more than 5 % and 50 ms.

    USAGE: goldilocks diff [--format <format>] <first> <second>

    ARGUMENTS:
      <first>                 A trace, or - for standard input.
      <second>                The trace that it is compared with.

    OPTIONS:
      --format <format>       Format of the results. (values: text, json; default:
                              text)
      --color <when>          Colours of the output; auto means on a terminal,
                              unless NO_COLOR is set. (values: auto, always, never;
                              default: auto)
      --width <columns>       Width of a page. (default: the terminal, at most 100)
      --version               Show the version.
      -h, --help              Show help information.

    EXAMPLES:
      goldilocks diff before.trace after.trace


    """
}

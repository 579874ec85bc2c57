import Foundation
import TestSupport
import Testing

/// What is written wrongly is answered as Swift's users know it, and ends with 64.
@Suite(.besideOthers) struct UsageTests {
  struct Mistake: CustomTestStringConvertible {
    var arguments: [String]
    var error: String
    /// What help is asked for.
    var verb: String

    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String, _ error: String, seeHelp verb: String = "help") {
      self.arguments = arguments.split(separator: " ").map { String($0) }
      self.error = error
      self.verb = verb
    }
  }

  static let mistakes = [
    Mistake(
      "rnu", "Error: Unknown subcommand 'rnu'. Did you mean 'run'?\n"),
    Mistake(
      "somethingElse", "Error: Unknown subcommand 'somethingElse'.\n"),
    Mistake(
      "help vaildate", "Error: Unknown subcommand 'vaildate'. Did you mean 'validate'?\n"),
    Mistake(
      "--vresion", "Error: Unknown option '--vresion'. Did you mean '--version'?\n"),
    Mistake(
      "run --foramt json x", "Error: Unknown option '--foramt'. Did you mean '--format'?\n",
      seeHelp: "help run"),
    Mistake(
      "run --foramt=json x", "Error: Unknown option '--foramt'. Did you mean '--format'?\n",
      seeHelp: "help run"),
    Mistake("test -q x", "Error: Unknown option '-q'.\n", seeHelp: "help test"),
    Mistake(
      "test --format jsno x",
      "Error: The value 'jsno' is invalid for '--format <format>'. Did you mean 'json'? "
        + "Please provide one of 'text', 'json', 'github' and 'tap'.\n", seeHelp: "help test"),
    Mistake(
      "test x --format", "Error: Missing value for '--format <format>'.\n", seeHelp: "help test"),
    Mistake("test --tag= x", "Error: Missing value for '--tag <tag>'.\n", seeHelp: "help test"),
    Mistake(
      "test --except-tag= x", "Error: Missing value for '--except-tag <tag>'.\n",
      seeHelp: "help test"),
    Mistake(
      "test --filter= x", "Error: Missing value for '--filter <text>'.\n", seeHelp: "help test"),
    Mistake(
      "run --quiet=yes x", "Error: The option '--quiet' takes no value.\n", seeHelp: "help run"),
    Mistake(
      "run", "Error: Missing expected argument '<path> ...'.\n",
      seeHelp: "help run"),
    Mistake(
      "diff one", "Error: Missing expected argument '<second>'.\n",
      seeHelp: "help diff"),
    Mistake(
      "schema extra", "Error: Unexpected argument 'extra'.\n",
      seeHelp: "help schema"),
    Mistake(
      "diff a b c", "Error: Unexpected argument 'c'.\n", seeHelp: "help diff"),
    Mistake(
      "test --jobs 0 x",
      "Error: The value '0' is invalid for '--jobs <count>'. "
        + "Please provide a number from 1 to 1024.\n", seeHelp: "help test"),
    Mistake(
      "compare --heuristics immediate,immediate x",
      "Error: The policy 'immediate' is named twice.\n",
      seeHelp: "help compare"),
    Mistake(
      "profiles SlowServre",
      "Error: There is no profile 'SlowServre'. Did you mean 'Slow Server'?\n",
      seeHelp: "help profiles"),
    Mistake(
      "import",
      "Error: Missing what to import: 'trace', 'hls', 'har', 'access-log' and 'metrics'.\n",
      seeHelp: "help import trace"),
    Mistake(
      "export lnik x",
      "Error: There is no 'lnik' to export, but 'link', 'har', 'p1203' and 'perfetto'. "
        + "Did you mean 'link'?\n",
      seeHelp: "help export link"),
    Mistake(
      "check", "Error: Missing what to check: 'gapless'.\n",
      seeHelp: "help check gapless"),
    Mistake(
      "check gapless one.m3u8", "Error: Missing expected argument '<second>'.\n",
      seeHelp: "help check gapless"),
    Mistake(
      "imprt trace x", "Error: Unknown subcommand 'imprt'. Did you mean 'import'?\n"),
    Mistake(
      "import trace --then loop x",
      "Error: The value 'loop' is invalid for '--then <what>'. Please provide one of 'repeat' "
        + "and 'hold'.\n", seeHelp: "help import trace"),
    Mistake(
      "export link x",
      "Error: Missing expected option '--as <tool>': one of 'tc', 'mahimahi', 'nlc' and "
        + "'chrome'.\n", seeHelp: "help export link"),
    Mistake(
      "explore --keep inconsistancy x",
      "Error: The value 'inconsistancy' is invalid for '--keep <finding>': it is neither a path "
        + "nor an expectation in JSON, and none of 'warning', 'error', 'inconsistency' and "
        + "'difference'; a path leads to an expectation, such as expect[0].\n",
      seeHelp: "help explore"),
    Mistake(
      "profiles 3G+", "Error: There is no profile '3G+'. Did you mean '3G'?\n",
      seeHelp: "help profiles"),
    Mistake(
      "accuracy --seeds none x",
      "Error: The value 'none' is invalid for '--seeds <count>'. "
        + "Please provide a number from 1 to 1000000.\n", seeHelp: "help accuracy"),
  ]

  @Test(arguments: Seeds.cases(of: mistakes, few: 4))
  func `a mistake in the arguments is answered with what was meant`(mistake: Mistake) throws {
    let run = try Command(mistake.arguments).run()
    #expect(run.exitCode == 64)
    #expect(run.text.isEmpty)
    #expect(
      run.errorText == mistake.error + "See 'goldilocks \(mistake.verb)' for more information.\n")
  }

  @Test func `a misspelt heuristic is answered with the nearest one`() throws {
    let run = try Command("run", "--heuristic", "everythingLoded", "x").run()
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("did you mean “everythingLoaded”?"))
  }

  @Test func `after two dashes everything is a path`() throws {
    let place = try Workplace()
    try place.write(shortScenario(), to: "--format")
    #expect(try place.run("validate", "--", "--format").text == "--format: valid\n")
  }

  @Test func `options may stand behind paths, and the last of a kind counts`() throws {
    let place = try Workplace()
    try place.write(shortScenario(), to: "a.json")
    let run = try place.run("validate", "a.json", "--format=json", "--format", "text")
    #expect(run.text == "a.json: valid\n")
  }
}

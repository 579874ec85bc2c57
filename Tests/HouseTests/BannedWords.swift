/// Something that is not written below the command.
struct BannedWord: Sendable {
  /// The tokens that give it away.
  var tokens: [String]
  var instead: String
  var because: String
  /// Where it is allowed nevertheless.
  var except: [String] = []
  /// What else must be so, at the index of the first token.
  var condition: @Sendable (SourceFile, Int) -> Bool = { _, _ in true }

  var name: String { tokens.joined() }

  func isWritten(in file: SourceFile, at index: Int) -> Bool {
    for (offset, token) in tokens.enumerated() where file.word(index + offset) != token {
      return false
    }
    return !file.isUnder(except) && condition(file, index)
  }
}

enum BannedWords {
  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isBelowTheCommand else { return [] }
    var findings: [Finding] = []
    for index in file.tokens.indices {
      let token = file.tokens[index]
      guard let words = table[token.text] else { continue }
      for word in words where word.isWritten(in: file, at: index) {
        findings.append(
          Finding(
            path: file.path, line: token.line,
            what: "`\(word.name)` is not written below the command",
            instead: word.instead, because: word.because))
      }
    }
    return findings
  }

  private static let table = Dictionary(
    grouping: clocks + tasks + chance + numbers + existentials + traps, by: { $0.tokens[0] })

  private static func words(
    _ names: [String], _ instead: String, because: String, except: [String] = []
  ) -> [BannedWord] {
    names.map { BannedWord(tokens: [$0], instead: instead, because: because, except: except) }
  }

  private static let clocks = words(
    ["Date", "ContinuousClock", "SuspendingClock", "DispatchTime", "clock_gettime"],
    "Take an `Instant` as a parameter",
    because: "time is virtual, and a run is the same whenever it happens")

  private static let tasks = words(
    ["Task", "TaskGroup", "async", "await", "actor", "Thread"],
    "Return effects as values and ask for a wake-up",
    because: "only the event loop decides what happens next")

  private static let chance =
    words(
      ["SystemRandomNumberGenerator", "RandomNumberGenerator", "hashValue", "Hasher"],
      "Draw from a named random stream of VirtualTime",
      because: "a run is the same on every machine and with every version of Swift")
    + [["random", "(", "in"], ["shuffled", "("], ["shuffle", "("], ["randomElement", "("]].map {
      BannedWord(
        tokens: $0, instead: "Draw from a named random stream of VirtualTime",
        because: "the library's draws may change with the version of Swift",
        condition: { file, index in file.word(index - 1) == "." })
    }

  /// The floors that count and draw after a run, and decide nothing in it.
  private static let statistics = ["Sources/RunReports/", "Sources/HeuristicComparison/"]

  /// The floor that reproduces published rules, which are written in floating point.
  private static let publishedRules = ["Sources/PlayerPolicies/"]

  private static let numbers =
    words(
      ["Double"], "Use an exact ratio of integers",
      because: "floating point never decides what happens next",
      except: statistics + publishedRules)
    + words(
      ["Float", "Float16", "Float32", "Float64", "Float80", "CGFloat"],
      "Use an exact ratio of integers",
      because: "floating point never decides what happens next", except: statistics)

  private static let existentials =
    words(
      ["Codable", "Encodable", "Decodable", "Mirror", "AnyObject", "AnyHashable"],
      "Write the conversion out, or use an enum or a generic",
      because: "the engine is compiled for a web page, where there is no reflection")
    + [
      BannedWord(
        tokens: ["Any"], instead: "Use `some`, a generic or an enum",
        because: "the engine is compiled for a web page, where there is no existential"),
      BannedWord(
        tokens: ["any"], instead: "Use `some`, a generic or an enum",
        because: "the engine is compiled for a web page, where there is no existential",
        condition: { file, index in isIdentifier(file.word(index + 1)) }),
      BannedWord(
        tokens: ["throws"], instead: "Write `throws(TheError)`",
        because: "an untyped error is an existential, and a reader cannot see what may fail",
        condition: { file, index in file.word(index + 1) != "(" }),
      BannedWord(
        tokens: ["rethrows"], instead: "Write `throws(Failure)` with a generic failure",
        because: "an untyped error is an existential, and a reader cannot see what may fail"),
    ]

  private static let traps =
    [
      BannedWord(
        tokens: ["print", "("], instead: "Return the text, or write it into the trace",
        because: "only the command has an output",
        condition: { file, index in ![".", "func"].contains(file.word(index - 1)) }),
      BannedWord(
        tokens: ["try", "!"], instead: "Handle the error, or pass it on with its type",
        because: "no input can trap the simulator"),
    ]
    + ["fatalError", "preconditionFailure"].map {
      BannedWord(
        tokens: [$0, "("], instead: "Say in a sentence which invariant is broken",
        because: "whoever meets it has nothing else to go by",
        condition: { file, index in file.word(index + 2) != "\"\"" })
    }
}

/// Whether a token is a name and not a number, a symbol or a string.
func isIdentifier(_ word: String) -> Bool {
  word.utf8.first.map { isWord($0) && !isDigit($0) } ?? false
}

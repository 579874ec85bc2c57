import ExactText
import RunReports
import ScenarioFormat

/// Exit codes of the command, after sysexits.
enum ExitCode: Int32, Comparable {
  case success = 0
  /// An expectation failed, a golden differs, or a replay diverged.
  case different = 1
  case usage = 64
  case wrongInput = 65
  case missingInput = 66
  case inputOutput = 74

  /// Of several, the highest counts.
  static func < (a: ExitCode, b: ExitCode) -> Bool { a.rawValue < b.rawValue }
}

/// The help page named beside a mistake in the arguments.
enum Usage: Sendable {
  case command
  case verb(Verb)
}

struct Failure: Error, Sendable {
  var code: ExitCode
  /// Errors of the input, a line each, before the error itself.
  var details: [String] = []
  /// Nil where there is nobody to tell.
  var message: String?
  var usage: Usage?
  /// The mistakes of a file, where it has any, with the file's name and its text.
  var diagnostics: [Diagnostic] = []
  var source: (title: String, text: [UInt8])?
  /// The text of a further file that is named in a mistake.
  var read: @Sendable (String) -> [UInt8]? = { _ in nil }

  init(_ code: ExitCode, details: [String] = [], _ message: String?) {
    self.code = code
    self.details = details
    self.message = message
  }

  init(usage: Usage, _ message: String) {
    self.init(.usage, message)
    self.usage = usage
  }

  init(usage verb: Verb, _ option: Option, _ value: String, _ reason: String) {
    self.init(
      usage: .verb(verb),
      "The value \(inQuotes(value)) is invalid for \(inQuotes(option.usage)): \(reason).")
  }

  func text(_ style: TextStyle) -> String {
    var text = ""
    if let source {
      let screen = DiagnosticScreen(
        diagnostics, of: source.title, source.text, others: read, style: style)
      text += screen.lines.map { $0 + "\n" }.joined()
    }
    text += details.map { shown($0) + "\n" }.joined()
    if let message { text += style.paint("Error: ", .bad) + shown(message) + "\n" }
    switch usage {
    case nil: break
    case .command: text += "See 'goldilocks help' for more information.\n"
    case .verb(let verb): text += "See 'goldilocks help \(verb.title)' for more information.\n"
    }
    return text
  }
}

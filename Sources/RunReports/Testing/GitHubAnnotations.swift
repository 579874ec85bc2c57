import ExactText
import ScenarioFormat
import ScenarioRunner

/// What came of a test as workflow commands, which GitHub shows beside the lines they name.
package enum GitHubAnnotations {
  package static func text(_ report: TestReport) -> String {
    var lines = report.problems.map { problem in
      command("error", report, problem.place, title: problem.kind.rawValue, message(problem))
    }
    if !report.problems.contains(where: { $0.kind == .warning }) {
      lines += report.warnings.map { warning in
        command(
          "warning", report, TestPlace(file: report.file, warning.position), title: "warning",
          warning.message)
      }
    }
    lines += report.changes.map { command("notice", report, nil, title: "baseline", $0) }
    return RunReports.text(of: lines)
  }

  private static func message(_ problem: TestProblem) -> String {
    joined([problem.words] + problem.trace, by: "\n")
  }

  private static func command(
    _ name: String, _ report: TestReport, _ place: TestPlace?, title: String, _ message: String
  ) -> String {
    var properties = "file=" + property(place?.file ?? report.file)
    if let position = place?.position {
      properties += ",line=\(position.line),col=\(position.column)"
    }
    properties += ",title=" + property("\(title): \(report.name)")
    return "::\(name) \(properties)::" + data(message)
  }

  /// A percent sign and the ends of lines are escaped, in a property colons and commas too.
  private static func data(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func property(_ text: String) -> String {
    var escaped = ""
    for scalar in data(shown(text)).unicodeScalars {
      switch scalar {
      case ":": escaped += "%3A"
      case ",": escaped += "%2C"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

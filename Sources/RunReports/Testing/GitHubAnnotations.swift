import ExactText
import ScenarioFormat

/// Test results as workflow commands, which GitHub shows beside the lines they name.
package enum GitHubAnnotations {
  package static func text(_ report: TestReport) -> String {
    var lines: [String] = []
    // GitHub shows ten of a step at most.
    if let first = report.problems.first {
      let others = report.problems.dropFirst().map { problem in
        (problem.place.map { $0.text + ": " } ?? "") + problem.words
      }
      lines.append(
        command(
          "error", report, first.place, title: first.kind.rawValue,
          joined([first.words] + others + first.trace, by: "\n")))
    }
    if let warning = report.warnings.first,
      !report.problems.contains(where: { $0.kind == .warning })
    {
      lines.append(
        command(
          "warning", report, TestPlace(file: report.file, warning.position), title: "warning",
          joined(report.warnings.map { $0.message }, by: "\n")))
    }
    if !report.changes.isEmpty {
      lines.append(
        command("notice", report, nil, title: "baseline", joined(report.changes, by: "\n")))
    }
    if let reason = report.skipReason {
      lines.append(command("notice", report, nil, title: "skipped", reason))
    }
    return RunReports.text(of: lines)
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
    replacing(text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: isUnprintable(scalar) ? spelling(of: scalar) : nil
      }
    }
  }

  private static func property(_ text: String) -> String {
    replacing(data(shown(text))) { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }
}

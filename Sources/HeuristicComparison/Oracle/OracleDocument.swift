package import ExactText
import VirtualTime

extension OracleReport {
  /// What it says, as names and words for a screen.
  ///
  /// - Parameter seconds: How a screen writes nanoseconds.
  package func facts(_ seconds: (Int64) -> String) -> [(name: String, words: String)] {
    guard let finding else {
      return [("oracle", "cannot say: " + remarks.joined(separator: "; "))]
    }
    let bound = isExact ? "" : " at least"
    func words(_ span: TimeSpan?) -> String {
      span.map { seconds($0.nanoseconds) + bound } ?? "no start does"
    }
    var facts: [(name: String, words: String)] = [
      ("best start", words(finding.startup) + " without a stall"),
      ("least waiting", words(finding.waiting) + " at the start and in stalls together"),
    ]
    if finding.waiting == nil { facts[1].words = "the end is never reached" }
    if finding.startup == nil { facts[0].words = "none is without a stall" }
    for remark in remarks { facts.append((name: "oracle", words: remark)) }
    return facts
  }
}

extension OptimumReport {
  /// What it says, as a name and words for a screen, where the objective stands above it.
  ///
  /// - Parameter number: How a screen writes billionths.
  package func fact(_ number: (Int64) -> String) -> (name: String, words: String) {
    let name = "at best"
    guard let finding else { return (name, "cannot say: " + remarks.joined(separator: "; ")) }
    var words = number(finding.bound) + " " + objective.unit + (isExact ? "" : " at most")
    if !finding.isExact { words += ", and \(number(finding.attained)) can be had" }
    return (name, ([words] + remarks).joined(separator: "; "))
  }
}

extension JSONWriter {
  /// Writes what the best by objectives would have been, as a member.
  package mutating func optima(_ reports: [OptimumReport]) {
    key("optima")
    beginObject()
    for report in reports {
      key(report.objective.name)
      beginObject()
      if let finding = report.finding {
        key("atMost")
        decimal(finding.bound, places: 9)
        key("canBeHad")
        decimal(finding.attained, places: 9)
        key("isExact")
        boolean(report.isExact)
      }
      key(report.finding == nil ? "cannotSay" : "leavesOut")
      beginArray()
      for remark in report.remarks { string(remark) }
      endArray()
      endObject()
    }
    endObject()
  }

  /// Writes what the oracle says of a run, as a member.
  package mutating func oracle(_ report: OracleReport) {
    key("oracle")
    beginObject()
    if let finding = report.finding {
      key("startupDelaySeconds")
      span(finding.startup)
      key("startupAndStalledSeconds")
      span(finding.waiting)
      key("isExact")
      boolean(report.isExact)
    }
    key(report.finding == nil ? "cannotSay" : "leavesOut")
    beginArray()
    for remark in report.remarks { string(remark) }
    endArray()
    endObject()
  }

  private mutating func span(_ span: TimeSpan?) {
    if let span { seconds(span.nanoseconds) } else { null() }
  }
}

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
    var facts = [
      ("best start", words(finding.startup) + " without a stall"),
      ("least waiting", words(finding.waiting) + " at the start and in stalls together"),
    ]
    if finding.waiting == nil { facts[1].1 = "the end is never reached" }
    if finding.startup == nil { facts[0].1 = "none is without a stall" }
    return facts + remarks.map { ("oracle", $0) }
  }
}

extension JSONWriter {
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

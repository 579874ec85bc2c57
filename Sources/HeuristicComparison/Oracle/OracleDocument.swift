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

extension OracleReport {
  package var document: JSONTree {
    [
      "startupDelaySeconds": finding.map { .seconds($0.startup?.nanoseconds) },
      "startupAndStalledSeconds": finding.map { .seconds($0.waiting?.nanoseconds) },
      "isExact": finding.map { _ in .boolean(isExact) },
      finding == nil ? "cannotSay" : "leavesOut": .strings(remarks),
    ]
  }
}

extension OptimumReport {
  package var document: JSONTree {
    [
      "atMost": finding.map { .decimal($0.bound, places: 9) },
      "canBeHad": finding.map { .decimal($0.attained, places: 9) },
      "isExact": finding.map { _ in .boolean(isExact) },
      finding == nil ? "cannotSay" : "leavesOut": .strings(remarks),
    ]
  }
}

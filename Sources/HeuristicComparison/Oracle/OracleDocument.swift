package import ExactText
import VirtualTime

extension OracleReport {
  /// The report, as names and words for a screen.
  ///
  /// - Parameter seconds: Text of nanoseconds on a screen.
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
  /// The report, as a name and words for a screen that shows the objective above it.
  ///
  /// - Parameter number: Text of billionths on a screen.
  package func fact(_ number: (Int64) -> String) -> (name: String, words: String) {
    let name = "at best"
    guard let finding else { return (name, "cannot say: " + remarks.joined(separator: "; ")) }
    var words = number(finding.bound) + " " + objective.unit + (isExact ? "" : " at most")
    if !finding.isExact { words += ", and \(number(finding.attained)) can be had" }
    return (name, ([words] + remarks).joined(separator: "; "))
  }

  /// The best by its objective.
  fileprivate var document: JSONTree {
    guard let finding else { return ["cannotSay": .strings(remarks)] }
    return [
      "atMost": .decimal(finding.bound, places: 9),
      "canBeHad": .decimal(finding.attained, places: 9), "isExact": .boolean(isExact),
      "leavesOut": .strings(remarks),
    ]
  }
}

extension [OptimumReport] {
  /// The best by each objective, as a member.
  package var document: JSONTree {
    ["optima": .members(map { ($0.objective.name, $0.document) })]
  }
}

extension OracleReport {
  /// The oracle's answer, as a member.
  package var document: JSONTree {
    guard let finding else { return ["oracle": ["cannotSay": .strings(remarks)]] }
    return [
      "oracle": [
        "startupDelaySeconds": .seconds(finding.startup?.nanoseconds),
        "startupAndStalledSeconds": .seconds(finding.waiting?.nanoseconds),
        "isExact": .boolean(isExact), "leavesOut": .strings(remarks),
      ]
    ]
  }
}

import ExactText
package import PlayerPolicies
import VirtualTime

// Heuristics as people write them, in a scenario and after `--heuristics`: "playThrough",
// "playThrough x1.1", "thresholds 1 s/2 s", "everythingLoaded", "immediate".

extension KeepUpHeuristic {
  package static let textForms = [
    "playThrough", "playThrough x1.1", "thresholds 1 s/2 s", "everythingLoaded", "immediate",
  ]

  package init(text: String) throws(QuantityProblem) {
    let (word, rest) = firstWord(of: text)
    switch word {
    case "playThrough":
      self = .playThrough(safety: rest.isEmpty ? .none : try safetyFactor(rest, in: text))
    case "thresholds": self = try thresholdRule(rest, in: text)
    case "everythingLoaded", "immediate":
      guard rest.isEmpty else {
        throw QuantityProblem(
          "\(quotation(of: text)) has a parameter too many",
          expected: "\(quotation(of: word)) alone")
      }
      self = word == "immediate" ? .immediate : .everythingLoaded
    default:
      let words = ["playThrough", "thresholds", "everythingLoaded", "immediate"]
      throw QuantityProblem(
        "unknown heuristic \(quotation(of: text))",
        expected: alternatives(KeepUpHeuristic.textForms),
        suggestion: nearestWord(to: word, among: words))
    }
  }

  /// The one text that stands for it: reading it gives an equal rule.
  package var text: String {
    switch self {
    case .playThrough(let safety):
      let factor = safety.text
      return isSameText(factor, "1") ? "playThrough" : "playThrough x" + factor
    case .thresholds(let start, let resume):
      let marks = [start, resume].map { JSONTree.secondsText($0.nanoseconds) }
      return "thresholds \(marks[0])/\(marks[1])"
    case .everythingLoaded: return "everythingLoaded"
    case .immediate: return "immediate"
    }
  }
}

private func thresholdRule(
  _ marks: String, in text: String
) throws(QuantityProblem) -> KeepUpHeuristic {
  let parts = marks.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  guard parts.count == 2 else {
    throw QuantityProblem(
      "\(quotation(of: text)) does not name two thresholds",
      expected: "one to start and one to resume, such as “thresholds 1 s/2 s”")
  }
  let start = try Quantity.mediaTime(trimmedText(parts[0]).bytes)
  let resume = try Quantity.mediaTime(trimmedText(parts[1]).bytes)
  guard max(start, resume) <= ScenarioLimits.longestMedia else {
    throw QuantityProblem("\(quotation(of: text)) is too long", expected: "at most 30 days")
  }
  return .thresholds(start: start, resume: resume)
}

private func safetyFactor(
  _ factor: String, in text: String
) throws(QuantityProblem) -> SafetyFactor {
  let digits = factor.utf8.dropFirst().split(
    separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
  guard factor.utf8.first == UInt8(ascii: "x"),
    let over = decimal(digits[0]),
    let under = digits.count == 1 ? (numerator: 1, denominator: 1) : decimal(digits[1]),
    under.numerator > 0
  else {
    throw QuantityProblem(
      "\(quotation(of: text)) has no safety factor",
      expected: "an x and a number from 1 up, such as “playThrough x1.1”")
  }
  let divisor = commonDivisor(
    over.numerator * under.denominator, over.denominator * under.numerator)
  let numerator = over.numerator * under.denominator / divisor
  let denominator = over.denominator * under.numerator / divisor
  guard numerator >= denominator, numerator <= 1_000 * denominator, denominator <= 1_000_000 else {
    throw QuantityProblem(
      "the safety factor in \(quotation(of: text)) is out of range",
      expected: "1 to 1000 with at most six decimals")
  }
  return SafetyFactor(Int64(numerator), over: Int64(denominator))
}

/// A decimal number of a size that can be multiplied with another; nil where there is none.
private func decimal(
  _ text: Substring.UTF8View.SubSequence
) -> (numerator: Int128, denominator: Int128)? {
  let limit: Int128 = 1_000_000_000_000
  guard text.first != UInt8(ascii: "-"),
    let ratio = try? ExactDecimal(json: Array(text)[...]).ratio(times: 1),
    ratio.numerator <= limit, ratio.denominator <= limit
  else { return nil }
  return ratio
}

extension SafetyFactor {
  /// As a decimal where it has one, else as a ratio: 1.1, 4/3.
  fileprivate var text: String {
    let divisor = greatestCommonDivisor(numerator, denominator)
    let (numerator, denominator) = (numerator / divisor, denominator / divisor)
    var scale: Int64 = 1
    for places in 0...6 {
      if scale % denominator == 0 {
        let (units, overflow) = numerator.multipliedReportingOverflow(by: scale / denominator)
        if overflow { break }
        return JSONTree.decimal(units, places: places).json
      }
      scale *= 10
    }
    return "\(numerator)/\(denominator)"
  }
}

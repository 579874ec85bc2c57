public import VirtualTime

/// A fault that is injected into a request.
public enum Fault: Hashable, Sendable {
  /// The server answers with an error and no body.
  case status(Int32)
  /// The connection is reset behind that many bytes of the body; at zero, instead of a response.
  case reset(afterBytes: Int64)
  /// Nothing comes behind that many bytes of the body.
  case stall(afterBytes: Int64)
  /// The server thinks that much longer.
  case slowFirstByte(TimeSpan)

  /// The name of the fault in scenarios and traces.
  package enum Name: String, Sendable, CaseIterable {
    case status
    case reset
    case stall
    case slowFirstByte
  }

  package var name: Name {
    switch self {
    case .status: .status
    case .reset: .reset
    case .stall: .stall
    case .slowFirstByte: .slowFirstByte
    }
  }
}

/// A rule that injects a fault into the requests that match it.
public struct FaultRule: Hashable, Sendable {
  public var fault: Fault
  /// The affected requests among those that match the rule, numbered from 1; nil for all.
  public var numbers: ClosedRange<Int64>?
  /// The owner of the requests; nil for every owner but competing traffic.
  public var owner: Int32?
  /// The label or the URI of the requests; nil for any.
  public var label: LabelPattern?
  /// The probability of the fault, drawn from a random stream of the rule's own.
  public var chance: LossRatio

  public init(
    _ fault: Fault, numbers: ClosedRange<Int64>? = nil, owner: Int32? = nil,
    label: LabelPattern? = nil, chance: LossRatio = .total
  ) {
    self.fault = fault
    self.numbers = numbers
    self.owner = owner
    self.label = label
    self.chance = chance
  }
}

/// The rules by which requests go wrong; the first that fits a request decides.
public struct FaultPlan: Hashable, Sendable {
  public var rules: [FaultRule]

  public init(_ rules: [FaultRule] = []) { self.rules = rules }

  public static let none = FaultPlan()
}

/// The random decision of a fault rule about a request that matched it.
package struct FaultDraw: Hashable, Sendable {
  package var rule: Int32
  package var happens: Bool
}

package struct FaultChances: Sendable {
  private let chances: [LossRatio]
  private var streams: [RandomStream]

  package init(_ plan: FaultPlan, seed: UInt64) {
    chances = plan.rules.map { $0.chance }
    streams = chances.indices.map { RandomStream(seed: seed, name: "faults/\($0 + 1)") }
  }

  /// Whether the next request that a rule is about meets its fault.
  package mutating func draw(_ rule: Int) -> Bool {
    let chance = chances[rule]
    return streams[rule].chance(numerator: chance.numerator, denominator: chance.denominator)
  }
}

/// A plan under way: how many requests each rule has seen, and what was drawn for them.
struct FaultPicker: Sendable {
  private let rules: [FaultRule]
  /// The number of requests that each rule has matched so far.
  private(set) var seen: [Int64]
  private var chances: FaultChances
  private(set) var draws = LinkDraws()

  /// The most draws that are listed: a run of any length takes the same memory.
  private static let mostDraws = 1 << 16

  init(_ plan: FaultPlan, seed: UInt64) {
    rules = plan.rules
    seen = Array(repeating: 0, count: rules.count)
    chances = FaultChances(plan, seed: seed)
  }

  /// The rules whose first request was never made, with the number of requests that fit.
  var unmatched: [(rule: Int, requests: Int64)] {
    let least = rules.map { $0.numbers?.lowerBound ?? ($0.label == nil ? 0 : 1) }
    return rules.indices.filter { seen[$0] < least[$0] }.map { ($0, seen[$0]) }
  }

  /// Every rule counts every request that it is about, whether or not an earlier rule decides.
  mutating func fault(for request: Request) -> Fault? {
    var chosen: Fault?
    for index in rules.indices where isAbout(rules[index], request) {
      let rule = rules[index]
      seen[index] += 1
      if let numbers = rule.numbers, !numbers.contains(seen[index]) { continue }
      let happens = chances.draw(index)
      if rule.chance.isUncertain {
        draws.areListed = draws.areListed && draws.ofFaults.count < Self.mostDraws
        if draws.areListed {
          draws.ofFaults.append(FaultDraw(rule: Int32(truncatingIfNeeded: index), happens: happens))
        }
      }
      if happens && chosen == nil { chosen = rule.fault }
    }
    return chosen
  }

  private func isAbout(_ rule: FaultRule, _ request: Request) -> Bool {
    if let owner = rule.owner {
      if owner != request.owner { return false }
    } else if request.owner < 0 {
      return false
    }
    guard let pattern = rule.label else { return true }
    return pattern.matches(request.label) || !request.uri.isEmpty && pattern.matches(request.uri)
  }
}

public import VirtualTime

/// What goes wrong with a request.
public enum Fault: Hashable, Sendable {
  /// The server answers with an error and no body.
  case status(Int32)
  /// The connection is reset behind that many bytes of the body; at zero, instead of a response.
  case reset(afterBytes: Int64)
  /// Nothing comes behind that many bytes of the body.
  case stall(afterBytes: Int64)
  /// The server thinks that much longer.
  case slowFirstByte(TimeSpan)

  /// What scenarios and traces call it.
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

/// Which requests something goes wrong with.
public struct FaultRule: Hashable, Sendable {
  package var fault: Fault
  /// Which of the requests that the rule is about, counted from 1; nil for all.
  package var numbers: ClosedRange<Int64>?
  /// Whose; nil for everybody's but competing traffic.
  package var owner: Int32?
  /// What they are called, or where they are; nil for whatever they are called.
  package var label: LabelPattern?
  /// How likely it is, drawn from a stream of the rule's own.
  package var chance: LossRatio

  package init(
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

  public init(_ rules: [FaultRule] = []) {
    self.rules = rules
  }

  public static let none = FaultPlan()
}

/// A plan under way: how many requests each rule has seen.
struct FaultPicker: Sendable {
  private let rules: [FaultRule]
  /// How many requests each rule is about so far.
  private(set) var seen: [Int64]
  private var streams: [RandomStream]

  init(_ plan: FaultPlan, seed: UInt64) {
    rules = plan.rules
    seen = Array(repeating: 0, count: rules.count)
    streams = rules.indices.map { RandomStream(seed: seed, name: "faults/\($0 + 1)") }
  }

  /// Whether a rule looks at what requests are called.
  var readsLabels: Bool { rules.contains { $0.label != nil } }

  /// Every rule counts every request that it is about, whether or not an earlier rule decides.
  mutating func fault(for request: Request) -> Fault? {
    var chosen: Fault?
    for index in rules.indices where isAbout(rules[index], request) {
      let rule = rules[index]
      seen[index] += 1
      if let numbers = rule.numbers, !numbers.contains(seen[index]) { continue }
      let happens = streams[index].chance(
        numerator: rule.chance.numerator, denominator: rule.chance.denominator)
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

/// Seats that are filled from outside: by an app's own Swift code, or by a process that the command
/// starts.
///
/// A seat that has nothing here cannot be asked for under this name.
package struct CustomPolicy: Sendable {
  /// Says whether playback may begin, or go on.
  package typealias Readiness =
    @Sendable (Snapshot, Estimate, inout CustomMemory) -> ReadinessVerdict
  package typealias Stall = @Sendable (Snapshot, inout CustomMemory) -> StallVerdict
  package typealias Variant = @Sendable (VariantQuestion, inout CustomMemory) -> VariantVerdict
  package typealias Abandon = @Sendable (AbandonQuestion, inout CustomMemory) -> AbandonVerdict

  package var name: String
  package var start: Readiness?
  package var resume: Readiness?
  package var stall: Stall?
  package var nextVariant: Variant?
  package var abandon: Abandon?

  package init(
    name: String, start: Readiness? = nil, resume: Readiness? = nil, stall: Stall? = nil,
    nextVariant: Variant? = nil, abandon: Abandon? = nil
  ) {
    self.name = name
    self.start = start
    self.resume = resume
    self.stall = stall
    self.nextVariant = nextVariant
    self.abandon = abandon
  }
}

/// What a policy from outside remembers from one question to the next: it is part of the run, and a
/// closure that remembers anything elsewhere is not replayed exactly.
package struct CustomMemory: Hashable, Sendable {
  package var numbers: [Int64] = []

  package init() {}
}

/// The policies from outside, by name.
package struct PolicyRegistry: Sendable {
  private var policies: [CustomPolicy] = []

  package init() {}

  /// Nothing is registered.
  package static let none = PolicyRegistry()

  /// Registers a policy under its name; the last one of a name counts.
  package mutating func register(_ policy: CustomPolicy) {
    policies.removeAll { $0.name == policy.name }
    policies.append(policy)
  }

  /// In the order in which they were registered.
  package var names: [String] { policies.map { $0.name } }

  func policy(named name: String) -> CustomPolicy? {
    policies.first { $0.name == name }
  }
}

/// Why a description cannot run.
package enum PolicyProblem: Error, Hashable, Sendable {
  /// Nothing of that name is registered, or it does not fill that seat.
  case notRegistered(String, PolicySeat)
  /// A name stands within another rule; it fills a seat alone.
  case notAlone(PolicySeat)
}

/// The closures that a policy asks, looked up once.
struct CustomSeats: Sendable {
  var start: CustomPolicy.Readiness?
  var resume: CustomPolicy.Readiness?
  var stall: CustomPolicy.Stall?
  var nextVariant: CustomPolicy.Variant?
  var abandon: CustomPolicy.Abandon?

  init(_ description: PolicyDescription, _ registry: PolicyRegistry) throws(PolicyProblem) {
    start = try Self.readiness(description.start, .start, registry) { $0.start }
    resume = try Self.readiness(description.resume, .resume, registry) { $0.resume }
    if case .named(let name) = description.stall {
      stall = try Self.found(registry.policy(named: name)?.stall, name, .stall)
    }
    if case .named(let name) = description.nextVariant {
      nextVariant = try Self.found(
        registry.policy(named: name)?.nextVariant, name, .nextVariant)
    }
    if case .named(let name) = description.abandon {
      abandon = try Self.found(registry.policy(named: name)?.abandon, name, .abandon)
    }
  }

  private static func readiness(
    _ rule: ReadinessRule, _ seat: PolicySeat, _ registry: PolicyRegistry,
    _ closure: (CustomPolicy) -> CustomPolicy.Readiness?
  ) throws(PolicyProblem) -> CustomPolicy.Readiness? {
    if case .named(let name) = rule {
      return try found(registry.policy(named: name).flatMap(closure), name, seat)
    }
    if rule.namesSomething { throw .notAlone(seat) }
    return nil
  }

  private static func found<Closure>(
    _ closure: Closure?, _ name: String, _ seat: PolicySeat
  ) throws(PolicyProblem) -> Closure {
    guard let closure else { throw .notRegistered(name, seat) }
    return closure
  }
}

extension ReadinessRule {
  /// Whether it, or a rule within it, is a name.
  fileprivate var namesSomething: Bool {
    switch self {
    case .named: true
    case .any(let rules), .all(let rules): rules.contains { $0.namesSomething }
    case .every(_, _, let rule): rule.namesSomething
    case .level, .escalating, .playThrough, .everythingLoaded, .after, .at: false
    }
  }
}

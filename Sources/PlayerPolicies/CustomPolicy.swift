public import VirtualTime

/// Seats filled from outside: by an app's own Swift code, or by a process that the command starts.
///
/// A seat that has nothing here cannot be asked for under this name.
public struct CustomPolicy: Sendable {
  /// Says whether playback may begin, or go on.
  ///
  /// It is asked when something is different, when its last answer said so, and, as bytes of a file
  /// that come in as a fluid are no events, every `look` while it says no and not when it is to be
  /// asked. Of a stream the first bytes of an answer are nothing that it is shown: a segment is.
  public typealias Readiness =
    @Sendable (ReadinessQuestion, inout CustomMemory) -> ReadinessVerdict
  /// Says whether a player that plays declares a stall with media left.
  ///
  /// It is asked at every event while the playhead moves, when its last answer said so, and every
  /// `look` while it says no and not when it is to be asked: what is ahead shrinks by itself.
  public typealias Stall = @Sendable (Snapshot, inout CustomMemory) -> StallVerdict
  /// Says which variant the next segment is taken from.
  public typealias Variant = @Sendable (VariantQuestion, inout CustomMemory) -> VariantVerdict
  /// Says whether the segment under way is given up.
  public typealias Abandon = @Sendable (AbandonQuestion, inout CustomMemory) -> AbandonVerdict

  /// The interval at which a waiting policy looks at a file received in fluid, and a playing policy
  /// at the media left: our assumption.
  package static let look = TimeSpan.milliseconds(250)

  /// The name that scenarios, studies and traces use.
  public var name: String
  /// Asked before the first start of an item; nil leaves this seat, and each below, unfilled.
  public var start: Readiness?
  /// Asked after a stall and after a seek.
  public var resume: Readiness?
  public var stall: Stall?
  public var nextVariant: Variant?
  public var abandon: Abandon?

  public init(
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

  package var seats: [PolicySeat] {
    PolicySeat.allCases.filter { seat in
      switch seat {
      case .start: start != nil
      case .resume: resume != nil
      case .stall: stall != nil
      case .nextVariant: nextVariant != nil
      case .abandon: abandon != nil
      case .sink, .estimator, .firstVariant, .fetch: false
      }
    }
  }
}

/// The memory of an outside policy from one question to the next: it is part of the run, and a
/// closure that remembers anything elsewhere is not replayed exactly.
public struct CustomMemory: Hashable, Sendable {
  /// Empty at the beginning of a run.
  public var numbers: [Int64] = []

  public init() {}
}

/// A clause of a decision that a policy from outside may make.
public protocol OutsideClause: Hashable, Sendable {
  static var decidedOutside: Self { get }
}

extension ReadinessClause: OutsideClause {}
extension StallClause: OutsideClause {}
extension VariantClause: OutsideClause {}
extension AbandonClause: OutsideClause {}

extension Verdict where Clause: OutsideClause {
  /// The answer of a policy from outside.
  ///
  /// - Parameter changesAt: Instant of the next question, even if nothing has happened.
  public static func decided(_ answer: Answer, changesAt: Instant = .distantFuture) -> Self {
    Self(answer, .decidedOutside, changesAt: changesAt)
  }
}

extension Verdict where Answer == Bool {
  /// The same, asked again after a look where nobody would tell of what comes in, or is played.
  func lookingAgain(at now: Instant, isUntold: Bool = true) -> Self {
    if answer || changesAt != .distantFuture || !isUntold { return self }
    return Self(answer, clause, changesAt: now + CustomPolicy.look)
  }
}

/// The policies from outside, by name.
public struct PolicyRegistry: Sendable {
  /// In the order in which they were registered.
  private(set) var policies: [CustomPolicy] = []

  public init() {}

  package static let none = PolicyRegistry()

  /// Registers a policy under its name; the last one of a name counts.
  public mutating func register(_ policy: CustomPolicy) {
    policies.removeAll { $0.name == policy.name }
    policies.append(policy)
  }
}

/// A reason why a description cannot run.
public enum PolicyProblem: Error, Hashable, Sendable {
  /// No policy is registered under that name.
  case unknownName(String, known: [String])
  case doesNotFill(String, PolicySeat)
  /// A name stands within another rule; it fills a seat alone.
  case notAlone(PolicySeat)
  /// A seat that nothing from outside can fill.
  case notFilledByName(PolicySeat)

  /// The problem, in a sentence.
  public var description: String {
    switch self {
    case .unknownName(let name, let known):
      let list = known.map { "“\($0)”" }.joined(separator: ", ")
      return "no policy is registered as “\(name)”" + (list.isEmpty ? "" : "; registered: " + list)
    case .doesNotFill(let name, let seat):
      return "the policy “\(name)” has nothing for the seat “\(seat.rawValue)”"
    case .notAlone(let seat):
      return "a policy by its name fills the seat “\(seat.rawValue)” alone, or not at all"
    case .notFilledByName(let seat):
      return "nothing from outside can fill the seat “\(seat.rawValue)”"
    }
  }
}

extension PolicyDescription {
  /// AVPlayer, as far as its documentation and the talks go; where they are silent, our assumption.
  public static var avfoundation: PolicyDescription { PolicyPreset.avfoundation.description }

  /// The seats that are left to what is registered under a name.
  package func seats(filledBy name: String) -> [PolicySeat] {
    PolicySeat.filledByName.filter { seat in
      var filled = self
      try? filled.fill(seat, with: name)
      return filled == self
    }
  }

  /// Leaves a seat to what is registered under a name.
  package mutating func fill(_ seat: PolicySeat, with name: String) throws(PolicyProblem) {
    switch seat {
    case .start: start = .named(name)
    case .resume: resume = .named(name)
    case .stall: stall = .named(name)
    case .nextVariant: nextVariant = .named(name)
    case .abandon: abandon = .named(name)
    case .sink, .estimator, .firstVariant, .fetch: throw .notFilledByName(seat)
    }
  }
}

extension PolicySeat {
  /// Those that something from outside can fill.
  package static let filledByName: [PolicySeat] = [.start, .resume, .stall, .nextVariant, .abandon]
}

extension CustomPolicy {
  /// Whether it says when playback begins, or goes on.
  var judges: Bool { start != nil || resume != nil }

  /// Fills the seats that a description leaves to names, each by what is registered under its own.
  init(
    filling description: PolicyDescription, from registry: PolicyRegistry
  ) throws(PolicyProblem) {
    self.init(name: "")
    start = try Self.readiness(description.start, .start, registry) { $0.start }
    resume = try Self.readiness(description.resume, .resume, registry) { $0.resume }
    if case .named(let name) = description.stall {
      stall = try Self.found(name, .stall, registry) { $0.stall }
    }
    if case .named(let name) = description.nextVariant {
      nextVariant = try Self.found(name, .nextVariant, registry) { $0.nextVariant }
    }
    if case .named(let name) = description.abandon {
      abandon = try Self.found(name, .abandon, registry) { $0.abandon }
    }
  }

  private static func readiness(
    _ rule: ReadinessRule, _ seat: PolicySeat, _ registry: PolicyRegistry,
    _ closure: (CustomPolicy) -> Readiness?
  ) throws(PolicyProblem) -> Readiness? {
    if case .named(let name) = rule { return try found(name, seat, registry, closure) }
    if rule.namesSomething { throw .notAlone(seat) }
    return nil
  }

  private static func found<Closure>(
    _ name: String, _ seat: PolicySeat, _ registry: PolicyRegistry,
    _ closure: (CustomPolicy) -> Closure?
  ) throws(PolicyProblem) -> Closure {
    guard let policy = registry.policies.first(where: { $0.name == name }) else {
      throw .unknownName(name, known: registry.policies.map { $0.name })
    }
    guard let closure = closure(policy) else { throw .doesNotFill(name, seat) }
    return closure
  }
}

extension ReadinessRule {
  /// Whether it, or a rule within it, is a name.
  fileprivate var namesSomething: Bool {
    if case .named = self { return true }
    return parts.contains { $0.namesSomething }
  }
}

extension VariantQuestion {
  /// The answer of a policy from outside, as far as it can be played: the present variant is no
  /// other, one that may not be played is not gone to, and the present one is left if it is such.
  func keepingPlayable(_ verdict: VariantVerdict) -> VariantVerdict {
    var verdict = verdict
    switch verdict.answer {
    case .stay, .wait: break
    case .take(let rung), .replace(let rung, _), .again(let rung, _):
      if rung == current || !eligible.ascending.contains(rung) { verdict.answer = .stay }
    }
    guard verdict.answer == .stay, !eligible.contains(current), let lowest = eligible.lowest else {
      return verdict
    }
    return VariantVerdict(.take(lowest), .notEligible, changesAt: verdict.changesAt)
  }
}

extension AbandonQuestion {
  /// The answer of a policy from outside; nothing is given up for what may not be played.
  func keepingPlayable(_ verdict: AbandonVerdict) -> AbandonVerdict {
    guard case .giveUp(let rung) = verdict.answer, !eligible.ascending.contains(rung) else {
      return verdict
    }
    return AbandonVerdict(.goOn, .nothingToGain, changesAt: verdict.changesAt)
  }
}

public import VirtualTime

/// An answer with its reason, and how long it stands by itself.
public struct Verdict<Answer: Hashable & Sendable, Clause: Hashable & Sendable>: Hashable, Sendable
{
  public var answer: Answer
  /// The clause of the rule that decided.
  public var clause: Clause
  /// The earliest instant at which the answer could change without anything being heard.
  ///
  /// Whoever asked asks again then.
  public var changesAt: Instant
  /// The time by which the worst byte would be late if playback began now, with the rule's margin;
  /// nil where the rule forecasts none.
  public var late: TimeSpan?

  public init(_ answer: Answer, _ clause: Clause, changesAt: Instant = .distantFuture) {
    self.answer = answer
    self.clause = clause
    self.changesAt = changesAt
  }
}

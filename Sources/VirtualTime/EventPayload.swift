/// What an event means to whoever scheduled it: eight bytes that the queue hands back unread.
@frozen
public struct EventPayload: Hashable, Sendable {
  /// What happens.
  public var kind: UInt16
  /// To whom it happens.
  public var subject: UInt16
  /// A detail of it: an index, a generation, whatever the scheduler needs.
  public var argument: UInt32

  @inlinable
  public init(kind: UInt16, subject: UInt16 = 0, argument: UInt32 = 0) {
    self.kind = kind
    self.subject = subject
    self.argument = argument
  }
}

/// A place in the fixed sequence of things that happen within one round of an instant.
///
/// The shell names the phases and says why they stand in this order; the queue only compares them.
@frozen
public struct Phase: Comparable, Hashable, Sendable {
  public let ordinal: UInt8

  @inlinable
  public init(_ ordinal: UInt8) {
    self.ordinal = ordinal
  }

  @inlinable
  public static func < (a: Phase, b: Phase) -> Bool {
    a.ordinal < b.ordinal
  }
}

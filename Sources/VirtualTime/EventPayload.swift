/// The meaning of an event to its scheduler: eight bytes that the queue hands back unread.
@usableFromInline package struct EventPayload: Hashable, Sendable {
  // One word, because a word that was stored in pieces is slow to load again soon after.
  let bits: UInt64

  @usableFromInline package init(kind: UInt16, subject: UInt16 = 0, argument: UInt32 = 0) {
    bits = UInt64(kind) << 48 | UInt64(subject) << 32 | UInt64(argument)
  }

  @usableFromInline package var kind: UInt16 { UInt16(truncatingIfNeeded: bits >> 48) }

  /// To whom it happens.
  @usableFromInline package var subject: UInt16 { UInt16(truncatingIfNeeded: bits >> 32) }

  /// A detail of it: an index, a generation, whatever the scheduler needs.
  @usableFromInline package var argument: UInt32 { UInt32(truncatingIfNeeded: bits) }
}

/// A place in the fixed sequence of things that happen within one round of an instant.
///
/// The shell names the phases and says why they stand in this order; the queue only compares them.
@usableFromInline package struct Phase: Hashable, Sendable {
  package let ordinal: UInt8

  @usableFromInline package init(_ ordinal: UInt8) { self.ordinal = ordinal }
}

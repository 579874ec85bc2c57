/// An event with its place in the one total order `(instant, round, phase, sequence)`.
@usableFromInline package struct ScheduledEvent: Hashable, Sendable {
  /// The token that cancels this event as long as it is pending.
  package let token: EventToken
  package let payload: EventPayload

  @usableFromInline package var instant: Instant { token.instant }

  /// The pass through the phases of its instant to which the event belongs, from zero.
  @usableFromInline package var round: Int32 {
    Int32(token.order.bits >> (EventOrder.sequenceWidth + EventOrder.phaseWidth))
  }

  @usableFromInline package var phase: Phase {
    Phase(UInt8(truncatingIfNeeded: token.order.bits >> EventOrder.sequenceWidth))
  }

  /// The total order as one number, so that a comparison needs no branch.
  var key: UInt128 { token.key }
}

/// An event that is always pending, at an instant that its owner knows; the distant future where
/// nothing is to come.
@usableFromInline package struct StandingEvent {
  package let instant: Instant
  package let phase: Phase
  package let payload: EventPayload

  @usableFromInline package init(at instant: Instant, in phase: Phase, _ payload: EventPayload) {
    (self.instant, self.phase, self.payload) = (instant, phase, payload)
  }
}

/// The name of one scheduled event, good for cancelling it once.
///
/// A token is the event's place in the total order. No two events of a run share one, so the token
/// of an event that has fired finds nothing and does no harm.
@usableFromInline package struct EventToken: Hashable, Sendable {
  let instant: Instant
  let order: EventOrder

  var key: UInt128 { UInt128(_low: order.bits, _high: UInt64(bitPattern: instant.nanoseconds)) }
}

/// Round, phase and sequence within an instant, packed so that comparing the word compares them.
struct EventOrder: Hashable, Sendable {
  let bits: UInt64

  /// Sixty-eight thousand million events: more than an hour at full speed.
  static let sequenceWidth: UInt64 = 36
  static let phaseWidth: UInt64 = 8

  static let sequenceLimit: UInt64 = 1 << sequenceWidth

  init(round: UInt64, phase: Phase, sequence: UInt64) {
    bits =
      round &<< (Self.sequenceWidth &+ Self.phaseWidth)
      | UInt64(phase.ordinal) &<< Self.sequenceWidth | sequence
  }
}

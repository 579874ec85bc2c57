/// What decides which duties concern an item at an instant.
package struct DutyFacts: Hashable {
  /// It failed when it was current before.
  package var hasFailed = false
  /// The player has a queue, or reads a file that it may have read far enough.
  package var looksAhead = false
  /// The index of its media has not been read through.
  package var isUnparsed = false
  /// Items of the queue come after it.
  package var hasFollowers = false
  package var isLive = false
  /// Its timebase does not move.
  package var stands = false
  package var isSeeking = false
  /// A start on an external timeline waits for its first byte.
  package var awaitsHostTime = false
  /// The machine has not been told yet what has happened.
  package var hasNews = false
  /// There has been nothing to show or to hear of it yet.
  package var isUnready = false
  /// Somebody takes its pictures.
  package var showsPictures = false
  /// The brief evaluation is under way.
  package var isEvaluating = false

  package init() {}
}

/// The duties that concern an item at an instant, so that the others cost nothing.
///
/// What a duty changes while it is done may make another one due: then the list begins anew, with
/// the facts as they are then.
package struct DutySet: Hashable {
  private var bits: UInt32 = 0

  package init(_ facts: DutyFacts) {
    for duty in [Duty.load, .movePlayhead, .judge, .failPlayedOut, .offerBuffer] { insert(duty) }
    if facts.hasFailed { insert(.giveUpFailed) }
    if facts.looksAhead { insert(.lookAhead) }
    if facts.isUnparsed { insert(.parse) }
    if facts.hasFollowers { insert(.prerollAhead) }
    if facts.isLive {
      insert(.followLive)
      insert(.restoreOffset)
    }
    if facts.stands { insert(.leavePipeline) }
    if facts.isSeeking { insert(.completeSeek) }
    if facts.awaitsHostTime { insert(.startOnHostTime) }
    if facts.hasNews {
      insert(.adoptMode)
      insert(.announce)
    }
    if facts.isUnready { insert(.noteReady) }
    if facts.showsPictures { insert(.notePictures) }
    if facts.isEvaluating { insert(.endEvaluation) }
  }

  private mutating func insert(_ duty: Duty) { bits |= 1 << UInt32(duty.rawValue) }

  package func contains(_ duty: Duty) -> Bool { bits & (1 << UInt32(duty.rawValue)) != 0 }

  /// Takes the first of those that are left, beginning with a duty; nil where none is.
  package mutating func take(from first: Duty) -> Duty? {
    let left = bits & (UInt32.max << UInt32(first.rawValue))
    if left == 0 { return nil }
    bits = left & (left - 1)
    return Duty(rawValue: UInt8(left.trailingZeroBitCount))
  }
}

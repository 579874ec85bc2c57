package import VirtualTime

/// How far ahead is read, and what happens at the limit.
package struct FetchRule: Hashable, Sendable {
  /// What a player does when the buffer is full.
  package enum AtLimit: Hashable, Sendable {
    /// Reading is suspended, and goes on when enough has been played.
    case suspends
    /// The request is cancelled, and opened again for the rest that much later.
    case reopens(after: TimeSpan)
  }

  /// Nil for no limit.
  package var media: MediaTime?
  package var bytes: Int64?
  /// How much of the limit may be left when reading goes on, in percent.
  package var refillPercent: Int64
  package var atLimit: AtLimit

  package init(
    media: MediaTime? = nil, bytes: Int64? = nil, refillPercent: Int64 = 100,
    atLimit: AtLimit = .suspends
  ) {
    self.media = media
    self.bytes = bytes
    self.refillPercent = refillPercent
    self.atLimit = atLimit
  }

  /// Whether more is asked for.
  ///
  /// - Parameter isReading: Whether it is so now: between its two marks a player goes on with what
  ///   it does.
  package func verdict(_ snapshot: Snapshot, isReading: Bool) -> FetchVerdict {
    if snapshot.isEverythingLoaded { return FetchVerdict(.pause, .everythingLoaded) }
    let percent = isReading ? 100 : refillPercent
    if let media, isBeyond(snapshot.ahead.nanoseconds, media.nanoseconds, percent, isReading) {
      return full(.mediaLimit, snapshot, isReading, playsDownTo: media, percent)
    }
    if let bytes, let ahead = snapshot.buffer.bytesAhead,
      isBeyond(ahead, bytes, percent, isReading)
    {
      return full(.byteLimit, snapshot, isReading, playsDownTo: nil, percent)
    }
    return FetchVerdict(.read, .room)
  }

  private func isBeyond(
    _ ahead: Int64, _ limit: Int64, _ percent: Int64, _ isReading: Bool
  ) -> Bool {
    let mark = scaled(limit, by: percent, over: 100, rounding: .down)
    return isReading ? ahead >= mark : ahead > mark
  }

  private func full(
    _ clause: FetchClause, _ snapshot: Snapshot, _ isReading: Bool,
    playsDownTo media: MediaTime?, _ percent: Int64
  ) -> FetchVerdict {
    switch atLimit {
    case .suspends:
      var changes = Instant.distantFuture
      if let media, snapshot.wait == .nothing {
        let mark = scaled(media.nanoseconds, by: refillPercent, over: 100, rounding: .down)
        let above = snapshot.ahead - MediaTime(nanoseconds: mark)
        changes = snapshot.now + snapshot.rate.span(toPlay: max(.zero, above))
      }
      return FetchVerdict(.pause, clause, changesAt: changes)
    case .reopens(let span):
      if !isReading { return FetchVerdict(.pause, clause) }
      return FetchVerdict(.cancelAndReopen(at: snapshot.now + span), clause)
    }
  }
}

/// What a fetch rule answers.
package enum FetchAnswer: Hashable, Sendable {
  case read
  /// Nothing more is asked for.
  case pause
  /// What is under way is cancelled, and the rest asked for at an instant.
  case cancelAndReopen(at: Instant)
}

/// The clause of a fetch rule that decided.
package enum FetchClause: String, Hashable, Sendable, CaseIterable {
  case room
  case mediaLimit
  case byteLimit
  case everythingLoaded
  case decidedOutside
}

/// Whether more media is asked for.
package typealias FetchVerdict = Verdict<FetchAnswer, FetchClause>

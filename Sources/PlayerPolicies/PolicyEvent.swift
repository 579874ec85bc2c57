package import VirtualTime

/// What a policy is told of the requests for media.
///
/// Requests for playlists and keys are too small to say anything of the link, and are not told.
package enum TransferEvent: Hashable, Sendable {
  /// A request was made.
  case requested(RequestNumber, RenditionRole)
  /// Its first byte came.
  ///
  /// - trip: How long after it went out on its connection, where bytes come in packets; nil where
  ///   that is when it was made.
  /// - isHeld: Whether the server held the answer back until it had it, longer than a round trip.
  case responded(RequestNumber, trip: TimeSpan? = nil, isHeld: Bool = false)
  /// So many of its bytes have come by now.
  ///
  /// Whoever hears the ends of requests alone is told this of the others under way just before.
  case received(RequestNumber, bytes: Int64)
  /// Reading was suspended, as the buffer holds as much as it may.
  case suspended(RequestNumber)
  /// Reading goes on.
  case resumed(RequestNumber)
  /// It is over, with so many bytes.
  case ended(RequestNumber, bytes: Int64, RequestOutcome)
}

/// Which request: a number that the mechanism does not use twice in a run.
package struct RequestNumber: Hashable, Sendable {
  package var rawValue: Int64

  package init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// What a request is for.
package enum RenditionRole: Hashable, Sendable, CaseIterable {
  /// The file, or the segments that carry the picture.
  case main
  /// What is played beside it.
  case beside
}

/// How a request ended.
package enum RequestOutcome: Hashable, Sendable, CaseIterable {
  case completed
  /// Cancelled, as nobody needs it any more.
  case cancelled
  /// Given up for a lower variant.
  case abandoned
  case failed
}

/// How much of `TransferEvent` somebody wants to hear.
///
/// Nothing wakes for what nobody hears.
package enum Subscription: Hashable, Sendable {
  case nothing
  /// How requests begin and end.
  case ends
  /// Besides, what has come whenever that much time has passed and that many bytes have come.
  case progress(every: TimeSpan, bytes: Int64)
}

/// What a policy is told of the playhead.
package enum PlayheadEvent: Hashable, Sendable, CaseIterable {
  /// It began to move, or moves again.
  case moved
  /// Nothing was under it any more, or the policy stopped it.
  case ranDry
  /// It was put elsewhere by the app.
  case sought
}

package import VirtualTime

/// An event of a request for media, as reported to a policy.
///
/// Requests for playlists and keys are too small to say anything of the link, and are not told.
package enum TransferEvent: Hashable, Sendable {
  case requested(RequestNumber, RenditionRole)
  /// Its first byte came.
  ///
  /// - trip: Time since it went out on its connection, over tcp; nil if that is when it was made.
  /// - isHeld: Whether the server held the answer back until it had it, longer than a round trip.
  case responded(RequestNumber, trip: TimeSpan? = nil, isHeld: Bool = false)
  /// So many of its bytes have come by now.
  ///
  /// Whoever hears the ends of requests alone is told this of the others under way just before.
  case received(RequestNumber, bytes: Int64)
  /// Reading was suspended, as the buffer holds as much as it may.
  case suspended(RequestNumber)
  case resumed(RequestNumber)
  /// It is over, with so many bytes.
  case ended(RequestNumber, bytes: Int64, RequestOutcome)
}

/// The number of a request, which is not used twice in a run.
@usableFromInline package struct RequestNumber: Hashable, Sendable {
  package var rawValue: Int64

  @usableFromInline package init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }
}

package enum RenditionRole: Hashable, Sendable, CaseIterable {
  /// The file, or the segments that carry the picture.
  case main
  /// A separate rendition that is played beside the main one.
  case beside
}

package enum RequestOutcome: Hashable, Sendable, CaseIterable {
  case completed
  /// Cancelled, as nobody needs it any more.
  case cancelled
  /// Given up for a lower variant.
  case abandoned
  case failed
}

/// The selection of `TransferEvent`s that an estimator receives.
///
/// The simulator does not wake for events that no estimator receives.
package enum Subscription: Hashable, Sendable {
  case nothing
  /// The beginnings and the ends of requests.
  case ends
  /// Besides, what has come whenever that much time has passed and that many bytes have come.
  case progress(every: TimeSpan, bytes: Int64)
}

package enum PlayheadEvent: Hashable, Sendable, CaseIterable {
  /// It began to move, or moves again.
  case moved
  /// Nothing was under it any more, or the policy stopped it.
  case ranDry
  /// It was put elsewhere by the app.
  case sought
  /// The app called `pause()`, or `play()` once more.
  case asked
}

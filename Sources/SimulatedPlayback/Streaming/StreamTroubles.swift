package import LinkConditioner
public import VirtualTime

/// The retries of a request that broke, at growing intervals.
///
/// "Temporary errors" are answered by a retry (WWDC17 514); number and delay are our assumption.
public struct RetryPolicy: Hashable, Sendable {
  /// The number of retries in a row without progress; part of a head atom is none.
  public var attempts: Int32
  /// The wait before the first of them; each further wait is twice as long.
  public var backOff: TimeSpan
  public var longestBackOff: TimeSpan

  public init(
    attempts: Int32 = 3, backOff: TimeSpan = .seconds(1),
    longestBackOff: TimeSpan = .seconds(8)
  ) {
    self.attempts = attempts
    self.backOff = backOff
    self.longestBackOff = longestBackOff
  }

  public static let standard = RetryPolicy()

  /// Gives up at the first failure.
  public static let never = RetryPolicy(attempts: 0)

  /// The wait before an attempt, which are counted from 1.
  package func wait(before attempt: Int32) -> TimeSpan {
    var wait = max(.zero, backOff)
    for _ in 1..<max(2, min(attempt, 64)) where attempt > 1 && wait < longestBackOff {
      wait += wait
    }
    return min(wait, max(.zero, longestBackOff))
  }
}

/// A retry policy under way.
package struct RetryClock: Hashable, Sendable {
  let policy: RetryPolicy
  private var attempts: Int32 = 0
  /// The instant at which the next attempt is due; `distantFuture` while none is.
  package private(set) var due = Instant.distantFuture

  package init(_ policy: RetryPolicy) { self.policy = policy }

  /// Something arrived: the count begins anew.
  package mutating func progressed() { attempts = 0 }

  /// A request broke: when to try again, nil for not any more.
  package mutating func broke(at now: Instant) -> Instant? {
    if attempts >= policy.attempts { return nil }
    attempts += 1
    due = now + policy.wait(before: attempts)
    return due
  }

  /// The instant of the next attempt; `distantFuture` where none is to come.
  package func next(after now: Instant) -> Instant { due > now ? due : .distantFuture }

  /// Whether a request may be made.
  package mutating func allows(at now: Instant) -> Bool {
    if due == .distantFuture { return true }
    if now < due { return false }
    due = .distantFuture
    return true
  }
}

/// The reaction of a player to media that does not arrive; every number is our assumption.
public struct StreamErrorPolicy: Hashable, Sendable {
  /// A media file of which nothing comes for so long is given up; nil waits for ever.
  ///
  /// "Media file not received in 15 seconds" (WWDC18 502).
  package var mediaTimeout: TimeSpan? = .seconds(15)
  /// The wait before a variant that failed may be tried again: "after a given amount of time it
  /// will attempt to switch back up" (WWDC17 514). Each further time is twice as long.
  package var recoversAfter = TimeSpan.seconds(30)

  package init() {}
}

/// The remedy for media that did not arrive.
package enum StreamRemedy: Hashable {
  case retry(at: Instant)
  case variant(Int)
  case withoutSubtitles
  /// "Nothing viable": whatever is in the buffer is played out.
  case nothing
}

/// The lists of a presentation that failed, and the instants until which they are left alone.
///
/// Empty until a request fails, so that it costs nothing before.
package struct StreamTroubles {
  private struct Trouble {
    /// The number of failures in a row of its segments, and of its playlist, keys and sections.
    var strikes: (segments: Int32, needs: Int32) = (0, 0)
    /// The number of times that it was given up.
    var bars: Int32 = 0
    /// Not asked for anything before; a list that is given up is not played before either.
    var waitsUntil = Instant.zero
    var barredUntil = Instant.zero
  }

  /// By list; empty until something fails.
  private var troubles: [Trouble] = []
  /// The earliest instant at which a list may be asked again.
  package private(set) var nextTry = Instant.distantFuture
  /// The earliest instant at which a list may be played again.
  package private(set) var nextRelease = Instant.distantFuture
  /// The variant that was left, where no throughput rule would find back to it.
  package var leftVariant: Int?
  /// Whether the item has failed: nothing is tried any more.
  package var isOver = false

  package init() {}

  package var isEmpty: Bool { troubles.isEmpty }

  package func isWaiting(_ list: Int, at now: Instant) -> Bool {
    !troubles.isEmpty && troubles[list].waitsUntil > now
  }

  /// The lists that are left alone.
  package func barred(at now: Instant) -> [Int] {
    troubles.indices.filter { troubles[$0].barredUntil > now }
  }

  /// The next instant at which something is tried again.
  ///
  /// - Parameter hasFailed: Whether nothing can be asked for before a list may be played again.
  package func nextInstant(after now: Instant, hasFailed: Bool) -> Instant {
    if isOver { return .distantFuture }
    let release = hasFailed && nextRelease > now ? nextRelease : .distantFuture
    return min(nextTry > now ? nextTry : .distantFuture, release)
  }

  /// Counts one more failure of each list, and returns the most that one of them has.
  ///
  /// - Parameter isNeed: Whether it was of a playlist, a key or an initialization section.
  package mutating func strike(_ lists: [Int], of count: Int, isNeed: Bool = false) -> Int32 {
    if troubles.isEmpty { troubles = Array(repeating: Trouble(), count: count) }
    for list in lists {
      if isNeed { troubles[list].strikes.needs += 1 } else { troubles[list].strikes.segments += 1 }
    }
    return lists.reduce(0) { most, list in
      max(most, isNeed ? troubles[list].strikes.needs : troubles[list].strikes.segments)
    }
  }

  /// Leaves lists alone for a time that doubles; for good after so many times.
  package mutating func bar(_ lists: [Int], for span: TimeSpan, mostBars: Int32, at now: Instant) {
    for list in lists {
      let bars = troubles[list].bars
      let factor = Int64(1) << Int64(min(bars, 20))
      troubles[list].bars = bars + 1
      troubles[list].barredUntil = bars >= mostBars ? .distantFuture : now + span * factor
      troubles[list].strikes = (0, 0)
    }
    findNextRelease(after: now)
  }

  /// Something of a list came; with a segment it is as good as new.
  package mutating func came(_ list: Int, isSegment: Bool) {
    if troubles.isEmpty { return }
    troubles[list].strikes = (0, 0)
    if isSegment { troubles[list].bars = 0 }
  }

  /// Lets nothing wait for the retry of a segment that a live playhead has left.
  mutating func dropRetry(of track: StreamTrack) {
    guard track.hasLeftBroken, let broken = track.broken else { return }
    troubles[broken.list].waitsUntil = .zero
    track.broken = nil
  }

  package mutating func findNextTry(after now: Instant) {
    nextTry = troubles.map { $0.waitsUntil }.filter { $0 > now }.min() ?? .distantFuture
  }

  package mutating func findNextRelease(after now: Instant) {
    nextRelease = troubles.map { $0.barredUntil }.filter { $0 > now }.min() ?? .distantFuture
  }

  /// The remedy for lists of which a request failed.
  ///
  /// - Parameters:
  ///   - isNeed: Whether it was of a playlist, a key or an initialization section.
  ///   - areSubtitles: Whether playback goes on without them.
  ///   - alternative: The variant that can be played without them; nil where there is none.
  package mutating func remedy(
    for lists: [Int], _ reason: TransferFailure, by policy: RetryPolicy, of count: Int,
    isNeed: Bool = false, areSubtitles: Bool, at now: Instant, alternative: () -> Int?
  ) -> StreamRemedy {
    let strikes = strike(lists, of: count, isNeed: isNeed)
    let mayRetry = reason.isTemporary && strikes <= policy.attempts
    let again = now + policy.wait(before: strikes)
    // A connection that is lost says nothing of the variant.
    if mayRetry && (reason == .connectionReset || areSubtitles) { return retry(lists, at: again) }
    if areSubtitles { return .withoutSubtitles }
    // "AVPlayer will attempt switching and/or retry": switching first.
    if let other = alternative() { return .variant(other) }
    // "If there is nothing to switch to AVPlayer will retry for a reasonable amount of time before
    // giving up."
    return mayRetry ? retry(lists, at: again) : .nothing
  }

  private mutating func retry(_ lists: [Int], at instant: Instant) -> StreamRemedy {
    // A wait that was told of is not cut short.
    for list in lists { troubles[list].waitsUntil = max(troubles[list].waitsUntil, instant) }
    nextTry = min(nextTry, instant)
    return .retry(at: instant)
  }
}

extension TransferFailure {
  /// Whether it may be over the next time.
  ///
  /// "For permanent errors like 410 no retries will be attempted" (WWDC17 514); which ones are
  /// permanent follows RFC 7231 §6.5 and §6.6.
  var isTemporary: Bool {
    switch self {
    case .impossibleSize: false
    case .tooManyTransfers, .connectionReset, .timedOut: true
    case .httpStatus(let code):
      code == 404 || code == 408 || code == 429 || code >= 500 && code != 501 && code != 505
    }
  }
}

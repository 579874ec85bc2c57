import LinkConditioner
public import VirtualTime

/// The retries of a request that broke, at growing intervals.
///
/// "Temporary errors" are answered by a retry (WWDC17 514); how often and how late is our
/// assumption.
public struct RetryPolicy: Hashable, Sendable {
  /// The number of retries without a single further byte.
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

  /// Whether a request may be made.
  package mutating func allows(at now: Instant) -> Bool {
    if due == .distantFuture { return true }
    if now < due { return false }
    due = .distantFuture
    return true
  }
}

extension TransferFailure {
  /// Whether asking again could help.
  var isWorthRetrying: Bool {
    switch self {
    case .impossibleSize: false
    case .tooManyTransfers, .httpStatus, .connectionReset, .timedOut: true
    }
  }
}

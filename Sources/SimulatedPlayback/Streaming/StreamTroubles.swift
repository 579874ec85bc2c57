package import VirtualTime

/// What a player does about media that does not come; every number is our assumption.
public struct StreamErrorPolicy: Hashable, Sendable {
  /// A media file of which nothing comes for so long is given up; nil waits for ever.
  ///
  /// "Media file not received in 15 seconds" (WWDC18 502).
  package var mediaTimeout: TimeSpan?
  /// When a variant that failed may be tried again: "after a given amount of time it will attempt
  /// to switch back up" (WWDC17 514). Each further time is twice as long.
  package var recoversAfter: TimeSpan

  package init(
    mediaTimeout: TimeSpan? = .seconds(15), recoversAfter: TimeSpan = .seconds(30)
  ) {
    self.mediaTimeout = mediaTimeout
    self.recoversAfter = recoversAfter
  }
}

/// Which lists of a presentation do not come, and until when they are left alone.
///
/// Empty until something fails, so that nobody pays for it before.
struct StreamTroubles {
  private struct Trouble {
    /// How often in a row something of the list did not come.
    var strikes: Int32 = 0
    /// How often it was given up.
    var bars: Int32 = 0
    /// Not asked for anything before; a list that is given up is not played before either.
    var waitsUntil = Instant.zero
    var barredUntil = Instant.zero
  }

  /// By list; empty until something fails.
  private var troubles: [Trouble] = []
  /// The earliest instant at which a list may be asked again.
  private(set) var nextTry = Instant.distantFuture
  /// The earliest instant at which a list may be played again.
  private(set) var nextRelease = Instant.distantFuture
  /// The variants that lists in trouble are part of.
  var barredVariants: [Int] = []
  /// The variant that was left, where no throughput rule would find back to it.
  var leftVariant: Int?
  /// Whether the item has failed: nothing is tried any more.
  var isOver = false

  var isEmpty: Bool { troubles.isEmpty }

  /// Counts one more failure of each list, and returns the most that one of them has.
  mutating func strike(_ lists: [Int], of count: Int) -> Int32 {
    if troubles.isEmpty { troubles = Array(repeating: Trouble(), count: count) }
    for list in lists { troubles[list].strikes += 1 }
    return lists.reduce(0) { max($0, troubles[$1].strikes) }
  }

  mutating func wait(_ lists: [Int], until instant: Instant) {
    for list in lists { troubles[list].waitsUntil = instant }
    nextTry = min(nextTry, instant)
  }

  /// Leaves lists alone for a time that doubles; for good after so many times.
  mutating func bar(_ lists: [Int], for span: TimeSpan, mostBars: Int32, at now: Instant) {
    for list in lists {
      let bars = troubles[list].bars
      let factor = Int64(1) << Int64(min(bars, 20))
      let length = TimeSpan(
        nanoseconds: scaled(span.nanoseconds, by: factor, over: 1, rounding: .down))
      troubles[list].bars = bars + 1
      troubles[list].barredUntil = bars >= mostBars ? .distantFuture : now + length
      troubles[list].strikes = 0
    }
    findNextRelease(after: now)
  }

  func isWaiting(_ list: Int, at now: Instant) -> Bool {
    !troubles.isEmpty && troubles[list].waitsUntil > now
  }

  func isBarred(_ list: Int, at now: Instant) -> Bool {
    !troubles.isEmpty && troubles[list].barredUntil > now
  }

  /// Something of a list came; with a segment it is as good as new.
  mutating func came(_ list: Int, isSegment: Bool) {
    if troubles.isEmpty { return }
    troubles[list].strikes = 0
    if isSegment { troubles[list].bars = 0 }
  }

  mutating func findNextTry(after now: Instant) {
    nextTry = .distantFuture
    for trouble in troubles where trouble.waitsUntil > now {
      nextTry = min(nextTry, trouble.waitsUntil)
    }
  }

  mutating func findNextRelease(after now: Instant) {
    nextRelease = .distantFuture
    for trouble in troubles where trouble.barredUntil > now {
      nextRelease = min(nextRelease, trouble.barredUntil)
    }
  }
}

/// The media time at any instant: an anchor and a rate.
///
/// A position is computed from the anchor, never accumulated, so that it does not drift.
@usableFromInline package struct Timebase: Hashable, Sendable {
  /// An instant at which the position is known.
  @usableFromInline package private(set) var anchor: Instant
  @usableFromInline package private(set) var anchorTime: MediaTime
  /// The rate of the position, before the anchor as well as after it.
  @usableFromInline package private(set) var rate: PlaybackRate

  package init(at anchor: Instant = .zero, time: MediaTime = .zero, rate: PlaybackRate = .zero) {
    self.anchor = anchor
    self.anchorTime = time
    self.rate = rate
  }

  /// The media position at an instant, rounded down to a nanosecond.
  @inlinable
  package func time(at instant: Instant) -> MediaTime {
    rate.isZero ? anchorTime : anchorTime + rate.media(in: instant - anchor)
  }

  /// The first instant, from the anchor on, at which the position is at or past a media time.
  ///
  /// Never, where the media stands still before it.
  @inlinable
  package func instant(reaching time: MediaTime) -> Instant {
    if time <= anchorTime { return anchor }
    if rate.isZero { return .distantFuture }
    return anchor + rate.span(toPlay: time - anchorTime)
  }

  /// Moves the anchor: from `instant` on the media runs from `time` at `rate`.
  package mutating func set(time: MediaTime, rate: PlaybackRate, at instant: Instant) {
    anchor = instant
    anchorTime = time
    self.rate = rate
  }
}

import Autowait
import VirtualTime

/// The meeting point of a moving playhead and an arriving flow.
///
/// A byte that arrives at the instant at which it is due is in time, so the playhead may touch the
/// loaded edge without running dry. Both the due time and the arrival are straight between two
/// corners of the demand; only corners are compared, and exactly.
struct PlayheadProjection {
  var timebase: Timebase
  var now: Instant
  /// The loaded edge at `now`.
  var loadedEnd: MediaTime
  var end: MediaTime
  /// The line on which bytes come in; nil when none do.
  var arrival: ByteFlow?
  var demand: DemandCurve
  /// The end of the arriving transfer, in its own count.
  var lastByte: Int64

  /// A point of media: how far the playhead has to go to it, and how much later its bytes come.
  private struct Point {
    /// Media nanoseconds times the rate's denominator.
    var remaining: Int128
    /// Positive when the last byte before the point comes after the playhead.
    var lateness: ProductDifference
  }

  /// The first instant at which the playhead has nothing under it.
  func runsDry() -> Instant {
    if loadedEnd >= end || timebase.rate.isZero { return .distantFuture }
    guard let arrival, arrival.unitsPerNanosecond > 0 else {
      return timebase.instant(reaching: loadedEnd)
    }
    return firstInstant(late: true, arrival)
  }

  /// The first instant at which the playhead, which ran ahead, has something under it.
  func isCaughtUp() -> Instant {
    // Media already received counts while nothing more arrives, too.
    guard let arrival else { return .distantFuture }
    return firstInstant(late: false, arrival)
  }

  private func firstInstant(late wanted: Bool, _ arrival: ByteFlow) -> Instant {
    let line = arrival.anchored(at: now)
    let knots = demand.knots
    var index = demand.firstIndex(after: loadedEnd)
    if knots.isEmpty || index == knots.count { return .distantFuture }
    // Lateness is straight between two corners, so the corner already passed serves as well as
    // the place where the playhead is; what is not missing before the first corner is loaded.
    var previous = point(knots[max(1, index) - 1], line)
    if index == 0 {
      if previous.lateness.isPositive == wanted { return instant(previous.remaining) }
      index = 1
    }
    while index < knots.count {
      var knot = knots[index]
      index += 1
      if knot.time > end {
        knot = DemandCurve.Knot(time: end, bytes: demand.bytes(before: end))
      }
      // Media beyond this transfer arrives with a later one, and is checked then.
      if knot.bytes > lastByte { break }
      let next = point(knot, line)
      if next.lateness.isPositive == wanted {
        if previous.lateness.isPositive == wanted { return now }
        return instant(crossing(previous, next))
      }
      previous = next
      if knot.time >= end { break }
    }
    return .distantFuture
  }

  private func point(_ knot: DemandCurve.Knot, _ line: ByteFlow) -> Point {
    let missing = Int128(knot.bytes) * line.unitsPerByte - line.units
    let remaining =
      Int128((knot.time - timebase.anchorTime).nanoseconds) * Int128(timebase.rate.denominator)
      - Int128((now - timebase.anchor).nanoseconds) * Int128(timebase.rate.numerator)
    return Point(
      remaining: remaining,
      lateness: ProductDifference(
        missing, Int128(timebase.rate.numerator), minus: remaining, line.unitsPerNanosecond))
  }

  /// The distance to the point between two others at which lateness changes its sign.
  private func crossing(_ a: Point, _ b: Point) -> Int128 {
    let (before, after) = ProductDifference.proportion(a.lateness, b.lateness)
    // Of the way from one to the other, the share before ÷ (before + after); whole parts first,
    // so that no product outgrows its word.
    let parts = max(1, before + after)
    let (whole, rest) = (b.remaining - a.remaining).quotientAndRemainder(dividingBy: parts)
    return a.remaining + before * whole + quotient(before * rest, parts, rounding: .up)
  }

  /// The instant at which the playhead has covered that distance.
  private func instant(_ remaining: Int128) -> Instant {
    let span = quotient(remaining, Int128(timebase.rate.numerator), rounding: .up)
    return now + TimeSpan(nanoseconds: Int64(clamping: max(0, span)))
  }
}

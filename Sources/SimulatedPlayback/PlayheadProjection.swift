import Autowait
import VirtualTime

/// Where a moving playhead and an arriving flow will meet.
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
  /// How far the arriving transfer goes, in its own count.
  var lastByte: Int64

  /// A point of media: what is missing up to it, and how far the playhead has to go.
  private struct Point {
    /// Units of the flow.
    var missing: Int128
    /// Media nanoseconds times the rate's denominator.
    var remaining: Int128
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
    guard let arrival, arrival.unitsPerNanosecond > 0 else { return .distantFuture }
    return firstInstant(late: false, arrival)
  }

  private func firstInstant(late wanted: Bool, _ arrival: ByteFlow) -> Instant {
    let line = arrival.anchored(at: now)
    var previous = Point(missing: 0, remaining: remaining(to: loadedEnd))
    var index = demand.firstIndex(after: loadedEnd)
    while index < demand.knots.count {
      var knot = demand.knots[index]
      index += 1
      if knot.time > end {
        knot = DemandCurve.Knot(time: end, bytes: demand.bytes(before: end))
      }
      // What lies beyond this transfer comes with a later one, and is looked at then.
      if knot.bytes > lastByte { break }
      let point = Point(
        missing: Int128(knot.bytes) * line.unitsPerByte - line.units,
        remaining: remaining(to: knot.time))
      if isLate(point, line) == wanted {
        return now + crossing(previous, point, line)
      }
      previous = point
      if knot.time >= end { break }
    }
    return .distantFuture
  }

  private func remaining(to time: MediaTime) -> Int128 {
    Int128((time - timebase.anchorTime).nanoseconds) * Int128(timebase.rate.denominator)
      - Int128((now - timebase.anchor).nanoseconds) * Int128(timebase.rate.numerator)
  }

  private func isLate(_ point: Point, _ line: ByteFlow) -> Bool {
    isProduct(
      point.missing, Int128(timebase.rate.numerator),
      greaterThan: point.remaining, line.unitsPerNanosecond)
  }

  /// How long from now until the playhead is where lateness changes its sign between two points.
  private func crossing(_ a: Point, _ b: Point, _ line: ByteFlow) -> TimeSpan {
    let rate = Int128(timebase.rate.numerator)
    var lateA =
      saturatingProduct(a.missing, rate) - saturatingProduct(a.remaining, line.unitsPerNanosecond)
    var lateB =
      saturatingProduct(b.missing, rate) - saturatingProduct(b.remaining, line.unitsPerNanosecond)
    // Sixty bits of either are far more than a nanosecond asks for.
    while lateA.magnitude > 1 << 60 || lateB.magnitude > 1 << 60 {
      lateA >>= 1
      lateB >>= 1
    }
    var difference = lateB - lateA
    if difference == 0 { return TimeSpan(nanoseconds: 0) }
    var numerator = a.remaining * lateB - lateA * b.remaining
    if difference < 0 {
      difference = -difference
      numerator = -numerator
    }
    let span = quotient(numerator, difference * rate, rounding: .up)
    return TimeSpan(nanoseconds: Int64(clamping: max(0, span)))
  }
}

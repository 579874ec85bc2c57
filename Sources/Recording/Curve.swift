package import VirtualTime

/// The slopes from a point that keep a line within a bound of every later point.
struct SlopeRange: Hashable {
  private var (low, lowRun): (Int64, Int64) = (-1, 0)
  private var (high, highRun): (Int64, Int64) = (1, 0)

  func passes(between least: Int64, and most: Int64, after run: Int64) -> Bool {
    Int128(most) * Int128(lowRun) >= Int128(low) * Int128(run)
      && Int128(least) * Int128(highRun) <= Int128(high) * Int128(run)
  }

  /// Keeps the slopes that pass between two values after a run.
  mutating func narrow(between least: Int64, and most: Int64, after run: Int64) {
    if Int128(least) * Int128(lowRun) > Int128(low) * Int128(run) { (low, lowRun) = (least, run) }
    if Int128(most) * Int128(highRun) < Int128(high) * Int128(run) {
      (high, highRun) = (most, run)
    }
  }
}

/// Media time over run time: straight between its points, with a jump where two share an instant.
package struct Curve: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package var instant: Instant
    package var media: MediaTime

    package init(_ instant: Instant, _ media: MediaTime) {
      (self.instant, self.media) = (instant, media)
    }

    /// Nanoseconds of the run and of the media since an earlier point.
    func distance(from start: Point) -> (run: Int64, rise: Int64) {
      ((instant - start.instant).nanoseconds, (media - start.media).nanoseconds)
    }
  }

  package private(set) var points: [Point] = []
  /// Largest error in media nanoseconds; it doubles each time the curve has too many points.
  private var tolerance: Int64
  /// Whether the last point may still move along the line from the one before it.
  private var isOpen = false
  /// Slopes from the point before the last that keep every omitted point within the tolerance.
  private var door = SlopeRange()

  private static let mostPoints = 16_384

  package init(tolerance: Int64 = 100_000) { self.tolerance = tolerance }

  package mutating func add(_ media: MediaTime, at instant: Instant) {
    let new = Point(instant, media)
    guard let last = points.last else { return points.append(new) }
    assert(last.instant <= instant, "a curve is drawn in the order of time")
    if last.instant == instant { return jump(to: new) }
    if isOpen, case let (run, rise) = new.distance(from: points[points.count - 2]),
      door.passes(between: rise, and: rise, after: run)
    {
      points[points.count - 1] = new
    } else {
      door = SlopeRange()
      points.append(new)
      if points.count > Self.mostPoints {
        self = simplified(within: max(1, 2 * tolerance))
        return
      }
    }
    isOpen = true
    narrow(by: new)
  }

  private mutating func jump(to new: Point) {
    if (new.media - points[points.count - 1].media).nanoseconds.magnitude <= tolerance {
      // Packets and bytes make stairs: steps within the tolerance are a slope.
      points[points.count - 1] = new
      if isOpen { narrow(by: new) }
      return
    }
    if points.count > 1, points[points.count - 2].instant == new.instant { points.removeLast() }
    points.append(new)
    isOpen = false
  }

  private mutating func narrow(by new: Point) {
    let (run, rise) = new.distance(from: points[points.count - 2])
    let (least, most) = (saturatingSum(rise, -tolerance), saturatingSum(rise, tolerance))
    door.narrow(between: least, and: most, after: run)
  }

  /// The same curve with fewer points, none of it further off than so many media nanoseconds.
  package func simplified(within tolerance: Int64) -> Curve {
    var curve = Curve(tolerance: tolerance)
    for point in points { curve.add(point.media, at: point.instant) }
    return curve
  }

  /// The value at an instant; at a jump the value after it.
  package func value(at instant: Instant) -> MediaTime { points.value(at: instant) }
}

extension [Curve.Point] {
  /// The value at an instant, on the line between the points around it; at a jump that after it.
  package func value(at instant: Instant) -> MediaTime {
    let next = partitionPoint { $0.instant > instant }
    guard next > 0 else { return first?.media ?? .zero }
    let from = self[next - 1]
    guard next < count else { return from.media }
    let to = self[next]
    let passed = (instant - from.instant).nanoseconds
    let whole = (to.instant - from.instant).nanoseconds
    let change = scaled(
      (to.media - from.media).nanoseconds, by: passed, over: whole, rounding: .down)
    return from.media + MediaTime(nanoseconds: change)
  }
}

/// A stretch of a run over which the downlink has one rate.
package struct CapacitySpan: Hashable, Sendable {
  package var start: Instant
  package var end: Instant
  /// Bits per second; nil where unlimited.
  package var rate: Int64?

  package init(start: Instant, end: Instant, rate: Int64?) {
    (self.start, self.end, self.rate) = (start, end, rate)
  }
}

/// The rates of the downlink over a run.
package struct CapacityFold: Sendable {
  private var spans: [CapacitySpan] = []
  private var isWhole = true

  /// Whether no rate was recorded, as in an older trace.
  package var isEmpty: Bool { spans.isEmpty && isWhole }

  /// Nil where no rates were recorded, or not to the end of the run.
  package var result: [CapacitySpan]? { isWhole && !spans.isEmpty ? spans : nil }

  mutating func see(_ rate: LinkRate, at instant: Instant) {
    // A rate that was told ahead may not come about: an app changes the link before it.
    while let last = spans.last, last.start >= instant { spans.removeLast() }
    if let last = spans.indices.last { spans[last].end = instant }
    switch rate {
    case .limited(let bits):
      spans.append(CapacitySpan(start: instant, end: .distantFuture, rate: bits))
    case .unlimited: spans.append(CapacitySpan(start: instant, end: .distantFuture, rate: nil))
    case .unrecorded: isWhole = false
    }
  }

  /// Nanoseconds between two instants in which the link is not out.
  func open(from start: Instant, to end: Instant) -> Int64 {
    var open = (end - start).nanoseconds
    if !isWhole { return open }
    for span in spans where span.rate == 0 && span.start < end && span.end > start {
      open -= (min(span.end, end) - max(span.start, start)).nanoseconds
    }
    return open
  }

  mutating func finish(at now: Instant) {
    while let last = spans.last, last.start >= now, spans.count > 1 { spans.removeLast() }
    if let last = spans.indices.last { spans[last].end = now }
  }
}

extension [CapacitySpan] {
  /// Mean bits per second from one instant to another; nil where a part of that is unlimited.
  package func mean(from start: Instant, to end: Instant) -> Int64? {
    var bits = Int128(0)
    for span in self[partitionPoint { $0.end > start }...] where end > start {
      if span.start >= end { break }
      guard let rate = span.rate else { return nil }
      let length = Swift.min(span.end, end) - Swift.max(span.start, start)
      bits += Int128(rate) * Int128(length.nanoseconds)
    }
    return end > start ? Int64(bits / Int128((end - start).nanoseconds)) : 0
  }
}

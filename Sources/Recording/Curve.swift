package import VirtualTime

/// The slopes from a point that keep a line within a bound of every later point.
struct SlopeRange: Hashable {
  private var (low, lowRun): (Int64, Int64) = (-1, 0)
  private var (high, highRun): (Int64, Int64) = (1, 0)

  /// Whether a line of one of the slopes passes between two values after a run.
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
  }

  package private(set) var points: [Point] = []
  /// Largest error in media nanoseconds; it doubles each time the curve has too many points.
  private var tolerance: Int64
  /// Whether the last point may still move along the line from the one before it.
  private var isOpen = false
  /// Slopes from the point before the last that keep every omitted point within the tolerance.
  private var door = SlopeRange()

  private static let mostPoints = 16_384

  package init(tolerance: Int64 = 100_000) {
    self.tolerance = tolerance
  }

  package mutating func add(_ media: MediaTime, at instant: Instant) {
    let new = Point(instant, media)
    guard let last = points.last else { return points.append(new) }
    if last.instant > instant { return cut(media, at: instant) }
    if last.instant == instant { return jump(to: new) }
    if isOpen, holds(new) {
      points[points.count - 1] = new
    } else {
      door = SlopeRange()
      points.append(new)
      if points.count > Self.mostPoints { return coarsen() }
    }
    isOpen = true
    narrow(by: new)
  }

  private mutating func jump(to new: Point) {
    let step = (new.media - points[points.count - 1].media).nanoseconds
    if step.magnitude <= tolerance {
      // Packets and bytes make stairs: steps within the tolerance are a slope.
      points[points.count - 1] = new
      if isOpen { narrow(by: new) }
      return
    }
    if points.count > 1, points[points.count - 2].instant == new.instant { points.removeLast() }
    points.append(new)
    isOpen = false
  }

  /// Drops the points after an instant, and ends there.
  private mutating func cut(_ media: MediaTime, at instant: Instant) {
    while let last = points.last, last.instant > instant { points.removeLast() }
    isOpen = false
    add(media, at: instant)
  }

  private func holds(_ new: Point) -> Bool {
    let (run, rise) = distance(to: new)
    return door.passes(between: rise, and: rise, after: run)
  }

  private mutating func narrow(by new: Point) {
    let (run, rise) = distance(to: new)
    door.narrow(between: rise - tolerance, and: rise + tolerance, after: run)
  }

  /// Nanoseconds of the run and of the media since the point before the last.
  private func distance(to new: Point) -> (run: Int64, rise: Int64) {
    let from = points[points.count - 2]
    return ((new.instant - from.instant).nanoseconds, (new.media - from.media).nanoseconds)
  }

  private mutating func coarsen() {
    self = simplified(within: max(1, 2 * tolerance))
  }

  /// The same curve with fewer points, none of it further off than so many media nanoseconds.
  package func simplified(within tolerance: Int64) -> Curve {
    var curve = Curve(tolerance: tolerance)
    for point in points { curve.add(point.media, at: point.instant) }
    return curve
  }

  /// The value at an instant; at a jump the value after it.
  package func value(at instant: Instant) -> MediaTime {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return points.first?.media ?? .zero }
    let from = points[low - 1]
    guard low < points.count else { return from.media }
    let to = points[low]
    let passed = (instant - from.instant).nanoseconds
    let whole = (to.instant - from.instant).nanoseconds
    let change = scaled(
      (to.media - from.media).nanoseconds, by: passed, over: whole, rounding: .down)
    return from.media + MediaTime(nanoseconds: change)
  }
}

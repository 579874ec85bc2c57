package import PlayerPolicies
import VirtualTime

// The facts about the buffer that a policy sees, beside the length of the forward buffer.

extension BufferFacts {
  /// - Parameter wanted: The facts that the policy reads; the rest is left out.
  init(
    of loader: FileLoader, _ wanted: WantedFacts, _ place: BufferPlace,
    _ item: PlayerItem, at now: Instant
  ) {
    self.init(
      loading: loader.failure != nil
        ? .failed : loader.isHeld ? .full : loader.isLocal ? .idle : .underWay)
    if wanted.bytes { bytesAhead = loader.bytesAhead(of: place.position, at: now) }
    if wanted.limits {
      let rule = FileLead(loader: loader, item: item).rule
      (mediaLimit, byteLimit) = (rule.media, rule.bytes)
    }
  }

  init(of loader: StreamLoader, _ wanted: WantedFacts, _ place: BufferPlace) {
    self.init(loading: loader.failure != nil ? .failed : loader.isFull ? .full : .underWay)
    if wanted.bytes { bytesAhead = loader.tracks.bytesAhead(of: place.position) }
    if wanted.limits {
      (mediaLimit, byteLimit) = (loader.rule.media, loader.rule.bytes)
    }
    if wanted.tracks, let sound = loader.tracks.first(of: .audio) {
      pictureAhead = max(.zero, loader.tracks[0].end - place.position)
      soundAhead = max(.zero, sound.end - place.position)
    }
  }
}

/// The position of a playhead, and the end of the contiguous media that begins there.
struct BufferPlace {
  let position: MediaTime
  let loadedEnd: MediaTime

  init(of item: PlayerItem, _ loader: MediaLoader, at now: Instant) {
    position = item.time(at: now)
    loadedEnd = loader.loadedEnd(from: position, isMoving: item.isMoving, at: now)
  }
}

extension ItemSettings {
  /// A player's rule under the limits of the item: as much media as the app asks for, else as the
  /// player has it, and no more bytes than either allows.
  func limiting(_ rule: FetchRule) -> FetchRule {
    var rule = rule
    if preferredForwardBufferDuration > .zero { rule.media = preferredForwardBufferDuration }
    if let cap = bufferByteCap { rule.bytes = min(cap, rule.bytes ?? cap) }
    if preferredForwardBufferDuration > .zero || bufferByteCap != nil { rule.leastMedia = nil }
    return rule
  }

  package func readAhead(by fetch: FetchSeat) -> FetchRule {
    switch source {
    case .local, .progressive: limiting(fetch.ofFiles)
    case .stream(let settings): limiting(settings.fetchRule(fetch))
    }
  }
}

extension StreamSettings {
  /// The player's rule, with as much media as the stream's settings have in its place.
  func fetchRule(_ fetch: FetchSeat) -> FetchRule {
    var rule = fetch.ofStreams
    if let own = automaticForwardBuffer { (rule.media, rule.leastMedia) = (own, nil) }
    return rule
  }
}

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

/// `a × b − c × d`, whatever their size: how late something is, in units too small for one word.
struct ProductDifference {
  private var high: Int128
  private var low: UInt128

  init(_ a: Int128, _ b: Int128, minus c: Int128, _ d: Int128) {
    let (p, q) = (a.multipliedFullWidth(by: b), c.multipliedFullWidth(by: d))
    let (low, borrow) = p.low.subtractingReportingOverflow(q.low)
    self.low = low
    high = p.high &- q.high &- (borrow ? 1 : 0)
  }

  var isPositive: Bool { high > 0 || (high == 0 && low > 0) }

  /// The number of bits that the value needs beside its sign.
  private var width: Int {
    let bits = UInt128(bitPattern: high < 0 ? ~high : high)
    if bits != 0 { return 256 - bits.leadingZeroBitCount }
    return 128 - (high < 0 ? ~low : low).leadingZeroBitCount
  }

  private func shifted(by count: Int) -> Int128 {
    if count >= 128 { return high >> Int128(count - 128) }
    if count == 0 { return Int128(truncatingIfNeeded: low) }
    return Int128(truncatingIfNeeded: low >> UInt128(count)) | (high << Int128(128 - count))
  }

  /// The magnitudes of two differences in proportion, in sixty bits: far more than it takes to
  /// divide any span of time to the nanosecond.
  static func proportion(_ a: ProductDifference, _ b: ProductDifference) -> (Int128, Int128) {
    let count = max(0, max(a.width, b.width) - 60)
    let (p, q) = (a.shifted(by: count), b.shifted(by: count))
    return (p < 0 ? -p : p, q < 0 ? -q : q)
  }
}

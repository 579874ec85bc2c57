import VirtualTime

/// Bytes that arrived in the recent past, in sixteen stretches of equal length.
struct ThroughputWindow: Sendable {
  private static let stretches: Int64 = 16

  private let stretch: Int64
  private let shortest: Int64
  private var counts = SIMD16<Int64>(repeating: 0)
  /// The number of the stretch that was counted in last.
  private var current: Int64 = 0
  private var began: Instant?

  init(_ options: EstimateOptions) {
    stretch = max(1, options.window.nanoseconds / Self.stretches)
    shortest = max(1, options.shortest.nanoseconds)
  }

  /// Counts bytes; the first of them begin the time that is divided by.
  mutating func add(_ bytes: Int64, at now: Instant) {
    if began == nil { began = now }
    move(to: now)
    counts[Self.place(current)] += bytes
  }

  /// The whole bits per second of the recent past; nil before anything arrived.
  func rate(at now: Instant) -> BitRate? {
    guard let began else { return nil }
    var window = self
    window.move(to: now)
    let edge = max(0, (window.current - Self.stretches + 1) * stretch)
    let span = now.nanoseconds - max(edge, began.nanoseconds)
    let bits = window.counts.wrappedSum() * 8
    return BitRate(
      bitsPerSecond: scaled(bits, by: 1_000_000_000, over: max(span, shortest), rounding: .down))
  }

  /// The next shift of the window; until then, without arrivals, the rate only falls with time.
  func changes(after now: Instant) -> Instant {
    var window = self
    window.move(to: now)
    if window.counts.wrappedSum() == 0 { return .distantFuture }
    return Instant(nanoseconds: (window.current + 1) * stretch)
  }

  private mutating func move(to now: Instant) {
    let target = now.nanoseconds / stretch
    if target - current >= Self.stretches {
      counts = SIMD16(repeating: 0)
      current = target
    }
    while current < target {
      current += 1
      counts[Self.place(current)] = 0
    }
  }

  private static func place(_ stretch: Int64) -> Int {
    Int(truncatingIfNeeded: stretch % stretches)
  }
}

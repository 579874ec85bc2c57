/// The window of CUBIC in congestion avoidance (RFC 9438), in segments and 1,024ths of a second.
struct CubicWindow: Sendable {
  static let beta: Int64 = 717
  private static let scale: Int64 = 410
  /// The curve is evaluated anew at most this often while the window stands still.
  private static let interval: Int64 = 28_000_000

  /// Whether a congestion avoidance epoch is under way, and since when.
  private(set) var epoch: Int64?
  private var largestWindow: Int64 = 0
  private var origin: Int64 = 0
  private var inflection: Int64 = 0
  private var lastWindow: Int64 = 0
  private var lastTime: Int64 = .min / 2
  private var acknowledged: Int64 = 0
  private var renoWindow: Int64 = 0
  /// The number of acknowledged segments that open the window by one.
  private var perIncrement: Int64 = 0

  /// RFC 9438 §4.6: the window after a loss, and §4.7: fast convergence.
  mutating func reduced(from window: Int64) -> Int64 {
    epoch = nil
    largestWindow = window < largestWindow ? window * (1024 + Self.beta) / 2048 : window
    return max(window * Self.beta / 1024, 2)
  }

  /// The host sent nothing for a while: the curve stood still.
  mutating func pause(from last: Int64, to now: Int64) {
    guard let start = epoch, now > last else { return }
    epoch = min(start + (now - last), now)
  }

  mutating func segmentsPerIncrement(
    window: Int64, acknowledged count: Int64, minimumRoundTrip: Int64, at now: Int64
  ) -> Int64 {
    acknowledged += count
    if lastWindow == window, now - lastTime <= Self.interval, epoch != nil { return perIncrement }
    lastWindow = window
    lastTime = now
    let start = epoch ?? begin(window: window, acknowledged: count, at: now)
    let target = target(after: now - start + minimumRoundTrip)
    perIncrement = target > window ? window / (target - window) : 100 * window
    // Before the first loss nothing is known of the path: open by at least a twentieth.
    if largestWindow == 0 { perIncrement = min(perIncrement, 20) }
    keepUpWithReno(window)
    perIncrement = max(perIncrement, 2)
    return perIncrement
  }

  private mutating func begin(window: Int64, acknowledged count: Int64, at now: Int64) -> Int64 {
    epoch = now
    acknowledged = count
    renoWindow = window
    origin = max(window, largestWindow)
    // RFC 9438 §4.2, figure 2: K = cubic root of ((W_max − cwnd_epoch) ÷ C).
    inflection = cubeRoot((origin - window) * ((1 << 40) / Self.scale))
    return now
  }

  /// RFC 9438 §4.2, figure 1: W_cubic(t) = C × (t − K)³ + W_max.
  private func target(after span: Int64) -> Int64 {
    let time = span / 1_000 * 1024 / 1_000_000
    // Two minutes up the curve the window is beyond any link.
    let offset = min(max(time - inflection, -(1 << 17)), 1 << 17)
    let distance = offset < 0 ? -offset : offset
    let change = (Self.scale * distance * distance * distance) >> 40
    return offset < 0 ? origin - change : origin + change
  }

  /// RFC 9438 §4.3: never slower than Reno with the same reduction would be.
  private mutating func keepUpWithReno(_ window: Int64) {
    // 3 × (1 − beta) ÷ (1 + beta) = 8/15: Reno opens by one in 15/8 windows.
    let step = max(window * 15 / 8, 1)
    if acknowledged > step {
      let (count, rest) = acknowledged.quotientAndRemainder(dividingBy: step)
      // Exactly a whole number of steps keeps its last one for later.
      renoWindow += rest == 0 ? count - 1 : count
      acknowledged = rest == 0 ? step : rest
    }
    if renoWindow > window {
      perIncrement = min(perIncrement, window / (renoWindow - window))
    }
  }
}

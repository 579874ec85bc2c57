/// Whether the window is what holds the sender back (RFC 7661 §4.2).
struct WindowUse: Sendable {
  private(set) var isLimiting = false
  private var largestFlight: Int64 = 0
  private var roundEnd: Int64 = 0
  /// The most that was under way since the window was last the limit.
  private var used: Int64 = 0
  /// The last instant at which the window was the limit, or was changed.
  var lastLimited: Int64 = 0

  /// Hears what is under way after sending.
  mutating func hear(inFlight: Int64, isLimiting limits: Bool, acknowledged: Int64, next: Int64) {
    // The strongest sign of a round trip counts.
    if acknowledged >= roundEnd || limits || !isLimiting && inFlight > largestFlight {
      isLimiting = limits
      largestFlight = inFlight
      roundEnd = next
    }
    used = max(used, inFlight)
  }

  /// Whether growth is earned; slow start may reach twice what was used.
  func allowsGrowth(_ window: CongestionWindow) -> Bool {
    isLimiting || window.isInSlowStart && window.size < 2 * largestFlight
  }

  /// RFC 2861 §3.1: after a timeout's worth of time below the window it shrinks halfway to its use.
  mutating func validate(
    _ window: inout CongestionWindow, timeout: Int64, initial: Int64, mayShrink: Bool,
    at now: Int64
  ) {
    if allowsGrowth(window) {
      used = 0
      lastLimited = now
      return
    }
    guard now - lastLimited >= timeout, mayShrink else { return }
    let used = max(used, initial)
    if used < window.size {
      window.threshold = window.currentThreshold
      window.size = (window.size + used) >> 1
    }
    self.used = 0
    lastLimited = now
  }

  /// RFC 5681 §4.1, in steps: the window halves once for every timeout of idleness.
  mutating func restart(
    _ window: inout CongestionWindow, idle: Int64, timeout: Int64, initial: Int64, at now: Int64
  ) {
    var left = idle - timeout
    let floor = min(initial, window.size)
    window.threshold = window.currentThreshold
    while left > 0, window.size > floor {
      window.size >>= 1
      left -= timeout
    }
    window.size = max(window.size, floor)
    self = WindowUse()
    lastLimited = now
  }
}

import VirtualTime

/// What had come in by when, over the time in which something was coming in.
struct History: Sendable {
  private struct Entry {
    var active: TimeSpan
    var bytes: Int64
  }

  let rule: HistoryRule
  /// From the oldest on; those before `first` are forgotten.
  private var entries: [Entry] = []
  private var first = 0
  /// Bytes and time of active transfer since the beginning.
  private(set) var bytes: Int64 = 0
  private var counted = TimeSpan.zero
  private var busySince: Instant?
  private var isHeld = false
  /// The estimate as of the last look.
  private(set) var bitsPerSecond: Int64?
  /// When the past is looked at again although nothing came.
  private(set) var nextLook = Instant.distantFuture

  init(_ rule: HistoryRule) {
    self.rule = rule
  }

  /// How long something has been coming in.
  func active(at now: Instant) -> TimeSpan {
    busySince.map { counted + (now - $0) } ?? counted
  }

  mutating func begins(at now: Instant) {
    if busySince != nil { return }
    busySince = now
    if entries.isEmpty { entries.append(Entry(active: counted, bytes: bytes)) }
    plan(at: now)
  }

  /// Nothing is coming in any more.
  mutating func pauses(at now: Instant) {
    counted = active(at: now)
    busySince = nil
    nextLook = .distantFuture
  }

  mutating func add(_ count: Int64, at now: Instant) {
    if count <= 0 { return }
    bytes += count
    switch rule {
    case .sinceBeginning: look(at: now)
    case .leastMean(_, let every):
      if active(at: now) - (entries.last?.active ?? .zero) >= every { enter(at: now) }
    case .leastSince(let since):
      if bytes - (entries.last?.bytes ?? 0) >= since.leastBytes { enter(at: now) }
    }
  }

  /// Makes an entry of what has come by now, and looks at the past.
  mutating func enter(at now: Instant) {
    if isHeld { return plan(at: now) }
    forget(before: active(at: now))
    entries.append(Entry(active: active(at: now), bytes: bytes))
    look(at: now)
  }

  /// Makes no more entries, and takes back those of a hole: what was held back in it will count as
  /// if it had come all along.
  mutating func hold(since begin: Instant, at now: Instant) {
    isHeld = true
    let active = active(at: now) - (now - begin)
    while entries.count > first + 1, let last = entries.last, last.active > active {
      entries.removeLast()
    }
  }

  /// Makes entries again.
  mutating func goOn(at now: Instant) {
    isHeld = false
    enter(at: now)
  }

  private mutating func look(at now: Instant) {
    switch rule {
    case .sinceBeginning: bitsPerSecond = Estimate.rate(bytes, over: active(at: now))
    case .leastMean(let windows, _): bitsPerSecond = leastMean(over: windows, at: now)
    case .leastSince(let since): bitsPerSecond = leastSince(since, at: now)
    }
    plan(at: now)
  }

  private mutating func plan(at now: Instant) {
    guard case .leastMean(_, let every) = rule, busySince != nil else { return }
    // What has fallen to nothing falls no further.
    nextLook = bitsPerSecond == 0 ? .distantFuture : now + max(every, .milliseconds(1))
  }

  private func leastMean(over windows: [TimeSpan], at now: Instant) -> Int64? {
    let active = active(at: now)
    var least: Int64?
    for window in windows {
      let entry = entries[lastIndex(notAfter: active - window)]
      // A moment tells nothing.
      if active == entry.active { continue }
      let rate = Estimate.rate(bytes - entry.bytes, over: active - entry.active)
      least = min(least ?? rate, rate)
    }
    return least
  }

  private func leastSince(_ rule: HistoryRule.SinceRule, at now: Instant) -> Int64? {
    let count = entries.count - first
    if count < Int(rule.leastEntries) { return nil }
    let active = active(at: now)
    var least: Int64?
    for index in first..<first + max(0, min(Int(rule.oldest), count - Int(rule.newest))) {
      let rate = Estimate.rate(
        bytes - entries[index].bytes, over: active - entries[index].active)
      least = min(least ?? rate, rate)
    }
    return least
  }

  /// The last entry of a time or before it, or else the oldest.
  private func lastIndex(notAfter active: TimeSpan) -> Int {
    var (low, high) = (first, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].active <= active { low = middle + 1 } else { high = middle }
    }
    return max(first, low - 1)
  }

  /// Forgets what is older than anybody asks for.
  private mutating func forget(before active: TimeSpan) {
    switch rule {
    case .sinceBeginning: return
    case .leastMean(let windows, _):
      let longest = windows.max() ?? .zero
      // One entry must be as old as the window is long.
      while first + 1 < entries.count, entries[first + 1].active <= active - longest {
        first += 1
      }
    case .leastSince(let since):
      while first < entries.count, entries[first].active < active - since.window { first += 1 }
    }
    if first >= 64, first * 2 >= entries.count {
      entries.removeFirst(first)
      first = 0
    }
  }
}

import VirtualTime

/// Bytes received, and the time of active transfer in which they came.
struct History: Sendable {
  private struct Entry {
    var active: TimeSpan
    var bytes: Int64
  }

  let rule: HistoryRule
  /// From the oldest on; those before `first` are forgotten.
  private var entries: [Entry] = []
  private var first = 0
  /// Bytes and time of active transfer since the beginning, or since the first byte of the wait.
  private(set) var bytes: Int64 = 0
  private var counted = TimeSpan.zero
  private var busySince: Instant?
  /// Whether the next bytes are the first of a wait.
  private var awaitsFirstByte = false
  private(set) var bitsPerSecond: Int64?

  init(_ rule: HistoryRule) {
    self.rule = rule
  }

  func active(at now: Instant) -> TimeSpan {
    busySince.map { counted + (now - $0) } ?? counted
  }

  mutating func begins(at now: Instant) {
    if busySince != nil { return }
    busySince = now
    if entries.isEmpty { entries.append(Entry(active: counted, bytes: bytes)) }
  }

  /// Ends a stretch of active transfer.
  mutating func pauses(at now: Instant) {
    counted = active(at: now)
    busySince = nil
  }

  mutating func waits() {
    awaitsFirstByte = rule == .afterThirdOfWait && bytes > 0
  }

  mutating func add(_ count: Int64, at now: Instant) {
    if count <= 0 { return }
    // The first bytes of a wait were on their way before it.
    if awaitsFirstByte {
      (awaitsFirstByte, bytes, counted, busySince) = (false, 0, .zero, now)
      (entries, first) = ([Entry(active: .zero, bytes: 0)], 0)
      return
    }
    bytes += count
    switch rule {
    case .sinceBeginning, .afterThirdOfWait: look(at: now)
    case .leastSince(let since):
      if bytes - (entries.last?.bytes ?? 0) >= since.leastBytes { enter(at: now) }
    }
  }

  /// Makes an entry of the bytes received by now, and estimates the throughput anew.
  mutating func enter(at now: Instant) {
    if case .leastSince(let since) = rule {
      forget(before: active(at: now) - since.window, keeping: 0)
      entries.append(Entry(active: active(at: now), bytes: bytes))
    }
    look(at: now)
  }

  private mutating func look(at now: Instant) {
    switch rule {
    case .sinceBeginning: bitsPerSecond = Estimate.rate(bytes, over: active(at: now))
    case .afterThirdOfWait: bitsPerSecond = afterThird(at: now)
    case .leastSince(let since): bitsPerSecond = leastSince(since, at: now)
    }
  }

  private mutating func afterThird(at now: Instant) -> Int64? {
    guard let last = entries.last else { return nil }
    let active = active(at: now)
    // A hundred entries are enough, however long the wait.
    if (active - last.active).nanoseconds >= active.nanoseconds / 64 {
      entries.append(Entry(active: active, bytes: bytes))
    }
    forget(before: TimeSpan(nanoseconds: active.nanoseconds / 3), keeping: 1)
    return Estimate.rate(bytes - entries[first].bytes, over: active - entries[first].active)
  }

  private func leastSince(_ rule: HistoryRule.SinceRule, at now: Instant) -> Int64? {
    let count = entries.count - first
    if count < Int(rule.leastEntries) { return nil }
    let active = active(at: now)
    let looked = entries[first...].prefix(max(0, min(Int(rule.oldest), count - Int(rule.newest))))
    return looked.lazy.map { Estimate.rate(bytes - $0.bytes, over: active - $0.active) }.min()
  }

  private mutating func forget(before active: TimeSpan, keeping count: Int) {
    while first + count < entries.count, entries[first + count].active < active { first += 1 }
    if first >= 64, first * 2 >= entries.count {
      entries.removeFirst(first)
      first = 0
    }
  }
}

/// A ratio of integers, for arithmetic that shares nothing with the simulator's.
struct Fraction: Comparable {
  var top: Int128
  var bottom: Int128

  init(_ top: Int128, over bottom: Int128 = 1) {
    var (a, b) = (abs(top), bottom)
    while b != 0 { (a, b) = (b, a % b) }
    self.top = a == 0 ? 0 : top / a
    self.bottom = a == 0 ? 1 : bottom / a
  }

  static func + (a: Self, b: Self) -> Self {
    Self(a.top * b.bottom + b.top * a.bottom, over: a.bottom * b.bottom)
  }

  static func - (a: Self, b: Self) -> Self {
    Self(a.top * b.bottom - b.top * a.bottom, over: a.bottom * b.bottom)
  }

  static func * (a: Self, b: Self) -> Self { Self(a.top * b.top, over: a.bottom * b.bottom) }

  static func / (a: Self, b: Self) -> Self { Self(a.top * b.bottom, over: a.bottom * b.top) }

  static func < (a: Self, b: Self) -> Bool { a.top * b.bottom < b.top * a.bottom }

  /// The least whole number that is not below it; it is not negative.
  var roundedUp: Int128 { (top + bottom - 1) / bottom }
}

/// Downloads that share a bandwidth equally, each a round trip after it was asked for.
///
/// Written from the model's words alone: a byte takes its share of the bandwidth; the end of a
/// download is seen at the first whole nanosecond that is not before it; what is then asked for on
/// a link that has fallen idle is asked for at the real moment, so that no rounding adds up.
struct SharedPipe {
  /// In bits per nanosecond.
  let bandwidth: Fraction
  private var waiting: [(job: Int, opens: Int128, lead: Fraction, bits: Fraction)] = []
  private var flowing: [(job: Int, bits: Fraction)] = []
  private(set) var now: Int128 = 0
  private var clock = Fraction(0)
  /// How long before the present nanosecond the link really fell idle.
  private var idleLead = Fraction(0)

  init(bitsPerSecond: Int64) {
    bandwidth = Fraction(Int128(bitsPerSecond), over: 1_000_000_000)
  }

  mutating func ask(_ job: Int, bytes: Int64, roundTrip: Int64) {
    waiting.append((job, now + Int128(roundTrip), idleLead, Fraction(Int128(bytes) * 8)))
  }

  /// Goes to the next nanosecond at which downloads end, or to a limit; says which ended.
  mutating func next(notAfter limit: Int128) -> [Int] {
    while true {
      var instant = limit
      for entry in waiting { instant = min(instant, entry.opens) }
      for job in flowing { instant = min(instant, end(of: job.bits).roundedUp) }
      if instant > now { idleLead = Fraction(0) }
      now = instant
      let done = flow(to: Fraction(instant)) + open()
      if !done.isEmpty || instant == limit { return done }
    }
  }

  private func end(of bits: Fraction) -> Fraction {
    clock + bits * Fraction(Int128(flowing.count)) / bandwidth
  }

  /// Lets the bytes of all come in, the shares growing whenever one of them leaves.
  private mutating func flow(to instant: Fraction) -> [Int] {
    var done: [Int] = []
    while let least = flowing.map({ $0.bits }).min() {
      let ends = end(of: least)
      let stop = min(ends, instant)
      let share = (stop - clock) * bandwidth / Fraction(Int128(flowing.count))
      for index in flowing.indices { flowing[index].bits = flowing[index].bits - share }
      clock = stop
      if ends > instant { break }
      done += flowing.filter { $0.bits.top == 0 }.map { $0.job }
      flowing.removeAll { $0.bits.top == 0 }
      if flowing.isEmpty { idleLead = instant - ends }
    }
    clock = instant
    return done
  }

  /// Lets those begin whose first byte is due, and says which of them have none.
  private mutating func open() -> [Int] {
    let new = waiting.filter { $0.opens == now }
    waiting.removeAll { $0.opens == now }
    if new.isEmpty { return [] }
    let wasIdle = flowing.isEmpty
    let empty = new.filter { $0.bits.top == 0 }.map { $0.job }
    flowing += new.filter { $0.bits.top > 0 }.map { (job: $0.job, bits: $0.bits) }
    if wasIdle, !flowing.isEmpty, let lead = new.map({ $0.lead }).min() {
      let share = lead * bandwidth / Fraction(Int128(flowing.count))
      for index in flowing.indices { flowing[index].bits = flowing[index].bits - share }
    }
    return empty
  }
}

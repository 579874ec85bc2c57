import Recording
import SimulatedPlayback
import VirtualTime

/// The link as the requests of a session saw it: capacity where bytes arrived, and nothing of the
/// time between, in which the last rate is taken to hold.
struct ObservedLink: Sendable {
  struct Step: Sendable {
    var start: Instant
    /// In bit/s.
    var rate: Int64
    /// Time that an answer takes beyond the round trip.
    var latency = TimeSpan.zero
  }

  /// In order, the first at zero; empty where no request tells a rate.
  private(set) var steps: [Step] = []
  private(set) var roundTrip = TimeSpan.zero
  private(set) var lookup: TimeSpan?
  /// The time of opening a connection, and of its handshake; nil where none was seen.
  private(set) var connect: TimeSpan?
  private(set) var security: TimeSpan?
  /// Waits of a second and more in which nothing arrived.
  private(set) var outages = 0
  private(set) var knownTime = TimeSpan.zero

  /// That of entries of an access log: each has the rate of its transfers.
  init(_ entries: [AccessLogEvent]) {
    for entry in entries {
      guard let rate = entry.observedBitrate, rate > 0, rate != steps.last?.rate else { continue }
      let start = steps.isEmpty ? .zero : entry.playbackStartDate ?? .zero
      if steps.last?.start == start { steps.removeLast() }
      steps.append(Step(start: start, rate: rate))
    }
  }

  init(_ requests: [FieldRequest]) {
    let answered = requests.filter { $0.responded != nil }
    func middle(_ spans: [TimeSpan]) -> TimeSpan? {
      spans.isEmpty ? nil : spans.sorted()[spans.count / 2]
    }
    connect = middle(answered.compactMap { $0.steps.connect })
    security = middle(answered.compactMap { $0.steps.security })
    lookup = answered.compactMap { $0.steps.lookup }.max()
    let waits = answered.compactMap { $0.steps.response }.filter { $0 > .zero }.sorted()
    // The shortest wait, those aside that are far below the median: answers of caches on the way. A
    // connection opens in a round trip, while a server may think before it answers.
    let shortest = waits.first { $0 * 5 >= waits[(waits.count - 1) / 2] }
    roundTrip = [shortest, connect].compactMap { $0 }.min() ?? .zero
    let estimate = CapacityEstimate(Self.pieces(of: answered))
    knownTime = estimate.spans.reduce(.zero) { $0 + $1.length }
    steps = Self.merged(estimate.spans)
    if steps.isEmpty { return }
    steps[0].start = .zero
    for request in answered.sorted(by: { $0.started < $1.started }) { addWait(request, estimate) }
  }

  private static func pieces(of requests: [FieldRequest]) -> [CapacityEstimate.Span] {
    var pieces: [CapacityEstimate.Span] = []
    for request in requests {
      guard let start = request.responded, let end = request.ended, let bytes = request.bytes
      else { continue }
      // Bytes of the first packets tell no rate: less than 16 kB, each in less than 20 ns.
      // Those of an error have arrived, whenever that was.
      if bytes < 16_384, bytes * 20 > (end - start).nanoseconds || request.isRefused { continue }
      pieces += request.pieces.map {
        .init(start: $0.start, end: $0.end, amount: Int128($0.bytes) * 8_000)
      }
    }
    return pieces
  }

  /// Neighbours of one rate joined: what a nanosecond makes of a rate is no difference.
  private static func merged(_ spans: [CapacityEstimate.Span]) -> [Step] {
    var steps: [Step] = []
    var last: (rate: Int128, weight: Int128) = (0, 0)
    for span in spans {
      let weight = Int128(span.length.nanoseconds)
      let change = max(last.rate, span.amount) - min(last.rate, span.amount)
      if change * min(last.weight, weight) <= 4 * max(last.rate, span.amount), last.weight > 0 {
        let sum = last.weight + weight
        last = ((last.rate * last.weight + span.amount * weight) / sum, sum)
      } else {
        last = (span.amount, weight)
        steps.append(Step(start: span.start, rate: 0))
      }
      steps[steps.count - 1].rate = Int64(clamping: (last.rate + 500) / 1_000)
    }
    return steps
  }

  /// A longer wait for a connection or a first byte: an outage where it lasts a second and nothing
  /// else arrived, else time of the server. A log cannot tell the two apart.
  private mutating func addWait(_ request: FieldRequest, _ estimate: CapacityEstimate) {
    if let opening = request.steps.connect, opening - roundTrip >= .seconds(1) {
      let before = (request.steps.waiting ?? .zero) + (request.steps.lookup ?? .zero)
      let start = request.started + before
      outages += 1
      set(from: start + roundTrip, to: start + opening) { $0.rate = 0 }
    }
    guard let responded = request.responded, let wait = request.steps.response,
      wait > roundTrip + .microseconds(100)
    else { return }
    let excess = wait - roundTrip
    if excess >= .seconds(1), estimate.isIdle(from: responded - excess, to: responded) {
      outages += 1
      set(from: responded - excess, to: responded) { $0.rate = 0 }
    } else {
      set(from: responded - wait, to: responded) { $0.latency = excess }
    }
  }

  private mutating func set(from start: Instant, to end: Instant, _ change: (inout Step) -> Void) {
    let first = cut(at: start)
    for index in first..<max(first, cut(at: end)) { change(&steps[index]) }
  }

  private mutating func cut(at instant: Instant) -> Int {
    let next = steps.partitionPoint { $0.start >= instant }
    if next < steps.count, steps[next].start == instant { return next }
    guard next > 0 else { return 0 }
    var step = steps[next - 1]
    step.start = instant
    steps.insert(step, at: next)
    return next
  }
}

/// Rates over time that explain when each piece arrived, if pieces share them equally.
///
/// Pieces that overlap have many such rates: multiplicative updates (Richardson and Lucy) begin
/// with one rate for all and move as little as they must.
private struct CapacityEstimate {
  struct Span {
    var start: Instant
    var end: Instant
    /// Thousandths of a bit of a piece, and of a bit a second of a result.
    var amount: Int128

    var length: TimeSpan { end - start }
  }

  private(set) var spans: [Span] = []

  private static let mostRounds = 400
  /// Ratios have forty bits behind the point, and are a thousand at most.
  private static let one = Int128(1) << 40
  private static let mostRate = Int128(1_000_000_000_000_000_000)

  init(_ pieces: [Span]) {
    let marks = pieces.flatMap { [$0.start, $0.end] }.sorted()
    func place(_ instant: Instant) -> Int { marks.partitionPoint { $0 >= instant } }
    let ranges = pieces.map { place($0.start)..<place($0.end) }
    var active = Array(repeating: Int128(0), count: marks.count)
    for range in ranges {
      active[range.lowerBound] += 1
      active[range.upperBound] -= 1
    }
    for index in active.indices.dropFirst() { active[index] += active[index - 1] }
    let lengths = zip(marks, marks.dropFirst()).map { Int128(($1 - $0).nanoseconds) }
    let busy = lengths.indices.filter { active[$0] > 0 && lengths[$0] > 0 }
    let total = pieces.reduce(Int128(0)) { $0 + $1.amount } * 1_000_000_000
    let mean = total / max(1, busy.reduce(0) { $0 + lengths[$1] })
    var rates = Array(repeating: min(mean, Self.mostRate), count: lengths.count)
    for _ in 0..<Self.mostRounds {
      let (changes, isSettled) = Self.changes(rates, lengths, active, pieces, ranges)
      if isSettled { break }
      var ratio = Int128(0)
      for index in lengths.indices {
        ratio += changes[index]
        if active[index] == 0 { continue }
        rates[index] = min((rates[index] * (ratio / active[index])) >> 40, Self.mostRate)
      }
    }
    spans = busy.map { Span(start: marks[$0], end: marks[$0 + 1], amount: rates[$0]) }
  }

  /// Changes of the sum of the ratios by which pieces under way got too little or too much.
  private static func changes(
    _ rates: [Int128], _ lengths: [Int128], _ active: [Int128], _ pieces: [Span],
    _ ranges: [Range<Int>]
  ) -> (changes: [Int128], isSettled: Bool) {
    var sums: [Int128] = [0]
    for index in lengths.indices {
      let share = active[index] > 0 ? rates[index] * lengths[index] / active[index] : 0
      sums.append(sums[index] + share)
    }
    var (changes, worst) = (Array(repeating: Int128(0), count: sums.count), Int128(0))
    for (piece, range) in zip(pieces, ranges) {
      let predicted = sums[range.upperBound] - sums[range.lowerBound]
      let ratio = ((piece.amount * 1_000_000_000) << 40) / max(1, predicted)
      worst = max(worst, max(ratio, one) - min(ratio, one))
      changes[range.lowerBound] += min(ratio, one << 10)
      changes[range.upperBound] -= min(ratio, one << 10)
    }
    return (changes, worst <= one >> 30)
  }

  func isIdle(from start: Instant, to end: Instant) -> Bool {
    let next = spans.partitionPoint { $0.end > start }
    return next == spans.count || spans[next].start >= end
  }
}

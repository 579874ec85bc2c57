package import VirtualTime

/// Likely when, as things are going, every remaining byte comes before it is due.
///
/// "If you were to [start] playing now, you could keep on playing without stalling until you got
/// to the end" (WWDC16 503). With a safety factor *k* only a *k*-th of the throughput is counted
/// on.
package struct PlayThrough: Hashable, Sendable {
  package var safety: SafetyFactor
  /// What is said while nobody knows how much is to come.
  package var whenEndUnknown: Bool
  /// How far a start stays clear of what is only believed.
  package var margin: Margin
  /// How many more bytes than there are must come in time.
  package var beyondEnd: Int64
  /// Whether every byte of a file must come before it is due, or the last alone: as if each second
  /// of media took as many.
  package var everyByte: Bool

  /// How long before it is due every byte must be predicted, and for how long what is there of a
  /// file must last, so that playback may begin.
  ///
  /// Packets come in bursts, and behind a lost one nothing can be read for a round trip or more.
  /// Where the line itself is believed in, nothing of the kind is to be feared.
  package struct Margin: Hashable, Sendable {
    package var span: TimeSpan
    /// So many times the wait for the first byte comes on top.
    package var latencies: Int64
    /// No more than that comes on top for them.
    package var mostForLatencies: TimeSpan
    /// And so many percent of the wait so far: what took long to come is known less well.
    package var percentOfWait: Int64
    /// How many bytes are taken to stand in a full queue on the way: what it has no room for comes
    /// after them, which nobody sees before it happens. Half of them once it was seen, and a fifth
    /// of a segment at most.
    package var queue: Int64
    /// How many percent of the throughput are counted on once packets were seen to be lost by
    /// chance: the connection will slow down more and more.
    package var percentAfterLoss: Int64

    package init(
      span: TimeSpan, latencies: Int64, mostForLatencies: TimeSpan = .seconds(3),
      percentOfWait: Int64 = 0, queue: Int64 = 0, percentAfterLoss: Int64 = 100
    ) {
      self.span = span
      self.latencies = latencies
      self.mostForLatencies = mostForLatencies
      self.percentOfWait = percentOfWait
      self.queue = queue
      self.percentAfterLoss = percentAfterLoss
    }

    package static let none = Margin(span: .zero, latencies: 0, mostForLatencies: .zero)
  }

  package init(
    safety: SafetyFactor = .none, whenEndUnknown: Bool = false, margin: Margin = .none,
    everyByte: Bool = true, beyondEnd: Int64 = 0
  ) {
    self.beyondEnd = beyondEnd
    self.safety = safety
    self.whenEndUnknown = whenEndUnknown
    self.margin = margin
    self.everyByte = everyByte
  }

  func verdict(
    _ snapshot: Snapshot, _ estimate: Estimate, _ ladder: Ladder
  ) -> ReadinessVerdict {
    if estimate.showsLoss, margin.percentAfterLoss != 100, snapshot.wait != .nothing {
      return judged(snapshot, estimate.counted(on: margin.percentAfterLoss), ladder)
    }
    return judged(snapshot, estimate, ladder)
  }

  private func judged(
    _ snapshot: Snapshot, _ estimate: Estimate, _ ladder: Ladder
  ) -> ReadinessVerdict {
    var verdict: ReadinessVerdict
    switch snapshot.source {
    case .local, .progressive: verdict = ofFile(snapshot, estimate)
    case .segmented: verdict = ofStream(snapshot, estimate, ladder)
    }
    if !(estimate.isLine && snapshot.file?.flows == true) {
      var look = max(estimate.nextLook, snapshot.now)
      // Of a stream a belief gets no better by what does not come.
      if snapshot.source == .segmented, !verdict.answer, look != .distantFuture {
        look = max(look, snapshot.look(forBytes: 1, after: look - snapshot.now))
      }
      verdict.changesAt = min(verdict.changesAt, look)
    }
    return verdict
  }

  // MARK: Of a file

  private func ofFile(_ snapshot: Snapshot, _ estimate: Estimate) -> ReadinessVerdict {
    guard let file = snapshot.file, let line = file.line?.anchored(at: snapshot.now),
      let belief = estimate.continuing(line, flows: file.flows)
    else { return ReadinessVerdict(false, .noThroughput) }
    if snapshot.end == .distantFuture {
      if snapshot.ahead <= .zero {
        return ReadinessVerdict(false, .nothingLoaded, changesAt: snapshot.firstByte)
      }
      return ReadinessVerdict(whenEndUnknown, .endUnknown)
    }
    if belief.unitsPerNanosecond == 0 {
      return ReadinessVerdict(false, snapshot.ahead > .zero ? .someByteLate : .nothingLoaded)
    }
    let forecast = FileForecast(
      snapshot, belief, safety, everyByte: everyByte, beyondEnd: beyondEnd)
    let isExact = estimate.isLine && file.flows
    let margin = isExact ? .zero : margin(snapshot, estimate, queue: file.flows ? 0 : margin.queue)
    let wait = forecast.longestWait + margin - estimate.spanOwed
    if snapshot.ahead <= .zero {
      let ready = Drift(line, belief, nil).instant(undoing: max(wait, .zero), snapshot.now)
      return ReadinessVerdict(
        false, .nothingLoaded, changesAt: max(snapshot.firstByte, ready))
    }
    let drift = Drift(line, belief, snapshot.wait == .nothing ? safety : nil)
    let changes = drift.instant(undoing: wait, snapshot.now)
    if wait <= .zero {
      if margin > .zero, snapshot.rate.span(toPlay: snapshot.ahead) < margin {
        let mark = min(snapshot.playhead + snapshot.rate.media(in: margin), snapshot.end)
        return ReadinessVerdict(
          false, .belowThreshold, changesAt: snapshot.arrival(ofMediaBefore: mark))
      }
      return ReadinessVerdict(true, .everyByteInTime, changesAt: changes)
    }
    return ReadinessVerdict(false, .someByteLate, changesAt: changes)
  }

  private func margin(
    _ snapshot: Snapshot, _ estimate: Estimate, queue: Int64
  ) -> TimeSpan {
    // A player that plays says that it does not keep up when it does not, and not before.
    if snapshot.wait == .nothing { return .zero }
    let latencies = (estimate.latency ?? .zero) * margin.latencies
    let waited = max(.zero, snapshot.now - snapshot.waitBegan).nanoseconds
    let share = scaled(waited, by: margin.percentOfWait, over: 100, rounding: .up)
    // What a hole that is under way has taken of it is no longer to come.
    let rest = estimate.showsQueue ? queue / 2 : max(queue / 2, queue - estimate.owed)
    let queue = estimate.bitsPerSecond.map { Estimate.span(of: rest, at: $0) }
    return margin.span + min(latencies, margin.mostForLatencies)
      + TimeSpan(nanoseconds: share) + (queue ?? .zero)
  }

  // MARK: Of a stream

  /// "In most of the cases, player item buffers one segment before it notifies playback [likely]
  /// to keep up"; where the bandwidth falls short, "a few segments take longer to download. Thus,
  /// it takes longer to start" (WWDC18 502): then every remaining segment has to be predicted in
  /// time.
  private func ofStream(
    _ snapshot: Snapshot, _ estimate: Estimate, _ ladder: Ladder
  ) -> ReadinessVerdict {
    guard snapshot.ahead > .zero, (snapshot.stream?.wholeSegments ?? 0) > 0 else {
      return ReadinessVerdict(false, .noWholeSegment)
    }
    guard let throughput = estimate.bitsPerSecond, let variant = snapshot.stream?.variant else {
      return ReadinessVerdict(false, .noThroughput)
    }
    let sustains = safety.covers(
      ladder.rungs[variant].sustained, at: snapshot.rate, with: throughput)
    // Of a live stream there is no end that could be reached without a stall.
    if snapshot.stream?.goesOn == true || snapshot.end == .distantFuture {
      return ReadinessVerdict(sustains, sustains ? .throughputSustains : .throughputFallsShort)
    }
    guard let forecast = StreamForecast(snapshot, ladder, estimate, safety) else {
      return ReadinessVerdict(sustains, sustains ? .throughputSustains : .noThroughput)
    }
    let comesInPackets = snapshot.stream?.flows == false
    // Its forecast counts the wait for each segment's first byte by itself.
    let margin =
      comesInPackets
      ? margin(snapshot, estimate, queue: min(margin.queue, forecast.bytesOfNext / 5)) : .zero
    let wait = forecast.longestWait + margin
    if wait <= .zero {
      return ReadinessVerdict(true, sustains ? .throughputSustains : .everyByteInTime)
    }
    // While the playhead moves, what is due moves nearer as fast as what is missing.
    if snapshot.wait == .nothing { return ReadinessVerdict(false, .someByteLate) }
    return ReadinessVerdict(
      false, .someByteLate,
      changesAt: forecast.ends(comesInPackets ? spanOfWait(wait) : wait, snapshot))
  }

  /// How long until a wait is over of which a share is kept clear of, and so grows meanwhile.
  private func spanOfWait(_ wait: TimeSpan) -> TimeSpan {
    TimeSpan(
      nanoseconds: scaled(
        wait.nanoseconds, by: 100, over: max(1, 100 - margin.percentOfWait), rounding: .up))
  }
}

extension SafetyFactor {
  /// Whether a throughput is so many times what is needed at a rate, both in bit/s.
  func covers(_ needed: Int64, at rate: PlaybackRate, with throughput: Int64) -> Bool {
    // As nearly always: normal speed, and no margin.
    if rate == .normal, self == .none { return throughput >= needed }
    let asked = Int128(needed) * Int128(rate.numerator)
    let offered = Int128(throughput) * Int128(rate.denominator)
    return !isProduct(asked, Int128(numerator), greaterThan: offered, Int128(denominator))
  }
}

extension Estimate {
  /// The same with so many percent of the throughput.
  fileprivate func counted(on percent: Int64) -> Estimate {
    var estimate = self
    estimate.bitsPerSecond = bitsPerSecond.map {
      scaled($0, by: percent, over: 100, rounding: .down)
    }
    return estimate
  }

  /// How long what is held back would take to come.
  fileprivate var spanOwed: TimeSpan {
    if owed == 0 { return .zero }
    return bitsPerSecond.map { Self.span(of: owed, at: $0) } ?? .zero
  }

  /// How a line that is anchored at the present is believed to go on; nil where nothing is known.
  func continuing(_ line: ByteFlow, flows: Bool) -> ByteFlow? {
    if isLine && flows { return line }
    return bitsPerSecond.map { line.continued(at: .bitsPerSecond($0)) }
  }
}

/// How a predicted wait changes by itself, while bytes come in and the playhead moves or does not.
///
/// The wait is what is missing at the believed rate less a *k*-th of what is left to play: in a
/// span *t* it loses *t* times the true rate over the believed one, and grows by *t / k* if the
/// playhead moves.
struct Drift {
  /// Over `divisor`: how much of a wait is lost in a nanosecond.
  private let loss: Int128
  private let divisor: Int128

  /// - Parameter moves: The safety factor, where the playhead moves.
  init(_ line: ByteFlow, _ belief: ByteFlow, _ moves: SafetyFactor?) {
    // The two may count in units of different sizes.
    var comes = saturatingProduct(line.unitsPerNanosecond, belief.unitsPerByte / line.unitsPerByte)
    var believed = belief.unitsPerNanosecond
    if belief.unitsPerByte < line.unitsPerByte {
      comes = line.unitsPerNanosecond
      believed = saturatingProduct(believed, line.unitsPerByte / belief.unitsPerByte)
    }
    guard let moves else {
      (loss, divisor) = (comes, believed)
      return
    }
    loss =
      saturatingProduct(comes, Int128(moves.numerator))
      - saturatingProduct(believed, Int128(moves.denominator))
    divisor = saturatingProduct(believed, Int128(moves.numerator))
  }

  /// When a wait will be over, or if it is less than none, when there will be one; never where it
  /// changes the other way.
  func instant(undoing wait: TimeSpan, _ now: Instant) -> Instant {
    let (span, loss) =
      wait > .zero
      ? (Int128(wait.nanoseconds), loss) : (-Int128(wait.nanoseconds) + 1, -loss)
    if loss <= 0 { return .distantFuture }
    return now
      + TimeSpan(
        nanoseconds: Int64(
          clamping: quotient(saturatingProduct(span, divisor), loss, rounding: .up)))
  }
}

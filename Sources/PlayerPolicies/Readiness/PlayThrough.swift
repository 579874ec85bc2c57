package import VirtualTime

/// Likely when, as things are going, every remaining byte comes before it is due.
///
/// "If you were to [start] playing now, you could keep on playing without stalling until you got to
/// the end" (WWDC16 503). With a safety factor *k* only a *k*-th of the throughput is counted on.
package struct PlayThrough: Hashable, Sendable {
  package var safety = SafetyFactor.none
  /// The answer for a file while its end is unknown.
  package var whenEndUnknown = false
  /// The safety margin of a start against errors of the estimate.
  package var margin = Margin.none
  /// The number of bytes beyond those of the file that must also arrive in time.
  package var beyondEnd: Int64 = 0
  /// Whether every byte of a file must be in time or, as at a constant bit rate, the last alone.
  package var everyByte = true

  /// The safety margin of a start: the lead of every byte's predicted arrival over its due time,
  /// and the least duration of the media loaded of a file.
  ///
  /// Packets arrive in bursts, and head-of-line blocking behind a lost one lasts a round trip or
  /// more. An estimate by the line itself needs no margin.
  package struct Margin: Hashable, Sendable {
    package var span: TimeSpan
    /// And so many percent of the wait so far: what took long to arrive is known less well.
    package var percentOfWait: Int64

    package static let none = Margin(span: .zero, percentOfWait: 0)
  }

  package static let usual = PlayThrough(margin: .standard)

  func verdict(_ snapshot: Snapshot, _ estimate: Estimate, _ ladder: Ladder) -> ReadinessVerdict {
    snapshot.source == .segmented
      ? ofStream(snapshot, estimate, ladder) : ofFile(snapshot, estimate)
  }

  private func ofFile(_ snapshot: Snapshot, _ estimate: Estimate) -> ReadinessVerdict {
    guard let file = snapshot.file, let line = file.line?.anchored(at: snapshot.now),
      let belief = estimate.isLine && file.flows
        ? line : estimate.bitsPerSecond.map({ line.continued(at: .bitsPerSecond($0)) })
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
    let margin = estimate.isLine && file.flows ? .zero : margin(snapshot)
    let wait = longestWait(snapshot, file.demand, belief, estimate.latency ?? .zero) + margin
    if snapshot.ahead <= .zero {
      let ready = Drift(line, belief, nil).instant(undoing: max(wait, .zero), snapshot.now)
      return ReadinessVerdict(
        false, .nothingLoaded, changesAt: max(snapshot.firstByte, ready)
      ).late(by: wait)
    }
    let drift = Drift(line, belief, snapshot.wait == .nothing ? safety : nil)
    let changes = drift.instant(undoing: wait, snapshot.now)
    if wait <= .zero {
      if margin > .zero, snapshot.rate.span(toPlay: snapshot.ahead) < margin {
        let mark = min(snapshot.playhead + snapshot.rate.media(in: margin), snapshot.end)
        return snapshot.refusal(.belowThreshold, until: mark)
      }
      return ReadinessVerdict(true, .everyByteInTime, changesAt: changes)
    }
    return ReadinessVerdict(false, .someByteLate, changesAt: changes).late(by: wait)
  }

  /// The wait until a start at which no byte is late; not positive if none is needed.
  ///
  /// A byte that arrives in *a* from now and is due *d* after the start is in time when the start
  /// waits *a − d / k*. Between two corners of the demand both are straight lines, so only corners
  /// can be the latest.
  ///
  /// - Parameters:
  ///   - arrival: Predicted arrival of bytes, anchored at the present; they do come.
  ///   - latency: The wait of each further request for its first byte.
  private func longestWait(
    _ snapshot: Snapshot, _ demand: DemandCurve, _ arrival: ByteFlow, _ latency: TimeSpan
  ) -> TimeSpan {
    let (rate, end) = (snapshot.rate, snapshot.end)
    let rateTimesSafety = Int128(rate.numerator) * Int128(safety.numerator)
    let perRate = Int128(rate.denominator) * Int128(safety.denominator)
    let slope = arrival.unitsPerNanosecond
    let divisor = saturatingProduct(slope, rateTimesSafety)
    let dueFactor = saturatingProduct(slope, perRate)
    var longest = Int128(Int64.min)
    // A rule that takes bytes for evenly spread uses the corner at the end.
    let first =
      everyByte ? snapshot.loadedEnd : max(snapshot.loadedEnd, end - MediaTime(nanoseconds: 1))
    let index = demand.firstIndex(after: first)
    var requests = index > 0 ? demand.knots[index - 1].requests : 0
    for knot in demand.knots[index...] {
      // Playback may end before a corner.
      let time = min(knot.time, end)
      if time < end { requests = knot.requests }
      let bytes = knot.time <= end ? knot.bytes : demand.bytes(before: end)
      let wanted = Int128(bytes) + (time >= end ? Int128(beyondEnd) : 0)
      let missing = wanted * arrival.unitsPerByte - arrival.units
      let due = Int128((time - snapshot.playhead).nanoseconds)
      let late = saturatingProduct(missing, rateTimesSafety) - saturatingProduct(due, dueFactor)
      let waits = Int128(requests) * Int128(latency.nanoseconds)
      // The division is the expensive part: only a corner that is later than the latest has one.
      if late > saturatingProduct(longest - waits, divisor) {
        longest = quotient(late, divisor, rounding: .up) + waits
      }
      if time >= end { break }
    }
    return TimeSpan(nanoseconds: Int64(clamping: longest))
  }

  private func margin(_ snapshot: Snapshot) -> TimeSpan {
    // A player that plays says that it does not keep up when it does not, and not before.
    if snapshot.wait == .nothing { return .zero }
    let waited = max(.zero, snapshot.now - snapshot.waitBegan).nanoseconds
    let share = scaled(waited, by: margin.percentOfWait, over: 100, rounding: .up)
    return margin.span + TimeSpan(nanoseconds: share)
  }

  /// "In most of the cases, player item buffers one segment before it notifies playback [likely] to
  /// keep up"; where the bandwidth falls short, "a few segments take longer to download. Thus, it
  /// takes longer to start" (WWDC18 502): then every remaining segment has to be predicted in time.
  private func ofStream(
    _ snapshot: Snapshot, _ estimate: Estimate, _ ladder: Ladder
  ) -> ReadinessVerdict {
    guard snapshot.ahead > .zero, (snapshot.stream?.wholeSegments ?? 0) > 0 else {
      return ReadinessVerdict(false, .noWholeSegment)
    }
    guard let measured = estimate.bitsPerSecond, let variant = snapshot.stream?.variant else {
      return ReadinessVerdict(false, .noThroughput)
    }
    // While the playhead moves, what is due moves nearer as fast as what is missing. A start at the
    // first possible instant has no lead, and an estimate is rounded down twice, as a sample and as
    // a mean of samples: rounding does not end what began in time.
    let moves = snapshot.wait == .nothing
    var throughput = moves ? min(measured, .max - 2) + 2 : measured
    let needed = ladder.rungs[variant].sustained
    if let subtitles = snapshot.stream?.subtitleRate, subtitles > 0 {
      // The link's share left by the subtitles.
      throughput = scaled(throughput, by: needed, over: needed + subtitles, rounding: .down)
    }
    let sustains = safety.covers(needed, at: snapshot.rate, with: throughput)
    if snapshot.stream?.hasSlid == true { return ReadinessVerdict(false, .someByteLate) }
    // A live stream has no end to be reached without a stall: what is listed must come in time.
    let isLive = snapshot.stream?.goesOn == true || snapshot.end == .distantFuture
    if isLive, !sustains || snapshot.stream?.listedEnd == nil {
      return ReadinessVerdict(sustains, sustains ? .throughputSustains : .throughputFallsShort)
    }
    guard
      var forecast = StreamForecast(snapshot, ladder, throughput, estimate.latency, safety)
    else {
      return ReadinessVerdict(sustains, sustains ? .throughputSustains : .noThroughput)
    }
    // A margin would let a live start with one segment wait for the next.
    let comesInPackets = snapshot.stream?.flows == false && !isLive
    // Its forecast counts the wait for each segment's first byte by itself.
    let margin = comesInPackets ? margin(snapshot) : .zero
    let wait = forecast.longestWait(stopsLate: moves) + margin
    if wait <= .zero {
      return ReadinessVerdict(true, sustains ? .throughputSustains : .everyByteInTime)
    }
    if moves { return ReadinessVerdict(false, .someByteLate) }
    var span = wait
    if comesInPackets {
      // The margin is a share of the wait, and so grows meanwhile.
      let others = max(1, 100 - self.margin.percentOfWait)
      span = TimeSpan(nanoseconds: scaled(wait.nanoseconds, by: 100, over: others, rounding: .up))
    }
    return ReadinessVerdict(false, .someByteLate, changesAt: forecast.ends(span, snapshot))
      .late(by: wait)
  }
}

extension Verdict {
  fileprivate func late(by span: TimeSpan) -> Verdict {
    var verdict = self
    verdict.late = span > .zero ? span : nil
    return verdict
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

/// The change of a predicted wait by itself, while bytes arrive and the playhead moves or not.
///
/// The wait is the transfer time of the missing bytes at the estimated rate, less a *k*-th of the
/// playing time left: in a span *t* it loses *t* times the true rate over the estimated one, and
/// grows by *t / k* if the playhead moves.
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

  /// The end of a positive wait, or the instant at which a wait of zero or less becomes positive;
  /// `distantFuture` where it changes the other way.
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

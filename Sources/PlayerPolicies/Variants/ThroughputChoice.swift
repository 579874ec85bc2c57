package import VirtualTime

/// A rule that goes by the estimated throughput and the buffer.
///
/// Every default is our assumption for AVPlayer.
package struct ThroughputChoice: Hashable, Sendable {
  /// The share of the estimate that a variant may need, in percent.
  package var safetyPercent: Int64 = 80
  /// The multiple of its bit rate that a variant needs, in percent.
  package var neededPercent: Int64 = 100
  /// Going up waits until that much media is ahead, or the share of what can be ahead at all.
  package var upSwitchBuffer = MediaTime.seconds(10)
  /// The share in percent of the most media that can be ahead: the forward buffer, and of a live
  /// stream the distance to the edge. Nil for none.
  package var upSwitchShare: Int64? = 50
  /// Whether that share counts live alone, and is one of the distance to the edge less the segment
  /// asked for.
  package var upSwitchShareIsLive = false
  /// Going down waits while more media than that is ahead.
  package var downSwitchBuffer = MediaTime.seconds(25)
  /// Whether a variant is kept that the whole estimate sustains, though not the share of it.
  package var keepsSustained = true
  /// Whether the wait for the first byte of each segment counts: it leaves less of the throughput.
  package var countsRoundTrips = true
  /// Whether media that plays at twice its speed needs twice its bit rate.
  package var heedsRate = true

  package static let usual = ThroughputChoice()

  func choice(_ question: VariantQuestion, _ lowest: Int) -> VariantVerdict {
    guard let throughput = question.estimate.bitsPerSecond else {
      return VariantVerdict(.stay, .noThroughput)
    }
    let (rungs, current) = (question.ladder.rungs, question.current)
    let estimate = countsRoundTrips ? question.throughputBetweenRoundTrips(throughput) : throughput
    let rate = heedsRate ? question.rate : .normal
    let budget = rate.usable(safetyPercent, of: estimate, over: neededPercent)
    let best = question.eligible.highest(within: budget) ?? lowest
    if best == current { return VariantVerdict(.stay, .bestAlready) }
    if !question.eligible.contains(current) { return VariantVerdict(.take(best), .notEligible) }
    if rungs[best].bandwidth > rungs[current].bandwidth {
      if question.ahead < leastAhead(question) { return VariantVerdict(.stay, .bufferTooLow) }
      if countsRoundTrips, !question.isInTime(best) {
        return VariantVerdict(.stay, .firstSegmentLate)
      }
      return VariantVerdict(.take(best), .higherSustained)
    }
    // Going down is free of haste while the present variant is sustained, or much is ahead.
    if keepsSustained, rate.usable(100, of: estimate) >= rungs[current].sustained {
      return VariantVerdict(.stay, .stillSustained)
    }
    if question.ahead >= downSwitchBuffer { return VariantVerdict(.stay, .bufferHigh) }
    return VariantVerdict(.take(best), .lowerSustained)
  }

  /// The forward buffer that going up waits for.
  private func leastAhead(_ question: VariantQuestion) -> MediaTime {
    let next = question.partLength ?? question.ladder.meanLength ?? .zero
    let most =
      upSwitchShareIsLive
      ? question.liveOffset.map { max(.zero, $0 - next) } ?? .distantFuture
      : min(question.mediaLimit ?? .distantFuture, question.liveOffset ?? .distantFuture)
    guard let share = upSwitchShare, most < .distantFuture else { return upSwitchBuffer }
    let part = scaled(most.nanoseconds, by: share, over: 100, rounding: .down)
    return min(upSwitchBuffer, MediaTime(nanoseconds: part))
  }
}

extension VariantQuestion {
  /// The part of a throughput that is left if a segment of mean length must arrive while one plays,
  /// or the forward buffer where that is shorter, in bit/s.
  fileprivate func throughputBetweenRoundTrips(_ throughput: Int64) -> Int64 {
    guard let latency = estimate.latency, let length = ladder.meanLength, length > .zero else {
      return throughput
    }
    let played = played(min(length, mediaLimit ?? length))
    return scaled(
      throughput, by: max(0, played - latency.nanoseconds), over: max(1, self.played(length)),
      rounding: .down)
  }

  /// Whether the first segment, or part, of another variant comes before what is ahead is played:
  /// after its playlist, and at the estimated throughput.
  fileprivate func isInTime(_ rung: Int) -> Bool {
    guard let throughput = estimate.bitsPerSecond, let length = partLength ?? ladder.meanLength
    else { return true }
    let bytes = ladder.declaredBytes(of: rung, length)
    let needed = (estimate.latency ?? .zero) * 2 + Estimate.span(of: bytes, at: throughput)
    return needed.nanoseconds <= played(min(ahead, mediaLimit ?? ahead))
  }

  /// Nanoseconds that media plays for; paused playback is judged at normal speed.
  fileprivate func played(_ media: MediaTime) -> Int64 {
    (rate.isZero ? .normal : rate).span(toPlay: media).nanoseconds
  }
}

/// A rule that goes by the buffer alone: a map from what is ahead to a place on the ladder.
package struct BufferBasedRule: Hashable, Sendable {
  /// With less than that ahead, the lowest variant.
  package var reservoir = MediaTime.zero
  /// Buffer beyond the reservoir for the highest variant.
  package var cushion = MediaTime.zero

  package static let usual = BufferBasedRule()

  func choice(_ question: VariantQuestion) -> VariantVerdict {
    let ascending = question.eligible.ascending
    let over = (question.ahead - reservoir).nanoseconds
    if over < 0 { return question.taking(ascending[0], .reservoir) }
    if over >= cushion.nanoseconds {
      return question.taking(ascending[ascending.count - 1], .bufferFull)
    }
    let place = scaled(
      Int64(ascending.count - 1), by: over, over: cushion.nanoseconds, rounding: .down)
    return question.taking(ascending[Int(place)], .cushion)
  }
}

/// A rule that asks for more to go up than to stay, with a least time between two choices.
package struct BandRule: Hashable, Sendable {
  /// The share of the estimate that a higher variant may need, in percent.
  package var upPercent: Int64 = 85
  /// The share of the estimate that the present variant, or a lower one, may need, in percent.
  package var downPercent: Int64 = 95
  /// The least time from one choice to the next, whatever was chosen.
  package var leastBetweenSwitches = TimeSpan.seconds(8)
  /// The wait that is accepted where no variant comes before what is ahead is played, or the length
  /// of a segment where that is shorter; without it, and live, the time of fetching does not count.
  /// With it, two segments ahead are enough to go by the average bit rates and not the peaks.
  package var starvation: TimeSpan?

  package static let usual = BandRule()

  func choice(
    _ question: VariantQuestion, _ lowest: Int, _ chosen: inout (at: Instant, rung: Int)?
  ) -> VariantVerdict {
    guard let estimate = question.estimate.bitsPerSecond else {
      return VariantVerdict(.stay, .noThroughput)
    }
    var best = best(question, estimate) ?? lowest
    let allowed = chosen.map { $0.at + leastBetweenSwitches } ?? .zero
    let isOver = question.now >= allowed
    if !isOver, let chosen, question.eligible.contains(chosen.rung) {
      if chosen.rung == question.current {
        return VariantVerdict(.stay, .tooSoon, changesAt: allowed)
      }
      // A choice in the middle of a segment holds for the next one.
      best = chosen.rung
    }
    if isOver, question.estimate.isReliable { chosen = (question.now, best) }
    if best == question.current { return VariantVerdict(.stay, .bestAlready) }
    let rungs = question.ladder.rungs
    let isHigher = rungs[best].bandwidth > rungs[question.current].bandwidth
    return VariantVerdict(.take(best), isHigher ? .higherSustained : .lowerSustained)
  }

  /// The bit rate of a variant for which a segment is given up, where the estimate begins anew with
  /// it, as it would let the player go up again at once (abr-controller.ts, `resetEstimator`).
  func restart(_ question: AbandonQuestion, with rung: Int) -> Int64? {
    let rate = question.ladder.rungs[rung].bandwidth
    let estimate = question.estimate.bitsPerSecond ?? 0
    return scaled(estimate, by: upPercent, over: 100, rounding: .down) > rate ? rate : nil
  }

  private func best(_ question: VariantQuestion, _ estimate: Int64) -> Int? {
    guard let starvation, let length = question.ladder.meanLength else {
      return highest(question, estimate, in: nil)
    }
    let ahead = TimeSpan(nanoseconds: question.played(question.ahead))
    let needsPeak = ahead.nanoseconds < length.nanoseconds * 2
    let isLive = question.liveOffset != nil
    let wait = min(starvation, TimeSpan(nanoseconds: length.nanoseconds))
    return highest(question, estimate, needsPeak: needsPeak, in: isLive ? nil : (ahead, length))
      ?? highest(question, estimate, in: (ahead + wait, length))
  }

  /// The highest variant within the shares, whose segment comes within a time.
  private func highest(
    _ question: VariantQuestion, _ estimate: Int64, needsPeak: Bool = true,
    in time: (most: TimeSpan, length: MediaTime)?
  ) -> Int? {
    let rungs = question.ladder.rungs
    return question.eligible.ascending.last { rung in
      let isHigher = rungs[rung].bandwidth > rungs[question.current].bandwidth
      let usable = question.rate.usable(isHigher ? upPercent : downPercent, of: estimate)
      if (needsPeak ? rungs[rung].bandwidth : rungs[rung].sustained) > usable { return false }
      guard let time else { return true }
      let bytes = question.ladder.declaredBytes(of: rung, time.length)
      return (question.estimate.latency ?? .zero) + Estimate.span(of: bytes, at: max(1, usable))
        < time.most
    }
  }
}

extension PlaybackRate {
  /// The part of a throughput that a variant may need at that rate, rounded down to a bit per
  /// second: Media3 and Shaka divide by the rate.
  ///
  /// - Parameter percent: The share that the needed multiple of its bit rate, in percent, may have.
  func usable(_ percent: Int64, of throughput: Int64, over needs: Int64 = 100) -> Int64 {
    // A paused player needs no throughput, and is judged as at normal speed.
    let rate = isZero ? .normal : self
    return scaled(
      throughput, by: percent * Int64(rate.denominator), over: needs * Int64(rate.numerator),
      rounding: .down)
  }
}

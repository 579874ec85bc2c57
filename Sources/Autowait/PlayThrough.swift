import VirtualTime

/// Likely when, as things are going, every remaining byte comes before it is due.
///
/// "If you were to [start] playing now, you could keep on playing without stalling until you got
/// to the end" (WWDC16 503). With a safety factor *k* only a *k*-th of the throughput is counted
/// on. Between two corners of the demand both the arrival and the due time are straight lines, so
/// only corners can be the latest.
struct PlayThrough {
  var safety: SafetyFactor

  func verdict(on observation: KeepUpObservation) -> KeepUpVerdict {
    guard let arrival = observation.arrival else {
      return KeepUpVerdict(false, .noThroughput)
    }
    if arrival.unitsPerNanosecond == 0 {
      return KeepUpVerdict(
        false, observation.ahead > .zero ? .someByteLate : .nothingLoaded)
    }
    let wait = longestWait(observation, arrival.anchored(at: observation.now))
    if observation.ahead <= .zero {
      return KeepUpVerdict(
        false, .nothingLoaded, changesAt: max(observation.firstByte, observation.now + wait))
    }
    if wait <= .zero { return KeepUpVerdict(true, .everyByteInTime) }
    switch observation.purpose {
    case .start, .resume:
      return KeepUpVerdict(false, .someByteLate, changesAt: observation.now + wait)
    case .keepPlaying:
      return KeepUpVerdict(false, .someByteLate, changesAt: observation.now + catchUp(wait))
    }
  }

  /// When a playhead that moves will be far enough behind what arrives.
  ///
  /// What is due moves nearer as fast as what is missing, so nothing changes by itself, unless
  /// more than the needed throughput is asked for: in a span *t* the wait loses *t − t / k*.
  private func catchUp(_ wait: TimeSpan) -> TimeSpan {
    let excess = safety.numerator - safety.denominator
    if excess == 0 { return .forever }
    return TimeSpan(
      nanoseconds: scaled(wait.nanoseconds, by: safety.numerator, over: excess, rounding: .up))
  }

  /// How long a start must still wait so that no byte is late; not positive if it need not.
  ///
  /// A byte that arrives in *a* from now and is due *d* after the start is in time when the start
  /// waits *a − d / k*.
  private func longestWait(_ observation: KeepUpObservation, _ arrival: ByteFlow) -> TimeSpan {
    let rateTimesSafety = Int128(observation.rate.numerator) * Int128(safety.numerator)
    let perRate = Int128(observation.rate.denominator) * Int128(safety.denominator)
    let slope = arrival.unitsPerNanosecond
    let divisor = saturatingProduct(slope, rateTimesSafety)
    let dueFactor = saturatingProduct(slope, perRate)
    var longest = Int128(Int64.min)
    let knots = observation.demand.knots
    var index = observation.demand.firstIndex(after: observation.loadedEnd)
    while index < knots.count {
      let knot = corner(knots[index], observation)
      index += 1
      let missing = Int128(knot.bytes) * arrival.unitsPerByte - arrival.units
      let due = Int128((knot.time - observation.playhead).nanoseconds)
      let late = saturatingProduct(missing, rateTimesSafety) - saturatingProduct(due, dueFactor)
      // The division is the expensive part: only a corner that is later than the latest has one.
      if late > saturatingProduct(longest, divisor) {
        longest = quotient(late, divisor, rounding: .up)
      }
      if knot.time >= observation.end { break }
    }
    return TimeSpan(nanoseconds: Int64(clamping: longest))
  }

  /// A corner of the demand, or the point at which playback ends before it.
  private func corner(
    _ knot: DemandCurve.Knot, _ observation: KeepUpObservation
  ) -> DemandCurve.Knot {
    if knot.time <= observation.end { return knot }
    return DemandCurve.Knot(
      time: observation.end, bytes: observation.demand.bytes(before: observation.end))
  }
}

import VirtualTime

/// The predicted arrival of the missing bytes of a file, compared with the times they are due.
///
/// Between two corners of the demand both are straight lines, so only corners can be the latest.
struct FileForecast {
  // The few parts of a snapshot, which is large, that it looks at.
  private let playhead: MediaTime
  private let loadedEnd: MediaTime
  private let end: MediaTime
  private let rate: PlaybackRate
  private let demand: DemandCurve
  private let arrival: ByteFlow
  private let safety: SafetyFactor
  private let everyByte: Bool
  private let beyondEnd: Int64

  /// - Parameters:
  ///   - arrival: Predicted arrival of bytes, anchored at the present; they do come.
  ///   - beyondEnd: Bytes needed before the end, beyond the bytes there are.
  init(
    _ snapshot: Snapshot, _ arrival: ByteFlow, _ safety: SafetyFactor, everyByte: Bool,
    beyondEnd: Int64 = 0
  ) {
    self.beyondEnd = beyondEnd
    (playhead, loadedEnd, end) = (snapshot.playhead, snapshot.loadedEnd, snapshot.end)
    rate = snapshot.rate
    self.arrival = arrival
    self.safety = safety
    self.everyByte = everyByte
    demand = snapshot.file?.demand ?? .empty
  }

  /// The wait until a start at which no byte is late; not positive if none is needed.
  ///
  /// A byte that arrives in *a* from now and is due *d* after the start is in time when the start
  /// waits *a − d / k*.
  var longestWait: TimeSpan {
    let rateTimesSafety = Int128(rate.numerator) * Int128(safety.numerator)
    let perRate = Int128(rate.denominator) * Int128(safety.denominator)
    let slope = arrival.unitsPerNanosecond
    let divisor = saturatingProduct(slope, rateTimesSafety)
    let dueFactor = saturatingProduct(slope, perRate)
    var longest = Int128(Int64.min)
    let knots = demand.knots
    // A rule that takes bytes for evenly spread uses the corner at the end.
    let first = everyByte ? loadedEnd : max(loadedEnd, end - MediaTime(nanoseconds: 1))
    var index = demand.firstIndex(after: first)
    while index < knots.count {
      let knot = corner(knots[index])
      index += 1
      let wanted = Int128(knot.bytes) + (knot.time >= end ? Int128(beyondEnd) : 0)
      let missing = wanted * arrival.unitsPerByte - arrival.units
      let due = Int128((knot.time - playhead).nanoseconds)
      let late = saturatingProduct(missing, rateTimesSafety) - saturatingProduct(due, dueFactor)
      // The division is the expensive part: only a corner that is later than the latest has one.
      if late > saturatingProduct(longest, divisor) {
        longest = quotient(late, divisor, rounding: .up)
      }
      if knot.time >= end { break }
    }
    return TimeSpan(nanoseconds: Int64(clamping: longest))
  }

  /// A corner of the demand, or the point at which playback ends before it.
  private func corner(_ knot: DemandCurve.Knot) -> DemandCurve.Knot {
    if knot.time <= end { return knot }
    return DemandCurve.Knot(time: end, bytes: demand.bytes(before: end))
  }
}

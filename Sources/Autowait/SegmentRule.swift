import VirtualTime

/// Likely when a segment of every rendition is there and the throughput sustains the variant.
///
/// "In most of the cases, player item buffers one segment before it notifies playback [likely] to
/// keep up"; where the bandwidth falls short, "a few segments take longer to download. Thus, it
/// takes longer to start" (WWDC18 502): then every remaining segment has to be predicted in time.
struct SegmentRule {
  var safety: SafetyFactor

  func verdict(
    on observation: KeepUpObservation, _ stream: SegmentObservation
  ) -> KeepUpVerdict {
    if observation.ahead <= .zero || stream.wholeSegments < 1 {
      return KeepUpVerdict(false, .noWholeSegment)
    }
    guard let throughput = stream.throughput, let needed = stream.neededBitRate else {
      return KeepUpVerdict(false, .noThroughput)
    }
    if sustains(throughput, needed, at: observation.rate) {
      return KeepUpVerdict(true, .throughputSustains)
    }
    // Of a live stream there is no end that could be reached without a stall.
    if stream.goesOn { return KeepUpVerdict(false, .throughputFallsShort) }
    return PlayThrough(safety: safety).verdict(on: observation)
  }

  private func sustains(
    _ throughput: BitRate, _ needed: BitRate, at rate: PlaybackRate
  ) -> Bool {
    // As nearly always: whole rates at normal speed, and no margin.
    if throughput.denominator == needed.denominator, rate == .normal, safety == .none {
      return throughput.numerator >= needed.numerator
    }
    let offered =
      Int128(throughput.numerator) * Int128(needed.denominator)
      * Int128(rate.denominator)
    let asked =
      Int128(needed.numerator) * Int128(throughput.denominator) * Int128(rate.numerator)
    return !isProduct(
      asked, Int128(safety.numerator), greaterThan: offered, Int128(safety.denominator))
  }
}

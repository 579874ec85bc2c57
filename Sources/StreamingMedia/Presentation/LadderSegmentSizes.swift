import VirtualTime

extension LadderDescription {
  func segmentSizes(bitRate: Int64, stream name: String) -> [Int64] {
    switch sizes {
    case .constant:
      (0..<Int(segmentCount)).map { index in
        bytesOf(bitRate, until: end(of: index)) - bytesOf(bitRate, until: start(of: index))
      }
    case .variable(let seed, let peakPercent):
      variableSizes(
        total: bytesOf(bitRate, until: duration), bitRate: bitRate, peakPercent: peakPercent,
        stream: RandomStream(seed: seed, name: name))
    }
  }

  func start(of index: Int) -> MediaTime {
    MediaTime(nanoseconds: Int64(index) * segmentDuration.nanoseconds)
  }

  func end(of index: Int) -> MediaTime { min(start(of: index + 1), duration) }

  /// Sizes that differ from segment to segment, add up to the total and never pass the peak.
  ///
  /// Each segment draws a weight. What a weight asks for beyond the peak is poured into the others
  /// in proportion to the room that they have.
  private func variableSizes(
    total: Int64, bitRate: Int64, peakPercent: Int64, stream: RandomStream
  ) -> [Int64] {
    var stream = stream
    let lengths = (0..<Int(segmentCount)).map { (end(of: $0) - start(of: $0)).nanoseconds }
    let weights = lengths.map { length in
      // Microseconds and a weight of thousands: the products below stay within 128 bits.
      stream.next(in: 4_096 * 100 / peakPercent...4_096 * peakPercent / 100)
        * max(1, length / 1_000)
    }
    let wanted = shared(total, in: weights)
    let peaks = lengths.map { length in
      scaled(bitRate * peakPercent, by: length, over: 800_000_000_000, rounding: .up)
    }
    let kept = zip(wanted, peaks).map { min($0, $1) }
    let rooms = zip(kept, peaks).map { $1 - $0 }
    return zip(kept, shared(total - kept.reduce(0, +), in: rooms)).map { $0 + $1 }
  }

  /// Splits an amount in proportion to weights, to the byte.
  private func shared(_ amount: Int64, in weights: [Int64]) -> [Int64] {
    let sum = weights.reduce(Int128(0)) { $0 &+ Int128($1) }
    if sum == 0 { return weights }
    var (running, given): (Int128, Int64) = (0, 0)
    // Within the limits of a ladder, no product passes 128 bits.
    return weights.map { weight in
      running &+= Int128(weight)
      let due = Int64(clamping: quotient(Int128(amount) &* running, sum, rounding: .down))
      defer { given = due }
      return due - given
    }
  }
}

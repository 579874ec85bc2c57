import StreamingMedia
import VirtualTime

/// What the choice of the next variant looks at, worked out once for the constraints in force.
///
/// The verdict on a variant reads its codecs, its range and its size; asking for it anew at every
/// segment cost more than the rest of the segment.
struct VariantRungs {
  struct Rung {
    var bandwidth: Int64
    /// What it needs in the long run, its audio included.
    var sustained: BitRate
    var isEligible: Bool
  }

  /// In playlist order.
  let rungs: [Rung]
  /// The eligible one of the least bandwidth, the earlier one of equals.
  let lowest: Int?

  /// - Parameter barred: Variants that are left alone, whatever the constraints say.
  init(
    _ presentation: Presentation, under constraints: VariantConstraints, barring barred: [Int] = []
  ) {
    let verdicts = presentation.verdicts(under: constraints)
    let rungs = presentation.variants.indices.map {
      Rung(
        bandwidth: presentation.variants[$0].attributes.bandwidth,
        sustained: presentation.variants[$0].sustainedBitRate,
        isEligible: verdicts[$0].isEligible && !barred.contains($0))
    }
    var lowest: Int?
    for index in rungs.indices where rungs[index].isEligible {
      if lowest.map({ rungs[index].bandwidth < rungs[$0].bandwidth }) ?? true { lowest = index }
    }
    self.rungs = rungs
    self.lowest = lowest
  }

  subscript(variant: Int) -> Rung { rungs[variant] }

  /// The eligible one of the greatest bandwidth that a bit rate sustains, the earlier one of
  /// equals.
  ///
  /// - Parameter limit: Nothing that has this bandwidth or more.
  func highest(within budget: BitRate, below limit: Int64 = .max) -> Int? {
    var best: Int?
    for index in rungs.indices
    where rungs[index].isEligible && rungs[index].bandwidth < limit
      && rungs[index].sustained <= budget
    {
      if best.map({ rungs[index].bandwidth > rungs[$0].bandwidth }) ?? true { best = index }
    }
    return best
  }
}

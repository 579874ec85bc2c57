package import VirtualTime

/// Rule for the choice of the first variant.
public enum InitialVariantRule: Hashable, Sendable {
  /// The first eligible variant in playlist order: before iOS 13, and from iOS 14 on when
  /// `startsOnFirstEligibleVariant` asks for it.
  case firstEligible
  /// From iOS 13: "an initial variant that optimizes the startup experience"; no more is published.
  ///
  /// Our assumption: the highest eligible variant that a bit rate sustains at its peak, that which
  /// the previous playback observed or at the first playback 2 Mbit/s.
  case optimised
}

extension Presentation {
  /// The variant with the highest peak that is not above a bit rate; the earlier one of equals.
  package func highest(of candidates: [Int], sustainedBy rate: BitRate) -> Int? {
    candidates.filter { .bitsPerSecond(bandwidth($0)) <= rate }.max {
      bandwidth($0) < bandwidth($1) || bandwidth($0) == bandwidth($1) && $0 > $1
    }
  }

  /// Option A of the talk: the same with the variants sorted from the highest to the lowest.
  package func sortedFromHighest() -> Presentation {
    var sorted = self
    // The order of equals is kept, so that the result is the same everywhere.
    let order = variants.indices.sorted {
      bandwidth($0) > bandwidth($1) || bandwidth($0) == bandwidth($1) && $0 < $1
    }
    sorted.variants = order.map { variants[$0] }
    return sorted
  }

  /// Option B of the talk: the same with one variant first, the rest in their order.
  ///
  /// - Precondition: the variant exists.
  package func preferring(_ variant: Int) -> Presentation {
    var reordered = self
    reordered.variants.insert(reordered.variants.remove(at: variant), at: 0)
    return reordered
  }
}

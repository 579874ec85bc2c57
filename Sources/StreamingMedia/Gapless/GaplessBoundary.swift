/// The boundary between two streams that are played one after the other.
package struct GaplessBoundary: Hashable, Sendable {
  /// Audio transition from one variant of the first stream, if it is playing at the end.
  package struct Departure: Hashable, Sendable {
    /// Of the first stream.
    package var variant: Int
    /// The variants of the second with which the sound goes on, in playlist order.
    package var matches: [Int]
    /// The one of them that is played first; nil where there is none.
    package var continuation: Int?
    /// The continuation; without a match, the variant with the fewest differences.
    package var nearest: Int?
    /// Audio differences from `nearest`, whether they prevent the transition or not.
    package var differences: [AudioTrait]
  }

  /// For every variant of the first stream.
  package var departures: [Departure]

  package init(
    from first: Presentation, to second: Presentation, strictness: GaplessStrictness = .strict
  ) {
    let following = second.variants.indices.map { second.audioTraits(of: $0) }
    departures = first.variants.indices.map { variant in
      let traits = first.audioTraits(of: variant)
      let matches = following.indices.filter {
        traits.obstacles(to: following[$0], strictness).isEmpty
      }
      let continuation = second.mostSimilar(to: first.variants[variant], among: matches)
      let nearest =
        continuation
        ?? following.indices.min {
          Self.weight(traits, following[$0]) < Self.weight(traits, following[$1])
        }
      return Departure(
        variant: variant, matches: matches, continuation: continuation, nearest: nearest,
        differences: nearest.map { traits.differences(from: following[$0]) } ?? [])
    }
  }

  /// A trait that prevents weighs more than one that may inhibit.
  private static func weight(_ traits: AudioTraits, _ other: AudioTraits) -> Int {
    traits.differences(from: other).reduce(0) { $0 + ($1.mayInhibitOnly ? 1 : 10) }
  }
}

extension Presentation {
  // WWDC21 10142: the queue player "will, at least initially, select the similarly encoded
  // variant" of the next item, "even if network conditions now support a higher-quality tier".
  /// Of some variants the one that is encoded most like another stream's; nil of none.
  ///
  /// Our assumption for "similarly" beyond audio: the same picture size, else the nearest bit rate.
  package func mostSimilar(to other: Variant, among candidates: [Int]) -> Int? {
    let sameSize = candidates.filter {
      variants[$0].attributes.resolution == other.attributes.resolution
    }
    return (sameSize.isEmpty ? candidates : sameSize).min {
      distance(of: $0, to: other) < distance(of: $1, to: other)
    }
  }

  private func distance(of variant: Int, to other: Variant) -> Int64 {
    abs(variants[variant].attributes.bandwidth - other.attributes.bandwidth)
  }
}

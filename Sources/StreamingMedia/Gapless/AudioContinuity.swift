/// The sound that the next stream is to go on with: that of the variant that plays before it.
package struct AudioContinuity: Hashable, Sendable {
  package var traits: AudioTraits
  /// The variant played before; a variant with a similar encoding is preferred.
  package var variant: Variant
  package var strictness: GaplessStrictness

  package init(
    _ presentation: Presentation, variant: Int, language: String? = nil,
    strictness: GaplessStrictness = .strict
  ) {
    traits = presentation.audioTraits(of: variant, language: language)
    self.variant = presentation.variants[variant]
    self.strictness = strictness
  }
}

extension Presentation {
  // WWDC21 10142: "Servicing the gapless transition is a higher priority than choosing a high
  // quality"; without a match the player "is free to select the most appropriate initial variant".
  /// The variant with which the sound goes on, among those that may be played; nil where none does.
  package func continuation(
    of sound: AudioContinuity, under constraints: VariantConstraints, language: String? = nil
  ) -> Int? {
    let verdicts = verdicts(under: constraints)
    let matching = verdicts.indices.filter {
      let traits = audioTraits(of: $0, language: language)
      return verdicts[$0].isEligible && sound.traits.obstacles(to: traits, sound.strictness).isEmpty
    }
    return mostSimilar(to: sound.variant, among: matching)
  }
}

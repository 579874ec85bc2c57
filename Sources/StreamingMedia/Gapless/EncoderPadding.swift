package import VirtualTime

// WWDC21 10142: "adhere to CMAF authoring guidance", with an edit list for priming and remainder.
/// The samples that an encoder puts before the sound and after it, and whether anybody cuts them.
public struct EncoderPadding: Hashable, Sendable {
  /// Samples before the sound begins.
  package var priming: Int64
  /// Samples that fill up the last packet.
  package var remainder: Int64
  /// In samples a second.
  package var sampleRate: Int64
  /// Whether an edit list says which samples they are, so that they are cut.
  package var hasEditList: Bool

  package init(priming: Int64, remainder: Int64, sampleRate: Int64, hasEditList: Bool) {
    precondition(sampleRate > 0 && priming >= 0 && remainder >= 0)
    self.priming = priming
    self.remainder = remainder
    self.sampleRate = sampleRate
    self.hasEditList = hasEditList
  }

  /// The silence before the sound that is played.
  package var leadIn: MediaTime { hasEditList ? .zero : time(of: priming) }

  /// The silence after the sound that is played.
  package var leadOut: MediaTime { hasEditList ? .zero : time(of: remainder) }

  private func time(of samples: Int64) -> MediaTime {
    MediaTime(nanoseconds: scaled(samples, by: 1_000_000_000, over: sampleRate, rounding: .down))
  }

  /// The silence where one sound follows another; none where nothing is known of a side.
  package static func silence(between first: EncoderPadding?, and second: EncoderPadding?)
    -> MediaTime
  {
    (first?.leadOut ?? .zero) + (second?.leadIn ?? .zero)
  }
}

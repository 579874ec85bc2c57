package import ExactText
package import VirtualTime

/// The first player's interstitial, played by another, with AVPlayerInterstitialEvent's settings.
package struct InterstitialPlan: Hashable, Sendable {
  /// The position in the first player's item at which it begins: `time`.
  package var time: MediaTime
  /// In which of its items, by name; nil for the first that gets there.
  package var item: String?
  /// The distance ahead of `time` at which its media begins to load.
  package var preload = MediaTime.zero
  /// The position at which the first player goes on, from where it was held up.
  package var resumption = Resumption.offset(.zero)
  /// The longest part of it that is played; nil for all.
  package var playoutLimit: MediaTime?
  package var position: TextPosition

  /// `resumptionOffset`.
  package enum Resumption: Hashable, Sendable {
    case offset(MediaTime)
    /// By as much as the interstitial took: what a live stream needs, and Apple's default.
    case asLongAsItTook
  }
}

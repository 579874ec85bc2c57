package import ExactText
package import VirtualTime

/// When a further player plays an interstitial of the first one's, as AVPlayerInterstitialEvent has
/// it.
package struct InterstitialPlan: Hashable, Sendable {
  /// Where in the first player's item it begins: `time`.
  package var time: MediaTime
  /// In which of its items, by name; nil for the first that gets there.
  package var item: String?
  /// How far ahead its media begins to load.
  package var preload = MediaTime.zero
  /// Where the first player goes on, from where it was held up.
  package var resumption = Resumption.offset(.zero)
  /// How much of it is played at most; nil for all.
  package var playoutLimit: MediaTime?
  /// Where it stands in the file.
  package var position: TextPosition

  /// `resumptionOffset`.
  package enum Resumption: Hashable, Sendable {
    case offset(MediaTime)
    /// By as much as the interstitial took: what a live stream needs, and Apple's default.
    case asLongAsItTook
  }
}

package import Autowait
import LinkConditioner
package import VirtualTime

// What holds a player up from outside: an interstitial, or somebody who watches the same.

extension PlayerCore {
  /// Holds the player up, or lets it go on.
  ///
  /// The app's rate stays what it is; what is loaded goes on being loaded.
  package func setSuspended(
    _ isSuspended: Bool, by suspension: Suspension, at now: Instant, on stage: inout Stage
  ) throws(PlayerError) {
    if !settings.contract.knowsSuspensions { throw .unknownToSDK }
    if settings.without.contains(Behaviour(suspension)) { return }
    begin(at: now)
    let event =
      isSuspended
      ? PlaybackEvent.suspensionBegan(suspension) : .suspensionEnded(suspension)
    tell(.suspension(event), at: now, on: &stage)
  }
}

extension Behaviour {
  fileprivate init(_ suspension: Suspension) {
    switch suspension {
    case .interstitialEvent: self = .interstitialSuspension
    case .coordinatedPlayback: self = .coordinatedSuspension
    }
  }
}

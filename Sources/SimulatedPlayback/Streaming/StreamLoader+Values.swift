import LinkConditioner
import VirtualTime

// What an asset of a stream loads before an item of it is current.

extension StreamLoader {
  /// Fetches the multivariant playlist, and the keys it announces where they are wanted early.
  ///
  /// "With these techniques … master playlist and the content keys downloaded, while we're still on
  /// the title card" (WWDC16 503): variant playlists and segments wait for the item.
  func loadValues(at now: Instant, on stage: inout Stage) {
    if failure != nil || !asset.retry.allows(at: now) || without.contains(.speculativeLoading) {
      return
    }
    guard isMasterThere(at: now, on: &stage) else { return }
    if settings.preloadsKeys { requestSessionKeys(at: now, on: &stage) }
  }

  func isLoadingValues(by id: TransferID) -> Bool {
    asset.resources.resource(by: id) != nil
  }

  /// Takes over what has been decided since the asset was made.
  func adopt(_ new: StreamSettings) {
    settings = new.without(without)
  }
}

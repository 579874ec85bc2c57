package import SimulatedPlayback
package import VirtualTime

// Where a player stands, for those who direct several.

extension SimulatedPlayer {
  package var item: SimulatedPlayerItem? { currentItem }

  package var place: MediaTime { currentTime() }

  /// Calls back when the playhead has come to a place.
  package func at(_ place: MediaTime, _ action: @escaping () -> Void) {
    world.when(.currentTime(place), of: self, action)
  }
}

extension PlayerItem {
  /// Where its playback begins.
  package var beginning: MediaTime { settings.beginning }
}

extension PlaybackObservation {
  /// Whether there is an item now, where another became current or none did.
  package var isItemThere: Bool? {
    if case .currentItem(let isPresent) = self { isPresent } else { nil }
  }
}

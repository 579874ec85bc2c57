import SimulatedPlayback
import VirtualTime

/// Looping as one would first write it: when the end is reached, rewind.
///
/// "Set up a listener for the notification that fires when playback has reached the end. And when
/// you get called, seek back to the beginning and start again" (WWDC16 503). Each time round there
/// is a gap: the notification has to come, the calls have to go back, and the pipeline is empty.
package final class RewindLoop {
  package let player: SimulatedPlayer
  package private(set) var rewindCount: Int64 = 0
  private var observation: ObservationToken?

  /// Listens for the end of the player's item.
  package init(_ player: SimulatedPlayer) {
    self.player = player
    player.currentItem?.goesRound = true
    observation = player.observe { [self] record in
      if case .playedToEnd = record.observation { ended() }
      if case .currentItem = record.observation { player.currentItem?.goesRound = true }
    }
  }

  /// Listens no more: what plays is the last time.
  package func stop() { player.end(&observation) }

  private func ended() {
    let latency = player.core.latency
    player.world.later(by: latency.notification + latency.command) { [self] in
      if observation == nil { return }
      rewindCount += 1
      // To where the item began, which is the talk's zero unless it was given a start.
      let start = player.currentItem?.settings.startTime ?? .zero
      if (try? player.seek(to: start)) != nil { player.play() }
    }
  }
}

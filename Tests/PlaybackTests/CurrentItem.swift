import SimulatedPlayback
import SimulatedWorld
import VirtualTime

extension SimulatedPlayer {
  /// The forward buffer preferred for the current item; zero leaves it to the player.
  var preferredForwardBufferDuration: MediaTime {
    get { currentItem?.settings.preferredForwardBufferDuration ?? .zero }
    set { changeCurrent { $0.preferredForwardBufferDuration = newValue } }
  }

  /// The end position of the current item's playback; nil for its duration.
  var forwardPlaybackEndTime: MediaTime? {
    get { currentItem?.settings.forwardPlaybackEndTime }
    set { changeCurrent { $0.forwardPlaybackEndTime = newValue } }
  }
}

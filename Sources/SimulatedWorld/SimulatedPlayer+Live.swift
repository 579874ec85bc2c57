import SimulatedPlayback
public import VirtualTime

// Playing live: without effect on a stream or a file that is all there.

extension SimulatedPlayer {
  /// Whether the distance from the live edge is restored after buffering.
  public var automaticallyPreservesTimeOffsetFromLive: Bool {
    get { currentItem?.settings.live.preservesOffset ?? false }
    set { setLivePreferences { $0.preservesOffset = newValue } }
  }

  /// How far from the live edge playback begins; nil leaves it to the server.
  public var configuredTimeOffsetFromLive: MediaTime? {
    get { currentItem?.settings.live.configuredOffset }
    set { setLivePreferences { $0.configuredOffset = newValue } }
  }

  /// What the server recommends, and what would have outlasted the longest stall; nil where nothing
  /// is live.
  public var recommendedTimeOffsetFromLive: MediaTime? {
    currentItem?.recommendedTimeOffsetFromLive
  }

  /// Whether a live stream is kept up with while it is paused.
  public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
    get {
      currentItem?.settings.live.usesNetworkWhilePaused
        ?? core.settings.contract.usesNetworkWhilePaused
    }
    set { setLivePreferences { $0.usesNetworkWhilePaused = newValue } }
  }

  /// How long the current item is; nil while nobody has said where a live stream ends.
  public var duration: MediaTime? { currentItem?.knownDuration }

  /// Where a seek may go.
  public var seekableTimeRanges: [Range<MediaTime>] { currentItem?.seekableTimeRanges ?? [] }

  /// How far the playhead is behind what is being encoded; nil where nothing is live.
  public var timeOffsetFromLive: MediaTime? { currentItem?.timeOffsetFromLive(at: world.now) }

  /// Seeks to where a live stream would begin now: what a seek to positive infinity does.
  public func seekToLive() {
    core.seekToLive(at: world.now, on: &world.stage)
    world.afterwards()
  }

  private func setLivePreferences(_ change: (inout LivePreferences) -> Void) {
    changeCurrent { change(&$0.live) }
  }
}

import SimulatedWorld
import StreamingMedia
import VirtualTime

// What the app does about a live stream.

extension SimulatedPlayer {
  func carryOut(_ action: AppAction.LiveAction) {
    switch action {
    case .seekToLive: seekToLive()
    case .setPreservesOffset(let preserves): automaticallyPreservesTimeOffsetFromLive = preserves
    case .setConfiguredOffset(let offset): configuredTimeOffsetFromLive = offset
    case .setUsesNetworkWhilePaused(let uses):
      canUseNetworkResourcesForLiveStreamingWhilePaused = uses
    }
  }
}

extension AppAction.LiveAction {
  var members: [(String, TraceValue)] {
    switch self {
    case .seekToLive: []
    case .setPreservesOffset(let to), .setUsesNetworkWhilePaused(let to): [("to", .boolean(to))]
    case .setConfiguredOffset(let time):
      [("to", time.map { .seconds($0.nanoseconds) } ?? .null)]
    }
  }
}

import SimulatedWorld
import StreamingMedia
import VirtualTime

// What the app does about a live stream.

extension RunSession {
  func carryOut(_ action: AppAction.LiveAction, _ item: String?) {
    switch action {
    case .seekToLive: player.seekToLive()
    case .setPreservesOffset(let preserves): change(item) { $0.live.preservesOffset = preserves }
    case .setConfiguredOffset(let offset): change(item) { $0.live.configuredOffset = offset }
    case .setUsesNetworkWhilePaused(let uses):
      change(item) { $0.live.usesNetworkWhilePaused = uses }
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

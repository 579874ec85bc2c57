import GoldilocksTesting
import PlayerScreen

extension SimulatedPlayer: ScreenPlayer {
  public var isPaused: Bool { timeControlStatus == .paused }

  // "Recommended practice is not to show UI indicating the waiting state" while the buffering rate
  // is evaluated (AVPlayer.WaitingReason).
  public var isBuffering: Bool {
    timeControlStatus == .waitingToPlayAtSpecifiedRate
      && reasonForWaitingToPlay != .evaluatingBufferingRate
  }
}

/// A screen with a clip of ten seconds at 2 Mbit/s, over some link.
struct Screening {
  let world: World
  let player: SimulatedPlayer
  let screen: PlayerScreenModel<SimulatedPlayer>

  init(_ link: LinkConditions, evaluating: TimeSpan = .zero) throws {
    let world = try World(conditions: link)
    player = world.makePlayer(PlayerSettings(evaluationPeriod: evaluating))
    screen = PlayerScreenModel(player: player) { seconds, action in
      world.after(.milliseconds(Int64(seconds * 1_000)), action)
    }
    player.observe { [screen] _ in screen.playerChanged() }
    let clip = MediaFile(duration: .seconds(10), bitRate: .megabitsPerSecond(2))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(clip)))
    self.world = world
  }

  static func link(kilobits: Int64, delay: TimeSpan = .zero) -> LinkConditions {
    LinkConditions(
      downlink: DirectionConditions(
        bandwidth: .limited(.kilobitsPerSecond(kilobits)), delay: delay))
  }
}

/// What the screen needs of a player: `AVPlayer` in the app, `SimulatedPlayer` in its tests.
public protocol ScreenPlayer: AnyObject {
  /// Whether nobody asked to play.
  var isPaused: Bool { get }
  /// Whether it waits, for a reason that a viewer should see.
  var isBuffering: Bool { get }

  func play()
  func pause()
}

/// The state of a player's screen: one button, and a spinner for waits that are worth one.
public final class PlayerScreenModel<Player: ScreenPlayer> {
  public enum Button: Sendable {
    case play
    case pause
  }

  /// How long a wait lasts before the spinner comes: a shorter one would only make it flash.
  public static var patience: Double { 0.25 }

  public private(set) var isSpinnerVisible = false
  /// How often the spinner has come.
  public private(set) var spinnerCount = 0
  private let player: Player
  private let later: (Double, @escaping () -> Void) -> Void
  /// Counts waits, so that a timer of an earlier one is known.
  private var wait = 0
  private var isWaiting = false

  /// - Parameter later: Calls back after so many seconds.
  public init(
    player: Player, later: @escaping (Double, @escaping () -> Void) -> Void
  ) {
    self.player = player
    self.later = later
  }

  public var button: Button { player.isPaused ? .play : .pause }

  public func buttonTapped() {
    if player.isPaused { player.play() } else { player.pause() }
  }

  /// Call it whenever the player's state has changed.
  public func playerChanged() {
    if player.isBuffering == isWaiting { return }
    isWaiting.toggle()
    isSpinnerVisible = false
    if !isWaiting { return }
    wait += 1
    later(Self.patience) { [self, wait] in
      guard isWaiting, wait == self.wait else { return }
      isSpinnerVisible = true
      spinnerCount += 1
    }
  }
}

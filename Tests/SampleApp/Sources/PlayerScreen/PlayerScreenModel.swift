import Foundation
import Observation
import PlayerInterfaces

/// The state of a player's screen, for `AVPlayer` in the app and for a simulated player in tests.
@MainActor @Observable
public final class PlayerScreenModel<Player: PlayerInterface> {
  public typealias Time = Player.Item.Time

  /// A shorter wait would only make the spinner flash.
  public static var patience: Duration { .milliseconds(250) }
  /// Within this many seconds of its edge a live stream counts as live.
  public static var liveDistance: Double { 20 }

  public private(set) var isSpinnerVisible = false
  public private(set) var spinnerCount = 0
  public private(set) var isEndCardVisible = false
  public private(set) var canRetry = false
  /// The declared bit rate of what is received, such as "2.0 Mbit/s"; nil for a file.
  public private(set) var quality: String?
  /// The scrubber in seconds.
  public private(set) var position = 0.0
  public private(set) var buffered = 0.0
  /// Nil for a live stream.
  public private(set) var duration: Double?
  public private(set) var isLive = false
  public private(set) var isAtLiveEdge = false
  public private(set) var isScrubbing = false

  @ObservationIgnored private let player: Player
  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private let makeItem: @MainActor () -> Player.Item
  @ObservationIgnored private var spinner: Task<Void, Never>?
  @ObservationIgnored private var observations: [Any] = []
  @ObservationIgnored private var wantsToPlay = false

  /// - Parameter makeItem: Makes the item, anew for each attempt.
  public init(
    player: Player, clock: any Clock<Duration>, makeItem: @escaping @MainActor () -> Player.Item
  ) {
    (self.player, self.clock, self.makeItem) = (player, clock, makeItem)
  }

  /// Shows the media, paused.
  public func open() {
    observations = [
      player.observeState { [weak self] in self?.playerChanged() },
      player.addPeriodicTimeObserver(
        forInterval: Time(seconds: 0.5, preferredTimescale: 600), queue: .main
      ) { [weak self] time in
        MainActor.assumeIsolated { self?.moved(to: time) }
      },
      NotificationCenter.default.addObserver(
        forName: Player.Item.didPlayToEndTimeNotification, object: nil, queue: nil
      ) { [weak self] note in
        let item = (note.object as AnyObject?).map(ObjectIdentifier.init)
        Task { @MainActor in self?.ended(item) }
      },
    ]
    player.replaceCurrentItem(with: makeItem())
  }

  public var isPlayButtonShown: Bool { player.timeControlStatus == .paused }

  public func buttonTapped() {
    if player.timeControlStatus != .paused { return player.pause() }
    isEndCardVisible = false
    player.play()
  }

  // MARK: Scrubber and live

  public func beginScrubbing() { isScrubbing = true }

  public func scrub(to seconds: Double) { position = seconds }

  public func endScrubbing() { seek(to: Time(seconds: position, preferredTimescale: 600)) }

  public func liveTapped() { seek(to: .positiveInfinity) }

  private func seek(to time: Time) {
    isEndCardVisible = false
    isScrubbing = true
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] _ in
      Task { @MainActor in
        self?.isScrubbing = false
        self?.update()
      }
    }
  }

  // MARK: Background and errors

  public func enteredBackground() {
    wantsToPlay = player.rate != 0
    player.pause()
  }

  public func enteredForeground() {
    if wantsToPlay { player.play() }
  }

  public func retry() {
    canRetry = false
    let place = position
    player.replaceCurrentItem(with: makeItem())
    seek(to: Time(seconds: place, preferredTimescale: 600))
    player.play()
  }

  // MARK: Changes

  private func playerChanged() {
    update()
    let waits =
      player.timeControlStatus == .waitingToPlayAtSpecifiedRate
      // "Recommended practice is not to show UI" for it (AVPlayer.WaitingReason).
      && player.reasonForWaitingToPlay != .evaluatingBufferingRate && !canRetry
    if !waits {
      spinner?.cancel()
      (spinner, isSpinnerVisible) = (nil, false)
    } else if spinner == nil {
      spinner = Task { [weak self, clock] in
        try? await clock.sleep(for: Self.patience)
        if !Task.isCancelled { self?.showSpinner() }
      }
    }
  }

  private func showSpinner() {
    isSpinnerVisible = true
    spinnerCount += 1
  }

  private func moved(to time: Time) {
    if !isScrubbing { position = time.seconds }
    update()
  }

  private func update() {
    guard let item = player.currentItem else { return }
    canRetry = item.status == .failed
    if item.status != .readyToPlay { return }
    duration = item.duration.isNumeric ? item.duration.seconds : nil
    isLive = duration == nil
    buffered = item.loadedSeconds.last?.upperBound ?? 0
    let edge = item.seekableSeconds.last?.upperBound ?? 0
    isAtLiveEdge = isLive && edge - player.currentTime().seconds <= Self.liveDistance
    quality = item.indicatedBitrate.map { "\(($0 / 100_000).rounded() / 10) Mbit/s" }
  }

  private func ended(_ item: ObjectIdentifier?) {
    if item == player.currentItem.map({ ObjectIdentifier($0) }) { isEndCardVisible = true }
  }
}

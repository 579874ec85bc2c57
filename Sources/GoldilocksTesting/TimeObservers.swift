public import SimulatedWorld

// Completions of seeks, and observers of the playhead.

extension SimulatedPlayer {
  /// Seeks, and tells when that is over.
  ///
  /// - Parameter completionHandler: Called with false where another seek took its place or it was
  ///   cancelled.
  public func seek(
    to time: MediaTime, within tolerance: SeekTolerance = .none,
    completionHandler: @escaping (Bool) -> Void
  ) throws(PlayerError) {
    // A seek that is pending is told of first: this one takes its place.
    var isNext = !core.isSeeking
    var token: ObservationToken?
    token = observe { [world] record in
      guard case .seekCompleted(_, let finished, _) = record.observation else { return }
      if !isNext {
        isNext = true
        return
      }
      if let token { world.stopObserving(token) }
      completionHandler(finished)
    }
    do throws(PlayerError) {
      try seek(to: time, within: tolerance)
    } catch {
      if let token { world.stopObserving(token) }
      throw error
    }
  }

  /// Seeks, and returns whether it was finished: false where another seek took its place.
  public func seek(
    to time: MediaTime, within tolerance: SeekTolerance = .none
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      do throws(PlayerError) {
        try seek(to: time, within: tolerance) { continuation.resume(returning: $0) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Calls back with each interval of media that was played, and where playback begins, stops or
  /// jumps, as long as the result is held.
  public func addPeriodicTimeObserver(
    forInterval interval: MediaTime, using block: @escaping (MediaTime) -> Void
  ) -> TimeObserver {
    precondition(interval > .zero, "a periodic observer needs a positive interval")
    let step = interval.nanoseconds
    return TimeObserver(
      self, next: { MediaTime(nanoseconds: ($0.nanoseconds / step + 1) * step) },
      reached: block, moved: block)
  }

  /// Calls back whenever the playhead passes one of the times, as long as the result is held.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], using block: @escaping () -> Void
  ) -> TimeObserver {
    TimeObserver(
      self, next: { place in times.filter { $0 > place }.min() }, reached: { _ in block() },
      moved: { _ in })
  }

  /// Ends the calls to an observer of time.
  public func removeTimeObserver(_ observer: TimeObserver) { observer.stop() }
}

/// An observer of the playhead, which is called as long as it is held.
public final class TimeObserver {
  private weak var player: SimulatedPlayer?
  private let (next, reached): ((MediaTime) -> MediaTime?, (MediaTime) -> Void)
  private var moves: ObservationToken?
  private var wait: ObservationToken?

  fileprivate init(
    _ player: SimulatedPlayer, next: @escaping (MediaTime) -> MediaTime?,
    reached: @escaping (MediaTime) -> Void, moved: @escaping (MediaTime) -> Void
  ) {
    (self.player, self.next, self.reached) = (player, next, reached)
    moves = player.observe { [weak self] record in
      guard record.observation.movesPlayhead, let self, let player = self.player else { return }
      moved(player.currentTime())
      arm()
    }
    arm()
  }

  deinit { stop() }

  fileprivate func stop() {
    for token in [moves, wait].compactMap({ $0 }) { player?.world.stopObserving(token) }
    (moves, wait) = (nil, nil)
  }

  private func arm() {
    guard let player, moves != nil else { return }
    if let wait { player.world.stopObserving(wait) }
    wait = next(player.currentTime()).map { time in
      player.world.when(.currentTime(time), of: player) { [weak self] in
        guard let self, let player = self.player, moves != nil else { return }
        reached(player.currentTime())
        arm()
      }
    }
  }
}

extension PlaybackObservation {
  /// Whether the playhead begins to move, stops or jumps.
  fileprivate var movesPlayhead: Bool {
    if case .timebase = self { return true }
    if case .timeJumped = self { return true }
    return isItemThere != nil
  }
}

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
  /// jumps.
  public func addPeriodicTimeObserver(
    forInterval interval: MediaTime, using block: @escaping (MediaTime) -> Void
  ) -> TimeObserver {
    precondition(interval > .zero, "an interval lasts")
    let observer = TimeObserver(self)
    func tick() {
      if observer.isRemoved { return }
      block(currentTime())
      arm()
    }
    func arm() {
      observer.round += 1
      let round = observer.round
      let (time, step) = (currentTime().nanoseconds, interval.nanoseconds)
      let next = MediaTime(nanoseconds: (time / step + 1) * step)
      world.when(.currentTime(next), of: self) {
        if round == observer.round { tick() }
      }
    }
    observer.token = observe { record in
      if record.observation.movesPlayhead { tick() }
    }
    arm()
    return observer
  }

  /// Calls back whenever the playhead comes to one of the times.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], using block: @escaping () -> Void
  ) -> TimeObserver {
    let observer = TimeObserver(self)
    func arm(after place: MediaTime) {
      observer.round += 1
      let round = observer.round
      guard let next = times.filter({ $0 > place }).min() else { return }
      world.when(.currentTime(next), of: self) {
        if observer.isRemoved || round != observer.round { return }
        block()
        arm(after: next)
      }
    }
    observer.token = observe { [unowned self] record in
      if record.observation.movesPlayhead { arm(after: currentTime()) }
    }
    arm(after: currentTime())
    return observer
  }

  public func removeTimeObserver(_ observer: TimeObserver) { observer.remove() }
}

/// An observer of the playhead, which can be removed.
public final class TimeObserver {
  private let player: SimulatedPlayer
  fileprivate var token: ObservationToken?
  /// The callback that counts: those that were armed before come to nothing.
  fileprivate var round = 0
  fileprivate private(set) var isRemoved = false

  fileprivate init(_ player: SimulatedPlayer) { self.player = player }

  fileprivate func remove() {
    isRemoved = true
    if let token { player.world.stopObserving(token) }
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

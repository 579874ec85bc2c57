package import SimulatedPlayback
public import VirtualTime

/// Something that can become true of a player.
public enum PlaybackCondition: Hashable, Sendable {
  /// The contiguous media at the playhead reaches a position.
  case loaded(MediaTime)
  case ahead(MediaTime)
  case currentTime(MediaTime)
  /// The same the other way round: no more than that.
  case loadedAtMost(MediaTime)
  case aheadAtMost(MediaTime)
  case currentTimeAtMost(MediaTime)
  case paused
  case waiting
  case playing
  case likelyToKeepUp
  case bufferFull
  case bufferEmpty
  case readyToPlay
  case failed
  case stalls(Int64)
  /// The media has looped this many times.
  case loops(Int64)
  /// Media has moved again so often after an end.
  case transitions(Int64)

  package func isMet(by core: PlayerCore, at now: Instant) -> Bool {
    value(of: core, at: now).map { $0 >= kindAndBound.bound } ?? false
  }

  /// The earliest instant at which it can hold, if nothing else happens.
  func instant(of core: PlayerCore, after now: Instant) -> Instant {
    if isMet(by: core, at: now) { return now }
    let item = core.currentItem
    switch self {
    case .loaded(let time): return item?.instant(loading: time, after: now) ?? .distantFuture
    case .ahead(let time): return item?.instant(leading: time, after: now) ?? .distantFuture
    case .currentTime(let time): return item?.instant(reaching: time, after: now) ?? .distantFuture
    case .aheadAtMost(let time):
      // If nothing more came; what does puts it off, each time by less.
      return item?.instant(reaching: core.loadedEnd(at: now) - time, after: now) ?? .distantFuture
    case .loadedAtMost, .currentTimeAtMost, .paused, .waiting, .playing, .likelyToKeepUp,
      .bufferFull, .bufferEmpty, .readyToPlay, .failed, .stalls, .loops, .transitions:
      return .distantFuture
    }
  }
}

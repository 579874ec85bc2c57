package import LinkConditioner
package import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// Makes the samples of a player's buffer: the one place that looks at a player while it runs.
///
/// A sample is made at the end of an instant in which the state changed, in which the loaded media
/// jumped or ran out, or before which the line of the media ahead bent by more than a bound.
package struct BufferRecorder {
  /// The most by which a line may miss the media ahead, in nanoseconds: in fluid the media of a byte or a
  /// few, and over tcp the few packets by which a steady flow varies.
  private let bound: Int64
  private var first = BufferLevel(instant: .zero, ahead: .zero)
  /// The last look at the line that begins with the first level.
  private var last = BufferLevel(instant: .zero, ahead: .zero)
  /// The points between which all lines pass that are near enough to every look.
  private var (low, high): (BufferLevel?, BufferLevel?) = (nil, nil)
  /// Of a stream, whose loaded end moves in steps.
  private var stream: (loadedEnd: MediaTime, timebase: Timebase)?
  /// Whether something happened since the last sample that changes the state, and whether that
  /// moves the playhead to other media.
  private var (isTouched, isMoved) = (true, false)

  package init(_ fidelity: Fidelity) {
    switch fidelity {
    case .fluid: bound = 100_000
    case .tcp: bound = 10_000_000
    }
  }

  /// Notes what happens before the next look.
  package mutating func see(_ event: Record.Event) {
    switch event {
    case .panelAsked: isTouched = true
    case .buffer: break
    case .player(let observation):
      if observation.changesState { isTouched = true }
      switch observation {
      case .currentItem, .seek, .timeJumped: isMoved = true
      case _: break
      }
    }
  }

  /// Has the next look make a sample, unless there is one of the instant.
  package mutating func askForSample(at now: Instant) {
    if first.instant < now { isTouched = true }
  }

  /// Looks at the end of an instant; nil where nothing is to be recorded.
  package mutating func look(_ core: PlayerCore, at now: Instant) -> BufferSample? {
    let level = BufferLevel(instant: now, ahead: core.ahead(at: now))
    var bend: BufferLevel?
    if let stream {
      let before = max(.zero, stream.loadedEnd - stream.timebase.time(at: now))
      if before != level.ahead { bend = BufferLevel(instant: now, ahead: before) }
    } else if !isOnLine(level) || last.ahead == .zero && level.ahead > .zero {
      bend = isMoved ? lineEnd(at: now) : last
    } else if last.ahead > .zero && level.ahead == .zero {
      isTouched = true
    }
    stream = core.currentItem.flatMap { item in
      item.settings.source.kind == .stream ? (core.loadedEnd(at: now), item.timebase) : nil
    }
    last = level
    if !isTouched, bend == nil {
      narrow(to: level)
      return nil
    }
    (isTouched, isMoved) = (false, false)
    first = level
    (low, high) = (nil, nil)
    return BufferSample(
      time: core.currentTime(at: now), ahead: level.ahead,
      ranges: core.currentItem?.loadedTimeRanges(at: now) ?? [], bend: bend)
  }

  /// The line up to the last look, as it would have gone on.
  private func lineEnd(at now: Instant) -> BufferLevel {
    let (whole, change) = (last.instant - first.instant, last.ahead - first.ahead)
    let more =
      whole == .zero
      ? 0
      : Int128(change.nanoseconds) * Int128((now - last.instant).nanoseconds)
        / Int128(whole.nanoseconds)
    return BufferLevel(
      instant: now, ahead: max(.zero, last.ahead + MediaTime(nanoseconds: Int64(more))))
  }

  private func isOnLine(_ level: BufferLevel) -> Bool {
    guard let low, let high else { return true }
    return !isSteeper(low, than: moved(level, by: bound))
      && !isSteeper(moved(level, by: -bound), than: high)
  }

  private mutating func narrow(to level: BufferLevel) {
    let (below, above) = (moved(level, by: -bound), moved(level, by: bound))
    if low.map({ isSteeper(below, than: $0) }) ?? true { low = below }
    if high.map({ isSteeper($0, than: above) }) ?? true { high = above }
  }

  private func moved(_ level: BufferLevel, by media: Int64) -> BufferLevel {
    BufferLevel(
      instant: level.instant, ahead: level.ahead + MediaTime(nanoseconds: media))
  }

  /// Compares the lines from the first level to two others.
  private func isSteeper(_ a: BufferLevel, than b: BufferLevel) -> Bool {
    Int128((a.ahead - first.ahead).nanoseconds) * Int128((b.instant - first.instant).nanoseconds)
      > Int128((b.ahead - first.ahead).nanoseconds)
      * Int128((a.instant - first.instant).nanoseconds)
  }
}

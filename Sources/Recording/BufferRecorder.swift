package import LinkConditioner
package import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// Makes the samples of a player's buffer: the one place that looks at a player while it runs.
///
/// A sample is made at the end of an instant in which the state changed, in which the loaded media
/// jumped or ran out, or before which the line of the media ahead bent by more than a bound.
package struct BufferRecorder {
  /// The most by which a line may miss the media ahead, in nanoseconds: in fluid the media of a
  /// byte or a few, and over tcp the few packets by which a steady flow varies.
  private let bound: Int64
  private var first = BufferLevel(instant: .zero, ahead: .zero)
  /// The last look at the line that begins with the first level.
  private var last = BufferLevel(instant: .zero, ahead: .zero)
  /// The slopes from the first level whose lines are near enough to every look.
  private var slopes = SlopeRange()
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
    slopes = SlopeRange()
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
    let (run, rise) = distance(to: level)
    return slopes.passes(between: rise - bound, and: rise + bound, after: run)
  }

  private mutating func narrow(to level: BufferLevel) {
    let (run, rise) = distance(to: level)
    slopes.narrow(between: rise - bound, and: rise + bound, after: run)
  }

  /// Nanoseconds of the run and of the media since the first level.
  private func distance(to level: BufferLevel) -> (run: Int64, rise: Int64) {
    ((level.instant - first.instant).nanoseconds, (level.ahead - first.ahead).nanoseconds)
  }
}

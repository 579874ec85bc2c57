import Autowait
package import VirtualTime

// Seeks, and external timelines.

extension PlayerCore {
  /// Moves the playhead.
  ///
  /// A pending seek is superseded: its completion is told at once, unfinished. Without an item the
  /// seek completes unfinished at once.
  package func seek(
    to target: MediaTime, within tolerance: SeekTolerance = .none, at now: Instant,
    on stage: inout Stage
  ) throws(PlayerError) {
    if target < .zero { throw .negativeTime }
    begin(at: now)
    programme.seek(to: target, within: tolerance, at: now, on: &stage)
  }

  /// Ties the playhead to a timeline outside: at `hostTime` it is, or was, at `time`.
  ///
  /// Refused while `automaticallyWaitsToMinimizeStalling` is true: "you will meet a friendly
  /// exception" (WWDC16 503). A nil `time` stands for the current one. A nil `hostTime` leaves the
  /// choice to the player: at once where something is loaded, else with the first byte.
  package func setRate(
    _ rate: PlaybackRate, time: MediaTime?, atHostTime hostTime: Instant?, at now: Instant,
    on stage: inout Stage
  ) throws(PlayerError) {
    if playback.waitsProperty || playback.machine.waitsAutomatically { throw .waitsAutomatically }
    if rate.isZero {
      setRate(rate, at: now, on: &stage)
      return
    }
    begin(at: now)
    programme.tie(rate, time: time, atHostTime: hostTime, at: now, on: &stage)
  }
}

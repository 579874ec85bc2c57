import Autowait
import Recording
package import ScenarioFormat
import SimulatedPlayback
package import VirtualTime

/// The disturbances of the link that a player survives at one moment of playback.
package struct Resilience: Sendable {
  package var moment: Instant
  /// Media time of the playhead.
  package var media: MediaTime
  package var ahead: MediaTime
  /// The shortest outage found from this moment on that makes it stall or fail; nil for none.
  package var outage: TimeSpan?
  /// The time from the end of that outage until media moves again; nil where it never does.
  package var recovery: TimeSpan?
  /// The highest rate found of a dip from this moment on that does the same; nil for none.
  package var dip: BitRate?
}

/// Finds by bisection in virtual time the disturbances that make a scenario's first player stall.
///
/// A disturbance makes it stall where the run has a stall at least a second before the next one of
/// the undisturbed run, or fails where that does not. An outage is exact to the millisecond: one
/// that is a millisecond shorter does not make it stall. A dip is exact to a kilobit per second.
package struct ResilienceSearch: Sendable {
  private let scenario: Scenario
  private let undisturbed: RunOutcome
  /// Without a trace and warnings.
  private var options = RunOptions(keepsTrace: false)
  private let dip: TimeSpan

  package init(
    _ scenario: Scenario, policies: PolicySource = .none, dip: TimeSpan, beat: RunBeat? = nil
  ) throws(RunError) {
    (self.scenario, self.dip) = (scenario, dip)
    (options.warns, options.policies, options.beat) = (false, policies, beat)
    undisturbed = try run(scenario, options: options)
    options.folds = .figures
  }

  package static let mostMoments = 100_000

  package var plays: Bool { undisturbed.bands.contains { $0.control == .playing } }

  /// Instants of playback at a distance from each other, from the first motion on.
  ///
  /// - Parameter distance: Nil for whole seconds that make at most sixty instants.
  /// - Returns: At most one more than `mostMoments`.
  package func moments(every distance: TimeSpan?) -> [Instant] {
    let playing = undisturbed.bands.filter { $0.control == .playing }
    guard let first = playing.first?.start, let last = playing.last?.end else { return [] }
    let distance = distance ?? .seconds((last - first).nanoseconds / 60_000_000_000 + 1)
    func count(before end: Instant) -> Int64 {
      (end.nanoseconds + distance.nanoseconds - 1) / distance.nanoseconds
    }
    let multiples = playing.lazy.flatMap { count(before: $0.start)..<count(before: $0.end) }
    return multiples.prefix(Self.mostMoments + 1).map { .zero + distance * $0 }
  }

  /// The disturbances that the player survives at some moments, in order.
  package func resilience(at moments: [Instant]) throws(RunError) -> [Resilience] {
    var options = options
    (options.folds, options.moments) = (.all, moments)
    let panels = try run(scenario, options: options).chosenPanels
    var found: [Resilience] = []
    for (moment, panel) in zip(moments, panels) {
      let now = panel.currentTime
      let ahead = panel.loadedTimeRanges.end(from: now) - now
      var result = Resilience(moment: moment, media: now, ahead: ahead)
      try measureOutage(&result)
      try measureDip(&result)
      found.append(result)
    }
    return found
  }

  private func measureOutage(_ result: inout Resilience) throws(RunError) {
    let moment = result.moment
    func harm(of outage: TimeSpan) throws(RunError) -> Harm? {
      try self.harm(of: LinkDip(start: moment, duration: outage, limit: .zero))
    }
    // Nothing arrives in it, so that the first buffer underrun bounds every shorter outage.
    guard let underrun = try harm(of: undisturbed.ended - moment + .seconds(1)) else { return }
    let bound = (underrun.start - moment).nanoseconds / 1_000_000 + 1
    var (survived, harmful): (Int64, Int64) = (0, bound)
    var worst: Harm?
    // A shorter outage may do harm where in a longer one the player chooses otherwise.
    for part: Int64 in 1..<16 where worst == nil && bound * part / 16 > survived {
      let tried = bound * part / 16
      worst = try harm(of: .milliseconds(tried))
      if worst == nil { survived = tried } else { harmful = tried }
    }
    // The buffer must last until the next segment is there: the answer is seldom far below.
    var step: Int64 = 256
    while harmful - survived > 1 {
      let tried = step > 0 ? max(survived + 1, harmful - step) : (survived + harmful) / 2
      if let harm = try harm(of: .milliseconds(tried)) {
        (harmful, worst) = (tried, harm)
        if step > 0 { step = min(step * 2, 1 << 40) }
      } else {
        (survived, step) = (tried, 0)
      }
    }
    let outage = TimeSpan.milliseconds(harmful)
    if worst == nil { worst = try harm(of: outage) }
    result.outage = outage
    result.recovery = worst?.end.map { max(.zero, $0 - (moment + outage)) }
  }

  private func measureDip(_ result: inout Resilience) throws(RunError) {
    guard let outage = result.outage, outage <= dip else { return }
    func isHarmful(_ kilobits: Int64) throws(RunError) -> Bool {
      let limit = BitRate.kilobitsPerSecond(kilobits)
      return try harm(of: LinkDip(start: result.moment, duration: dip, limit: limit)) != nil
    }
    var (harmful, survived): (Int64, Int64) = (0, 64)
    while survived < 1 << 40, try isHarmful(survived) {
      (harmful, survived) = (survived, survived * 4)
    }
    while survived - harmful > 1 {
      let tried = (survived + harmful) / 2
      if try isHarmful(tried) { harmful = tried } else { survived = tried }
    }
    result.dip = .kilobitsPerSecond(harmful)
  }

  /// A stall that a disturbance made, or a failure, after which nothing moves again.
  private typealias Harm = (start: Instant, end: Instant?)

  private func harm(of dip: LinkDip) throws(RunError) -> Harm? {
    var options = options
    options.dips = [dip]
    let outcome = try run(scenario, options: options)
    let moment = dip.start
    let usual = undisturbed.player.books.stalls.first { $0.start >= moment }
    let stall = outcome.player.books.stalls.first { $0.start >= moment }
    if let stall, usual.map({ stall.start + .seconds(1) < $0.start }) ?? true {
      return (stall.start, stall.end)
    }
    if outcome.player.outcome == .failed, undisturbed.player.outcome != .failed {
      return (outcome.ended, nil)
    }
    return nil
  }
}

package import LinkConditioner
package import Recording
package import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
package import VirtualTime

// The lines, requests and decisions of a run that a picture is drawn from.

/// Playhead, loaded edge, requests and decisions of one player over a run.
package struct RunCurves: Sendable {
  package fileprivate(set) var playhead = Curve()
  /// The end of the contiguous media that begins at the playhead.
  package fileprivate(set) var loadedEnd = Curve()
  /// The newest media that a live playlist has listed; empty for media that is not live.
  package fileprivate(set) var liveEdge = Curve()
  /// Instants at which another item became current.
  package fileprivate(set) var itemStarts: [Instant] = []
  package var requests: [StartupStage] { fold.result }
  /// Records that say why the player does something else from now on.
  package fileprivate(set) var decisions: [Record] = []
  private var fold = RequestFold(most: 65_536)

  package init() {}

  private static let mostDecisions = 8_192

  mutating func see(_ record: Record) {
    fold.see(record)
    guard case .player(let observation) = record.event else { return }
    if case .currentItem(true) = observation { itemStarts.append(record.instant) }
    if case .live(.playlistRead(_, let reading)) = observation, reading.isChanged {
      if let last = liveEdge.points.last { liveEdge.add(last.media, at: record.instant) }
      liveEdge.add(reading.edge, at: record.instant)
    }
    if observation.isDecision, decisions.count < Self.mostDecisions { decisions.append(record) }
  }

  /// Samples the state that holds from an instant to the next event.
  mutating func look(_ core: PlayerCore, at now: Instant, until next: Instant) {
    playhead.add(core.currentTime(at: now), at: now)
    loadedEnd.add(core.loadedEnd(at: now), at: now)
    if next <= now { return }
    if let file = core.currentItem?.settings.source.file, file.duration > core.loadedEnd(at: now) {
      // A file's edge bends at the corners of its byte map and at steps of the bandwidth, of which
      // neither is an event.
      let step = max(Self.leastStep, (next - now).nanoseconds / Self.mostSamples)
      var instant = now + TimeSpan(nanoseconds: step)
      while instant < next, core.loadedEnd(at: instant) < file.duration {
        loadedEnd.add(core.loadedEnd(at: instant), at: instant)
        instant = instant + TimeSpan(nanoseconds: step)
      }
    }
    playhead.add(core.currentTime(at: next), at: next)
    loadedEnd.add(core.loadedEnd(at: next), at: next)
  }

  /// Ends the curves where the run ended.
  mutating func close(_ core: PlayerCore, at now: Instant) {
    look(core, at: now, until: now)
    if let last = liveEdge.points.last { liveEdge.add(last.media, at: now) }
  }

  private static let leastStep: Int64 = 2_000_000
  private static let mostSamples: Int64 = 8_192
}

extension PlaybackObservation {
  /// Whether it is a verdict with its rule or clause, or a call of the app that changes playback.
  fileprivate var isDecision: Bool {
    switch self {
    case .timeControl, .stalled, .variantChosen, .variantSwitchStarted, .variantKept,
      .segmentAbandoned, .seek,
      .itemFailed, .playedToEnd, .readingSuspended, .live(.moved), .likelyToKeepUp:
      true
    case _:
      false
    }
  }
}

// MARK: - The link

/// A stretch of a run over which the downlink has one capacity.
package struct CapacitySpan: Hashable, Sendable {
  package var start: Instant
  package var end: Instant
  package var bandwidth: Bandwidth
}

extension [CapacitySpan] {
  /// Mean bits per second from one instant to another; nil where a part of that is unlimited.
  package func mean(from start: Instant, to end: Instant) -> Int64? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].end <= start { low = middle + 1 } else { high = middle }
    }
    var bits = Int128(0)
    for span in self[low...] where end > start {
      if span.start >= end { break }
      guard case .limited(let rate) = span.bandwidth else { return nil }
      let length = Swift.min(span.end, end) - Swift.max(span.start, start)
      bits += Int128(rate.roundedDown) * Int128(length.nanoseconds)
    }
    return end > start ? Int64(bits / Int128((end - start).nanoseconds)) : 0
  }
}

/// The capacity of the downlink over a run, by schedule, outages and script.
///
/// - Returns: Nil where the schedule's clock stops while requests wait, so that its course is known
///   to the link alone, and for a run of millions of steps.
package func capacity(_ scenario: Scenario, _ outcome: RunOutcome) -> [CapacitySpan]? {
  var link = LinkSwitch(scenario.link)
  if let schedule = link.schedule {
    let rounds = outcome.ended.nanoseconds / max(1, schedule.length.nanoseconds)
    let isLong = rounds > 1_000_000 / Int64(max(1, schedule.steps.count))
    if isLong || schedule.clock == .pausedDuringLatency { return nil }
  }
  var changes: [(instant: Instant, change: (inout LinkSwitch) -> Bool)] = []
  func add(_ outages: Int, at instant: Instant) {
    changes.append(
      (
        instant,
        {
          $0.outages += outages; return false
        }
      ))
  }
  for outage in scenario.link.outages {
    add(1, at: outage.start)
    add(-1, at: outage.start + outage.duration)
  }
  for (step, instant) in zip(scenario.script, outcome.stepInstants) {
    guard let instant, case .link(let action) = step.action else { continue }
    changes.append((instant, { $0.apply(action) }))
  }
  let order = changes.enumerated().sorted {
    ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
  }
  var spans: [CapacitySpan] = []
  var (now, scheduleStart) = (Instant.zero, Instant.zero)
  for (_, change) in order where change.instant < outcome.ended {
    link.addSpans(to: &spans, from: now, to: change.instant, since: scheduleStart)
    now = change.instant
    if change.change(&link) { scheduleStart = now }
  }
  link.addSpans(to: &spans, from: now, to: outcome.ended, since: scheduleStart)
  return spans
}

extension LinkSwitch {
  /// Follows a step of the script; returns whether a schedule begins anew.
  fileprivate mutating func apply(_ action: AppAction.LinkAction) -> Bool {
    switch action {
    case .switchLink(let isOn): self.isOn = isOn
    case .changeLink(let new): (conditions, isOn) = (new, true)
    case .changeSchedule(let new): schedule = new
    case .suspendTraffic, .resumeTraffic, .stopTraffic, .releaseLeakedPlayer: return false
    }
    return true
  }

  fileprivate func addSpans(
    to spans: inout [CapacitySpan], from start: Instant, to end: Instant, since origin: Instant
  ) {
    func add(_ bandwidth: Bandwidth, until limit: Instant) {
      let begin = max(start, spans.last?.end ?? .zero)
      if begin >= limit { return }
      if let last = spans.last, last.bandwidth == bandwidth {
        spans[spans.count - 1].end = limit
      } else {
        spans.append(CapacitySpan(start: begin, end: limit, bandwidth: bandwidth))
      }
    }
    guard let schedule = effectiveSchedule, outages == 0 else {
      return add(effectiveConditions.downlink.bandwidth, until: end)
    }
    // Whole rounds of a loop that lie before the start are skipped.
    let length = schedule.length.nanoseconds
    let passed = (start - origin).nanoseconds + schedule.offset.nanoseconds
    let rounds = schedule.ending == .loops && length > 0 ? passed / length : 0
    var edge = origin - schedule.offset + TimeSpan(nanoseconds: rounds * length)
    repeat {
      for (index, step) in schedule.steps.enumerated() {
        let isLast = schedule.ending == .holds && index == schedule.steps.count - 1
        edge = isLast ? .distantFuture : edge + step.duration
        if edge > start { add(step.bandwidth, until: min(edge, end)) }
        if edge >= end { return }
      }
    } while true
  }
}

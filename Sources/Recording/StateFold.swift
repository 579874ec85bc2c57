package import Autowait
import LinkConditioner
package import SimulatedPlayback
package import StreamingMedia
package import VirtualTime

package struct StateBand: Hashable, Sendable {
  package var start: Instant
  package var end: Instant
  package var control: TimeControl
}

/// The nine properties of the demo's engineering screen, at one instant.
package struct Panel: Hashable, Sendable {
  package var instant: Instant
  package var control = TimeControl.paused
  package var rate = PlaybackRate.zero
  package var timebaseRate = PlaybackRate.zero
  package var currentTime = MediaTime.zero
  package var loadedTimeRanges: [Range<MediaTime>] = []
  package var isPlaybackLikelyToKeepUp = false
  package var isPlaybackBufferFull = false
  package var isPlaybackBufferEmpty = true

  /// Whether a person could have seen it: not if it held for less than a millisecond.
  package func lasts(until next: Instant) -> Bool { next - instant >= .milliseconds(1) }

  /// Whether another one differs in nothing but what moves by itself.
  fileprivate func says(_ other: Panel) -> Bool {
    control == other.control && rate == other.rate && timebaseRate == other.timebaseRate
      && isPlaybackLikelyToKeepUp == other.isPlaybackLikelyToKeepUp
      && isPlaybackBufferFull == other.isPlaybackBufferFull
      && isPlaybackBufferEmpty == other.isPlaybackBufferEmpty
  }
}

/// The states of a player, its buffer, and a panel for each change, from its records.
package struct StateFold: Sendable {
  /// In order and without gaps.
  package private(set) var bands: [StateBand] = []
  /// The engineering panel at the start, at each change, and at the end.
  package private(set) var panels: [Panel] = []
  /// The media ahead of the playhead: a straight line from each to the next.
  package private(set) var levels: [BufferLevel] = []
  /// The number of panels of the middle that were forgotten although a person could have seen them.
  package private(set) var panelsLeftOut: Int64 = 0
  package private(set) var capacity = CapacityFold()
  /// The panels of the instants that were asked for.
  private var chosen: [Panel] = []
  private let moments: [Instant]
  /// The number of moments that are over.
  private var momentsKept = 0
  private var isPanelAsked = false
  /// The state as the records up to now have it, and as the last sample left it.
  private var (present, shown) = (Panel(instant: .zero), Panel(instant: .zero))
  /// The host time before which the playhead is held, now and after the last sample.
  private var departure: (present: Instant, shown: Instant) = (.zero, .zero)
  private var sample = BufferLevel(.zero, .zero)
  /// The media of the last sample, where that is a file whose bytes are spread unevenly.
  package var map: ByteMap?
  private var current = TimeControl.paused
  private var began = Instant.zero
  /// The requests that are responding, and the last gap in which none was.
  private var responding: [TransferID] = []
  private var quiet: (start: Instant, end: Instant) = (.zero, .zero)

  /// The most levels, bands or panels that are kept: no screen has as many columns.
  private static let most = 8_192

  /// - Parameter moments: Instants in order at which a panel is wanted.
  package init(moments: [Instant] = []) {
    self.moments = moments
    panels = [present]
    levels = [sample]
  }

  package mutating func see(_ record: Record) {
    switch record.event {
    case .panelAsked: isPanelAsked = true
    case .buffer(let sample): see(sample, at: record.instant)
    case .player(.live(.moved(let time, _))) where shown.timebaseRate.isZero:
      let reached = BufferSample(time: time, ahead: sample.media, ranges: [], bend: nil)
      keepMoments(before: record.instant, reaching: reached)
      shown.currentTime = time
    case .player(let observation): see(observation, at: record.instant)
    case .linkRate(let rate): capacity.see(rate, at: record.instant)
    }
  }

  private mutating func see(_ observation: PlaybackObservation, at now: Instant) {
    if case .rate(let rate, _, _) = observation {
      present.rate = rate
    } else if case .timeControl(let control, _, _) = observation {
      present.control = control
    } else if case .timebase(let rate, _, let hostTime) = observation {
      present.timebaseRate = rate
      departure.present = hostTime ?? .zero
    } else if case .likelyToKeepUp(let isLikely, _, _, _) = observation {
      present.isPlaybackLikelyToKeepUp = isLikely
    } else if case .bufferEmpty(let isEmpty) = observation {
      present.isPlaybackBufferEmpty = isEmpty
    } else if case .bufferFull(let isFull) = observation {
      present.isPlaybackBufferFull = isFull
    } else if case .requestResponded(let id) = observation {
      if responding.isEmpty { quiet.end = now }
      responding.append(id)
    } else if let id = observation.timedRequest {
      responding.removeAll { $0 == id }
      if responding.isEmpty { quiet = (now, .distantFuture) }
    }
  }

  private mutating func see(_ new: BufferSample, at now: Instant) {
    keepMoments(before: now, reaching: new)
    // A player that plays and whose pipeline is not ready waits for it.
    let isPending = present.control == .playing && present.timebaseRate.isZero
    let control = isPending ? .awaitingMedia : present.control
    if control != current {
      cut(at: now)
      current = control
    }
    assert(sample.instant <= now, "samples come in the order of time")
    if let bend = new.bend { keep(bend) }
    sample = BufferLevel(now, new.ahead)
    keep(sample)
    present.instant = now
    present.currentTime = new.time
    present.loadedTimeRanges = new.ranges
    // The last state of an instant counts, not those that it passes through.
    if let last = panels.last, last.instant == now { panels.removeLast() }
    if panels.last.map({ !$0.says(present) }) ?? true {
      panels.append(present)
      if panels.count > Self.most {
        let middle = (Self.most / 4)..<(Self.most * 3 / 4)
        panelsLeftOut += Int64(middle.count { panels[$0].lasts(until: panels[$0 + 1].instant) })
        panels.removeSubrange(middle)
      }
    }
    (shown, departure.shown) = (present, departure.present)
    if isPanelAsked || chosen.last?.instant == now { chosen.append(present) }
    isPanelAsked = false
  }

  /// Completes the last band and the last panel when the run is over.
  package mutating func finish(at now: Instant) {
    capacity.finish(at: now)
    cut(at: now)
    if let last = panels.last, last.instant < now { panels.append(present) }
    if let moment = nextMoment, moment <= now {
      chosen.append(present)
      momentsKept += 1
    }
  }

  package func agrees(with core: PlayerCore) -> Bool {
    var panel = present
    panel.control = core.machine.control
    panel.rate = core.rate
    panel.timebaseRate = core.timebaseRate
    panel.isPlaybackLikelyToKeepUp = core.isPlaybackLikelyToKeepUp
    panel.isPlaybackBufferFull = core.isPlaybackBufferFull
    panel.isPlaybackBufferEmpty = core.isPlaybackBufferEmpty
    return panel.says(present)
  }

  /// The panels that were asked for, by the script or at moments; for those after the end the last
  /// one. Of two panels at one instant the later counts.
  package var chosenPanels: [Panel] {
    var found: [Panel] = []
    for new in chosen.reversed() where found.last?.instant != new.instant { found.append(new) }
    found.reverse()
    for instant in moments where !found.contains(where: { $0.instant == instant }) {
      found += panels.suffix(1)
    }
    return found
  }

  package var nextMoment: Instant? { momentsKept < moments.count ? moments[momentsKept] : nil }

  /// Keeps the panel of the next moment as a player has it that nothing happens to before.
  package mutating func keepMoment(of core: PlayerCore) {
    guard let moment = nextMoment else { return }
    momentsKept += 1
    var panel = present
    panel.instant = moment
    panel.currentTime = core.currentTime(at: moment)
    panel.loadedTimeRanges = core.currentItem?.loadedTimeRanges(at: moment) ?? []
    chosen.append(panel)
  }

  /// Keeps the panels of moments between the sample before and this one, where no player can be
  /// asked: the state holds, and the playhead moves at its rate.
  private mutating func keepMoments(before now: Instant, reaching new: BufferSample) {
    while let moment = nextMoment, moment < now {
      momentsKept += 1
      var panel = shown
      panel.instant = moment
      panel.currentTime = head(at: moment)
      panel.loadedTimeRanges = ranges(at: moment, towards: new, at: now)
      chosen.append(panel)
    }
  }

  private func head(at instant: Instant) -> MediaTime {
    let start = max(sample.instant, departure.shown)
    return shown.currentTime + shown.timebaseRate.media(in: max(start, instant) - start)
  }

  /// The loaded ranges between two samples: one of them grows while bytes arrive evenly.
  private func ranges(
    at moment: Instant, towards new: BufferSample, at now: Instant
  ) -> [Range<MediaTime>] {
    var (start, end) = (sample, BufferLevel(now, new.ahead))
    if let bend = new.bend {
      if moment <= bend.instant { end = bend } else { start = bend }
    }
    var edge = shown.currentTime + sample.media
    var (from, to) = (head(at: start.instant) + start.media, head(at: end.instant) + end.media)
    if start.media == .zero, end.media == .zero {
      // Media arrives in another range, such as behind the playhead.
      let ends = shown.loadedTimeRanges.map { $0.upperBound }
      edge = ends.last { new.ranges.end(from: $0) > $0 } ?? edge
      (from, to) = (edge, new.bend == nil ? new.ranges.end(from: edge) : edge)
    }
    let part = arrival(from: start.instant, to: moment)
    let whole = max(1, arrival(from: start.instant, to: end.instant))
    func share(_ all: Int64) -> Int64 { scaled(all, by: part, over: whole, rounding: .down) }
    var reached = from + MediaTime(nanoseconds: share((to - from).nanoseconds))
    if let map {
      let first = map.bytes(before: from)
      reached = map.time(ofFirst: first + share(map.bytes(before: to) - first))
    }
    var loaded = ByteRanges()
    loaded.insert(edge.nanoseconds..<max(edge, reached).nanoseconds)
    for range in shown.loadedTimeRanges {
      loaded.insert(range.lowerBound.nanoseconds..<range.upperBound.nanoseconds)
    }
    return loaded.ranges.map {
      MediaTime(nanoseconds: $0.lowerBound)..<MediaTime(nanoseconds: $0.upperBound)
    }
  }

  /// Nanoseconds between two instants in which bytes can arrive: no outage, a response under way.
  private func arrival(from start: Instant, to end: Instant) -> Int64 {
    let before = capacity.open(from: start, to: max(start, min(end, quiet.start)))
    return before + capacity.open(from: min(end, max(start, quiet.end)), to: end)
  }

  private mutating func keep(_ level: BufferLevel) {
    if let last = levels.last, last.instant == level.instant {
      // A jump is two levels at one instant: the first and the latest.
      let before = levels.count - 2
      if before >= 0, levels[before].instant == level.instant { levels.removeLast() }
      if levels[levels.count - 1] == level { return }
    }
    levels.append(level)
    if levels.count > Self.most {
      // Two at a time, because a step is two levels.
      levels = levels.indices.filter { $0 % 4 < 2 }.map { levels[$0] }
    }
  }

  private mutating func cut(at now: Instant) {
    assert(bands.last?.end ?? .zero == began, "bands follow each other without gaps")
    if now > began {
      bands.append(StateBand(start: began, end: now, control: current))
      if bands.count > Self.most { joinBands() }
    }
    began = now
  }

  /// Makes one band of every two, in the state that held for longer.
  private mutating func joinBands() {
    bands = stride(from: 0, to: bands.count, by: 2).map { place in
      guard place + 1 < bands.count else { return bands[place] }
      let (first, second) = (bands[place], bands[place + 1])
      return StateBand(
        start: first.start, end: second.end,
        control: second.end - second.start > first.end - first.start
          ? second.control : first.control)
    }
  }
}

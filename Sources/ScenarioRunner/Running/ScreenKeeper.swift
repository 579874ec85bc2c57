package import Autowait
import ExactText
import ScenarioFormat
import SimulatedPlayback
package import VirtualTime

/// Keeps what a screen shows of a run: the states, the buffer, and a panel for each change.
///
/// It looks on between events and schedules none, so that a run with a screen is the same run.
struct ScreenKeeper {
  private(set) var bands: [StateBand] = []
  private(set) var panels: [Panel] = []
  private(set) var levels: [BufferLevel] = []
  /// Those at instants that were asked for.
  private var chosen: [Panel] = []
  /// How many panels of the middle were forgotten that a person could have seen.
  private(set) var panelsLeftOut: Int64 = 0
  private var current = TimeControl.paused
  private var began = Instant.zero
  private var aheadAtStart = MediaTime.zero
  /// Of a stream, whose loaded end moves in steps: the end and the timebase at the last look.
  private var last: (loadedEnd: MediaTime, timebase: Timebase)?

  /// Beyond this many, every other level is forgotten: no screen has as many columns.
  private static let mostLevels = 8_192
  /// Beyond this many, neighbours become one band.
  private static let mostBands = 8_192
  /// Beyond this many, those of the middle are forgotten.
  private static let mostPanels = 8_192

  mutating func open(_ core: PlayerCore, at now: Instant) {
    current = core.shownControl
    began = now
    look(core, at: now)
  }

  /// Looks at what an event has left behind.
  mutating func look(_ core: PlayerCore, at now: Instant) {
    let ahead = core.ahead(at: now)
    let control = core.shownControl
    if control != current {
      cut(at: now, ahead)
      current = control
    }
    if let last {
      let before = max(.zero, last.loadedEnd - last.timebase.time(at: now))
      keep(BufferLevel(instant: now, ahead: before))
    }
    keep(BufferLevel(instant: now, ahead: ahead))
    last = core.currentItem.flatMap { item in
      item.settings.source.kind == .stream
        ? (core.loadedEnd(at: now), item.timebase) : nil
    }
    // What an instant leaves behind counts, not what it passes through.
    if let last = panels.last, last.instant == now { panels.removeLast() }
    if panels.isEmpty || !panels[panels.count - 1].says(what: core, at: now) {
      panels.append(Panel(core, at: now))
      if panels.count > Self.mostPanels { forgetPanels() }
    }
  }

  /// Keeps the panel of an instant, whatever has changed.
  mutating func keepPanel(_ core: PlayerCore, at now: Instant) {
    chosen.append(Panel(core, at: now))
  }

  /// The panels that were asked for, by the script or at instants; for those after the end the last
  /// one.
  func chosenPanels(at instants: [Instant]) -> [Panel] {
    // Whoever asked for an instant twice is shown it once.
    var found: [Panel] = []
    for panel in chosen where found.last?.instant != panel.instant { found.append(panel) }
    for instant in instants where !found.contains(where: { $0.instant == instant }) {
      found += panels.suffix(1)
    }
    return found
  }

  private mutating func forgetPanels() {
    let middle = (Self.mostPanels / 4)..<(Self.mostPanels * 3 / 4)
    panelsLeftOut += Int64(middle.count { panels[$0].lasts(until: panels[$0 + 1].instant) })
    panels.removeSubrange(middle)
  }

  mutating func close(_ core: PlayerCore, at now: Instant) {
    look(core, at: now)
    chosen.removeAll { $0.instant > now }
    cut(at: now, core.ahead(at: now))
    if let last = panels.last, last.instant < now { panels.append(Panel(core, at: now)) }
  }

  private mutating func keep(_ level: BufferLevel) {
    if let last = levels.last, last.instant == level.instant {
      // A jump is two levels at one instant: the first and the latest.
      let before = levels.count - 2
      if before >= 0, levels[before].instant == level.instant { levels.removeLast() }
      if levels[levels.count - 1] == level { return }
    }
    levels.append(level)
    if levels.count > Self.mostLevels {
      levels = levels.indices.filter { $0 % 2 == 0 }.map { levels[$0] }
    }
  }

  private mutating func cut(at now: Instant, _ ahead: MediaTime) {
    if now > began {
      bands.append(
        StateBand(
          start: began, end: now, control: current, aheadAtStart: aheadAtStart,
          aheadAtEnd: ahead))
      if bands.count > Self.mostBands { joinBands() }
    }
    began = now
    aheadAtStart = ahead
  }
}

extension ScreenKeeper {
  /// Makes one band of every two, in the state that held for longer.
  private mutating func joinBands() {
    bands = stride(from: 0, to: bands.count, by: 2).map { place in
      guard place + 1 < bands.count else { return bands[place] }
      let (first, second) = (bands[place], bands[place + 1])
      return StateBand(
        start: first.start, end: second.end,
        control: second.end - second.start > first.end - first.start
          ? second.control : first.control,
        aheadAtStart: first.aheadAtStart, aheadAtEnd: second.aheadAtEnd)
    }
  }
}

extension PlayerCore {
  /// The state of a band: a player that plays and whose pipeline is not ready waits for it.
  fileprivate var shownControl: TimeControl {
    machine.control == .playing && timebaseRate.isZero ? .awaitingMedia : machine.control
  }

  /// The variant that the next segment is of; nil where nothing has variants.
  var variantAskedFor: Int64? { currentItem?.variant.map { Int64($0) } }
}

extension PlaybackObservation {
  /// Whether an item became current.
  var bringsItem: Bool {
    if case .currentItem(let isPresent) = self { return isPresent }
    return false
  }
}

extension Panel {
  /// Whether a person could have seen it: not what held for less than a millisecond.
  package func lasts(until next: Instant) -> Bool { next - instant >= .milliseconds(1) }
}

extension Panel {
  init(_ core: PlayerCore, at now: Instant) {
    instant = now
    control = core.machine.control
    rate = core.rate
    timebaseRate = core.timebaseRate
    currentTime = core.currentTime(at: now)
    loadedTimeRanges = core.currentItem?.loadedTimeRanges(at: now) ?? []
    isPlaybackLikelyToKeepUp = core.isPlaybackLikelyToKeepUp
    isPlaybackBufferFull = core.isPlaybackBufferFull
    isPlaybackBufferEmpty = core.isPlaybackBufferEmpty
  }

  /// Whether nothing has changed since but what moves by itself.
  func says(what core: PlayerCore, at now: Instant) -> Bool {
    control == core.machine.control && rate == core.rate && timebaseRate == core.timebaseRate
      && isPlaybackLikelyToKeepUp == core.isPlaybackLikelyToKeepUp
      && isPlaybackBufferFull == core.isPlaybackBufferFull
      && isPlaybackBufferEmpty == core.isPlaybackBufferEmpty
  }

  /// The nine properties in the talk's order and form: one decimal, half up.
  package var fields: [(name: String, value: String)] {
    [
      ("timeControlStatus", control.title),
      ("reasonForWaitingToPlay", control.reason?.title ?? "-"),
      ("player rate", shown(rate)),
      ("timebase rate", shown(timebaseRate)),
      ("currentTime", shown(currentTime)),
      ("loadedTimeRanges", shown(loadedTimeRanges)),
      ("isPlaybackLikelyToKeepUp", isPlaybackLikelyToKeepUp ? "true" : "false"),
      ("isPlaybackBufferFull", isPlaybackBufferFull ? "true" : "false"),
      ("isPlaybackBufferEmpty", isPlaybackBufferEmpty ? "true" : "false"),
    ]
  }
}

extension TimeControl {
  /// As the demo's screen has it.
  package var title: String {
    switch self {
    case .paused: "Paused"
    case .waiting, .awaitingMedia: "Waiting"
    case .playing: "Playing"
    }
  }
}

public import Autowait
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

/// Keeps what a screen shows of a run: the states as bands, and a panel for each change.
struct ScreenKeeper {
  private(set) var bands: [StateBand] = []
  private(set) var panels: [Panel] = []
  private var current = TimeControl.paused
  private var began = Instant.zero
  private var aheadAtStart = MediaTime.zero
  private var isPanelDue = false

  mutating func open(_ core: PlayerCore, at now: Instant) {
    current = core.machine.control
    began = now
  }

  mutating func see(_ record: PlaybackRecord, _ core: PlayerCore, _ world: World) {
    if case .timeControl(let control, _) = record.observation, control != current {
      cut(core, at: record.instant)
      current = control
    }
  }

  /// Adds the panel of an instant that is done.
  mutating func add(_ panel: Panel) {
    panels.append(panel)
  }

  mutating func close(_ core: PlayerCore, at now: Instant) {
    cut(core, at: now)
  }

  private mutating func cut(_ core: PlayerCore, at now: Instant) {
    let ahead = core.ahead(at: now)
    if now > began {
      bands.append(
        StateBand(
          start: began, end: now, control: current, aheadAtStart: aheadAtStart,
          aheadAtEnd: ahead))
    }
    began = now
    aheadAtStart = ahead
  }
}

extension PlayerCore {
  /// Media between the playhead and the loaded edge.
  func ahead(at now: Instant) -> MediaTime {
    max(.zero, loadedEnd(at: now) - currentTime(at: now))
  }
}

extension Panel {
  init(_ core: PlayerCore, at now: Instant) {
    instant = now
    control = core.machine.control
    rate = core.rate
    timebaseRate = core.timebaseRate
    currentTime = core.currentTime(at: now)
    loadedTimeRanges = core.loadedTimeRanges(at: now)
    isPlaybackLikelyToKeepUp = core.isPlaybackLikelyToKeepUp
    isPlaybackBufferFull = core.isPlaybackBufferFull
    isPlaybackBufferEmpty = core.isPlaybackBufferEmpty
  }

  /// The nine properties in the talk's order and form: one decimal, half up.
  public var fields: [(name: String, value: String)] {
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
  public var title: String {
    switch self {
    case .paused: "Paused"
    case .waiting: "Waiting"
    case .playing: "Playing"
    }
  }
}

/// A number of billionths to one decimal, half up.
func oneDecimal(_ billionths: Int64) -> String {
  let tenths = scaled(billionths, by: 1, over: 100_000_000, rounding: .down)
  let rest = billionths - tenths * 100_000_000
  let rounded = rest >= 50_000_000 ? tenths + 1 : tenths
  let sign = rounded < 0 ? "-" : ""
  return "\(sign)\(rounded.magnitude / 10).\(rounded.magnitude % 10)"
}

func shown(_ rate: PlaybackRate) -> String {
  oneDecimal(Int64(rate.numerator) * 1_000_000_000 / Int64(rate.denominator))
}

func shown(_ time: MediaTime) -> String {
  oneDecimal(time.nanoseconds) + "s"
}

func shown(_ ranges: [Range<MediaTime>]) -> String {
  var text = "["
  for (index, range) in ranges.enumerated() {
    if index > 0 { text += ", " }
    text += "[\(shown(range.lowerBound)), \(shown(range.upperBound))]"
  }
  return text + "]"
}

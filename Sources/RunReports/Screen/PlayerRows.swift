import Autowait
import Recording
import ScenarioFormat
import ScenarioRunner
import VirtualTime

/// A run cut into the columns of a timeline.
struct TimeColumns {
  let length: Int64
  let count: Int

  /// The instants that a column stands for.
  func span(_ column: Int) -> (start: Int64, end: Int64) {
    (start(of: column), start(of: column + 1))
  }

  private func start(of column: Int) -> Int64 {
    Int64(Int128(length) * Int128(column) / Int128(count))
  }
}

/// A player from left to right: its states, and its buffer below them.
struct PlayerRows {
  let name: String
  let bands: [StateBand]
  let levels: [BufferLevel]
  let columns: TimeColumns

  func states(_ style: TextStyle) -> String {
    var text = ""
    var stretch = ""
    var tint: Tint?
    var band = 0
    for column in 0..<columns.count {
      let (start, end) = columns.span(column)
      while band + 1 < bands.count, bands[band].end.nanoseconds <= start {
        band += 1
      }
      guard let control = control(from: band, start, end) else { break }
      if let last = tint, last != control.tint {
        text += style.paint(stretch, last)
        stretch = ""
      }
      tint = control.tint
      stretch += control.glyph
    }
    return text + (tint.map { style.paint(stretch, $0) } ?? "")
  }

  /// The state of a column: what took the most of it, but for a wait too short to win any.
  private func control(from first: Int, _ start: Int64, _ end: Int64) -> TimeControl? {
    var longest: (control: TimeControl, share: Int64)?
    var index = first
    while index < bands.count, bands[index].start.nanoseconds < max(end, start + 1) {
      let band = bands[index]
      let isShort = (band.end - band.start).nanoseconds < end - start
      if band.control.isWaiting, isShort { return band.control }
      let share = min(end, band.end.nanoseconds) - max(start, band.start.nanoseconds)
      if share > longest?.share ?? -1 { longest = (band.control, share) }
      index += 1
    }
    return longest?.control
  }

  // MARK: Buffer

  /// The most that was ahead of the playhead.
  var most: Int64 {
    levels.reduce(0) { max($0, $1.ahead.nanoseconds) }
  }

  /// The forward buffer as bars, from empty to `most`.
  func buffer(of most: Int64) -> String {
    var text = ""
    for column in 0..<columns.count {
      let (start, end) = columns.span(column)
      let middle = Instant(nanoseconds: start + (end - start) / 2)
      text += LevelBars.glyph(levels.ahead(at: middle).nanoseconds, of: most)
    }
    return text
  }
}

extension [BufferLevel] {
  /// Media ahead on the line between the levels around an instant; after a step where two share it.
  func ahead(at instant: Instant) -> MediaTime {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    guard low > 0, low < count else { return (low == 0 ? first : last)?.ahead ?? .zero }
    let (start, end) = (self[low - 1], self[low])
    let change = scaled(
      (end.ahead - start.ahead).nanoseconds, by: (instant - start.instant).nanoseconds,
      over: (end.instant - start.instant).nanoseconds, rounding: .down)
    return start.ahead + MediaTime(nanoseconds: change)
  }
}

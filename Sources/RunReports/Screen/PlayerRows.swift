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

  /// How much was ahead, in bars from nothing to so much.
  func buffer(of most: Int64) -> String {
    var text = ""
    var next = 0
    for column in 0..<columns.count {
      let (start, end) = columns.span(column)
      let middle = start + (end - start) / 2
      while next < levels.count, levels[next].instant.nanoseconds <= middle {
        next += 1
      }
      text += LevelBars.glyph(level(at: middle, before: next), of: most)
    }
    return text
  }

  /// The level at an instant that lies before the next one that is known.
  private func level(at instant: Int64, before next: Int) -> Int64 {
    if next == 0 { return levels.first?.ahead.nanoseconds ?? 0 }
    let start = levels[next - 1]
    if next == levels.count { return start.ahead.nanoseconds }
    let end = levels[next]
    let passed = Int128(instant - start.instant.nanoseconds)
    let whole = Int128((end.instant - start.instant).nanoseconds)
    let change = Int128(end.ahead.nanoseconds - start.ahead.nanoseconds)
    return start.ahead.nanoseconds + Int64(change * passed / whole)
  }
}

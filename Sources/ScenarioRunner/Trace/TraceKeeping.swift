import ScenarioFormat
package import VirtualTime

/// The lines of a trace that are kept or handed on.
package enum TraceKeeping: Sendable {
  /// None is written, and there is no digest.
  case nothing
  /// Their digest alone is left.
  case digest
  /// All stay in memory.
  case whole
  /// The few around some instants stay, such as those of expectations that failed.
  case around([Instant])
  /// They are handed on as they come, in pieces of some size; the last piece ends the trace.
  case handedOn(@Sendable ([UInt8]) -> Void)
}

/// Keeps the lines of a trace around some instants, and forgets the others as they pass.
struct TraceContext {
  private struct Window {
    var instant: Instant
    var lines: [[UInt8]] = []
    /// The number of lines after the instant that are still wanted.
    var wanted: Int
  }

  private var windows: [Window] = []
  private var openWindows = 0
  /// The instants to come, the next last.
  private var instants: [Instant]
  /// The last lines, which may turn out to be those before an instant.
  private var recent: [[UInt8]] = []

  static let linesBefore = 4
  static let linesAfter = 2

  init(around instants: [Instant]) {
    self.instants = instants.sorted { $0 > $1 }
  }

  mutating func see(_ line: ArraySlice<UInt8>, at instant: Instant) {
    while let next = instants.last, next < instant { open() }
    if openWindows > 0 {
      for index in windows.indices where windows[index].wanted > 0 {
        windows[index].lines.append(Array(line))
        windows[index].wanted -= 1
        if windows[index].wanted == 0 { openWindows -= 1 }
      }
    }
    if instants.isEmpty { return }
    if recent.count == Self.linesBefore { recent.removeFirst() }
    recent.append(Array(line))
  }

  private mutating func open() {
    guard let instant = instants.popLast() else { return }
    windows.append(Window(instant: instant, lines: recent, wanted: Self.linesAfter))
    openWindows += 1
  }

  /// The lines around an instant that was asked for.
  func lines(around instant: Instant) -> [[UInt8]] {
    windows.first { $0.instant == instant }?.lines ?? recent
  }
}

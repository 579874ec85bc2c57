import RunReports
import VirtualTime

/// The progress of long work only: on a terminal one changing line, in a log a line now and then.
final class ProgressLine: @unchecked Sendable {
  private let isOnTerminal: Bool
  private let began = nanosecondsNow()
  private let lock = Lock()
  // Everything below belongs to whichever thread holds the lock.
  private var style: TextStyle
  private var due: Int64
  private var isShown = false
  /// The pieces of work done; nil before the first.
  private var work: (done: Int, all: Int, before: Int)?

  private static let delay: Int64 = 500_000_000
  private static let pause: Int64 = 100_000_000
  /// In a log, which keeps every line.
  private static let logDelay: Int64 = 10_000_000_000
  private static let logPause: Int64 = 30_000_000_000

  init(isOnTerminal: Bool, style: TextStyle) {
    (self.isOnTerminal, self.style) = (isOnTerminal, style)
    due = began + (isOnTerminal ? Self.delay : Self.logDelay)
  }

  /// Tells the pieces of work that are done; nothing once all of them are.
  func tell(_ done: Int, of all: Int, since before: Int = 0) {
    if done >= all { return }
    lock.locked {
      work = (done, all, before)
      tellIfDue("")
    }
  }

  func tell(of now: Instant, before horizon: Instant) {
    lock.locked {
      func seconds(_ instant: Instant) -> String { "\(instant.nanoseconds / 1_000_000_000) s" }
      let place = "at \(seconds(now)) of \(seconds(horizon))"
      tellIfDue(work == nil ? place : "; a run is \(place)")
    }
  }

  func use(_ style: TextStyle) { lock.locked { self.style = style } }

  func clear() {
    lock.locked {
      if isShown { Descriptor.say("\r\u{1B}[K") }
      isShown = false
    }
  }

  private func tellIfDue(_ place: String) {
    let now = nanosecondsNow()
    if now < due { return }
    due = now + (isOnTerminal ? Self.pause : Self.logPause)
    isShown = isOnTerminal
    let word = isOnTerminal ? "" : " done"
    let count = work.map { "\($0.done) of \($0.all)\(word)\(timeLeft(of: $0))" } ?? ""
    let text = count + place
    Descriptor.say(isOnTerminal ? "\r\u{1B}[K" + style.paint(text, .faint) : text + "\n")
  }

  /// Estimated time left at the speed so far, in words.
  private func timeLeft(of work: (done: Int, all: Int, before: Int)) -> String {
    guard case let (done, all, before) = work, done > before else { return "" }
    let passed = (nanosecondsNow() - began) / 1_000_000
    let seconds = passed * Int64(all - done) / Int64(done - before) / 1_000 + 1
    if seconds < 60 { return ", about \(seconds) s left" }
    let minutes = (seconds + 59) / 60
    if minutes < 120 { return ", about \(minutes) min left" }
    return ", about \((minutes + 59) / 60) h left"
  }
}

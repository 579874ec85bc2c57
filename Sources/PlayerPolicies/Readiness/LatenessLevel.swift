package import VirtualTime

/// A level that grows by how late media came after playback had run dry.
///
/// VLC plays a delay behind the clock of the stream. When a piece of the stream comes late it
/// raises the delay by the median of the last three latenesses, each less what was raised since,
/// so that the first is never enough; the delay never falls. Past a limit it is raised no more.
package struct LatenessLevel: Hashable, Sendable {
  package var delay = MediaTime.zero
  /// In which steps a file tells its clock; zero for as it comes. What is ahead must reach the
  /// first step beyond the delay. A stream tells it with each segment.
  package var step = MediaTime.zero
  /// The limit on the growth of the delay beyond its initial value.
  package var most = MediaTime.seconds(5)
  /// The distance from the loaded end at an underrun beyond which a file's next clock reference is
  /// late: the output lags behind the reader.
  package var reach = MediaTime.zero
  /// By how much a segment is later than playback is dry: sound is handed to the output so long
  /// before it is heard, and the clock of the next segment was due then.
  package var lag = MediaTime.zero

  package static let usual = LatenessLevel()

  /// The media that must be ahead.
  private func mark(_ snapshot: Snapshot, _ memory: LatenessMemory) -> MediaTime {
    let delay = delay + MediaTime(nanoseconds: memory.raised)
    if step <= .zero || snapshot.source == .segmented { return delay }
    return MediaTime(nanoseconds: (delay.nanoseconds / step.nanoseconds + 1) * step.nanoseconds)
  }

  func verdict(_ snapshot: Snapshot, _ memory: ReadinessMemory) -> ReadinessVerdict {
    var verdict = Level.media(mark(snapshot, memory.lateness)).verdict(snapshot)
    if !verdict.answer, let due = memory.lateness.due {
      // The mark is another once it is known how late this piece is.
      verdict.changesAt = min(verdict.changesAt, snapshot.arrival(ofMediaBefore: due))
    }
    return verdict
  }

  func note(_ snapshot: Snapshot, _ memory: inout LatenessMemory) {
    guard snapshot.wait == .stall, memory.awaits else { return }
    let due = memory.due ?? piece(after: snapshot)
    memory.due = due
    if snapshot.loadedEnd < min(due, snapshot.end) { return }
    // It was to be there when playback came to it.
    let wanted = snapshot.waitBegan + snapshot.rate.span(toPlay: due - snapshot.playhead)
    let late = (snapshot.now - wanted).nanoseconds
    let lag = snapshot.source == .segmented ? lag.nanoseconds : 0
    memory.takes(max(0, late + lag), most: most.nanoseconds)
  }

  /// The end of the piece that is late after a buffer underrun.
  private func piece(after snapshot: Snapshot) -> MediaTime {
    let edge = snapshot.loadedEnd.nanoseconds
    if snapshot.source == .segmented { return MediaTime(nanoseconds: edge + 1) }
    let length = max(1, step.nanoseconds)
    return MediaTime(nanoseconds: ((edge + reach.nanoseconds) / length + 1) * length)
  }
}

/// The lateness of the last pieces, and the growth of the delay so far.
package struct LatenessMemory: Hashable, Sendable {
  fileprivate(set) var raised: Int64 = 0
  // The last three, the oldest first.
  private var first: Int64 = 0
  private var second: Int64 = 0
  private var third: Int64 = 0
  /// Whether the piece that is late has not come yet, and where it ends, once that is known.
  fileprivate(set) var awaits = false
  fileprivate(set) var due: MediaTime?

  mutating func ranDry() { (awaits, due) = (true, nil) }

  /// Takes the lateness of the piece that has come, and raises the delay.
  fileprivate mutating func takes(_ lateness: Int64, most: Int64) {
    (awaits, due) = (false, nil)
    (first, second, third) = (second, third, lateness)
    let median = max(min(first, second), min(max(first, second), third))
    // Growth past the limit is refused: late media is lost then.
    if raised + median > most { return }
    raised += median
    (first, second) = (max(0, first - median), max(0, second - median))
    third = max(0, third - median)
  }
}

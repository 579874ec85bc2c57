package import VirtualTime

/// A queue with media downstream of it, which is full by whichever comes first: so much media, or
/// what came in during so long.
///
/// GStreamer's queue2 measures itself by the time that it took to fill as well as by the media in
/// it, and takes the greater: over a slow link it is full with less.
package struct QueueLevel: Hashable, Sendable {
  /// The media ahead when the queue begins to fill: the rest of the pipeline holds it.
  package var downstream = MediaTime.zero
  /// The capacity of the queue, in seconds of media or of download.
  package var span = TimeSpan.zero

  package static let usual = QueueLevel()

  func verdict(_ snapshot: Snapshot, _ memory: ReadinessMemory) -> ReadinessVerdict {
    let whole = downstream + MediaTime(nanoseconds: span.nanoseconds)
    let verdict = Level.media(whole).verdict(snapshot)
    if verdict.answer { return verdict }
    guard let since = memory.since else {
      let begins =
        downstream > .zero
        ? snapshot.arrival(ofMediaBefore: snapshot.playhead + downstream) : snapshot.firstByte
      return ReadinessVerdict(false, .belowThreshold, changesAt: min(verdict.changesAt, begins))
    }
    let full = since + span
    if snapshot.now >= full { return ReadinessVerdict(true, .waitedLongEnough) }
    return ReadinessVerdict(false, .notLongEnough, changesAt: min(verdict.changesAt, full))
  }

  func note(_ snapshot: Snapshot, _ memory: inout ReadinessMemory) {
    // A seek during a wait begins with an empty queue.
    let fills = snapshot.ahead >= downstream && snapshot.ahead > .zero
    memory.since = fills ? memory.since ?? snapshot.now : nil
  }
}

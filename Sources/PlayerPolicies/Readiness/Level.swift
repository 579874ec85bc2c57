package import VirtualTime

/// Forward buffer that is needed.
///
/// However low it is, something must be there, and no mark lies beyond the end. Levels are for
/// leaving a wait: a player that goes by one plays on until it is dry.
package enum Level: Hashable, Sendable {
  /// The first byte.
  case anything
  case media(MediaTime)
  /// Media that lasts so long at the rate asked for.
  case playingTime(TimeSpan)
  case bytes(Int64)
  /// Whole segments of every rendition since the buffer was last empty.
  case segments(Int64)
  /// A share, in percent, of how much media may lie ahead.
  case shareOfMediaLimit(Int64)
  /// A share, in percent, of how many bytes may lie ahead.
  case shareOfByteLimit(Int64)
  /// Sound, where it comes apart from the picture; else the same as `media`.
  case sound(MediaTime)
  /// Pictures, where they come apart from the sound; else the same as `media`.
  case pictures(MediaTime)
  /// Playing time as long as a share, in percent, of how far from the live edge the server wants a
  /// stream to be played; of anything else never.
  case shareOfLiveTarget(Int64)
  /// Media of a stream, with what has come of the segment under way, as long as anything can be
  /// played; of a file never.
  case mediaWithArriving(MediaTime)

  /// The facts of a buffer that it reads beside the media ahead.
  var facts: WantedFacts {
    switch self {
    case .anything, .media, .playingTime, .segments: .none
    case .bytes: WantedFacts(bytes: true)
    case .shareOfMediaLimit: WantedFacts(limits: true)
    case .shareOfByteLimit: WantedFacts(bytes: true, limits: true)
    case .sound, .pictures: WantedFacts(tracks: true)
    case .mediaWithArriving: WantedFacts(arriving: true)
    case .shareOfLiveTarget: WantedFacts(live: true)
    }
  }

  func verdict(_ snapshot: Snapshot) -> ReadinessVerdict {
    switch self {
    case .anything:
      if snapshot.ahead > .zero { return ReadinessVerdict(true, .anythingLoaded) }
      return ReadinessVerdict(false, .nothingLoaded, changesAt: snapshot.firstByte)
    case .media(let time): return Self.media(time, snapshot)
    case .playingTime(let span): return Self.media(snapshot.rate.media(in: span), snapshot)
    case .bytes(let bytes): return Self.bytes(bytes, snapshot)
    case .segments(let count):
      return Self.amount(snapshot.stream?.wholeSegments ?? 0, count, snapshot)
    case .shareOfMediaLimit(let percent):
      // A share of a limit that there is not can only be reached with everything.
      let limit = snapshot.buffer.mediaLimit ?? .distantFuture
      return Self.media(
        MediaTime(
          nanoseconds: scaled(limit.nanoseconds, by: percent, over: 100, rounding: .up)), snapshot)
    case .shareOfByteLimit(let percent):
      guard let limit = snapshot.buffer.byteLimit else {
        return Self.media(.distantFuture, snapshot)
      }
      return Self.bytes(scaled(limit, by: percent, over: 100, rounding: .up), snapshot)
    case .sound(let time): return Self.track(snapshot.buffer.soundAhead, time, snapshot)
    case .pictures(let time): return Self.track(snapshot.buffer.pictureAhead, time, snapshot)
    case .mediaWithArriving(let time): return Self.withArriving(time, snapshot)
    case .shareOfLiveTarget(let percent):
      guard let target = snapshot.stream?.liveTarget else {
        return ReadinessVerdict(snapshot.isStillPlaying, .belowThreshold)
      }
      let span = TimeSpan(
        nanoseconds: scaled(target.nanoseconds, by: percent, over: 100, rounding: .up))
      return Self.media(snapshot.rate.media(in: span), snapshot)
    }
  }

  /// The interval between looks at the received part of a segment: our assumption.
  private static let looksAgain = TimeSpan.milliseconds(100)

  private static func withArriving(_ wanted: MediaTime, _ snapshot: Snapshot) -> ReadinessVerdict {
    guard snapshot.source == .segmented else { return ReadinessVerdict(false, .belowThreshold) }
    var verdict = media(wanted, snapshot.withArriving)
    if verdict.answer, snapshot.ahead <= .zero { verdict = ReadinessVerdict(false, .nothingLoaded) }
    if !verdict.answer, snapshot.stream?.request != nil {
      verdict.changesAt = max(
        snapshot.now + looksAgain, snapshot.look(forBytes: 1, after: looksAgain))
    }
    return verdict
  }

  private static func media(_ wanted: MediaTime, _ snapshot: Snapshot) -> ReadinessVerdict {
    if snapshot.isStillPlaying { return ReadinessVerdict(true, .stillPlaying) }
    let mark = min(snapshot.playhead + max(wanted, MediaTime(nanoseconds: 1)), snapshot.end)
    if snapshot.loadedEnd >= mark { return ReadinessVerdict(true, .thresholdReached) }
    return snapshot.refusal(.belowThreshold, until: mark)
  }

  private static func bytes(_ wanted: Int64, _ snapshot: Snapshot) -> ReadinessVerdict {
    if snapshot.isStillPlaying { return ReadinessVerdict(true, .stillPlaying) }
    guard let ahead = snapshot.buffer.bytesAhead else { return media(.distantFuture, snapshot) }
    if ahead >= max(1, wanted), snapshot.ahead > .zero {
      return ReadinessVerdict(true, .thresholdReached)
    }
    var reached = Instant.distantFuture
    if let line = snapshot.file?.line {
      let missing = max(1, wanted - ahead)
      reached = line.instant(reaching: saturatingSum(line.bytes(at: snapshot.now), missing))
    }
    return ReadinessVerdict(false, .belowThreshold, changesAt: max(reached, snapshot.firstByte))
  }

  /// An amount that only grows with an event.
  private static func amount(
    _ present: Int64, _ wanted: Int64, _ snapshot: Snapshot
  ) -> ReadinessVerdict {
    if snapshot.isStillPlaying { return ReadinessVerdict(true, .stillPlaying) }
    let isThere = present >= wanted && snapshot.ahead > .zero
    return ReadinessVerdict(isThere, isThere ? .thresholdReached : .belowThreshold)
  }

  private static func track(
    _ ahead: MediaTime?, _ wanted: MediaTime, _ snapshot: Snapshot
  ) -> ReadinessVerdict {
    guard let ahead else { return media(wanted, snapshot) }
    return amount(ahead.nanoseconds, max(wanted.nanoseconds, 1), snapshot)
  }
}

/// A level whose mark changes from one wait to the next.
package struct EscalatingLevel: Hashable, Sendable {
  /// The event after which the next mark counts.
  package enum Raise: String, Hashable, Sendable, CaseIterable {
    /// A wait that ended or, polled from the beginning of the run, a look passed while it plays.
    case waitEnded
    case ranDry
    /// The end of a wait, or in it a call of `pause()` or a further one of `play()`; no set rate.
    case waitOrCall
  }

  /// In the order in which they come; the last one stays.
  package var marks: [Level]
  package var raise = Raise.waitEnded
  /// Whether a seek begins with the first mark again.
  package var seekResets = false
  /// A wait that has lasted so long with something to play ends whatever the mark, and the next
  /// begins with the first again; nil for never.
  ///
  /// hls.js moves a playhead that stands with media ahead of it a little on after two seconds, and
  /// to the browser below it that is a seek.
  package var patience: TimeSpan?
  /// The mark of every wait for media without sound, where the others are marks of sound.
  package var silent: Level?

  package static let usual = EscalatingLevel(marks: [.anything])

  func verdict(_ snapshot: Snapshot, _ memory: ReadinessMemory) -> ReadinessVerdict {
    var verdict = mark(memory, snapshot).verdict(snapshot)
    guard let patience, snapshot.wait == .stall, !verdict.answer else { return verdict }
    let over = snapshot.waitBegan + patience
    if memory.losesPatience { return ReadinessVerdict(true, .waitedLongEnough) }
    if snapshot.now < over { verdict.changesAt = min(verdict.changesAt, over) }
    return verdict
  }

  private func mark(_ memory: ReadinessMemory, _ snapshot: Snapshot) -> Level {
    if let silent, snapshot.buffer.isSilent { return silent }
    return marks[min(Int(memory.risen), marks.count - 1)]
  }

  func note(_ snapshot: Snapshot, _ memory: inout ReadinessMemory) {
    guard let patience, snapshot.wait == .stall, snapshot.ahead > .zero,
      snapshot.now >= snapshot.waitBegan + patience
    else { return }
    memory.losesPatience = !mark(memory, snapshot).verdict(snapshot).answer
  }

  func hear(_ event: PlayheadEvent, _ memory: inout ReadinessMemory) {
    switch event {
    case .moved:
      if raise != .ranDry { rise(&memory) }
      if memory.losesPatience { (memory.risen, memory.losesPatience) = (0, false) }
    case .ranDry: if raise == .ranDry { rise(&memory) }
    case .sought: if seekResets { memory.risen = 0 }
    case .asked: if raise == .waitOrCall { rise(&memory) }
    }
  }

  private func rise(_ memory: inout ReadinessMemory) {
    memory.risen = min(memory.risen + 1, Int32(marks.count - 1))
  }
}

extension ReadinessRule {
  /// Lets the rule remember what the playhead did.
  package func hear(_ event: PlayheadEvent, _ memory: inout ReadinessMemory) {
    if case .escalating(let level) = self { level.hear(event, &memory) }
    if event != .asked { memory.since = nil }
    if event == .ranDry, case .lateness = self { memory.lateness.ranDry() }
    for (part, index) in zip(parts, memory.parts.indices) {
      part.hear(event, &memory.parts[index])
    }
  }

  /// Whether its mark rises at looks while media moves too.
  var looksWhileMoving: Bool {
    if case .every(_, .run, .escalating(let level)) = self { return level.raise == .waitEnded }
    return parts.contains { $0.looksWhileMoving }
  }

  /// Lets the mark rise at a look that is passed while media moves; returns the next such look.
  func look(whileMoving snapshot: Snapshot, _ memory: inout ReadinessMemory) -> Instant {
    guard case .every(let period, .run, .escalating(let level)) = self else {
      let looks = memory.parts.indices.map {
        parts[$0].look(whileMoving: snapshot, &memory.parts[$0])
      }
      return looks.min() ?? .distantFuture
    }
    // With all of it there no further wait comes, and no look is due.
    guard level.raise == .waitEnded, !snapshot.isEverythingLoaded,
      Int(memory[0].risen) < level.marks.count - 1
    else { return .distantFuture }
    var asked = snapshot
    asked.wait = .stall
    let verdict = verdict(asked, Estimate(), .empty, memory)
    if !verdict.answer { return verdict.changesAt }
    // A look counts once, however often it is asked at that instant.
    if memory.since ?? snapshot.waitBegan < snapshot.now { hear(.moved, &memory) }
    memory.since = snapshot.now
    return snapshot.now + period
  }

  /// Lets the rule remember what is there while it waits.
  func note(_ snapshot: Snapshot, _ memory: inout ReadinessMemory) {
    if case .escalating(let level) = self { level.note(snapshot, &memory) }
    if case .queue(let level) = self { level.note(snapshot, &memory) }
    if case .lateness(let level) = self { level.note(snapshot, &memory.lateness) }
    for (part, index) in zip(parts, memory.parts.indices) {
      part.note(snapshot, &memory.parts[index])
    }
  }

  /// Whether it remembers anything of a wait while that lasts.
  var remembersWaits: Bool {
    if case .escalating(let level) = self { return level.patience != nil }
    if case .queue = self { return true }
    if case .lateness = self { return true }
    return parts.contains { $0.remembersWaits }
  }
}

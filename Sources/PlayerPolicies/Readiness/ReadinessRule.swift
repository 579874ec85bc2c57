package import VirtualTime

/// The condition for playback to begin, or to resume after a stall.
///
/// A rule reads only the snapshot, estimate and its memory. A new one is a case here and a type.
package indirect enum ReadinessRule: Hashable, Sendable {
  /// So much is ahead of the playhead, or all that is left.
  case level(Level)
  /// The same with a mark that changes from wait to wait.
  case escalating(EscalatingLevel)
  /// A queue is full, by media or by how long it has filled.
  case queue(QueueLevel)
  /// A level that grows by how late media came.
  case lateness(LatenessLevel)
  /// The end will be reached without a stall, as far as anybody can tell.
  case playThrough(PlayThrough)
  case everythingLoaded
  /// The wait has lasted that long, or that times the rate, and there is something to play.
  case after(TimeSpan, timesRate: Bool = false)
  /// It is that late, and there is something to play.
  case at(Instant)
  case any([ReadinessRule])
  case all([ReadinessRule])
  /// Looks at another rule at intervals only, counted from where `LookOrigin` says.
  case every(TimeSpan, from: LookOrigin, ReadinessRule)
  /// Asks what is registered under a name.
  case named(String)

  /// The instant from which the intervals of a player that polls are counted.
  package enum LookOrigin: String, Hashable, Sendable, CaseIterable {
    /// The beginning of the wait; the first look is an interval later.
    case wait
    case run
  }
}

/// The clause of a readiness rule that decided.
public enum ReadinessClause: String, Hashable, Sendable, CaseIterable {
  /// There is nothing under the playhead.
  case nothingLoaded
  /// Everything from the playhead to the end is there.
  case everythingLoaded
  case noThroughput
  /// Every remaining byte is predicted to come before it is due.
  case everyByteInTime
  /// Some byte is predicted to come after it is due.
  case someByteLate
  case thresholdReached
  case belowThreshold
  case stillPlaying
  /// Something is loaded, and no more is asked.
  case anythingLoaded
  case notEverythingLoaded
  case noWholeSegment
  /// A whole segment of every rendition is there, and the throughput sustains the variant.
  case throughputSustains
  /// The throughput does not sustain a stream without an end to be reached.
  case throughputFallsShort
  /// Nobody knows how much is to come.
  case endUnknown
  case waitedLongEnough
  case notLongEnough
  /// It is as late as it was to be.
  case timeHasCome
  /// It is not yet as late as it is to be.
  case timeHasNotCome
  /// The player looks again later.
  case betweenLooks
  /// The buffer holds as much as it is going to.
  case bufferFull
  case loaderIdle
  /// There is less than a frame to show.
  case noFrame
  /// The frame before is still shown.
  case frameShown
  case decidedOutside
}

/// An answer to whether playback may begin, go on, or is likely to.
public typealias ReadinessVerdict = Verdict<Bool, ReadinessClause>

/// The memory that a rule has of the item that it judges.
package struct ReadinessMemory: Hashable, Sendable {
  /// The number of steps by which an escalating mark has risen.
  package var risen: Int32 = 0
  /// Whether the present wait ends by patience.
  var losesPatience = false
  /// Since when a queue fills in this wait, or the last look passed while media moved; or nil.
  var since: Instant?
  var lateness = LatenessMemory()
  /// The memories of the rules that a rule is made of, in their order; empty where it has none.
  var parts: [ReadinessMemory] = []

  package init() {}

  package init(of rule: ReadinessRule) {
    parts = rule.parts.map { ReadinessMemory(of: $0) }
  }

  package subscript(part: Int) -> ReadinessMemory {
    part < parts.count ? parts[part] : ReadinessMemory()
  }
}

/// All that a readiness rule is asked with.
public struct ReadinessQuestion: Sendable {
  public var snapshot: Snapshot
  public var estimate: Estimate
  public var ladder: Ladder
  package var memory: ReadinessMemory
}

extension ReadinessRule {
  /// The rules that it is made of; none as a rule.
  var parts: [ReadinessRule] {
    if case .any(let rules) = self { return rules }
    if case .all(let rules) = self { return rules }
    if case .every(_, _, let rule) = self { return [rule] }
    return []
  }

  /// Whether whole segments alone satisfy it, of which a file has none.
  package var needsSegments: Bool {
    if case .level(.segments) = self { return true }
    if case .any(let rules) = self { return rules.allSatisfy { $0.needsSegments } }
    return parts.contains { $0.needsSegments }
  }

  /// Whether its answer about a stream depends on what has come of the segment under way.
  var looksAtInflow: Bool {
    if case .playThrough = self { return true }
    return facts.arriving || parts.contains { $0.looksAtInflow }
  }

  /// Whether each start is predicted by it, also one behind a pause, as AVPlayer's is.
  var isPrediction: Bool {
    if case .playThrough = self { return true }
    if case .named = self { return true }
    return false
  }

  // A named rule is external and may use any input, so the estimate counts as used.
  var goesByThroughput: Bool { isPrediction || parts.contains { $0.goesByThroughput } }

  /// The first prediction that it asks; nil where it predicts nothing.
  var prediction: PlayThrough? {
    if case .playThrough(let rule) = self { return rule }
    return parts.lazy.compactMap { $0.prediction }.first
  }

  package func verdict(
    _ snapshot: Snapshot, _ estimate: Estimate, _ ladder: Ladder, _ memory: ReadinessMemory
  ) -> ReadinessVerdict {
    if snapshot.isEverythingLoaded { return ReadinessVerdict(true, .everythingLoaded) }
    switch self {
    case .level(let level): return level.verdict(snapshot)
    case .escalating(let level): return level.verdict(snapshot, memory)
    case .queue(let level): return level.verdict(snapshot, memory)
    case .lateness(let level): return level.verdict(snapshot, memory)
    case .playThrough(let rule): return rule.verdict(snapshot, estimate, ladder)
    case .everythingLoaded:
      return snapshot.refusal(.notEverythingLoaded, until: snapshot.end)
    case .after(let span, let timesRate):
      let media = (timesRate ? snapshot.rate : .normal).media(in: span)
      return snapshot.verdict(
        from: snapshot.waitBegan + TimeSpan(nanoseconds: media.nanoseconds), .waitedLongEnough,
        before: .notLongEnough)
    case .at(let instant):
      return snapshot.verdict(from: instant, .timeHasCome, before: .timeHasNotCome)
    case .any(let rules):
      return Self.any(rules.indices) { rules[$0].verdict(snapshot, estimate, ladder, memory[$0]) }
    case .all(let rules):
      return Self.all(rules.indices) { rules[$0].verdict(snapshot, estimate, ladder, memory[$0]) }
    case .every(let period, let origin, let rule):
      let verdict = rule.verdict(snapshot, estimate, ladder, memory[0])
      let isLook = snapshot.look(every: period, from: origin, at: snapshot.now) == snapshot.now
      if isLook, verdict.answer { return verdict }
      // A look at what cannot have changed would see the same.
      let next = snapshot.look(
        every: period, from: origin, at: verdict.answer ? snapshot.now : verdict.changesAt)
      return ReadinessVerdict(false, isLook ? verdict.clause : .betweenLooks, changesAt: next)
    case .named: return ReadinessVerdict(false, .decidedOutside)
    }
  }

  /// The first that says yes, or else the first: it will say yes as soon as one of them does.
  private static func any(
    _ rules: Range<Int>, _ verdict: (Int) -> ReadinessVerdict
  ) -> ReadinessVerdict {
    var result = ReadinessVerdict(false, .nothingLoaded)
    for index in rules {
      let verdict = verdict(index)
      if verdict.answer { return verdict }
      let changes = min(result.changesAt, verdict.changesAt)
      if index == 0 { result = verdict }
      result.changesAt = changes
    }
    return result
  }

  /// The first that says no, or else the last: it will say yes as soon as all of them do.
  private static func all(
    _ rules: Range<Int>, _ verdict: (Int) -> ReadinessVerdict
  ) -> ReadinessVerdict {
    var refusal: ReadinessVerdict?
    var consent = ReadinessVerdict(true, .anythingLoaded)
    for rule in rules {
      let verdict = verdict(rule)
      if verdict.answer {
        consent = ReadinessVerdict(
          true, verdict.clause, changesAt: min(consent.changesAt, verdict.changesAt))
      } else {
        let latest = max(refusal?.changesAt ?? verdict.changesAt, verdict.changesAt)
        refusal = refusal ?? verdict
        refusal?.changesAt = latest
      }
    }
    return refusal ?? consent
  }
}

extension Snapshot {
  /// The arrival of the media before a time, if bytes keep arriving as they do.
  ///
  /// Segments arrive whole: of a stream, the next event tells.
  func arrival(ofMediaBefore time: MediaTime) -> Instant {
    if time <= loadedEnd { return now }
    return file?.arrival(ofMediaBefore: time, at: now, playhead: playhead) ?? .distantFuture
  }

  /// A refusal that stands until the media before a time is there.
  func refusal(_ clause: ReadinessClause, until time: MediaTime) -> ReadinessVerdict {
    ReadinessVerdict(false, clause, changesAt: arrival(ofMediaBefore: time))
  }

  /// The arrival of the first byte under the playhead, if bytes keep arriving as they do.
  var firstByte: Instant {
    let first =
      file?.arrival(ofMediaBefore: playhead, at: now, playhead: playhead) ?? .distantFuture
    // A playhead that rides on the loaded edge has something ahead of it again with every byte: to
    // look a thousand times a second is enough.
    return wait == .nothing ? max(first, now + .milliseconds(1)) : first
  }

  /// Yes from an instant on, if there is something to play.
  fileprivate func verdict(
    from instant: Instant, _ clause: ReadinessClause, before: ReadinessClause
  ) -> ReadinessVerdict {
    if isStillPlaying { return ReadinessVerdict(true, .stillPlaying) }
    if now < instant { return ReadinessVerdict(false, before, changesAt: instant) }
    if ahead <= .zero { return ReadinessVerdict(false, .nothingLoaded, changesAt: firstByte) }
    return ReadinessVerdict(true, clause)
  }

  /// An instant, if it is time to look then, or else when it will be; while playing it always is.
  fileprivate func look(
    every period: TimeSpan, from origin: ReadinessRule.LookOrigin, at instant: Instant
  ) -> Instant {
    if wait == .nothing || period <= .zero || instant == .distantFuture { return instant }
    let begin = origin == .wait ? waitBegan + period : .zero
    return instant <= begin ? begin : instant.rounded(upTo: period, from: begin)
  }
}

extension Instant {
  /// The first of the instants that lie a period apart from another, at or after this one.
  func rounded(upTo period: TimeSpan, from origin: Instant = .zero) -> Instant {
    let over = period <= .zero ? 0 : (self - origin).nanoseconds % period.nanoseconds
    return over == 0 ? self : self + (period - TimeSpan(nanoseconds: over))
  }
}

extension BlockSource {
  static let readiness = [
    BlockSource(
      "playThrough",
      "WWDC16 503 says what is asked for; the formula is ours, and gives the screens of the demo",
      .assumed),
    BlockSource(
      "everythingLoaded", "what ends a wait in every player, as a rule of its own", .source,
      about: "Everything to the end is there."),
    BlockSource(
      "anything", "players on Media Source Extensions leave it to the browser", .source,
      about: "There is something under the playhead."),
    BlockSource("media", "Media3, mpv, Shaka and KSPlayer: seconds of media", .source),
    BlockSource("playingTime", "Media3 divides by the speed (DefaultLoadControl)", .source),
    BlockSource("bytes", "ijkplayer where durations are unknown, Media3 by size", .source),
    BlockSource("segments", "WWDC18 502: one segment in most of the cases", .documented),
    BlockSource("mediaLimitShare", "GStreamer's and Kodi's watermarks", .copy),
    BlockSource("byteLimitShare", "GStreamer's queue2 in percent of its bytes", .source),
    BlockSource("sound", "Chromium's renderer of sound has a mark of its own", .copy),
    BlockSource("pictures", "players whose tracks come apart", .assumed),
    BlockSource("liveShare", "Media3: at most half of the target offset", .source),
    BlockSource("arriving", "mpv's cache counts pictures whose sound has not come", .measured),
    BlockSource("escalating", "ijkplayer from buffering to buffering, Chromium's sound", .source),
    BlockSource(
      "queue", "GStreamer's queue2 counts the time that it took to fill (gstqueue2.c)", .source),
    BlockSource("lateness", "VLC raises its pts_delay (es_out.c); by how much measured", .measured),
    BlockSource("after", "for experiments", .assumed),
    BlockSource("afterTimesRate", "Firefox leaves its buffering after a while", .copy),
    BlockSource("at", "for experiments", .assumed),
    BlockSource("any", "Firefox: predicted, or long enough, or enough", .copy),
    BlockSource("all", "for experiments", .assumed),
    BlockSource(
      "every", "players that poll: ijkplayer each half second, Media3 each 10 ms", .source),
  ]
}
